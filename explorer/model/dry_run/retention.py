"""Which snapshots and refs `expire_snapshots` would remove, and why it would keep the others.

Main never goes; another ref goes once its snapshot is older than its `max-ref-age-ms`. Each branch that stays is walked
from its head: a snapshot is kept while fewer than `min-snapshots-to-keep` are, or while it is no older than the
branch's cut-off; the first that is neither ends the walk. A tag keeps its own snapshot. What no ref that stays has is
kept only while it is no older than the general cut-off.

Source: the Java library's `RemoveSnapshots` (1.12) and `TableProperties`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from .. import formats
from ..iceberg.lineage import Forest
from ..iceberg.metadata import LARGEST_LONG, Ref, Snapshot, TableMetadata, long_from_text

_MAX_SNAPSHOT_AGE_MS = 5 * 24 * 60 * 60 * 1000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_GC_IS_OFF = "Cannot expire snapshots: GC is disabled (deleting files may corrupt other tables)"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is given to `expire_snapshots`; None for what is left to the table's properties.

    Attributes:
        older_than: cut-off, UTC. retain_last: snapshots that each branch keeps.
        snapshot_ids: to be removed whatever their age.
        clean_expired_metadata: whether specs and schemas that nothing needs go too.
    """

    older_than: datetime | None = None
    retain_last: int | None = None
    snapshot_ids: tuple[int, ...] = ()
    clean_expired_metadata: bool = False


@dataclass(frozen=True, slots=True)
class Retention:
    """What would go and what would stay.

    Attributes:
        refusal: the words in which Iceberg would refuse; empty if it would not. Then the rest is empty.
        removed, kept: by snapshot id, why.
        dropped: refs that would go, by name, why.
        named: kept by the rules of a branch though asked for by id, and so removed all the same: see `RemoveSnapshots`.
    """

    refusal: str
    removed: Mapping[int, str]
    kept: Mapping[int, str]
    dropped: Mapping[str, str]
    named: frozenset[int] = frozenset()


def milliseconds(at: datetime | None) -> int:
    """Since the epoch, as Iceberg compares times; 0 where no time was recorded."""
    return 0 if at is None else round((at - _EPOCH).total_seconds() * 1000)


def retention(metadata: TableMetadata, asked: Asked, now: datetime) -> Retention:
    """What would go, as of a time."""
    refusal = _refusal(metadata, asked)
    if refusal:
        return Retention(refusal, {}, {}, {})
    rules = _Rules(metadata, asked, now)
    dropped = dict(rules.dropped())
    staying = [ref for name, ref in metadata.refs.items() if name not in dropped]
    by_id: dict[int, list[str]] = {}
    for ref in staying:
        by_id.setdefault(ref.snapshot_id, []).append(ref.name)
    for snapshot_id in asked.snapshot_ids:
        if snapshot_id in by_id:
            names = ", ".join(by_id[snapshot_id])
            return Retention(f"Cannot expire {snapshot_id}. Still referenced by refs: [{names}]", {}, {}, {})
    kept = dict(rules.kept(staying))
    named = frozenset(i for i in asked.snapshot_ids if i in kept)
    removed = {i: rules.why_removed(i, dropped) for i in metadata.by_id if i not in kept or i in named}
    return Retention("", removed, {i: why for i, why in kept.items() if i not in named}, dropped, named)


def _refusal(metadata: TableMetadata, asked: Asked) -> str:
    if metadata.properties.get("gc.enabled", "true").strip().lower() != "true":
        return _GC_IS_OFF
    if asked.retain_last is not None and asked.retain_last < 1:
        return f"Number of snapshots to retain must be at least 1, cannot be: {asked.retain_last}"
    return ""


class _Rules:
    """The rules with the numbers of one table and one call."""

    def __init__(self, metadata: TableMetadata, asked: Asked, now: datetime) -> None:
        self._metadata, self._asked = metadata, asked
        self._forest, self._now = Forest(metadata), milliseconds(now)
        age = self._property("history.expire.max-snapshot-age-ms", _MAX_SNAPSHOT_AGE_MS)
        self._older_than = self._now - age if asked.older_than is None else milliseconds(asked.older_than)
        least = self._property("history.expire.min-snapshots-to-keep", 1)
        self._least = least if asked.retain_last is None else asked.retain_last
        self._max_ref_age = self._property("history.expire.max-ref-age-ms", LARGEST_LONG)

    def _property(self, name: str, default: int) -> int:
        value = long_from_text(self._metadata.properties.get(name, "").strip())
        return default if value is None else value

    def dropped(self) -> Iterator[tuple[str, str]]:
        """Refs that would go."""
        for name, ref in self._metadata.refs.items():
            if name == "main":
                continue
            snapshot = self._metadata.by_id.get(ref.snapshot_id)
            if snapshot is None:
                yield name, f"its snapshot {ref.snapshot_id} is not listed"
                continue
            limit = self._max_ref_age if ref.max_ref_age_ms is None else ref.max_ref_age_ms
            age = self._now - milliseconds(snapshot.committed_at)
            if age > limit:
                yield name, f"its snapshot is {formats.duration(age / 1000)} old, more than {_limit(limit)} allow it"

    def kept(self, staying: Sequence[Ref]) -> Iterator[tuple[int, str]]:
        """Snapshots that would stay by the rules, each once; the first reason counts."""
        found: dict[int, str] = {}
        referenced: set[int] = set()
        for ref in sorted(staying, key=lambda ref: ref.name != "main"):
            found.setdefault(ref.snapshot_id, f"{'head of ' if ref.kind == 'branch' else ''}{_called(ref)}")
        for ref in staying:
            if ref.kind == "tag":
                referenced.add(ref.snapshot_id)
                continue
            referenced.update(self._forest.lineage(ref.snapshot_id))
            for snapshot_id, why in self._of_branch(ref):
                found.setdefault(snapshot_id, why)
        for snapshot in self._metadata.snapshots:
            if snapshot.snapshot_id not in referenced and milliseconds(snapshot.committed_at) >= self._older_than:
                found.setdefault(snapshot.snapshot_id, f"no ref has it, but it is not older than {self._cut_off}")
        yield from ((i, why) for i, why in found.items() if i in self._metadata.by_id)

    def _of_branch(self, ref: Ref) -> Iterator[tuple[int, str]]:
        cut_off = self._older_than if ref.max_snapshot_age_ms is None else self._now - ref.max_snapshot_age_ms
        least = self._least if ref.min_snapshots_to_keep is None else ref.min_snapshots_to_keep
        for count, snapshot_id in enumerate(self._forest.lineage(ref.snapshot_id)):
            if count < least:
                yield snapshot_id, f"among the newest {least:,} of {_called(ref)}"
            elif milliseconds(self._metadata.by_id[snapshot_id].committed_at) >= cut_off:
                yield snapshot_id, f"of {_called(ref)}, not older than {_instant(cut_off)}"
            else:
                return

    def why_removed(self, snapshot_id: int, dropped: Mapping[str, str]) -> str:
        """Why none of the rules keeps it."""
        if snapshot_id in self._asked.snapshot_ids:
            return "asked for by its id"
        lost = [name for name in dropped if self._metadata.refs[name].snapshot_id == snapshot_id]
        if lost:
            return f"only {', '.join(lost)} had it, which goes; older than {self._cut_off}"
        return f"older than {self._cut_off}, and not among the newest {self._least:,} of a branch"

    @property
    def _cut_off(self) -> str:
        return _instant(self._older_than)


def _called(ref: Ref) -> str:
    return ref.name if ref.name == "main" else f"{ref.kind} {ref.name}"


def _instant(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _limit(ms: int) -> str:
    return formats.duration(ms / 1000)


def oldest(snapshots: Sequence[Snapshot]) -> Snapshot | None:
    """The one of the earliest commit time; None of none."""
    return min(snapshots, key=lambda s: (milliseconds(s.committed_at), s.sequence_number), default=None)
