"""Some rows of a frame that may have any number of them: filtered, ordered and cut by Spark."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ..engine.quiet import quiet_errors
from ..errors import ExplorerError
from . import calls

_QUOTED = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`(?:[^`]|``)*`|--[^\n]*|/\*.*?\*/", re.DOTALL)
_SUBQUERY = re.compile(r"\bselect\b|\(\s*(?:from|table|with)\s+\w|\(\s*values\s*[^\s)=<>!]", re.IGNORECASE)


def filtered(
    frame: DataFrame,
    *,
    change_types: Collection[str] = (),
    snapshot_ids: Collection[int] = (),
    predicate: str = "",
) -> DataFrame:
    """The rows of a changelog that pass every filter; one that is empty lets all pass.

    Args:
        frame: with _change_type and _commit_snapshot_id.
        change_types: any of these.
        snapshot_ids: any of these.
        predicate: SQL that a person typed: true or false over the columns of the frame, and nothing else.

    Raises:
        ExplorerError: the predicate cannot be asked; says why, and which columns there are.
    """
    if change_types:
        frame = frame.where(F.col("_change_type").isin(*change_types))
    if snapshot_ids:
        frame = frame.where(F.col("_commit_snapshot_id").isin(*snapshot_ids))
    return _where(frame, predicate) if predicate.strip() else frame


def page(frame: DataFrame, order: Sequence[str], *, offset: int, limit: int) -> DataFrame:
    """Rows `offset` to `offset + limit` in the ascending order of SQL expressions, as `ChangelogQuery.order` has them.

    Cost: the whole frame is read and its first rows are kept sorted. Whoever asks for many pages keeps the frame first.
    """
    return frame.orderBy(*(F.expr(part) for part in order)).offset(offset).limit(limit)


def _where(frame: DataFrame, predicate: str) -> DataFrame:
    if _SUBQUERY.search(_QUOTED.sub(" ", predicate)):
        raise _refused(frame, predicate, "It asks a query of its own; only the columns of these rows can be used.")
    try:
        with quiet_errors():
            # As an expression first, which a WHERE clause that goes on after it is not.
            kept = frame.where(F.expr(predicate))
            _ = kept.schema  # Connect looks at it only now
    except Exception as error:
        raise _refused(frame, predicate, _reason(error)) from error
    return kept


def _refused(frame: DataFrame, predicate: str, why: str) -> ExplorerError:
    return ExplorerError(
        f"The rows cannot be filtered by {predicate.strip()}",
        found=why,
        next_step=f"Write a condition over {', '.join(frame.columns)}, such as {frame.columns[0]} IS NOT NULL.",
    )


def _reason(error: Exception) -> str:
    """The first sentence of Spark's message, without its code and the plan."""
    text = re.sub(r"^\[[A-Z_.0-9]+\]\s*", "", calls.reason(error))
    return re.split(r"\s*(?:SQLSTATE|; line \d|\(line \d)", text)[0].rstrip(" .;") + "."
