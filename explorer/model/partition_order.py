"""In which order partitions are listed: spec by spec, field by field; dates and times from the newest down."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from .words import partition_fields, partition_name

_TIME = re.compile(r"\d{4}-\d\d(-\d\d(-\d\d|T.*)?)?")  # of the transforms month, day and hour, and of plain dates
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?", re.ASCII)


class Place(Protocol):
    """What lies in a partition of a spec: `region=EU/day=2026-11-20`, empty if the spec has no fields."""

    @property
    def spec_id(self) -> int:
        """Of the spec."""

    @property
    def partition(self) -> str:
        """Its text."""


P = TypeVar("P", bound=Place)


def in_order(partitions: Iterable[P]) -> list[P]:
    """Newest spec first; in each by its fields, numbers by value, dates and times backwards, null last."""
    by_spec = itertools.groupby(sorted(partitions, key=lambda p: -p.spec_id), key=lambda p: p.spec_id)
    return [partition for _, same in by_spec for partition in _of_one_spec(list(same))]


def matching(partitions: Iterable[Place], words: str) -> list[int]:
    """Places of the partitions in whose name each of the words stands, whatever its case; all without words."""
    asked = words.casefold().replace(",", " ").split()
    names = (partition_name(p.spec_id, p.partition, with_spec=True).casefold() for p in partitions)
    return [place for place, name in enumerate(names) if all(word in name for word in asked)]


def is_time(values: Iterable[str]) -> bool:
    """Whether all of them, but nulls, are dates, months or hours, as text; False if there is none."""
    known = [value for value in values if value != "null"]
    return bool(known) and all(_TIME.fullmatch(value) for value in known)


def _of_one_spec(partitions: Sequence[P]) -> list[P]:
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
