"""What a commit says, in words: the finding, its circumstances, and what follows from it.

Used by the picture, the panel and the terminal alike, so that they tell the same story. A sentence about rows is told
only of rows that were read, or of what the format itself makes certain.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from .. import formats
from ..iceberg.commit import Commit, PartitionChange, Tally
from ..iceberg.inheritance import ContentKind
from ..iceberg.writer import writer
from ..words import UNITS, account, enumerated, holds
from ..words import price as price_of
from .findings import DELETES, certain_outcome, changes_rows_of_replace, tally, unread_changes
from .rows import CommitRows

_WASTEFUL = 10.0  # rows written for one changed, from where on merge-on-read is worth a thought


def short_ids(commit: Commit) -> dict[int, str]:
    """`…9118` of the snapshot and of its parent."""
    s = commit.snapshot
    return formats.short_ids({s.snapshot_id} | ({s.parent_id} if s.parent_id is not None else set()))


def title(commit: Commit, rows: CommitRows | None = None) -> str:
    """The finding."""
    if commit.manifests is None:
        return f"Only the summary is left. It says: {_lower(account(commit.snapshot))}".rstrip(".")
    if not commit.totals.files:
        return _without_files(commit)
    if commit.snapshot.operation == "replace":
        return _replaced(commit, rows)
    finding = _by_files(commit.totals) if rows is None else _by_rows(commit, rows)
    if commit.goes_back:
        finding = f"The way back: {_lower(finding)}"
    unread = unread_changes(commit)
    return f"{finding}; {formats.count(unread, 'more changed file')} cannot be read" if unread else finding


def circumstances(commit: Commit, rows: CommitRows | None, name: str) -> list[str]:
    """The second line in parts: table, snapshot, operation, time, files, bytes, and how sure the rows are."""
    s, totals = commit.snapshot, commit.totals
    number = f", sequence number {s.sequence_number:,}" if s.sequence_number else ""
    when = f"{formats.day(s.committed_at)} {s.committed_at:%Y %H:%M:%S} UTC" if s.committed_at else "time not recorded"
    parts = [
        name,
        f"snapshot {short_ids(commit)[s.snapshot_id]}{number}",
        s.operation or "operation not recorded",
        f"by {who}" if (who := writer(s)) else "",
        when,
    ]
    if commit.manifests is not None:
        parts += [_share_removed(commit, rows)] if tally(totals.removed, "data").files else []
        parts += [f"{files} {change}" for change, files in (("added", _added_words(commit)),) if files]
        parts += _bytes(totals)
    return [part for part in [*parts, evidence(commit, rows)[1]] if part]


def evidence(commit: Commit, rows: CommitRows | None) -> tuple[Literal["exact", "inferred", "unknown"], str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    if commit.manifests is None:
        return "unknown", "unknown: files and rows"
    unread = unread_changes(commit)
    if unread:
        return "unknown", f"unknown: {formats.count(unread, 'changed file')}"
    if rows is None:
        return "exact", "exact (files; rows not read)"
    if not rows.before_known:
        return "unknown", "unknown: rows before"
    if not rows.totals.carried_over and not rows.totals.updated:
        if rows.pairing == "none" and rows.totals.deleted and rows.totals.inserted:
            return "exact", "exact, but an update is told as a row deleted and one inserted"
        return "exact", "exact"
    if rows.pairing == "row id":
        return "exact", "exact (rows matched by _row_id)"
    how = ["rows carried over matched by value"] if rows.totals.carried_over else []
    if rows.totals.updated and rows.pairing == "identifier columns":
        how.append(f"updates by {', '.join(rows.identifier_columns)}")
    return "inferred", f"inferred: {', '.join(how)}"


def closing(commit: Commit, rows: CommitRows | None) -> list[str]:
    """What follows from the commit, most important first."""
    if commit.manifests is None:
        return []
    if changes_rows_of_replace(commit, rows):
        return [
            "A replace must not change a row: whoever reads changes skips it, so these rows appear in no changelog.",
            *_own(commit, rows),
        ]
    if rows is None:
        return _what_rows_would_show(commit)
    return [*_price(commit, rows), *_own(commit, rows)]


def ratio(value: float) -> str:
    """`1.7`; whole from 10 on."""
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def _without_files(commit: Commit) -> str:
    manifests = commit.manifests
    unread = unread_changes(commit)
    if unread:
        return f"What it changed cannot be read: {formats.count(unread, 'changed file')} in lost manifests"
    if commit.contradictions:
        return "Changed no file, though the metadata claims that it did"
    if manifests and (manifests.new or manifests.dropped):
        if manifests.dropped is None:
            return f"Wrote {formats.count(len(manifests.new), 'manifest')} anew; no file changed"
        return (
            f"Rewrote {formats.count(len(manifests.dropped), 'manifest')} into {len(manifests.new):,}; no file changed"
            if manifests.new
            else f"Dropped {formats.count(len(manifests.dropped), 'manifest')}; no file changed"
        )
    return "Changed nothing: an empty commit"


def _replaced(commit: Commit, rows: CommitRows | None) -> str:
    added, removed = tally(commit.totals.added, "data"), tally(commit.totals.removed, "data")
    if rows is not None and changes_rows_of_replace(commit, rows):
        t = rows.totals
        counts = ((t.inserted, "inserted"), (t.updated, "updated"), (t.deleted, "deleted"))
        return f"A replace that changed rows: {enumerated([f'{n:,} {word}' for n, word in counts if n])}"
    if not added.files and not removed.files:
        return _by_deletes_alone(commit.totals)
    kept = "" if rows is None or not rows.before_known else "; every row carried over"
    if not added.files:
        return f"Removed {_files(removed.files)} with {formats.count(removed.records, 'row')} as a replace{kept}"
    if not removed.files:
        return f"Added {_files(added.files)} with {formats.count(added.records, 'row')} as a replace{kept}"
    return f"Compacted {_files(removed.files)} into {added.files:,}{kept}"


def _by_files(totals: PartitionChange) -> str:
    added, removed = tally(totals.added, "data"), tally(totals.removed, "data")
    deletes = tally(totals.added, *DELETES).files
    with_rows = formats.count(added.records, "row")
    if added.files and removed.files:
        gone = formats.count(removed.records, "row")
        return f"Removed {_files(removed.files)} with {gone}, added {added.files:,} with {added.records:,}"
    if added.files and deletes:
        return f"Rewrote no file: added {_files(added.files)} with {with_rows} and {_kinds(_deletes(totals.added))}"
    if added.files:
        return f"Added {_files(added.files)}, {with_rows}"
    if removed.files:
        return f"Removed {formats.count(removed.files, 'whole file')}, {formats.count(removed.records, 'row')}"
    return _by_deletes_alone(totals)


def _by_deletes_alone(totals: PartitionChange) -> str:
    if totals.added and totals.removed:
        return f"Rewrote no data file: {_kinds(totals.removed)} became {_kinds(totals.added)}"
    if totals.added:
        held = enumerated([holds(kind, t.records) for kind, t in totals.added.items()])
        return f"Rewrote no file: added {_kinds(totals.added)}, {held}"
    return f"Rewrote no data file: removed {_kinds(totals.removed)}"


def _by_rows(commit: Commit, rows: CommitRows) -> str:
    added, removed = tally(commit.totals.added, "data"), tally(commit.totals.removed, "data")
    deletes = tally(commit.totals.added, *DELETES).files
    t = rows.totals
    if not rows.before_known:
        wrote = (
            f"Wrote {formats.count(rows.rows_written, 'row')} in {_files(added.files)}"
            if added.files
            else "Wrote no row"
        )
        return f"{wrote}; the rows before are unknown"
    if removed.files and added.files:
        return _rewrite(rows, added, removed)
    if removed.files:
        return f"Removed {formats.count(removed.files, 'whole file')}: {formats.count(t.deleted, 'row')} deleted"
    masked = t.updated + t.deleted + t.carried_over
    if added.files and deletes:
        new = formats.count(rows.rows_written, "new one")
        return f"Rewrote no file: masked {formats.count(masked, 'old row')}, wrote {new}"
    if added.files:
        return f"Added {_files(added.files)}, {formats.count(added.records, 'row')}"
    if deletes:
        reached = sum(f.change == "kept" for f in rows.files)
        where = f" in {_files(reached)}" if reached and len(rows.files) == rows.file_count else ""
        back = f"; {t.inserted:,} came back" if t.inserted else ""
        if not masked:
            return f"Rewrote no file: added {_kinds(commit.totals.added)}, masked no row{back}"
        return f"Rewrote no file: masked {formats.count(masked, 'row')}{where}{back}"
    came = f"{formats.count(t.inserted, 'row')} came back" if t.inserted else "no row came back"
    return f"Removed {_kinds(commit.totals.removed)}: {came}"


def _rewrite(rows: CommitRows, added: Tally, removed: Tally) -> str:
    t, gone = rows.totals, formats.count(removed.records, "row")
    if not rows.changed:
        return f"Rewrote {gone} and changed none"
    if not t.carried_over and not t.updated:
        files = f"{_files(removed.files)} by {added.files:,}"
        return (
            f"Replaced {files}: {formats.count(t.deleted, 'row')} deleted, {t.inserted:,} inserted, none carried over"
        )
    per_row = ratio(rows.rows_written / rows.changed)
    return f"Rewrote {gone} to change {rows.changed:,}: {per_row} rows written per changed row"


def _price(commit: Commit, rows: CommitRows) -> list[str]:
    """What the way of writing cost, and what the other way would have."""
    t = rows.totals
    added, removed = tally(commit.totals.added, "data"), tally(commit.totals.removed, "data")
    if not rows.before_known:
        return []
    if commit.snapshot.operation == "replace" and added.files and removed.files:
        fewer = removed.files - added.files
        opened = (
            f"readers open {formats.count(fewer, 'file')} fewer" if fewer > 0 else "as many files as before, or more"
        )
        return [f"No row changed; {opened}."]
    if removed.files and added.files and t.carried_over:
        positions = t.updated + t.deleted
        if rows.changed and rows.rows_written / rows.changed >= _WASTEFUL:
            written = [formats.count(t.inserted + t.updated, "row")] if t.inserted + t.updated else []
            written += [formats.count(positions, "position")] if positions else []
            return [
                f"Few changed rows in many: merge-on-read would have written {enumerated(written)} instead; "
                "reads then pay for it until compaction."
            ]
        times = f": {ratio(rows.rows_written / rows.changed)}×" if rows.changed else ""
        return [
            f"{formats.count(rows.rows_written, 'row')} written for {formats.count(rows.changed, 'change')}{times}."
        ]
    masked = [f for f in rows.files if f.change == "kept" and f.masked_by]
    if masked and len(rows.files) == rows.file_count:
        held = sum(f.record_count for f in masked)
        needs = "needs a delete file on every read" if len(masked) == 1 else "need a delete file on every read"
        return [
            f"The cost moved to the readers: {formats.count(len(masked), 'data file')} ({formats.compact(held)} rows) "
            f"{needs}. Copy-on-write would have rewritten {formats.count(held, 'row')}."
        ]
    return []


def _own(commit: Commit, rows: CommitRows | None) -> list[str]:
    """Whose the rows are now: a carried-over row changed its owner, not its value."""
    if rows is None or not rows.totals.carried_over:
        return []
    own = short_ids(commit)[commit.snapshot.snapshot_id]
    return [
        f"{formats.count(rows.totals.carried_over, 'row')} carried over: equal values, new file, now owned by {own}."
    ]


def _what_rows_would_show(commit: Commit) -> list[str]:
    data = tally(commit.totals.added, "data") + tally(commit.totals.removed, "data")
    deletes = tally(commit.totals.added, *DELETES).files + tally(commit.totals.removed, *DELETES).files
    if not data.files and not deletes:
        return []
    certain = certain_outcome(commit)
    if certain == "inserted":
        return ["Every row in the added files is new: no file was removed, and no delete file came or went."]
    if certain == "deleted":
        return ["Every row in the removed files is deleted: nothing was added, and the table has no delete file."]
    reads = [price_of(_files(data.files), data.size_in_bytes)] if data.files else []
    reads += ["the files that the deletes reach"] if deletes else []
    return [
        f"Rows were not read. Reading them ({' and '.join(reads)}) tells which were carried over, updated, inserted "
        "or deleted, and from which file to which."
    ]


def _share_removed(commit: Commit, rows: CommitRows | None) -> str:
    """Removed files are called rewritten only if rows of them are known to be in other files now."""
    removed, kept = tally(commit.totals.removed, "data").files, commit.kept.data_files
    moved = commit.snapshot.operation == "replace" or (rows is not None and rows.totals.carried_over)
    rewritten = "rewritten" if moved and tally(commit.totals.added, "data").files else "removed"
    if kept is None:
        return f"{formats.count(removed, 'data file')} {rewritten}"
    return f"{removed:,} of {formats.count(removed + kept, 'data file')} {rewritten}"


def _added_words(commit: Commit) -> str:
    added = commit.totals.added
    return _kinds({k: t for k, t in added.items() if k != "data" or not tally(commit.totals.removed, "data").files})


def _bytes(totals: PartitionChange) -> list[str]:
    sums = {
        "removed": tally(totals.removed, "data", *DELETES).size_in_bytes,
        "added": tally(totals.added, "data", *DELETES).size_in_bytes,
    }
    sizes = ", ".join(f"{formats.size(n)} {word}" for word, n in sums.items() if n)
    return [sizes] if sizes else []


def _kinds(tallies: Mapping[ContentKind, Tally]) -> str:
    return enumerated([formats.count(tallies[kind].files, unit) for kind, unit in UNITS.items() if kind in tallies])


def _deletes(tallies: Mapping[ContentKind, Tally]) -> dict[ContentKind, Tally]:
    return {kind: t for kind, t in tallies.items() if kind != "data"}


def _files(n: int) -> str:
    return formats.count(n, "file")


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
