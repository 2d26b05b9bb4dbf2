"""The rows that the commits of a range changed, in one of five ways of telling it, and where they are read from.

`raw` prints what a commit's files gave up and brought: a row that was only copied to another file is a DELETE and an
INSERT. `changes` leaves those carry-over rows out. `updates` joins what is left of one row into a pair. `net` cancels
what later commits of the range took back. `ownership` prints the rows that are live at the end, each with the commit
that added the file that holds it.

Sources: Iceberg's changelog scan (`.changes`) and its procedure `create_changelog_view`; specification, "Snapshots".
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, get_args

from .. import formats
from ..evidence import Note
from ..iceberg.commit import Commit
from ..iceberg.commit_range import CommitRange, NumberedCommit
from ..iceberg.inheritance import ListedManifest
from ..iceberg.metadata import Snapshot
from ..iceberg.row_lineage import RowIds
from .counted import ChangeType, CommitTally, DrawnRow

Mode = Literal["raw", "changes", "updates", "net", "ownership"]
MODES: tuple[Mode, ...] = get_args(Mode)
Pairing = Literal["row id", "identifier columns", "none"]
Source = Literal["changelog scan", "append scan", "row question"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring commits of the range, all with an ordinal, whose rows are read in one way.

    Attributes:
        source: `changelog scan`: Iceberg's own, one for the stretch. Where it refuses: `append scan`, Iceberg's scan of
            appended files, one for many stretches, for commits that only added files; `row question`, the rows of
            touched files before and after a commit, for all others.
    """

    source: Source
    commits: tuple[NumberedCommit, ...]

    @property
    def parent_id(self) -> int | None:
        """The snapshot before the first commit, exclusive; None for a root."""
        return self.commits[0].snapshot.parent_id

    @property
    def first_ordinal(self) -> int:
        """Of the first commit in the range."""
        return self.commits[0].ordinal or 0

    @property
    def end(self) -> int:
        """The last commit."""
        return self.commits[-1].snapshot.snapshot_id


@dataclass(frozen=True, slots=True)
class Unread:
    """A commit of the range whose rows cannot be told, with the reason."""

    commit: NumberedCommit
    reason: str


@dataclass(frozen=True, slots=True)
class CommitCounts:
    """Rows of one commit.

    Attributes:
        rows: as the mode prints them, by change type; without types that do not occur.
        carried_over: rows that the commit copied unchanged. In `raw` each of them is printed twice, as a DELETE and as
            an INSERT; None in modes that do not tell (`net`, `ownership`).
    """

    rows: Mapping[ChangeType, int]
    carried_over: int | None = None

    @property
    def printed(self) -> int:
        """Rows that the mode prints for the commit."""
        return sum(self.rows.values())


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One printed row.

    Attributes:
        key: the values of the identifier columns, or all values where there are none, as text: rows of one key are one
            row through time. Keys that are written alike are told apart by `(2)`, `(3)` and so on.
        text: its values in column order, separated by one space, cut to fit.
        ordinal: None where the owner has none (`ownership` only): a `replace`, expired, or before the range.
        snapshot_id: the commit that changed the row; in `ownership` the one that owns it, None where the metadata does
            not record it.
        carried_over: half of a row that was only copied (`raw` only).
    """

    key: str
    text: str
    change_type: ChangeType
    ordinal: int | None
    snapshot_id: int | None
    carried_over: bool = False


@dataclass(frozen=True)
class Changelog:
    """A changelog, without its rows but those that a picture can show.

    Attributes:
        columns: names of the table's current columns, in which the rows are told.
        pairing: what makes an update of a DELETE and an INSERT (`updates`); else `none`.
        identifier_columns: the given ones, else the table's; they are the keys of `rows`. Empty where there are none.
        stretches: how each commit's rows are read, oldest first; empty for `ownership`.
        unread: commits whose rows are missing from the answer.
        counts: by snapshot id, of every commit that has rows; None until they are read. In `ownership` by owner, which
            may lie outside the range, or be None: the metadata does not record it.
        rows: by key, then commit; bounded, `row_count` has them all. Empty until read.
    """

    range: CommitRange
    mode: Mode
    columns: tuple[str, ...]
    pairing: Pairing
    identifier_columns: tuple[str, ...]
    stretches: tuple[Stretch, ...] = ()
    unread: tuple[Unread, ...] = ()
    counts: Mapping[int | None, CommitCounts] | None = None
    rows: tuple[ChangedRow, ...] = ()

    @property
    def row_count(self) -> int | None:
        """Rows that the mode prints; None until they are counted."""
        return None if self.counts is None else sum(counts.printed for counts in self.counts.values())

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is exact, inferred or unknown, and why."""
        return tuple(itertools.chain(self.range.notes, _notes_of_mode(self), _notes_of_reading(self)))

    def read(self, counts: Mapping[int | None, CommitCounts], rows: Iterable[ChangedRow]) -> Changelog:
        """The same with what was read of its rows."""
        return replace(self, counts=counts, rows=tuple(rows))


def with_distinct_keys(drawn: Iterable[DrawnRow]) -> list[ChangedRow]:
    """Rows whose keys are as many as they are: null and the text `null` are written alike, long texts are cut.

    Args:
        drawn: the rows, in their order.
    """
    known: dict[str, list[int]] = {}
    rows = []
    for row in drawn:
        alike = known.setdefault(row.key, [])
        if row.same not in alike:
            alike.append(row.same)
        place = alike.index(row.same) + 1
        key = row.key if place == 1 else f"{row.key} ({place})"
        rows.append(ChangedRow(key, row.text, row.change_type, row.ordinal, row.snapshot_id, row.carried_over))
    return rows


def pairing(mode: Mode, identifier_columns: Sequence[str], row_ids: Iterable[RowIds]) -> Pairing:
    """What makes an update of a DELETE and an INSERT: identifier columns, else row ids if all commits' are usable."""
    if mode != "updates":
        return "none"
    if identifier_columns:
        return "identifier columns"
    judged = tuple(row_ids)
    return "row id" if judged and all(ids.usable for ids in judged) else "none"


def stretches(
    commits: CommitRange,
    lists: Mapping[int, Sequence[ListedManifest] | str],
    known: Container[int],
    *,
    by_row_id: bool = False,
    contradicted: Container[int] = (),
    appends: Container[int] = (),
) -> tuple[tuple[Stretch, ...], tuple[Unread, ...]]:
    """How the rows of each numbered commit can be read; and those that cannot.

    Args:
        commits: the range.
        lists: by snapshot id, the rows of the manifest list, or why it cannot be read.
        known: ids of all listed snapshots.
        by_row_id: whether `_row_id` is needed, which Iceberg's changelog scan does not offer.
        contradicted: commits about whose files the metadata says two things; then entries tell too little.
        appends: commits of which `only_appends` holds.

    Source: Iceberg's changelog scan refuses a snapshot that lists any manifest of deletes, even one without live ones.
    """
    sources: list[tuple[Source | None, NumberedCommit]] = []
    unread = []
    for commit in commits.numbered:
        snapshot = commit.snapshot
        listed = lists.get(snapshot.snapshot_id, "The metadata names no manifest list for it.")
        if isinstance(listed, str):
            unread.append(Unread(commit, listed))
            sources.append((None, commit))
        elif snapshot.parent_id is not None and snapshot.parent_id not in known and _reaches_back(snapshot, listed):
            reason = (
                f"Its parent {snapshot.parent_id} has expired, and it removed or masked rows: which ones, and which of"
                " its own rows it only copied, cannot be told any more."
            )
            unread.append(Unread(commit, reason))
            sources.append((None, commit))
        else:
            refused = by_row_id or snapshot.snapshot_id in contradicted or any(m.content == 1 for m in listed)
            sources.append((_source(commit, refused, known, appends), commit))
    found = tuple(
        Stretch(source, tuple(commit for _, commit in group))
        for source, group in itertools.groupby(sources, key=lambda pair: pair[0])
        if source is not None
    )
    return found, tuple(unread)


def _source(commit: NumberedCommit, refused: bool, known: Container[int], appends: Container[int]) -> Source:
    if not refused:
        return "changelog scan"
    snapshot = commit.snapshot
    return "append scan" if snapshot.snapshot_id in appends and snapshot.parent_id in known else "row question"


def only_appends(commit: Commit) -> bool:
    """Whether all that the commit did was to add data files whose rows no delete of the commits before it masks.

    Such files carry the commit's own sequence number; one that was given an older number may be reached by deletes.
    Source: specification, "Scan Planning"; Iceberg's append scan reads snapshots of operation `append` alone.
    """
    own = commit.snapshot.sequence_number
    return (
        commit.snapshot.operation == "append"
        and not commit.contradictions
        and commit.manifests is not None
        and len(commit.files) == commit.file_count
        and all(
            file.change == "added" and file.kind == "data" and file.resolved.data_sequence_number.value == own
            for file in commit.files
        )
    )


def append_scans(found: Sequence[Stretch], unread: Sequence[Unread]) -> list[list[NumberedCommit]]:
    """The commits of append scans, together where one scan can read them: with nothing in between that stops it.

    What stops it is a commit that cannot be read, or a stretch of the changelog scan, whose files it would read again.
    """
    stops = [u.commit.ordinal for u in unread]
    stops += [stretch.first_ordinal for stretch in found if stretch.source == "changelog scan"]
    together: dict[int, list[NumberedCommit]] = {}
    for stretch in found:
        if stretch.source == "append scan":
            passed = sum(stop is not None and stop < stretch.first_ordinal for stop in stops)
            together.setdefault(passed, []).extend(stretch.commits)
    return list(together.values())


def counts(mode: Mode, tallies: Iterable[CommitTally]) -> dict[int | None, CommitCounts]:
    """Counts by snapshot id, None for that of an owner that the metadata does not record.

    Args:
        mode: the way of telling.
        tallies: of each commit that has rows.
    """
    found = {}
    for tally in tallies:
        copied, pairs = tally.carried_over, tally.updated
        left_out = pairs + (0 if mode == "raw" else copied)
        rows: dict[ChangeType, int] = {
            "DELETE": tally.gone - left_out,
            "UPDATE_BEFORE": pairs,
            "UPDATE_AFTER": pairs,
            "INSERT": tally.came - left_out,
        }
        found[tally.snapshot_id] = CommitCounts(
            MappingProxyType({change_type: count for change_type, count in rows.items() if count}),
            None if mode in ("net", "ownership") else copied,
        )
    return found


def _reaches_back(snapshot: Snapshot, listed: Sequence[ListedManifest]) -> bool:
    """Whether a commit removed data files, or added or removed deletes; True where the list does not count."""
    own = [m for m in listed if m.added_snapshot_id in (snapshot.snapshot_id, None)]
    return any(m.deleted_files_count != 0 or (m.content == 1 and m.added_files_count != 0) for m in own)


def _notes_of_mode(changelog: Changelog) -> Iterable[Note]:
    if changelog.mode == "updates" and changelog.pairing == "none":
        yield Note(
            "unknown",
            "Which DELETE and INSERT are one row",
            "The table has no identifier columns and none were given, and its row ids cannot be trusted here.",
        )
    elif changelog.mode == "updates" and changelog.pairing == "identifier columns":
        yield Note(
            "inferred",
            f"Updates by {', '.join(changelog.identifier_columns)}",
            "The one row gone and the one row new in a commit that have the same identifiers are one row.",
        )
    elif changelog.mode == "updates":
        yield Note("exact", "Updates by _row_id", "A row keeps its id when a commit changes its values.")
    elif changelog.mode == "net":
        yield Note(
            "exact",
            "Each row stands at the last commit that wrote it in this range",
            "As in Iceberg's net changes: opposite changes of equal rows cancel, copies of unchanged rows too.",
        )
    elif changelog.mode == "ownership":
        yield Note(
            "exact",
            "A row's owner is the commit that added the file it is in",
            "It is not always the commit that net changes name (a compaction owns what it rewrote), nor the one that"
            " wrote the values (_last_updated_sequence_number in version 3).",
        )
        numbered = {commit.snapshot.snapshot_id for commit in changelog.range.numbered}
        if changelog.counts is None or not numbered.issuperset(changelog.counts):
            yield Note(
                "exact",
                "Owners without an ordinal",
                "A replace commit, one that has expired, or one that is not in the range.",
            )


def _notes_of_reading(changelog: Changelog) -> Iterable[Note]:
    for unread in changelog.unread:
        yield Note("unknown", f"Rows of {unread.commit.snapshot.snapshot_id}", unread.reason)
    asked = sum(len(stretch.commits) for stretch in changelog.stretches if stretch.source == "row question")
    if asked and changelog.pairing != "row id":
        yield Note(
            "exact",
            f"{formats.count(asked, 'commit')} told by rows before and after",
            "They list delete files, for which Iceberg's own changelog scan refuses.",
        )
    appended = sum(len(stretch.commits) for stretch in changelog.stretches if stretch.source == "append scan")
    if appended:
        yield Note(
            "exact",
            f"{formats.count(appended, 'commit')} told by Iceberg's scan of appended files",
            "They only added files, and list delete files, for which the changelog scan refuses.",
        )
    total = changelog.row_count
    if total is not None and total > len(changelog.rows):
        yield Note(
            "exact", f"{len(changelog.rows):,} of {formats.count(total, 'row')} drawn", "Counts are of all rows."
        )
