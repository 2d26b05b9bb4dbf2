"""In which order partitions are listed: spec by spec, field by field; dates and times from the newest down."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from ..words import partition_fields
from .facts import Partition

_TIME = re.compile(r"\d{4}-\d\d(-\d\d(-\d\d|T.*)?)?")  # of the transforms month, day and hour, and of plain dates
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?", re.ASCII)


def in_order(partitions: Iterable[Partition]) -> list[Partition]:
    """Newest spec first; in each by its fields, numbers by value, dates and times backwards, null last."""
    by_spec = itertools.groupby(sorted(partitions, key=lambda p: -p.spec_id), key=lambda p: p.spec_id)
    return [partition for _, same in by_spec for partition in _of_one_spec(list(same))]


def is_time(values: Iterable[str]) -> bool:
    """Whether all of them, but nulls, are dates, months or hours, as text; False if there is none."""
    known = [value for value in values if value != "null"]
    return bool(known) and all(_TIME.fullmatch(value) for value in known)


def _of_one_spec(partitions: Sequence[Partition]) -> list[Partition]:
    found = [(partition, [value for _, value in partition_fields(partition.partition)]) for partition in partitions]
    width = min(len(values) for _, values in found)
    for place in reversed(range(width)):
        backwards = is_time(values[place] for _, values in found)
        known = [each for each in found if each[1][place] != "null"]
        known.sort(key=lambda each: _key(each[1][place]), reverse=backwards)
        found = known + [each for each in found if each[1][place] == "null"]
    return [partition for partition, _ in found]


def _key(value: str) -> tuple[bool, float, str]:
    is_number = _NUMBER.fullmatch(value) is not None
    return not is_number, float(value) if is_number else 0.0, value
