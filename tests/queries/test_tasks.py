"""Functions over the rows of a frame, in this process where Spark's workers cannot run them."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

from explorer.model.iceberg.key_ranges import key_ranges
from explorer.model.iceberg.unreadable import Unreadable
from explorer.queries import tasks
from explorer.queries.deletes import pairs
from explorer.queries.files import (
    data_columns,
    history_tasks,
    local_files,
    manifests,
    sent_tables,
    spark_errors,
    stored_history,
    task_files,
)
from explorer.queries.rows import delete_content
from explorer.queries.rows.local_rows import local_rows, local_table
from tests.queries.sources import source_of

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


def test_no_row_of_this_process_is_lost_after_an_empty_piece(spark: SparkSession) -> None:
    schema = local_rows(spark, [], "n INT").schema
    pieces = [pa.table({"n": pa.array(values, pa.int32())}) for values in ([], [1, 2], [], [3], [], [])]
    found = local_table(spark, pa.concat_tables(pieces), schema).collect()
    assert sorted(row.n for row in found) == [1, 2, 3]


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


@pytest.mark.parametrize(
    ("cores", "files", "size", "expected"),
    [
        (2, 10_000, 90_000_000, 2),
        (16, 10_000, 90_000_000, 16),  # as many as run at once
        (16, 3_000, 1_000_000, 6),  # but none that is done before another has started
        (16, 10, 20_000_000, 5),
        (4, 100, 500_000, 2),
        (2, 20_000, 90_000_000, 4),  # and none that is given too much
        (2, 10, 400_000_000, 6),
    ],
)
def test_files_are_dealt_among_the_cores(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, cores: int, files: int, size: int, expected: int
) -> None:
    monkeypatch.setattr(tasks, "at_once", lambda _: cores)
    assert tasks.number(spark, files, size, most_files=5_000, most_bytes=64_000_000) == expected


def test_tasks_that_no_worker_can_run_are_not_told_to_open_files_of_a_disk_that_this_process_may_not_see(
    spark: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = fresh_table("elsewhere")
    spark.sql(f"CREATE TABLE {name} USING iceberg AS SELECT 1 AS id")
    source = source_of(spark, name)
    paths = [snapshot["manifest-list"] for snapshot in source.document["snapshots"]]
    assert task_files.for_tasks(source, paths, 2).tells_all
    monkeypatch.setattr(local_files, "is_shared_disk", lambda _: False)
    assert task_files.for_tasks(source, paths, 2).tells_all
    monkeypatch.setattr(tasks, "_why_not", lambda _: "No module named 'polars'.")
    files = task_files.for_tasks(source, paths, 2)
    assert not files.tells_all
    assert [row.path for row in files.frame.collect()] == paths


def test_workers_that_lack_one_library_are_known_before_they_are_given_work(
    spark: SparkSession, fresh_table: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = fresh_table("half_fit")
    spark.sql(f"CREATE TABLE {name} USING iceberg AS SELECT 1 AS id")
    there = all_but("polars", tmp_path)
    new = spark.newSession()
    source = source_of(new, name)
    (snapshot,) = source.document["snapshots"]
    listed = manifests.manifest_list(source, snapshot["manifest-list"])
    assert not isinstance(listed, Unreadable)
    here = [entry.file_path for entry in manifests.entries_here(source, listed).entries]
    monkeypatch.setattr(spark.sparkContext, "pythonExec", str(there))
    assert [row.file_path for row in manifests.entries(source, listed).collect()] == here
    assert tasks.unfit(new) == "ModuleNotFoundError: No module named 'polars'."


def all_but(library: str, folder: Path) -> Path:
    """A Python that has all that this one has, but for one library."""
    (folder / f"{library}.py").write_text(f"raise ModuleNotFoundError(\"No module named '{library}'\")", "utf-8")
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}:$PYTHONPATH" exec "{sys.executable}" "$@"\n', "utf-8")
    python.chmod(0o755)
    return python


def test_workers_are_asked_for_all_that_their_tasks_import() -> None:
    sent_tables.by_value(history_tasks.__name__, stored_history.__name__, data_columns.__name__)
    manifests._decoder(lambda _: iter(()), {}, {}, pa.schema([]), statistics=False, changes_only=False)
    delete_content._decoder({})
    pairs._ranged([], {}, key_ranges)
    sent = {name for name in cloudpickle.list_registry_pickle_by_value() if name.startswith("explorer.")}
    assert len(sent) > 12
    trees = [ast.parse(inspect.getsource(sys.modules[name])) for name in sent]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    libraries = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
    assert libraries - {"pyspark"} == set(tasks.LIBRARIES)
