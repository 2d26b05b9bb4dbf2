"""What the statistics of two files say of a key: whether an equality delete file can hold a key of a data file.

A reader skips an equality delete whose keys cannot occur in a data file. Whatever is missing means "may match"; bounds
may be truncated, the true values lie inside them.

Sources: the Java library's `DeleteFileIndex.canContainEqDeletesForFile` (1.12); Iceberg specification, "Manifests"
(counts and bounds), Appendix D (single-value serialization), "Schema Evolution" (a widened column has old bounds).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .schema import SchemaField
from .statistics import Statistics

_LONGEST = 40  # characters of a bound in words


@dataclass(frozen=True)  # without slots, whose values Spark 3.5 loses on the way to a task
class KeyColumn:
    """A column of an equality delete.

    Attributes:
        name: path of the column in the newest schema that has it.
        type: as metadata.json writes it (`long`, `decimal(9, 2)`); `struct`, `list`, `map` have no statistics.
    """

    field_id: int
    name: str
    type: str
    required: bool


@dataclass(frozen=True, slots=True)
class KeyRange:
    """What a file's statistics say of one column; None for what they do not say.

    Attributes:
        lower: at most the smallest value, decoded; upper: at least the largest.
        nulls: null values; values: all values, nulls too.
    """

    lower: Any = None
    upper: Any = None
    nulls: int | None = None
    values: int | None = None

    @property
    def bounded(self) -> bool:
        """Whether both bounds are known."""
        return self.lower is not None and self.upper is not None


NOTHING = KeyRange()


def key_columns(
    equality_ids: Iterable[int], schemas: Mapping[int, Sequence[SchemaField]]
) -> tuple[tuple[KeyColumn, ...], tuple[int, ...]]:
    """The columns that an equality delete names, and the ids that no schema of the table has."""
    fields = {f.field_id: f for schema_id in sorted(schemas) for f in schemas[schema_id]}
    ids = tuple(equality_ids)
    known = [fields[i] for i in ids if i in fields]
    columns = tuple(KeyColumn(f.field_id, f.path, f.type, f.required) for f in known)
    return columns, tuple(i for i in ids if i not in fields)


def key_ranges(statistics: Statistics, columns: Iterable[KeyColumn]) -> dict[int, KeyRange]:
    """The ranges of some columns in a file, by field id."""
    return {
        column.field_id: KeyRange(
            lower=decoded(column.type, statistics.lower_bounds.get(column.field_id)),
            upper=decoded(column.type, statistics.upper_bounds.get(column.field_id)),
            nulls=statistics.null_value_counts.get(column.field_id),
            values=statistics.value_counts.get(column.field_id),
        )
        for column in columns
    }


def no_common_key(columns: Iterable[KeyColumn], delete: Mapping[int, KeyRange], data: Mapping[int, KeyRange]) -> str:
    """Why no key of the delete file can occur in the data file, in words; empty if one may."""
    for column in columns:
        keys, values = delete.get(column.field_id, NOTHING), data.get(column.field_id, NOTHING)
        if _may_hold_null(keys, column) and _may_hold_null(values, column):
            continue
        if _all_null(values, column) and _no_null(keys, column):
            return f"{column.name}: the file holds nulls only, no key is null"
        if _all_null(keys, column) and _no_null(values, column):
            return f"{column.name}: every key is null, the file holds no null"
        if not keys.bounded or not values.bounded:
            continue
        if values.lower > keys.upper or keys.lower > values.upper:
            return f"{column.name}: keys {_range_words(column, keys)}, the file {_range_words(column, values)}"
    return ""


def _may_hold_null(found: KeyRange, column: KeyColumn) -> bool:
    return not column.required and (found.nulls is None or found.nulls > 0)


def _no_null(found: KeyRange, column: KeyColumn) -> bool:
    return column.required or (found.nulls is not None and found.nulls <= 0)


def _all_null(found: KeyRange, column: KeyColumn) -> bool:
    return not column.required and found.nulls is not None and found.nulls == found.values


def decoded(kind: str, stored: bytes | None) -> Any:
    """The value of a bound; None if it is missing, or of a type or length that PyIceberg cannot read."""
    if stored is None:
        return None
    from pyiceberg.conversions import from_bytes  # PyIceberg takes a while to import, and few questions need it

    try:
        return from_bytes(_type(kind), bytes(stored))
    except Exception:  # it raises whatever it stumbles over; an unreadable bound is none
        return None


# Spark tasks get this module by value, and `functools.cache` cannot be had so: it is found by its name alone.
_types: dict[str, Any] = {}


def _type(kind: str) -> Any:
    from pyiceberg.types import NestedField

    if kind not in _types:
        field = {"id": 1, "name": "key", "type": kind, "required": False}
        _types[kind] = NestedField.model_validate(field).field_type
    return _types[kind]


def _range_words(column: KeyColumn, found: KeyRange) -> str:
    """`10 to 20`, for a person."""
    return " to ".join(bound_text(column.type, value) for value in (found.lower, found.upper))


def bound_text(kind: str, value: Any) -> str:
    """A decoded bound of a column of this type, for a person: `2026-11-20`; a long one is cut."""
    from pyiceberg.transforms import IdentityTransform

    try:
        text = str(IdentityTransform().to_human_string(_type(kind), value))
    except Exception:  # a time that Python cannot write
        text = str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
