"""How often each commit was tried, what the attempts before had written, and who was faster.

A commit that loses the race to swap the metadata file is tried again on the new base: the manifest list is written
again, since it carries the sequence number; the manifests of added files are not, since they carry null. Nothing of
this is in the format. It is inferred from names and habits of the Java library, and said to be.

Sources: Iceberg specification, "Sequence Number Inheritance" (why manifests can be reused), "Commit Conflict
Resolution and Retry"; the Java library's SnapshotProducer (names `snap-ID-ATTEMPT-UUID.avro`, attempts from 1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from .. import formats
from ..evidence import Note
from ..iceberg.inheritance import ListedManifest
from ..iceberg.metadata import Snapshot
from .stored import StoredRetries

# Java writers give up half an hour after their first attempt (`commit.retry.total-timeout-ms`, by default).
_LONGEST_FIGHT = timedelta(minutes=30)
_ADDED_BY_IT, _NOT_READ = "Manifests that it added", "Its manifest list was not read."


@dataclass(frozen=True, slots=True)
class Origin:
    """A manifest that a commit added, and whether it was there before the attempt that succeeded.

    Attributes:
        before: True: an earlier attempt had written it, and it was reused; False: the attempt that succeeded wrote it;
            None: it may be either.
        reason: what tells, or why nothing does; a sentence.
        written_at: when the storage says that the file was last written, UTC; None if it was not asked or does not say,
            and where that is after the commit, as of a copied file.
    """

    manifest: ListedManifest
    before: bool | None
    reason: str
    written_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """The attempt of a commit that succeeded.

    Attributes:
        attempt: its number, from 1, as its manifest list's name says; None where the name does not tell (PyIceberg
            always writes 0; version 1 snapshots may have no list; other writers have other names).
        origins: the manifests that the commit added, in the order of the list; None if the list was not or cannot be
            read.
        rivals: snapshots that committed between its start and its success as far as can be inferred, in sequence order.
            Empty if it was not retried.
        notes: what is not known of it, and why.
    """

    snapshot: Snapshot
    attempt: int | None
    origins: tuple[Origin, ...] | None
    rivals: tuple[Snapshot, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def manifests_added(self) -> tuple[str, ...] | None:
        """Location of each manifest that the commit added; None if its list was not or cannot be read."""
        return None if self.origins is None else tuple(o.manifest.path for o in self.origins)

    @property
    def manifests_written_before(self) -> tuple[str, ...] | None:
        """Location of those that are inferred to be of an earlier attempt; None if nothing can be told of any."""
        if self.origins is None or self.attempt is None:
            return None
        return tuple(o.manifest.path for o in self.origins if o.before)

    @property
    def was_retried(self) -> bool:
        """Whether it lost at least once, as far as the name tells."""
        return self.attempt is not None and self.attempt > 1

    @property
    def lost_lists(self) -> tuple[str, ...]:
        """File names that the manifest lists of the attempts before had; they were deleted after the success."""
        if not self.was_retried or self.attempt is None or self.snapshot.manifest_list is None:
            return ()
        name = self.snapshot.manifest_list.rsplit("/", 1)[-1]
        prefix = f"snap-{self.snapshot.snapshot_id}-"
        rest = name.removeprefix(f"{prefix}{self.attempt}")
        return tuple(f"{prefix}{number}{rest}" for number in range(1, self.attempt))


@dataclass(frozen=True)
class Retries:
    """The attempts of every snapshot that the metadata lists, in sequence order."""

    attempts: tuple[Attempt, ...]
    notes: tuple[Note, ...] = ()

    @property
    def retried(self) -> tuple[Attempt, ...]:
        """Those that lost at least once."""
        return tuple(a for a in self.attempts if a.was_retried)

    @property
    def manifests(self) -> tuple[ListedManifest, ...]:
        """Those that the commits added, as far as they are known."""
        return tuple(origin.manifest for a in self.attempts for origin in a.origins or ())

    @property
    def has_unreadable(self) -> bool:
        """Whether a manifest list could not be read."""
        return bool(_unread(self.attempts))


def attempt_of(snapshot: Snapshot) -> int | None:
    """The attempt that succeeded, from 1; None where the manifest list's name does not tell. 0 counts nothing."""
    return snapshot.attempt or None


def asked_first(snapshots: Sequence[Snapshot]) -> tuple[list[int], set[int]]:
    """Ids in the order in which their manifest lists are worth reading, and which of them were retried.

    Those that were retried come first; the newest before the older ones.
    """
    retried = [s.snapshot_id for s in reversed(snapshots) if (attempt_of(s) or 0) > 1]
    others = [s.snapshot_id for s in reversed(snapshots) if (attempt_of(s) or 0) <= 1]
    return retried + others, set(retried)


def from_stored(snapshots: Sequence[Snapshot], stored: StoredRetries) -> Retries:
    """The attempts of commits from what was read of them.

    Args:
        snapshots: every one that the metadata lists, in the order of their commits.
        stored: of some or all of them.
    """
    attempts = tuple(
        _attempt(snapshots, place, stored.added.get(s.snapshot_id), stored.newest, stored.written_at)
        for place, s in enumerate(snapshots)
    )
    return Retries(attempts, tuple(_notes(attempts, sum(s.snapshot_id not in stored.added for s in snapshots))))


def _attempt(
    snapshots: Sequence[Snapshot],
    place: int,
    added: Sequence[ListedManifest] | str | None,
    newest: Mapping[str, int],
    written_at: Mapping[str, datetime],
) -> Attempt:
    snapshot, notes = snapshots[place], []
    attempt = attempt_of(snapshot)
    if attempt is None:
        notes.append(Note("unknown", "How often it was tried", _unnamed(snapshot)))
    if added is None or isinstance(added, str):
        notes.append(Note("unknown", _ADDED_BY_IT, added or _NOT_READ))
        added = None
    times = {
        m.path: at
        for m in added or ()
        if (at := written_at.get(m.path)) is not None and (snapshot.committed_at is None or at <= snapshot.committed_at)
    }
    rivals: tuple[Snapshot, ...] = ()
    if attempt is not None and attempt > 1:
        rivals = _rivals(snapshots, place, attempt, times.values())
        notes += _of_rivals(snapshot, attempt, rivals, {s.sequence_number for s in snapshots[:place]})
    origins = None
    if added is not None:
        base = next((s for s in reversed(rivals) if s.sequence_number == snapshot.sequence_number - 1), None)
        origins = tuple(
            Origin(m, *_origin(snapshot, attempt, m, base, newest.get(m.path), times.get(m.path)), times.get(m.path))
            for m in added
        )
        open_ones = sum(o.before is None for o in origins) if attempt is not None else 0
        if open_ones:
            which = formats.count(open_ones, "manifest")
            notes.append(Note("unknown", f"Which attempt wrote {which}", "See the reason of each."))
    return Attempt(snapshot, attempt, origins, rivals, tuple(notes))


def _unnamed(snapshot: Snapshot) -> str:
    if snapshot.manifest_list is None:
        return "The metadata file lists its manifests itself, so no manifest list's name tells."
    name = snapshot.manifest_list.rsplit("/", 1)[-1]
    if snapshot.attempt == 0:
        return f"{name} says attempt 0, as PyIceberg and others write always: they do not count."
    return f"{name} is not named snap-ID-ATTEMPT-UUID, as Java writers name it."


def _latest(written_at: datetime) -> datetime:
    """The latest time that a time of the storage may stand for: many storages keep whole seconds."""
    return written_at + (timedelta(milliseconds=1) if written_at.microsecond else timedelta(seconds=1))


def _rivals(
    snapshots: Sequence[Snapshot], place: int, attempt: int, times: Collection[datetime]
) -> tuple[Snapshot, ...]:
    """The commits before it, one for each lost attempt; and all that came when a manifest of it was there already."""
    snapshot, start = snapshots[place], _latest(min(times)) if times else None
    found: list[Snapshot] = []
    for steps in range(1, place + 1):
        other = snapshots[place - steps]
        distance = snapshot.sequence_number - other.sequence_number if snapshot.sequence_number else steps
        meanwhile = start is not None and other.committed_at is not None and other.committed_at > start
        if distance >= attempt and not meanwhile:
            break
        if not _too_old(snapshot, other):
            found.append(other)
    return tuple(reversed(found))


def _too_old(snapshot: Snapshot, other: Snapshot) -> bool:
    if snapshot.committed_at is None or other.committed_at is None:
        return False
    return snapshot.committed_at - other.committed_at > _LONGEST_FIGHT


def _of_rivals(
    snapshot: Snapshot, attempt: int, rivals: Sequence[Snapshot], numbers: Collection[int]
) -> Iterator[Note]:
    """What is inferred of the rivals, given the sequence numbers of all snapshots before."""
    missing = attempt - 1 - len(rivals)
    if missing <= 0:
        yield Note(
            "inferred",
            f"Rivals: {formats.count(len(rivals), 'snapshot')}",
            f"It lost {formats.count(attempt - 1, 'attempt')}. Each was lost to a commit made meanwhile: to those "
            "before it, unless a change of properties or refs, which takes no sequence number, or a transaction "
            "counted too.",
        )
        return
    first = max(1, snapshot.sequence_number - attempt + 1)
    gone = [n for n in range(first, snapshot.sequence_number) if n not in numbers]
    yield Note(
        "unknown",
        f"Rivals for {formats.count(missing, 'lost attempt')}",
        f"Sequence number {formats.ranges(gone)} is listed no more: the snapshot expired."
        if gone
        else "No other snapshot was committed shortly before: it lost to a change of properties or refs, or a "
        "transaction of several steps counted an attempt without a race.",
    )


def _origin(
    snapshot: Snapshot,
    attempt: int | None,
    manifest: ListedManifest,
    base: Snapshot | None,
    newest: int | None,
    written_at: datetime | None,
) -> tuple[bool | None, str]:
    """Whether it was there before the attempt that succeeded, and what tells."""
    if attempt is None:
        return None, "Nothing tells how often the commit was tried."
    if attempt == 1:
        return False, "The first attempt succeeded."
    dated = ""
    if base is not None and base.committed_at and written_at is not None and _latest(written_at) < base.committed_at:
        ahead = formats.duration(base.committed_at - written_at)
        dated = f"The storage dates it {ahead} before the commit of {base.sequence_number:,}, which came first."
    if manifest.existing_files_count == 0 and manifest.deleted_files_count == 0:
        habit = "It holds added files alone, without numbers: Java writers write it once and use it again."
        return True, f"{habit} {dated}".strip()
    if newest is not None and newest == snapshot.sequence_number - 1 > 0:
        return False, f"It holds a file of {newest:,}, the commit just before, which no earlier attempt can have known."
    if dated:
        return True, dated
    return None, "It holds files of older manifests: used again if those were still listed, else written again."


def _unread(attempts: Iterable[Attempt]) -> list[tuple[int, str]]:
    """Snapshots whose manifest list was asked for and could not be read, each with the reason."""
    return [
        (a.snapshot.snapshot_id, note.reason)
        for a in attempts
        if a.origins is None
        for note in a.notes
        if note.about == _ADDED_BY_IT and note.reason != _NOT_READ
    ]


def _notes(attempts: Sequence[Attempt], not_read: int) -> Iterator[Note]:
    if any(a.attempt is not None for a in attempts):
        yield Note(
            "inferred",
            "Attempts",
            "From manifest-list names (snap-ID-ATTEMPT-UUID), a habit of Java writers, not of the format. What lost "
            "attempts wrote was deleted after the success; a commit that gave up left no trace.",
        )
    silent = sum(a.attempt is None for a in attempts)
    if silent:
        yield Note(
            "unknown",
            f"Attempts of {formats.count(silent, 'commit')}",
            "The names of their manifest lists do not count attempts; see the reason of each.",
        )
    if unread := _unread(attempts):
        yield Note(
            "unknown",
            f"Manifests of {formats.count(len(unread), 'commit')}",
            f"Their manifest lists cannot be read; of snapshot {unread[0][0]}: {unread[0][1]}",
        )
    if not_read:
        read = len(attempts) - not_read
        yield Note(
            "unknown",
            f"Manifests of {formats.count(not_read, 'commit')}",
            f"{read:,} of {len(attempts):,} manifest lists were read: retried commits first, then the newest.",
        )


def rows(retries: Retries) -> list[dict[str, Any]]:
    """One dict per snapshot, in sequence order: the columns of `retries().data`; ids as int, missing as None."""
    return [
        {
            "snapshot_id": a.snapshot.snapshot_id,
            "sequence_number": a.snapshot.sequence_number,
            "attempt": a.attempt,
            "manifests_added": None if a.manifests_added is None else list(a.manifests_added),
            "manifests_written_before": None if (b := a.manifests_written_before) is None else list(b),
            "committed_at": a.snapshot.committed_at,
            "rivals": [str(r.snapshot_id) for r in a.rivals],
        }
        for a in retries.attempts
    ]
