"""`rewrite_position_delete_files`: the position delete files that it would choose, and why not the others.

Sizes alone count. Positions in data files that are not live are left out of what is written. In version 3 what is
written are deletion vectors, and where there are no others it does nothing.

Source: the Java library's `BinPackRewritePositionDeletePlanner` and Spark's `RewritePositionDeleteFilesSparkAction`
(1.12).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from .. import formats
from ..evidence import Note
from ..iceberg.inheritance import StoredEntry
from ..iceberg.metadata import TableMetadata
from ..iceberg.touched_files import referenced_data_file
from ..words import partition_fields
from . import planner
from .facts import Call, DryRun, Effect
from .planner import Sizes
from .rewrite_data import Live, long_property

_TARGET = 64 * 1024 * 1024
_VECTORS = 3  # format version from which on positions are written as deletion vectors
_DANGER = (
    "It fails if a commit meanwhile changes the chosen files; what it replaces stays stored until the snapshots that"
    " have it expire."
)
_UNDO = "Roll main back to the snapshot it has now, as long as nothing else was committed since."
_ALREADY = "deletion vectors already, which are left alone where there is nothing else"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is given to `rewrite_position_delete_files`; None for what is left to Iceberg."""

    options: Mapping[str, str] | None = None
    where: str | None = None

    @property
    def call(self) -> Call:
        """The call with what is given."""
        return Call.of("rewrite_position_delete_files", options=self.options or None, where=self.where)


def check(metadata: TableMetadata, asked: Asked) -> Sizes:
    """The thresholds by the options.

    Raises:
        Refused: the call would be.
    """
    options = asked.options or {}
    planner.check_options(options, planner.OPTIONS, "REWRITE-POSITION-DELETES")
    return Sizes.of(options, long_property(metadata, "write.delete.target-file-size-bytes", _TARGET))


def rewrite(
    metadata: TableMetadata, asked: Asked, sizes: Sizes, live: Live, deletes: Sequence[StoredEntry], at: datetime
) -> DryRun:
    """What rewriting would choose.

    Args:
        metadata: the table's.
        asked: the arguments.
        sizes: what they come to.
        live: files of the current snapshot.
        deletes: the live ones that may lie in a partition that is asked for.
        at: now.
    """
    positions = [entry for entry in deletes if entry.content == 1]
    if metadata.format_version >= _VECTORS and all(e.kind == "deletion vector" for e in live.deletes if e.content == 1):
        kept = tuple(Effect.of_file("kept", entry, _ALREADY) for entry in positions)
        return DryRun(asked.call, at, effects=kept, net_rows=0, notes=tuple(_notes(live, False)))
    chosen = [(_place(e), e) for e in positions if sizes.every or sizes.odd_size(e.file_size_in_bytes)]
    taken = {(e.file_path, e.content_offset) for _, e in chosen}
    effects = [
        Effect.of_file("kept", e, sizes.left_alone) for e in positions if (e.file_path, e.content_offset) not in taken
    ]
    together = planner.by_place(chosen)
    groups = [group for files in together for group in sizes.packed(files)]
    rewritten = []
    for group in groups:
        weights = [file.file_size_in_bytes for file in group]
        if sizes.every or sizes.worthwhile(weights):
            rewritten.append(group)
        else:
            effects += [Effect.of_file("kept", file, sizes.too_little(weights)) for file in group]
    done = [
        Effect.of_file("rewritten", e, sizes.odd_size(e.file_size_in_bytes) or "rewrite-all")
        for g in rewritten
        for e in g
    ]
    expected = sum(_written(metadata, sizes, group) for group in rewritten)
    return DryRun(
        asked.call,
        at,
        effects=(*done, *effects),
        expected_files=expected if rewritten else None,
        net_rows=0,
        consequences=tuple(_consequences(metadata, len(rewritten))),
        danger=_DANGER if rewritten else "",
        undo=Call.of("rollback_to_snapshot", snapshot_id=metadata.current_snapshot_id) if rewritten else None,
        undo_words=_UNDO if rewritten else "",
        notes=tuple(_notes(live, bool(rewritten), several=len(groups) > len(together))),
    )


def _written(metadata: TableMetadata, sizes: Sizes, group: Sequence[StoredEntry]) -> int:
    """Files that a group is written into: by its bytes, and at least one for each data file unless told otherwise."""
    by_size = sizes.output_files(sum(file.file_size_in_bytes for file in group))
    if metadata.properties.get("write.delete.granularity", "file").lower() != "file":
        return by_size
    named = {referenced_data_file(entry) for entry in group} - {None}
    return max(by_size, len(named))


def _place(entry: StoredEntry) -> tuple[tuple[str, str], ...]:
    """The fields of its partition that are not null: specs do not matter where their fields are the same."""
    return tuple(sorted((name, value) for name, value in partition_fields(entry.partition) if value != "null"))


def _consequences(metadata: TableMetadata, groups: int) -> Iterator[str]:
    if not groups:
        return
    yield f"{formats.count(groups, 'group')} of files; no row changes; positions in data files that are gone go too."
    if metadata.format_version >= _VECTORS:
        yield "What is written are deletion vectors, one for each data file."


def _notes(live: Live, is_rewritten: bool, *, several: bool = False) -> Iterator[Note]:
    for unreadable in live.unreadable:
        yield Note(
            "unknown", "files of a manifest", f"{unreadable.path}: {unreadable.reason} The procedure would fail."
        )
    if live.doubt:
        yield Note("inferred", "which partitions are asked for", f"All are taken, for the condition: {live.doubt}.")
    if several:
        yield Note("inferred", "how files are grouped", "In the order of manifests; Iceberg reads these side by side.")
    if is_rewritten:
        yield Note("inferred", "files afterwards", "By the bytes that are read; what is written compresses otherwise.")
