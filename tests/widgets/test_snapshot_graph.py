"""The snapshot graph as a view, without a browser and without Spark."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from explorer.model.snapshot_graph.facts import SnapshotGraph
from explorer.widgets.context import Context
from explorer.widgets.error_strip import ErrorStrip
from explorer.widgets.key_columns import KeyColumns
from explorer.widgets.pictures.snapshot_graph import SnapshotGraphView
from explorer.widgets.pictures.snapshot_graph_panel import panel
from explorer.widgets.state import ExplorerState
from tests.figures.snapshot_graph_stories import Story


def graph_of(commits: int) -> SnapshotGraph:
    story = Story()
    for number in range(commits):
        story.commit(parent=number or None)
    return story.graph()


def test_a_reload_behind_another_tab_leaves_the_drawers_to_the_picture_in_front() -> None:
    shown: list[Any] = []
    table: Any = SimpleNamespace(name="orders", read_at=datetime(2026, 11, 23, tzinfo=UTC))
    before, after = (SimpleNamespace(facts=graph_of(count), title=f"{count} commits") for count in (2, 3))
    table.snapshot_graph = lambda: before
    activity: Any = None  # nothing is asked
    state = ExplorerState()
    keys = KeyColumns(table, state, activity)
    view = SnapshotGraphView(Context(table, state, activity, ErrorStrip(), keys, shown.append))
    view.shown()
    view.hidden()
    table.snapshot_graph = lambda: after
    view.refresh()
    assert shown == [before], "another picture is in front"
    view.shown()
    assert shown == [before, after]
    table.snapshot_graph = lambda: before
    view.refresh()
    assert shown == [before, after, before]
    view.close()


@pytest.mark.parametrize(
    ("summary", "named"),
    [
        ({"flink.job-id": "94ebe46e"}, "Flink"),
        ({"app_name": "mobile-app", "engine_name": "spark", "engine_version": "4.1"}, "mobile-app · spark 4.1"),
        ({"engine_name": "spark", "engine_version": "4.1"}, "spark 4.1"),
        ({}, "not recorded"),
    ],
)
def test_the_panel_names_the_writer_as_the_band_of_writers_does(summary: dict[str, str], named: str) -> None:
    story = Story()
    story.commit(**summary)
    graph = story.graph()
    assert f"<th>writer</th><td>{named}</td>" in panel(graph, graph.nodes[0], None)
