"""Failed requests to S3, counted where the JVM logs them; what it logs besides goes as before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.engine.embedded import spark_log
from explorer.engine.storage_tries import failed_tries

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

AGAIN = "Retryable error detected. Will retry in 12ms. Request attempt number 2"


def test_tries_are_counted_and_nothing_of_them_is_in_the_log_of_spark(spark: SparkSession) -> None:
    jvm: Any = spark._jvm
    logger = jvm.org.apache.logging.log4j.LogManager.getLogger("software.amazon.awssdk.request")
    before = failed_tries(spark)
    assert before is not None
    logger.debug(AGAIN, jvm.java.lang.RuntimeException("Connection refused"))
    logger.debug("Sending Request: of which there are many")
    logger.warn("a warning of the SDK")
    logger.debug(AGAIN)
    assert failed_tries(spark) == before + 2
    log = spark_log()
    assert log is not None
    printed = log.read_text("utf-8")
    assert "a warning of the SDK" in printed
    assert "Retryable error" not in printed
    assert "Sending Request" not in printed


def test_they_are_of_the_whole_spark(spark: SparkSession) -> None:
    assert failed_tries(spark.newSession()) == failed_tries(spark)
