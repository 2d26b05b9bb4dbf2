"""Files by their locations: whoever opens them, the answer is the same; and no job where none is needed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from explorer.queries.files import local_files, storage
from explorer.queries.files.storage import ReadOptions


@pytest.fixture
def places(tmp_path: Path) -> dict[str, bytes | None]:
    """Locations, each with its content; None for one that is missing."""
    found: dict[str, bytes | None] = {
        "plain": b"content",
        "with space": b"spaced",
        "per%20cent": b"per cent",
        "ünïcode": b"letters",
        "star*[a]": b"glob",
        "empty": b"",
        "gone": None,
        "folder/gone too": None,
    }
    for name, content in found.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
    return {f"file:{tmp_path}/{name}": content for name, content in found.items()}


def test_this_process_and_spark_tell_the_same_of_every_file(
    spark: SparkSession, places: dict[str, bytes | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = storage.contents(spark, list(places), ReadOptions())
    monkeypatch.setattr(local_files, "finder", lambda _: lambda _: None)
    assert storage.contents(spark, list(places), ReadOptions()) == here
    read, unreadable_files = here
    assert read == {location: content for location, content in places.items() if content}
    assert {unreadable.kind for location, unreadable in unreadable_files.items() if places[location] is None} == {
        "missing"
    }
    assert {unreadable.kind for location, unreadable in unreadable_files.items() if places[location] == b""} == {
        "damaged"
    }
    assert read.keys() | unreadable_files.keys() == places.keys()


def test_many_missing_files_of_this_disk_cost_no_job(spark: SparkSession, tmp_path: Path) -> None:
    paths = [f"file:{tmp_path}/snap-{number}.avro" for number in range(1_000)]
    spark.sparkContext.setJobGroup("missing", "files that are gone")
    try:
        read, unreadable_files = storage.contents(spark, paths, ReadOptions())
    finally:
        spark.sparkContext._jsc.clearJobGroup()
    assert not read
    assert [unreadable_files[path].kind for path in paths] == ["missing"] * len(paths)
    assert not spark.sparkContext.statusTracker().getJobIdsForGroup("missing")


@pytest.mark.parametrize(
    "location",
    [
        *("warehouse/snap-1.avro", "./snap-1.avro", "file:snap-1.avro"),
        *("file://host/snap-1.avro", "//host/snap-1.avro", "file:/a/../snap-1.avro", "file:/a/.."),
    ],
)
def test_a_location_that_spark_may_understand_otherwise_is_left_to_it(spark: SparkSession, location: str) -> None:
    assert local_files.finder(spark)(location) is None


@pytest.mark.parametrize("location", ["/a/snap.avro", "file:/a/snap.avro", "file:///a/snap.avro"])
def test_a_location_on_this_disk_is_known_here(spark: SparkSession, location: str) -> None:
    assert local_files.finder(spark)(location) == "/a/snap.avro"
    assert local_files.finder(spark)(f"{location}..b") == "/a/snap.avro..b"


@pytest.mark.parametrize(("scheme", "is_found"), [("file:", True), ("file://", True), ("", False), ("s3:/", False)])
def test_the_tasks_of_another_machine_look_at_their_own_disk_for_what_surely_lies_there(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, scheme: str, is_found: bool
) -> None:
    monkeypatch.setattr(local_files, "is_shared_disk", lambda _: False)
    monkeypatch.setattr(local_files, "is_connect", lambda _: True)
    location = f"{scheme}/a/snap.avro"
    assert storage.here(spark, [location], ReadOptions()) is None
    assert storage.beside_tasks(spark, [location], ReadOptions()) == (["/a/snap.avro"] if is_found else None)
    of_a_catalog = ReadOptions({"fs.defaultFS": "s3://lake"})
    assert storage.beside_tasks(spark, [location], of_a_catalog) is None


def test_nothing_that_read_options_carry_is_lost_by_a_copy_nor_changed() -> None:
    options = ReadOptions({"fs.defaultFS": "s3://lake"}, "lake.shop.orders", EmptyCache())
    for same in (copy.copy(options), copy.deepcopy(options), pickle.loads(pickle.dumps(options)), replace(options)):
        assert (same.settings, same.relation) == ({"fs.defaultFS": "s3://lake"}, "lake.shop.orders")
        assert isinstance(same.cache, EmptyCache)
    with pytest.raises(FrozenInstanceError):
        options.relation = None  # type: ignore[misc]
    with pytest.raises(TypeError):
        _ = {**options}  # type: ignore[dict-item]


def test_a_file_system_of_the_catalogs_own_is_asked_even_for_what_lies_on_this_disk(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "plain").write_bytes(b"content")
    own = ReadOptions({"fs.defaultFS": f"file://{tmp_path}"})
    assert storage.opened(spark, f"file:{tmp_path}/plain", own, fetch=False) is None
    with storage.opened(spark, f"file:{tmp_path}/plain", ReadOptions(), fetch=False) as found:  # type: ignore[union-attr]
        assert found.read() == b"content"


class EmptyCache:
    """Files that were read before: none."""

    def load(self, paths: Iterable[str]) -> dict[str, bytes]:
        return dict.fromkeys(paths, b"")

    def save(self, contents: Mapping[str, bytes]) -> None:
        pass


@pytest.mark.parametrize(
    ("path", "whose"),
    [
        ("hdfs://user:secret@namenode:8020/a/snap-1.avro", "hdfs://namenode:8020"),
        ("s3://lake/a/snap-1.avro", "s3://lake"),
        ("hdfs:///a/snap-1.avro", "Its storage"),
        ("/a/snap-1.avro", "Its storage"),
    ],
)
def test_storage_that_does_not_answer_is_named_and_its_files_are_not_called_damaged(path: str, whose: str) -> None:
    refused = "An error occurred while calling o1.collect.\n: java.net.ConnectException: Connection refused"
    unread = storage.explained(path, RuntimeError(refused))
    assert (unread.path, unread.kind) == (path, "refused")
    assert unread.reason == f"{whose} does not answer: Connection refused."
