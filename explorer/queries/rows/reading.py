"""Rows of a table that cannot be read, told as a refusal of the question that needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from ...engine.logging import silenced_errors
from ...errors import RESTORE_FILE, AccessDenied, ExplorerError, Unreachable
from ..files import spark_errors

RESERVED = frozenset(
    ("_file", "_pos", "_deleted", "_spec_id", "_partition", "_row_id", "_last_updated_sequence_number")
)
"""Metadata columns of Iceberg, by which rows are told apart; of a table that has one of its own it reads no row.

Source: Iceberg's MetadataColumns, and what its scans in Spark refuse.
"""

_OF_VALUES = ("22", "P0001")  # SQLSTATE: a value that an expression cannot work with, as in id = 'x'; raise_error


@contextmanager
def refusing(what: str, next_step: str = "", *, of_data: str = "") -> Iterator[None]:
    """What Spark cannot read within is told as a refusal.

    Args:
        what: one sentence: what was asked and cannot be answered.
        next_step: what the person can do now.
        of_data: the same where a value is at fault, which Spark notices only while it reads; as `next_step` if empty.

    Raises:
        AccessDenied, Unreachable: the catalog or the storage refused, or does not answer.
        ExplorerError: Spark, or Iceberg in it, failed in another way; of a file that is gone it says what to do.
    """
    try:
        with silenced_errors():
            yield
    except Exception as error:
        if not spark_errors.is_of_spark(error):
            raise
        step = of_data if is_of_value(error) and of_data else next_step
        if spark_errors.GONE.search(str(error)):
            step = f"{RESTORE_FILE} {step}".rstrip()
        raise spark_errors.failed(what, error, step) from error


def as_nothing(frame: DataFrame) -> None:
    """Read every column of every row, and keep none."""
    frame.write.format("noop").mode("overwrite").save()


def is_of_files(error: ExplorerError) -> bool:
    """Whether files may be at fault for a refusal: not a condition, a value, or the storage as a whole."""
    return not (is_of_value(error.__cause__) or isinstance(error, AccessDenied | Unreachable))


def is_of_value(error: BaseException | None) -> bool:
    """Whether an expression could not work with a value, which Spark notices only while it reads."""
    return isinstance(error, PySparkException) and (error.getSqlState() or "").startswith(_OF_VALUES)


def refuse_reserved(columns: Iterable[str], what: str) -> None:
    """Nothing, if Iceberg reads rows of a table with these columns.

    Raises:
        ExplorerError: it does not; names the columns.
    """
    taken = sorted(RESERVED & set(columns))
    if taken:
        raise ExplorerError(
            what,
            found=f"The table has a column {', '.join(taken)}, as Iceberg calls one of its own metadata columns,"
            " and Iceberg reads no rows of such a table by place.",
            next_step="Rename the column, which rewrites no data; pictures of files and numbers answer as it is.",
        )
