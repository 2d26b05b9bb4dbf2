"""What every part of a sequence timeline's picture draws on: the page, the columns, the rows, and who is selected."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...model.iceberg.delete_scope import DeleteKey
from ...model.sequence_timeline.facts import FileLifetime, Timeline, Window
from ...model.sequence_timeline.scopes import Scopes, State
from ...model.sequence_timeline.verdicts import Remark
from ...model.sequence_timeline.words import JUDGED
from ...model.words import partition_name
from ..page.sheet import Sheet
from .columns import Axis, Columns, numbers_of

FULL = JUDGED  # files that are named; more are drawn as thin rows
MOST = 400  # files that are drawn one by one; more are told by partition
SMALL = 11.0
_ROW, _THIN_ROW = 25.0, 9.0
_HEADING, _THIN_HEADING = 34.0, 30.0


def window_meaning(window: Window) -> str:
    """What a click means that asks for a part of the history."""
    first, last = ("" if n is None else str(n) for n in (window.first, window.last))
    spec = "" if window.spec_id is None else str(window.spec_id)
    partition = "" if window.partition is None else f"={window.partition}"
    return f"window {first},{last},{spec},{'through' if window.through else ''} {partition}"


def window_of(rest: str) -> Window:
    """The window of a click, without its first word."""
    numbers, _, partition = rest.partition(" ")
    *bounds, through = numbers.split(",")
    first, last, spec = (int(n) if n else None for n in bounds)
    return Window(first, last, spec, partition[1:] if partition else None, bool(through))


@dataclass(frozen=True, slots=True)
class Row:
    """A file and where it is drawn, in page pixels."""

    file: FileLifetime
    top: float
    bottom: float

    @property
    def y(self) -> float:
        """Its middle."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Group:
    """The files of one partition of one spec: data files by birth, then deletes by what they reach."""

    name: str
    top: float
    rows: tuple[Row, ...]

    @property
    def bottom(self) -> float:
        """Page pixel where its rows end."""
        return self.rows[-1].bottom


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """A timeline, and where its parts are drawn.

    Attributes:
        names: short names by key of a file.
        verdicts: what stands beside each file, by its place in the timeline.
        selected: the file with front and halo; None if none is, or if it is not among those at hand.
        left: page pixel where names begin.
        plot: page pixel where columns begin.
        says: page pixel where verdicts begin; where everything ends if they have no room.
    """

    timeline: Timeline
    scopes: Scopes
    selected: FileLifetime | None
    axis: Axis
    names: dict[DeleteKey, str] = field(default_factory=dict)
    verdicts: dict[int, Remark] = field(default_factory=dict)
    left: float = 20.0
    plot: float = 0.0
    says: float = 0.0

    @property
    def full(self) -> bool:
        """Whether every file has a row with its name."""
        return len(self.timeline.files) <= FULL

    @property
    def right(self) -> float:
        """Page pixel where everything ends."""
        return self.width - 20.0

    def lay_out(self) -> Columns:
        """Where sequence numbers lie; verdicts stand right of them, where the page is wide enough."""
        wide = 262.0 if self.width >= 1200 else 214.0 if self.width >= 900 else 176.0
        self.plot = self.left + (wide if self.full else 116.0)
        self.says = self.right
        if self.width >= 900:
            self.says -= (0.29 if self.width >= 1200 else 0.31) * self.width
        gap = 24.0 if self.says < self.right else 6.0
        columns = Columns(self.timeline, numbers_of(self.timeline.files), self.plot, self.says - gap, self.axis)
        if self.says < self.right:
            self.says = max(columns.right + gap, self.width * 0.4)
        return columns

    def state(self, file: FileLifetime) -> State:
        """Of a file, at the timeline's snapshot."""
        return self.scopes.state(file)


def laid_out(files: Sequence[FileLifetime], top: float, *, full: bool) -> list[Group]:
    """Files as rows below each other, by partition."""
    several = len({file.spec_id for file in files}) > 1
    groups, y = [], top
    heading, pitch = (_HEADING, _ROW) if full else (_THIN_HEADING, _THIN_ROW)
    ordered = sorted(files, key=lambda f: (f.partition != "", f.partition, f.spec_id))
    for (spec_id, partition), of in itertools.groupby(ordered, key=lambda f: (f.spec_id, f.partition)):
        start = y + heading
        rows = [
            Row(file, start + i * pitch, start + (i + 1) * pitch) for i, file in enumerate(sorted(of, key=_in_group))
        ]
        name = partition_name(spec_id, partition, with_spec=several)
        groups.append(Group(name, y, tuple(rows)))
        y = rows[-1].bottom + (14 if full else 8)
    return groups


def _in_group(file: FileLifetime) -> tuple[bool, int, int, str]:
    own, data = file.file_sequence_number.value, file.data_sequence_number.value
    births = (own or 0, data or 0) if file.kind == "data" else (data or 0, own or 0)
    return file.kind != "data", *births, file.file_path
