from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyiceberg.table.metadata import TableMetadataUtil

from explorer.model.iceberg.metadata import Snapshot, TableMetadata
from explorer.model.iceberg.writer import program
from explorer.model.snapshot_graph import bands, columns, findings
from explorer.model.snapshot_graph.facts import SnapshotGraph, snapshot_graph
from tests.benchmarks.generate import Historian, Shape, metadata_json
from tests.figures import snapshot_graph_stories
from tests.figures.snapshot_graph_stories import Story, rows
from tests.model.histories import random_history

BIG = Shape(snapshots=400, expired=120, branches=3, tags=5, staged=6, rollbacks=6, schema_changes=3)
ONE_SPEC = {"default-spec-id": 0, "partition-specs": [{"spec-id": 0, "fields": []}]}


def graph_of(document: dict[str, Any]) -> SnapshotGraph:
    return snapshot_graph(TableMetadata.from_json(document))


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return metadata_json(Historian(BIG).history(), BIG, "file:/tmp/t")


def test_running_totals_are_those_that_pyiceberg_reads_along_mains_ancestors(document: dict[str, Any]) -> None:
    graph = graph_of(document)
    other = TableMetadataUtil.parse_obj(document | {"current-schema-id": 0})
    line, at = [], other.current_snapshot()
    while at is not None:
        line.insert(0, at)
        at = other.snapshot_by_id(at.parent_snapshot_id) if at.parent_snapshot_id else None
    expected = {key: [int(s.summary[key]) for s in line if s.summary] for key in ("total-records", "total-files-size")}
    found = {total.name: total for total in columns.running_totals(graph, graph.nodes)}
    for name, key in (("rows", "total-records"), ("bytes", "total-files-size")):
        (stretch,) = found[name].stretches
        assert [n for _, n in stretch] == expected[key]
        assert [column for column, _ in stretch] == [graph.by_id[s.snapshot_id].column for s in line]
        assert found[name].last == expected[key][-1]
        assert found[name].most == max(expected[key])


def test_a_part_of_the_history_begins_with_the_totals_that_still_hold(document: dict[str, Any]) -> None:
    graph = graph_of(document)
    whole = dict(columns.running_totals(graph, graph.nodes)[0].stretches[0])
    for start, end in ((0, 5), (37, 91), (200, 201), (250, 400)):
        nodes = graph.nodes[start:end]
        (stretch,) = columns.running_totals(graph, nodes)[0].stretches
        inside = {column: n for column, n in whole.items() if nodes[0].column <= column <= nodes[-1].column}
        before = [column for column in whole if column < nodes[0].column][-1:]
        assert stretch == (*((column, whole[column]) for column in before), *inside.items())


def test_a_commit_that_records_no_total_is_a_hole() -> None:
    story = Story()
    for n in range(6):
        story.commit(parent=n or None, **rows(10))
    del story.snapshots[story.ids[4]]["summary"]["total-records"]
    story.snapshots[story.ids[6]]["summary"]["total-records"] = "-5"
    total = columns.running_totals(story.graph(), story.graph().nodes)[0]
    assert [[column for column, _ in stretch] for stretch in total.stretches] == [[0, 1, 2], [4]]
    assert Story().graph().nodes == ()
    assert columns.running_totals(Story().graph(), ()) == ()


def test_there_are_no_totals_of_main_where_it_never_was() -> None:
    story = Story()
    story.commit(main=False, branch="audit", **rows(10))
    assert columns.running_totals(story.graph(), story.graph().nodes) == ()


# --- findings


def test_healthy_totals_add_up(document: dict[str, Any]) -> None:
    graph = graph_of(document)
    assert not [f.words for f in findings.findings(graph, graph.nodes) if "add up" in f.words]


@settings(max_examples=15)
@given(st.integers(1, 399), st.sampled_from(["total-records", "total-data-files", "total-files-size"]))
def test_a_total_that_does_not_follow_is_found_and_named(position: int, key: str) -> None:
    document = metadata_json(Historian(BIG).history(), BIG, "file:/tmp/t")
    wrong = document["snapshots"][position]
    if wrong.get("parent-snapshot-id") not in {s["snapshot-id"] for s in document["snapshots"]}:
        return
    wrong["summary"][key] = str(int(wrong["summary"][key]) + 7)
    graph = graph_of(document)
    [found] = [f for f in findings.findings(graph, graph.nodes) if "add up" in f.words]
    ids = {node.snapshot.snapshot_id for node in found.nodes}
    children = {s["snapshot-id"] for s in document["snapshots"] if s.get("parent-snapshot-id") == wrong["snapshot-id"]}
    assert ids == {wrong["snapshot-id"], *children}
    [alone] = [f for f in findings.findings(graph, found.nodes) if "add up" in f.words]
    all_of_them = f"all {len(found.nodes)} have totals that do not add up"
    assert alone.words == (all_of_them if len(found.nodes) > 1 else found.words), "of a view of these alone"


def test_a_commit_that_leaves_half_of_the_rows_or_less_is_found() -> None:
    story = Story()
    story.commit(added_records=1000)
    story.commit("overwrite", parent=1, added_records=10, deleted_records=9_000_000)
    story.commit("delete", parent=2, deleted_records=2_000_000)
    assert findings.title(story.graph()) == "2 left 7,001,010 of 16,001,000 rows"
    story.commit("delete", parent=3, deleted_records=5_001_010)
    graph = story.graph()
    assert findings.title(graph) == "2 left 7,001,010 of 16,001,000 rows, the most of 2 such commits"
    [found] = findings.findings(graph, graph.nodes)
    assert [node.snapshot.sequence_number for node in found.nodes] == [2, 4]
    assert findings.view_title(graph, graph.nodes[3:], findings.findings(graph, graph.nodes[3:])) == (
        "4 of 4: 4 left 0 of 5,001,010 rows"
    )


def test_a_table_that_is_refilled_again_and_again_is_no_finding() -> None:
    story = Story()
    for n in range(12):
        kind = {"added_records": 10} if n % 2 else {"deleted_records": 16_000_000 if n == 0 else 10}
        story.commit("overwrite", parent=n or None, **kind)
    assert findings.findings(story.graph(), story.graph().nodes) == ()


def test_a_table_whose_main_points_nowhere_says_so() -> None:
    story = Story()
    story.commit(main=False, branch="audit", **rows(10))
    assert findings.title(story.graph()) == "No snapshot is current"


def test_where_nothing_happened_the_title_is_what_main_holds() -> None:
    story = Story()
    story.commit(**rows(12))
    story.commit("delete", parent=1, **rows(masked=3))
    assert (
        findings.title(story.graph())
        == "main holds 16,000,012 rows in 163 data files, of which 1 delete file may mask some"
    )
    silent = Story()
    silent.commit()
    silent.commit("delete", parent=1)
    silent.commit(parent=2)
    assert findings.title(silent.graph()) == "2 appends, 1 delete"


# --- bands


@given(st.integers(0, 10**6), st.integers(0, 60))
def test_bands_cover_each_listed_commit_once_at_most(seed: int, steps: int) -> None:
    graph = graph_of(random_history(seed, steps).document() | ONE_SPEC)
    listed = {node.column for node in graph.nodes}
    for band in bands.bands(graph):
        covered = [c for run in band.runs for c in listed if run.first <= c <= run.last]
        assert len(covered) == len(set(covered))
        assert set(covered) == listed
        assert all(run.first in listed and run.last in listed for run in band.runs)


def test_the_version_of_a_commit_is_told_as_far_as_it_follows() -> None:
    """Two commits as version 1, two as version 2, then version 3, whose commits have first row ids."""
    story = Story(version=3)
    for n in range(7):
        story.commit(parent=n or None, numbered=n > 1, **rows(10))
    for n in (6, 7):
        story.snapshots[story.ids[n]]["first-row-id"] = 0
    names = {band.name: band for band in bands.bands(graph_of(story.document()))}
    assert [(run.first, run.last, run.text, run.known) for run in names["format"].runs] == [
        (0, 1, "format v1", True),
        (3, 5, "format v2 or v3, not recorded", False),
        (6, 7, "format v3", True),
    ]
    assert "spec" not in names


def test_the_spec_is_told_only_where_a_table_has_one() -> None:
    document = snapshot_graph_stories.busy(30).document() | ONE_SPEC
    shown = {band.name: [run.text for run in band.runs] for band in bands.bands(graph_of(document))}
    assert shown["spec, format"] == ["spec 0: unpartitioned · format v2, no change"]
    upgraded = graph_of(
        document | {"format-version": 3, "snapshots": [s | {"sequence-number": 0} for s in document["snapshots"]]}
    )
    assert [run.text for band in bands.bands(upgraded) for run in band.runs][1:] == [
        "spec 0: unpartitioned · format v1, v3 since"
    ]
    document["partition-specs"] = [*ONE_SPEC["partition-specs"], {"spec-id": 1, "fields": []}]  # type: ignore[misc]
    shown = {band.name: [run.text for run in band.runs] for band in bands.bands(graph_of(document))}
    assert shown["format"] == ["format v2"]
    assert not any("spec" in name for name in shown)


def test_writers_share_out_the_commits(document: dict[str, Any]) -> None:
    graph = graph_of(document)
    apps = {str(s["snapshot-id"]): s["summary"].get("app-name") for s in document["snapshots"]}
    written = {row.name: row.nodes for row in bands.writers(graph)}
    assert sum(map(len, written.values())) == len(graph.nodes)
    for app in ("orders-merge", "backfill", "maintenance"):
        expected = {snapshot_id for snapshot_id, name in apps.items() if name == app}
        assert {str(node.snapshot.snapshot_id) for node in written[app]} == expected
    assert bands.writers(snapshot_graph_stories.busy(30).graph()) == ()


def test_more_writers_than_have_room_are_told_together() -> None:
    story = Story()
    for n in range(30):
        app = {"app-name": f"job {n % 10}"} if n else {}
        story.commit(parent=n or None, **app)
    written = bands.writers(story.graph())
    assert [row.name for row in written] == ["job 1", "job 2", "job 3", "job 4", "6 more writers", None]
    assert [len(row.nodes) for row in written] == [3, 3, 3, 3, 17, 1]
    together = [node.column for node in written[4].nodes]
    assert together == sorted(together)


@pytest.mark.parametrize(
    ("summary", "name"),
    [
        ({"app-name": "etl", "engine-name": "spark", "app-id": "local-1"}, "etl"),
        ({"engine-name": "spark", "engine-version": "4.1.4", "app-id": "local-1"}, "spark 4.1.4"),
        ({"flink.job-id": "8a31", "iceberg-version": "Apache Iceberg 1.10.0 (commit 2a)"}, "Flink"),
        ({"kafka.connect.task-id": "3"}, "Kafka Connect"),
        ({"iceberg-version": "Apache Iceberg 1.10.0 (commit 2a)"}, "Apache Iceberg 1.10.0"),
        ({"added-records": "3"}, None),
    ],
)
def test_a_program_keeps_its_name_from_run_to_run(summary: dict[str, str], name: str | None) -> None:
    assert program(Snapshot(1, None, 1, None, "append", summary, None, None)) == name
