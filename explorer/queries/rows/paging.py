"""Some rows of a frame that may have any number of them: filtered, ordered and cut by Spark."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...engine.logging import silenced_errors
from ...errors import ExplorerError
from .. import identifiers
from ..files import spark_errors

_QUOTED = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`(?:[^`]|``)*`|--[^\n]*|/\*.*?\*/", re.DOTALL)
_SUBQUERY = re.compile(r"\bselect\b|\(\s*(?:from|table|with)\s+\w|\(\s*values\s*[^\s)=<>!]", re.IGNORECASE)
_MOST = 2**31 - 1  # an int of Java


def filtered(
    frame: DataFrame,
    *,
    change_types: str | Collection[str] = (),
    snapshot_ids: int | Collection[int] = (),
    predicate: str = "",
) -> DataFrame:
    """The rows of a changelog that pass every filter; one that is empty lets all pass.

    Args:
        frame: with _change_type and _commit_snapshot_id.
        change_types: any of these, or this one.
        snapshot_ids: any of these, or this one.
        predicate: SQL that a person typed: true or false over the columns of the frame, and nothing else.

    Raises:
        ExplorerError: the predicate cannot be asked; says why, and which columns there are. What only the values of
            rows tell, `count` finds.
    """
    for column, wanted in (("_change_type", change_types), ("_commit_snapshot_id", snapshot_ids)):
        values = [wanted] if isinstance(wanted, str | int) and wanted != "" else wanted
        if values:
            frame = frame.where(F.col(column).isin(*values))
    return _where(frame, predicate) if predicate.strip() else frame


def page(frame: DataFrame, order: Sequence[str], *, offset: int, limit: int) -> DataFrame:
    """Rows `offset` to `offset + limit` in the ascending order of SQL expressions, as `ChangelogQuery.order` has them.

    Raises:
        ExplorerError: the offset or the limit is below 0, or together they are more than Spark can count.

    Cost: the whole frame is read and its first rows are kept sorted. Whoever asks for many pages keeps the frame first.
    """
    if offset < 0 or limit < 0 or offset + limit > _MOST:
        raise ExplorerError(
            "There is no such page of rows.",
            found=f"The offset is {offset:,}, the limit {limit:,}.",
            next_step=f"Neither may be below 0, and their sum not above {_MOST:,}.",
        )
    return frame.orderBy(*(F.expr(part) for part in order)).offset(offset).limit(limit)


def count(rows: DataFrame, predicate: str) -> int:
    """How many rows `filtered` lets pass; its predicate is evaluated only now, on every row.

    Raises:
        ExplorerError: the predicate cannot be asked of a row: it takes a text for a number, or divides by 0.
    """
    if not predicate.strip():
        return rows.count()
    try:
        with silenced_errors():
            return rows.count()
    except Exception as error:
        # In the SQL standard 22 is a value that does not fit: then another condition may help.
        raise _refused(rows, predicate, _reason(error), at_fault="SQLSTATE: 22" in str(error)) from error


def _where(frame: DataFrame, predicate: str) -> DataFrame:
    if _SUBQUERY.search(_QUOTED.sub(" ", predicate)):
        raise _refused(frame, predicate, "It asks a query of its own; only the columns of these rows can be used.")
    try:
        with silenced_errors():
            # As an expression first, which a WHERE clause that goes on after it is not.
            kept = frame.where(F.expr(predicate))
            _ = kept.schema  # Connect looks at it only now
    except Exception as error:
        raise _refused(frame, predicate, _reason(error)) from error
    return kept


def _refused(frame: DataFrame, predicate: str, why: str, *, at_fault: bool = True) -> ExplorerError:
    first = identifiers.quoted(frame.columns[:1])
    advice = f"Write a condition over {', '.join(frame.columns)}, such as {first} IS NOT NULL."
    return ExplorerError(
        f"The rows cannot be filtered by {predicate.strip()}",
        found=why,
        next_step=advice if at_fault else "",
    )


def _reason(error: Exception) -> str:
    """The first sentence of Spark's message, without its code and the plan."""
    text = re.sub(r"^\[[A-Z_.0-9]+\]\s*", "", spark_errors.reason(error))
    return re.split(r"\s*(?:SQLSTATE|; line \d|\(line \d)", text)[0].rstrip(" .;") + "."
