"""A file that a commit added or removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .inheritance import ContentKind, Resolved, StoredEntry

Change = Literal["added", "removed"]


@dataclass(frozen=True, slots=True)
class FileChange:
    """A data or delete file that the commit added or removed, with its numbers as a reader sees them."""

    change: Change
    entry: StoredEntry
    resolved: Resolved

    @property
    def key(self) -> tuple[str, int | None]:
        """What tells files apart: several deletion vectors lie in one Puffin file."""
        return self.entry.file_path, self.entry.content_offset

    @property
    def kind(self) -> ContentKind:
        """What the file holds."""
        return self.entry.kind

    @property
    def size_in_bytes(self) -> int:
        """Bytes of the file; of a deletion vector only its own part of the file."""
        part = self.entry.content_size_in_bytes
        return self.entry.file_size_in_bytes if part is None else part
