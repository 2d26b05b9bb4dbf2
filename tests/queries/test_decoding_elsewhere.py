"""What Spark tasks run must need nothing of this package: the workers of a cluster do not have it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

from explorer.model.iceberg.key_ranges import KeyColumn, key_ranges
from explorer.model.iceberg.statistics import Statistics
from explorer.model.iceberg.unreadable import Unreadable
from explorer.queries.deletes import pairs
from explorer.queries.files import avro, manifests, task_files
from tests.queries.commit_facts import Opened
from tests.queries.test_manifests import listed_of

ALONE = """
import pickle, sys
sys.modules["explorer"] = None  # as where it is not installed
task, batches = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps([row for batch in task(batches) for row in batch.to_pylist()]))
"""


def ran_alone(task: Callable[..., Any], *batches: pa.RecordBatch) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-c", ALONE],
        input=cloudpickle.dumps((task, batches)),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    return cloudpickle.loads(done.stdout)


@pytest.fixture(scope="module")
def opened(spark: SparkSession, fresh_table: Callable[..., str]) -> Opened:
    name = fresh_table("tasks")
    spark.sql(f"CREATE TABLE {name} (id INT, day DATE) USING iceberg PARTITIONED BY (day)")
    spark.sql(f"INSERT INTO {name} VALUES (1, DATE '2026-11-22'), (7, DATE '2026-11-22')")
    return Opened(spark, name)


@pytest.mark.parametrize("used_before", [False, True])
def test_manifests_are_decoded_where_the_package_is_not_installed(opened: Opened, used_before: bool) -> None:
    (listed,) = listed_of(opened)
    content = Path(listed.path.removeprefix("file:")).read_bytes()
    if used_before:
        avro.decoded([(listed, content)], {}, statistics=True)
    schema = pa.schema([*avro.ENTRY, *avro.STATISTICS, *manifests._UNREADABLE])
    brought = partial(task_files._brought, paths=[listed.path])
    task = manifests._decoder(brought, {listed.path: listed}, {}, schema, statistics=True, changes_only=False)
    whole, cut = (pa.RecordBatch.from_pydict({"path": [listed.path], "content": [c]}) for c in (content, content[:100]))
    (row,) = ran_alone(task, whole)
    assert (row["record_count"], row["partition"], row["unreadable"]) == (2, "day=2026-11-22", None)
    assert [row["unreadable"] for row in ran_alone(task, cut)] == ["damaged"]


def test_tasks_open_their_share_of_the_files_of_a_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{n}" for n in range(5)]
    for name in names[:-1]:
        (tmp_path / name).write_text(name)
    places = [str(tmp_path / name) for name in names]
    numbers = [pa.RecordBatch.from_pydict({"id": [n]}) for n in range(2)]
    shares = [[file for piece in task_files._on_disk([n], names, places, 2) for file in piece] for n in numbers]
    assert shares[0] == [("0", b"0"), ("1", b"1")]
    gone = ("4", Unreadable("4", "missing", "The file does not exist."))
    assert shares[1] == [("2", b"2"), ("3", b"3"), gone]
    monkeypatch.setattr(task_files, "_PIECE_IN_FILES", 1)  # of more each task has some of the first and of the last
    shares = [list(task_files._on_disk([n], names, places, 2)) for n in numbers]
    assert shares == [[[("1", b"1")], [("3", b"3")]], [[("0", b"0")], [("2", b"2")], [gone]]]


def test_ranges_of_keys_are_decoded_where_the_package_is_not_installed() -> None:
    key = KeyColumn(field_id=1, name="id", type="int", required=False)
    ranges = partial(key_ranges, columns=[key])
    stored = Statistics({1: 2}, {1: 0}, {}, {1: b"\x01\0\0\0"}, {1: b"\x07\0\0\0"})
    assert ranges(stored)[1].lower == 1  # and so it has been used before
    columns = {f.name: pa.array([list(getattr(stored, f.name).items())], f.type) for f in avro.STATISTICS}
    task = pairs._ranged([], {1: "BIGINT"}, ranges)
    (row,) = ran_alone(task, pa.RecordBatch.from_pydict(columns))
    assert row == {"d1_lower": 1, "d1_upper": 7, "d1_nulls": 0, "d1_values": 2}
