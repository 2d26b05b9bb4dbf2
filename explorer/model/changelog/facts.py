"""The rows that the commits of a range changed, in one of five ways of telling it, and where they are read from.

`raw` prints what a commit's files gave up and brought: a row that was only copied to another file is a DELETE and an
INSERT. `changes` leaves those carry-over rows out. `updates` joins what is left of one row into a pair. `net` cancels
what later commits of the range took back. `ownership` prints the rows that are live at the end, each with the commit
that added the file that holds it; some of them that commit only carried over from a file that it removed.

Sources: Iceberg's changelog scan (`.changes`) and its procedure `create_changelog_view`; specification, "Snapshots".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, get_args

from .. import formats
from ..changed_cells import ChangedCell
from ..evidence import Note
from ..iceberg.commit_range import CommitRange, NumberedCommit
from ..iceberg.inheritance import ListedManifest
from ..iceberg.metadata import Snapshot
from ..iceberg.row_lineage import RowIds
from .counted import ChangeType, CommitTally, DrawnRow, RowDetails

Mode = Literal["raw", "changes", "updates", "net", "ownership"]
MODES: tuple[Mode, ...] = get_args(Mode)
Pairing = Literal["row id", "identifier columns", "none"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring commits of the range whose rows are read together.

    Attributes:
        before: the snapshot before the first commit, whose files are known; None for a root, or where it has expired.
        commits: oldest first, `replace` commits in their places.
    """

    before: int | None
    commits: tuple[NumberedCommit, ...]


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
            an INSERT; in `ownership` once, if it is live. None in `net`, which does not tell, and of an owner of none
            of whose rows it is known.
        not_known: rows of which it is not known whether the owner copied them or not (`ownership` only).
    """

    rows: Mapping[ChangeType, int]
    carried_over: int | None = None
    not_known: int = 0

    @property
    def printed(self) -> int:
        """Rows that the mode prints for the commit."""
        return sum(self.rows.values())


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One printed row.

    Attributes:
        key: the values of `Changelog.keys`, or all values where there are none, as text: rows of one key are one row
            through time. Keys that are written alike are told apart by `(2)`, `(3)` and so on.
        text: its values in column order, separated by one space, cut to fit.
        ordinal: None where the owner has none (`ownership` only): a `replace`, expired, or before the range.
        snapshot_id: the commit that changed the row; in `ownership` the one that owns it, None where the metadata does
            not record it.
        carried_over: in `raw` whether it is half of a row that was only copied; in `ownership` whether the owner only
            copied it, or inserted or updated it, None where that is not known; else False.
        changed: cells that an update changed, on both of its sides; empty where nothing pairs them.
        condition: SQL over the table's columns that is true of the rows of the key; empty where none can be written.
    """

    key: str
    text: str
    change_type: ChangeType
    ordinal: int | None
    snapshot_id: int | None
    carried_over: bool | None = False
    changed: tuple[ChangedCell, ...] = ()
    condition: str = ""


@dataclass(frozen=True)
class Changelog:
    """A changelog, without its rows but those that a picture can show.

    Attributes:
        columns: names of the table's current columns, in which the rows are told.
        pairing: what makes an update of a DELETE and an INSERT (`updates`); else `none`.
        identifier_columns: the given ones, else the table's. Empty where there are none.
        stretches: commits whose rows are read together, oldest first; in `ownership` those that removed rows and own
            some have an ordinal in them, their place in the range.
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
    def keys(self) -> tuple[str, ...]:
        """Columns whose values are the keys of `rows`: identifier columns, else `_row_id` where that pairs updates.

        Empty where all values of a row are its key.
        """
        return ("_row_id",) if self.pairing == "row id" else self.identifier_columns

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


def with_distinct_keys(drawn: Sequence[DrawnRow], details: Sequence[RowDetails] = ()) -> list[ChangedRow]:
    """Rows whose keys are as many as they are: null and the text `null` are written alike, long texts are cut.

    Args:
        drawn: the rows, in their order.
        details: what more is known of each of them, in their order; nothing if empty.
    """
    known: dict[str, list[int]] = {}
    rows = []
    for row, more in zip(drawn, details or [RowDetails()] * len(drawn), strict=True):
        alike = known.setdefault(row.key, [])
        if row.same not in alike:
            alike.append(row.same)
        place = alike.index(row.same) + 1
        key = row.key if place == 1 else f"{row.key} ({place})"
        about = row.change_type, row.ordinal, row.snapshot_id, row.carried_over
        rows.append(ChangedRow(key, row.text, *about, more.changed, more.condition))
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
    unreadable: Mapping[int, str] = MappingProxyType({}),
) -> tuple[tuple[Stretch, ...], tuple[Unread, ...]]:
    """Which commits of a range are read together; and the numbered ones that cannot be read.

    A commit that cannot be read ends a stretch, since what it did to files is not known.

    Args:
        commits: the range.
        lists: by snapshot id, of the commits and of their parents, the rows of the manifest list, or why it cannot be
            read; without those that are not listed.
        unreadable: by snapshot id, why a manifest that the commit wrote cannot be read.
    """
    found: list[Stretch] = []
    unread: list[Unread] = []
    before: int | None = None
    together: list[NumberedCommit] = []

    def end() -> None:
        if any(commit.ordinal is not None for commit in together):
            found.append(Stretch(before, tuple(together)))
        together.clear()

    for commit in commits.commits:
        snapshot = commit.snapshot
        own, reason = lists.get(snapshot.snapshot_id, "The metadata names no manifest list for it."), ""
        if not together:
            parent_id = snapshot.parent_id
            before = None if parent_id is None or isinstance(lists.get(parent_id, ""), str) else parent_id
            if before is None and parent_id is not None and not isinstance(own, str) and _reaches_back(snapshot, own):
                reason = _lost(parent_id, lists.get(parent_id))
        if isinstance(own, str):
            reason = own
        reason = reason or unreadable.get(snapshot.snapshot_id, "")
        if not reason:
            together.append(commit)
            continue
        if commit.ordinal is not None:
            unread.append(Unread(commit, reason))
        end()
    end()
    return tuple(found), tuple(unread)


def _lost(parent_id: int, why: object) -> str:
    lost = f"has no readable manifest list ({why})" if isinstance(why, str) else "has expired"
    return (
        f"Its parent {parent_id} {lost}, and it removed or masked rows: which ones, and which of its own rows it only"
        " copied, cannot be told any more."
    )


def counts(mode: Mode, tallies: Iterable[CommitTally]) -> dict[int | None, CommitCounts]:
    """Counts by snapshot id, None for that of an owner that the metadata does not record.

    Args:
        mode: the way of telling.
        tallies: of each commit that has rows.
    """
    found = {}
    for tally in tallies:
        copied, pairs = tally.carried_over, tally.updated
        left_out = pairs + (copied if mode in ("changes", "updates") else 0)
        rows: dict[ChangeType, int] = {
            "DELETE": tally.gone - left_out,
            "UPDATE_BEFORE": pairs,
            "UPDATE_AFTER": pairs,
            "INSERT": tally.came - left_out,
        }
        found[tally.snapshot_id] = CommitCounts(
            MappingProxyType({change_type: count for change_type, count in rows.items() if count}),
            None if mode == "net" or (tally.not_known and tally.not_known == tally.came) else copied,
            tally.not_known,
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
        if not_known := sum(counts.not_known for counts in (changelog.counts or {}).values()):
            verb = "was" if not_known == 1 else "were"
            yield Note(
                "unknown",
                f"Whether {formats.count(not_known, 'row')} {verb} written or only carried over by the owner",
                "The owner is not in the range, or the rows that it removed cannot be read any more; or it removed some"
                " rows equal to these, but fewer than it brought.",
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
    total = changelog.row_count
    if total is not None and total > len(changelog.rows):
        yield Note(
            "exact", f"{len(changelog.rows):,} of {formats.count(total, 'row')} drawn", "Counts are of all rows."
        )
