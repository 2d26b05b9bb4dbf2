"""What is kept of manifests is what was read, is bounded, and never speaks for another table."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import fastavro
import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

import explorer
from explorer.cli import main
from explorer.model.iceberg.inheritance import ListedManifest
from explorer.queries.files import local_files, storage
from explorer.queries.files.known_history import forget
from explorer.queries.files.manifest_cache import ManifestCache, Saved
from explorer.queries.files.stored_history import ENTRIES, StoredHistory
from explorer.table import Table
from explorer.table.picture import Picture
from tests.model.made import a_manifest


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ManifestCache:
    """A cache of its own, switched on; the tables that this process knows are forgotten before and after."""
    monkeypatch.setenv("ICEBERG_EXPLORER_HOME", str(tmp_path))
    monkeypatch.setenv("ICEBERG_EXPLORER_CACHE_MB", "10")
    forget()
    return ManifestCache()


@pytest.fixture
def table(spark: SparkSession, fresh_table: Callable[..., str]) -> str:
    name = fresh_table("kept")
    spark.sql(f"CREATE TABLE {name} (id INT, region STRING) USING iceberg PARTITIONED BY (region)")
    for number in range(3):
        spark.sql(f"INSERT INTO {name} VALUES ({number}, 'EU'), ({number + 10}, 'US')")
    spark.sql(f"DELETE FROM {name} WHERE region = 'US'")
    return name


def asked_of(name: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Locations of the files for which this function of `storage` is called from here on."""
    found: list[str] = []
    asked = getattr(storage, name)

    def noted(spark: SparkSession, paths: list[str], options: dict[str, str]) -> object:
        found.extend(paths)
        return asked(spark, paths, options)

    monkeypatch.setattr(storage, name, noted)
    return found


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Locations of the files that are opened from here on."""
    return asked_of("contents", monkeypatch)


def entries_of(name: str) -> list[dict[str, object]]:
    """As a kernel tells it that has read nothing."""
    forget()
    return explorer.table(name).sequence_timeline().data.to_dict("records")


def test_a_second_kernel_opens_only_what_is_new(
    cache: ManifestCache, spark: SparkSession, table: str, opened: list[str]
) -> None:
    first = entries_of(table)
    assert len(first) == 6
    assert opened
    assert not any(n.about.startswith("Read before") for n in explorer.table(table).sequence_timeline().notes)
    opened.clear()
    assert str(entries_of(table)) == str(first)
    assert opened == []
    (note,) = [n for n in explorer.table(table).sequence_timeline().notes if n.about.startswith("Read before")]
    assert note.reason.startswith("4 manifest lists with their manifests")
    spark.sql(f"INSERT INTO {table} VALUES (99, 'EU')")
    assert len(entries_of(table)) == 7
    names = [Path(path).name for path in opened]
    assert len([name for name in names if name.startswith("snap-")]) == 1
    assert len(names) == 2  # its list, and the manifest that it added


def test_a_table_made_again_under_its_name_is_another(cache: ManifestCache, spark: SparkSession, table: str) -> None:
    entries_of(table)
    spark.sql(f"DROP TABLE {table} PURGE")
    spark.sql(f"CREATE TABLE {table} (id INT) USING iceberg")
    spark.sql(f"INSERT INTO {table} VALUES (1)")
    assert len(entries_of(table)) == 1
    assert cache.usage().tables == 2


def test_a_file_that_could_not_be_read_is_asked_again(cache: ManifestCache, table: str) -> None:
    place = explorer.table(table).metadata.snapshots[-1].manifest_list
    assert place is not None
    path = Path(place.removeprefix("file:"))
    content = path.read_bytes()
    path.unlink()
    assert any(note.certainty == "unknown" for note in explorer.table(table).sequence_timeline().notes)
    path.write_bytes(content)
    forget()
    assert not any(note.certainty == "unknown" for note in explorer.table(table).sequence_timeline().notes)


def test_damaged_parts_are_as_if_they_had_never_been_there(cache: ManifestCache, table: str) -> None:
    first = entries_of(table)
    (part,) = cache.folder.glob("*/part-*")
    for damage in ("entries", "lists", "manifests"):
        (part / damage).write_bytes(b"nothing")
        assert str(entries_of(table)) == str(first), damage
        (part,) = cache.folder.glob("*/part-*")


def test_off_it_keeps_nothing(cache: ManifestCache, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICEBERG_EXPLORER_CACHE_MB", "0")
    entries_of(table)
    assert not cache.folder.exists()


def test_a_folder_that_cannot_be_written_costs_no_answer(
    tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").write_text("a file, where a folder should be")
    monkeypatch.setenv("ICEBERG_EXPLORER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ICEBERG_EXPLORER_CACHE_MB", "10")
    assert len(entries_of(table)) == 6


@pytest.fixture
def by_spark(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Locations of the files that Spark is asked for from here on, since this process opens none itself."""
    monkeypatch.setattr(local_files, "finder", lambda _: lambda _: None)
    return asked_of("_by_spark", monkeypatch)


def each_picture(table: Table) -> dict[str, Picture[Any]]:
    """Of the pictures that manifests answer."""
    first = table.graph.nodes[0].snapshot.snapshot_id
    return {
        "commit": table.commit("main"),
        "boundary": table.boundary(first, "main"),
        "compare": table.compare(first, "main"),
        "entries": table.entries(),
        "deletes": table.deletes(),
        "retries": table.retries(),
        "raw": table.changelog(first, "main", "raw"),
        "ownership": table.changelog(mode="ownership"),
    }


def in_words(picture: Picture[Any]) -> tuple[str, str, list[str]]:
    """Title, rows and notes, but for the note of the cache."""
    notes = [str(note) for note in picture.notes if not note.about.startswith("Read before")]
    return picture.title, str(picture.data.to_dict("records")), notes


def test_no_picture_asks_storage_twice_for_a_file(cache: ManifestCache, table: str, by_spark: list[str]) -> None:
    opened = each_picture(explorer.table(table))
    first = {name: in_words(picture) for name, picture in opened.items()}
    assert not any(note.about.startswith("Read before") for picture in opened.values() for note in picture.notes)
    assert by_spark
    assert len(by_spark) == len(set(by_spark))
    by_spark.clear()
    again = each_picture(explorer.table(table))
    assert {name: in_words(picture) for name, picture in again.items()} == first
    assert by_spark == []
    for name, picture in again.items():
        assert any(note.about.startswith("Read before") for note in picture.notes), name


def test_of_another_table_of_that_name_nothing_was_kept(
    cache: ManifestCache, spark: SparkSession, table: str, by_spark: list[str]
) -> None:
    explorer.table(table).entries()
    spark.sql(f"DROP TABLE {table} PURGE")
    spark.sql(f"CREATE TABLE {table} (id INT) USING iceberg")
    spark.sql(f"INSERT INTO {table} VALUES (1)")
    by_spark.clear()
    assert len(explorer.table(table).entries().data) == 1
    assert len(by_spark) == 2  # a manifest list and a manifest


def test_what_is_missing_or_damaged_is_not_cached(cache: ManifestCache, table: str, by_spark: list[str]) -> None:
    (missing, *_) = explorer.table(table).entries().data["manifest_path"]
    path = Path(missing.removeprefix("file:"))
    path.with_name(f".{path.name}.crc").unlink()  # by which Hadoop would refuse the damaged file itself
    content = path.read_bytes()
    for damage in (None, b"", content[:-20], b"nothing"):
        cache.clear()
        path.unlink() if damage is None else path.write_bytes(damage)
        assert any(note.certainty == "unknown" for note in explorer.table(table).entries().notes), damage
        path.write_bytes(content)
        assert not any(note.certainty == "unknown" for note in explorer.table(table).entries().notes), damage


def test_a_damaged_copy_is_as_if_it_had_never_been_there(cache: ManifestCache, table: str, by_spark: list[str]) -> None:
    first = in_words(explorer.table(table).entries())
    for damage in (b"", b"nothing", next(cache.folder.glob("*/file-*")).read_bytes()[:-1]):
        by_spark.clear()
        for file in cache.folder.glob("*/file-*"):
            file.write_bytes(damage)
        assert in_words(explorer.table(table).entries()) == first
        assert by_spark


# --- without Spark ---


def avro(size: int) -> bytes:
    """An Avro file of about that many bytes."""
    file = io.BytesIO()
    fastavro.writer(
        file, {"type": "record", "name": "r", "fields": [{"name": "b", "type": "bytes"}]}, [{"b": bytes(size)}]
    )
    return file.getvalue()


def test_only_whole_files_are_kept(cache: ManifestCache) -> None:
    files = cache.files("uuid")
    assert files is not None
    whole = avro(1_000)
    files.save({"whole": whole, "cut": whole[:-1], "short": whole[:-200], "empty": b"", "other": b"nothing"})
    assert files.load(["whole", "cut", "short", "empty", "other", "unknown"]) == {"whole": whole}


def test_of_one_table_what_was_used_longest_ago_is_forgotten(cache: ManifestCache) -> None:
    cache.limit = 450_000
    contents = {f"m{number}": avro(100_000 + number) for number in range(6)}
    files = cache.files("uuid")
    assert files is not None
    known: set[Path] = set()
    for number, (path, content) in enumerate(contents.items()):
        files.save({path: content})
        for new in set(cache.folder.glob("*/*")) - known:
            os.utime(new, (number, number))
            known.add(new)
        files.load(["m0"])  # is used again and again
    assert sorted(files.load(contents)) == ["m0", "m3", "m4", "m5"]
    assert files.load(contents)["m5"] == contents["m5"]
    assert cache.usage().size <= cache.limit


def test_a_history_that_is_opened_again_outlives_files_that_are_not(cache: ManifestCache) -> None:
    cache.save("uuid", history("a"), Saved())
    files = cache.files("uuid")
    assert files is not None
    files.save({"m": avro(1_000)})
    for kept in cache.folder.glob("*/*"):
        os.utime(kept, (1, 1) if kept.is_dir() else (2, 2))
    cache.load("uuid")
    cache.limit = cache.usage().size - 1
    cache._bound()
    assert files.load(["m"]) == {}
    assert cache.load("uuid").read


def test_what_cannot_be_removed_does_not_end_the_bound(cache: ManifestCache, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        files = cache.files(f"uuid {number}")
        assert files is not None
        files.save({"m": avro(100_000 + number)})
        os.utime(max(cache.folder.iterdir(), key=lambda folder: folder.stat().st_ctime_ns), (number, number))
    stuck = min(cache.folder.iterdir(), key=lambda folder: folder.stat().st_mtime)
    remove = Path.unlink
    monkeypatch.setattr(Path, "unlink", lambda path, *more: None if stuck in path.parents else remove(path, *more))
    cache.limit = 250_000
    cache._bound()
    assert len(list(cache.folder.glob("*/file-*"))) == 3, "the stuck one, and two that fit"


def test_kernels_that_keep_the_same_files_lose_none(cache: ManifestCache) -> None:
    contents = {f"m{number}": avro(10_000 + number) for number in range(20)}

    def keep(_: int) -> int:
        files = cache.files("uuid")
        assert files is not None
        files.save(contents)
        return sum(content == contents[path] for path, content in files.load(contents).items())

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(keep, range(16))) == [20] * 16
    assert len(list(cache.folder.glob("*/*"))) == 20


def history(*manifests: str, entries: int = 3) -> StoredHistory:
    """What might have been read: each manifest of one list of its own."""
    rows: list[ListedManifest] = []
    found: list[dict[str, Any]] = []
    for number, path in enumerate(manifests):
        numbers = ("length", "sequence_number", "min_sequence_number", "added_snapshot_id", "first_row_id")
        counts = {f"{kind}_{what}_count": 1 for kind in ("added", "existing", "deleted") for what in ("files", "rows")}
        rows.append(a_manifest(path, partition_spec_id=0, **dict.fromkeys(numbers, number), **counts))
        found += [{"manifest": number, "status": 1, "folder": path, "file_name": str(n)} for n in range(entries)]
    return StoredHistory(
        rows,
        {f"list of {path}": (number,) for number, path in enumerate(manifests)},
        pa.Table.from_pylist(found, schema=ENTRIES),
        frozenset(range(len(manifests))),
    )


def paths_of(stored: StoredHistory) -> list[tuple[str, str]]:
    """Manifest and file of each entry."""
    return sorted(
        (stored.manifests[row["manifest"]].path, f"{row['folder']}/{row['file_name']}")
        for row in stored.entries.to_pylist()
    )


def test_parts_of_two_kernels_become_one_history(cache: ManifestCache) -> None:
    cache.save("uuid", history("a", "b"), Saved())
    cache.save("uuid", history("c", "b", "d"), Saved())
    found = cache.load("uuid")
    assert paths_of(found) == paths_of(history("a", "b", "c", "d"))
    assert {path: [found.manifests[i].path for i in listed] for path, listed in found.lists.items()} == {
        f"list of {path}": [path] for path in "abcd"
    }
    assert len(found.read) == 4


def test_a_manifest_that_was_read_whole_later_counts_whole(cache: ManifestCache) -> None:
    stored = history("a", "b")
    kept = cache.save("uuid", stored, Saved())
    more = pa.Table.from_pylist([{"manifest": 1, "status": 0, "folder": "b", "file_name": "existing"}], schema=ENTRIES)
    stored = replace(stored, entries=pa.concat_tables([stored.entries, more]), whole=frozenset({1}))
    cache.save("uuid", stored, kept)
    found = cache.load("uuid")
    assert paths_of(found) == paths_of(stored)
    assert [found.manifests[i].path for i in found.whole] == ["b"]


def test_many_parts_become_one(cache: ManifestCache) -> None:
    stored, kept = history(), Saved()
    for number in range(50):
        stored = stored.with_all_of(history(f"m{number}"))
        kept = cache.save("uuid", stored, kept)
    assert len(list(cache.folder.glob("*/part-*"))) < 25
    assert paths_of(stored) == paths_of(history(*(f"m{number}" for number in range(50))))
    assert paths_of(cache.load("uuid")) == paths_of(stored)


def test_tables_that_were_opened_longest_ago_are_forgotten(
    cache: ManifestCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        cache.save(f"uuid {number}", history(f"{number}", entries=1_000), Saved())
        os.utime(max(cache.folder.iterdir(), key=lambda folder: folder.stat().st_ctime), (number, number))
    size = cache.usage().size
    cache.load("uuid 0")  # used again
    monkeypatch.setenv("ICEBERG_EXPLORER_CACHE_MB", str(size * 0.8 / 1e6))
    ManifestCache().save("uuid 4", history("4", entries=1_000), Saved())
    left = [number for number in range(5) if cache.load(f"uuid {number}").read]
    assert left == [0, 3, 4]


def test_kernels_that_write_at_once_lose_nothing(cache: ManifestCache) -> None:
    def write(number: int) -> None:
        cache.save("uuid", history(f"m{number}"), Saved())
        cache.load("uuid")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(16)))
    assert paths_of(cache.load("uuid")) == paths_of(history(*(f"m{number}" for number in range(16))))


def test_the_command_line_says_what_is_kept_and_forgets_it(cache: ManifestCache) -> None:
    cache.save("uuid", history("a"), Saved())
    printed = CliRunner().invoke(main, ["cache", "info"]).output
    assert str(cache.folder) in "".join(printed.split())
    assert "1 table," in printed
    assert "10 MB at most" in printed
    assert "Forgotten: 1 table," in CliRunner().invoke(main, ["cache", "clear"]).output
    assert "0 tables, 0.0 MB" in CliRunner().invoke(main, ["cache", "info"]).output
    assert not cache.folder.exists()
