"""The generated big table is one that PyIceberg and Spark accept, with everything in it that its shape names."""

from collections import Counter

import plotly.graph_objects as go
from pyiceberg.table import StaticTable

from explorer.figures.page import layers
from explorer.table import Table
from tests.benchmarks.generate import Historian, Shape, generate, metadata_json

SMALL = Shape(snapshots=200, expired=40, branches=3, tags=5, staged=12, rollbacks=4, schema_changes=2)


def test_one_shape_is_one_table_and_another_seed_another():
    def table(shape):
        return metadata_json(Historian(shape).history(), shape, "file:///t")

    assert table(SMALL) == table(SMALL)
    assert table(SMALL) != table(Shape(**{**vars(SMALL), "seed": 2}))


def test_pyiceberg_reads_what_the_shape_names(tmp_path):
    table = StaticTable.from_metadata(str(generate(tmp_path / "small", SMALL))).metadata
    ids = {snapshot.snapshot_id for snapshot in table.snapshots}
    summaries = [snapshot.summary for snapshot in table.snapshots]
    attempts = Counter(int(snapshot.manifest_list.rsplit("/snap-")[1].split("-")[1]) for snapshot in table.snapshots)
    assert len(ids) == 200
    assert min(ids) > 2**53
    assert {snapshot.parent_snapshot_id for snapshot in table.snapshots} - ids  # expired parents
    assert {summary.operation.value for summary in summaries} == {"append", "overwrite", "delete", "replace"}
    assert sum("wap.id" in summary.additional_properties for summary in summaries) == 12
    assert any("published-wap-id" in summary.additional_properties for summary in summaries)
    assert attempts[0]
    assert attempts[1] > attempts[2] > 0
    assert Counter(ref.snapshot_ref_type.value for ref in table.refs.values()) == {"branch": 4, "tag": 6}
    assert {snapshot.schema_id for snapshot in table.snapshots} == {0, 1, 2}
    on_main = [entry.snapshot_id for entry in table.snapshot_log]
    assert len(on_main) - len(set(on_main)) == 4  # main came back to a snapshot it had left


def test_each_snapshot_holds_what_its_parent_held_and_its_own_change():
    for commit in Historian(SMALL).history().commits:
        assert min(commit.content.counts()) >= 0
        if commit.parent:
            assert commit.content == commit.parent.content + commit.added - commit.removed


def test_spark_reads_the_big_table_by_name(spark, big_table):
    assert spark.table("lab.t.big.snapshots").count() == 10_000
    assert spark.table("lab.t.big.refs").count() == 50
    assert 5e6 < sum(file.stat().st_size for file in big_table.rglob("*.json")) < 10e6


def test_a_hundred_megabytes_of_metadata_open_and_draw(spark, tmp_path):
    file = generate(tmp_path / "huge", Shape(snapshots=107_000))
    assert file.stat().st_size > 100e6
    table = Table.open(str(tmp_path / "huge"), spark)
    graph = table.snapshot_graph()
    assert len(graph.facts.nodes) == 107_000
    assert len(go.Figure(layers.spec(graph.scene)).to_json()) < 5e6
    assert graph.data["snapshot_id"].iloc[-1] == str(graph.facts.nodes[-1].snapshot.snapshot_id)
    assert "Data shows the newest 100,000 of 107,000 rows" in {note.about for note in graph.notes}
