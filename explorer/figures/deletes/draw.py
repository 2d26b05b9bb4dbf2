"""Which delete reaches which data file, as a picture: deletes by data files, the deciding clause in each cell.

Up to 30 deletes and 20 data files each cell says what decides. More are told in sums, a row for each partition; of one
partition up to 100 of each are cells that are filled, outlined or blank. The page is measured in pixels, and nothing on
it can be panned.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping

from ...model import formats
from ...model.deletes import words as deletes_words
from ...model.deletes.facts import Deletes
from ...model.deletes.words import Outcome
from ...model.evidence import unreadable_list
from ...model.iceberg.delete_scope import DeleteKey
from ...model.partition_rows import Sort
from ...model.words import partition_name
from ..page import frame, hits, text
from ..page.fold import Part
from ..page.frame import KeyEntry
from ..page.hits import CHECKLIST_LINE, CHECKLIST_LINES, Clicked, meaning, view_meaning
from ..page.scene import Box, Ink, Scene, Selection, Type
from ..page.sheet import LAYERS_WITH_CHECKLIST as LAYERS
from ..page.theme import Theme
from . import by_partition, matrix
from .hits import selection
from .layout import FLOOR, SMALL, Contents, Layout, Page, layout
from .matrix import ink

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection"]

RANGE_AXES = ()


def draw(
    deletes: Deletes,
    theme: Theme,
    *,
    name: str,
    width: int = 1380,
    selected_delete: DeleteKey | None = None,
    selected_file: str | None = None,
    view: str = "",
    search: str = "",
    sort: Sort = "worst",
) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        deletes: of a snapshot.
        theme: in which colours.
        name: the table's name for the second line.
        width: of the page in pixels, at least 560; below 900 verdicts are a word. The height follows from the contents.
        selected_delete: file and content offset of the delete whose row is ringed.
        selected_file: path of the data file whose column is ringed; with a delete, the pair whose clauses are listed.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of other deletes, for the whole.
        search: words that the names of the partitions have that are listed, where they are told in sums.
        sort: their order.

    Clicks: only `cells` and `elsewhere` answer the pointer; `clicked` turns an item of them into a meaning.
    """
    page = Page.of(theme, width, deletes=deletes)
    page.path(page.ground)  # the first one, so that it lies below all others
    contents, why = Contents.of(deletes, Part.parse(view)), _why_empty(deletes)
    rows = None if why or contents.one_by_one else by_partition.page_of(page, contents.part, search, sort)
    y = _draw_heading(page, name, "" if rows is None else by_partition.circumstance(page, rows))
    if why:
        box = Box(20, y + 10, page.width - 24, y + 74)
        style = Type(12, theme.ink_2)
        page.unreadable(box, text.wrap(why, 12, box.right - box.left - 24, lines=3), style)
        y = box.bottom
    elif rows is None:
        placed = layout(page, contents)
        y = frame.key(page, pairs_key(page, placed), y + 14)
        y = matrix.draw(page, placed, _draw_way_back(page, contents, y) + 10)
    else:
        y = frame.key(page, by_partition.key(page, rows), y + 14)
        y = by_partition.draw(page, contents.part, rows, _draw_way_back(page, contents, y) + 10)
    room = [20.0, y + 12 - (CHECKLIST_LINE * CHECKLIST_LINES if why else 0), page.width - 44.0]
    height = draw_foot(page, room[1] + CHECKLIST_LINE * CHECKLIST_LINES + 14) + 10
    meta = {
        "rows": page.rows,
        "columns": page.columns,
        "keys": [list(key) for key in page.keys],
        "paths": list(page.paths),
        "area": [14.0, page.top - 4, page.width - 14.0, page.bottom],
        "room": room,
        "bare": bool(why),
        "sums": rows is not None,
        "view": str(contents.part),
    }
    scene = page.scene(height, meta)
    return scene.selecting(selection(scene, deletes, selected_delete=selected_delete, selected_file=selected_file))


def clicked(scene: Scene, layer: int, item: int) -> Clicked | None:
    """What a click on an item of a layer means; None if it means nothing."""
    kind, rest = meaning(scene, layer, item)
    if kind == "pair":
        named, (delete, _, file) = scene.meta, rest.partition(" ")
        key = named["keys"][int(delete)] if delete else None
        return Clicked(delete=key and (key[0], key[1]), file=named["paths"][int(file)] if file else None)
    if kind == "partition":
        spec_id, partition = json.loads(rest)
        return Clicked(partition=(spec_id, partition))
    return hits.clicked(scene, layer, item)


def _why_empty(deletes: Deletes) -> str:
    """Why there is nothing to draw; empty if there is."""
    if deletes.unreadable:
        return unreadable_list(deletes.unreadable)
    if not deletes.delete_count:
        return (
            "No delete file and no deletion vector is live at this snapshot: rows are deleted by writing files anew "
            "(copy-on-write), or compaction has applied every delete. Ask at an earlier snapshot."
        )
    return ""


def _draw_way_back(page: Page, contents: Contents, top: float) -> float:
    """Where only one partition is drawn, which, what is left out, and the way to all; the page pixel where it ends."""
    if contents.part.partition is None:
        return top
    x = page.link(20, top + 8, "◂ all partitions", view_meaning(""), "click: draw the whole") + 16
    drawn = f"drawn: {partition_name(*contents.part.partition, with_spec=True)}"
    aside = f"; {formats.count(contents.aside, 'delete')} of other scope left out" if contents.aside else ""
    page.fit(x, top + 8, [drawn + aside, drawn], Type(SMALL, page.theme.ink_2), page.width - 24 - x)
    return top + 24


_MISSES = {
    "sequence": "too new for this delete",
    "statistics": "stats: key ranges do not meet",
    "deletion vector": "has DV",
}
_SCOPES = {"spec": "other spec", "partition": "other partition", "path": "names another file", "live": "not live"}


def _draw_heading(page: Page, name: str, shown: str) -> float:
    """Title, second line with what is shown, and what cannot be read; the page pixel where they end."""
    deletes = page.deletes
    *parts, sure = deletes_words.circumstances(deletes, name)
    parts += [*([shown] if shown else []), sure]
    y = frame.heading(page, deletes_words.title(deletes), parts, deletes_words.evidence(deletes))
    unknown = [str(note) for note in deletes.notes if note.certainty == "unknown"]
    for note in unknown[: 0 if deletes.unreadable else 3]:  # an unreadable place says why by itself
        y = frame.strip(page, note, y)
    return y


def pairs_key(page: Page, placed: Layout) -> Iterable[KeyEntry]:
    """What occurs among the pairs that are drawn, and no more."""
    decided: dict[Outcome, set[str]] = {}
    lifetimes = {live.file.key: live.file for live in placed.contents.deletes}
    files = {live.file.file_path: live.file for live in placed.contents.files}
    for (key, path), verdict in placed.contents.verdicts.items():
        decided.setdefault(deletes_words.outcome(lifetimes[key], files[path], verdict), set()).add(verdict.decided_by)
    if "reached" in decided:
        yield "reaches it", _swatch(page, ink(page, "reached"))
    misses = decided.get("too new", set()) | decided.get("ruled out", set())
    if misses:
        words = " or ".join(words for name, words in _MISSES.items() if name in misses)
        words = words if placed.words else words.removeprefix("stats: ")
        yield f"in scope, but {words}", _swatch(page, ink(page, "too new"))
    if "out of scope" in decided:
        scopes = _ors(_SCOPES, decided["out of scope"])
        if placed.words:
            style = Type(FLOOR, page.theme.ink_3)
            yield f"out of scope: {scopes}", lambda box: _write(page, box, "path", style)
        else:
            yield f"blank: {scopes}", _swatch(page, Ink(page.theme.grid, 1))
    if "corrupt" in decided:
        yield "corrupt: readers refuse it", _swatch(page, ink(page, "corrupt"))
    if "unknown" in decided:
        yield "unknown", _swatch(page, ink(page, "unknown"))


def draw_foot(page: Page, top: float) -> float:
    """What follows, and what is inferred or left out; the page pixel where it ends."""
    notes = [str(note) for note in page.deletes.notes if note.certainty == "inferred"]
    unknown = sum(note.certainty == "unknown" for note in page.deletes.notes)
    more = max(len(notes) - 5, 0) + (0 if page.deletes.unreadable else max(unknown - 3, 0))
    others = [formats.count(more, "more note") + " in the notes of this answer."] if more else []
    return frame.foot(page, deletes_words.closing(page.deletes), [*notes[:5], *others], top)


def _swatch(page: Page, look: Ink) -> Callable[[Box], None]:
    def paint(box: Box) -> None:
        page.path(look).box(box, 3)

    return paint


def _write(page: Page, box: Box, words: str, style: Type) -> None:
    page.text(box.left - 4, (box.top + box.bottom) / 2, words, style)


def _ors(scopes: Mapping[str, str], names: Iterable[str]) -> str:
    words = [words for name, words in scopes.items() if name in names]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
