"""What the statistics of the live data files say of each column at two points: the share of nulls, and the range.

They count rows that deletes hide too, and bounds may be wider than the values: of texts they are cut.

Sources: Iceberg specification, "Manifests" (value_counts, null_value_counts, lower_bounds, upper_bounds).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..iceberg.key_ranges import bound_text
from ..iceberg.schema import SchemaField


@dataclass(frozen=True, slots=True)
class ColumnSide:
    """A column in the live data files of one point, as far as they have statistics of it.

    Attributes:
        files: data files; counted: those that count its nulls; bounded: those with both bounds.
        values: values in the counted files, nulls too; nulls: among them.
        lower: the smallest lower bound, decoded; upper: the largest upper one; None where no file has them.
    """

    files: int = 0
    counted: int = 0
    bounded: int = 0
    values: int = 0
    nulls: int = 0
    lower: Any = None
    upper: Any = None

    @property
    def null_share(self) -> float | None:
        """From 0 to 1; None where no value was counted."""
        return self.nulls / self.values if self.values else None


@dataclass(frozen=True, slots=True)
class ColumnFigures:
    """A column or nested field at both points; a side is None where its schema has no such field."""

    field: SchemaField
    left: ColumnSide | None
    right: ColumnSide | None

    @property
    def differs(self) -> bool:
        """Whether its share of nulls or its range is another one, or it is on one side alone."""
        if self.left is None or self.right is None:
            return True
        one, other = ((side.null_share, side.lower, side.upper) for side in (self.left, self.right))
        return one != other


def column_figures(
    left: tuple[Iterable[SchemaField], Mapping[int, ColumnSide]],
    right: tuple[Iterable[SchemaField], Mapping[int, ColumnSide]],
) -> tuple[ColumnFigures, ...]:
    """The columns of both points by field id, named as the right one names them if it has them.

    Those that differ first, and of them those whose share of nulls changed most.

    Args:
        left: the fields that hold values, and what the statistics say of them by field id.
        right: the same of the other point.
    """
    sides = [({field.field_id: field for field in fields}, found) for fields, found in (left, right)]
    known = sides[0][0] | sides[1][0]
    told = [
        ColumnFigures(field, *(found.get(i, ColumnSide()) if i in own else None for own, found in sides))
        for i, field in known.items()
    ]
    return tuple(sorted(told, key=lambda column: (not column.differs, -_change(column))))


def _change(of: ColumnFigures) -> float:
    shares = [side.null_share if side is not None else None for side in (of.left, of.right)]
    return abs((shares[1] or 0) - (shares[0] or 0)) if None not in shares else 0


def side_words(side: ColumnSide | None, field: SchemaField) -> str:
    """`2.5 % null · 1 to 59`, `no nulls · 1 to 59 in 3 of 4 files`; a dash where there is no such column."""
    if side is None:
        return "—"
    if not side.files:
        return "no files"
    if not side.counted and not side.bounded:
        return "no statistics"
    parts = [_nulls(side)] if side.counted else []
    if side.bounded:
        bounds = [_bound(field.type, value) for value in (side.lower, side.upper)]
        parts.append(bounds[0] if bounds[0] == bounds[1] else " to ".join(bounds))
    partly = [n for n in (side.counted, side.bounded) if 0 < n < side.files]
    return " · ".join(parts) + (f" in {min(partly):,} of {side.files:,} files" if partly else "")


def end_words(side: ColumnSide | None, other: ColumnSide | None, field: SchemaField) -> str:
    """`… to 59`, `1 to …`: the end of the bounds that differs from the other side's; empty where none does."""
    if side is None or other is None or not (side.bounded and other.bounded):
        return ""
    if side.upper != other.upper:
        return f"… to {_bound(field.type, side.upper)}"
    return f"{_bound(field.type, side.lower)} to …" if side.lower != other.lower else ""


def _bound(kind: str, value: Any) -> str:
    """`2026-11-20 10:00:00` of a time; all are in UTC."""
    text = bound_text(kind, value)
    return text.replace("T", " ").removesuffix("+00:00") if kind.startswith("timestamp") else text


def _nulls(side: ColumnSide) -> str:
    if not side.nulls:
        return "no nulls"
    if side.nulls == side.values:
        return "all null"
    percent = 100 * side.nulls / side.values
    return "less than 0.1 % null" if percent < 0.1 else f"{percent:.1f}".removesuffix(".0") + " % null"


def change_words(of: ColumnFigures) -> str:
    """What changed from left to right: `more nulls, ends higher`; empty if nothing did or it cannot be said."""
    left, right = of.left, of.right
    if left is None or right is None:
        return "only in B" if left is None else "only in A"
    said = []
    if left.null_share is not None and right.null_share is not None and left.null_share != right.null_share:
        said.append("more nulls" if right.null_share > left.null_share else "fewer nulls")
    if left.bounded and right.bounded:
        for end, up, down in (("lower", "starts higher", "starts lower"), ("upper", "ends higher", "ends lower")):
            one, other = getattr(left, end), getattr(right, end)
            if one != other and type(one) is type(other):  # fields of two tables may be of any types
                said.append(up if other > one else down)
    elif left.bounded or right.bounded:
        said.append("bounds in B alone" if right.bounded else "bounds in A alone")
    return ", ".join(said)
