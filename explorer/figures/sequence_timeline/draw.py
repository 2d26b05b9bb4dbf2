"""Every data and delete file from birth to removal, with both its numbers; deletes as fronts with their reach.

The page is measured in pixels, and nothing on it can be panned. Up to 60 files have names; more are told in
sums, a row for each partition, and a click asks for the files of one: of one up to 400 are drawn one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from ...model import formats
from ...model.evidence import unreadable_list
from ...model.iceberg.delete_scope import DeleteKey
from ...model.partition_rows import Sort
from ...model.sequence_timeline import partition_words
from ...model.sequence_timeline import verdicts as sequence_timeline_verdicts
from ...model.sequence_timeline import words as sequence_timeline_words
from ...model.sequence_timeline.facts import FileLifetime, Timeline, Window
from ...model.sequence_timeline.scopes import Scopes
from ...model.words import partition_name
from ..page import frame, hits
from ..page.fold import Part
from ..page.frame import KeyEntry
from ..page.hits import Clicked, meaning
from ..page.names import file_names
from ..page.scene import Box, Ink, Mark, Rectangle, Scene, Selection, Type
from ..page.sheet import LAYERS
from ..page.theme import Theme, blend
from . import bands as sequence_timeline_bands
from . import columns as sequence_timeline_columns
from . import files as sequence_timeline_files
from .columns import Axis, Columns, Heads
from .hits import selection
from .page import FULL, MOST, Page, laid_out, window_meaning, window_of

__all__ = ["FULL", "LAYERS", "MOST", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection", "title"]

RANGE_AXES = ()


def draw(
    timeline: Timeline,
    theme: Theme,
    *,
    name: str,
    width: int = 1380,
    selected: str | None = None,
    selected_file: DeleteKey | None = None,
    axis: Axis = "sequence number",
    view: str = "",
    search: str = "",
    sort: Sort = "worst",
) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        timeline: of the whole history or of a window.
        theme: in which colours.
        name: the table's name for the second line.
        width: of the page in pixels, at least 560. Below 900 verdicts have no room: they stand in the hover.
        selected: id, as text, of the snapshot with ring and halo; `selection` moves these marks in a drawing.
        selected_file: path and content offset of the file with front, reach and verdicts; a selected file changes
            title and rows, so that it is drawn anew.
        axis: what the place of a column says; `sequence number` if no commit's time is recorded.
        view: which page of partitions, as a click gave it in `Clicked.view`; empty for the first.
        search: words that the names of the partitions have that are listed, where they are told in sums.
        sort: their order.

    Clicks: only `cells` answers the pointer; `clicked` turns an item of it into a meaning.
    """
    scopes = Scopes(timeline)
    names = _names(timeline)
    in_sums = sequence_timeline_words.is_bands(timeline, MOST)
    chosen = None if in_sums else sequence_timeline_words.find(timeline, selected_file)
    page = Page.of(theme, width, timeline=timeline, scopes=scopes, selected=chosen, axis=axis, names=names)
    title = sequence_timeline_words.title(scopes, names, chosen)
    if in_sums and (crowded := partition_words.where_files_are(timeline)):
        title = f"{crowded}; {title[0].lower()}{title[1:]}"
    *parts, sure = sequence_timeline_words.circumstances(scopes, name, names, chosen)
    found = sequence_timeline_bands.rows_of(page, Part.parse(view), search, sort) if in_sums else None
    parts += [*([] if found is None else [sequence_timeline_bands.circumstance(page, found)]), sure]
    y = frame.heading(page, title, parts, sequence_timeline_words.evidence(timeline))
    if timeline.unreadable:
        y = frame.strip(page, unreadable_list(timeline.unreadable), y)
    y = _draw_way_back(page, y)
    if found is not None:
        y = frame.key(page, sequence_timeline_bands.key(page, found), y + 14)
        bottom, heads = sequence_timeline_bands.draw(page, found, y)
    elif timeline.files:
        y = frame.key(page, _key(page), y + 14)
        bottom, heads = _draw_files(page, y + 22)
    else:
        bottom, heads = _draw_why(page, y + 16)
    return _scene(page, bottom, heads, selected, selected_file, () if in_sums else timeline.files)


def title(timeline: Timeline) -> str:
    """The finding, with the names of files as the picture has them."""
    return sequence_timeline_words.title(Scopes(timeline), _names(timeline))


def clicked(scene: Scene, layer: int, item: int) -> Clicked | None:
    """What a click on an item of a layer means; None if it means nothing."""
    kind, rest = meaning(scene, layer, item)
    if kind == "window":
        return Clicked(window=window_of(rest))
    return hits.clicked(scene, layer, item)


def _names(timeline: Timeline) -> Mapping[DeleteKey, str]:
    """Of its files, which have room beside their rows."""
    return file_names((file.key for file in timeline.files), whole=16)


def _scene(
    page: Page,
    bottom: float,
    heads: Heads,
    selected: str | None,
    selected_file: DeleteKey | None,
    drawn: tuple[FileLifetime, ...],
) -> Scene:
    if selected_file is not None and page.selected is None:
        name = selected_file[0].rsplit("/", 1)[-1]
        file = sequence_timeline_words.find(page.timeline, selected_file)
        told = "not among the files drawn here"
        if file is not None:
            told = f"told in sums: open {partition_name(file.spec_id, file.partition)} to see it"
        page.footnotes.insert(0, f"The selected file {name} is {told}.")
    meta = sequence_timeline_columns.places(heads, (page.left, bottom + 12, page.width - 60))
    sentences = sequence_timeline_words.closing(page.timeline, drawn)
    height = frame.foot(page, sentences, _notes(page.timeline), bottom + 20) + 10
    scene = page.scene(height, meta)
    return scene.selecting(selection(scene, selected=selected))


def _draw_way_back(page: Page, top: float) -> float:
    """Where only a part of the history is drawn, the way to all of it."""
    window = page.timeline.window
    if window == Window():
        return top
    if window.first is not None or window.last is not None:
        page.footnotes.append("Columns are the commits of this part, and others that its files name.")
    words, y = f"◂ all {formats.count(page.timeline.total_files, 'file')}", top + 8
    box = page.text(page.left, y, words, Type(12, page.theme.ink, bold=True))
    hit = Box(box.left, y - 12, box.right, y + 12)
    page.cells.append(Rectangle(hit, meaning=window_meaning(Window()), hover="click: the whole history"))
    return y + 14


def _draw_why(page: Page, top: float) -> tuple[float, Heads]:
    """The commits, and in place of rows the reason why there are none; the page pixel where it ends."""
    timeline, heads, y = page.timeline, Heads(()), top
    if timeline.commits:
        y, heads = sequence_timeline_columns.draw(page, page.lay_out(), page.left, top)
    words = sequence_timeline_words.why_empty(timeline)
    box = Box(page.left, y, page.right, y + 56)
    page.unreadable(
        box, [page.canvas.fitting([words], Type(12, ""), box.right - box.left - 30)], Type(12, page.theme.ink_2)
    )
    return box.bottom, heads


# --- files one by one ------------------------------------------------------------------------------------------------


def _draw_files(page: Page, top: float) -> tuple[float, Heads]:
    columns = page.lay_out()
    y, heads = sequence_timeline_columns.draw(page, columns, page.left, top)
    groups = laid_out(page.timeline.files, y - 4, full=page.full)
    for group in groups:
        for row in group.rows:
            page.verdicts[id(row.file)] = _verdict(page, row.file)
    bottom = groups[-1].bottom + 6
    sequence_timeline_columns.draw_grid(page, columns, y, bottom)
    if page.says < page.right and page.full:
        both_kinds = len({file.kind == "data" for file in page.timeline.files}) == 2
        question = sequence_timeline_verdicts.question(page.names, page.selected, is_answered=both_kinds)
        page.fit(page.says, y - 14, question, Type(12, page.theme.ink, bold=True), page.right - page.says)
    sequence_timeline_files.draw_area(page, columns, groups)
    sequence_timeline_files.draw(page, columns, groups)
    sequence_timeline_files.draw_fronts(page, columns, groups)
    _draw_as_of(page, columns, top, y, bottom)
    _say_times(page, columns)
    if not page.full:
        page.footnotes.append(f"Up to {FULL} files have names.")
    return bottom, replace(heads, reach=bottom)


def _verdict(page: Page, file: FileLifetime) -> sequence_timeline_verdicts.Remark:
    """What is said of a file; where rows have no words, only what concerns the selection."""
    chosen = page.selected
    if page.full or (chosen is not None and (file is chosen or (file.kind == "data") is not (chosen.kind == "data"))):
        return sequence_timeline_verdicts.remark(page.scopes, page.names, file, chosen)
    return sequence_timeline_verdicts.Remark("muted", (sequence_timeline_words.outcome(page.scopes, file),))


def _draw_as_of(page: Page, columns: Columns, top: float, rows_top: float, bottom: float) -> None:
    as_of = page.timeline.as_of
    if as_of is None:
        return
    x = sequence_timeline_files.as_of_edge(page, columns)
    roomy = columns.axis == "sequence number" and columns.pitch >= 44
    start = top - 8 if roomy else rows_top - 4
    page.path(Ink(page.theme.ink, 1.8)).move(x, start).line(x, bottom)
    number = f"{as_of.sequence_number:,}" if as_of.sequence_number else page.scopes.short_ids[as_of.snapshot_id]
    words = f"as of {number}"
    style = Type(11.5, page.theme.ink, bold=True)
    half = style.width(words) / 2
    page.canvas.text("page", min(x, page.right - half), top - 16, words, style)


def _say_times(page: Page, columns: Columns) -> None:
    if columns.axis == "sequence number":
        page.footnotes.append("Columns are commits of all branches: their width says order, not time.")
    elif columns.without_time > columns.left:
        page.footnotes.append("Numbers left of the first time belong to expired commits, whose times are not known.")
    if columns.axis != page.axis:
        page.footnotes.append("No commit time is recorded, so that columns stand in sequence order.")


# --- key and notes ---------------------------------------------------------------------------------------------------


def _key(page: Page) -> Iterator[KeyEntry]:
    """What occurs and no more."""
    theme, files = page.theme, page.timeline.files
    data = [file for file in files if file.kind == "data"]
    numbers = [n for file in data for n in (file.data_sequence_number, file.file_sequence_number)]

    def dot(fill: str) -> Callable[[Box], None]:
        return lambda box: page.symbols.append(
            Mark(box.left + 9, (box.top + box.bottom) / 2, "circle", 10, fill, theme.ink, 1.8)
        )

    def bar(box: Box) -> None:
        page.fills.append(Rectangle(box, blend(theme.moved.fill, theme.page, 0.75)))
        page.fills.append(Rectangle(Box(box.left, box.top - 3, box.left + 4, box.bottom + 3), theme.ink))

    if data:
        yield "data sequence number: decides reach", dot(theme.ink)
        yield "bar starts at file sequence number: when the file arrived", bar
    if any(value.rule == "inherited" for value in numbers) and page.full:
        yield "hollow: stored as null, inherited from the manifest list", dot(theme.page)
    states = {page.state(file) for file in data}
    later = "later" in states or any(page.state(file) == "live" and file.removal for file in data)
    if later or "removed" in states:
        words = "not live at this snapshot" if later else "removed by now"
        yield words, frame.swatch(page, theme.page, theme.edge)
    if any(page.state(file) == "elsewhere" for file in files):
        yield "dashed: never on this line", lambda box: _draw_dashed(page, box)
    if any(page.state(file) == "unknown" or ((f := file.removal) and f.evidence == "unknown") for file in files):
        yield "?: not known until when", lambda box: _draw_dashed(page, box)
    if not page.full and len(data) < len(files):
        yield "delete", frame.swatch(page, theme.removed.fill)
    if page.selected is None and sequence_timeline_files.fronts(page):
        yield "front of a delete: what it may reach lies left of it", lambda box: _draw_front(page, box)
    if page.selected is not None and any(page.verdicts.get(id(f)) for f in files):
        yield "reached", frame.swatch(page, theme.removed.fill)


def _draw_front(page: Page, box: Box) -> None:
    x = (box.left + box.right) / 2
    page.path(Ink(page.theme.removed.fill, 1.4)).move(x, box.top - 2).line(x, box.bottom + 2)


def _draw_dashed(page: Page, box: Box) -> None:
    page.path(Ink(page.theme.edge, 1.1, page.theme.page, dash="3px,3px")).box(box)


def _notes(timeline: Timeline) -> list[str]:
    """What is unknown or inferred, and why; at most six, the others counted."""
    found = [str(note) for note in timeline.notes if note.certainty != "exact"]
    more = [f"{formats.count(len(found) - 6, 'more note')} in the notes of this answer."] if len(found) > 6 else []
    return [*found[:6], *more]
