"""Entries as stored and as read, against decoders that share no code with ours, and against Iceberg's own reader."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import fastavro
import pytest
from pyiceberg.avro.file import AvroFile
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.manifest import MANIFEST_ENTRY_SCHEMAS, DataFile, DataFileContent, ManifestEntry, ManifestEntryStatus
from pyiceberg.manifest import FileFormat as PyIcebergFormat
from pyiceberg.table import StaticTable
from pyspark.sql import SparkSession

from explorer.engine import sandbox_warehouse
from explorer.lessons import build_sandbox
from explorer.lessons.stories import concurrent_writers, format_v1, upgraded
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.entries.facts import Entries, from_stored, rows
from explorer.model.entries.stored import StoredEntries
from explorer.model.iceberg.inheritance import ListedManifest, StoredEntry, resolve
from explorer.queries import entries as entries_queries
from explorer.queries.entries import entries_query, frame, read, read_file
from explorer.queries.files import manifests as stored_manifests
from explorer.queries.files.locate import Located, locate
from tests.model.made import a_manifest, an_entry, as_read
from tests.queries.commit_facts import Opened
from tests.queries.sources import source_of_files
from tests.queries.test_manifests import KIND

CONTRACT = [
    "manifest_path",
    "manifest_sequence_number",
    "content",
    "status",
    "file_path",
    "content_offset",
    *(
        prefix + name
        for name in ("snapshot_id", "sequence_number", "file_sequence_number", "first_row_id")
        for prefix in ("stored_", "")
    ),
]
NUMBERS = CONTRACT[6:]


def stored(table: Opened, snapshot_id: int, **other: Any) -> StoredEntries:
    return read(table.source, snapshot_id, **other)


def entries_of(table: Opened, snapshot_id: int, **other: Any) -> Entries:
    return from_stored(table.metadata.by_id[snapshot_id], stored(table, snapshot_id, **other))


def in_frame(table: Opened, found: StoredEntries) -> list[dict[str, Any]]:
    """The rows of the frame, in the order of the list."""
    place = {m.path: i for i, m in enumerate(found.listed)}
    collected = frame(table.source, found.listed).collect()
    return sorted((row.asDict() for row in collected), key=lambda row: (place[row["manifest_path"]], row["position"]))


def test_entries_of_every_snapshot_of_every_real_table_are_as_computed_by_others(
    spark: SparkSession, real_tables: dict[str, Any]
) -> None:
    import table_paths

    seen, every, snapshots, unreadable_files = set(), 0, 0, 0
    for name in real_tables:
        expected = table_paths.expected(name)
        if expected is None or name == "duckdb_bad_snapshot_id":  # its metadata is refused when it is opened
            continue
        table = Opened(spark, f"real.t.{name}", table_paths.metadata_path(name))
        gone = {path.rsplit("/", 1)[-1] for path in real_tables[name]["metadata_files_missing"]}
        manifests = {m["path"].rsplit("/", 1)[-1]: m for m in expected["manifests"]}
        every += sum(len(m["entries"]) for m in expected["manifests"])
        for snapshot in table.metadata.snapshots:
            snapshots += 1
            found = entries_of(table, snapshot.snapshot_id)
            assert found.contradictions == ()
            if str(snapshot.manifest_list).rsplit("/", 1)[-1] in gone:
                unreadable_files += 1
                assert (found.unreadable, found.manifests) == ("The file does not exist.", ())
                continue
            wanted = []
            for m in found.manifests:
                manifest = manifests[m.manifest.path.rsplit("/", 1)[-1]]
                number = manifest["listed"]["seq"] or 0
                for e in manifest["entries"]:
                    seen.add((name, manifest["path"], e["file_path"], e["content_offset"]))
                    first = manifest["listed"]["first_row_id"]
                    wanted.append(
                        (
                            *(m.manifest.path, number, KIND[e["kind"]]),
                            *(e["status"], e["file_path"], e["content_offset"]),
                            *(e["snapshot_id_stored"], e["snapshot_id"]),
                            *(e["sequence_number_stored"], e["sequence_number"]),
                            *(e["file_sequence_number_stored"], e["file_sequence_number"]),
                            *(e["first_row_id_stored"], e["first_row_id_stored"] if first is not None else None),
                        )
                    )
            got = rows(found)
            for row, want in zip(got, wanted, strict=True):
                values = tuple(row[column] for column in CONTRACT)
                if row["first_row_id_rule"] == "assigned in order":
                    values = (*values[:-1], None)  # compared with Iceberg's own below
                assert values == want
            assert found.entry_count == len(got) == sum(g.count for m in found.manifests for g in m.groups)
    assert (len(seen), snapshots, unreadable_files) == (every, 83, 4)
    assert every == 137


def test_the_frame_has_the_rows_of_the_model_for_every_real_table(
    spark: SparkSession, real_tables: dict[str, Any]
) -> None:
    import table_paths

    wanted: list[dict[str, Any]] = []
    listed: list[ListedManifest] = []
    for name in real_tables:
        if table_paths.expected(name) is None or name == "duckdb_bad_snapshot_id":
            continue
        table = Opened(spark, f"real.t.{name}", table_paths.metadata_path(name))
        last = table.metadata.snapshots[-1]
        found = read(replace(table.source, metadata=replace(table.metadata, specs={})), last.snapshot_id)
        listed += found.listed
        wanted += rows(from_stored(last, found))
    place = {m.path: i for i, m in enumerate(listed)}
    collected = [row.asDict() for row in frame(source_of_files(spark, table.name), listed).collect()]
    assert sorted(collected, key=lambda row: (place[row["manifest_path"]], row["position"])) == wanted
    assert list(collected[0])[: len(CONTRACT)] == CONTRACT
    assert len(wanted) > 80


def test_the_rules_in_sql_are_those_of_the_model(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every combination of status, stored nulls, zeros and large numbers, under every kind of manifest list row."""
    big = 2**62 + 1
    listed: list[ListedManifest] = []
    for number, added, first in itertools.product((None, 0, 9, big), (None, 2**63 - 1), (None, 0, 2**60)):
        numbers = {"sequence_number": number, "added_snapshot_id": added, "first_row_id": first}
        listed.append(a_manifest(f"m{len(listed)}", **numbers))
    kinds = [(0, "PARQUET"), (1, "PARQUET"), (1, "puffin"), (2, "AVRO")]
    values = (0, 1, 2), (None, 5), (None, 0, big), (None, 0, 7), (None, 0, 2**61)
    found: list[StoredEntry] = []
    for manifest in listed:
        for place, (status, snapshot_id, data, file, first) in enumerate(itertools.product(*values)):
            content, file_format = kinds[place % len(kinds)]
            found.append(
                an_entry(
                    f"f{place}",
                    manifest_path=manifest.path,
                    position=place,
                    status=status,
                    stored_snapshot_id=snapshot_id,
                    stored_sequence_number=data,
                    stored_file_sequence_number=file,
                    stored_first_row_id=first,
                    content=content,
                    file_format=file_format,
                    unassigned_rows_before=place * 10,
                )
            )
    by_path = {m.path: m for m in listed}
    names = [f.name for f in fields(StoredEntry) if f.name != "statistics"] + list(as_read(listed[0], found[0]))
    kind_of_column = {"equality_ids": "ARRAY<INT>", "status": "INT", "content": "INT", "spec_id": "INT"}
    texts = ("manifest_path", "file_path", "file_format", "partition", "referenced_data_file")
    ddl = ", ".join(f"{n} {kind_of_column.get(n) or ('STRING' if n in texts else 'BIGINT')}" for n in names)
    columns = [asdict(entry) | as_read(by_path[entry.manifest_path], entry) for entry in found]
    frame_of = spark.createDataFrame([tuple(row[n] for n in names) for row in columns], ddl)
    decoded = frame_of.selectExpr("*", "CAST(NULL AS STRING) AS unreadable")
    monkeypatch.setattr(stored_manifests, "entries", lambda *_: decoded)

    read_by_spark = {(row.manifest_path, row.position): row for row in frame(source_of_files(spark), listed).collect()}
    assert len(read_by_spark) == len(found) == 24 * 162
    for entry in found:
        got, listed_row = read_by_spark[entry.manifest_path, entry.position], by_path[entry.manifest_path]
        resolved = resolve(listed_row, entry)
        assert [
            (got.snapshot_id, got.snapshot_id_rule),
            (got.sequence_number, got.sequence_number_rule),
            (got.file_sequence_number, got.file_sequence_number_rule),
            (got.first_row_id, got.first_row_id_rule),
        ] == [
            (value.value, value.rule)
            for value in (
                resolved.snapshot_id,
                resolved.data_sequence_number,
                resolved.file_sequence_number,
                resolved.first_row_id,
            )
        ]
        assert got.manifest_sequence_number == (listed_row.sequence_number or 0)
        assert got.content == entry.kind


@pytest.fixture(scope="module")
def merged(spark: SparkSession, fresh_table: Callable[..., str]) -> Opened:
    """Version 3, with vectors, a compaction, an equality delete, and manifests rewritten after it."""
    name = fresh_table("entries")
    spark.sql(
        f"CREATE TABLE {name} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region) TBLPROPERTIES "
        "('format-version'='3', 'write.delete.mode'='merge-on-read', 'commit.manifest.min-count-to-merge'='3')"
    )
    for start in range(0, 50, 10):
        spark.sql(f"INSERT INTO {name} SELECT id, IF(id % 2 = 0, 'EU', NULL) FROM range({start}, {start + 10})")
    spark.sql(f"DELETE FROM {name} WHERE id IN (3, 4, 33)")
    spark.sql(f"CALL lab.system.rewrite_data_files(table => '{name}', where => 'region = \"EU\"')")
    spark.sql(f"INSERT INTO {name} VALUES (100, 'EU'), (101, NULL)")
    delete_equal(spark, name, spark.sql("SELECT 100L AS id"), partition="region=EU")
    spark.sql(f"CALL lab.system.rewrite_manifests(table => '{name}', use_caching => false)")
    spark.sql(f"INSERT INTO {name} VALUES (102, 'EU'), (103, NULL)")
    spark.sql(f"DELETE FROM {name} WHERE region = 'EU'")
    return Opened(spark, name)


@pytest.fixture(scope="module")
def live(spark: SparkSession, merged: Opened) -> list[Opened]:
    """Tables of every format version."""
    lessons = (format_v1.LESSON, upgraded.LESSON, concurrent_writers.LESSON)
    return [Opened(spark, built.name) for built in build_sandbox(spark, lessons=lessons)] + [merged]


def raw_of_fastavro(path: str) -> list[tuple[Any, ...]]:
    with Path(path.removeprefix("file:")).open("rb") as file:
        return [
            (
                e["status"],
                e["snapshot_id"],
                e.get("sequence_number"),
                e.get("file_sequence_number"),
                e["data_file"].get("first_row_id"),
                e["data_file"]["file_path"],
                e["data_file"].get("content_offset"),
            )
            for e in fastavro.reader(file)
        ]


def raw_of_pyiceberg(path: str) -> list[tuple[Any, ...]]:
    file = PyArrowFileIO().new_input(path)
    found = []
    with AvroFile[ManifestEntry](
        file,
        MANIFEST_ENTRY_SCHEMAS[3],
        read_types={-1: ManifestEntry, 2: DataFile},
        read_enums={0: ManifestEntryStatus, 101: PyIcebergFormat, 134: DataFileContent},
    ) as reader:
        for e in reader:
            last = e.data_file._data[16:20]
            numbers = e.snapshot_id, e.sequence_number, e.file_sequence_number
            found.append((int(e.status), *numbers, last[0], e.data_file.file_path, last[2]))
    return found


def test_live_tables_are_as_fastavro_and_pyiceberg_decode_them(live: Sequence[Opened]) -> None:
    seen, above_2_53 = 0, 0
    for table in live:
        place = table.name.removeprefix("sandbox.")
        folder = sandbox_warehouse().joinpath(*place.split("."))
        root = folder if folder.exists() else Path(table.metadata.location.removeprefix("file:"))
        others = StaticTable.from_metadata(str(root))
        for theirs in others.metadata.snapshots:
            found = entries_of(table, theirs.snapshot_id)
            assert found.contradictions == ()
            manifests = theirs.manifests(others.io)
            for m, manifest in zip(found.manifests, manifests, strict=True):
                row = m.manifest
                assert (row.path, row.length) == (manifest.manifest_path, manifest.manifest_length)
                assert (row.sequence_number or 0) == manifest.sequence_number
                assert row.added_snapshot_id == manifest.added_snapshot_id
                got = [
                    (
                        *(e.entry.status, e.entry.stored_snapshot_id, e.entry.stored_sequence_number),
                        *(e.entry.stored_file_sequence_number, e.entry.stored_first_row_id),
                        *(e.entry.file_path, e.entry.content_offset),
                    )
                    for e in m.entries
                ]
                assert got == raw_of_fastavro(row.path)
                assert got == raw_of_pyiceberg(row.path)
                inherited = manifest.fetch_manifest_entry(others.io, discard_deleted=False)
                for mine, e in zip(m.entries, inherited, strict=True):
                    assert mine.resolved.snapshot_id.value == e.snapshot_id
                    assert mine.resolved.data_sequence_number.value == e.sequence_number
                    assert mine.resolved.file_sequence_number.value == e.file_sequence_number
                    seen += 1
                    above_2_53 += e.snapshot_id > 2**53
    assert seen > 100
    assert above_2_53 > 0.9 * seen


def test_live_tables_are_read_as_iceberg_reads_them(spark: SparkSession, live: Sequence[Opened]) -> None:
    """The query a person can paste is Iceberg's own reading of the same entries, first row ids included."""
    with_row_ids = 0
    for table in live:
        partitioned = any(table.metadata.specs.values())
        for snapshot in table.metadata.snapshots:
            found = rows(entries_of(table, snapshot.snapshot_id))
            query = entries_query(locate(spark, table.name), snapshot.snapshot_id, partitioned=partitioned)
            assert query is not None
            same = [
                *("manifest_path", "content", "status", "file_path", "content_offset", "snapshot_id"),
                *("sequence_number", "file_sequence_number", "first_row_id", "spec_id", "record_count"),
            ]
            theirs = [tuple(row[column] for column in same) for row in query.run(spark).collect()]
            mine = [tuple(row[column] for column in same) for row in found]
            assert sorted(mine, key=str) == sorted(theirs, key=str)
            with_row_ids += sum(row["first_row_id"] is not None for row in found)
    assert with_row_ids > 50


def test_a_table_opened_by_its_file_has_no_sql(spark: SparkSession) -> None:
    assert entries_query(Located("/t/v1.metadata.json", None, "/t/v1.metadata.json"), 1, partitioned=False) is None


def test_what_is_counted_in_tasks_is_what_is_decoded_here(
    spark: SparkSession, merged: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot_id = merged.metadata.snapshots[-2].snapshot_id
    whole = entries_of(merged, snapshot_id)
    assert len(whole.manifests) > 2
    in_tasks = stored(merged, snapshot_id, most=3)
    assert in_tasks.groups is not None
    counted = from_stored(whole.snapshot, in_tasks)
    assert [m.groups for m in counted.manifests] == [m.groups for m in whole.manifests]
    assert [(m.state, m.entry_count) for m in counted.manifests] == [(m.state, m.entry_count) for m in whole.manifests]
    assert rows(counted) == rows(whole)[:3]
    assert counted.entry_count == whole.entry_count > 3
    assert counted.contradictions == ()
    assert counted.notes[-1].about == f"3 of {whole.entry_count} entries listed"
    assert in_frame(merged, in_tasks) == rows(whole)

    largest = max(whole.manifests, key=lambda m: len(m.groups))
    assert len(largest.groups) > 3
    monkeypatch.setattr(entries_queries, "_MOST_KINDS", 3)
    folded = from_stored(whole.snapshot, stored(merged, snapshot_id, most=0, small_in_bytes=0))
    (of_largest,) = (m for m in folded.manifests if m.manifest.path == largest.manifest.path)
    assert len(of_largest.groups) < len(largest.groups)
    assert of_largest.entry_count == largest.entry_count
    assert sum(g.rows for g in of_largest.groups) == sum(g.rows for g in largest.groups)
    assert {g.data_sequence_number.value for g in of_largest.groups if g.data_sequence_number.rule == "stored"} == {
        None
    }
    assert folded.contradictions == ()
    assert rows(folded) == []


@pytest.mark.parametrize("small_in_bytes", [stored_manifests.SMALL_IN_BYTES, 0])
def test_one_manifest_or_one_file_is_read_on_demand(merged: Opened, small_in_bytes: int) -> None:
    snapshot_id = merged.metadata.snapshots[-2].snapshot_id
    whole = entries_of(merged, snapshot_id)
    wanted = whole.manifests[1]
    (one,) = entries_of(merged, snapshot_id, only=[wanted.manifest.path], small_in_bytes=small_in_bytes).manifests
    assert one == wanted

    vectors = [row for row in rows(whole) if row["content_offset"] is not None]
    assert vectors
    for row in [vectors[0], rows(whole)[0]]:
        key = row["file_path"], row["content_offset"]
        found = read_file(merged.source, snapshot_id, *key, small_in_bytes=small_in_bytes)
        understood = from_stored(whole.snapshot, found)
        assert (understood.file, understood.contradictions) == (key, ())
        assert rows(understood) == [r for r in rows(whole) if (r["file_path"], r["content_offset"]) == key]
        assert [m.manifest.path for m in understood.manifests] == [row["manifest_path"]]


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("small_in_bytes", [stored_manifests.SMALL_IN_BYTES, 0])
def test_a_manifest_that_cannot_be_read_is_named_and_the_rest_stands(
    spark: SparkSession, merged: Opened, tmp_path: Path, small_in_bytes: int
) -> None:
    snapshot_id = merged.metadata.snapshots[-2].snapshot_id
    whole = entries_of(merged, snapshot_id)
    location = Path(merged.metadata.location.removeprefix("file:"))
    shutil.copytree(location, tmp_path / "copy", ignore=shutil.ignore_patterns("*.crc"))
    names = [m.manifest.path.rsplit("/", 1)[-1] for m in whole.manifests]
    holed = Opened(spark, merged.name)
    source = str(merged.metadata.by_id[snapshot_id].manifest_list)
    list_path = tmp_path / "copy" / "metadata" / source.rsplit("/", 1)[-1]
    with list_path.open("rb") as file:
        reader = fastavro.reader(file)
        records, schema = [dict(r) for r in reader], reader.writer_schema
    for record in records:
        record["manifest_path"] = f"file:{tmp_path}/copy/metadata/{record['manifest_path'].rsplit('/', 1)[-1]}"
    with list_path.open("wb") as file:
        fastavro.writer(file, schema, records)
    (item,) = (s for s in holed.document["snapshots"] if s["snapshot-id"] == snapshot_id)
    item["manifest-list"] = f"file:{list_path}"
    (tmp_path / "copy" / "metadata" / names[0]).unlink()
    (tmp_path / "copy" / "metadata" / names[1]).write_bytes(b"Obj\x01 and no more")

    found = entries_of(holed, snapshot_id, small_in_bytes=small_in_bytes)
    gone, damaged, *others = found.manifests
    assert gone.unreadable == "The file does not exist."
    assert "damaged" in damaged.unreadable
    assert [(m.entries, m.groups, m.entry_count) for m in (gone, damaged)] == [
        ((), (), whole.manifests[0].entry_count),
        ((), (), whole.manifests[1].entry_count),
    ]
    assert [m.groups for m in others] == [m.groups for m in whole.manifests[2:]]
    assert [note.certainty for note in found.notes].count("unknown") == 2
    assert found.entry_count == sum(m.entry_count or 0 for m in whole.manifests[2:])
    assert found.contradictions == ()

    list_path.unlink()
    unlisted = entries_of(holed, snapshot_id, small_in_bytes=small_in_bytes)
    assert (unlisted.manifests, unlisted.unreadable, unlisted.entry_count) == ((), "The file does not exist.", 0)
