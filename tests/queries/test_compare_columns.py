"""Ranges of columns from the bounds of many files: as if each bound were decoded by itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from pyiceberg.conversions import to_bytes
from pyiceberg.types import DateType, DecimalType, DoubleType, IntegerType, LongType, StringType, TimestampType

from explorer.model.iceberg.key_ranges import decoded
from explorer.queries.compare.columns import _range

TYPES: dict[str, tuple[Any, Callable[[random.Random], Any]]] = {
    "int": (IntegerType(), lambda r: r.randint(-(2**31), 2**31 - 1)),
    "long": (LongType(), lambda r: r.choice([-(2**63) + 1, 0, 1, 2**63 - 1])),
    "date": (DateType(), lambda r: r.randint(-800_000, 30_000)),
    "timestamp": (TimestampType(), lambda r: r.randint(0, 10**15)),
    "double": (DoubleType(), lambda r: r.choice([-1.5, 0.0, 7.25])),
    "decimal(9, 2)": (DecimalType(9, 2), lambda r: Decimal(r.randint(-10_000, 10_000)).scaleb(-2)),
    "string": (StringType(), lambda r: r.choice(["", "a", "ä", "Z", "\U0001f600", "\uffff"])),
}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("seed", range(20))
def test_the_range_of_a_column_is_that_of_the_bounds_that_can_be_read(kind: str, seed: int) -> None:
    chance = random.Random(seed)
    of_type, value = TYPES[kind]
    short = kind == "long" and seed % 2  # written before the column was widened

    def bound() -> bytes | None:
        if chance.random() < 0.1:
            return None
        if chance.random() < 0.1 and seed % 3 == 0:
            return b"\x01" if kind != "string" else b"\xff"  # damaged
        if short and chance.random() < 0.5:
            return to_bytes(IntegerType(), chance.randint(-9, 9))
        return to_bytes(of_type, value(chance))

    stored = pa.table({name: pa.array([bound() for _ in range(seed)], pa.binary()) for name in ("lower", "upper")})
    rows = [tuple(decoded(kind, row[name]) for name in ("lower", "upper")) for row in stored.to_pylist()]
    pairs = [pair for pair in rows if None not in pair]
    expected = (
        len(pairs),
        min((low for low, _ in pairs), default=None),
        max((high for _, high in pairs), default=None),
    )
    assert _range(stored, kind) == expected
