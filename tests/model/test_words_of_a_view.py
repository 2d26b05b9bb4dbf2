from __future__ import annotations

from explorer.model.snapshot_graph import words as snapshot_graph_words
from tests.figures import snapshot_graph_stories


def test_a_part_of_a_history_says_which_part_and_what_happened_there() -> None:
    graph = snapshot_graph_stories.orders().graph()
    by_number = {node.snapshot.sequence_number: node for node in graph.nodes}
    part = tuple(by_number[n] for n in range(11, 17))
    assert snapshot_graph_words.view_title(graph, part) == "11–16 of 18: 13–14 were rolled back, 12 was published as 16"
    assert snapshot_graph_words.view_title(graph, (by_number[18],)) == "18 of 18: 18 is current"
    assert snapshot_graph_words.view_title(graph, (by_number[5], by_number[6])) == "5–6 of 18"
    assert snapshot_graph_words.view_title(graph, ()) == "No snapshot in view of 15 snapshots"


def test_a_turn_of_main_is_told_by_where_it_went() -> None:
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
    assert [snapshot_graph_words.masked(node.snapshot) for node in story.graph().nodes] == [6, None, None, None]


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
    carries = [snapshot_graph_words.carries_over(node.snapshot) for node in story.graph().nodes]
    assert carries == [True, True, False, False, False]
