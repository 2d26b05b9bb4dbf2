"""What is known of a table when it is examined: more, the more was paid for. Signatures look at nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, wraps
from statistics import median
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from .. import formats
from ..arrays import Longs
from ..dry_run.orphans import StoredFile
from ..iceberg.document import Document
from ..iceberg.inheritance import ListedManifest
from ..iceberg.lifetime_plan import Lists
from ..iceberg.lifetimes import Lifetimes
from ..iceberg.metadata import Snapshot, TableMetadata
from ..iceberg.writer import program, writer
from ..snapshot_graph.facts import SnapshotGraph
from .files import Files
from .live import LiveFiles
from .scope import reached
from .since import Since

T = TypeVar("T")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

TREND = 20
"""Commits over which a rolling median tells a trend."""


@dataclass(frozen=True, slots=True)
class Named:
    """How SQL names the table, for evidence and statements to copy.

    Attributes:
        table: `lake.shop.orders`, quoted where needed.
        catalog: `lake`; within: `shop.orders`. Of a table opened by its path stand-ins that a person replaces.
        is_real: False of such stand-ins.
    """

    table: str
    catalog: str
    within: str
    is_real: bool = True

    @property
    def _literal(self) -> str:
        text = self.within.replace("'", "''")
        return f"'{text}'"

    def call(self, procedure: str, *arguments: str) -> str:
        """`CALL lake.system.rollback_to_snapshot('shop.orders', 42)`."""
        return f"CALL {self.catalog}.system.{procedure}({', '.join((self._literal, *arguments))})"

    def call_by_name(self, procedure: str, **arguments: str) -> str:
        """The same with named arguments, as they stand in SQL."""
        named = [f"table => {self._literal}", *(f"{name} => {value}" for name, value in arguments.items())]
        return f"CALL {self.catalog}.system.{procedure}(\n  " + ",\n  ".join(named) + "\n)"


@dataclass(frozen=True, eq=False)
class History:
    """Every manifest of the listed history.

    Attributes:
        lists: by snapshot id, indices into `manifests`; or why they are not known.
        unreadable: why manifests cannot be read, by path.
    """

    lists: Lists
    manifests: Sequence[ListedManifest]
    lifetimes: Lifetimes
    unreadable: dict[str, str]

    @property
    def unreadable_lists(self) -> dict[int, str]:
        """Why manifest lists cannot be read, by snapshot id."""
        return {i: found for i, found in self.lists.items() if isinstance(found, str)}


@dataclass(frozen=True, eq=False)
class Stored:
    """What lies below the table's location.

    Attributes:
        orphans: files that nothing names, old enough to be no commit that is on its way.
        missing: live files of the head that should lie there and do not.
        elsewhere: how many live files lie in other folders, which were not listed.
        files: how many files there are.
        unreadable: why lists and manifests cannot be read, by path: what they name is not known, and so no orphan is.
    """

    orphans: tuple[StoredFile, ...]
    missing: tuple[str, ...]
    elsewhere: int
    files: int
    unreadable: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of a table.

    Attributes:
        document, metadata_size: the metadata file, parsed, and its bytes.
        head: the snapshot that is examined; None of a table without any.
        good: the last point known good, if a person named one.
        asked: a snapshot id that a person gave and that is not listed (a reader's position); None if all are.
        now: UTC.
        head_list: the manifests that the head lists; why not, if that is not known; None if it was not read.
        history: None if manifests were not read. live: likewise, of statistics.
        why_not_read: why manifests were not read though they were to be, a part of a sentence; empty otherwise.
        stored: None if the storage was not listed.
    """

    graph: SnapshotGraph
    document: Document
    metadata_size: int
    metadata_location: str
    named: Named
    head: Snapshot | None
    ref: str
    good: Snapshot | None
    asked: int | None
    now: datetime
    head_list: tuple[ListedManifest, ...] | str | None = None
    history: History | None = None
    why_not_read: str = ""
    live: LiveFiles | None = None
    stored: Stored | None = None

    @property
    def metadata(self) -> TableMetadata:
        """The metadata file as a value."""
        return self.graph.metadata

    @cached_property
    def line(self) -> tuple[Snapshot, ...]:
        """The head and its listed ancestors, the oldest first."""
        if self.head is None:
            return ()
        by_id = self.metadata.by_id
        return tuple(by_id[i] for i in self.graph.forest.lineage(self.head.snapshot_id))[::-1]

    @cached_property
    def is_cut(self) -> bool:
        """Whether ancestors of the line have expired."""
        first = self.line[0] if self.line else None
        return first is not None and first.parent_id is not None and first.parent_id not in self.metadata.by_id

    def parent(self, snapshot: Snapshot) -> Snapshot | None:
        """The parent, if it is listed."""
        return self.metadata.by_id.get(snapshot.parent_id) if snapshot.parent_id is not None else None

    def number(self, snapshot: Snapshot) -> str:
        """`241`, and of version 1 `…9118`."""
        if snapshot.sequence_number:
            return f"{snapshot.sequence_number:,}"
        return self.graph.short_ids.get(snapshot.snapshot_id, str(snapshot.snapshot_id))

    def number_of(self, snapshot: Snapshot | None) -> str:
        """The same; `unknown` of a commit that is not listed."""
        return "unknown" if snapshot is None else self.number(snapshot)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the current schema, as SQL writes them."""
        fields = self.metadata.schemas.get(self.metadata.current_schema_id or 0, ())
        return tuple(column_in_sql(f.path) for f in fields if "." not in f.path)

    @property
    def is_partitioned(self) -> bool:
        """Whether any partition spec has a field, so that metadata tables have a column `partition`."""
        return any(self.metadata.specs.values())

    def numbered(self, snapshots: Iterable[Snapshot], most: int = 3) -> str:
        """`7, 9 and 12 more` of some commits."""
        names = [self.number(s) for s in snapshots]
        shown = ", ".join(names[:most])
        return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown

    def writer(self, snapshot: Snapshot) -> str:
        """Who made a commit, by a name that stays the same from run to run; `an unnamed writer`."""
        return program(snapshot) or writer(snapshot) or "an unnamed writer"

    def setting(self, key: str, default: int) -> int:
        """A property that is a whole number; the default where it is missing or is none."""
        try:
            return int(self.metadata.properties.get(key, default))
        except ValueError:
            return default

    @property
    def target_size(self) -> int:
        """`write.target-file-size-bytes`."""
        return max(1, self.setting("write.target-file-size-bytes", 512 * 1024 * 1024))

    @property
    def undo(self) -> str:
        """The statement that takes back whatever a repair commits to main from now on."""
        return self.named.call("rollback_to_snapshot", str(self.metadata.current_snapshot_id))

    # since ------------------------------------------------------------------------------------------------------------

    def first(self, snapshot: Snapshot | None) -> Since:
        """An entry or a summary names the commit (rule F); the oldest that is listed stands for one that is not."""
        return self.by_id(None) if snapshot is None else Since(snapshot, "F")

    def earliest(self, snapshots: Iterable[Snapshot | None]) -> Snapshot | None:
        """The first of some commits by its number; None if none of them is listed."""
        return min((s for s in snapshots if s is not None), key=lambda s: s.sequence_number, default=None)

    def by_id(self, snapshot_id: int | None) -> Since:
        """The same by its id; the oldest that is listed, where it is expired."""
        found = self.metadata.by_id.get(snapshot_id) if snapshot_id is not None else None
        if found is not None:
            return Since(found, "F")
        return Since(self.line[0] if self.line else None, "F", at_or_before=True)

    def always_since(self, holds: Callable[[int], bool]) -> Since:
        """The first commit of the line from which on it holds ever after, by place in `line` (rule M).

        It holds at the head. Bisects: right where the answer changes once, and honest where not, since the commit that
        is named holds and its parent does not.
        """
        low, high = 0, len(self.line) - 1
        if high < 0:
            return Since(None, "M")
        if holds(low):
            return Since(self.line[0], "M", at_or_before=self.is_cut)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if holds(middle) else (middle, high)
        return Since(self.line[high], "M")

    def trend(self, values: Sequence[float | None], threshold: float) -> Since:
        """The first commit from which the rolling median of `TREND` commits stays over a threshold (rule T).

        Args:
            values: by place in `line`, None where a commit says nothing.
            threshold: above which it counts.
        """
        told = [(n, value) for n, value in enumerate(values) if value is not None]
        start: int | None = None
        for last in range(len(told)):
            window = [value for _, value in told[max(0, last - TREND + 1) : last + 1]]
            over = median(window) > threshold
            start = (told[last][0] if start is None else start) if over else None
        place = start if start is not None else len(self.line) - 1
        return Since(self.line[place] if self.line else None, "T", at_or_before=place == 0 and self.is_cut)

    # files ------------------------------------------------------------------------------------------------------------

    @cached_property
    def files(self) -> Files | None:
        """The lifetimes of all files, seen from the head; None if manifests were not read."""
        if self.history is None or self.head is None:
            return None
        return Files(self.history.lifetimes, self.history.lifetimes.place[self.head.snapshot_id])

    @property
    def hole(self) -> str:
        """What of the history could not be read, a sentence; empty if nothing."""
        if self.history is None:
            return ""
        lists, manifests = len(self.history.unreadable_lists), len(self.history.unreadable)
        lost = [formats.count(n, name) for n, name in ((lists, "manifest list"), (manifests, "manifest")) if n]
        return f"{' and '.join(lost)} could not be read." if lost else ""

    @cached_property
    def reach(self) -> Longs:
        """By lifetime what each delete that lives at the head reaches, as `scope.reached` has it; told once."""
        files = self.files
        return np.empty(0, np.int64) if files is None else reached(files, files.live, self.metadata.specs)


def told_once(tell: Callable[[Known], T]) -> Callable[[Known], T]:
    """What is told of what is known, kept as long as that is."""
    kept = WeakKeyDictionary[Known, T]()

    @wraps(tell)
    def told(known: Known) -> T:
        if known not in kept:
            kept[known] = tell(known)
        return kept[known]

    return told


def column_in_sql(path: str) -> str:
    """A column, or a field within one, as SQL writes it."""
    return ".".join(part if _PLAIN.fullmatch(part) else f"`{part.replace('`', '``')}`" for part in path.split("."))


def short(path: str) -> str:
    """The last part of a path."""
    return path.rsplit("/", 1)[-1]


def snapshots_sql(known: Known, snapshots: Iterable[Snapshot]) -> str:
    """SQL that shows commits with their summaries."""
    ids = ",\n  ".join(str(s.snapshot_id) for s in snapshots)
    return (
        "SELECT\n  committed_at, snapshot_id, parent_id, operation, summary\n"
        f"FROM {known.named.table}.snapshots\nWHERE snapshot_id IN (\n  {ids}\n)\nORDER BY committed_at"
    )


def entries_sql(known: Known, columns: str, where: str, rest: str = "") -> str:
    """SQL over the live entries of the head."""
    return f"SELECT\n  {columns}\nFROM {known.named.table}.entries\nWHERE {where}" + (f"\n{rest}" if rest else "")
