"""Tables whose commits raced each other, written down commit by commit; who lost to whom is the model's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from explorer.model.iceberg.inheritance import ListedManifest
from explorer.model.iceberg.metadata import Snapshot
from explorer.model.retries.facts import Retries, from_stored
from explorer.model.retries.stored import StoredRetries
from tests.figures.snapshot_graph_stories import BIG_ID

FOLDER = "s3://lake/cdc/devices/metadata"


class Race:
    """Commits in the making, a second apart."""

    def __init__(self) -> None:
        self.snapshots: list[Snapshot] = []
        self.added: dict[int, tuple[ListedManifest, ...] | str] = {}
        self.newest: dict[str, int] = {}
        self.written_at: dict[str, datetime] = {}
        self.at = datetime(2026, 11, 20, 12, 5, 1, 218_000, tzinfo=UTC)

    def commit(
        self,
        attempt: int | None = 1,
        *,
        name: str = "",
        manifests: tuple[str, ...] | str = ("new",),
        number: int | None = None,
        operation: str = "append",
        step: timedelta = timedelta(milliseconds=870),
        uuid: str = "a1b2",
    ) -> Snapshot:
        """A commit; manifests are `new` (of added files), `old` (of a file just added) or `open` (of older ones)."""
        n = len(self.snapshots) + 1
        number = n if number is None else number
        own = BIG_ID + 5500 + n * 7
        listed = name or f"snap-{own}-{0 if attempt is None else attempt}-{uuid}.avro"
        parent = self.snapshots[-1].snapshot_id if self.snapshots else None
        self.at += step
        s = Snapshot(own, parent, number, self.at, operation, {"operation": operation}, f"{FOLDER}/{listed}", 0)
        self.snapshots.append(s)
        self.added[own] = manifests if isinstance(manifests, str) else tuple(
            self._manifest(f"{FOLDER}/{uuid}{n:02d}-m{i}.avro", s, kind) for i, kind in enumerate(manifests)
        )  # fmt: skip
        return s

    def _manifest(self, path: str, s: Snapshot, kind: str) -> ListedManifest:
        older = 0 if kind == "new" else 2
        if kind == "old":
            self.newest[path] = s.sequence_number - 1
        return ListedManifest(
            path=path, length=7_104, partition_spec_id=0, content=0, sequence_number=s.sequence_number,
            min_sequence_number=s.sequence_number, added_snapshot_id=s.snapshot_id, added_files_count=2,
            existing_files_count=older, deleted_files_count=0, added_rows_count=2_000,
            existing_rows_count=older * 900, deleted_rows_count=0, first_row_id=None,
        )  # fmt: skip

    def done(self) -> Retries:
        return from_stored(self.snapshots, StoredRetries(self.added, self.newest, self.written_at))


def mock() -> Retries:
    """The commit of the mock: its second attempt, after 9 was taken."""
    race = Race()
    for _ in range(9):
        race.commit()
    race.commit(2, manifests=("new", "old", "new"), operation="overwrite")
    race.commit()
    return race.done()


def one() -> Retries:
    race = Race()
    race.commit()
    return race.done()


def fight() -> Retries:
    """Sixteen appends of eight writers: attempts 1 to 7, as they really came out once."""
    race = Race()
    for attempt in (1, 1, 2, 3, 1, 2, 4, 5, 6, 7, 1, 2, 3, 3, 5, 4):
        race.commit(attempt)
    return race.done()


def not_recorded() -> Retries:
    race = Race()
    for _ in range(5):
        race.commit(None)
    return race.done()


def some_not_recorded() -> Retries:
    race = Race()
    for attempt in (1, None, 2, None, 3):
        race.commit(attempt)
    return race.done()


def expired_rivals() -> Retries:
    """The rivals' snapshots are gone from the metadata."""
    race = Race()
    race.commit(1, number=3)
    race.commit(5, number=9)
    race.commit(3, number=10, manifests="The manifest list was not found: it was deleted.")
    return race.done()


def version_1() -> Retries:
    race = Race()
    for attempt in (1, 2, 1):
        race.commit(attempt, number=0)
    return race.done()


def open_origin() -> Retries:
    """What became of the manifests cannot be told of each; and there are many."""
    race = Race()
    race.commit()
    race.commit()
    race.commit(3, manifests=("new", "open", "old", "new", "open", "open", "new", "new"), operation="overwrite")
    return race.done()


def late_rivals() -> Retries:
    """More rivals than lost attempts: which of them won which race is not told."""
    race = Race()
    for _ in range(6):
        race.commit()
    retried = race.commit(3, manifests=("new",))
    path = race.added[retried.snapshot_id][0].path  # type: ignore[union-attr]
    second = race.snapshots[1].committed_at
    assert second is not None
    race.written_at[path] = second + timedelta(milliseconds=10)
    return race.done()


def first_attempts_1000() -> Retries:
    race = Race()
    for _ in range(1000):
        race.commit(step=timedelta(hours=1))
    return race.done()


def busy_1000() -> Retries:
    """A thousand commits, of which one in nine lost some attempts."""
    race = Race()
    for i in range(1000):
        race.commit(1 + i % 4 if i % 9 == 8 else 1, step=timedelta(minutes=3))
    return race.done()


def far() -> Retries:
    """Fifty attempts."""
    race = Race()
    for _ in range(60):
        race.commit()
    race.commit(50)
    return race.done()


def hostile() -> Retries:
    race = Race()
    race.commit(uuid="<script>alert(1)</script>$x$")
    race.commit(2, uuid="<b>&amp;</b>" + "long-" * 40, manifests=("new", "open"))
    race.commit(3, manifests="<i>Denied</i> & $x$\u202e")
    return race.done()


def empty() -> Retries:
    return Race().done()


STORIES: dict[str, Callable[[], Retries]] = {
    "mock": mock,
    "one": one,
    "fight": fight,
    "not recorded": not_recorded,
    "some not recorded": some_not_recorded,
    "expired rivals": expired_rivals,
    "version 1": version_1,
    "open origin": open_origin,
    "late rivals": late_rivals,
    "first attempts of 1000": first_attempts_1000,
    "busy 1000": busy_1000,
    "far": far,
    "hostile": hostile,
    "empty": empty,
}
