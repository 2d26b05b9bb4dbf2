"""Errors of Spark in words."""

from __future__ import annotations

from pyspark.errors import PySparkRuntimeError

from explorer.errors import Unreachable
from explorer.queries.files import spark_errors


def test_rows_that_could_not_be_fetched_from_spark_blame_no_catalog() -> None:
    at = "tried to connect to ('127.0.0.1', 41463), but an error occurred: [Errno 111] Connection refused"
    error = PySparkRuntimeError(errorClass="CANNOT_OPEN_SOCKET", messageParameters={"errors": at})
    told = spark_errors.failed("The rows of this changelog cannot be read.", error, "")
    assert isinstance(told, Unreachable)
    assert told.found.startswith("Spark does not answer on the socket that it opened for them")
    assert "catalog" not in str(told)
    assert "Ask again." in str(told)
