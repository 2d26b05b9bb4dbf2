"""Above the lanes: the finding, its circumstances and the key; or why there is nothing to see. Below them the notes."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ..page import text
from ..page.canvas import Canvas, Ink, Type
from ..page.marks import Marks
from ..page.theme import CLEAR, SYMBOLS, blend
from .lanes import FADED, MOST_ARROWS
from .view import Item, View

_OPERATION_WORDS = {
    "append": "append",
    "overwrite": "overwrite",
    "delete": "delete",
    "replace": "replace (no row changes: compaction)",
}

_MODE_BAR = 190  # pixels at the right of the first line, where plotly shows its buttons under the pointer


def draw(
    view: View, folded: list[list[Item]], canvas: Canvas, marks: Marks, name: str, read_at: datetime | None
) -> float:
    """Draw title, second line and key from the top of the page; the page pixel where they end."""
    theme, room = view.theme, view.width - 40
    title = Type(17, theme.ink, bold=True)
    words = (
        snapshot_graph_words.view_title(view.graph, view.nodes)
        if view.overview
        else snapshot_graph_words.title(view.graph)
    )
    y = 26.0
    for line in text.wrap(words, 17, room - _MODE_BAR, bold=True, lines=3):
        canvas.text("page", 20, y, line, title, "start")
        y += 23
    style = Type(12.5, theme.ink_2)
    for line in text.wrap_parts(_second_line(view, name, read_at), " · ", 12.5, room - 10):
        canvas.text("page", 20, y, line, style, "start", markup=_with_evidence(line, view))
        y += 18
    return _draw_key(view, folded, y + 14, canvas, marks)


def _second_line(view: View, name: str, read_at: datetime | None) -> list[str]:
    graph = view.graph
    at = read_at or graph.metadata.last_updated_at
    when = f"{'read' if read_at else 'written'} {formats.day(at)} {at:%Y} {at:%H:%M} UTC" if at else ""
    parts = [name, f"format v{graph.metadata.format_version}", snapshot_graph_words.census(graph), when]
    if graph.nodes:
        inferred = []
        if any((node.snapshot.attempt or 0) > 1 for node in view.nodes):
            inferred.append("commit attempts")
        if graph.gaps:
            inferred.append("what has expired")
        parts.append(f"exact, except {' and '.join(inferred)}: inferred" if inferred else "exact")
    return [part for part in parts if part]


def _with_evidence(line: str, view: View) -> str:
    """The evidence words of the line in their colours; only in the parts that we wrote, never in the table's name."""
    colours = {"exact": view.theme.ok, "inferred": view.theme.attention.text}

    def mark(match: re.Match[str]) -> str:
        return f'<span style="color:{colours[match[0]]}"><b>{match[0]}</b></span>'

    return re.sub(r"(?<![\w.])exact(?=$|,)|(?<=: )inferred(?=$| ·)", mark, text.escape(line))


def _draw_key(view: View, folded: list[list[Item]], y: float, canvas: Canvas, marks: Marks) -> float:
    """What occurs in view and no more; as many lines as it takes."""
    x, style = 27.0, Type(12, view.theme.ink_2)
    entries = _key_entries(view, folded)
    for marks_wide, words, draw_mark in entries:
        wide = marks_wide + 8 + style.width(words)
        if x > 27 and x + wide > view.width - 16:
            x, y = 27.0, y + 20
        draw_mark(canvas, marks, x, y)
        canvas.text("page", x + marks_wide, y, words, style, "start")
        x += wide + 18
    return y + (14 if entries else -14)


_DrawMark = Callable[[Canvas, Marks, float, float], None]
_Entry = tuple[float, str, _DrawMark]


def _key_entries(view: View, folded: list[list[Item]]) -> list[_Entry]:
    """Width of the mark, words, and how to draw the mark."""
    theme = view.theme
    entries = [] if view.overview else _operations(view)
    if any(node.state == "staged" for node in view.nodes):
        entries.append((13, "hollow: staged, never on a branch", _symbol("circle", theme.page, theme.added.fill, 2)))
    if any(node.state in ("rolled back", "unreferenced") for node in view.nodes):
        faded = blend(theme.added.fill, theme.page, FADED)
        entries.append((13, "faded: no ref keeps it", _symbol("circle", faded, theme.added.fill, 1)))
    single = [item.nodes[0] for items in folded for item in items if not item.is_capsule]
    if any((node.snapshot.attempt or 0) > 1 for node in single):

        def crosses(_: Canvas, marks: Marks, x: float, y: float) -> None:
            for shift in (-3, 6):
                marks.add(x + shift, y, "x-thin", 6, theme.attention.text, theme.attention.text, 1.8)

        entries.append((18, "failed commit attempts before it", crosses))
    if any(node.parent_state == "expired" for node in view.nodes):

        def dots(canvas: Canvas, _: Marks, x: float, y: float) -> None:
            canvas.path("page", Ink(theme.ink_3, 1.6, dash="3px,3px")).move(x - 6, y).line(x + 15, y)

        entries.append((25, "beyond: expired, unknown", dots))
    return entries


def _operations(view: View) -> list[_Entry]:
    used = {node.snapshot.operation for node in view.nodes}
    entries: list[_Entry] = [
        (13, words, _symbol(SYMBOLS[operation], view.theme.operation(operation).fill))
        for operation, words in _OPERATION_WORDS.items()
        if operation in used
    ]
    if used - set(_OPERATION_WORDS):
        entries.append((13, "other, or not recorded", _symbol("hexagon", view.theme.moved.fill)))
    return entries


def _symbol(kind: str, fill: str, stroke: str = CLEAR, stroke_width: float = 0) -> _DrawMark:
    size = {"square": 11.0, "diamond": 11.5}.get(kind, 12.5)
    return lambda _, marks, x, y: marks.add(x, y, kind, size, fill, stroke, stroke_width)


def draw_notes(view: View, folded: list[list[Item]], unnamed: int, top: float, canvas: Canvas) -> float:
    """What the marks alone do not say, and everything that had no room; the page pixel where it ends."""
    style = Type(11, view.theme.ink_3)
    y = top + 16
    for line in text.wrap(" ".join(_notes(view, folded, unnamed)), 11, view.width - 50, lines=6):
        canvas.text("page", 20, y, line, style, "start")
        y += 16
    return y + 2


def _notes(view: View, folded: list[list[Item]], unnamed: int) -> list[str]:
    contradictions = snapshot_graph_words.contradictions(view.graph)
    notes = [contradictions] if contradictions else []
    full = view.level == "full"
    snapshots = [node.snapshot for node in view.nodes]
    if any(s.count("added-records") is not None for s in snapshots):
        notes.append("Rows in files: as recorded in each snapshot's summary.")
        if view.level == "folded":
            notes.append("Each bar sums the commits above it.")
        if any(snapshot_graph_words.carries_over(s) for s in snapshots):
            hatch = "Hatched bars" if full else "Those of overwrite and replace"
            notes.append(f"{hatch} count whole rewritten files, rows carried over unchanged included.")
        if full and any(snapshot_graph_words.masked(s) for s in snapshots):
            notes.append("Masked = marked by position deletes or deletion vectors, no data file rewritten.")
        if full and any(s.count("added-records") is None for s in snapshots):
            notes.append("? = not recorded.")
    if view.level == "folded":
        notes.append(f"Arrows of rollbacks and copies are left out where more than {MOST_ARROWS} are in view: zoom in.")
    more = next((row for row in view.rows if row.kind == "more"), None)
    if more:
        names = [view.graph.lanes[lane].name for lane in more.lanes]
        shown = ", ".join(names[:6]) + (f" and {len(names) - 6:,} more" if len(names) > 6 else "")
        notes.append(f"The last row holds the snapshots of {len(names):,} lanes without their lines: {shown}.")
    if unnamed:
        notes.append(
            f"{formats.count(unnamed, 'ref')} in view had no room for a name (ticks above the marks): zoom in."
        )
    if view.hidden:
        lanes = [f"{name}: {count:,}" for name, count in list(view.hidden.items())[:4]]
        more_lanes = f" and {len(view.hidden) - 4:,} more" if len(view.hidden) > 4 else ""
        notes.append(f"Lanes with no snapshot in view are hidden ({', '.join(lanes)}{more_lanes}).")
    if any(item.is_capsule for items in folded for item in items):
        notes.append("Runs of commits are drawn as one capsule, which a click in the explorer opens.")
    if any((node.snapshot.attempt or 0) > 1 for node in view.nodes):
        notes.append("Attempts are inferred from manifest-list names.")
    return notes


def draw_empty(view: View, top: float, canvas: Canvas) -> float:
    """Draw the words from page pixel `top` down; the page pixel where they end."""
    metadata = view.graph.metadata
    at, last = metadata.last_updated_at, metadata.last_sequence_number
    written = f"Its metadata was last written {formats.day(at)} {at:%Y} {at:%H:%M} UTC. " if at else ""
    history = f"Commits up to number {last:,} were made; none is listed any more." if last else "Nothing is committed."
    following = "next" if last else "first"
    explained = f"The table exists. {written}{history} The graph starts with the {following} INSERT. "
    words = (explained + snapshot_graph_words.contradictions(view.graph)).strip()
    y = top + 12
    for line in text.wrap(words, 13, view.width - 60):
        canvas.text("page", 20, y, line, Type(13, view.theme.ink_2), "start")
        y += 20
    return y + 40
