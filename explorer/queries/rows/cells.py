"""The rows that a commit touched, as text, where they are few enough to be shown one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pyspark.sql.types import BinaryType, StructField, TimestampType

from ...model.commit.rows import Outcome, RowCell
from ...model.iceberg.touched_files import TouchedFiles
from .. import identifiers
from .question import RowQuestion

Outcomes = Mapping[tuple[str, int, bool], Outcome]
"""By file, position, and whether the row is gone (else it is new)."""

_SIDES: tuple[Literal["before", "after"], ...] = ("before", "after")
_IN_A_FILE, _IN_ALL = 12, 60
_LONGEST = 60


def are_few(files: TouchedFiles) -> bool:
    """Whether the metadata promises at most 12 rows in each touched file and 60 in all, before and after together."""
    sizes = [file.record_count for file in (*files.removed, *files.kept, *files.added)]
    in_both = sum(file.record_count for file in files.kept)
    return files.complete and bool(sizes) and max(sizes) <= _IN_A_FILE and sum(sizes) + in_both <= _IN_ALL


def cells(question: RowQuestion, outcomes: Outcomes, files: TouchedFiles) -> tuple[RowCell, ...]:
    """Every visible row of the touched files, by file, before first, by position.

    Args:
        question: whose rows are few, unchanged ones too.
        outcomes: of its gone and new rows; a row of a kept file without one stayed where it is.
        files: that the commit touched. Rows that readers give for other entries of its files are not shown.
    """
    shown = [value_text(field) for field in question.rows.schema.fields[: len(question.columns)]]
    text = f"concat_ws(' ', {', '.join(shown)})" if shown else "''"
    found = []
    for row in question.rows.selectExpr("_before", "_after", "_file", "_pos", f"{text} AS text").collect():
        stayed = row._before and row._after
        if stayed and row._file in files.listed_too:
            continue
        text = row.text if len(row.text) <= _LONGEST else row.text[: _LONGEST - 1] + "…"
        outcome = None if stayed else outcomes[row._file, row._pos, row._before]
        found += [RowCell(row._file, row._pos, side, outcome, text) for side in _SIDES if row[f"_{side}"]]
    return tuple(sorted(found, key=lambda cell: (cell.path, cell.side != "before", cell.position)))


def value_text(field: StructField) -> str:
    """SQL for the value of a column as text: `null` for null, `0x00ff` for binary, times in UTC."""
    name = identifiers.quoted([field.name])
    match field.dataType:
        case BinaryType():
            value = f"concat('0x', lower(hex({name})))"
        case TimestampType():
            value = f"CAST(to_utc_timestamp({name}, current_timezone()) AS STRING)"
        case _:
            value = f"CAST({name} AS STRING)"
    return f"coalesce({value}, 'null')"
