"""What a procedure of Iceberg would do with given arguments: everything that it would touch, and what it would leave.

The rules are those of Iceberg 1.12, one module each beside this one; nothing here asks a clock.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from ..evidence import Note
from ..iceberg.inheritance import ContentKind, StoredEntry
from ..iceberg.metadata import Snapshot

Procedure = Literal[
    "rollback_to_snapshot",
    "set_current_snapshot",
    "expire_snapshots",
    "rewrite_data_files",
    "cherrypick_snapshot",
    "remove_orphan_files",
    "rewrite_position_delete_files",
    "rewrite_manifests",
]
PROCEDURES: tuple[Procedure, ...] = (
    "rollback_to_snapshot",
    "set_current_snapshot",
    "cherrypick_snapshot",
    "expire_snapshots",
    "rewrite_data_files",
    "rewrite_position_delete_files",
    "rewrite_manifests",
    "remove_orphan_files",
)
"""In the order in which they are offered: first those that move main, then those that rewrite and delete."""

What = Literal["lost", "returned", "added", "removed", "rewritten", "kept"]
"""What becomes of a thing. `lost`: main has it no more, though it is still stored; `returned`: main has it again;
`added`: main gets it; `removed`: deleted for good; `rewritten`: replaced by others of the same contents; `kept`."""
OUTCOMES: tuple[What, ...] = ("lost", "removed", "rewritten", "returned", "added", "kept")

Kind = (
    ContentKind
    | Literal[
        "snapshot",
        "branch",
        "tag",
        "manifest",
        "manifest list",
        "statistics file",
        "partition spec",
        "schema",
        "file",
    ]
)
KINDS: tuple[Kind, ...] = (
    "snapshot",
    "branch",
    "tag",
    "data",
    "equality deletes",
    "position deletes",
    "deletion vector",
    "manifest",
    "manifest list",
    "statistics file",
    "file",
    "partition spec",
    "schema",
)

Argument = int | str | bool | datetime | tuple[int, ...] | tuple[str, ...] | Mapping[str, str]
"""A value that a procedure takes: a time is UTC, a mapping is its options."""


@dataclass(frozen=True, slots=True)
class Call:
    """A procedure with its arguments by name, in order; the table is left out."""

    procedure: Procedure
    arguments: Mapping[str, Argument]

    @classmethod
    def of(cls, procedure: Procedure, /, **arguments: Argument | None) -> Call:
        """The call with those arguments that are given."""
        given = {name: value for name, value in arguments.items() if value is not None}
        return cls(procedure, MappingProxyType(given))


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing, what would become of it, and why.

    Attributes:
        snapshot_id: of a snapshot, or the one that a ref or a manifest list belongs to; None for all else.
        sequence_number: of a snapshot; None for all else, and in format version 1.
        name: of a ref; the id of a spec or schema; else empty.
        file_path: None for what is no file. content_offset: of a deletion vector in its file, bytes.
        spec_id, partition: of a data or delete file; None for all else.
        size_in_bytes: of the file, of a deletion vector its own part; None where metadata does not say.
        record_count: rows, positions or keys in the file; of a snapshot the rows that it added; None if not known.
    """

    what: What
    kind: Kind
    why: str
    snapshot_id: int | None = None
    sequence_number: int | None = None
    name: str = ""
    file_path: str | None = None
    content_offset: int | None = None
    spec_id: int | None = None
    partition: str | None = None
    size_in_bytes: int | None = None
    record_count: int | None = None

    @classmethod
    def of_snapshot(cls, what: What, snapshot: Snapshot, why: str) -> Effect:
        """Of a snapshot that is listed."""
        return cls(
            what,
            "snapshot",
            why,
            snapshot_id=snapshot.snapshot_id,
            sequence_number=snapshot.sequence_number or None,
            record_count=snapshot.count("added-records"),
        )

    @classmethod
    def of_file(cls, what: What, entry: StoredEntry, why: str) -> Effect:
        """Of a data or delete file."""
        part = entry.content_size_in_bytes
        return cls(
            what,
            entry.kind,
            why,
            file_path=entry.file_path,
            content_offset=entry.content_offset,
            spec_id=entry.spec_id,
            partition=entry.partition,
            size_in_bytes=entry.file_size_in_bytes if part is None else part,
            record_count=entry.record_count,
        )


@dataclass(frozen=True, slots=True)
class Sum:
    """Things of one kind of which the same becomes, together; bytes and records of those of which they are known."""

    what: What
    kind: Kind
    count: int
    size_in_bytes: int
    record_count: int


@dataclass(frozen=True)
class DryRun:
    """What a call would do.

    Attributes:
        call: the procedure and its arguments.
        at: the time (UTC) as of which it is told.
        refusal: the words in which Iceberg would refuse it; empty if it would run. Then nothing is in `effects`.
        effects: everything that it would touch, and of what it would leave that which a person might ask about.
        unlisted: sums of further effects, where there are too many files to list.
        target: the snapshot that it is about; None if it is about none.
        net_rows: rows that main would have more (or, below 0, fewer) than now; None if that is not known or not asked.
        expected_files: files that would be written in place of those that are rewritten; None if none is rewritten.
        consequences: who would notice, and what stays as it is; sentences.
        danger: what cannot be taken back, or what must hold before it is run; a sentence.
        undo: the call that takes it back; None if nothing does.
        undo_words: what to do to take it back, or why nothing does; a sentence.
        notes: how sure the answer is.
    """

    call: Call
    at: datetime
    refusal: str = ""
    effects: tuple[Effect, ...] = ()
    unlisted: tuple[Sum, ...] = ()
    target: Snapshot | None = None
    net_rows: int | None = None
    expected_files: int | None = None
    consequences: tuple[str, ...] = ()
    danger: str = ""
    undo: Call | None = None
    undo_words: str = ""
    notes: tuple[Note, ...] = ()

    @cached_property
    def sums(self) -> tuple[Sum, ...]:
        """Everything by what becomes of it and by kind, in the order of `OUTCOMES` and `KINDS`."""
        return sums(self.effects, self.unlisted)

    def sum_of(self, what: What, *kinds: Kind) -> Sum:
        """What becomes of these kinds, of all if none is given, in one sum."""
        found = [s for s in self.sums if s.what == what and (not kinds or s.kind in kinds)]
        return Sum(
            what,
            found[0].kind if found else "file",
            sum(s.count for s in found),
            sum(s.size_in_bytes for s in found),
            sum(s.record_count for s in found),
        )

    @property
    def changes_nothing(self) -> bool:
        """Whether it would run, and leave everything as it is."""
        return not self.refusal and all(s.what == "kept" for s in self.sums)


def sums(effects: Iterable[Effect], unlisted: Iterable[Sum] = ()) -> tuple[Sum, ...]:
    """Effects counted, with sums of others."""
    found: dict[tuple[What, Kind], list[int]] = defaultdict(lambda: [0, 0, 0])
    for effect in effects:
        tally = found[effect.what, effect.kind]
        tally[0] += 1
        tally[1] += effect.size_in_bytes or 0
        tally[2] += effect.record_count or 0
    for more in unlisted:
        tally = found[more.what, more.kind]
        tally[0] += more.count
        tally[1] += more.size_in_bytes
        tally[2] += more.record_count
    place: Callable[[tuple[What, Kind]], tuple[int, int]] = lambda key: (OUTCOMES.index(key[0]), KINDS.index(key[1]))  # noqa: E731
    return tuple(Sum(*key, *found[key]) for key in sorted(found, key=place))
