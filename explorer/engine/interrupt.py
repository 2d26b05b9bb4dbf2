"""Ctrl-C, and a notebook's button that interrupts, while Spark is asked on the main thread."""

from __future__ import annotations

import logging
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

    from pyspark.sql import SparkSession

_log = logging.getLogger(__name__)


def interrupt_at_once(spark: SparkSession) -> None:
    """From now on an interruption ends the wait for Spark, whatever it does; its jobs are cancelled behind the scenes.

    The handler that pyspark installs asks Spark on the thread that waits for Spark: where a catalog or storage does not
    answer, it waits as long as the call that it interrupts. Does nothing outside of the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        return

    def cancel_jobs() -> None:
        try:
            spark.sparkContext.cancelAllJobs()
        except Exception as error:  # the session may be gone
            _log.debug("Jobs were not cancelled: %s", error)

    def interrupted(number: int, frame: FrameType | None) -> None:
        threading.Thread(target=cancel_jobs, name="iceberg-explorer-interrupt", daemon=True).start()
        signal.default_int_handler(number, frame)

    for logger in (logging.getLogger(), logging.getLogger("py4j.clientserver")):
        logger.addFilter(_is_no_interruption)
    signal.signal(signal.SIGINT, interrupted)


def _is_no_interruption(record: logging.LogRecord) -> bool:
    """Py4J logs an interruption as an error, with the whole stack, and that the call has no connection any more."""
    return record.msg not in (
        "KeyboardInterrupt while sending command.",
        "Exception occurred while shutting down connection",
    )
