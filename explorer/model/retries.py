"""How often each commit was tried, what the attempts before had written, and who was faster.

A commit that loses the race to swap the metadata file is tried again on the new base: the manifest list is written
again, since it carries the sequence number; the manifests of added files are not, since they carry null. Nothing of
this is in the format. It is inferred from names and habits of the Java library, and said to be.

Sources: Iceberg specification, "Sequence Number Inheritance" (why manifests can be reused), "Commit Conflict
Resolution and Retry"; the Java library's SnapshotProducer (names `snap-ID-ATTEMPT-UUID.avro`, attempts from 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from .evidence import Note
from .inheritance import ListedManifest
from .table_metadata import Snapshot


@dataclass(frozen=True, slots=True)
class Origin:
    """A manifest that a commit added, and whether it was there before the attempt that succeeded.

    Attributes:
        before: True: an earlier attempt had written it, and it was reused; False: the attempt that succeeded wrote it;
            None: it may be either.
        reason: what tells, or why nothing does; a sentence.
        written_at: when the storage says that the file was last written, UTC; None if it was not asked or does not say.
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
        rivals: snapshots that committed between its start and its success as far as can be inferred, in sequence order;
            the last of them is what the attempt that succeeded was built on. Empty if it was not retried.
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
