"""Which rows can be read, asked of each part of an answer once reading the whole failed: one file of many is broken.

A scan opens more files than those whose rows are asked for, so what it fails for is told by reading alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from ...engine.logging import silenced_errors
from ...errors import UnreadableMetadata
from ..files import spark_errors
from ..source import Source
from . import chosen_files
from .changelog_rows import RawRows
from .reading import as_nothing, is_of_value

T = TypeVar("T")
_REFUSED = "The rows of a commit cannot be read."
_MOST = 64  # scans that fail; halving a thousand commits to find one takes ten of them


class Trial:
    """Reads parts of an answer for whether they can be read, if it is on: once the whole has failed."""

    def __init__(self, *, is_on: bool = False) -> None:
        self._is_on, self._failed = is_on, 0

    @property
    def is_on(self) -> bool:
        """Whether parts are read for whether they can be."""
        return self._is_on

    @property
    def is_given_up(self) -> bool:
        """Whether so much failed that nothing more is tried."""
        return self._failed >= _MOST

    def read(self, source: Source, rows: RawRows) -> None:
        """Nothing, if these rows can be read, or no trial is on.

        Args:
            source: the table.
            rows: of which each is read.

        Raises:
            UnreadableMetadata: they cannot be read.
            Exception: of Spark, where no file is at fault.
        """
        if not self._is_on:
            return
        if self.is_given_up:
            raise UnreadableMetadata(_REFUSED, found="It was not tried, since too many other files cannot be read.")
        frames: dict[str, Any] = dict(rows.frames)
        try:
            with silenced_errors():
                as_nothing(source.spark.sql(rows.run, **frames))
        except Exception as error:
            if not is_of_a_file(error):
                raise
            self._failed += 1
            raise UnreadableMetadata(_REFUSED, found=spark_errors.reason(error)) from error


def around_lost_files(source: Source, ask: Callable[[Source], T]) -> T:
    """An answer of the rows of a table; though a data file or a manifest cannot be read that only scans need.

    Args:
        source: the table.
        ask: for the answer, and reads what it takes; asked again of the same table, with the files read by themselves.

    Raises:
        Exception: of `ask`, as it was asked first.
    """
    try:
        return ask(source)
    except Exception as error:
        if not is_of_a_file(error) or not chosen_files.can_read(source):
            raise
        try:
            return ask(replace(source, alone=True))
        except Exception as again:
            if not spark_errors.is_of_spark(again):
                raise
            raise error from None


def is_of_a_file(error: Exception) -> bool:
    """Whether a file may be at fault for an error of reading: not a value, the storage as a whole, or this package."""
    is_of_reading = spark_errors.is_of_spark(error) and not is_of_value(error)
    return is_of_reading and spark_errors.refused("", error) is None
