"""The rows that the commits of a range changed, in one of five ways of telling it, and where they are read from.

`raw` prints what a commit's files gave up and brought: a row that was only copied to another file is a DELETE and an
INSERT. `changes` leaves those carry-over rows out. `updates` joins what is left of one row into a pair. `net` cancels
what later commits of the range took back. `ownership` prints the rows that are live at the end, each with the commit
that added the file that holds it.

Sources: Iceberg's changelog scan (`.changes`) and its procedure `create_changelog_view`; specification, "Snapshots".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from . import formats
from .commit_range import CommitRange, NumberedCommit
from .evidence import Note
from .inheritance import ListedManifest

Mode = Literal["raw", "changes", "updates", "net", "ownership"]
MODES: tuple[Mode, ...] = get_args(Mode)
ChangeType = Literal["INSERT", "DELETE", "UPDATE_BEFORE", "UPDATE_AFTER"]
Pairing = Literal["row id", "identifier columns", "none"]
Source = Literal["changelog scan", "row question"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring commits of the range, all with an ordinal, whose rows are read in one way.

    Attributes:
        source: `changelog scan`: Iceberg's own, one for the stretch. `row question`: the rows of touched files before
            and after each commit, where Iceberg's scan refuses.
    """

    source: Source
    commits: tuple[NumberedCommit, ...]

    @property
    def parent_id(self) -> int | None:
        """The snapshot before the first commit, exclusive; None for a root."""
        return self.commits[0].snapshot.parent_id

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
        key: the values of the identifier columns, or all values where there are none: rows of one key are one row
            through time.
        text: its values in column order, separated by one space, cut to fit.
        ordinal: None where the owner has none (`ownership` only): a `replace`, expired, or before the range.
        snapshot_id: the commit that changed the row; in `ownership` the one that owns it.
        carried_over: half of a row that was only copied (`raw` only).
    """

    key: str
    text: str
    change_type: ChangeType
    ordinal: int | None
    snapshot_id: int
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
            may lie outside the range.
        rows: by ordinal, then key; bounded, `row_count` has them all. Empty until read.
    """

    range: CommitRange
    mode: Mode
    columns: tuple[str, ...]
    pairing: Pairing
    identifier_columns: tuple[str, ...]
    stretches: tuple[Stretch, ...] = ()
    unread: tuple[Unread, ...] = ()
    counts: Mapping[int, CommitCounts] | None = None
    rows: tuple[ChangedRow, ...] = ()

    @property
    def row_count(self) -> int | None:
        """Rows that the mode prints; None until they are counted."""
        return None if self.counts is None else sum(counts.printed for counts in self.counts.values())

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is exact, inferred or unknown, and why."""
        return tuple(itertools.chain(self.range.notes, _notes_of_mode(self), _notes_of_reading(self)))

    def read(self, counts: Mapping[int, CommitCounts], rows: Iterable[ChangedRow]) -> Changelog:
        """The same with what was read of its rows."""
        return replace(self, counts=counts, rows=tuple(rows))


def stretches(
    commits: CommitRange, lists: Mapping[int, Sequence[ListedManifest] | str], known: Iterable[int], *, by_row_id: bool
) -> tuple[tuple[Stretch, ...], tuple[Unread, ...]]:
    """How the rows of each commit can be read.

    Args:
        commits: the range.
        lists: by snapshot id of each numbered commit, the rows of its manifest list, or why it cannot be read.
        known: ids of all listed snapshots.
        by_row_id: whether `_row_id` is needed, which Iceberg's changelog scan does not offer.

    Source: Iceberg's changelog scan refuses a snapshot that lists any manifest of deletes, even one without live ones.
    """
    known = frozenset(known)
    sources: list[tuple[Source | None, NumberedCommit]] = []
    unread = []
    for commit in commits.numbered:
        snapshot = commit.snapshot
        listed = lists.get(snapshot.snapshot_id, "The metadata names no manifest list for it.")
        parent_expired = snapshot.parent_id is not None and snapshot.parent_id not in known
        reason = ""
        if isinstance(listed, str):
            reason = listed
        elif parent_expired and _reaches_back(snapshot.snapshot_id, listed):
            reason = (
                f"Its parent {snapshot.parent_id} has expired, and it removed or masked rows: which ones, and which of"
                " its own rows it only copied, cannot be told any more."
            )
        if isinstance(listed, str) or reason:
            unread.append(Unread(commit, reason))
            sources.append((None, commit))
        else:
            scan = not by_row_id and not any(m.content == 1 for m in listed)
            sources.append(("changelog scan" if scan else "row question", commit))
    found = tuple(
        Stretch(source, tuple(commit for _, commit in group))
        for source, group in itertools.groupby(sources, key=lambda pair: pair[0])
        if source is not None
    )
    return found, tuple(unread)


def _reaches_back(snapshot_id: int, listed: Sequence[ListedManifest]) -> bool:
    """Whether a commit removed data files, or added or removed deletes; True where the list does not count."""
    own = [m for m in listed if m.added_snapshot_id in (snapshot_id, None)]
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
    total = changelog.row_count
    if total is not None and total > len(changelog.rows):
        yield Note(
            "exact", f"{len(changelog.rows):,} of {formats.count(total, 'row')} drawn", "Counts are of all rows."
        )
