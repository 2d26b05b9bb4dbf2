"""Sessions that were lost while somebody asks them: stopped, or their Java process or their server has ended."""

from __future__ import annotations

import re
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.sql import SparkSession

from ..errors import NoSpark
from .connect import close_unserved, is_connect, is_served, retry_while
from .deferred import is_not_started

if TYPE_CHECKING:
    from collections.abc import Iterator

# Of a server that was started anew, which knows no session of the one before, or of one that is ending.
_FORGOTTEN = re.compile(
    r"INVALID_HANDLE\.SESSION_(?:NOT_FOUND|CLOSED|CHANGED)|stopped SparkContext|SparkContext (?:was|has been) shut down"
)

_UNSERVED = "Nobody answers at the address of the Spark Connect server."


def why_ended(spark: SparkSession, error: BaseException | None = None) -> str:
    """Why a session can answer no more, a sentence; empty while it can.

    Args:
        spark: the session.
        error: what the last question to it raised, if it did.

    Cost: one call through the gateway, or one connection to the server; nothing of a session that has not started.
    """
    if is_not_started(spark):
        return ""
    if is_connect(spark):
        if getattr(spark, "is_stopped", False):
            return "The session was stopped."
        if error is not None and _FORGOTTEN.search(str(error)):
            return "The Spark Connect server knows the session no more: it ended, was started anew, or closed it."
        return "" if is_served(spark) else _UNSERVED
    java = spark.sparkContext._jsc
    if java is None:
        return "The session was stopped, or its Java process has ended."
    try:
        return "Spark has stopped." if java.sc().isStopped() else ""
    except (OSError, Py4JError):
        return "The Java process of Spark has ended."


@contextmanager
def answering(spark: SparkSession) -> Iterator[None]:
    """Within the block a session is asked; that it was lost, before or meanwhile, is told in words.

    Also where the block raises nothing: to whoever reads files, one that no session can read looks damaged.

    Raises:
        NoSpark: the session is lost; a server that is gone is not waited for.
    """
    _refuse_ended(spark)
    try:
        with retry_while(lambda: not why_ended(spark), spark) if is_connect(spark) else nullcontext():
            yield
    except NoSpark:
        raise
    except Exception as error:
        _refuse_ended(spark, error)
        raise
    _refuse_ended(spark)


def _refuse_ended(spark: SparkSession, error: Exception | None = None) -> None:
    if why := why_ended(spark, error):
        if why != _UNSERVED:  # the server may come back with the session
            forget(spark)
        raise NoSpark(
            "Spark was lost: it cannot be asked any more.",
            found=why,
            next_step="Press Reload, or call reload() on the table, or open it again: it goes on with a session that"
            " runs, or starts the explorer's own again. The kernel can stay.",
        ) from error


def forget(spark: SparkSession) -> None:
    """Let pyspark forget a lost session, so that a new one can be made in this process; a later one is left alone."""
    if is_connect(spark):
        close_unserved(spark)
        return
    context = spark.sparkContext
    if SparkContext._active_spark_context is not context:
        return
    with suppress(OSError, Py4JError):
        spark.stop()  # of a context that stopped itself
        return
    # Java is gone: pyspark keeps its gateway, and starts no other one while it does.
    context._jsc = None
    context.stop()
    SparkSession._instantiatedSession = SparkSession._activeSession = None
    SparkContext._gateway = SparkContext._jvm = None
