"""The two bands between header and filter: what deserves attention, and all commits at a glance."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.table import Table
from explorer.widgets import TableExplorer
from explorer.widgets.attention import attention, badges
from explorer.widgets.explorer import TABS
from explorer.widgets.pictures.snapshot_graph_panel import panel
from tests.figures import snapshot_graph_stories
from tests.widgets.tabs import ids, no_error, until


def press(explorer: TableExplorer, act: str, value: str) -> None:
    explorer._page._received(None, {"kind": "act", "act": act, "value": value}, None)


def places(explorer: TableExplorer) -> list[tuple[float, str]]:
    """Left edge and commit of each place that answers the pointer."""
    shown = str(explorer._overview._history.value)
    return [(float(x), i) for x, i in re.findall(r'<i style="left:([0-9.]+)px[^>]*data-value="([0-9]+)"', shown)]


def findings_of(line: str) -> list[str]:
    """Each finding of the line, in words."""
    return [
        html.unescape(words) for words in re.findall(r"<(?:button|span) [^>]*iceberg-(?:act|found)[^>]*>([^<]+)<", line)
    ]


def test_every_commit_has_a_place_that_selects_it(explorer: TableExplorer) -> None:
    assert [snapshot for _, snapshot in places(explorer)] == ids(explorer)
    before = explorer._overview._history.value
    first, second, *_ = ids(explorer)
    press(explorer, "select", first)
    press(explorer, "beside", second)
    assert (explorer.state.snapshot, explorer.state.compared) == (first, second)
    assert explorer._overview._history.value == before, "only the marks are sent again"


def test_what_is_drawn_over_the_strip_is_the_window(explorer: TableExplorer) -> None:
    (x0, first), (x1, second), *_ = places(explorer)
    explorer._page._received(None, {"kind": "brush", "box": [x0 + 2, 10, x1 + 2, 60]}, None)
    assert explorer.state.window == (first, second)
    marked = explorer._overview._marks.value
    explorer._page._received(None, {"kind": "brush", "box": [-50.0, 0, 9_999, 60]}, None)
    assert explorer.state.window == (ids(explorer)[0], ids(explorer)[-1])
    assert explorer._overview._marks.value != marked


def test_a_and_b_stand_where_the_chips_have_them(explorer: TableExplorer) -> None:
    first, second, *_ = ids(explorer)
    drawn = []
    for one, other in ((first, second), (second, first)):
        explorer.state.clear()
        explorer.state.snapshot, explorer.state.compared = one, other
        drawn.append(explorer._overview._marks.value)
    assert drawn[0] == drawn[1]


def test_theme_width_and_new_commits_draw_the_strip_again(spark: SparkSession, fresh_table: Callable[..., str]) -> None:
    name = fresh_table("growing")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    explorer = TableExplorer(Table.open(name, spark))
    assert places(explorer) == []
    assert "no snapshot is listed" in explorer._attention.value
    spark.sql(f"INSERT INTO {name} VALUES (1)")
    explorer.reload()
    until(lambda: len(places(explorer)) == 1)
    drawn = {explorer._overview._history.value}
    explorer.state.theme = "dark"
    drawn.add(explorer._overview._history.value)
    explorer.state.width = 1400
    drawn.add(explorer._overview._history.value)
    assert len(drawn) == 3
    assert no_error(explorer)
    explorer.close()


@pytest.mark.parametrize("story", list(snapshot_graph_stories.STORIES))
def test_each_thing_that_deserves_attention_leads_to_its_commit(story: str) -> None:
    graph = snapshot_graph_stories.STORIES[story]()
    line = attention(graph)
    led = [int(i) for i in re.findall(r'data-act="history" data-value="(-?[0-9]+)"', line)]
    assert all(i in graph.by_id for i in led)
    plain = html.unescape(re.sub("<[^>]+>", " ", line))
    retried = [node for node in graph.nodes if (node.snapshot.attempt or 0) > 1]
    assert ("tried again" in plain) == bool(retried)
    waiting = [n for n in graph.nodes if n.state == "staged" and n.published_as not in graph.by_id]
    assert bool(re.search("is staged|are staged", plain)) == bool(waiting)
    counts = badges(graph)
    assert counts.keys() <= TABS.keys()
    assert sum(map(int, counts.values())) == line.count('class="iceberg-act"') + line.count("iceberg-found")
    assert counts.get("Manifests") == ("1" if retried else None)
    told = html.unescape(re.sub("<[^>]+>", " ", panel(graph, None, None)))
    assert all(words in told for words in findings_of(line)[:6])
