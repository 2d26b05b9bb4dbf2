from __future__ import annotations

import dataclasses
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from explorer.model.iceberg.commit import Commit, from_stored, rows
from explorer.model.iceberg.inheritance import ListedManifest, Status
from explorer.model.iceberg.unreadable import Unreadable
from explorer.queries.files import manifests as stored_manifests
from explorer.queries.files.commit import manifests_of
from tests.queries.commit_facts import Opened

KIND = {"data": "data", "pos_delete": "position deletes", "eq_delete": "equality deletes", "dv": "deletion vector"}
CONTRACT = [
    "file_path",
    "content_offset",
    "content",
    "change",
    "spec_id",
    "partition",
    "record_count",
    "file_size_in_bytes",
    "data_sequence_number",
    "file_sequence_number",
]


def test_commits_of_every_real_table_are_as_computed_by_others(
    spark: SparkSession, real_tables: dict[str, Any]
) -> None:
    import table_paths

    contradicted = {}
    for name, facts in real_tables.items():
        expected = table_paths.expected(name)
        if expected is None or name == "duckdb_bad_snapshot_id":  # its metadata is refused when it is opened
            continue
        table = Opened(spark, f"real.t.{name}", table_paths.metadata_path(name))
        gone = {path.rsplit("/", 1)[-1] for path in facts["metadata_files_missing"]}
        for snapshot in facts["snapshots"]:
            commit = table.commit(snapshot["snapshot_id"])
            if str(commit.snapshot.manifest_list).rsplit("/", 1)[-1] in gone:
                assert (commit.manifests, commit.files, commit.kept.data_files) == (None, (), None)
                assert [note.certainty for note in commit.notes] == ["unknown"]
                continue
            assert commit.manifests
            wanted = [
                (
                    "added" if e["status"] == "ADDED" else "removed",
                    KIND[e["kind"]],
                    e["file_path"],
                    e["content_offset"],
                    e["record_count"],
                    e["sequence_number"],
                    e["file_sequence_number"],
                )
                for manifest in expected["manifests"]
                if manifest["listed"]["snap"] == snapshot["snapshot_id"]
                for e in manifest["entries"]
                if e["status"] != "EXISTING" and e["snapshot_id"] == snapshot["snapshot_id"]
            ]
            found = [
                (
                    f["change"],
                    f["content"],
                    f["file_path"],
                    f["content_offset"],
                    f["record_count"],
                    f["data_sequence_number"],
                    f["file_sequence_number"],
                )
                for f in rows(commit)
            ]
            assert sorted(found, key=str) == sorted(wanted, key=str)
            assert len(commit.manifests.new) == snapshot["manifests_added_by_this_snapshot"]
            assert len(commit.manifests.new + commit.manifests.kept) == sum(snapshot["manifests"].values())
            live = {"data": 0, "deletes": 0}
            for kind, count in snapshot["live_files"].items():
                live["data" if kind == "data" else "deletes"] += count
            added = {
                "data": sum(f.change == "added" and f.kind == "data" for f in commit.files),
                "deletes": sum(f.change == "added" and f.kind != "data" for f in commit.files),
            }
            assert commit.kept.data_files == live["data"] - added["data"]
            assert commit.kept.delete_files == live["deletes"] - added["deletes"]
            parent_gone = snapshot["parent_id"] is not None and commit.manifests.dropped is None
            assert bool(commit.notes) == parent_gone
            if commit.contradictions:
                contradicted[name] = [str(contradiction) for contradiction in commit.contradictions]
    # Its DELETED entries carry the id of the snapshot that added the files, so no snapshot removed them.
    assert contradicted == {
        "duckdb_v1_to_v3": [
            "The summary's added-data-files says 2, counted are 0",
            "The summary's deleted-data-files says 2, counted are 0",
            "The summary's added-records says 4, counted are 0",
            "The summary's deleted-records says 6, counted are 0",
        ]
    }


# --- live tables -----------------------------------------------------------------------------------------------------

REGIONS = "NULL", "'null'", "'EU'", "'a/b=c'", "'ü'"


def history(spark: SparkSession, name: str, version: int, mode: str, seed: int) -> None:
    """A random history in which each kind of commit occurs."""
    pick = random.Random(seed)
    granularity = pick.choice(["file", "partition"])
    spark.sql(
        f"CREATE TABLE {name} (id INT, region STRING, day DATE) USING iceberg PARTITIONED BY (region) TBLPROPERTIES ("
        f"'format-version'='{version}', 'write.delete.granularity'='{granularity}', 'write.delete.mode'='{mode}',"
        f"'write.update.mode'='{mode}', 'write.merge.mode'='{mode}',"
        "'commit.manifest.min-count-to-merge'='3')"
    )

    def insert() -> None:
        regions = f"element_at(array({', '.join(REGIONS)}), 1 + int(id % {pick.randint(2, 5)}))"
        spark.sql(
            f"INSERT INTO {name} SELECT /*+ REPARTITION({pick.randint(1, 3)}) */ int(id), {regions},"
            f" date_add(DATE'2026-11-20', int(id % 2)) FROM range({pick.randint(5, 30)})"
        )

    changes: list[Callable[[], Any]] = [
        insert,
        lambda: spark.sql(f"DELETE FROM {name} WHERE id % 7 = {pick.randint(0, 6)}"),
        lambda: spark.sql(f"DELETE FROM {name} WHERE id % 5 = {pick.randint(0, 4)}"),
        lambda: spark.sql(f"UPDATE {name} SET day = DATE'2026-12-24' WHERE id = {pick.randint(0, 5)}"),
        lambda: spark.sql(
            f"MERGE INTO {name} t USING (SELECT int(id * 2) AS id FROM range(4)) s ON t.id = s.id"
            " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, region) VALUES (s.id, 'EU')"
        ),
        lambda: spark.sql(f"DELETE FROM {name} WHERE region = 'EU'"),
        lambda: spark.sql(f"DELETE FROM {name} WHERE id < 0"),
        lambda: spark.sql(f"INSERT OVERWRITE {name} VALUES (1, 'ü', NULL)"),
        lambda: spark.sql(f"CALL lab.system.rewrite_manifests('{name}')"),
        lambda: spark.sql(
            f"CALL lab.system.rewrite_data_files(table => '{name}', options => map('rewrite-all','true'))"
        ),
    ]
    pick.shuffle(changes)
    insert()
    for change in changes[:5]:
        change()
    spark.sql(f"ALTER TABLE {name} REPLACE PARTITION FIELD region WITH days(day)")
    insert()
    for change in changes[5:]:
        change()


@pytest.fixture(scope="module", params=[(2, "copy-on-write", 1), (2, "merge-on-read", 2), (3, "merge-on-read", 3)])
def table(request: pytest.FixtureRequest, spark: SparkSession, fresh_table: Callable[..., str]) -> Opened:
    version, mode, seed = request.param
    name = fresh_table("commits")
    history(spark, name, version, mode, seed)
    return Opened(spark, name)


def text(row: Row, spec: Any) -> str:
    """A partition of Spark as the explorer writes it."""

    def value(name: str) -> str:
        found = row[name]
        if found is None:
            return "null"
        return {"null": '"null"', "a/b=c": '"a/b=c"'}.get(str(found), str(found))

    return "/".join(f"{field['name']}={value(field['name'])}" for field in spec)


def as_in_entries(spark: SparkSession, name: str, snapshot_id: int, metadata: Any) -> dict[Any, tuple[Any, ...]]:
    """What Spark's `entries` says that a snapshot added and removed."""
    found = spark.sql(
        f"SELECT status, snapshot_id, sequence_number, file_sequence_number, data_file FROM"
        f" {name}.entries.snapshot_id_{snapshot_id}"
    )
    changes: dict[Any, tuple[Any, ...]] = {}
    for row in found.where(f"status > 0 AND snapshot_id = {snapshot_id}").collect():
        file = row.data_file
        kind = ["data", "position deletes", "equality deletes"][file.content]
        kind = "deletion vector" if file.file_format == "PUFFIN" else kind
        change = "added" if row.status == Status.ADDED else "removed"
        key = change, file.file_path, file.content_offset
        assert key not in changes
        changes[key] = (
            kind,
            file.spec_id,
            text(file.partition, metadata.specs[file.spec_id]),
            file.record_count,
            file.file_size_in_bytes,
            row.sequence_number,
            row.file_sequence_number,
            file.content_size_in_bytes,
            file.referenced_data_file,
            file.first_row_id,
        )
    return changes


def as_resolved(commit: Commit) -> dict[Any, tuple[Any, ...]]:
    return {
        (f["change"], f["file_path"], f["content_offset"]): (
            (
                f["content"],
                f["spec_id"],
                f["partition"],
                f["record_count"],
                f["file_size_in_bytes"],
                f["data_sequence_number"],
                f["file_sequence_number"],
                f["content_size_in_bytes"],
                f["referenced_data_file"],
                f["first_row_id"],
            )
        )
        for f in rows(commit)
    }


def test_commits_are_as_spark_reads_them(spark: SparkSession, table: Opened) -> None:
    metadata = table.metadata
    listed: dict[int, dict[str, Row]] = {}
    shared_puffins = 0
    for snapshot in metadata.snapshots:
        commit = table.commit(snapshot.snapshot_id)
        assert as_resolved(commit) == as_in_entries(spark, table.name, snapshot.snapshot_id, metadata)
        assert list(rows(commit)[0])[:10] == CONTRACT if commit.files else not rows(commit)
        manifests = spark.sql(f"SELECT * FROM {table.name}.manifests.snapshot_id_{snapshot.snapshot_id}").collect()
        now = listed[snapshot.snapshot_id] = {m.path: m for m in manifests}
        before = listed[snapshot.parent_id] if snapshot.parent_id is not None else {}
        assert commit.manifests
        new = {path for path, m in now.items() if m.added_snapshot_id == snapshot.snapshot_id}
        assert {m.path for m in commit.manifests.new} == new
        assert {m.path for m in commit.manifests.kept} == now.keys() - new
        assert commit.manifests.dropped is not None
        assert {m.path for m in commit.manifests.dropped} == before.keys() - now.keys()
        live = {
            row[0]: row[1]
            for row in spark.sql(
                f"SELECT content = 0, count(*) FROM {table.name}.files.snapshot_id_{snapshot.snapshot_id} GROUP BY 1"
            ).collect()
        }
        data = sum(f.change == "added" and f.kind == "data" for f in commit.files)
        deletes = sum(f.change == "added" and f.kind != "data" for f in commit.files)
        assert commit.kept.data_files == live.get(True, 0) - data
        assert commit.kept.delete_files == live.get(False, 0) - deletes
        assert (commit.contradictions, commit.notes) == ((), ())
        _partitions_add_up(commit)
        paths = [f.entry.file_path for f in commit.files if f.kind == "deletion vector" and f.change == "added"]
        shared_puffins += len(paths) - len(set(paths))
    assert {s.operation for s in metadata.snapshots} >= {"append", "overwrite", "replace"}
    if metadata.format_version == 3:
        assert shared_puffins > 0


def _partitions_add_up(commit: Commit) -> None:
    for partition in commit.partitions:
        inside = [
            f for f in commit.files if (f.entry.spec_id, f.entry.partition) == (partition.spec_id, partition.partition)
        ]
        assert len(inside) == partition.files > 0
        for change, tallies in (("added", partition.added), ("removed", partition.removed)):
            for kind, tally in tallies.items():
                files = [f for f in inside if (f.change, f.kind) == (change, kind)]
                sizes = [f.entry.content_size_in_bytes or f.entry.file_size_in_bytes for f in files]
                assert (tally.files, tally.records, tally.size_in_bytes) == (
                    len(files),
                    sum(f.entry.record_count for f in files),
                    sum(sizes),
                )
    assert sum(p.files for p in commit.partitions) == commit.totals.files == commit.file_count == len(commit.files)


def test_every_live_entry_resolves_as_spark_reads_it(spark: SparkSession, table: Opened) -> None:
    """Kept entries too: EXISTING in merged and rewritten manifests, with row ids in the order of the manifest."""
    from explorer.model.iceberg.inheritance import resolve

    metadata = table.metadata
    for snapshot in metadata.snapshots[::3]:
        location = manifests_of(table.source, snapshot.snapshot_id)
        assert isinstance(location, str)
        found_list = stored_manifests.manifest_list(table.source, location)
        assert not isinstance(found_list, Unreadable)
        listed = {m.path: m for m in found_list}
        resolved = []
        for entry in stored_manifests.entries_here(table.source, list(listed.values())).entries:
            found = resolve(listed[entry.manifest_path], entry)
            numbers = found.snapshot_id, found.data_sequence_number, found.file_sequence_number, found.first_row_id
            resolved.append((entry.status, entry.file_path, entry.content_offset, *(n.value for n in numbers)))
        wanted = spark.sql(
            "SELECT status, data_file.file_path, data_file.content_offset, snapshot_id, sequence_number,"
            " file_sequence_number, data_file.first_row_id"
            f" FROM {table.name}.entries.snapshot_id_{snapshot.snapshot_id}"
        ).collect()
        assert sorted(resolved, key=str) == sorted(map(tuple, wanted), key=str)


@pytest.mark.usefixtures("reader")
def test_only_the_lists_and_the_manifests_of_the_commit_are_opened(
    spark: SparkSession, fresh_table: Callable[..., str], tmp_path: Path
) -> None:
    name = fresh_table("cost")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    for i in range(4):
        spark.sql(f"INSERT INTO {name} VALUES ({i})")
    table = Opened(spark, name)
    last = table.metadata.snapshots[-1]
    facts = table.commit(last.snapshot_id)
    assert facts.manifests
    assert (len(facts.manifests.new), len(facts.manifests.kept), facts.kept.data_files) == (1, 3, 3)
    parent = manifests_of(table.source, last.parent_id or 0)
    needed = [last.manifest_list, parent, facts.manifests.new[0].path]
    assert list(table.stored(last.snapshot_id).opened) == needed
    # Without all the others the answer is the same.
    folder = Path(table.metadata.location.removeprefix("file:"))
    kept = {Path(str(path).removeprefix("file:")) for path in needed}
    for file in [*folder.rglob("*.avro"), *folder.rglob("*.parquet")]:
        if file not in kept:
            shutil.move(file, tmp_path / file.name)
    assert table.commit(last.snapshot_id) == facts
    assert facts.notes == ()


def test_decoded_in_tasks_the_facts_are_the_same_and_more_than_can_be_listed_is_counted(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("many")
    spark.sql(f"CREATE TABLE {name} (id INT, p INT) USING iceberg PARTITIONED BY (p)")
    spark.sql(f"INSERT INTO {name} SELECT int(id), int(id % 6) FROM range(12)")
    spark.sql(f"INSERT OVERWRITE {name} SELECT int(id), int(id % 3) FROM range(12)")
    table = Opened(spark, name)
    snapshot_id = table.metadata.current_snapshot_id or 0
    here = table.commit(snapshot_id)
    assert table.commit(snapshot_id, small_in_bytes=0) == here
    cut = table.commit(snapshot_id, small_in_bytes=0, most=2)
    assert len(cut.files) == 2
    assert set(cut.files) <= set(here.files)
    assert (cut.partitions, cut.totals, cut.file_count) == (here.partitions, here.totals, here.file_count)
    assert here.file_count == len(here.files) > 2
    assert [note.about for note in cut.notes] == [f"2 of {here.file_count} changed files listed"]
    assert (cut.kept, cut.contradictions) == (here.kept, ())


@pytest.fixture(scope="module")
def three(spark: SparkSession, fresh_table: Callable[..., str]) -> Opened:
    name = fresh_table("three")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    for i in range(3):
        spark.sql(f"INSERT INTO {name} VALUES ({i})")
    return Opened(spark, name)


def test_a_summary_that_miscounts_is_contradicted(three: Opened) -> None:
    metadata = three.metadata
    last = metadata.snapshots[-1]
    wrong = {"added-data-files": "2", "added-records": "5", "total-data-files": "9"}
    claimed = dataclasses.replace(last, summary=MappingProxyType(dict(last.summary) | wrong))
    changed = dataclasses.replace(metadata, snapshots=(*metadata.snapshots[:-1], claimed))
    found = from_stored(changed, last.snapshot_id, three.stored(last.snapshot_id)).contradictions
    assert [(c.claim, c.recorded, c.counted) for c in found] == [
        ("The summary's added-data-files", 2, 1),
        ("The summary's added-records", 5, 1),
        ("The summary's total-data-files", 9, 3),
    ]


def test_a_manifest_list_that_lacks_a_manifest_or_miscounts_is_contradicted(three: Opened) -> None:
    last = three.metadata.snapshots[-1]
    stored = three.stored(last.snapshot_id)
    assert stored.listed
    new, kept, oldest = stored.listed
    summary = MappingProxyType({"total-records": "3"})
    metadata = three.metadata
    silent = tuple(dataclasses.replace(s, summary=summary) for s in metadata.snapshots)
    metadata = dataclasses.replace(metadata, snapshots=silent)

    def claims(*listed: ListedManifest) -> list[tuple[int, int]]:
        changed = dataclasses.replace(stored, listed=listed)
        found = from_stored(metadata, last.snapshot_id, changed).contradictions
        return [(c.recorded, c.counted) for c in found if "manifest list" in c.claim]

    assert claims(new, kept, oldest) == []
    assert claims(new, kept) == [(2, 3)]
    assert claims(dataclasses.replace(new, added_files_count=4), kept, oldest) == [(6, 3), (4, 1)]


@pytest.mark.usefixtures("reader")
def test_what_is_missing_is_named_and_the_rest_is_read(spark: SparkSession, three: Opened, tmp_path: Path) -> None:
    last = three.metadata.snapshots[-1]
    whole = three.commit(last.snapshot_id)
    assert whole.manifests
    copy = Opened(spark, three.name)

    def without(*paths: str | None) -> Commit:
        moved = [(Path(str(p).removeprefix("file:")), tmp_path / str(p).rsplit("/", 1)[-1]) for p in paths]
        for place, aside in moved:
            shutil.move(place, aside)
        try:
            return copy.commit(last.snapshot_id)
        finally:
            for place, aside in moved:
                shutil.move(aside, place)

    no_parent = without(three.metadata.by_id[last.parent_id or 0].manifest_list)
    assert (no_parent.files, no_parent.kept) == (whole.files, whole.kept)
    assert no_parent.manifests == dataclasses.replace(whole.manifests, dropped=None)
    (note,) = no_parent.notes
    assert (note.certainty, note.about) == ("unknown", "Manifests and files before")
    assert "does not exist" in note.reason

    no_list = without(last.manifest_list)
    assert (no_list.files, no_list.manifests, no_list.kept.data_files) == ((), None, None)
    assert "Only the summary is left. The file does not exist." in no_list.notes[0].reason

    no_manifest = without(whole.manifests.new[0].path)
    assert (no_manifest.files, no_manifest.manifests, no_manifest.contradictions) == ((), whole.manifests, ())
    (note,) = no_manifest.notes
    assert note.about == f"Files in {whole.manifests.new[0].path}"
    assert note.reason.endswith("counts 1 added and 0 removed.")


def test_of_an_expired_parent_the_other_half_is_known(spark: SparkSession, fresh_table: Callable[..., str]) -> None:
    name = fresh_table("expired")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    for i in range(2):
        spark.sql(f"INSERT INTO {name} VALUES ({i})")
    before = Opened(spark, name)
    snapshot_id = before.metadata.current_snapshot_id or 0
    whole = before.commit(snapshot_id)
    spark.sql(
        f"CALL lab.system.expire_snapshots(table => '{name}', older_than => TIMESTAMP'2100-01-01', retain_last => 1)"
    )
    half = Opened(spark, name).commit(snapshot_id)
    assert (whole.parent_state, half.parent_state) == ("present", "expired")
    assert (half.files, half.kept) == (whole.files, whole.kept)
    assert half.manifests
    assert half.manifests.dropped is None
    (note,) = half.notes
    assert str(whole.snapshot.parent_id) in note.reason


def test_version_1_snapshots_that_name_their_manifests_are_read(three: Opened) -> None:
    """As an old writer did: no manifest list, the manifests' locations in the metadata file."""
    last = three.metadata.snapshots[-1]
    whole = three.commit(last.snapshot_id)
    assert whole.manifests
    old = Opened(three.spark, three.name)
    for item in old.document["snapshots"]:
        location = item.pop("manifest-list")
        listed = stored_manifests.manifest_list(three.source, location)
        assert not isinstance(listed, Unreadable)
        item["manifests"] = [m.path for m in listed]
    found = old.commit(last.snapshot_id)
    assert [f.key for f in found.files] == [f.key for f in whole.files]
    assert found.manifests
    assert [m.path for m in found.manifests.new] == [m.path for m in whole.manifests.new]
    assert found.kept.data_files is None
    assert any("does not count the files of 2 manifests" in note.reason for note in found.notes)
