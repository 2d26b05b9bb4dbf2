"""Which deletes and data files a picture shows, pair by pair, and where: the page, its rows, columns and cells."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...model.deletes.by_partition import DETAIL, is_by_partition
from ...model.deletes.facts import Deletes, LiveDelete, LiveFile, Pair
from ...model.iceberg.delete_scope import DeleteKey, Verdict
from ..page.fold import Part
from ..page.names import file_names, short_names
from ..page.partition_table import is_every
from ..page.scene import Box, Ink, Rectangle, Type
from ..page.sheet import Sheet
from ..page.theme import blend

SMALL = 11.0
FLOOR = 10.5  # the smallest text
ROOMY = 900  # pixels of a page from which on there is room for scopes and verdicts


def partition_meaning(spec_id: int, partition: str) -> str:
    """What a click on a partition means whose pairs are not at hand."""
    return "partition " + json.dumps([spec_id, partition])


def delete_place(key: DeleteKey) -> str:
    """The name of a delete among the rows of the picture."""
    return f"{'' if key[1] is None else key[1]} {key[0]}"


def partition_place(spec_id: int, partition: str) -> str:
    """The name of a partition among the rows of the picture."""
    return f"{spec_id} {partition}"


@dataclass(frozen=True, slots=True)
class Margins:
    """Page pixels of what stands beside the cells.

    Attributes:
        name, threshold, scope: where the words of a row begin; those of the threshold end there. No scope if None.
        left: where cells begin; `verdict` where verdicts do, up to `end`.
    """

    name: float
    threshold: float
    scope: float | None
    left: float
    verdict: float
    end: float


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """The deletes of a snapshot, and everything drawn of them so far.

    Attributes:
        rows: by `delete_place` or `partition_place`, top and bottom in page pixels.
        columns: by path of a data file, left and right.
        keys: deletes that a click may name; `paths` likewise of data files.
        top: where the columns begin; `bottom` where they end.
    """

    deletes: Deletes
    rows: dict[str, list[float]] = field(default_factory=dict)
    columns: dict[str, list[float]] = field(default_factory=dict)
    keys: dict[DeleteKey, int] = field(default_factory=dict)
    paths: dict[str, int] = field(default_factory=dict)
    top: float = 0.0
    bottom: float = 0.0

    @property
    def roomy(self) -> bool:
        """Whether there is room for scopes and for verdicts in words."""
        return self.width >= ROOMY

    def pair_meaning(self, delete: DeleteKey | None, path: str | None) -> str:
        """What a click on a delete, a data file, or a pair of them means: their places, since paths are long."""
        first = "" if delete is None else self.keys.setdefault(delete, len(self.keys))
        second = "" if path is None else self.paths.setdefault(path, len(self.paths))
        return f"pair {first} {second}"

    @property
    def ground(self) -> Ink:
        """Below everything else, where a delete reaches nothing."""
        return Ink(fill=blend(self.theme.attention.fill, self.theme.page, 0.14))

    def rule(self, left: float, right: float, y: float) -> None:
        """A thin line."""
        self.path(Ink(self.theme.edge, 1)).move(left, y).line(right, y)

    def link(self, x: float, y: float, words: str, meaning: str, hover: str) -> float:
        """Words that open something; the page pixel where they end."""
        box = self.text(x, y, words, Type(SMALL, self.theme.ink, bold=True))
        self.cells.append(Rectangle(Box(box.left, y - 12, box.right, y + 12), meaning=meaning, hover=hover))
        return box.right


MOST = 100  # deletes, and data files, that are drawn pair by pair
_GAP = 16.0  # most pixels between two partitions
_CELL, _NARROWEST = 72.0, 34.0  # widest and narrowest cell with words
_OUT_OF_SCOPE = ("live", "spec", "partition", "path")


@dataclass(frozen=True, slots=True)
class Contents:
    """The pairs of a part.

    Attributes:
        part: the one that was asked for, or the whole if there is no such part.
        deletes, files: rows and columns.
        verdicts: by delete and path of the data file.
        all_at_hand: whether these are all pairs of the part, each with its verdict.
        aside: deletes that are left out, since the opened partition is out of their scope.
        in_rows: whether these are of several partitions, and too many for what decides each to be told.
    """

    part: Part
    deletes: tuple[LiveDelete, ...]
    files: tuple[LiveFile, ...]
    verdicts: dict[tuple[DeleteKey, str], Verdict]
    all_at_hand: bool = True
    aside: int = 0
    in_rows: bool = False

    @property
    def one_by_one(self) -> bool:
        """Whether every pair is at hand, and they are few enough to be drawn one by one."""
        few = self.all_at_hand and len(self.deletes) <= MOST and len(self.files) <= MOST
        return few and not self.in_rows

    @classmethod
    def of(cls, deletes: Deletes, part: Part) -> Contents:
        """Everything at hand, or of one partition only."""
        verdicts = {(pair.delete, pair.data_path): pair.verdict for pair in deletes.pairs}
        every_pair = pairs_at_hand(deletes)
        if part.partition is not None and every_pair:
            opened = _opened(deletes, part.partition, deletes.pairs)
            if opened.files:
                return opened
        whole = Part(part.first, part.opened if is_every(part) else "")
        in_rows = is_by_partition(deletes)
        return cls(whole, deletes.deletes, deletes.data_files, verdicts, every_pair, in_rows=in_rows)


def _opened(deletes: Deletes, place: tuple[int, str], pairs: Sequence[Pair]) -> Contents:
    """The files of a partition, and the deletes in whose scope one of them is."""
    files = tuple(file for file in deletes.data_files if (file.file.spec_id, file.file.partition) == place)
    paths = {file.file.file_path for file in files}
    here = [pair for pair in pairs if pair.data_path in paths]
    near = {pair.delete for pair in here if pair.verdict.applies or pair.verdict.decided_by not in _OUT_OF_SCOPE}
    near |= {pair.delete for pair in here if pair.verdict.applies is None}
    shown = tuple(delete for delete in deletes.deletes if delete.file.key in near)
    verdicts = {(pair.delete, pair.data_path): pair.verdict for pair in here if pair.delete in near}
    return Contents(Part.of_partition(*place), shown, files, verdicts, aside=deletes.delete_count - len(shown))


def pairs_at_hand(deletes: Deletes) -> bool:
    """Whether each delete has its verdict on each data file."""
    at_hand = (len(deletes.deletes), len(deletes.data_files)) == (deletes.delete_count, deletes.data_file_count)
    return at_hand and len(deletes.pairs) == deletes.pair_count


@dataclass(frozen=True, slots=True)
class Column:
    """A data file and its place."""

    live: LiveFile
    name: str
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Its middle."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything stands.

    Attributes:
        words: whether cells say what decides; else they are filled, outlined or blank.
        partitions: the columns, by spec and partition.
        names: short names of the deletes; `short` of the partitions.
        unclear: paths of data files of which it is unknown whether some delete reaches them.
        pitch: pixels from row to row.
    """

    contents: Contents
    margins: Margins
    words: bool
    partitions: tuple[tuple[tuple[int, str], tuple[Column, ...]], ...]
    names: dict[DeleteKey, str]
    short: dict[str, str]
    unclear: frozenset[str]
    pitch: float

    @property
    def several_specs(self) -> bool:
        """Whether data files of more than one spec are drawn."""
        return len({spec_id for (spec_id, _), _ in self.partitions}) > 1

    @property
    def columns(self) -> list[Column]:
        """All of them, from left to right."""
        return [column for _, columns in self.partitions for column in columns]

    @property
    def right(self) -> float:
        """Where cells end."""
        return max((column.right for column in self.columns), default=self.margins.left)

    def cell(self, column: Column, row: Box) -> Box:
        """Where a delete and a data file meet."""
        gap = 3.0 if self.words else min(1.0, (column.right - column.left) * 0.12)
        return Box(column.left + gap, row.top + gap, column.right - gap, row.bottom - gap)


def layout(page: Page, contents: Contents) -> Layout:
    """The places of a view on a page."""
    names = file_names(live.file.key for live in contents.deletes)
    margins = margins_of(
        page,
        [names[live.file.key] for live in contents.deletes],
        [live.threshold for live in contents.deletes],
        [live.scope for live in contents.deletes],
    )
    room = margins.verdict - margins.left - 20
    grouped = [
        (place, list(files))
        for place, files in itertools.groupby(contents.files, key=lambda f: (f.file.spec_id, f.file.partition))
    ]
    count = max(len(contents.files), 1)
    gap = max(min(_GAP, room * 0.1 / max(len(grouped), 1)), 3.0)
    roomy = (room - gap * len(grouped)) / count
    number = Type(13, "", bold=True)
    widest = max((number.width(number_of(file)) for file in contents.files), default=0.0)
    few = len(contents.deletes) <= DETAIL[0] and len(contents.files) <= DETAIL[1]
    words = few and roomy >= max(_NARROWEST, widest + 4)
    if not words:
        gap = min(6.0, room * 0.2 / max(len(grouped), 1))
    wide = min((room - gap * len(grouped)) / count, _CELL if words else 22.0)
    short = file_names((file.file.file_path, None) for file in contents.files)
    partitions, x = [], margins.left
    for place, files in grouped:
        columns = []
        for file in files:
            columns.append(Column(file, short[file.file.file_path, None], x, x + wide))
            x += wide
        partitions.append((place, tuple(columns)))
        x += gap
    right = x - gap if partitions else margins.left
    placed = Margins(margins.name, margins.threshold, margins.scope, margins.left, right + 24, margins.end)
    places = short_names({partition for (_, partition), _ in partitions})
    unclear = frozenset(path for (_, path), verdict in contents.verdicts.items() if verdict.applies is None)
    pitch = 34.0 if words else 18.0 if few else 14.0
    return Layout(contents, placed, words, tuple(partitions), names, places, unclear, pitch)


def margins_of(page: Page, names: Sequence[str], thresholds: Sequence[str], scopes: Sequence[str]) -> Margins:
    """Room for what is said of each row beside its cells, by the widest of each."""
    mono, bold, plain = Type(SMALL, "", mono=True), Type(12, "", bold=True), Type(SMALL, "")
    name = 62.0
    widest = max((mono.width(words) for words in names), default=0.0)
    threshold = name + min(max(widest, 72.0), 160.0 if page.roomy else 84.0)
    threshold += 12 + max([44.0, *(bold.width(words) for words in thresholds)])
    if page.roomy:
        left = threshold + 14 + min(max([40.0, *(plain.width(words) for words in scopes)]), 120.0) + 16
        verdicts = 230.0 if page.width >= 1300 else 200.0
    else:
        left, verdicts = threshold + 14, 74.0
    end = page.width - 20.0
    return Margins(name, threshold, threshold + 14 if page.roomy else None, left, end - verdicts, end)


def number_of(file: LiveFile) -> str:
    """The data sequence number of a data file."""
    number = file.file.data_sequence_number.value
    return "?" if number is None else f"{number:,}"
