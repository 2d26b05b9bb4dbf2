"""Waiting for a table whose catalog or storage may not answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

from pyspark.sql import SparkSession

from ..engine import Progress, SparkWork, reported
from ..model import silence
from ..queries.files import remote


@contextmanager
def telling_silence(spark: SparkSession, name: str, what: str, say: Callable[[str], None]) -> Iterator[None]:
    """Within the block a table is read on this thread; that nothing comes for long is told, on another one.

    Args:
        spark: the session that is asked.
        name: what opens the table.
        what: is done, in a few words, for Spark's own list of jobs.
        say: called four times a second: with whom the block may wait for, and how long nothing was heard; with an
            empty text while that is no wonder.
    """
    work, words = SparkWork(lambda: spark, what), silence_of(spark, name)
    with work.marked(), reported(what, lambda: say(words(work.progress()))):
        yield


def silence_of(spark: SparkSession, name: str) -> Callable[[Progress], str]:
    """What is to be said of the progress of a question about a table that opens by this name; mostly nothing."""
    where = cache(lambda: remote.of_name(spark, name))

    def words(progress: Progress) -> str:
        is_long = progress.silent >= silence.PATIENCE
        return silence.words(progress.silent, where(), progress.failed_tries) if is_long else ""

    return words
