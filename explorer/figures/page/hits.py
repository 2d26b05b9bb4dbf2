"""What answers the pointer: what a click means, as it is written into an item and read from it; what is selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ...model.iceberg.delete_scope import DeleteKey
from ...model.sequence_timeline.facts import Window
from .fold import Part
from .plane import PlaneName
from .scene import (
    Anchor,
    Box,
    Checklist,
    Halo,
    Lines,
    Rectangles,
    Scene,
    Sign,
    Signs,
    Span,
    Targets,
    Text,
    Type,
)
from .text import shorten
from .theme import CLEAR, Theme

CHECKLIST_LINES = 6  # a heading and at most five clauses
CHECKLIST_LINE = 18.0  # pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Clicked:
    """What a click means: something to select, a part of the picture to draw instead, or a part to ask for.

    Attributes:
        snapshot: id as text; None if the click names none, as for all below.
        file: path of a data or delete file.
        content_offset: of a deletion vector, several of which lie in one file; else None.
        delete: path and content offset of the delete that is compared with the file.
        key: of a row, as in `ChangedRow.key`.
        view: to be given to `draw` as it is.
        columns: of a snapshot graph, from one to another, to draw.
        partition: spec id and partition to be asked for alone.
        window: of a timeline to be asked for alone.
        check: name of a signature of what goes wrong.
    """

    snapshot: str | None = None
    file: str | None = None
    content_offset: int | None = None
    delete: DeleteKey | None = None
    key: str | None = None
    view: str | None = None
    columns: tuple[float, float] | None = None
    partition: tuple[int, str] | None = None
    window: Window | None = None
    check: str | None = None

    @property
    def file_key(self) -> DeleteKey | None:
        """Path and content offset of the file; None if the click names none."""
        return None if self.file is None else (self.file, self.content_offset)


def down_the_page(scene: Scene, clicked: Callable[[Scene, int, int], Clicked | None]) -> list[Clicked]:
    """What answers the pointer on the page, each meaning once, from the top down and from the left.

    Args:
        scene: of a picture.
        clicked: what a click on an item of a layer means there.
    """
    found: dict[Clicked, tuple[float, float]] = {}
    for number, layer in enumerate(scene.drawn):
        if not isinstance(layer, Rectangles | Targets):
            continue
        if isinstance(layer, Rectangles):
            corners = [(item.box.top, item.box.left) for item in layer.items]
        else:
            corners = [(item.y, item.x) for item in layer.items]
        for place, at in enumerate(corners):
            means = clicked(scene, number, place)
            if means is not None:
                found[means] = min(at, found.get(means, at))
    return sorted(found, key=lambda means: found[means])


# --- what a click means ----------------------------------------------------------------------------------------------


def view_meaning(view: Part | str) -> str:
    """What a click means that draws another part, or the whole if the part is empty."""
    return f"view {view}"


def opening(view: Part | str) -> str:
    """The same; nothing where there is no part to open."""
    return view_meaning(view) if str(view) else ""


def file_meaning(path: str, content_offset: int | None) -> str:
    """What a click on a file means."""
    return f"file {'' if content_offset is None else content_offset} {path}"


def commit_meaning(snapshot_id: int | None) -> str:
    """What a click on a commit means."""
    return "" if snapshot_id is None else f"commit {snapshot_id}"


def row_meaning(snapshot_id: int | None, key: str) -> str:
    """What a click on a row in a commit means; of a row alone without an id."""
    return f"row {'' if snapshot_id is None else snapshot_id} {key}"


def columns_meaning(first: float, last: float) -> str:
    """What a click means that opens a window from one column to another."""
    return f"columns {first:.2f} {last:.2f}"


def meaning(scene: Scene, layer: int, item: int) -> tuple[str, str]:
    """What a click on an item of a layer means, as its first word and the rest; empty if it means nothing."""
    kind, _, rest = scene.meaning(layer, item).partition(" ")
    return kind, rest


def clicked(scene: Scene, layer: int, item: int) -> Clicked | None:
    """What a click on an item of a layer means; None if it means nothing, or what only its picture knows."""
    kind, rest = meaning(scene, layer, item)
    first, _, other = rest.partition(" ")
    match kind:
        case "view":
            return Clicked(view=rest)
        case "file":
            return Clicked(file=other, content_offset=int(first) if first else None)
        case "commit":
            return Clicked(snapshot=rest)
        case "row":
            return Clicked(snapshot=first or None, key=other)
    return None


# --- what is selected ------------------------------------------------------------------------------------------------


def ring(boxes: Iterable[Box], theme: Theme) -> Lines:
    """Closed lines around boxes."""
    around = tuple(
        ((left, top), (right, top), (right, bottom), (left, bottom), (left, top)) for left, top, right, bottom in boxes
    )
    return Lines("ring", "page", around, theme.ink, 2)


def halo(box: Box | None, theme: Theme, *, filled: bool = True) -> Halo:
    """A halo around a box, and a band within if it is `filled`."""
    return Halo(
        "page",
        box or Box(0, 0, 0, 0),
        theme.column_band if filled else CLEAR,
        theme.halo,
        3 if filled else 5,
        visible=box is not None,
    )


def elsewhere(
    x: float, y: float, words: str, meaning: str, hover: str, theme: Theme, *, side: Literal["left", "right"] = "right"
) -> Signs:
    """Words beside x, about what is selected and not in the picture; empty without words."""
    anchor: Anchor = "start" if side == "right" else "end"
    return signs("page", (Sign(x, y, words, anchor, meaning, hover),) if words else (), theme, anchor)


def signs(plane: PlaneName, items: tuple[Sign, ...], theme: Theme, anchor: Anchor) -> Signs:
    """The words about all that is selected and not in the picture."""
    return Signs("elsewhere", plane, items, anchor, Type(11.5, theme.ink, bold=True))


Line = Sequence[tuple[float, str, str, bool]]
"""Words beside each other: x from the left, plain text, colour, whether bold."""


def checklist(lines: Sequence[Line], room: Sequence[float], hint: str = "") -> Checklist:
    """Lines of words in a room: left, top and width in page pixels; empty without lines.

    The words of them that are the `hint` tell what a click does.
    """
    left, top, wide = room
    items = tuple(
        Text(
            left + x,
            top + CHECKLIST_LINE * (i + 0.5),
            (Span(shorten(plain, 12, wide - x, bold=bold)),),
            Type(12, colour, bold),
            "start",
            live=plain == hint,
        )
        for i, line in enumerate(lines[:CHECKLIST_LINES])
        for x, plain, colour, bold in line
    )
    return Checklist("checklist", "page", items)
