"""Errors written for the person: what was asked, what was found, what to do next."""

from __future__ import annotations

RESTORE_FILE = (
    "Restore the file from a backup, or from an earlier version if its bucket keeps them; or expire the snapshots that"
    " need it."
)
"""What a person can do where a data, delete or manifest file is gone; nobody can read what needs it until then."""


class ExplorerError(Exception):
    """A question that could not be answered, told in words.

    Args:
        what: one sentence: what was asked and why it cannot be answered.
        found: what was found instead, a sentence or nothing.
        next_step: what the person can do now, a sentence or nothing.
    """

    def __init__(self, what: str, *, found: str = "", next_step: str = "") -> None:
        self.what, self.found, self.next_step = what, found, next_step
        super().__init__("\n".join(line for line in (what, found, next_step) if line))

    def _render_traceback_(self) -> list[str]:
        """IPython shows these lines in place of a traceback."""
        return [f"{type(self).__name__}: {self}"]


class NoJava(ExplorerError):
    """Spark needs Java 17 or newer and none was found."""


class NoSpark(ExplorerError):
    """A Spark session could not be started or reached, or was lost."""


class NoRuntime(ExplorerError):
    """The session has no Iceberg runtime, or none exists for the installed pyspark."""


class TableNotFound(ExplorerError):
    """No table of that name; the message lists what the namespace holds."""


class NotAnIcebergTable(ExplorerError):
    """The name is that of a view or of a table in another format."""


class AccessDenied(ExplorerError):
    """The catalog or the storage refused to let the table be read."""


class Unreachable(ExplorerError):
    """The catalog or the storage does not answer."""


class UnreadableMetadata(ExplorerError):
    """The table's metadata file is missing, damaged, or of a format this explorer does not read."""


class TableChanged(ExplorerError):
    """The table is another one than was read, or files are gone that were there; `reload()` reads it as it is now."""


class UnknownSnapshot(ExplorerError):
    """No snapshot of that id, branch or tag in the table's metadata."""


class TooLittleMemory(ExplorerError):
    """An answer that does not fit into the memory of this process; nothing was read for it.

    Args:
        what, found, next_step: as of `ExplorerError`.
        needed: bytes that it takes, about.
        free: bytes that there are.
    """

    def __init__(self, what: str, *, found: str, next_step: str, needed: int, free: int) -> None:
        self.needed, self.free = needed, free
        super().__init__(what, found=found, next_step=next_step)


class Cancelled(ExplorerError):
    """The person cancelled the question before it was answered."""
