"""Keep pyspark's own report of an error off the screen where the explorer reports that error itself.

pyspark 4 logs each failed query as kilobytes of JSON to stderr, and then raises the error as well.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .given_up import refuse_if_given_up

if TYPE_CHECKING:
    import logging
    from collections.abc import Iterator

_thread = threading.local()


def silence_errors() -> None:
    """From now on pyspark logs no failed query in this process: for a session that the explorer started."""
    for logger in _loggers():
        logger.disabled = True


@contextmanager
def silenced_errors() -> Iterator[None]:
    """Within the block, pyspark logs no failed query of this thread; the person's own cells keep what they had.

    Raises:
        Cancelled: the question that is answered was given up.
    """
    refuse_if_given_up()
    for logger in _loggers():
        logger.addFilter(_is_loud)  # once added, adding it again changes nothing
    before = getattr(_thread, "silenced", False)
    _thread.silenced = True
    try:
        yield
    finally:
        _thread.silenced = before


def _is_loud(_record: logging.LogRecord) -> bool:
    return not getattr(_thread, "silenced", False)


def _loggers() -> list[logging.Logger]:
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:  # Spark 3.5 logs nothing
        return []
    return [PySparkLogger.getLogger(name) for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger")]


def in_one_line(error: BaseException) -> str:
    """What an error says, without the stack of the JVM and the plan that Spark puts below it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    # Py4J's own first line names a call of its protocol; the next one is Java's.
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):
        lines = lines[1:]
    first = lines[0].removeprefix(": ")
    return f"{first} ({causes[-1]})" if causes else first
