"""Too many pairs to be drawn one by one: groups of deletes as rows, partitions as columns, counts of pairs as cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...model import formats
from ...model.deletes import words as deletes_words
from ...model.deletes.facts import Block, DeleteGroup, Deletes, Partition
from ...model.iceberg.delete_scope import Scope
from ...model.words import partition_name, partition_values
from ..page.fold import Part
from ..page.frame import pill
from ..page.hits import view_meaning
from ..page.scene import Box, Ink, Rectangle, Type
from ..page.text import tell_apart
from ..page.theme import blend
from . import hits as deletes_hits
from .layout import SMALL, Margins, Page, group_place, margins_of, pairs_at_hand, partition_meaning, partition_place
from .matrix import ink
from .rows import draw_alarm, draw_ground, draw_section

_ROWS, _PITCH = 30, 30.0
_WIDEST, _NARROWEST = 92.0, 52.0

_Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Shown:
    """The rows and columns of a view.

    Attributes:
        groups: indexes of the groups of deletes; those of every file first.
        partitions: indexes of the partitions with data files.
        places: all partitions that data files or deletes lie in; `first` and `last` are those of the view.
    """

    groups: list[int]
    partitions: list[int]
    places: int
    first: int
    last: int


def shown_part(deletes: Deletes, first: int, columns: int) -> Shown:
    """As many partitions from one on as there is room for, with the deletes in them."""
    data = {(p.spec_id, p.partition): i for i, p in enumerate(deletes.partitions)}
    everywhere = [i for i, g in enumerate(deletes.groups) if g.scope == "every file"]
    inside: dict[_Place, list[int]] = {}
    for i, group in enumerate(deletes.groups):
        if group.scope != "every file":
            inside.setdefault((group.spec_id, group.partition), []).append(i)
    places = sorted(data.keys() | inside.keys())
    first = first if first < len(places) else 0
    groups, last = everywhere[:_ROWS], first
    partitions: list[int] = []
    for place in places[first:]:
        more, column = inside.get(place, []), place in data
        if last > first and (len(groups) + len(more) > _ROWS or len(partitions) + column > columns):
            break
        groups, last = [*groups, *more], last + 1
        partitions += [data[place]] if column else []
    kinds = ("equality deletes", "position deletes", "deletion vector")
    groups.sort(key=lambda i: (kinds.index(deletes.groups[i].kind), deletes.groups[i].scope != "every file", i))
    return Shown(groups, partitions, len(places), first, last)


def draw(page: Page, part: Part, top: float) -> float:
    """Heads, rows, sums and the way to the other partitions; the page pixel where they end."""
    deletes = page.deletes
    names = [_names(g)[0] for g in deletes.groups]
    margins = margins_of(page, [], [deletes_words.threshold(g) for g in deletes.groups], names)
    if margins.scope is None:  # the name of its partition is what tells a group from the next one
        margins = Margins(62, margins.threshold + 60, None, margins.left + 60, margins.verdict, margins.end)
    room = margins.verdict - margins.left - 24
    shown = shown_part(deletes, part.first, max(int(room / _NARROWEST), 1))
    wide = min(room / max(len(shown.partitions), 1), _WIDEST)
    right = margins.left + wide * len(shown.partitions)
    margins = Margins(margins.name, margins.threshold, margins.scope, margins.left, right + 24, margins.end)
    page.top = top
    columns = [
        (i, Box(margins.left + wide * n, top, margins.left + wide * (n + 1), top))
        for n, i in enumerate(shown.partitions)
    ]
    y = _draw_heads(page, margins, columns)
    found = {(block.group, block.partition): block for block in deletes.blocks}
    of_group: dict[int, list[Block]] = {}
    for block in deletes.blocks:
        of_group.setdefault(block.group, []).append(block)
    section = ""
    for i in shown.groups:
        group = deletes.groups[i]
        title = "equality deletes" if group.kind == "equality deletes" else "position deletes and deletion vectors"
        if title != section:
            y, section = draw_section(page, title, y), title
        row = Box(20, y, page.width - 20, y + _PITCH)
        page.rows[group_place(group)] = [row.top, row.bottom]
        words = deletes_words.group_words(of_group.get(i, []), len(deletes.partitions) == deletes.partition_count)
        draw_ground(page, words, row)
        _draw_label(page, margins, group, words, row)
        for p, column in columns:
            if (i, p) in found:
                _draw_block(page, found[i, p], Box(column.left, row.top, column.right, row.bottom))
        _draw_verdict(page, margins, words, of_group.get(i, []), group.scope, row)
        y = row.bottom
    page.bottom = y
    return _draw_paging(page, shown, _draw_sums(page, margins, columns, y + 8))


def _names(group: DeleteGroup) -> list[str]:
    """What the deletes of a group are compared with, shorter and shorter."""
    if group.scope == "every file":
        return ["every file"]
    name, values = partition_name(group.spec_id, group.partition), partition_values(group.partition)
    by_path = [f"{name}, by path", f"{values}, by path"] if group.scope == "one file" else []
    return [*by_path, name, values]


def _draw_heads(page: Page, margins: Margins, columns: Sequence[tuple[int, Box]]) -> float:
    theme, top = page.theme, page.top
    small = Type(SMALL, theme.ink_2)
    page.text(20, top + 8, "partition", small)
    page.fit(20, top + 25, ["data files in it"], small, margins.left - 30)
    page.fit(20, top + 42, ["their data sequence numbers", "numbers"], small, margins.left - 30)
    page.fit(margins.verdict, top + 42, ["reached"], small, margins.end - margins.verdict)
    short = tell_apart({partition_values(page.deletes.partitions[i].partition) for i, _ in columns})
    for i, box in columns:
        partition = page.deletes.partitions[i]
        values = partition_values(partition.partition)
        room, middle = box.right - box.left - 6, (box.left + box.right) / 2
        span = deletes_words.numbers(partition.oldest, partition.newest)
        for y, words, style in (
            (8, [partition_name(partition.spec_id, partition.partition), values, short[values]],
             Type(SMALL, theme.ink, bold=True)),
            (25, [formats.count(partition.files, "file"), formats.compact(partition.files)], small),
            (42, [span], small),
        ):  # fmt: skip
            page.canvas.text("page", middle, top + y, page.canvas.fitting(words, style, room), style)
        meaning, click = _opening(page, partition)
        hover = deletes_hits.partition(
            partition.spec_id, partition.partition, partition.files, partition.rows, span, click
        )
        page.cells.append(Rectangle(Box(box.left, top - 2, box.right, top + 52), meaning=meaning, hover=hover))
        page.columns[partition_place(partition.spec_id, partition.partition)] = [box.left, box.right]
    return top + 52


def _draw_label(page: Page, margins: Margins, group: DeleteGroup, words: str, row: Box) -> None:
    theme, y = page.theme, (row.top + row.bottom) / 2
    hue = theme.attention if words == "dangling" else theme.removed
    mark = pill(page, 22, y, group.kind, hue, filled=False, count=group.deletes, wide=34)
    bold = Type(12, theme.ink, bold=True)
    threshold = page.canvas.fitting([deletes_words.threshold(group)], bold, 120)
    page.canvas.text("page", margins.threshold, y, threshold, bold, "end")
    names = _names(group)
    if margins.scope is not None:
        page.fit(margins.scope, y, names, Type(SMALL, theme.ink_2), margins.left - margins.scope - 10)
    else:
        room = margins.threshold - bold.width(threshold) - mark.right - 16
        page.fit(mark.right + 8, y, names, Type(SMALL, theme.ink_2), room)
    hover = deletes_hits.group(group, words)
    page.cells.append(Rectangle(Box(20, row.top, margins.left - 4, row.bottom), hover=hover))


def _draw_block(page: Page, block: Block, box: Box) -> None:
    theme = page.theme
    group, partition = page.deletes.groups[block.group], page.deletes.partitions[block.partition]
    inner = Box(box.left + 3, box.top + 3, box.right - 3, box.bottom - 3)
    style = Type(SMALL, theme.ink)
    if block.reached == group.deletes * partition.files:
        look, style = ink(page, "reached"), Type(SMALL, theme.removed.on_fill, bold=True)
    elif block.unknown:
        look = ink(page, "unknown")
    elif block.reached:
        look = partly(page)
    else:
        look, style = ink(page, "too new"), Type(SMALL, theme.ink_2)
    page.path(look).box(inner, 3)
    least = "≥ " if block.unknown else ""
    words = [f"{least}{block.reached:,}", f"{least}{formats.compact(block.reached)}"]
    room = inner.right - inner.left - 4
    page.canvas.text("page", (box.left + box.right) / 2, (box.top + box.bottom) / 2,
                     page.canvas.fitting(words, style, room), style)  # fmt: skip
    meaning, click = _opening(page, partition)
    page.cells.append(Rectangle(inner, meaning=meaning, hover=deletes_hits.block(group, partition, block, click)))


def _opening(page: Page, partition: Partition) -> tuple[str, str]:
    """What a click on a partition means, and words for it: draw its pairs, or ask for them; empty for the only one."""
    key = (partition.spec_id, partition.partition)
    if page.deletes.partition_count > 1 and pairs_at_hand(page.deletes):
        return view_meaning(Part.of_partition(*key)), "click: this partition alone"
    if page.deletes.partition_count > 1:
        return partition_meaning(*key), "click: ask for this partition alone"
    return "", ""


def partly(page: Page) -> Ink:
    """How a block looks of whose pairs some are reached."""
    theme = page.theme
    return Ink(theme.removed.fill, 1.4, blend(theme.removed.fill, theme.page, 0.2))


def _draw_verdict(page: Page, margins: Margins, words: str, blocks: Sequence[Block], scope: Scope, row: Box) -> None:
    if words == "dangling":
        why = "none of the files they name is live" if scope == "one file" else "no live data file in their scope"
        draw_alarm(page, margins, words, "compared, and none reached" if blocks else why, row)
        return
    compact = f"{formats.compact(sum(block.reached for block in blocks))} pairs"
    room = margins.end - margins.verdict
    page.fit(margins.verdict, (row.top + row.bottom) / 2, [words, compact], Type(SMALL, page.theme.ink), room)


def _draw_sums(page: Page, margins: Margins, columns: Sequence[tuple[int, Box]], top: float) -> float:
    """Below each partition how many deletes are applied to one of its files, on average."""
    theme, deletes = page.theme, page.deletes
    if not columns:
        return top
    page.rule(margins.left, columns[-1][1].right, top)
    plain, bold = Type(12, theme.ink_2), Type(12, theme.ink, bold=True)
    page.fit(20, top + 18, ["deletes to apply per file read", "deletes per file read"], plain, margins.left - 30)
    reached = dict.fromkeys(range(len(deletes.partitions)), 0)
    unclear = set()
    for block in deletes.blocks:
        reached[block.partition] += block.reached
        unclear |= {block.partition} if block.unknown else set()
    complete = len(deletes.groups) == deletes.group_count
    for i, box in columns:
        each = reached[i] / max(deletes.partitions[i].files, 1)
        least = deletes_words.bound(deletes, not complete or i in unclear)
        words = f"{least}{each:,.0f}" if each >= 10 or each == int(each) else f"{least}{each:.1f}"
        page.canvas.text("page", (box.left + box.right) / 2, top + 18, words, bold)
    room = margins.end - margins.verdict
    short = f"{deletes_words.bound(deletes, unknown=False)}{formats.compact(deletes.reached_pairs)}"
    pairs = [deletes_words.pairs_words(deletes), f"{short} pairs", short]
    page.fit(margins.verdict, top + 18, pairs, plain, room)
    return top + 32


def _draw_paging(page: Page, shown: Shown, top: float) -> float:
    """Which partitions are drawn, and the way to the others."""
    words = _left_out(page.deletes)
    if (shown.first, shown.last) == (0, shown.places) and not words:
        return top
    x, y = 20.0, top + 12
    before = max(shown.first - (shown.last - shown.first), 0)
    for link, first, there in (
        ("◂ previous partitions", before, shown.first > 0),
        ("next partitions ▸", shown.last, shown.last < shown.places),
    ):
        if there:
            x = page.link(x, y, link, view_meaning(Part(first)), "click: draw these") + 16
    parts = [f"partitions {formats.span(shown.first + 1, shown.last)} of {shown.places:,}", *words]
    page.fit(x, y, [" · ".join(parts), parts[0]], Type(SMALL, page.theme.ink_2), page.width - 20 - x)
    return y + 16


def _left_out(deletes: Deletes) -> list[str]:
    """What is counted but not at hand."""
    parts: Iterator[str] = (
        f"{formats.count(n, f'{word} group' if word == 'delete' else word)} not at hand"
        for n, word in (
            (deletes.partition_count - len(deletes.partitions), "partition"),
            (deletes.group_count - len(deletes.groups), "delete"),
        )
        if n
    )
    return list(parts)
