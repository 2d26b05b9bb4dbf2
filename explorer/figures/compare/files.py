"""The files in which the two points differ, partition by partition: to the left those of A alone, to the right of B."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...model import formats
from ...model.compare import words
from ...model.compare.files import PartitionDifference
from ...model.iceberg.inheritance import ContentKind
from ...model.iceberg.partition_changes import Tally
from ...model.words import UNITS, holds, partition_name, partition_values
from ..page import frame
from ..page.fold import Part
from ..page.hits import view_meaning
from ..page.scene import Box, Ink, Rectangle, Target, Type
from ..page.text import cut, escape
from ..page.theme import blend
from .page import Page

MOST_PARTITIONS = 24
_LINE = 24.0
_LEAST = 40.0  # pixels that are enough for words
_DELETES: tuple[ContentKind, ...] = ("equality deletes", "position deletes", "deletion vector")


def draw(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    found, every = page.facts.files, page.facts.files.partitions
    n = len(every)
    besides = f"{formats.count(n, 'partition')} differ{'s' if n == 1 else ''}" if n else words.files(page.facts)[0]
    besides += ", those with most files first" if n > 1 else ""
    y = page.section(top, "Files by partition", besides)
    if found.why_unknown:
        return page.hole(y, found.why_unknown)
    shown = every[page.part.first : page.part.first + MOST_PARTITIONS]
    if shown:
        y = _partitions(page, shown, y)
        y = _more(page, len(shown), y)
    shared = [
        formats.count(count, f"{kind} file")
        for kind, count in (("data", found.shared_data_files), ("delete", found.shared_delete_files))
        if count
    ]
    unknown = "How many files both have, the manifest lists do not count."
    told = f"{' and '.join(shared)} in both" if shared else "No file is in both"
    if found.shared_data_files is None or found.shared_delete_files is None:
        told = unknown
    page.fit(20, y + 10, [told], Type(11.5, page.theme.ink_2), page.width - 40)
    return y + 22


def _partitions(page: Page, shown: tuple[PartitionDifference, ...], y: float) -> float:
    theme = page.theme
    several = len({of.spec_id for of in page.facts.files.partitions}) > 1
    names = [partition_name(of.spec_id or 0, of.partition or "", with_spec=several) for of in shown]
    mono = Type(11.5, theme.ink, mono=True)
    left = 20 + min(max(mono.width(name) for name in names) + 14, page.width * 0.27)
    right = page.width * (0.66 if page.width >= 900 else 0.62)
    middle = left + (right - left) * 0.46
    small = Type(11, theme.ink_2)
    page.canvas.text("page", middle - 8, y, "files only in A", small, "end")
    page.text(middle + 8, y, "files only in B", small)
    if any(_shared(of) or {*of.left, *of.right} - {"data"} for of in shown):
        head = ["deletes of one side, and files under them", "deletes of one side", "deletes"]
        page.fit(right + 14, y, head, small, page.width - 34 - right)
    y += 12
    start, scale = y, _scale(shown, (middle - left - 8, right - middle - 8))
    for i, of in enumerate(shown):  # before the pills, which they would cover
        if of.relisted:
            band = Box(12, y + _LINE * i + 1, page.width - 12, y + _LINE * (i + 1) - 1)
            page.path(Ink(fill=blend(theme.attention.fill, theme.page, 0.13))).box(band)
    for of, name in zip(shown, names, strict=True):
        page.fit(20, y + _LINE / 2, [name, partition_values(of.partition or "")], mono, left - 28)
        for side, letter in ((of.left, "A"), (of.right, "B")):
            if "data" in side:
                _bar(page, side["data"], middle, scale, y, letter)
        _deletes(page, of, right + 14, y + _LINE / 2)
        y += _LINE
    page.path(Ink(theme.edge, 1.2)).move(middle, start).line(middle, y)
    return y


@dataclass(frozen=True, slots=True)
class _Scale:
    """Pixels of a file, the same on both sides; and whether there is room to say how many rows the files hold."""

    pixels: float
    with_rows: bool


_BESIDE = Type(11.5, "")


def _label(tally: Tally, *, with_rows: bool) -> str:
    rows = f"{formats.compact(tally.records)} row{'' if tally.records == 1 else 's'}"
    return f"{tally.files:,} · {rows}" if with_rows else formats.compact(tally.files)


def _scale(shown: Sequence[PartitionDifference], rooms: tuple[float, float]) -> _Scale:
    """As wide as both sides allow with their words; with rows only where these leave half of the room to the bars."""
    sides = [
        [of.left["data"] for of in shown if "data" in of.left],
        [of.right["data"] for of in shown if "data" in of.right],
    ]
    for with_rows in (True, False):
        fitting = []
        for side, room in zip(sides, rooms, strict=True):
            for tally in side:
                beside = _BESIDE.width(_label(tally, with_rows=with_rows)) + 8
                fitting.append(((room - beside) / tally.files, room - beside >= room / 2))
        if all(fits for _, fits in fitting) or not with_rows:
            break
    return _Scale(min((pixels for pixels, _ in fitting), default=1.0), with_rows)


def _bar(page: Page, tally: Tally, middle: float, scale: _Scale, y: float, letter: str) -> None:
    """Data files of one side alone, from the middle outwards."""
    theme, is_left = page.theme, letter == "A"
    wide = max(scale.pixels * tally.files, 3.0)
    ends = (middle - wide, middle) if is_left else (middle, middle + wide)
    box = Box(ends[0], y + 4, ends[1], y + _LINE - 4)
    hover = (
        f"<b>{formats.count(tally.files, 'data file')} only in {letter}</b><br>{formats.count(tally.records, 'row')}"
    )
    hover += f"<br>{formats.size(tally.size_in_bytes)}"
    if is_left:
        page.fills.append(Rectangle(box, theme.page, hatch=theme.moved.fill))
        page.cells.append(Rectangle(box, stroke=theme.edge, stroke_width=1.2, hover=hover))
    else:
        page.cells.append(Rectangle(box, theme.added.fill, hover=hover))
    style, told = Type(_BESIDE.size, theme.ink), _label(tally, with_rows=scale.with_rows)
    x = box.left - 6 if is_left else box.right + 6
    page.canvas.text("page", x, y + _LINE / 2, told, style, "end" if is_left else "start")


def _deletes(page: Page, of: PartitionDifference, x: float, y: float) -> None:
    """Deletes that only one side has as pills, filled ones of B; and how many shared files they reach."""
    theme, start, right = page.theme, x, page.width - 20
    pills = [
        (letter, kind, side[kind])
        for letter, side in (("A", of.left), ("B", of.right))
        for kind in _DELETES
        if kind in side
    ]
    if x + sum(frame.pill_width(kind, tally.files) + 5 for _, kind, tally in pills) > right:
        added, removed = (sum(t.files for side, _, t in pills if side == letter) for letter in "BA")
        told = f"+{formats.compact(added)} −{formats.compact(removed)} delete files"
        x += Type(11.5, "").width(page.fit(x, y, [told], Type(11.5, theme.removed.text), right - x)) + 8
        pills = []
    for letter, kind, tally in pills:
        box = frame.pill(page, x, y, kind, theme.removed, filled=letter == "B", count=tally.files)
        told = f"{formats.count(tally.files, UNITS[kind])} only in {letter}"
        page.cells.append(Rectangle(box, hover=f"<b>{told}</b><br>{holds(kind, tally.records)}"))
        x = box.right + 5
    wordings = _shared(of)
    if wordings and right - x > _LEAST:
        x += 4 if x > start else 0
        colour = theme.attention.text if of.relisted else theme.ink_2
        page.fit(x, y, wordings, Type(11.5, colour, bold=bool(of.relisted)), right - x)


def _shared(of: PartitionDifference) -> list[str]:
    """What became of data files that both have, from a long wording to a short one; empty if nothing did."""
    if of.touched and of.relisted:
        return [
            f"{of.touched:,} shared under other deletes, {of.relisted:,} listed otherwise",
            f"{of.touched:,} under other deletes, {of.relisted:,} listed again",
            f"{of.touched:,} masked otherwise, {of.relisted:,} again",
            f"{of.touched:,} + {of.relisted:,} shared",
        ]
    if of.touched:
        return [f"{formats.count(of.touched, 'shared file')} under other deletes", f"{of.touched:,} shared"]
    return (
        [f"{formats.count(of.relisted, 'shared file')} listed otherwise", f"{of.relisted:,} again"]
        if of.relisted
        else []
    )


def _more(page: Page, shown: int, y: float) -> float:
    """The sum of all, and the way to those that are not shown."""
    theme, found, first = page.theme, page.facts.files, page.part.first
    totals = found.totals
    parts = []
    for sign, side in (("+", totals.right), ("−", totals.left)):
        files = sum(tally.files for tally in side.values())
        rows = side.get("data", Tally()).records
        if files:
            parts.append(f"{sign}{formats.count(files, 'file')} {sign}{formats.count(rows, 'row')}")
    page.path(Ink(theme.grid, 1)).move(20, y + 3).line(page.width - 20, y + 3)
    y += 16
    page.fit(
        20,
        y,
        [f"together {' | '.join(parts)}" if parts else "together no file of one side alone"],
        Type(11.5, theme.ink),
        page.width - 40,
    )
    rest = len(found.partitions) - first - shown
    for there, told, is_there in (
        (max(first - MOST_PARTITIONS, 0), "◂ partitions before", first > 0),
        (first + shown, f"▸ {formats.count(rest, 'more partition')}", rest > 0),
    ):
        if is_there:
            y += 20
            box = page.text(20, y, told, Type(12, theme.ink_2))
            x = (box.left + box.right) / 2
            page.targets.append(
                Target(x, y, view_meaning(Part(there) if there else "from 0"), f"click: {escape(cut(told))}")
            )
    return y + 8
