"""What a manifest entry stores of the columns of its file.

Source: Iceberg specification, "Manifests" (counts and bounds by field id), Appendix D (single-value serialization).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts and bounds of columns by field id, as stored; empty where the manifest has none, or they were not read.

    Attributes:
        value_counts: values, nulls and NaN too. null_value_counts, nan_value_counts: those among them.
        lower_bounds: at most the smallest value, serialized; upper_bounds: at least the largest.
    """

    value_counts: Mapping[int, int] = field(default_factory=dict)
    null_value_counts: Mapping[int, int] = field(default_factory=dict)
    nan_value_counts: Mapping[int, int] = field(default_factory=dict)
    lower_bounds: Mapping[int, bytes] = field(default_factory=dict)
    upper_bounds: Mapping[int, bytes] = field(default_factory=dict)

    def of(self, field_ids: Collection[int]) -> Statistics:
        """Those of some columns alone."""

        def some(found: Mapping[int, T]) -> Mapping[int, T]:
            return {i: found[i] for i in field_ids if i in found}

        return Statistics(
            some(self.value_counts),
            some(self.null_value_counts),
            some(self.nan_value_counts),
            some(self.lower_bounds),
            some(self.upper_bounds),
        )


NO_STATISTICS = Statistics()
