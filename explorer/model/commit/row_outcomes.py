"""From counted rows to the rows of a commit: the outcomes in each file, the ribbons, and how sure all of it is.

Sources: Iceberg specification, "Row Lineage", "Snapshots" (`replace`: files changed, rows did not).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from .. import formats
from ..evidence import Note
from ..iceberg.commit import Commit
from ..iceberg.inheritance import StoredEntry
from ..iceberg.row_lineage import RowIds
from ..iceberg.touched_files import TouchedFiles
from .matched import MatchedRows
from .rows import CommitRows, FileRows, Masking, Outcomes, PartitionRows, Ribbon

MOST_FILES = 100_000
MOST_RIBBONS = 2_000
_FIELD = {"carried over": "carried_over", "inserted": "inserted", "updated": "updated", "deleted": "deleted"}


def commit_rows(commit: Commit, touched: TouchedFiles, matched: MatchedRows, row_ids: RowIds) -> CommitRows:
    """The rows of a commit.

    Args:
        commit: its files.
        touched: the data files whose rows were read.
        matched: what was counted in them.
        row_ids: whether row ids were to be used, and why.
    """
    gone, new = _by_side(matched.by_file)
    masks = _masks(touched, matched)
    files = []
    changes: tuple[tuple[Literal["removed", "kept", "added"], Sequence[StoredEntry]], ...] = (
        ("removed", touched.removed if matched.before_known else ()),
        ("kept", touched.kept if matched.before_known else ()),
        ("added", touched.added),
    )
    for change, entries in changes:
        for entry in entries:
            path = entry.file_path
            outcomes = gone.get(path, Outcomes()) + new.get(path, Outcomes())
            if change != "kept":
                seen = outcomes.carried_over + outcomes.inserted + outcomes.updated + outcomes.deleted
                outcomes += Outcomes(unseen=entry.record_count - seen)
            files.append(
                FileRows(
                    path=path,
                    change=change,
                    spec_id=entry.spec_id,
                    partition=entry.partition,
                    record_count=entry.record_count,
                    size_in_bytes=entry.file_size_in_bytes,
                    outcomes=outcomes,
                    masked_by=masks.get(path, ()),
                )
            )
    totals = _totals(matched.by_file, sum(f.outcomes.unseen for f in files))
    replaced = commit.snapshot.operation == "replace" and matched.before_known
    added = [f for f in files if f.change == "added"]
    ribbons = _ribbons(matched)
    return CommitRows(
        before_known=matched.before_known,
        files=tuple(files[:MOST_FILES]),
        file_count=len(files),
        totals=totals,
        by_partition=_partitions(files, gone, new),
        ribbons=ribbons[:MOST_RIBBONS],
        cells=matched.cells,
        pairing="row id" if matched.by_row_id else "identifier columns" if matched.identifier_columns else "none",
        identifier_columns=matched.identifier_columns,
        rows_written=sum(f.record_count for f in added),
        bytes_written=sum(f.size_in_bytes for f in added),
        notes=tuple(_notes(commit, touched, matched, row_ids, files, len(ribbons), totals if replaced else None)),
        changed_by_replace=totals.inserted + totals.updated + totals.deleted if replaced else 0,
    )


def _by_side(by_file: Mapping[tuple[str, bool, str], int]) -> tuple[dict[str, Outcomes], dict[str, Outcomes]]:
    """Outcomes of the rows that left each file, and of those that came to it."""
    gone: dict[str, Outcomes] = defaultdict(Outcomes)
    new: dict[str, Outcomes] = defaultdict(Outcomes)
    for (path, left, outcome), rows in by_file.items():
        side = gone if left else new
        side[path] += Outcomes(**{_FIELD[outcome]: rows})
    return gone, new


def _totals(by_file: Mapping[tuple[str, bool, str], int], unseen: int) -> Outcomes:
    """Rows, not their two sides: carried over and updated ones are counted where they came from."""
    sums: dict[str, int] = defaultdict(int)
    for (_, left, outcome), rows in by_file.items():
        if left or outcome == "inserted":
            sums[_FIELD[outcome]] += rows
    return Outcomes(unseen=unseen, **sums)


def _partitions(
    files: Iterable[FileRows], gone: Mapping[str, Outcomes], new: Mapping[str, Outcomes]
) -> tuple[PartitionRows, ...]:
    sides: dict[tuple[int, str], list[Outcomes]] = defaultdict(lambda: [Outcomes(), Outcomes()])
    for file in files:
        side = sides[file.spec_id, file.partition]
        unseen = Outcomes(unseen=file.outcomes.unseen)
        side[0] += gone.get(file.path, Outcomes()) + (unseen if file.change == "removed" else Outcomes())
        side[1] += new.get(file.path, Outcomes()) + (unseen if file.change == "added" else Outcomes())
    return tuple(PartitionRows(*place, *side) for place, side in sorted(sides.items()))


def _ribbons(matched: MatchedRows) -> tuple[Ribbon, ...]:
    certainty: Literal["proved", "inferred"] = "proved" if matched.by_row_id else "inferred"
    return tuple(
        Ribbon(flow.source, flow.target, flow.outcome, flow.rows, certainty)
        for flow in matched.flows
        if flow.source is not None and flow.target is not None
    )


def _masks(touched: TouchedFiles, matched: MatchedRows) -> dict[str, tuple[Masking, ...]]:
    kinds = {(delete.file_path, delete.content_offset): delete.kind for delete in touched.deletes_added}
    found = defaultdict(list)
    for mask in matched.masked:
        kind = kinds[mask.delete_path, mask.content_offset]
        found[mask.data_path].append(Masking(mask.delete_path, mask.content_offset, kind, mask.rows))
    return {path: tuple(sorted(masks, key=lambda m: (-m.rows, m.delete_path))) for path, masks in found.items()}


def _notes(
    commit: Commit,
    touched: TouchedFiles,
    matched: MatchedRows,
    row_ids: RowIds,
    files: Collection[FileRows],
    ribbons: int,
    replaced: Outcomes | None,
) -> Iterable[Note]:
    if not matched.before_known:
        state = "is no longer listed" if commit.parent_state == "expired" else "cannot be read"
        yield Note(
            "unknown",
            "Rows before",
            f"The parent {commit.snapshot.parent_id} {state}. All rows of added files count as inserted, though some"
            " may have been carried over; which rows were deleted or updated cannot be told.",
        )
    if replaced is not None and (changed := replaced.inserted + replaced.updated + replaced.deleted):
        yield Note(
            "exact",
            f"A commit that must not change rows changed {formats.count(changed, 'row')}",
            f"Its operation is replace, yet {formats.count(replaced.inserted, 'row')} came,"
            f" {formats.count(replaced.updated, 'row')} changed and {formats.count(replaced.deleted, 'row')} went.",
        )
    if matched.before_known:
        yield from _pairing_notes(matched, row_ids)
    if matched.not_compared:
        yield Note(
            "unknown",
            f"Changes in {', '.join(matched.not_compared)}",
            "Spark cannot compare values of this type; rows that differ only there count as carried over.",
        )
    if matched.masks_unknown:
        yield Note("unknown", "Which delete masks which row, where several can", matched.masks_unknown)
    if matched.listed_again:
        yield Note(
            "exact",
            f"{formats.count(len(matched.listed_again), 'file')} listed by other entries too",
            "The commit left those alone: readers give the rows of the file once for each entry, and here they are"
            " counted once, for the entry that the commit added or removed.",
        )
    wrong = sum(f.outcomes.unseen < 0 for f in files)
    if wrong:
        yield Note(
            "exact",
            f"The metadata counts too few rows in {formats.count(wrong, 'file')}",
            "More rows were read from them than their entries say; their rows not seen are below 0.",
        )
    not_seen = sum(f.outcomes.unseen for f in files if f.outcomes.unseen > 0)
    if not_seen and matched.before_known and not _lists_deletes(commit):
        yield Note(
            "unknown",
            f"What became of {formats.count(not_seen, 'row')}",
            "By their entries the touched files hold them, and no delete is listed that could mask them, yet reading"
            " the files did not show them.",
        )
    if not touched.complete:
        yield Note(
            "unknown",
            "Some touched files",
            "They are too many to list; the totals and ribbons hold their rows, files and partitions do not.",
        )
    if len(files) > MOST_FILES:
        yield Note("exact", f"{MOST_FILES:,} of {len(files):,} touched files listed", "The counts are of all of them.")
    if ribbons > MOST_RIBBONS or matched.flow_count > len(matched.flows):
        shown = min(ribbons, MOST_RIBBONS)
        most = f"of {ribbons:,}" if matched.flow_count == len(matched.flows) else f"of more than {ribbons:,}"
        yield Note("exact", f"{shown:,} {most} ribbons listed", "Those with the most rows; the counts are of all rows.")


def _lists_deletes(commit: Commit) -> bool:
    """Whether the snapshot or its parent lists a manifest of deletes, as far as is known."""
    manifests = commit.manifests
    return (
        manifests is None
        or manifests.dropped is None
        or any(m.content for m in (*manifests.new, *manifests.kept, *manifests.dropped))
    )


def _pairing_notes(matched: MatchedRows, row_ids: RowIds) -> Iterable[Note]:
    outcomes = {outcome for _, _, outcome in matched.by_file}
    if len({left for _, left, _ in matched.by_file}) < 2:
        return  # rows on one side only: none could have become another
    if matched.by_row_id:
        yield Note("exact", "Which row became which", f"By row id. {row_ids.reason}")
        return
    why = f"Row ids were not used: {matched.row_ids_failed}" if matched.row_ids_failed else row_ids.reason
    yield Note(
        "inferred",
        "Which rows were carried over",
        f"By equal values: as many of each as were both gone and new. {why}"
        " A row deleted and written again with the same values counts as carried over.",
    )
    if matched.identifier_columns:
        by = ", ".join(matched.identifier_columns)
        yield Note("inferred", "Which rows were updated", f"By {by}: one row gone and one new with equal values there.")
        if matched.ambiguous:
            yield Note(
                "unknown",
                f"Updates among {formats.count(matched.ambiguous, 'row')}",
                f"Several of them share their {by}, so they count as deleted and inserted.",
            )
    elif {"deleted", "inserted"} <= outcomes:
        yield Note(
            "unknown",
            "Updates",
            "Neither row ids nor identifier columns tell which deleted and inserted rows are one row.",
        )
