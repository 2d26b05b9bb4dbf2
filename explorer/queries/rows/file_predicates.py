"""A condition on rows that is true of every row of given files, and of as few other rows as their statistics allow.

Iceberg skips files and row groups by such a condition; one on `_file` skips nothing in its Spark scan. Bounds may be
truncated (the true values lie inside them), say nothing of nulls (null counts do) and of NaN: columns of floating
point numbers are left out. A value of an identity partition is a bound too, of files that store none. ORC compares
texts by UTF-16 units, Iceberg and Spark by code points; a text that these order in two ways bounds no ORC file.

Source: Iceberg specification, "Manifests" (bounds, counts), Appendix D (single-value serialization).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from ...model.iceberg.document import Schema, Specs
from ...model.iceberg.inheritance import StoredEntry
from .. import identifiers
from .schema_mapping import fields, spark_type, text

# More comparisons than these cost each row that is read more than they save.
MOST_ALTERNATIVES = 64
_COLUMNS_IN_AN_ALTERNATIVE = 3

_DAY = 86_400_000_000  # microseconds

Value = Any
"""An int, str or Decimal; of one column always of the same class, ordered as Spark orders the column."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the values of a column in a file lie; None: no bound on that side.

    Attributes:
        nulls: whether null may occur. values: whether anything else may.
    """

    lower: Value
    upper: Value
    nulls: bool
    values: bool = True


Intervals = Mapping[int, Interval]


@dataclass(frozen=True, slots=True)
class Column:
    """A column that can be bounded."""

    field_id: int
    name: str
    type: str


def predicate(
    files: Sequence[StoredEntry],
    schema: Schema,
    specs: Specs,
    *,
    only: Collection[int],
    alternatives: int = MOST_ALTERNATIVES,
) -> str | None:
    """SQL that is true of every row of these files as read with `schema`; None if nothing is known of them.

    Args:
        files: entries with statistics, at least one.
        schema: the schema that the rows are read with, as metadata.json writes it.
        specs: partition fields by spec id.
        only: ids of the columns that the condition may name.
        alternatives: at most so many groups of files are told apart; below two, none.
    """
    intervals, shared = _known(files, schema, specs, only)
    hull = {c.field_id: _hull(found[c.field_id] for found in intervals) for c in shared}
    parts = [_sql(c, hull[c.field_id]) for c in shared]
    chosen = [c for pieces, c in _most_telling(intervals, shared)[:_COLUMNS_IN_AN_ALTERNATIVE] if pieces > 1]
    if chosen and alternatives > 1:
        groups = _neighbours(intervals, chosen[0], min(alternatives, MOST_ALTERNATIVES))
        told = dict.fromkeys(
            " AND ".join(_sql(c, _hull(found[c.field_id] for found in group)) for c in chosen) for group in groups
        )
        parts.append("(" + " OR ".join(f"({one})" for one in told) + ")")
    return " AND ".join(parts) or None


def telling(
    files: Sequence[StoredEntry], schema: Schema, specs: Specs, *, only: Collection[int]
) -> tuple[int, int | None]:
    """Into how many pieces the bounds of files fall, and the id of the column of which they fall into most.

    One piece, and none, if nothing is known of them. Arguments as of `predicate`.
    """
    found = _most_telling(*_known(files, schema, specs, only))
    return (found[0][0], found[0][1].field_id) if found else (1, None)


def _known(
    files: Sequence[StoredEntry], schema: Schema, specs: Specs, only: Collection[int]
) -> tuple[list[dict[int, Interval]], list[Column]]:
    """What is known of each file, and the columns of which something is known of all."""
    known = _columns(schema, only)
    intervals = [_intervals(file, known, specs) for file in files]
    shared = [c for c in known.values() if all(c.field_id in found for found in intervals)]
    if any(file.file_format.upper() == "ORC" for file in files):
        shared = [c for c in shared if all(_is_ordered_in_orc(found[c.field_id]) for found in intervals)]
    return intervals, shared


def _most_telling(intervals: Sequence[Intervals], shared: Sequence[Column]) -> list[tuple[int, Column]]:
    """Columns with the pieces into which the files fall by them, the most first."""
    found = [(_pieces([f[c.field_id] for f in intervals]), c) for c in shared]
    return sorted(found, key=lambda piece: -piece[0])


def _columns(schema: Schema, only: Collection[int]) -> dict[int, Column]:
    """Columns of the top level whose bounds can be written in SQL. Inside a struct, counts do not tell of nulls."""
    return {
        field["id"]: Column(field["id"], field["name"], field["type"].replace(" ", ""))
        for field in fields(schema)
        if isinstance(field["type"], str) and _kind(field["type"]) in _READERS and field["id"] in only
    }


def _kind(kind: str) -> str:
    return kind.partition("(")[0].strip()


def _intervals(file: StoredEntry, columns: Mapping[int, Column], specs: Specs) -> dict[int, Interval]:
    """What is known of a file's columns: by its statistics, else by its partition."""
    found = {}
    for field_id, text_of in _identities(file, specs):
        column = columns.get(field_id)
        if column is not None:
            value = None if text_of is None else from_text(column.type, text_of)
            if text_of is None or value is not None:
                found[field_id] = Interval(value, value, nulls=text_of is None, values=text_of is not None)
    for column in columns.values():
        interval = _stored(file, column)
        if interval is not None:
            found[column.field_id] = interval
    return found


def _stored(file: StoredEntry, column: Column) -> Interval | None:
    statistics, field_id = file.statistics, column.field_id
    nulls, values = statistics.null_value_counts.get(field_id), statistics.value_counts.get(field_id)
    if nulls is not None and nulls == values:
        return Interval(None, None, nulls=True, values=False)
    bounds = statistics.lower_bounds.get(field_id), statistics.upper_bounds.get(field_id)
    lower, upper = (_from_bytes(column.type, stored) for stored in bounds)
    return None if lower is None and upper is None else Interval(lower, upper, nulls=nulls != 0)


def _is_ordered_in_orc(interval: Interval) -> bool:
    """Whether ORC compares any text with these bounds as Spark does: both orders agree below the surrogates."""
    bounds = (bound for bound in (interval.lower, interval.upper) if isinstance(bound, str))
    return all(sign < "\ud800" for bound in bounds for sign in bound)


def _hull(intervals: Iterable[Interval]) -> Interval:
    """The smallest interval that holds them all."""
    found = list(intervals)
    bounded = [i for i in found if i.values]
    lowers, uppers = [i.lower for i in bounded], [i.upper for i in bounded]
    return Interval(
        None if None in lowers or not lowers else min(lowers),
        None if None in uppers or not uppers else max(uppers),
        nulls=any(i.nulls for i in found),
        values=bool(bounded),
    )


def _pieces(intervals: Sequence[Interval]) -> int:
    """Into how many pieces these intervals fall: the more, the better the column tells the files apart."""
    if any(i.values and (i.lower is None or i.upper is None) for i in intervals):
        return 1
    bounded = sorted((i.lower, i.upper) for i in intervals if i.values)
    pieces, reached = 0, None
    for lower, upper in bounded:
        if reached is None or lower > reached:
            pieces += 1
        reached = upper if reached is None else max(reached, upper)
    return pieces + (len(bounded) < len(intervals))


def _neighbours(intervals: Sequence[Intervals], column: Column, most: int) -> list[Sequence[Intervals]]:
    """At most so many groups of files, two or more: each of files that lie close together."""
    without = [f for f in intervals if not f[column.field_id].values]
    ordered = sorted((f for f in intervals if f[column.field_id].values), key=lambda f: f[column.field_id].lower)
    size = -(-len(ordered) // (most - 1)) or 1
    groups: list[Sequence[Intervals]] = [ordered[i : i + size] for i in range(0, len(ordered), size)]
    return [*groups, without] if without else groups


def _sql(column: Column, interval: Interval) -> str:
    name = identifiers.quoted([column.name])
    if not interval.values:
        return f"{name} IS NULL"
    if interval.lower is not None and interval.lower == interval.upper:
        parts = [f"{name} = {_literal(column.type, interval.lower)}"]
    else:
        parts = [] if interval.lower is None else [f"{name} >= {_literal(column.type, interval.lower)}"]
        parts += [] if interval.upper is None else [f"{name} <= {_literal(column.type, interval.upper)}"]
    if not parts:
        return "true" if interval.nulls else f"{name} IS NOT NULL"
    inside = " AND ".join(parts)
    return f"({name} IS NULL OR ({inside}))" if interval.nulls else inside


# --- values ----------------------------------------------------------------------------------------------------------


def _number(sizes: tuple[int, ...]) -> Callable[[bytes], int | None]:
    """A little-endian number; of another size the column had another type when the file was written."""
    return lambda stored: int.from_bytes(stored, "little", signed=True) if len(stored) in sizes else None


def _text(stored: bytes) -> str | None:
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return None


_READERS: Mapping[str, Callable[[bytes], Value | None]] = {
    "int": _number((4,)),
    "long": _number((4, 8)),  # an int that was widened keeps its four bytes
    "date": _number((4,)),
    "timestamp": _number((8,)),
    "timestamptz": _number((8,)),
    "string": _text,
    "decimal": lambda stored: int.from_bytes(stored, "big", signed=True),
}


def _from_bytes(kind: str, stored: bytes | None) -> Value | None:
    if stored is None:
        return None
    value = _READERS[_kind(kind)](bytes(stored))
    return _scaled(value, kind) if _kind(kind) == "decimal" else value


def _scaled(unscaled: Any, kind: str) -> Decimal:
    return Decimal(f"{unscaled}e-{kind.rstrip(')').partition(',')[2]}")  # made of a text it is not rounded


def from_text(kind: str, shown: str) -> Value | None:
    """A partition value of a type as `files.avro` writes it; None if it is written in a way that tells nothing here."""
    try:
        match _kind(kind):
            case "int" | "long":
                return int(shown)
            case "string":
                return shown
            case "decimal":
                return Decimal(shown)
            case "date":
                return (date.fromisoformat(shown) - date(1970, 1, 1)).days
            case _:
                at = datetime.fromisoformat(shown).replace(tzinfo=UTC)
                return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    except (ValueError, ArithmeticError):
        return None


def _literal(kind: str, value: Value) -> str:
    match _kind(kind):
        case "string":
            return text(value)
        case "date":
            return f"date_from_unix_date({value})"
        case "timestamptz":
            return f"timestamp_micros({value})"
        case "timestamp":
            days, rest = divmod(value, _DAY)  # seconds alone overflow beyond the year 33,658
            return f"TIMESTAMP_NTZ'1970-01-01' + make_dt_interval({days}, 0, 0, {Decimal(f'{rest}e-6'):f})"
        case "decimal":
            return f"CAST('{value:f}' AS {spark_type(kind)})"
        case "int":
            return str(value)
        case _:
            return f"{value}L" if value > -(2**63) else "CAST('-9223372036854775808' AS BIGINT)"


# --- partitions ------------------------------------------------------------------------------------------------------

_PART = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^"=/]*)=("(?:[^"\\]|\\.)*"|[^"/]*)(?:/|$)')


def partition_texts(file: StoredEntry, specs: Specs) -> Sequence[str | None] | None:
    """The values of a file's partition as text, None for null, in the order of its spec; None if they do not fit it."""
    spec = specs.get(file.spec_id, ())
    values = [match[1] for match in _PART.finditer(file.partition)]
    if len(values) != len(spec):
        return None
    shown = (json.loads(value) if value.startswith('"') else value for value in values)
    return [None if value == "null" else text for value, text in zip(values, shown, strict=True)]


def _identities(file: StoredEntry, specs: Specs) -> Iterable[tuple[int, str | None]]:
    """Source field and value, None for null, of each identity field of a file's partition."""
    values = partition_texts(file, specs)
    if values is None:
        return
    for field, value in zip(specs.get(file.spec_id, ()), values, strict=True):
        if field.get("transform") == "identity" and isinstance(field.get("source-id"), int):
            yield field["source-id"], value
