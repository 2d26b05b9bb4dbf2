"""What a changelog tells of the rows that it draws besides their text: what updates changed, and how to find them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    StringType,
    TimestampNTZType,
    TimestampType,
)

from ...model.changed_cells import ChangedCell
from ...model.changelog.counted import RowDetails
from ...queries.changelog.rows import TYPE_ORDER
from ...queries.rows import paging, python_values, schema_mapping
from ...queries.rows.changelog_rows import Column

_LONGEST = 200  # letters of a value


def row_details(rows: DataFrame, columns: Mapping[str, Column], keys: Sequence[str], limit: int) -> list[RowDetails]:
    """The details of the first rows, in the order of `ChangelogQuery.drawn`, whose n-th row has the n-th one's key.

    Args:
        rows: of `ChangelogQuery.keyed`, of a changelog that was read.
        columns: of the table's current schema, by name.
        keys: of `ChangelogQuery`; at least one.
        limit: of rows.

    Cost: the rows, which are kept, once.
    """
    drawn = paging.page(rows, (*keys, "_change_ordinal", TYPE_ORDER), offset=0, limit=limit)
    places = [f"_{place}" for place in range(len(keys))]
    typed = [f"{key} AS {place}" for key, place in zip(keys, places, strict=True)]
    told = drawn.selectExpr(*typed, "_change_ordinal", "_change_type", f"{_cells(columns, keys)} AS _cells")
    told = told.orderBy(*places, "_change_ordinal", F.expr(TYPE_ORDER))
    kinds = [told.schema[place].dataType for place in places]
    has_literals = all(map(_has_literals, kinds))
    _, values = python_values.read(told.select("_cells", *(places if has_literals else ())))
    names = list(columns)
    found = []
    for at, cells in enumerate(values["_cells"]):
        of_row = {key: (kind, values[place][at]) for key, kind, place in zip(keys, kinds, places, strict=True)
                  } if has_literals else {}  # fmt: skip
        changed = tuple(ChangedCell(names[cell["place"]], cell["before"], cell["after"]) for cell in cells or ())
        found.append(RowDetails(condition(of_row), changed))
    return found


def condition(columns: Mapping[str, tuple[DataType, Any]]) -> str:
    """A condition that is true of rows with these values alone.

    Args:
        columns: by their SQL, type and value: as `python_values.read` gives it, a date or time that Python has not as
            text. Types that have literals.
    """
    return " AND ".join(_equals(sql, kind, value) for sql, (kind, value) in columns.items())


# --- the condition of a key


def _equals(sql: str, kind: DataType, value: Any) -> str:
    return f"{sql} IS NULL" if value is None else f"{sql} = {_literal(kind, value)}"


def _has_literals(kind: DataType) -> bool:
    plain = (BooleanType, IntegerType, LongType, DecimalType, FloatType, DoubleType)
    return isinstance(kind, (*plain, StringType, BinaryType, DateType, TimestampType, TimestampNTZType))


def _literal(kind: DataType, value: Any) -> str:
    """SQL of a value that is not null, which Spark reads alike under all of its settings.

    Whole numbers, plain texts and dates are written so that partitions and bounds are compared with them too.
    """
    match kind, value:
        case BooleanType(), bool():
            return str(value).lower()
        case IntegerType() | LongType(), int():
            return str(value)
        case DecimalType(), Decimal():
            return f"{value:f}"
        case FloatType() | DoubleType(), float():
            return f"CAST('{value!r}' AS {kind.simpleString().upper()})"
        case StringType(), str():
            return schema_mapping.text(value)
        case BinaryType(), bytes():
            return f"X'{value.hex()}'"
        case DateType(), date():
            return f"'{value.isoformat()}'"
        case DateType(), str():
            return f"DATE '{value}'"
        case TimestampType() | TimestampNTZType(), datetime() | str():
            return f"{'TIMESTAMP' if isinstance(kind, TimestampType) else 'TIMESTAMP_NTZ'} '{value}'"
    raise TypeError(f"{kind.simpleString()} has no literals")


# --- what updates changed


def _cells(columns: Mapping[str, Column], keys: Sequence[str]) -> str:
    """SQL of the cells in which the two sides of an update differ; null of other rows.

    Spark compares them, so that no others come here: a table may have a thousand columns.
    """
    texts = _array(f"left(coalesce({column.text}, 'null'), {_LONGEST})" for column in columns.values())
    # Values that cannot be compared make no update, and are not told as changed.
    values = _array(f"xxhash64({column.key})" if column.key else "0L" for column in columns.values())
    one_row = f"OVER (PARTITION BY {', '.join(keys)}, _change_ordinal)"
    row = f"struct({texts} AS texts, {values} AS hashes)"
    before, after = (f"{side}_by({row}, _change_type = 'UPDATE_AFTER') {one_row}" for side in ("min", "max"))
    is_whole = f"_change_type LIKE 'UPDATE%' AND count(*) {one_row} = 2"  # the limit may leave one side out
    differing = (
        "filter(transform(sides.before.hashes, (value, place) -> IF(value = sides.after.hashes[place], NULL, struct("
        "place AS place, sides.before.texts[place] AS before, sides.after.texts[place] AS after))),"
        " cell -> cell IS NOT NULL)"
    )
    return (
        f"IF({is_whole}, transform(array(struct({before} AS before, {after} AS after)), sides -> {differing})[0], NULL)"
    )


def _array(parts: Iterable[str]) -> str:
    return f"array({', '.join(parts)})"
