from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.model.iceberg.lineage import common_ancestor
from explorer.model.iceberg.metadata import InvalidMetadata, TableMetadata
from explorer.model.snapshot_graph.facts import SnapshotGraph, rows, snapshot_graph
from tests.model.histories import History, random_history

HISTORIES = st.builds(random_history, st.integers(0, 10**6), st.integers(0, 60))


def graph_of(history: History, version: int = 2) -> SnapshotGraph:
    return snapshot_graph(TableMetadata.from_json(history.document(version=version)))


@given(HISTORIES)
def test_states_are_those_of_a_plain_walk_over_every_ref_and_log_entry(history: History) -> None:
    graph = graph_of(history)
    assert {n.snapshot.snapshot_id: n.state for n in graph.nodes} == {i: history.state(i) for i in history.snapshots}


@given(HISTORIES, st.sampled_from([1, 2]))
def test_every_snapshot_has_a_place_of_its_own_right_of_its_parent(history: History, version: int) -> None:
    graph = graph_of(history, version)
    columns = [n.column for n in graph.nodes] + [g.column for g in graph.gaps]
    assert sorted(columns) == list(range(graph.column_count))
    assert [n.column for n in graph.nodes] == sorted(n.column for n in graph.nodes)
    for node in graph.nodes:
        parent = graph.parent(node)
        assert parent is None or parent.column < node.column
        assert (node.parent_state == "present") == (parent is not None)


@given(HISTORIES)
def test_order_is_that_of_sequence_numbers_and_gaps_hold_just_the_missing_ones(history: History) -> None:
    graph = graph_of(history)
    numbers = [n.snapshot.sequence_number for n in graph.nodes]
    assert numbers == sorted(numbers)
    missing = [number for gap in graph.gaps for number in range(gap.first, gap.last + 1)]
    assert sorted(numbers + missing) == list(range(1, history.sequence + 1))


@given(HISTORIES)
def test_two_chains_never_share_a_lane_at_one_time(history: History) -> None:
    graph = graph_of(history)
    for index, lane in enumerate(graph.lanes):
        members = [n for n in graph.nodes if n.lane == index]
        assert members or lane.kind == "main"
        if lane.kind == "off main":
            chains = []  # [first column, last column] of the stretch that each chain occupies, fork included
            for node in members:
                parent = graph.parent(node)
                if parent is not None and parent.lane == index and chains and chains[-1][1] == parent.column:
                    chains[-1][1] = node.column
                else:
                    chains.append([node.column, node.column])
            assert all(a[1] < b[0] for a, b in itertools.pairwise(chains))


@given(HISTORIES, st.data())
def test_the_common_ancestor_is_the_youngest_of_both_lineages(history: History, data: st.DataObject) -> None:
    if not history.snapshots:
        return
    metadata = TableMetadata.from_json(history.document())
    a, b = (data.draw(st.sampled_from(sorted(history.snapshots))) for _ in range(2))
    in_both = [i for i in history.lineage(a) if i in history.lineage(b)]
    assert common_ancestor(metadata, a, b) == (in_both[0] if in_both else None)


@given(HISTORIES)
def test_main_moves_are_named_by_the_lineages_of_both_ends(history: History) -> None:
    for move in graph_of(history).moves:
        start, end = history.lineage(move.from_id), history.lineage(move.to_id)
        if not start or not end:
            assert move.kind in ("unknown", "commit")
        elif move.from_id in end:
            assert move.kind == ("commit" if end[1] == move.from_id else "advance")
        elif move.to_id in start:
            assert move.kind == "rollback"
        else:
            assert move.kind in ("replace", "set current")


@given(HISTORIES)
def test_only_snapshots_that_main_has_left_say_how(history: History) -> None:
    for node in graph_of(history).nodes:
        if node.left_main is not None:
            assert node.state not in ("current", "main")
            assert node.snapshot.snapshot_id in history.lineage(node.left_main.from_id)
            assert node.snapshot.snapshot_id not in history.lineage(node.left_main.to_id)


@given(HISTORIES)
def test_a_published_snapshot_and_its_copy_name_each_other(history: History) -> None:
    graph = graph_of(history)
    for node in graph.nodes:
        source = node.snapshot.summary.get("source-snapshot-id")
        assert node.copied_from == (int(source) if source else None)
        if node.published_as is not None:
            assert graph.by_id[node.published_as].copied_from == node.snapshot.snapshot_id


def test_rows_hold_the_ids_exactly_and_what_the_file_name_says() -> None:
    history = random_history(7, 40)
    by_id = {row["snapshot_id"]: row for row in rows(graph_of(history))}
    assert set(by_id) == set(history.snapshots)
    for snapshot_id, snapshot in history.snapshots.items():
        row = by_id[snapshot_id]
        assert row["parent_id"] == snapshot.get("parent-snapshot-id")
        assert f"snap-{snapshot_id}-{row['attempt']}-" in snapshot["manifest-list"]
        assert row["refs"] == sorted(
            (n for n, r in history.refs.items() if r["snapshot-id"] == snapshot_id),
            key=lambda n: (n != "main", history.refs[n]["type"], n),
        )
        assert row["added_records"] is None  # the summary counts nothing, so nothing is known


def test_a_counter_left_out_is_zero_only_where_the_writer_counts() -> None:
    history = History(1)
    history.point_main(history.commit(None, **{"total-records": "5", "added-records": "5"}))
    row = rows(graph_of(history))[0]
    assert (row["added_records"], row["deleted_records"], row["added_data_files"]) == (5, 0, 0)


def test_version_1_orders_by_parent_even_where_the_clock_ran_backwards() -> None:
    history = History(3)
    history.point_main(first := history.commit(None))
    history.clock -= 5_000_000
    history.point_main(second := history.commit(first))
    graph = graph_of(history, version=1)
    assert [n.snapshot.snapshot_id for n in graph.nodes] == [first, second]
    assert not graph.numbered
    assert graph.gaps == ()


def test_a_cycle_of_parents_in_a_damaged_file_ends() -> None:
    history = History(3)
    history.point_main(first := history.commit(None))
    history.point_main(second := history.commit(first))
    history.snapshots[first]["parent-snapshot-id"] = second
    graph = graph_of(history)
    assert {n.snapshot.snapshot_id for n in graph.nodes} == {first, second}


def lists_in_lists(depth: int) -> object:
    kind: object = "int"
    for _ in range(depth):
        kind = {"type": "list", "element-id": 1, "element": kind, "element-required": True}
    return kind


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format-version": 4}, "format version 4"),
        ({"format-version": None}, "no format-version"),
        ({"current-snapshot-id": 2**126}, "above 2^126-1"),
        ({"last-sequence-number": 2**63}, "above 2^63-1"),
        ({"snapshots": [{"timestamp-ms": 1}]}, "no snapshot-id"),
        ({"snapshots": {"a": 1}}, "not a list"),
        ({"snapshots": [{"snapshot-id": 1, "summary": ["append"]}]}, "summary is not an object"),
        ({"snapshots": [{"snapshot-id": 1, "manifest-list": 5}]}, "manifest-list is 5, not a string"),
        ({"snapshots": [{"snapshot-id": 1, "schema-id": 2**40}]}, "above 2^31-1"),
        ({"last-sequence-number": -(2**63) - 1}, "below -2^63"),
        ({"refs": ["main"]}, "refs is not an object"),
        ({"properties": ["a"]}, "properties is not an object"),
        ({"schemas": [{"schema-id": 0, "fields": ["a"]}]}, "fields is not a list of objects"),
        ({"schemas": [{"fields": [{"id": 1, "name": "a", "type": lists_in_lists(5_000)}]}]}, "nested too deeply"),
    ],
)
def test_what_is_not_table_metadata_is_refused_in_words(change: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidMetadata, match=words.replace("^", r"\^")):
        TableMetadata.from_json(History(1).document() | change)


def test_what_is_odd_is_shown_and_noted() -> None:
    history = History(1)
    history.point_main(only := history.commit(None))
    document = history.document()
    document["refs"]["lost"] = {"snapshot-id": only + 1, "type": "tag"}
    document["snapshots"] *= 2
    metadata = TableMetadata.from_json(document)
    assert len(metadata.snapshots) == 1
    assert any("lost" in oddity for oddity in metadata.oddities)
    assert any("twice" in oddity for oddity in metadata.oddities)


@pytest.mark.parametrize("circle", [1, 3])
def test_a_circle_of_parents_is_noted(circle: int) -> None:
    history = History(1)
    ids = list(itertools.accumulate(range(circle), lambda parent, _: history.commit(parent), initial=history.commit(7)))
    history.snapshots[ids[0]]["parent-snapshot-id"] = ids[circle - 1]
    (oddity,) = TableMetadata.from_json(history.document()).oddities
    assert "among its own ancestors" in oddity
    assert any(str(snapshot_id) in oddity for snapshot_id in ids[:circle])


@pytest.mark.parametrize("value", ["-5", "1.5", "abc", "", "٣", "²", "9" * 19, "1" + "0" * 30])
def test_a_counter_that_is_no_count_says_nothing(value: str) -> None:
    history = History(1)
    only = history.commit(None, **{"added-records": value, "added-data-files": "1"})
    snapshot = graph_of(history).by_id[only].snapshot
    assert (snapshot.count("added-records"), snapshot.count("added-data-files")) == (None, 1)


def test_an_operation_that_is_null_is_not_recorded() -> None:
    history = History(1)
    only = history.commit(None)
    history.snapshots[only]["summary"]["operation"] = None
    assert graph_of(history).by_id[only].snapshot.operation is None


def test_an_attempt_beyond_every_counter_is_not_known() -> None:
    history = History(1)
    only = history.commit(None)
    history.snapshots[only]["manifest-list"] = f"metadata/snap-{only}-5000000000-abc.avro"
    assert graph_of(history).by_id[only].snapshot.attempt is None


@pytest.mark.parametrize("source", ["²", "9" * 40, "", "itself"])
def test_a_source_that_is_no_other_snapshot_is_none(source: str) -> None:
    history = History(1)
    only = history.commit(None)
    history.snapshots[only]["summary"]["source-snapshot-id"] = str(only) if source == "itself" else source
    assert graph_of(history).by_id[only].copied_from is None


def test_ten_thousand_publications_are_paired_at_once() -> None:
    history = History(1)
    for number in range(5_000):
        history.commit(None, **{"wap.id": f"w{number}"})
        history.commit(None, **{"published-wap-id": f"w{number}"})
    before = time.process_time()
    graph = graph_of(history)
    assert time.process_time() - before < 5, "a search through all snapshots for each takes three times as long"
    assert all(node.published_as is not None for node in graph.nodes[::2])


def test_a_snapshot_is_found_by_its_id_as_text() -> None:
    history = History(1)
    only = history.commit(None)
    history.snapshots[only]["snapshot-id"] = -5
    graph = graph_of(history)
    assert graph.find("-5") is graph.nodes[0]
    assert [graph.find(text) for text in ("", "5", "²", "abc", "9" * 5_000)] == [None] * 5


def test_fields_and_sources_that_are_no_ids_do_not_hide_the_table() -> None:
    document = History(1).document() | {
        "schemas": [
            {"schema-id": 0, "fields": [{"id": [1], "name": "a", "type": {"type": "struct", "fields": ["x"]}}]}
        ],
        "partition-specs": [{"spec-id": 0, "fields": [{"source-ids": 5, "source-id": {"a": 1}, "transform": "day"}]}],
        "default-spec-id": 0,
    }
    assert TableMetadata.from_json(document).partitioning() == "day(field {'a': 1})"
