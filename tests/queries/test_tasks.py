"""Functions over the rows of a frame, in this process where Spark's workers cannot run them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from explorer.queries import tasks
from explorer.queries.files import spark_errors

TRACEBACK = "An exception was thrown from the Python worker.\nTraceback (most recent call last):\n  File x, line 1\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{TRACEBACK}ModuleNotFoundError: No module named 'pyarrow'\n\n\tat org.apache.spark.X", "named 'pyarrow'."),
        (
            "PythonException: Traceback\npyspark.errors.exceptions.base.PySparkRuntimeError: [PYTHON_VERSION_MISMATCH]"
            " Python in worker has different version: 3.12 than that in driver: 3.11, it cannot run.\nPlease check",
            "different version: 3.12 than that in driver: 3.11, it cannot run.",
        ),
        ('java.io.IOException: Cannot run program "/no/python3": error=2, No such file\n\tat', "No such file."),
        (
            "\nError from python worker:\n  Traceback (most recent call last):\n    File x\n  TypeError: 'type' is"
            " not subscriptable\nPYTHONPATH was:\n  /a:/b\n",
            "TypeError: 'type' is not subscriptable.",
        ),
        (f"{TRACEBACK}ValueError: not a manifest", ""),
        ("java.lang.OutOfMemoryError: Java heap space", ""),
    ],
)
def test_what_is_wrong_with_the_python_of_workers_is_known_from_other_faults(text: str, found: str) -> None:
    reason = spark_errors.unfit_python(RuntimeError(text))
    assert reason.endswith(found) if found else reason == ""


def test_rows_pass_through_this_process_in_bounded_pieces(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = spark.sql(
        "SELECT id, IF(id = 3, NULL, CAST(repeat('x', 100) AS BINARY)) AS content,"
        " IF(id = 4, NULL, map(CAST(id AS INT), CAST('b' AS BINARY))) AS bounds FROM range(0, 10, 1, 2)"
    )
    held = []

    def twice(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            held.append(batch.num_rows)
            yield from (batch, batch)

    ddl = "id BIGINT, content BINARY, bounds MAP<INT, BINARY>"
    in_tasks = tasks.mapped(frame, copies(), ddl)
    monkeypatch.setattr(tasks, "_why_not", lambda _: "No module named 'pyarrow'.")
    for bound, most in (("_PIECE_IN_ROWS", 3), ("_PIECE_IN_BYTES", 300)):
        with monkeypatch.context() as bounded:
            bounded.setattr(tasks, bound, most)
            held.clear()
            here = tasks.mapped(frame, twice, ddl)
            assert len(held) > 2
            assert max(held) <= 4
            assert here.schema == in_tasks.schema
            assert sorted(map(str, here.collect())) == sorted(map(str, in_tasks.collect()))
    assert tasks.mapped(frame.where("id < 0"), twice, ddl).collect() == []


def copies() -> tasks.OverBatches:
    """A function that workers can be sent: one of a module of tests they would look for there."""

    def twice(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from (batch, batch)

    return twice


def test_workers_with_the_python_of_this_process_are_not_tried(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def try_them(_: SparkSession) -> str:
        raise AssertionError("a job was run")

    monkeypatch.setattr(tasks, "_tried", try_them)
    new = spark.newSession()
    assert tasks.mapped(new.range(2), copies(), "id BIGINT").count() == 4
    assert tasks.unfit(new) == ""
