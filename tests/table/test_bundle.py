"""A bundle tells what the metadata of its table tells, where nothing of the table can be reached, and no more."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import fastavro
import pandas as pd
import pytest
from pyspark.sql import DataFrame, SparkSession

from explorer.errors import ExplorerError, TableNotFound
from explorer.model.bundle.facts import Contents
from explorer.model.changelog.facts import MODES
from explorer.queries.files import commits, known_history, manifests
from explorer.queries.files.manifest_cache import ManifestCache
from explorer.table import Table
from tests.asked import Outcome, outcome, questions, views

OF_ROWS = {"rows", "compare rows", "why", "biography", *MODES}
"""Questions that data answers."""

REAL = (
    "duckdb_eq_deletes_hole",  # manifest lists are missing
    "icelake_v1_overwrite",
    "trino_conflict",
    pytest.param("impala_eq_and_pos", marks=pytest.mark.thorough),
    pytest.param("lithium_branch_tag", marks=pytest.mark.thorough),
    pytest.param("lithium_trino_dv", marks=pytest.mark.thorough),
)


def answers(table: Table) -> Iterator[tuple[str, Outcome]]:
    for column, ask in questions(table):
        if column not in OF_ROWS:
            yield column, outcome(ask)


def assert_equal(before: Table, bundled: Table) -> None:
    """Every picture that metadata answers is the same, row by row, and as much of it is unknown."""
    compared = 0
    for (column, one), (_, other) in zip(answers(before), answers(bundled), strict=True):
        assert (one.kind, one.reason) == (other.kind, other.reason), column
        if one.data is not None:
            pd.testing.assert_frame_equal(one.data, other.data, obj=column)
            compared += len(one.data)
    assert compared


@pytest.mark.parametrize("name", REAL)
def test_a_real_table_tells_the_same_from_its_bundle(spark, real_tables, tmp_path, name):
    before = Table.open(f"real.t.{name}", spark)
    before.bundle(tmp_path / "real.iceberg.zip")
    bundled = Table.open(str(tmp_path / "real.iceberg.zip"), spark)
    assert bundled.metadata_location == before.metadata_location
    assert_equal(before, bundled)


def test_a_table_that_no_engine_reads_shows_its_snapshots(spark, real_tables, tmp_path):
    import table_paths

    before = Table.open(table_paths.metadata_path("duckdb_bad_snapshot_id"), spark)
    before.bundle(tmp_path / "bad.iceberg.zip")
    bundled = Table.open(str(tmp_path / "bad.iceberg.zip"), spark)
    pd.testing.assert_frame_equal(before.snapshot_graph().data, bundled.snapshot_graph().data)
    iceberg_says = [note for note in bundled.snapshot_graph().notes if "Iceberg refuses" in note.about]
    assert [note for note in before.snapshot_graph().notes if "Iceberg refuses" in note.about] == iceberg_says


# a table whose folder is gone after it was bundled

SECRET = "AKIA-this-is-secret"


@dataclass(frozen=True)
class Bundled:
    """A table that was bundled whole, without bounds, and after files were lost; then its folder went away.

    Attributes:
        told: what its pictures told, of which kind: before and after files were lost.
        paths, contents: of the bundles.
        lost: locations of the files that were lost.
    """

    location: str
    folder: Path
    away: Path
    told: Mapping[str, list[tuple[str, Outcome]]]
    paths: Mapping[str, Path]
    contents: Mapping[str, Contents]
    lost: frozenset[str]

    def open(self, which: str, spark: SparkSession) -> Table:
        assert not self.folder.exists()
        return Table.open(str(self.paths[which]), spark)


@pytest.fixture(scope="module")
def bundled(spark: SparkSession, written_table: Callable[..., str], tmp_path_factory: Any) -> Bundled:
    """A table with deletes, a branch, and a credential among its properties."""
    name = written_table(
        "bundled",
        "CREATE TABLE {t} (id BIGINT, day STRING, note STRING) USING iceberg PARTITIONED BY (day) TBLPROPERTIES"
        " ('format-version' = '2', 'write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read',"
        f" 's3.secret-access-key' = '{SECRET}', 'team' = 'ann')",
        "INSERT INTO {t} VALUES (1, 'a', 'apple'), (2, 'a', 'pear'), (3, 'b', 'plum')",
        "INSERT INTO {t} VALUES (4, 'b', 'cherry')",
        "ALTER TABLE {t} CREATE BRANCH audit",
        "INSERT INTO {t}.branch_audit VALUES (9, 'c', 'quince')",
        "DELETE FROM {t} WHERE id = 1",
        "UPDATE {t} SET note = 'medlar' WHERE id = 4",
        "ALTER TABLE {t} SET TBLPROPERTIES ('team' = 'bob')",
    )
    location = Table.open(name, spark).metadata_location
    home = tmp_path_factory.mktemp("bundles")
    paths = {which: home / f"{which}.iceberg.zip" for which in ("whole", "bare", "holed")}
    before = Table.open(location, spark)
    told = {"whole": list(answers(before))}
    contents = {which: before.bundle(paths[which], without_bounds=which == "bare") for which in ("whole", "bare")}

    first, second, *_ = before.metadata.snapshots
    [manifest] = before._version.readers.commits.listed(first)
    lost = frozenset((str(second.manifest_list), manifest.path))
    for path in lost:
        Path(urlsplit(path).path).unlink()
    known_history.forget()
    after = Table.open(location, spark)
    told["holed"] = list(answers(after))
    contents["holed"] = after.bundle(paths["holed"])

    folder = Path(urlsplit(location).path).parents[1]
    away = folder.with_name(f"{folder.name}-away")
    folder.rename(away)
    return Bundled(location, folder, away, told, paths, contents, lost)


@pytest.mark.parametrize("which", ["whole", "bare", "holed"])
def test_a_table_that_is_gone_tells_the_same_from_its_bundle(spark, bundled, which):
    before = bundled.told["holed" if which == "holed" else "whole"]
    assert {one.kind for _, one in before} == ({"answered", "part"} if which == "holed" else {"answered"})
    for (column, one), (_, other) in zip(before, answers(bundled.open(which, spark)), strict=True):
        assert (one.kind, one.reason) == (other.kind, other.reason), column
        if one.data is None:
            continue
        expected, found = one.data, other.data
        if which == "bare" and column == "compare":  # manifests without bounds are smaller, and tell of nulls alone
            expected, found = (
                frame[(frame["name"] != "bytes of manifests") & (frame["area"] != "column")]
                for frame in (expected, found)
            )
        if column == "triage":  # the metadata file is written anew; without bounds some checks say other things
            of_bounds = ("stats-absent", "partition-contradicts-bounds", "clustering-lost") if which == "bare" else ()
            otherwise = ("metadata-json-bloat", *of_bounds)
            expected, found = (frame[~frame["signature"].isin(otherwise)] for frame in (expected, found))
        pd.testing.assert_frame_equal(expected, found, obj=column)


def test_holes_are_told_as_holes(spark, bundled):
    told = bundled.contents["holed"].unreadable
    assert {(one.path, one.kind) for one in told} == {(path, "missing") for path in bundled.lost}
    assert not bundled.contents["whole"].unreadable
    reasons = " ".join(note.reason for note in bundled.open("holed", spark).sequence_timeline().notes)
    assert "The file does not exist." in reasons


def test_the_views_of_a_bundle_have_its_files(spark, bundled):
    table = bundled.open("whole", spark)
    counted = views(spark, table)
    assert counted["explorer_snapshots"] == len(table.metadata.snapshots)
    assert counted["explorer_files"] > 0


def test_what_needs_rows_says_that_the_data_is_not_in_the_bundle(spark, bundled):
    table = bundled.open("whole", spark)
    asked = set()
    for column, ask in questions(table, "id = 1"):
        if column in OF_ROWS:
            found = outcome(ask)
            assert found.kind == "refused"
            assert "the data is not in the bundle" in found.reason
            asked.add(column)
    assert asked == OF_ROWS
    with pytest.raises(ExplorerError, match="the data is not in the bundle"):
        _ = table.bisect("SELECT count(*) FROM {t}").price


def test_partitions_of_dates_are_not_answered_where_the_bounds_were_taken_out(spark, written_table, tmp_path):
    name = written_table(
        "dated",
        "CREATE TABLE {t} (id BIGINT, day DATE) USING iceberg PARTITIONED BY (day)",
        "INSERT INTO {t} VALUES (1, DATE '2026-01-05')",
    )
    Table.open(name, spark).bundle(tmp_path / "bare.iceberg.zip", without_bounds=True)
    facts = Table.open(str(tmp_path / "bare.iceberg.zip"), spark).triage().facts
    found = next(c for c in facts.checks if c.signature.name == "partition-contradicts-bounds")
    assert found.state == "cannot say"


def test_every_picture_says_that_it_is_of_a_bundle(spark, bundled):
    table = bundled.open("whole", spark)
    for column, ask in questions(table):
        if column not in OF_ROWS:
            assert ask().notes[0].about.startswith("From a bundle of "), column
            assert SECRET not in str(ask().notes)


def test_a_bundle_of_a_bundle_is_the_same(spark, bundled, tmp_path):
    table = bundled.open("whole", spark)
    again = table.bundle(tmp_path / "again.iceberg.zip")
    first = bundled.contents["whole"]
    assert [(m.location, m.sha256, m.modified_at_ms) for m in again.members] == [
        (m.location, m.sha256, m.modified_at_ms) for m in first.members
    ]
    assert_equal(table, Table.open(str(tmp_path / "again.iceberg.zip"), spark))


# what is in it


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("which", ["whole", "bare"])
def test_its_manifest_tells_what_is_in_it(bundled, which):
    files = members(bundled.paths[which])
    told = json.loads(files.pop("bundle.json"))
    assert {member["name"] for member in told["members"]} == set(files)
    for member in told["members"]:
        content = files[member["name"]]
        assert (member["size_in_bytes"], member["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    assert told["metadata_location"] == bundled.location
    assert told["made_at"].endswith("+00:00")
    assert "Data files and the contents of delete files are not in it." in told["words"]
    assert any("Partition values are values of rows too" in sentence for sentence in told["words"])
    assert told["words"][1].startswith("Manifests hold the lowest" if which == "whole" else "The lowest and highest")
    on_disk = {file.name for file in (bundled.away / "data").rglob("*.parquet")}
    assert len(on_disk) > 4
    assert not on_disk & {Path(member["location"]).name for member in told["members"]}


@pytest.mark.parametrize("which", ["whole", "bare"])
def test_no_credential_is_in_it(bundled, which):
    files = members(bundled.paths[which])
    assert SECRET in "".join(file.read_text() for file in (bundled.away / "metadata").glob("*.metadata.json"))
    assert not [name for name, content in files.items() if SECRET.encode() in content]
    told = Contents.from_json(files["bundle.json"])
    assert told.changes[0] == "Property s3.secret-access-key looks like a credential, and is masked."
    [current] = [member for member in told.members if member.location == bundled.location]
    masked = json.loads(files[current.name])
    own = json.loads((bundled.away / "metadata" / Path(bundled.location).name).read_text())
    own["properties"]["s3.secret-access-key"] = "********"
    assert masked == own


def read_avro(content: bytes) -> tuple[dict[str, Any], list[Any]]:
    reader = fastavro.reader(io.BytesIO(content))
    return dict(reader.metadata), list(reader)


def test_without_bounds_manifests_are_the_same_but_for_bounds(bundled):
    from pyiceberg.io.pyarrow import PyArrowFileIO
    from pyiceberg.manifest import read_manifest_list

    told, bare = bundled.contents["bare"], members(bundled.paths["bare"])
    whole = members(bundled.paths["whole"])
    whole_of = {member.location: whole[member.name] for member in bundled.contents["whole"].members}
    bounds, lengths = 0, {}
    for member in told.members:
        if member.kind != "manifest":
            continue
        lengths[member.location] = member.size_in_bytes
        (header, entries), (own_header, own_entries) = (
            read_avro(bare[member.name]),
            read_avro(whole_of[member.location]),
        )
        assert header == own_header
        for entry, own in zip(entries, own_entries, strict=True):
            for name in ("lower_bounds", "upper_bounds"):
                left, before = entry["data_file"].pop(name), own["data_file"].pop(name) or []
                assert [b for b in before if b["key"] > 2147483000] == left
                bounds += len(before) - len(left)
            assert entry == own
    assert bounds > 10
    for value in (b"apple", b"quince", b"medlar"):
        assert not [name for name, content in bare.items() if value in content and name.startswith("manifests/")]

    home = bundled.paths["bare"].parent / "unzipped"
    shutil.unpack_archive(bundled.paths["bare"], home, "zip")
    places = {member.location: home / member.name for member in told.members}
    files = 0
    for member in told.members:
        if member.kind == "manifest list":
            _, listed = read_avro(bare[member.name])
            assert all(
                row["manifest_length"] == lengths.get(row["manifest_path"], row["manifest_length"]) for row in listed
            )
            for row in read_manifest_list(PyArrowFileIO().new_input(str(home / member.name))):
                if (place := places.get(row.manifest_path)) is not None:
                    assert row.manifest_length == place.stat().st_size
                    row[0] = str(place)
                    files += len(row.fetch_manifest_entry(PyArrowFileIO(), discard_deleted=False))
    assert files > 5


def test_iceberg_reads_manifests_without_bounds(spark, bundled):
    """The table in its old place again, with every list and manifest of the bundle in place of its own."""
    shutil.copytree(bundled.away, bundled.folder)
    try:
        files = members(bundled.paths["bare"])
        for member in bundled.contents["bare"].members:
            Path(urlsplit(member.location).path).write_bytes(files[member.name])
        for checksum in (bundled.folder / "metadata").glob(".*.crc"):
            checksum.unlink()

        def table(what: str = "") -> DataFrame:
            return spark.read.format("iceberg").load(bundled.location + what)

        assert {row.id for row in table().collect()} == {2, 3, 4}
        assert [row.id for row in table().where("id = 4 AND day = 'b'").collect()] == [4]
        bounds = table("#entries").select("data_file.content", "data_file.lower_bounds").collect()
        assert len(bounds) > 3
        assert not [row for row in bounds if row.content == 0 and row.lower_bounds]
    finally:
        shutil.rmtree(bundled.folder)


# how it is read


@pytest.mark.parametrize("shares_the_disk", [True, False])
def test_tasks_of_spark_read_a_bundle_too(spark, bundled, shares_the_disk, monkeypatch):
    """As of many manifests: tasks open what was unpacked, or are sent it where they run on another machine."""
    monkeypatch.setattr("explorer.queries.files.local_files.is_shared_disk", lambda _: shares_the_disk)
    table = bundled.open("holed", spark)
    source = table._version.source
    lists = commits.manifest_lists(source, [s.snapshot_id for s in table.metadata.snapshots])
    listed = list({m.path: m for found in lists.values() if not isinstance(found, str) for m in found}.values())
    here = manifests.entries_here(source, listed)
    rows = manifests.entries(source, listed).collect()
    assert [row.manifest_path for row in rows if row.unreadable] == [one.path for one in here.unreadable_files]
    assert len(here.unreadable_files) == 1
    found = {(row.manifest_path, row.position, row.file_path) for row in rows if not row.unreadable}
    assert found == {(entry.manifest_path, entry.position, entry.file_path) for entry in here.entries}


def test_nothing_of_a_bundle_is_kept_as_if_it_were_of_the_table(spark, bundled, monkeypatch, tmp_path):
    """Its UUID is that of the table, and anybody may have made it."""
    monkeypatch.setenv("ICEBERG_EXPLORER_CACHE_MB", "100")
    monkeypatch.setattr("explorer.queries.files.manifest_cache.cache_folder", lambda: tmp_path)
    known_history.forget()
    table = bundled.open("whole", spark)
    for picture in (table.sequence_timeline(), table.entries(), table.deletes(), table.partitions()):
        picture.read()
    assert ManifestCache().usage().tables == 0
    assert table.metadata.table_uuid not in known_history._known


# what somebody may send in place of one


def zipped(path: Path, files: Mapping[str | zipfile.ZipInfo, bytes], packing: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def named(name: str, mode: int = 0o100644) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def encrypted(good: Path) -> bytes:
    """The bundle with the flag set that says its first member is encrypted."""
    content = bytearray(good.read_bytes())
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def told(files: dict[str, bytes], **changed: object) -> dict[str, bytes]:
    """The members with another manifest."""
    return files | {"bundle.json": json.dumps(json.loads(files["bundle.json"]) | changed).encode()}


ATTACKS: dict[str, tuple[Callable[[Path, Path, dict[str, bytes]], object], str]] = {
    "no zip": (lambda good, bad, files: bad.write_bytes(b"PK\x03\x04 nothing"), "no zip file"),
    "empty": (lambda good, bad, files: bad.write_bytes(b""), "no zip file"),
    "cut short": (lambda good, bad, files: bad.write_bytes(good.read_bytes()[:-2_000]), "no zip file"),
    "another zip": (lambda good, bad, files: zipped(bad, {"metadata/1.avro": b""}), "without bundle.json"),
    "goes up": (lambda good, bad, files: zipped(bad, files | {"../up.avro": b"x"}), "has a name"),
    "goes up from within": (
        lambda good, bad, files: zipped(bad, files | {"manifests/../../up.avro": b"x"}),
        "has a name",
    ),
    "absolute": (lambda good, bad, files: zipped(bad, files | {"/tmp/up.avro": b"x"}), "has a name"),
    "of Windows": (lambda good, bad, files: zipped(bad, files | {"manifests\\..\\..\\up.avro": b"x"}), "has a name"),
    "a NUL": (
        lambda good, bad, files: zipped(bad, files | {"manifests/1.avro\0.txt": b"x"}),
        "does not tell|has a name",
    ),
    "a folder": (lambda good, bad, files: zipped(bad, files | {"manifests/": b""}), "has a name"),
    "a link": (
        lambda good, bad, files: zipped(bad, files | {named("manifests/77.avro", 0o120777): b"/etc/passwd"}),
        "a link",
    ),
    "not told of": (lambda good, bad, files: zipped(bad, files | {"manifests/77.avro": b"x"}), "does not tell"),
    "encrypted": (lambda good, bad, files: bad.write_bytes(encrypted(good)), "is encrypted"),
    "a bomb": (
        lambda good, bad, files: zipped(bad, files | {"manifests/77.avro": bytes(30_000_000)}),
        "would unpack to 30 MB",
    ),
    "packed otherwise": (lambda good, bad, files: zipped(bad, files, zipfile.ZIP_BZIP2), "packed in a way"),
    "of another content": (
        lambda good, bad, files: zipped(
            bad, {n: c[:-1] + b"!" if n.endswith(".avro") else c for n, c in files.items()}
        ),
        "not what was put into it",
    ),
    "no manifest of one": (
        lambda good, bad, files: zipped(bad, files | {"bundle.json": b"[1, 2"}),
        "is not the manifest",
    ),
    "without words": (lambda good, bad, files: zipped(bad, told(files, words=7)), "is not the manifest"),
    "of a newer explorer": (lambda good, bad, files: zipped(bad, told(files, format=2)), "of format 2"),
    "of no table": (
        lambda good, bad, files: zipped(bad, told(files, metadata_location="/x")),
        "metadata file is not in it",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_no_bundle_is_refused_and_nothing_is_written(spark, bundled, tmp_path, attack, monkeypatch):
    (tmp_path / "deep" / "temporary").mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "deep" / "temporary"))
    make, words = ATTACKS[attack]
    bad = tmp_path / "bad.iceberg.zip"
    make(bundled.paths["whole"], bad, members(bundled.paths["whole"]))
    with pytest.raises(ExplorerError, match=words) as refused:
        Table.open(str(bad), spark)
    assert refused.value.what == f"{bad} is no bundle that can be opened."
    assert refused.value.next_step
    assert {file.name for file in tmp_path.rglob("*")} == {"deep", "temporary", "bad.iceberg.zip"}


def test_two_members_of_one_name_are_refused(spark, bundled, tmp_path):
    files = members(bundled.paths["whole"])
    with zipfile.ZipFile(tmp_path / "two.iceberg.zip", "w") as archive:
        for name in files:
            archive.writestr(name, files[name])
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("bundle.json", files["bundle.json"])
    with pytest.raises(ExplorerError, match="the same name"):
        Table.open(str(tmp_path / "two.iceberg.zip"), spark)


def test_members_that_share_their_bytes_are_refused(spark, bundled, tmp_path):
    """Many names for the same packed bytes: each is small, and together they are not."""
    path = tmp_path / "over.iceberg.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("bundle.json", b"{}")
        archive.writestr("manifests/0.avro", bytes(1_000))
        for number in range(1, 50):
            again = named(f"manifests/{number}.avro")
            first = archive.filelist[1]
            again.header_offset, again.CRC = first.header_offset, first.CRC
            again.file_size = again.compress_size = first.file_size
            archive.filelist.append(again)
            archive.NameToInfo[again.filename] = again
    with pytest.raises(ExplorerError, match="over each other"):
        Table.open(str(path), spark)


def test_a_bundle_that_is_not_there_is_told(spark, tmp_path):
    with pytest.raises(TableNotFound, match="There is no bundle"):
        Table.open(str(tmp_path / "none.iceberg.zip"), spark)
    with pytest.raises(TableNotFound, match="not on this disk"):
        Table.open("s3://bucket/orders.iceberg.zip", spark)


# how one is made


def test_a_bundle_needs_its_ending_and_a_folder(spark, bundled, tmp_path):
    table = bundled.open("whole", spark)
    with pytest.raises(ExplorerError, match=r"Call it orders\.iceberg\.zip"):
        table.bundle(tmp_path / "orders.zip")
    with pytest.raises(ExplorerError, match="cannot be written"):
        table.bundle(tmp_path / "nowhere" / "orders.iceberg.zip")
    assert not list(tmp_path.iterdir())


def test_what_is_no_metadata_is_not_put_in(spark, bundled, tmp_path):
    """A list or manifest that leads to a data file must not bring it along."""
    folder = tmp_path / "odd" / "metadata"
    folder.mkdir(parents=True)
    data = next((bundled.away / "data").rglob("*.parquet"))
    own = json.loads((bundled.away / "metadata" / Path(bundled.location).name).read_text())
    own["snapshots"][0]["manifest-list"] = str(data)
    own["metadata-log"] = [{"metadata-file": str(data), "timestamp-ms": 1}]
    (folder / "v1.metadata.json").write_text(json.dumps(own))
    contents = Table.open(str(folder.parent), spark).bundle(tmp_path / "odd.iceberg.zip")
    assert {(one.path, one.kind) for one in contents.unreadable} >= {(str(data), "damaged")}
    assert not [member for member in contents.members if member.location == str(data)]


def test_a_password_in_a_location_is_not_carried(spark, bundled, tmp_path):
    folder = tmp_path / "odd" / "metadata"
    folder.mkdir(parents=True)
    own = json.loads((bundled.away / "metadata" / Path(bundled.location).name).read_text())
    own["location"] = f"s3n://ann:{SECRET}@bucket/orders"
    (folder / "v1.metadata.json").write_text(json.dumps(own))
    with pytest.raises(ExplorerError, match="a user and a password") as refused:
        Table.open(str(folder.parent), spark).bundle(tmp_path / "odd.iceberg.zip")
    assert SECRET not in str(refused.value)
    assert not (tmp_path / "odd.iceberg.zip").exists()


IN_A_PYTHON_OF_ITS_OWN = """
import sys
from click.testing import CliRunner
from explorer.engine import embedded

def launch_gateway(*_):
    raise RuntimeError("a JVM is started")

embedded.launch_gateway = launch_gateway
from explorer import cli
bundle, again = sys.argv[1:]
for command in (["show", "snapshot-graph", bundle], ["show", "entries", bundle], ["show", "deletes", bundle],
                ["bundle", bundle, "-o", again, "--without-bounds"], ["show", "partitions", again],
                ["show", "why", bundle, "id = 1"]):
    result = CliRunner().invoke(cli.main, command)
    print(result.exit_code, result.output)
"""


def test_the_command_line_makes_and_shows_bundles_without_spark(bundled, tmp_path):
    command = [
        sys.executable,
        "-c",
        IN_A_PYTHON_OF_ITS_OWN,
        bundled.paths["whole"].name,
        str(tmp_path / "b.iceberg.zip"),
    ]
    done = subprocess.run(command, cwd=bundled.paths["whole"].parent, capture_output=True, text=True, check=False)
    printed = done.stdout
    assert "a JVM is started" not in printed + done.stderr
    codes = [line[0] for line in printed.splitlines() if line[:2] in ("0 ", "1 ")]
    assert codes == ["0", "0", "0", "0", "0", "1"], printed
    printed = " ".join(printed.split())
    assert "holds the metadata of" in printed
    assert "the data is not in the bundle" in printed
