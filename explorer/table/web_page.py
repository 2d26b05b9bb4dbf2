"""A picture as one HTML file: the drawing, its commits as links into it, notes, SQL and rows."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from ..figures.page.scene import Scene
from ..figures.page.still import commits
from ..figures.page.theme import DARK, LIGHT, Theme
from ..model import formats
from ..model.evidence import Note
from ..model.iceberg.metadata import Snapshot
from ..model.printable import printable
from .export import cell_of, left_out, rows_of
from .shown import Asked, Shown

HTML_ROWS = 1_000
NARROW = 800  # pixels of the page that the picture is drawn for, besides its own; a browser shows what it has room for

_OF_COMMITS = ("snapshot_id", "_commit_snapshot_id", "added_snapshot_id")  # columns that say which commit a row is of


def to_html(table: Asked, picture: Shown, limit: int | None = HTML_ROWS) -> str:
    """The picture, its commits, its notes, its SQL and its rows as one file that asks no other host for anything."""
    from plotly.offline import get_plotlyjs  # takes a while to import, and what is printed as text needs none

    data = picture.shown(limit)
    scenes = {
        theme: [picture.still(theme, width=width) for width in (NARROW, picture.width)] for theme in (LIGHT, DARK)
    }
    rows = rows_of(data)
    if picture.first == "bottom":
        rows.reverse()
    anchors = _anchors(rows)
    return _PAGE.format(
        title=_text(f"{table.name}: {picture.title}"),
        summary=_text(picture.title),
        account=_text(" ".join(scenes[LIGHT][-1].account)),
        table=_text(table.name),
        source=_text(f"{table.metadata_location}, read {formats.instant(table.read_at)}"),
        commits=_commits(table, scenes[LIGHT], {anchor for anchor in anchors if anchor}),
        notes="".join(_note(note) for note in [*picture.notes, *left_out(picture, data)]),
        sql=html.escape(picture.sql),
        data_summary="Data, newest first" if picture.first == "bottom" else "Data",
        header="".join(f"<th>{html.escape(str(name))}</th>" for name in data.columns),
        rows="".join(_row(row, anchor) for row, anchor in zip(rows, anchors, strict=True)),
        plotly=get_plotlyjs(),
        halo=",".join(f'"{theme.name}": ["{theme.ink}", "{theme.halo}"]' for theme in scenes),
        **{theme.name: _figures(drawn) for theme, drawn in scenes.items()},
    )


def _figures(drawn: Sequence[Scene]) -> str:
    from ..figures.page import as_plotly  # as above

    # plotly writes every <, > and / of a string as \uXXXX, so no text of the table can end the script.
    return f"[{','.join(as_plotly.figure(scene).to_json() for scene in drawn)}]"


def _text(plain: str) -> str:
    return html.escape(printable(plain))


def _note(note: Note) -> str:
    return f"<li><b>{note.certainty}</b>: {_text(note.about)}. {_text(note.reason)}</li>"


def _row(row: dict[str, Any], anchor: str) -> str:
    cells = "".join(f"<td>{html.escape(cell_of(value))}</td>" for value in row.values())
    return f'<tr id="row-{anchor}">{cells}</tr>\n' if anchor else f"<tr>{cells}</tr>\n"


# --- commits ---------------------------------------------------------------------------------------------------------


def _anchors(rows: Sequence[dict[str, Any]]) -> list[str]:
    """For each row the snapshot whose first row it is; empty for all others."""
    seen: set[str] = set()
    found = []
    for row in rows:
        named = next((str(row[column]) for column in _OF_COMMITS if row.get(column) is not None), "")
        found.append(named if named.isdecimal() and named not in seen else "")
        seen.add(named)
    return found


def _commits(table: Asked, drawn: Sequence[Scene], with_row: set[str]) -> str:
    """The commits that are drawn or have a row, the newest first, each a link to its place."""
    in_all = set.intersection(*(set(commits(scene)) for scene in drawn))
    known = table.metadata.by_id
    wanted = [known[i] for i in in_all | {int(named) for named in with_row} if i in known]
    wanted.sort(key=lambda s: (s.sequence_number, s.committed_at.timestamp() if s.committed_at else 0.0), reverse=True)
    if not wanted:
        return ""
    short = formats.short_ids(known.keys())
    shown = wanted[:HTML_ROWS]
    items = "".join(
        f'<li><a href="#{"commit" if s.snapshot_id in in_all else "row"}-{s.snapshot_id}">'
        f"{_commit(s, short[s.snapshot_id])}</a></li>"
        for s in shown
    )
    cut = f", the newest {len(shown):,} of them" if len(shown) < len(wanted) else ""
    summary = f"{formats.count(len(wanted), 'commit')}{cut}: each leads to its place"
    return f'<details open><summary>{summary}</summary><ol id="commits">{items}</ol></details>'


def _commit(snapshot: Snapshot, short: str) -> str:
    number = f"{snapshot.sequence_number:,} " if snapshot.sequence_number else ""
    return f"{number}{short} · {_text(snapshot.operation or 'operation not recorded')} · " + (
        f"{snapshot.committed_at:%Y-%m-%d %H:%M} UTC" if snapshot.committed_at else "time not recorded"
    )


def _properties(theme: Theme) -> str:
    """The page's own colours, as CSS."""
    return f"--page: {theme.page}; --ink: {theme.ink}; --quiet: {theme.ink_2}; --line: {theme.grid}; " + (
        f"--panel: {theme.panel}; --link: {theme.added.text}; --halo: {theme.column_band}"
    )


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
:root {{ LIGHT_COLOURS }}
@media (prefers-color-scheme: dark) {{
  :root {{ DARK_COLOURS }}
}}
body {{ margin: 24px; background: var(--page); color: var(--ink); font: 14px/1.45 system-ui, sans-serif }}
h1 {{ font-size: 17px }}
a {{ color: var(--link) }}
.quiet {{ color: var(--quiet); overflow-wrap: anywhere }}
pre, .rows {{ overflow: auto; background: var(--panel) }}
pre {{ padding: 12px }}
#picture {{ overflow-x: auto; scroll-margin-top: 24px }}
#commits {{ max-height: 30vh; overflow: auto; margin: 8px 0; padding: 0; list-style: none; columns: 27em }}
#commits a {{ display: inline-block; padding: 3px 4px; white-space: nowrap }}
#commits [aria-current] {{ background: var(--halo); font-weight: bold }}
.rows {{ max-height: 70vh }}
tr:target {{ background: var(--halo) }}
table {{ border-collapse: collapse; font: 12px ui-monospace, monospace; white-space: nowrap }}
th, td {{ padding: 3px 8px; border-bottom: 1px solid var(--line); text-align: left }}
th {{ position: sticky; top: 0; background: var(--panel) }}
tr {{ scroll-margin-top: 3em }}
</style>
</head>
<body>
<h1>{table}</h1>
<p class="quiet">{source}</p>
<div id="picture" role="img" aria-label="{summary}" aria-describedby="account"></div>
<p id="account" hidden>{account}</p>
{commits}
<ul>{notes}</ul>
<details><summary>SQL</summary><pre>{sql}</pre></details>
<details open><summary>{data_summary}</summary><div class="rows"><table>
<thead><tr>{header}</tr></thead>
<tbody>
{rows}</tbody></table></div></details>
<script>{plotly}</script>
<script>
const figures = {{light: {light}, dark: {dark}}};
const marking = {{{halo}}};
const dark = matchMedia("(prefers-color-scheme: dark)");
const picture = document.getElementById("picture");
const config = {{displaylogo: false, showSendToCloud: false, plotlyServerURL: "", responsive: true}};

function draw() {{
  const theme = dark.matches ? "dark" : "light";
  const fitting = figures[theme].filter((figure) => figure.layout.width <= picture.clientWidth);
  const figure = fitting.length ? fitting[fitting.length - 1] : figures[theme][0];
  const layout = structuredClone(figure.layout);
  const chosen = location.hash.match(/^#commit-([0-9]+)$/);
  if (chosen) layout.shapes = layout.shapes.concat(marks(figure, layout, `commit ${{chosen[1]}}`, marking[theme]));
  Plotly.react(picture, figure.data, layout, config);
}}

// A frame around each place of a commit; what a person can pan is panned so that it shows the first one.
function marks(figure, layout, meaning, [ink, halo]) {{
  const found = [];
  for (const trace of figure.data) {{
    (trace.customdata || []).forEach((said, i) => {{
      if (said !== meaning) return;
      const shape = {{type: "rect", xref: trace.xaxis, yref: trace.yaxis, layer: "above"}};
      if (trace.type === "bar") {{
        const half = (Array.isArray(trace.width) ? trace.width[i] : trace.width) / 2;
        const base = Array.isArray(trace.base) ? trace.base[i] : trace.base;
        Object.assign(shape, {{x0: trace.x[i] - half, x1: trace.x[i] + half, y0: base, y1: base + trace.y[i]}});
      }} else {{
        const sizes = {{xsizemode: "pixel", ysizemode: "pixel", xanchor: trace.x[i], yanchor: trace.y[i]}};
        Object.assign(shape, sizes, {{x0: -13, x1: 13, y0: -13, y1: 13}});
      }}
      const axis = layout[trace.xaxis.replace("x", "xaxis")];
      if (!found.length && trace.xaxis === "x2" && (trace.x[i] < axis.range[0] || trace.x[i] > axis.range[1])) {{
        const half = (axis.range[1] - axis.range[0]) / 2;
        axis.range = [trace.x[i] - half, trace.x[i] + half];
      }}
      found.push({{...shape, line: {{color: halo, width: 6}}}}, {{...shape, line: {{color: ink, width: 2}}}});
    }});
  }}
  return found;
}}

function follow() {{
  draw();
  for (const link of document.querySelectorAll("#commits a")) {{
    const current = link.hash === location.hash;
    current ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
  }}
  if (location.hash.startsWith("#commit-")) picture.scrollIntoView({{block: "nearest"}});
}}

dark.addEventListener("change", draw);
addEventListener("resize", draw);
addEventListener("hashchange", follow);
follow();
</script>
</body>
</html>
""".replace("LIGHT_COLOURS", _properties(LIGHT)).replace("DARK_COLOURS", _properties(DARK))
