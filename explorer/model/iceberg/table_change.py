"""What became of a table since its metadata was read."""

from __future__ import annotations

from dataclasses import dataclass

from .. import formats
from .metadata import TableMetadata


@dataclass(frozen=True, slots=True)
class TableChange:
    """How a table differs now from what was read.

    Attributes:
        is_gone: no table has the name any more: it was dropped, or renamed.
        is_another: another table has the name.
        added: snapshots that are listed now and were not.
        expired: snapshots that were listed and are not any more; their files may be gone.
        has_other_columns: another schema is the current one.
    """

    is_gone: bool = False
    is_another: bool = False
    added: int = 0
    expired: int = 0
    has_other_columns: bool = False

    @property
    def forbids_rows(self) -> bool:
        """Whether rows read by the name are not those of the table that was read.

        Iceberg looks columns up in the current schema, whichever snapshot is read.
        """
        return self.is_gone or self.is_another or self.has_other_columns

    @property
    def explains_failure(self) -> bool:
        """Whether a file or a snapshot that cannot be found may be gone for this."""
        return self.forbids_rows or self.expired > 0

    @property
    def words(self) -> str:
        """`3 newer commits, 2 snapshots expired`."""
        if self.is_gone:
            return "no table has its name any more: it was dropped or renamed"
        if self.is_another:
            return "another table has its name now"
        parts = [
            formats.count(self.added, "newer commit") if self.added else "",
            f"{formats.count(self.expired, 'snapshot')} expired" if self.expired else "",
            "its columns are other ones" if self.has_other_columns else "",
        ]
        return ", ".join(filter(None, parts)) or "the same snapshots"


GONE = TableChange(is_gone=True)


def table_change(before: TableMetadata, now: TableMetadata) -> TableChange:
    """How the table differs from what was read.

    Source: specification, "Table Metadata": `table-uuid` is the same in all metadata of one table.
    """
    if before.table_uuid != now.table_uuid:
        return TableChange(is_another=True)
    return TableChange(
        added=len(now.by_id.keys() - before.by_id.keys()),
        expired=len(before.by_id.keys() - now.by_id.keys()),
        has_other_columns=before.schemas.get(before.current_schema_id or 0)
        != now.schemas.get(now.current_schema_id or 0),
    )
