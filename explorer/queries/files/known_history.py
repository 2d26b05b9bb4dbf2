"""What this process knows of the histories of tables, for everyone who asks: the cells and every explorer's worker.

They read at the same time, each on from the value that it found. Only here is a value replaced by another, under one
lock; so nothing that one of them read is lost to another, and what goes to the disk is whole.
"""

from __future__ import annotations

from threading import Lock

from .decoded_manifests import DecodedManifests
from .manifest_cache import ManifestCache, Saved
from .stored_history import StoredHistory

_KEPT = 4  # tables whose manifests stay in memory, least recently asked first out

_known: dict[str, KnownHistory] = {}
_lock = Lock()


class KnownHistory:
    """What is known of one table. Made by `known_history`.

    Attributes:
        decoded: of who asks which files may hold a row, since the next question is of another row.
    """

    def __init__(self, table_uuid: str | None) -> None:
        self._uuid = table_uuid
        self._lock, self._saving = Lock(), Lock()
        self._value: StoredHistory | None = None
        self._kept, self._lists_from_disk = Saved(), 0
        self.decoded = DecodedManifests()

    @property
    def value(self) -> StoredHistory:
        """All that is known now; at first what is kept on this machine."""
        with self._lock:
            if self._value is None:
                self._value = ManifestCache().load(self._uuid)
                self._kept, self._lists_from_disk = Saved.of(self._value), len(self._value.lists)
            return self._value

    @property
    def lists_from_disk(self) -> int:
        """How many manifest lists were kept on this machine when this process first asked."""
        return self._lists_from_disk

    def add(self, read: StoredHistory, since: StoredHistory) -> None:
        """Make known what was read on from a value that was known.

        Cost: nothing, unless another thread was faster: then what both have read is put together.
        """
        with self._lock:
            if self._value is since or self._value is None:
                self._value = read
            elif read is not since:
                self._value = self._value.with_all_of(read).in_one_piece()

    def save(self) -> None:
        """Keep on this machine what is known."""
        with self._saving:
            self._kept = ManifestCache().save(self._uuid, self.value, self._kept)


def known_history(table: str, table_uuid: str | None) -> KnownHistory:
    """What is known of a table, the same for all who ask.

    Args:
        table: its UUID, or what else tells it apart in this process.
        table_uuid: under which it is kept on this machine; None keeps it in memory alone.
    """
    with _lock:
        known = _known[table] = _known.pop(table) if table in _known else KnownHistory(table_uuid)
        while len(_known) > _KEPT:
            del _known[next(iter(_known))]
    return known


def forget() -> None:
    """Forget what this process read of every table."""
    with _lock:
        _known.clear()
