"""The colours, type and plotly template of every picture, in light and in dark, by role.

Text reaches 4.5:1 on page, band and panel, also where what is selected lays its band over them. The four row hues
stay apart for the three colour-blindnesses (`changed` by lightness); shape and words repeat what colour says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import plotly.graph_objects as go


FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif'
MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace'
CLEAR = "rgba(0,0,0,0)"

Symbol = Literal["circle", "square", "triangle-down", "diamond", "hexagon", "x-thin"]


@dataclass(frozen=True, slots=True)
class Hue:
    """What happened to rows: a fill for marks, a text colour that reads on the page, ink that reads on the fill."""

    fill: str
    text: str
    on_fill: str


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by role, as hex. `name` is `light` or `dark`; ink, ink 2 and ink 3 are text from strong to faint.

    `heat` are the steps of a quantity, from little to much.
    """

    name: Literal["light", "dark"]
    page: str
    panel: str
    band: str
    grid: str
    edge: str
    ink: str
    ink_2: str
    ink_3: str
    added: Hue
    changed: Hue
    removed: Hue
    moved: Hue
    attention: Hue
    error: str
    ok: str
    kept_outline: str
    halo: str
    column_band: str
    funnel: str
    heat: tuple[str, ...]

    def operation(self, operation: str | None) -> Hue:
        """The hue of a snapshot's operation; that of moved rows for one that is unknown or not recorded."""
        roles = {"append": self.added, "overwrite": self.changed, "delete": self.removed}
        return roles.get(operation or "", self.moved)


_HEAT = ("#EDF1F4", "#CED8E0", "#AEC0CD", "#8FA7B9", "#718EA3", "#54748B", "#385972", "#1B3F5A")

SYMBOLS: Mapping[str | None, Symbol] = MappingProxyType(
    {"append": "circle", "overwrite": "square", "delete": "triangle-down", "replace": "diamond"}
)

LIGHT = Theme(
    name="light",
    page="#FFFFFF",
    panel="#F6F7F9",
    band="#F0F2F4",
    grid="#E6E8EB",
    edge="#8A9099",
    ink="#1B1F24",
    ink_2="#57606A",
    ink_3="#626A74",
    added=Hue("#0072B2", "#005A8C", "#FFFFFF"),
    changed=Hue("#861657", "#861657", "#FFFFFF"),
    removed=Hue("#C45100", "#B34700", "#FFFFFF"),
    moved=Hue("#9AA0A8", "#5B626B", "#1B1F24"),
    attention=Hue("#E69F00", "#8A5A00", "#1B1F24"),
    error="#B3261E",
    ok="#00795A",
    kept_outline="#B4BAC2",
    halo="#FFD33D",
    column_band="rgba(255,211,61,0.16)",
    funnel="rgba(255,211,61,0.13)",
    heat=_HEAT,
)

DARK = Theme(
    name="dark",
    page="#111111",
    panel="#1B1D20",
    band="#1D1F22",
    grid="#2A2D31",
    edge="#7A828C",
    ink="#E8EAED",
    ink_2="#AEB5BD",
    ink_3="#99A1AA",
    added=Hue("#4FA8E0", "#7CC3F0", "#111111"),
    changed=Hue("#EFC1E2", "#EFC1E2", "#111111"),
    removed=Hue("#E8762C", "#F59A5E", "#111111"),
    moved=Hue("#767D86", "#A6ADB6", "#E8EAED"),
    attention=Hue("#F0D070", "#F0D070", "#111111"),
    error="#F47F78",
    ok="#4CC3A0",
    kept_outline="#565D66",
    halo="#B38F00",
    column_band="rgba(179,143,0,0.2)",
    funnel="rgba(179,143,0,0.12)",
    heat=_HEAT[::-1],
)


def blend(over: str, under: str, share: float) -> str:
    """The opaque colour of `over` laid on `under` with the given opacity (0 to 1); hex in, hex out."""
    pairs = zip(_channels(over), _channels(under), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02X}" for a, b in pairs)


def sheer(colour: str, share: float) -> str:
    """The colour with the given opacity (0 to 1), through which what is selected shines; hex in, rgba() out."""
    red, green, blue = _channels(colour)
    return f"rgba({red},{green},{blue},{share:g})"


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@cache
def template(theme: Theme) -> go.layout.Template:
    """What all pictures share; without plotly's button that uploads the chart to its cloud.

    It is registered as `explorer_light` or `explorer_dark`, for a person's own figures too; plotly's default template
    stays what it was.
    """
    import plotly.graph_objects as go  # takes a while to import, and no colour needs it
    import plotly.io as pio

    made = go.layout.Template(
        layout={
            "font": {"family": FONT, "size": 12, "color": theme.ink},
            "paper_bgcolor": theme.page,
            "plot_bgcolor": CLEAR,
            "colorway": [hue.fill for hue in (theme.added, theme.changed, theme.removed, theme.moved, theme.attention)],
            "xaxis": {"gridcolor": theme.grid, "linecolor": theme.edge, "zerolinecolor": theme.edge},
            "yaxis": {"gridcolor": theme.grid, "linecolor": theme.edge, "zerolinecolor": theme.edge},
            "hoverlabel": {
                "bgcolor": theme.panel,
                "bordercolor": theme.kept_outline,
                "font": {"family": FONT, "size": 12, "color": theme.ink},
                "align": "left",
                "namelength": 0,
            },
            "modebar": {
                "remove": ["sendChartToCloud", "select2d", "lasso2d", "autoScale2d"],
                "bgcolor": CLEAR,
                "color": theme.ink_3,
                "activecolor": theme.ink,
            },
        }
    )
    pio.templates[f"explorer_{theme.name}"] = made
    return made
