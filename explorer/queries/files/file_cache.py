"""Manifest lists and manifests of one table, kept on this machine as the storage gave them."""

from __future__ import annotations

import hashlib
import io
import os
import threading
import uuid
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import fastavro

from ...model import formats
from ...model.evidence import Note


class FileCache:
    """Manifest lists and manifests that were read before, and never change, in a folder.

    Args:
        folder: of the table; made when something is kept.
        bound: forgets what is too much, for which it looks at every file that is kept.
        slack: bytes; after the first time, it is called when so many more were kept.
    """

    def __init__(self, folder: Path, bound: Callable[[], None], slack: int) -> None:
        self._folder, self._bound, self._slack = folder, bound, slack
        self._written = slack
        self._read_now: set[str] = set()
        self._read_before: set[str] = set()
        self._counting = threading.Lock()

    def load(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Those that are kept."""
        found = {}
        for path in paths:
            place = self._place(path)
            with suppress(OSError):
                digest, content = _apart(place.read_bytes())
                if digest == _digest(content):
                    found[path] = content
                    os.utime(place)
        if found:
            with suppress(OSError):
                os.utime(self._folder)
        with self._counting:
            self._read_before.update(found.keys() - self._read_now)
        return found

    def save(self, contents: Mapping[str, bytes]) -> None:
        """Keep these, but for those that are no whole Avro file; a disk that refuses keeps nothing."""
        with self._counting:
            self._read_now.update(contents)
        with suppress(OSError):
            for path, content in contents.items():
                if _is_whole(content):
                    self._write(self._place(path), content)
                    with self._counting:
                        self._written += len(content)
            with self._counting:
                is_much = self._written >= self._slack
                if is_much:
                    self._written = 0
            if is_much:
                self._bound()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to say of files that were read before the table was opened."""
        if not self._read_before:
            return ()
        files = formats.count(len(self._read_before), "file")
        return (read_before(f"{files} of all that this table was asked for (manifest lists and manifests)"),)

    def _write(self, place: Path, content: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished = self._folder / f"unfinished-{uuid.uuid4().hex}"
        try:
            unfinished.write_bytes(_digest(content) + content)
            unfinished.rename(place)
        finally:
            unfinished.unlink(missing_ok=True)

    def _place(self, path: str) -> Path:
        return self._folder / f"file-{hashlib.sha256(path.encode(errors='surrogatepass')).hexdigest()}"


def read_before(what: str) -> Note:
    """What to say of an answer that rests on files which were not looked at now."""
    reason = f"{what}: whether the files are still there was not asked. `iceberg-explorer cache clear` forgets them."
    return Note("exact", "Read before, and kept on this machine", reason)


def _is_whole(content: bytes) -> bool:
    """Whether an Avro file can be read to its end."""
    try:
        for _ in fastavro.block_reader(io.BytesIO(content)):
            pass
    except Exception:  # whatever is wrong with it
        return False
    return True


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _apart(file: bytes) -> tuple[bytes, bytes]:
    return file[: hashlib.sha256().digest_size], file[hashlib.sha256().digest_size :]
