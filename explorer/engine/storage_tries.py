"""How many requests to S3 failed and were tried again: counted in the log of the AWS SDK, in a Spark started here.

Iceberg's S3FileIO and Hadoop's S3A both speak to S3 by this SDK. It tries a request several times, each of which may
take half a minute, and tells of that in its log alone.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from py4j.protocol import Py4JError

from .connect import is_connect

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

_LOGGER = "software.amazon.awssdk.request"
_TRIED_AGAIN = "(?s)Retryable error detected.*"

_log = logging.getLogger(__name__)
_counters: WeakKeyDictionary[SparkContext, Any] = WeakKeyDictionary()  # streams that hold one byte for each


def count_failed_tries(context: SparkContext) -> None:
    """Count them from now on. It changes how the JVM logs, so it is for a Spark that the explorer started alone.

    Whatever else this logger says goes where it went; a JVM that logs by something other than Log4j counts nothing.
    """
    jvm: Any = context._jvm
    try:
        log4j, core = jvm.org.apache.logging.log4j, jvm.org.apache.logging.log4j.core
        result = core.Filter.Result
        stream = jvm.java.io.ByteArrayOutputStream()
        one_byte = core.layout.PatternLayout.newBuilder().withPattern(".").withAlwaysWriteExceptions(False).build()
        tried_again = core.filter.RegexFilter.createFilter(_TRIED_AGAIN, None, False, result.ACCEPT, result.DENY)
        counter = core.appender.OutputStreamAppender.createAppender(
            one_byte, tried_again, stream, "iceberg-explorer-storage-tries", False, True
        )
        counter.start()
        logging_of_jvm = log4j.LogManager.getContext(False)
        configuration = logging_of_jvm.getConfiguration()
        root = configuration.getRootLogger()
        logger = core.config.LoggerConfig(_LOGGER, log4j.Level.DEBUG, False)
        logger.addAppender(counter, log4j.Level.DEBUG, None)
        for appender in root.getAppenders().values():
            logger.addAppender(appender, root.getLevel(), None)
        configuration.addLogger(_LOGGER, logger)
        logging_of_jvm.updateLoggers()
    except Exception:
        _log.exception("Failed requests to S3 are not counted")
        return
    _counters[context] = stream


def failed_tries(spark: SparkSession) -> int | None:
    """How many there were since the session began; None where nobody counts: it was not started here, or is lost."""
    counter = None if is_connect(spark) else _counters.get(spark.sparkContext)
    try:
        return None if counter is None else int(counter.size())
    except (OSError, Py4JError):
        return None
