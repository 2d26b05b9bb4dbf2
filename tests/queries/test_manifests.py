from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import fastavro
import pytest
from pyspark.sql import Row, SparkSession

from explorer.model.iceberg.inheritance import ListedManifest, resolve
from explorer.model.iceberg.unreadable import Unreadable
from explorer.queries.files import manifests as stored_manifests
from explorer.queries.files.avro import decoded
from explorer.queries.files.commit import manifests_of
from explorer.queries.files.decoded_manifests import DecodedManifests
from explorer.queries.files.list_rows import ManifestList
from tests.model.made import a_manifest
from tests.queries.commit_facts import Opened
from tests.queries.sources import source_of_files

STATUS = ["EXISTING", "ADDED", "DELETED"]
KIND = {"data": "data", "pos_delete": "position deletes", "eq_delete": "equality deletes", "dv": "deletion vector"}
SAME = (
    "file_path",
    "file_format",
    "record_count",
    "file_size_in_bytes",
    "spec_id",
    "referenced_data_file",
    "content_offset",
    "content_size_in_bytes",
    "sort_order_id",
)


def in_tasks(spark: SparkSession, listed: Any, relation: str | None = None, **flags: bool) -> list[dict[str, Any]]:
    entries = stored_manifests.entries(source_of_files(spark, relation), listed, **flags)
    rows = [row.asDict() for row in entries.collect()]
    place = {m.path: i for i, m in enumerate(listed)}
    return sorted(rows, key=lambda row: (place[row["manifest_path"]], row["position"] or 0))


def test_stored_and_resolved_numbers_of_every_real_table_are_as_computed_by_others(
    spark: SparkSession, real_tables: dict[str, Any]
) -> None:
    import table_paths

    seen = 0
    everything: dict[str, ListedManifest] = {}
    headers: dict[str, dict[str, str]] = {}
    for name in real_tables:
        expected = table_paths.expected(name)
        if expected is None:
            continue
        table = Opened(spark, f"real.t.{name}", table_paths.metadata_path(name))
        gone = {path.rsplit("/", 1)[-1] for path in real_tables[name]["metadata_files_missing"]}
        listed: dict[str, ListedManifest] = {}
        for snapshot in table.document["snapshots"]:
            location = manifests_of(table.source, snapshot["snapshot-id"])
            assert isinstance(location, str)
            stored = stored_manifests.manifest_list(source_of_files(spark, table.name), location)
            assert isinstance(stored, Unreadable) == (location.rsplit("/", 1)[-1] in gone)
            if isinstance(stored, Unreadable):
                assert stored.kind == "missing"
            else:
                listed |= {m.path: m for m in stored}
        everything |= listed
        headers |= {m["path"].rsplit("/", 1)[-1]: m["avro_metadata"] for m in expected["manifests"]}
        rows = stored_manifests.entries_here(source_of_files(spark, table.name), list(listed.values()), statistics=True)
        assert rows.unreadable_files == ()
        for manifest in expected["manifests"]:
            (row,) = (r for path, r in listed.items() if path.endswith("/" + manifest["path"].rsplit("/", 1)[-1]))
            says = manifest["listed"]
            assert (row.content, row.partition_spec_id, row.first_row_id, row.length) == (
                says["content"] or 0,  # version 1 lists do not say it
                says["spec"],
                says["first_row_id"],
                says["len"],
            )
            numbers = (row.sequence_number, row.min_sequence_number, row.added_snapshot_id)
            assert numbers == (says["seq"], says["min_seq"], says["snap"])
            found = [entry for entry in rows.entries if entry.manifest_path == row.path]
            assert len(found) == len(manifest["entries"])
            for got, want in zip(found, manifest["entries"], strict=True):
                resolved = resolve(row, got)
                assert [getattr(got, column) for column in SAME] == [want[column] for column in SAME]
                assert got.equality_ids == (None if (ids := want["equality_ids"]) is None else tuple(ids))
                assert STATUS[got.status] == want["status"]
                assert got.kind == KIND[want["kind"]]
                for column in ("snapshot_id", "sequence_number", "file_sequence_number", "first_row_id"):
                    assert getattr(got, f"stored_{column}") == want[f"{column}_stored"]
                assert resolved.snapshot_id.value == want["snapshot_id"]
                assert resolved.data_sequence_number.value == want["sequence_number"]
                assert resolved.file_sequence_number.value == want["file_sequence_number"]
                seen += 1
    assert seen == 140
    manifests = list(everything.values())
    assert len(manifests) > 32  # more than are named to Spark one by one
    here = stored_manifests.entries_here(source_of_files(spark, table.name), manifests, statistics=True)
    tasks = in_tasks(spark, manifests, table.name, statistics=True)
    for row in tasks:
        assert (row["unreadable"], row["unreadable_reason"]) == (None, None)
        header = headers[row["manifest_path"].rsplit("/", 1)[-1]]
        assert row["manifest_format_version"] == (int(v) if (v := header.get("format-version")) else None)
        assert row["manifest_content"] == header.get("content")
    assert here.unreadable_files == ()
    values = stored_manifests.stored_entries([Row(**row) for row in tasks])
    assert values == here.entries
    assert [entry.statistics for entry in values] == [entry.statistics for entry in here.entries]
    assert any(entry.statistics.lower_bounds for entry in here.entries)


def written(records: list[dict[str, Any]], partition_fields: list[dict[str, Any]], **header: str) -> bytes:
    """A manifest made by hand: the fields that the format requires, and a partition tuple."""
    schema = {
        "type": "record",
        "name": "manifest_entry",
        "fields": [
            {"name": "status", "type": "int", "field-id": 0},
            {"name": "snapshot_id", "type": ["null", "long"], "field-id": 1},
            {
                "name": "data_file",
                "field-id": 2,
                "type": {
                    "type": "record",
                    "name": "r2",
                    "fields": [
                        {"name": "file_path", "type": "string", "field-id": 100},
                        {"name": "file_format", "type": "string", "field-id": 101},
                        {
                            "name": "partition",
                            "field-id": 102,
                            "type": {"type": "record", "name": "r102", "fields": partition_fields},
                        },
                        {"name": "record_count", "type": "long", "field-id": 103},
                        {"name": "file_size_in_bytes", "type": "long", "field-id": 104},
                    ],
                },
            },
        ],
    }
    out = io.BytesIO()
    file = {"file_path": "f", "file_format": "PARQUET", "record_count": 1, "file_size_in_bytes": 1}
    entries = [{"status": 1, "snapshot_id": 5, "data_file": file | {"partition": r}} for r in records]
    fastavro.writer(out, schema, entries, metadata=header, sync_interval=1)
    return out.getvalue()


def texts(values: list[Any], kind: Any, transform: str = "identity", name: str = "p") -> list[str]:
    field = {"name": "stored_name", "type": ["null", kind], "default": None, "field-id": 1000}
    spec = f'[{{"name": "{name}", "transform": "{transform}", "source-id": 1, "field-id": 1000}}]'
    content = written([{"stored_name": v} for v in values], [field], **{"partition-spec": spec})
    return partitions(content, a_manifest("m"), {})


def partitions(content: bytes, listed: ListedManifest, specs: Any) -> list[Any]:
    found = decoded([(listed, content)], specs)
    assert not found.unreadable
    return found.entries["partition"].to_pylist()


def test_a_partition_is_written_exactly() -> None:
    odd = [None, "null", '"null"', "", '""', "a", "A", "a/b=c", "a\\b", " a", "a\n", "ü", "書籍"]
    written = texts(odd, "string")
    assert written[:4] == ["p=null", 'p="null"', r'p="\"null\""', 'p=""']
    assert written[5] == "p=a"
    assert written[-2:] == ["p=ü", "p=書籍"]
    assert len(set(written)) == len(odd)
    assert texts([True, False, None], "boolean") == ["p=true", "p=false", "p=null"]
    date = {"type": "int", "logicalType": "date"}
    assert texts([20_777, -1], date) == ["p=2026-11-20", "p=1969-12-31"]
    assert texts([20_777], date, "day") == texts([20_777], "int", "day") == ["p=2026-11-20"]
    assert texts([682], "int", "month") == ["p=2026-11"]
    assert texts([498_648], "int", "hour") == ["p=2026-11-20-00"]
    assert texts([3], "int", "bucket[16]") == ["p=3"]
    assert texts([2**62 + 1], "long") == [f"p={2**62 + 1}"]
    time = {"type": "long", "logicalType": "timestamp-micros", "adjust-to-utc": False}
    assert texts([1_000_001], time) == ["p=1970-01-01T00:00:01.000001"]
    decimal = {"type": "fixed", "size": 4, "name": "d", "logicalType": "decimal", "precision": 9, "scale": 2}
    assert texts([(-1234).to_bytes(4, "big", signed=True)], decimal) == ["p=-12.34"]
    assert texts([4_000_000, 4_000_001], date) == ["p=4000000", "p=4000001"]  # no calendar of Python has these days


def test_names_of_partition_fields_are_those_of_the_spec() -> None:
    field = {"name": "we_x20ird", "type": "string", "field-id": 1000}
    of_table = {0: [{"name": "we ird", "transform": "identity", "field-id": 1000}]}
    content = written([{"we_x20ird": "x"}], [field])
    listed = a_manifest("m", partition_spec_id=0)
    assert partitions(content, listed, of_table) == ["we ird=x"]
    assert partitions(content, listed, {}) == ["we_x20ird=x"]


@pytest.fixture(scope="module")
def orders(spark: SparkSession, fresh_table: Callable[..., str]) -> Opened:
    name = fresh_table("stored orders").replace("stored orders", "`stored orders")
    name = ".".join(part + "`" if part.startswith("`") else part for part in name.split("."))
    spark.sql(f"CREATE TABLE {name} (id INT, region STRING) USING iceberg PARTITIONED BY (region)")
    for region in ("EU", "US"):
        spark.sql(f"INSERT INTO {name} VALUES (1, '{region}'), (2, NULL), (3, 'null')")
    return Opened(spark, name)


def listed_of(table: Opened) -> tuple[ListedManifest, ...]:
    location = manifests_of(table.source, table.document["current-snapshot-id"])
    assert isinstance(location, str)
    stored = stored_manifests.manifest_list(table.source, location)
    assert not isinstance(stored, Unreadable)
    return stored


def test_counts_and_bounds_are_those_of_spark(spark: SparkSession, orders: Opened) -> None:
    listed = listed_of(orders)
    columns = ["value_counts", "null_value_counts", "lower_bounds", "upper_bounds"]
    wanted = spark.sql(f"SELECT data_file.file_path AS file_path, data_file.* FROM {orders.name}.entries")
    expected = {row[0]: [row[column] for column in columns] for row in wanted.collect()}
    here = stored_manifests.entries_here(source_of_files(spark), listed, statistics=True).entries
    for found in (
        {row["file_path"]: [row[column] for column in columns] for row in in_tasks(spark, listed, statistics=True)},
        {entry.file_path: [getattr(entry.statistics, column) for column in columns] for entry in here},
    ):
        assert found == expected
        assert len(expected) == 6
    narrow = in_tasks(spark, listed)
    assert not set(columns) & set(narrow[0])


@pytest.mark.usefixtures("reader")
def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_read(
    spark: SparkSession, orders: Opened, tmp_path: Path
) -> None:
    good, other = listed_of(orders)
    content = Path(good.path.removeprefix("file:")).read_bytes()
    (whole,) = fastavro.block_reader(io.BytesIO(content))
    location = manifests_of(orders.source, orders.document["current-snapshot-id"])
    assert isinstance(location, str)
    damaged = {
        "cut short.avro": (content[:-30], "cut short"),
        "cut in the header.avro": (content[:40], "damaged Avro"),
        "cut between blocks.avro": (content[: whole.offset], "0 of the 3 entries"),
        "empty.avro": (b"", "It is empty"),
        "text.avro": (b"not an Avro file at all", "not an Avro file"),
        "version4.avro": (b"PAR1" + content, "Parquet"),
        "list.avro": (Path(location.removeprefix("file:")).read_bytes(), "not a manifest"),
    }
    asked = [good]
    for name, (data, _) in damaged.items():
        (tmp_path / name).write_bytes(data)
        asked.append(replace(good, path=str(tmp_path / name)))
    asked += [
        replace(good, path=str(tmp_path / "gone.avro")),
        replace(good, path=str(tmp_path / "no folder" / "g.avro")),
    ]
    asked.append(other)

    stored = stored_manifests.entries_here(source_of_files(spark), asked)
    keeping = replace(source_of_files(spark), decoded=DecodedManifests())
    for _ in ("decoded now", "decoded before"):
        assert stored_manifests.entries_here(keeping, asked) == stored
    rows = in_tasks(spark, asked)
    unreadable_files = {
        row["manifest_path"]: (row["unreadable"], row["unreadable_reason"]) for row in rows if row["unreadable"]
    }
    assert unreadable_files == {
        unreadable.path: (unreadable.kind, unreadable.reason) for unreadable in stored.unreadable_files
    }
    for name, (_, reason) in damaged.items():
        kind, message = unreadable_files.pop(str(tmp_path / name))
        assert kind == "damaged"
        assert reason in message
    assert {kind for kind, _ in unreadable_files.values()} == {"missing"}
    assert len(unreadable_files) == 2
    in_rows = [row["manifest_path"] for row in rows if not row["unreadable"]]
    for paths in ([entry.manifest_path for entry in stored.entries], in_rows):
        assert paths == [good.path] * 3 + [other.path] * 3

    for name in ("text.avro", "gone.avro"):
        path = str(tmp_path / name)
        unread = stored_manifests.manifest_list(source_of_files(spark), path)
        assert isinstance(unread, Unreadable)
        assert unread.path == path
    (tmp_path / "manifest as list.avro").write_bytes(content)
    unreadable = stored_manifests.manifest_list(source_of_files(spark), str(tmp_path / "manifest as list.avro"))
    assert isinstance(unreadable, Unreadable)
    assert "not a manifest list" in unreadable.reason


def test_a_manifest_that_lacks_what_the_format_requires_is_no_manifest() -> None:
    content = written([{}], []).replace(
        b'"record_count", "type": "long", "field-id": 103', b'"record_c0unt", "type": "long", "field-id": 903'
    )
    found = decoded([(a_manifest("m"), content)], {})
    assert "no record_count" in found.unreadable[0]
    assert len(found.entries) == 0


def test_a_wrong_length_in_the_list_does_not_hide_a_whole_manifest(orders: Opened) -> None:
    good = listed_of(orders)[0]
    content = Path(good.path.removeprefix("file:")).read_bytes()
    found = decoded([(replace(good, length=len(content) + 1000), content)], {})
    assert (len(found.entries), found.unreadable) == (3, {})


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("folder", ["a.b", "with space", "quo'te", 'dou"ble', "back`tick", "bücher_書籍", "x{y}[z]*?"])
def test_manifests_of_any_name_are_read(spark: SparkSession, orders: Opened, tmp_path: Path, folder: str) -> None:
    (good, *_) = listed_of(orders)
    names = ["m.avro", "per%20cent.avro", "a b+c.avro", "{x}[1]^.avro", "bücher.avro", "back\\slash.avro", "h#q?.avro"]
    (tmp_path / folder).mkdir()
    paths = [str(tmp_path / folder / name) for name in names]
    for path in paths:
        shutil.copy(good.path.removeprefix("file:"), path)
    asked = [replace(good, path=path) for path in paths]
    here = stored_manifests.entries_here(source_of_files(spark), asked)
    assert here.unreadable_files == ()
    assert [entry.manifest_path for entry in here.entries] == [path for path in paths for _ in range(3)]
    if folder in ("with space", "x{y}[z]*?"):  # starting Python workers for each would take long
        rows = in_tasks(spark, asked)
        assert [(row["manifest_path"], row["partition"]) for row in rows] == [
            (entry.manifest_path, entry.partition) for entry in here.entries
        ]


def test_a_manifest_list_without_field_ids_or_later_columns_is_read() -> None:
    schema = {
        "type": "record",
        "name": "manifest_file",
        "fields": [
            {"name": "manifest_path", "type": "string", "field-id": 500},
            {"name": "manifest_length", "type": "long"},
            {"name": "partition_spec_id", "type": "int", "field-id": 502},
            {"name": "added_snapshot_id", "type": ["null", "long"], "field-id": 503},
            {"name": "added_data_files_count", "type": ["null", "int"], "field-id": 504},
        ],
    }
    out = io.BytesIO()
    record = {"manifest_path": "m", "manifest_length": 9, "partition_spec_id": 2, "added_data_files_count": 4}
    fastavro.writer(out, schema, [record | {"added_snapshot_id": 2**62 + 3}])
    (row,) = ManifestList.of(out.getvalue()).rows()
    known = {"path": "m", "length": 9, "partition_spec_id": 2, "added_snapshot_id": 2**62 + 3, "added_files_count": 4}
    assert {key: value for key, value in asdict(row).items() if value is not None} == known | {"content": 0}


def test_a_snapshot_lists_its_manifests_in_a_file_or_in_the_metadata_or_nowhere() -> None:
    snapshots = [
        {"snapshot-id": 1, "manifests": ["a.avro", "b.avro"]},
        {"snapshot-id": 2, "manifest-list": "list.avro", "manifests": []},
        {"snapshot-id": 3},
    ]
    located, others = stored_manifests.lists_of({"snapshots": snapshots})
    assert located == {2: "list.avro"}
    assert {i: rows if isinstance(rows, str) else [row.path for row in rows] for i, rows in others.items()} == {
        1: ["a.avro", "b.avro"],
        3: "The metadata names no manifest list for it.",
    }
    assert stored_manifests.lists_of({}) == ({}, {})
