"""Files as rows of a frame: each once, dealt to tasks by where they stand, from a folder that is listed once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.queries.files import spark_files
from explorer.queries.files.spark_files import Folders


@pytest.fixture
def listings(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """What Spark is asked to look for, each time."""
    asked, loaded = list[Sequence[str]](), spark_files.loaded

    def told(spark: SparkSession, paths: Sequence[str], *rest: Any) -> Any:
        asked.append(paths)
        return loaded(spark, paths, *rest)

    monkeypatch.setattr(spark_files, "loaded", told)
    return asked


def test_large_files_are_not_the_work_of_one_task(spark: SparkSession, tmp_path: Path) -> None:
    """Spark by itself gives them to the first one, all together."""
    paths = [f"file:{tmp_path}/{number:03}" for number in range(400)]
    large = paths[::10]
    for path in paths:
        Path(path.removeprefix("file:")).write_bytes(b"x" * (50_000 if path in large else 10))
    frame = spark_files.found(spark, paths, {}, partitions=4)
    shares = [[Path(row.path).name for row in share] for share in frame.select("path").rdd.glom().collect()]
    assert sorted(name for share in shares for name in share) == [f"{number:03}" for number in range(400)]
    assert len(shares) >= 4
    assert max(sum(name.endswith("0") for name in share) for share in shares) == 10


@pytest.mark.parametrize("partitions", [1, 3, 20])
def test_every_file_that_is_there_is_found_once(spark: SparkSession, tmp_path: Path, partitions: int) -> None:
    there = {f"file:{tmp_path}/{n % 3}/{n}": f"content {n}".encode() for n in range(150)}
    for path, content in there.items():
        file = Path(path.removeprefix("file:"))
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    gone = [f"file:{tmp_path}/{n % 3}/gone {n}" for n in range(20)] + [f"file:{tmp_path}/no folder/{n}" for n in "ab"]
    frame = spark_files.found(spark, [*there, *gone], {}, partitions)
    assert sorted((row.path, bytes(row.content)) for row in frame.collect()) == sorted(there.items())


def test_a_folder_is_listed_once_for_all_who_ask_with_what_was_listed(
    spark: SparkSession, tmp_path: Path, listings: list[Sequence[str]]
) -> None:
    paths = [f"file:{tmp_path}/{number}" for number in range(100)]
    for path in paths:
        Path(path.removeprefix("file:")).write_bytes(b"x")
    folders: Folders = {}
    for asked in (paths[:50], paths[50:], paths, paths[:3]):
        assert spark_files.found(spark, asked, {}, 2, folders).count() == len(asked)
    assert listings == [[f"file:{tmp_path}"]]
    assert spark_files.found(spark, paths, {}).count() == 100
    assert len(listings) == 2


@pytest.mark.parametrize(("count", "partitions"), [(64, 2), (200, 8)])
def test_no_file_is_asked_for_by_its_name_where_one_listing_does(
    spark: SparkSession, tmp_path: Path, listings: list[Sequence[str]], count: int, partitions: int
) -> None:
    paths = [f"file:{tmp_path}/{number}" for number in range(count)]
    for path in paths:
        Path(path.removeprefix("file:")).write_bytes(b"x")
    assert spark_files.found(spark, paths, {}, partitions).count() == count
    assert listings == [[f"file:{tmp_path}"]]
