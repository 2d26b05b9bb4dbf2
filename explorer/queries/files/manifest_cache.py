"""What was read of manifests, kept on this machine, so that the next kernel need not read a long history again.

Manifest lists and manifests never change once they are written, so what was read of one stays true. A table is known by
its UUID: one that was dropped and made again under the same name has another. The timeline keeps what it decoded, for
it reads all there are; each of its readings adds a part, a folder. The other pictures keep files as they are, of those
that this process cannot open itself, as long as they are small together: more of them Spark's tasks read, each time.
Parts and files appear whole or not at all; so several kernels can read and write at once, and what is damaged or was
removed is as if it had never been there.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyarrow import feather

from ...engine.folders import cache_folder
from .file_cache import FileCache
from .stored_history import TABLES, StoredHistory

LIMIT = "ICEBERG_EXPLORER_CACHE_MB"
DEFAULT_LIMIT_MB = 500
_READING = 3  # raise it where the same manifests are read otherwise than before, or parts may have lost some
_MOST_PARTS = 20  # of a table; more become one
_SLACK = 50  # each kernel may keep such a part of the limit too much
_PART, _UNFINISHED = "part-", "unfinished-"


@dataclass(frozen=True, slots=True)
class Saved:
    """How much of a history the cache holds: its manifest lists, and manifests by their indices."""

    lists: frozenset[str] = frozenset()
    read: frozenset[int] = frozenset()
    whole: frozenset[int] = frozenset()

    @classmethod
    def of(cls, stored: StoredHistory) -> Saved:
        """All that was read of a history."""
        known = (path for path, manifests in stored.lists.items() if not isinstance(manifests, str))
        return cls(frozenset(known), stored.read, stored.whole)


@dataclass(frozen=True, slots=True)
class Usage:
    """What the cache takes: tables, bytes, and the most bytes that it may take; 0 if it is off."""

    folder: Path
    tables: int
    size: int
    limit: int


class ManifestCache:
    """The cache in the explorer's folder for what can be made again.

    Of more bytes than `ICEBERG_EXPLORER_CACHE_MB` allows (500 MB), the tables that were opened longest ago are
    forgotten, of a table what was used longest ago; 0 switches it off.
    """

    def __init__(self) -> None:
        self.folder = cache_folder() / "manifests"
        self.limit = _limit()

    def load(self, table_uuid: str | None) -> StoredHistory:
        """What is kept of a table; nothing if it has no UUID."""
        stored = StoredHistory()
        folder = self._of(table_uuid)
        if folder is None:
            return stored
        for part in _parts(folder):
            try:
                stored = stored.with_all_of(_read(part))
            except (OSError, pa.ArrowException, KeyError, ValueError):
                shutil.rmtree(part, ignore_errors=True)
                continue
            with suppress(OSError):
                os.utime(part)
        with suppress(OSError):
            os.utime(folder)
        return stored.in_one_piece()

    def save(self, table_uuid: str | None, stored: StoredHistory, kept: Saved) -> Saved:
        """Keep what was read since; a disk that refuses keeps nothing.

        Args:
            table_uuid: of the table's metadata.
            stored: all that was read of it.
            kept: how much of that is in the cache.
        """
        folder, now = self._of(table_uuid), Saved.of(stored)
        if folder is None or now == kept:
            return now
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            before = _parts(folder)
            replaced = before if len(before) >= _MOST_PARTS else []
            _write(folder, stored, Saved() if replaced else kept)
            for part in replaced:
                shutil.rmtree(part, ignore_errors=True)
            self._bound()
        return now

    def files(self, table_uuid: str | None) -> FileCache | None:
        """The files of a table; None if it has no UUID, or the cache is off."""
        folder = self._of(table_uuid)
        return None if folder is None else FileCache(folder, self._bound, self.limit // _SLACK)

    def usage(self) -> Usage:
        """What it takes now."""
        tables = self._tables()
        return Usage(self.folder, len(tables), sum(map(_size, tables)), self.limit)

    def clear(self) -> Usage:
        """Forget everything; says what was forgotten."""
        usage = self.usage()
        shutil.rmtree(self.folder, ignore_errors=True)
        return usage

    def _of(self, table_uuid: str | None) -> Path | None:
        if not self.limit or not table_uuid:
            return None
        shape = f"{_READING}\n{TABLES}\n{table_uuid}"
        return self.folder / hashlib.sha256(shape.encode()).hexdigest()[:32]

    def _tables(self) -> list[Path]:
        return [folder for folder in _inside(self.folder) if folder.is_dir()]

    def _bound(self) -> None:
        sizes = {folder: {kept: _size(kept) for kept in _inside(folder)} for folder in self._tables()}
        total = sum(sum(of_table.values()) for of_table in sizes.values())
        for folder in sorted(sizes, key=_used_at) if total > self.limit else ():
            for kept in sorted(sizes[folder], key=_used_at):
                if total <= self.limit:
                    return
                total -= sizes[folder][kept]
                _forget(kept)
            with suppress(OSError):  # another kernel keeps something there
                folder.rmdir()


def _inside(folder: Path) -> list[Path]:
    with suppress(OSError):
        return list(folder.iterdir())
    return []


def _forget(kept: Path) -> None:
    if kept.is_dir():
        shutil.rmtree(kept, ignore_errors=True)
    else:
        with suppress(OSError):
            kept.unlink()


def _limit() -> int:
    """Bytes; what is no number counts as the default."""
    try:
        return int(float(os.environ.get(LIMIT, DEFAULT_LIMIT_MB)) * 1_000_000)
    except ValueError:
        return DEFAULT_LIMIT_MB * 1_000_000


def _used_at(folder: Path) -> float:
    with suppress(OSError):
        return folder.stat().st_mtime
    return 0.0


def _size(kept: Path | os.DirEntry[str]) -> int:
    with suppress(OSError):  # another kernel removed it
        if kept.is_file():
            return kept.stat().st_size
        with os.scandir(kept) as inside:
            return sum(map(_size, inside))
    return 0


def _parts(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{_PART}*"), key=_used_at)


def _write(folder: Path, stored: StoredHistory, kept: Saved) -> None:
    """Write as a part what was read beyond what is kept."""
    name = uuid.uuid4().hex
    unfinished = folder / f"{_UNFINISHED}{name}"
    try:
        unfinished.mkdir(mode=0o700)
        for table, content in _beyond(stored, kept).tables().items():
            feather.write_feather(content, str(unfinished / table), compression="zstd", compression_level=1)
        unfinished.rename(folder / f"{_PART}{name}")
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _beyond(stored: StoredHistory, kept: Saved) -> StoredHistory:
    """What was read and is not kept; what could not be read may be there the next time."""
    lists = {
        path: found for path, found in stored.lists.items() if not isinstance(found, str) and path not in kept.lists
    }
    read = (stored.read - kept.read) | (stored.whole - kept.whole)
    return stored.part(lists, read)


def _read(part: Path) -> StoredHistory:
    """What a part holds."""
    return StoredHistory.of_tables({name: feather.read_table(str(part / name)) for name in TABLES})
