from __future__ import annotations

import gzip
import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from explorer.errors import AccessDenied, NotAnIcebergTable, TableNotFound, Unreachable, UnreadableMetadata
from explorer.queries import identifiers
from explorer.queries.files import local_files, spark_errors
from explorer.queries.files.locate import file_by_gateway, file_by_sql, locate
from explorer.queries.files.metadata_file import read, through_catalog
from explorer.table import Table

ODD_NAMES = [
    "a.b",
    "with space",
    "quo'te",
    'dou"ble',
    "back`tick",
    "bücher_書籍",
    "select",
    "entries",
    "per%20cent",
    "x{y}[z]",
]


@pytest.fixture(scope="module")
def orders(spark: SparkSession) -> str:
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lab.shop")
    spark.sql("CREATE TABLE lab.shop.orders (id INT) USING iceberg")
    spark.sql("INSERT INTO lab.shop.orders VALUES (1)")
    return "lab.shop.orders"


def folder_of(spark: SparkSession, table: str) -> Path:
    return Path(locate(spark, table).metadata_file.removeprefix("file:")).parent.parent


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_table_of_any_name_is_found_and_read(spark: SparkSession, name: str) -> None:
    table = identifiers.quoted(("lab", "odd.namespace", "second level", name))
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lab.`odd.namespace`.`second level`")
    spark.sql(f"CREATE TABLE {table} (id INT) USING iceberg")
    spark.sql(f"INSERT INTO {table} VALUES (1)")
    opened = Table.open(table)
    (snapshot_id,) = (row.snapshot_id for row in spark.sql(f"SELECT snapshot_id FROM {table}.snapshots").collect())
    assert list(opened.metadata.by_id) == [snapshot_id]
    by_file = Table.open(opened.metadata_location.removeprefix("file:"))
    assert by_file.metadata.by_id.keys() == opened.metadata.by_id.keys()
    (row,) = spark.sql(opened.snapshot_graph().sql).collect()
    assert row.snapshot_id == snapshot_id


def test_names_are_taken_apart_as_spark_does() -> None:
    assert identifiers.split("cat.`odd.na``me`.t") == ("cat", "odd.na`me", "t")
    assert identifiers.split("cat.my-db.t 1") == ("cat", "my-db", "t 1")
    for broken in ("", "a..b", "a.`b", ".a", "a.", "`a`b"):
        with pytest.raises(TableNotFound, match="not a table name"):
            identifiers.split(broken)


def test_a_short_name_means_the_current_catalog_and_namespace_and_keeps_its_meaning(
    spark: SparkSession, orders: str
) -> None:
    spark.sql("USE lab.shop")
    try:
        located = [locate(spark, name) for name in ("orders", "shop.orders", "lab.shop.orders")]
    finally:
        spark.sql("USE spark_catalog.default")
    assert {each.relation for each in located} == {"lab.shop.orders"}


@pytest.mark.parametrize(
    ("asked", "found", "next_step"),
    [
        ("lab.shop.oders", "lab.shop holds orders", "Did you mean lab.shop.orders?"),
        ("lab.shp.orders", "namespaces", "Did you mean lab.shop.orders?"),
        ("lob.shop.orders", "Configured catalogs", "Did you mean lab.shop.orders?"),
        ("nowhere.a.b.c", "Configured catalogs", "spark.sql.catalog.NAME"),
    ],
)
def test_a_wrong_name_is_refused_with_what_is_there(
    spark: SparkSession, orders: str, asked: str, found: str, next_step: str
) -> None:
    with pytest.raises(TableNotFound) as caught:
        locate(spark, asked)
    assert found in caught.value.found
    assert next_step in caught.value.next_step


def test_views_and_other_formats_are_named_as_what_they_are(spark: SparkSession) -> None:
    spark.sql("CREATE TEMPORARY VIEW a_temporary_view AS SELECT 1 AS id")
    spark.sql("CREATE VIEW IF NOT EXISTS a_view AS SELECT 1 AS id")
    spark.sql("CREATE TABLE IF NOT EXISTS a_parquet_table (id INT) USING parquet")
    try:
        for name, words in (
            ("a_temporary_view", "a view"),
            ("a_view", "a view"),
            ("spark_catalog.default.a_view", "a view"),
            ("a_parquet_table", "parquet"),
        ):
            with pytest.raises(NotAnIcebergTable) as caught:
                locate(spark, name)
            assert words in caught.value.found
    finally:
        spark.sql("DROP TABLE a_parquet_table")
        spark.sql("DROP VIEW a_view")
        spark.catalog.dropTempView("a_temporary_view")


@pytest.fixture
def refusing_catalog(spark: SparkSession) -> Iterator[str]:
    """A REST catalog that answers every request with 403."""

    class Refuse(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"error": {"message": "Not yours", "type": "ForbiddenException", "code": 403}}).encode()
            self.send_response(403)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_HEAD = do_POST = do_GET  # noqa: N815 - the names that http.server calls

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Refuse)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    settings = {
        "spark.sql.catalog.refusing": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.refusing.type": "rest",
        "spark.sql.catalog.refusing.uri": f"http://127.0.0.1:{server.server_port}",
    }
    for key, value in settings.items():
        spark.conf.set(key, value)
    yield "refusing"
    for key in settings:
        spark.conf.unset(key)
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_refusal_is_reported_as_one(spark: SparkSession, refusing_catalog: str) -> None:
    with pytest.raises(AccessDenied) as caught:
        locate(spark, f"{refusing_catalog}.shop.orders")
    assert "Not yours" in caught.value.found
    assert "credentials" in caught.value.next_step


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b'{"format-version": 2, "snapshots": [', "not JSON"),
        (gzip.compress(b'{"format-version": 2}', mtime=0)[:-12], "cannot be unzipped"),
        (b"[]", "not a JSON object"),
        (b'{"format-version": 9}', "format version 9"),
    ],
)
def test_a_damaged_metadata_file_is_reported_as_one(
    spark: SparkSession, tmp_path: Path, content: bytes, words: str
) -> None:
    file = tmp_path / "v3.metadata.json"
    file.write_bytes(content)
    with pytest.raises(UnreadableMetadata) as caught:
        Table.open(str(file))
    assert words in caught.value.found
    assert str(file) in str(caught.value)
    assert "earlier metadata file" in caught.value.next_step


def test_a_table_whose_metadata_file_is_gone_is_unreadable_not_unknown(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    table = fresh_table("gone")
    spark.sql(f"CREATE TABLE {table} (id INT) USING iceberg")
    for file in (folder_of(spark, table) / "metadata").glob("*.metadata.json"):
        file.write_bytes(b"{")
    with pytest.raises(UnreadableMetadata):
        locate(spark, table)


def test_the_gateway_finds_the_file_that_sql_finds(
    spark: SparkSession, orders: str, real_tables: dict[str, object]
) -> None:
    spark.createDataFrame([(1,)], "id INT")  # makes its session the active one, which another test may have left
    for table in orders, *(f"real.t.{name}" for name in real_tables if name != "duckdb_bad_snapshot_id"):
        assert file_by_gateway(spark, table) == file_by_sql(spark, table) != ""
    assert file_by_gateway(spark, "lab.shop.nothing") == ""


def test_a_session_beside_the_active_one_is_asked_by_its_own_settings(
    spark: SparkSession, orders: str, tmp_path: Path
) -> None:
    spark.createDataFrame([(1,)], "id INT")  # makes its session the active one
    other = spark.newSession()
    other.conf.set("spark.sql.catalog.lab.warehouse", tmp_path.as_uri())
    with pytest.raises(TableNotFound):
        locate(other, orders)
    assert locate(spark, orders).relation == orders


def test_a_file_on_the_same_disk_is_read_as_spark_reads_it(spark: SparkSession, orders: str, tmp_path: Path) -> None:
    file = tmp_path / "a 100% {odd} name.metadata.json"
    file.write_bytes(Path(locate(spark, orders).metadata_file.removeprefix("file:")).read_bytes())
    (row,) = spark.read.format("binaryFile").load(identifiers.glob_escaped(str(file))).select("content").collect()
    for location in str(file), f"file:{file}", f"file://{file}":
        path = local_files.finder(spark)(location)
        assert path is not None
        assert Path(path).read_bytes() == bytes(row.content)
    assert local_files.finder(spark)("s3://lake/wh/t/metadata/v1.metadata.json") is None
    assert local_files.finder(spark)("hdfs://real/t/metadata/v1.metadata.json") is None


def test_the_catalogs_own_file_io_reads_the_same_bytes(spark: SparkSession, orders: str) -> None:
    file = locate(spark, orders).metadata_file
    assert through_catalog(spark, file, orders) == Path(file.removeprefix("file:")).read_bytes()
    with pytest.raises(UnreadableMetadata):
        through_catalog(spark, file + ".gone", orders)


@pytest.mark.parametrize("path", ["nosuch://lake/t", "nosuch://lake/t/metadata/v1.metadata.json"])
def test_a_path_of_a_scheme_that_spark_does_not_know_is_refused_with_the_ways_out(
    spark: SparkSession, path: str
) -> None:
    with pytest.raises(UnreadableMetadata, match="no file system for this scheme") as error:
        read(spark, locate(spark, path).metadata_file)
    assert "by its name in a catalog" in error.value.next_step


def test_a_missing_file_and_an_empty_folder_are_named(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(UnreadableMetadata, match="does not exist"):
        read(spark, str(tmp_path / "v1.metadata.json"))
    with pytest.raises(TableNotFound, match="holds no"):
        locate(spark, str(tmp_path))


def test_a_folder_gives_the_file_with_the_highest_number(spark: SparkSession, orders: str, tmp_path: Path) -> None:
    copy = tmp_path / "a folder with 100% {odd} [signs]"
    shutil.copytree(folder_of(spark, orders), copy)
    for i in range(3, 12):  # as text, v9 comes after v11
        shutil.copy(copy / "metadata" / "v2.metadata.json", copy / "metadata" / f"v{i}.metadata.json")
    table = Table.open(str(copy))
    assert table.metadata_location.endswith("/v11.metadata.json")
    assert any(n.certainty == "inferred" and "v11.metadata.json" in n.about for n in table.snapshot_graph().notes)


def test_gzip_is_known_by_the_bytes_not_by_the_name(spark: SparkSession, orders: str, tmp_path: Path) -> None:
    plain = next((folder_of(spark, orders) / "metadata").glob("v2.metadata.json")).read_bytes()
    for name in ("v2.gz.metadata.json", "v2.metadata.json"):
        (tmp_path / name).write_bytes(gzip.compress(plain))
        table = Table.open(str(tmp_path / name))
        assert len(table.metadata.snapshots) == 1
        picture = table.snapshot_graph()
        assert picture.sql == ""
        assert any("gzipped" in note.reason for note in picture.notes)


def test_no_credential_comes_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", "spark.sql.catalog.lake.credential=me:hunter2secret")
    error = Exception("java.sql.SQLException: No driver for jdbc:x:/db?password=other, me:hunter2secret")
    assert "No driver" in spark_errors.reason(error)
    assert "hunter2secret" not in spark_errors.reason(error)
    assert "other" not in spark_errors.reason(error)


def test_a_metadata_table_is_no_table_of_its_own(orders: str) -> None:
    with pytest.raises(NotAnIcebergTable) as caught:
        Table.open(f"{orders}.snapshots")
    assert caught.value.next_step == f"Open {orders}."


def test_a_name_without_its_catalog_is_refused_with_the_catalogs(spark: SparkSession) -> None:
    with pytest.raises(TableNotFound) as caught:
        Table.open("orders")
    assert "Did you mean" not in caught.value.next_step
    assert "lab" in caught.value.next_step


def test_a_sandbox_that_is_not_built_is_no_name_without_its_catalog(spark: SparkSession, orders: str) -> None:
    with pytest.raises(TableNotFound) as caught:
        Table.open("sandbox.not_built_yet.orders")
    assert caught.value.next_step == "Its tables are built by `iceberg-explorer sandbox`, in about a minute."
    with pytest.raises(TableNotFound) as caught:
        Table.open("lab.nowhere_at_all.orders")
    assert "in front" not in caught.value.next_step


@pytest.mark.parametrize(
    ("there", "gone"),
    [("TEMPORARY VIEW passing AS SELECT 1 AS id", "VIEW passing"), ("TABLE paid (id INT) USING parquet", "TABLE paid")],
)
def test_what_else_the_default_namespace_holds_hides_no_catalog(spark: SparkSession, there: str, gone: str) -> None:
    spark.sql(f"CREATE {there}")
    try:
        with pytest.raises(TableNotFound) as caught:
            Table.open("orders")
    finally:
        spark.sql(f"DROP {gone}")
    assert "passing" not in caught.value.found
    assert "lab" in caught.value.next_step


@pytest.mark.parametrize("name", ["v1.metadata.json.gz", "copy-of-v1.json"])
def test_a_metadata_file_of_another_ending_is_a_file(
    orders: str, spark: SparkSession, tmp_path: Path, name: str
) -> None:
    content = Path(locate(spark, orders).metadata_file.removeprefix("file:")).read_bytes()
    file = tmp_path / "metadata" / name
    file.parent.mkdir()
    file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert len(Table.open(str(file)).metadata.snapshots) == 1
    if name.endswith(".gz"):
        assert Table.open(str(tmp_path)).metadata_location.endswith(name)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_that_sql_cannot_read_has_no_sql(
    orders: str, spark: SparkSession, tmp_path: Path, encoding: str
) -> None:
    content = Path(locate(spark, orders).metadata_file.removeprefix("file:")).read_text()
    file = tmp_path / "v1.metadata.json"
    file.write_text(content, encoding)
    picture = Table.open(str(file)).snapshot_graph()
    assert (len(picture.data), picture.sql) == (1, "")
    assert any("UTF-8" in note.reason for note in picture.notes)


def test_a_file_nested_without_end_is_refused_in_words(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "v1.metadata.json"
    file.write_text('{"format-version": 2, "x": ' + "[" * 100_000 + "]" * 100_000 + "}")
    with pytest.raises(UnreadableMetadata, match="nested too deeply"):
        read(spark, str(file))


def test_half_a_surrogate_pair_becomes_a_question_mark(orders: str, spark: SparkSession, tmp_path: Path) -> None:
    document = json.loads(Path(locate(spark, orders).metadata_file.removeprefix("file:")).read_text())
    (snapshot,) = document["snapshots"]
    document["refs"]["half\ud800"] = {"snapshot-id": snapshot["snapshot-id"], "type": "tag"}
    document["refs"]["whole 😀"] = {"snapshot-id": snapshot["snapshot-id"], "type": "tag"}
    file = tmp_path / "v1.metadata.json"
    file.write_text(json.dumps(document))
    picture = Table.open(str(file)).snapshot_graph()
    assert picture.data.refs[0] == ["main", "half?", "whole 😀"]
    assert picture.to_static_html().encode()


def test_sql_and_data_agree_on_counters_that_are_no_counts(orders: str, spark: SparkSession, tmp_path: Path) -> None:
    document = json.loads(Path(locate(spark, orders).metadata_file.removeprefix("file:")).read_text())
    odd = {"added-records": "-5", "deleted-records": "abc", "added-data-files": "9" * 19, "deleted-data-files": " 7"}
    document["snapshots"][0]["summary"] |= odd
    file = tmp_path / "v1.metadata.json"
    file.write_text(json.dumps(document))
    picture = Table.open(str(file)).snapshot_graph()
    (row,), columns = spark.sql(picture.sql).collect(), ("added_records", "deleted_records", "added_data_files")
    assert [row[column] for column in (*columns, "removed_data_files")] == [None] * 4
    assert picture.data.loc[0, [*columns, "removed_data_files"]].isna().all()


def test_a_catalog_that_does_not_answer_is_reported_as_one(spark: SparkSession) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    asking = spark.newSession()
    for key, value in {
        "": "org.apache.iceberg.spark.SparkCatalog",
        ".type": "rest",
        ".uri": f"http://127.0.0.1:{port}",
    }.items():
        asking.conf.set(f"spark.sql.catalog.silent{key}", value)
    with pytest.raises(Unreachable, match="does not answer") as raised:
        locate(asking, "silent.db.t")
    assert "silent.db.t" in raised.value.what
    assert "doctor" in raised.value.next_step
