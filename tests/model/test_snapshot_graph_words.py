from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.model import formats
from explorer.model.iceberg.metadata import Snapshot, TableMetadata
from explorer.model.iceberg.schema import SchemaField, schema_change
from explorer.model.iceberg.summary import masked
from explorer.model.snapshot_graph import columns, findings
from explorer.model.snapshot_graph import evidence as snapshot_graph_evidence
from explorer.model.snapshot_graph import words as snapshot_graph_words
from explorer.model.snapshot_graph.facts import Node, SnapshotGraph, snapshot_graph
from explorer.model.words import account
from tests.figures import snapshot_graph_stories
from tests.model.histories import History, random_history


def graph_of(history: History) -> SnapshotGraph:
    return snapshot_graph(TableMetadata.from_json(history.document()))


def view_title(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> str:
    return findings.view_title(graph, nodes, findings.findings(graph, nodes))


def mock_story() -> tuple[History, dict[int, int]]:
    """The story of the mock, as far as words go: 7 commits, one staged and published, two rolled back."""
    history, ids = History(1), {}

    def commit(parent: int | None, **summary: str) -> int:
        snapshot_id = history.commit(ids.get(parent) if parent else None, **summary)
        ids[history.sequence] = snapshot_id
        return snapshot_id

    for number in range(1, 4):
        history.point_main(commit(number - 1 or None))
    commit(3, **{"wap.id": "load-1120"})  # 4 staged
    history.point_main(commit(3))
    history.point_main(commit(5))
    history.point_main(ids[3])  # 5-6 rolled back
    history.point_main(commit(3, **{"published-wap-id": "load-1120", "source-snapshot-id": str(ids[4])}))  # 7
    history.expire(ids[1])
    return history, ids


def test_the_title_tells_what_is_not_a_plain_line_of_commits() -> None:
    history, _ = mock_story()
    assert findings.title(graph_of(history)) == "5–6 were rolled back, 4 was published as 7; 1 has expired"


def test_what_a_lane_shows_leads_to_its_commits_and_is_not_marked_besides() -> None:
    history, ids = mock_story()
    left, published = (found for found in findings.attention(graph_of(history)) if not found.is_marked)
    assert [node.snapshot.snapshot_id for node in left.nodes] == [ids[5], ids[6]]
    assert [node.snapshot.snapshot_id for node in published.nodes] == [ids[4]]
    assert left.marked == published.marked == ()


def test_the_title_says_so_where_commits_were_tried_again_often() -> None:
    story, head = snapshot_graph_stories.Story(), None
    for number in range(1, 10):
        head = story.commit(parent=head, attempt=2 if number % 3 else 1)
    graph = story.graph()
    assert findings.title(graph) == "6 of 9 commits were tried again"
    assert view_title(graph, graph.nodes[:4]).endswith("3 of 4 commits were tried again")
    (finding,) = findings.attention(graph)
    assert (finding.picture, len(finding.nodes)) == ("retries", 6)


def test_a_gap_in_a_branch_is_explained_by_who_used_the_numbers() -> None:
    history, ids = mock_story()
    graph = graph_of(history)
    assert snapshot_graph_words.spent_elsewhere(graph, graph.by_id[ids[7]]) == "4 staged · 5–6 rolled back"
    assert snapshot_graph_words.spent_elsewhere(graph, graph.by_id[ids[3]]) == ""
    assert snapshot_graph_words.spent_elsewhere(graph, graph.by_id[ids[2]]) == "", "its parent has expired"


def test_a_gap_of_any_length_is_explained_at_once() -> None:
    history = History(1)
    first = history.commit(None)
    history.sequence = 2**62
    history.point_main(history.commit(first))
    graph = graph_of(history)
    assert snapshot_graph_words.spent_elsewhere(graph, graph.nodes[-1]) == f"2–{2**62:,} expired"


def test_a_publication_of_snapshot_0_is_named() -> None:
    history = History(1)
    staged = history.commit(None, **{"wap.id": "w"})
    published = history.commit(None, **{"published-wap-id": "w"})
    history.snapshots[published]["snapshot-id"] = 0
    history.refs["main"] = {"snapshot-id": 0, "type": "branch"}
    assert findings.title(graph_of(history)) == "1 was published as 2"
    assert staged != 0


def test_a_table_that_lost_every_snapshot_is_no_new_one() -> None:
    history = History(1)
    assert findings.title(graph_of(history)) == "No snapshot yet"
    history.sequence = 50
    assert findings.title(graph_of(history)) == "No snapshot is left"


def test_contradictions_are_counted_where_they_are_many() -> None:
    history = History(1)
    history.point_main(history.commit(None))
    assert snapshot_graph_words.contradictions(graph_of(history)) == ""
    history.refs |= {f"t{i}": {"snapshot-id": i, "type": "tag"} for i in range(5)}
    words = snapshot_graph_words.contradictions(graph_of(history))
    assert "tag t0 points at snapshot 0, which is not listed" in words
    assert words.endswith("; 2 more.")


def test_each_snapshot_says_why_it_still_stands() -> None:
    history, ids = mock_story()
    graph = graph_of(history)
    reasons = {number: snapshot_graph_words.standing(graph, graph.by_id[i]) for number, i in ids.items() if number > 1}
    assert "main points here" in reasons[7]
    assert reasons[4].startswith("Staged for audit under wap.id load-1120; published as 7 …")
    assert "main rolled back to 3 …" in reasons[6]


@given(st.builds(random_history, st.integers(0, 10**6), st.integers(0, 50)))
def test_every_history_can_be_put_into_words(history: History) -> None:
    graph = graph_of(history)
    assert findings.title(graph)
    assert "None" not in findings.title(graph)
    for node in graph.nodes:
        for text in (
            snapshot_graph_words.name(graph, node),
            account(node.snapshot),
            snapshot_graph_words.standing(graph, node),
        ):
            assert text
            assert "None" not in text
    assert {note.certainty for note in snapshot_graph_evidence.notes(graph)} <= {"exact", "inferred", "unknown"}
    for parent, child in snapshot_graph_words.clock_backwards(graph):
        ids = child.snapshot.snapshot_id, parent.snapshot.snapshot_id
        earlier, later = (history.snapshots[i]["timestamp-ms"] for i in ids)
        assert earlier < later
    for node in graph.nodes:
        parent = graph.parent(node)
        if parent is not None:
            between = set(range(parent.snapshot.sequence_number + 1, node.snapshot.sequence_number))
            same_lane = {n.snapshot.sequence_number for n in graph.nodes if n.lane == node.lane}
            assert bool(snapshot_graph_words.spent_elsewhere(graph, node)) == bool(between - same_lane)


def snapshot(operation: str | None, **summary: int) -> Snapshot:
    return Snapshot(1, None, 1, None, operation, {k.replace("_", "-"): str(v) for k, v in summary.items()}, None, None)


@pytest.mark.parametrize(
    ("given_snapshot", "words"),
    [
        (snapshot("append", added_data_files=3, added_records=318204), "Added 3 data files with 318,204 rows."),
        (
            snapshot("overwrite", added_data_files=1, added_records=2, deleted_data_files=1, deleted_records=1),
            "Added 1 data file with 2 rows; removed 1 data file with 1 row.",
        ),
        (
            snapshot("delete", added_dvs=2, added_delete_files=2, added_position_deletes=7),
            "Added 2 deletion vectors and 7 row positions masked.",
        ),
        (
            snapshot("replace", added_data_files=1, added_records=9, deleted_data_files=4, deleted_records=9),
            "Rewrote files without changing a row: 4 data files with 9 rows became 1 data file with 9 rows.",
        ),
        (
            snapshot("replace", manifests_created=1),
            "Reorganized metadata only: no file was added or removed, no row changed.",
        ),
        (snapshot("append", total_records=0), "Changed nothing: no file was added or removed."),
        (snapshot("append"), "What it changed is not recorded."),
        (snapshot(None), "The operation is not recorded."),
    ],
)
def test_a_commit_accounts_for_itself_from_its_summary(given_snapshot: Snapshot, words: str) -> None:
    assert account(given_snapshot) == words


def test_schema_changes_follow_field_ids() -> None:
    old = (
        SchemaField(1, "id", "int", True),
        SchemaField(2, "note", "string", False),
        SchemaField(3, "a", "int", False),
    )
    new = (SchemaField(1, "id", "long", True), SchemaField(3, "b", "int", False), SchemaField(4, "note", "int", False))
    assert schema_change(old, new) == ("+ note int", "− note", "id: int → long", "a → b")


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (0, "0"),
        (9999, "9,999"),
        (10_000, "10k"),
        (318_204, "318k"),
        (999_499, "999k"),
        (999_500, "1M"),
        (1_648_211, "1.65M"),
        (None, "unknown"),
    ],
)
def test_marks_show_counts_in_four_figures_at_most(n: int | None, text: str) -> None:
    assert formats.compact(n) == text


def test_numbers_times_and_ids_are_written_as_the_grammar_says() -> None:
    at = datetime(2026, 11, 18, 13, 40, 7, 218_000, UTC)
    assert formats.instant(at) == "2026-11-18 13:40:07.218 UTC"
    assert formats.moment(at) == "18 Nov 13:40"
    assert formats.size(421_000_000) == "421 MB"
    assert [formats.duration(s) for s in (0.6, 41, 185)] == ["0.6 s", "41 s", "3 min"]
    assert formats.duration(timedelta(days=12)) == "12 days"
    assert formats.ranges([14, 13, 3, 7, 1, 2]) == "1–3, 7, 13–14"
    assert formats.short_ids([3471902266518409118, 3471902266518402081]) == {
        3471902266518409118: "…9118",
        3471902266518402081: "…2081",
    }
    assert formats.short_ids([10**18 + 119118, 10**18 + 229118])[10**18 + 229118] == "…229118"


def test_a_part_of_a_history_says_which_part_and_what_happened_there() -> None:
    graph = snapshot_graph_stories.orders().graph()
    by_number = {node.snapshot.sequence_number: node for node in graph.nodes}
    part = tuple(by_number[n] for n in range(11, 17))
    assert view_title(graph, part) == "11–16 of 18: 13–14 were rolled back, 12 was published as 16"
    assert view_title(graph, (by_number[18],)) == "18 of 18: main went from 18,416,115 to 18,727,415 rows"
    assert view_title(graph, (by_number[5], by_number[6])) == "5–6 of 18: main went from 17,218,204 to 17,525,104 rows"
    assert view_title(graph, ()) == "No snapshot in view of 15 snapshots"


def test_a_turn_of_main_is_named_by_where_it_went() -> None:
    graph = snapshot_graph_stories.replaced().graph()
    turns = [snapshot_graph_words.turned(graph, move) for move in graph.moves if move.kind not in ("commit", "advance")]
    assert turns == ["replaced by 4", "main set to 6"]
    graph = snapshot_graph_stories.orders().graph()
    assert "rolled back to 11" in [snapshot_graph_words.turned(graph, move) for move in graph.moves]


def test_rows_are_masked_anew_only_beyond_those_that_were_masked_before() -> None:
    story = snapshot_graph_stories.Story()
    story.commit("delete", added_position_deletes=10, removed_position_deletes=4)
    story.commit("replace", parent=1, added_position_deletes=4, removed_position_deletes=10)
    story.commit("append", parent=2, added_records=4)
    story.commit("append", parent=3)
    assert [masked(node.snapshot) for node in story.graph().nodes] == [6, None, None, None]


def test_only_rewritten_files_carry_rows_over() -> None:
    story = snapshot_graph_stories.Story()
    for operation, added, removed in (
        ("overwrite", 5, 4),
        ("replace", 5, 5),
        ("overwrite", 5, 0),
        ("delete", 0, 5),
        ("append", 5, 0),
    ):
        story.commit(operation, parent=story.sequence or None, added_records=added, deleted_records=removed)
    carries = [columns.carries_over(node.snapshot) for node in story.graph().nodes]
    assert carries == [True, True, False, False, False]
