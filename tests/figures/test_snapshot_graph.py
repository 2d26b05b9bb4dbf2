from __future__ import annotations

import itertools
import json
import re

import plotly.graph_objects as go
import plotly.io as pio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.page import as_plotly
from explorer.figures.page.theme import DARK, LIGHT
from explorer.figures.snapshot_graph import draw as picture
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.snapshot_graph.facts import snapshot_graph
from tests.conftest import REAL_TABLES
from tests.figures import snapshot_graph_stories
from tests.figures.drawings import SNAPSHOT_GRAPH, windows
from tests.figures.pages import WIDTHS, assert_apart, assert_safe_for_a_browser, elements, plain, texts, trace
from tests.model.histories import History, random_history

every_story = pytest.mark.parametrize("name", SNAPSHOT_GRAPH.stories)
graph_of, figure_of, scene_of = SNAPSHOT_GRAPH.facts, SNAPSHOT_GRAPH.figure_of, SNAPSHOT_GRAPH.scene_of


def words(figure: go.Figure) -> list[str]:
    """Every text on the page, without markup."""
    return [plain(t) for name in ("page text", "labels") for t in trace(figure, name).text or ()]


@every_story
def test_each_snapshot_in_view_can_be_clicked_or_opened(name: str) -> None:
    graph = graph_of(name)
    for window in windows(graph):
        scene = picture.draw(graph, LIGHT, window=window)
        low, high = picture.visible(scene)
        index = picture.LAYERS.index("targets")
        meanings = [picture.clicked(scene, index, i) for i in range(len(scene.layers[index].items))]
        single = {m.snapshot for m in meanings if m}
        opened = [m.columns for m in meanings if m and m.columns]
        for node in graph.nodes:
            if low <= node.column <= high:
                assert str(node.snapshot.snapshot_id) in single or any(a <= node.column <= b for a, b in opened)


def test_opening_a_capsule_again_and_again_ends_at_single_snapshots() -> None:
    story = snapshot_graph_stories.Story()
    for n in range(200):
        story.commit(parent=n or None)
    graph = story.graph()
    window, index = None, picture.LAYERS.index("targets")
    for _ in range(3):
        scene = picture.draw(graph, LIGHT, window=window)
        clicks = [picture.clicked(scene, index, i) for i in range(len(scene.layers[index].items))]
        if all(click and click.snapshot for click in clicks):
            break
        window = next(click.columns for click in clicks if click and click.columns)
    assert clicks
    assert all(click and click.snapshot for click in clicks)


@given(st.integers(0, 10**6), st.integers(0, 90), st.sampled_from(WIDTHS), st.sampled_from([1, 2]))
@settings(max_examples=60)
def test_any_history_can_be_drawn(seed: int, steps: int, width: int, version: int) -> None:
    graph = snapshot_graph(TableMetadata.from_json(random_history(seed, steps).document(version=version)))
    for window in (None, (3.0, 17.0)):
        figure = go.Figure(as_plotly.figure(picture.draw(graph, LIGHT, width=width, window=window)))  # plotly takes it
        assert_apart(texts(figure), figure)
        assert [t.name for t in figure.data] == list(picture.LAYERS)


def test_what_a_table_calls_things_stays_text() -> None:
    figure = figure_of("hostile", name="<i>table</i>")
    assert_safe_for_a_browser(figure)
    shown = " ".join([*words(figure), *(plain(h) for h in trace(figure, "targets").hovertext)])
    for name in ("<script>alert(1)</script>", "\"quoted\" & 'so'", "%{customdata}<extra></extra>", "<i>table</i>"):
        assert name in shown
    assert "line break" in shown


def test_the_selection_changes_five_traces_and_one_shape_and_costs_next_to_nothing() -> None:
    story = snapshot_graph_stories.orders()
    graph = story.graph()
    bare = picture.draw(graph, LIGHT)
    chosen, other = story.id(6), story.id(9)
    drawn = picture.draw(graph, LIGHT, selected=chosen, compared=other)
    pieces = picture.selection(bare, graph, selected=chosen, compared=other)
    assert bare.selecting(pieces) == drawn
    assert [layer.name for layer in pieces.layers] == ["chosen", "halo", "ring", "compared", "elsewhere"]
    whole = as_plotly.figure(drawn)
    assert list(trace(whole, "ring").x) == [graph.by_id[int(chosen)].column]
    assert whole.layout.shapes[0].visible
    assert not as_plotly.figure(picture.draw(graph, LIGHT)).layout.shapes[0].visible


@pytest.mark.parametrize("unknown", ["12345", "", "main", "9" * 40])
def test_a_selection_that_is_not_listed_marks_nothing(unknown: str) -> None:
    figure = figure_of("orders", selected=unknown, compared=unknown)
    assert not any(len(trace(figure, name).x) for name in ("chosen", "halo", "ring", "compared", "elsewhere"))


def test_a_selection_out_of_view_says_where_it_is_and_a_click_goes_there() -> None:
    graph = graph_of("busy 300")
    node = graph.nodes[280]
    scene = picture.draw(graph, LIGHT, window=(10, 40), selected=str(node.snapshot.snapshot_id))
    assert trace(as_plotly.figure(scene), "elsewhere").text == ("<b>selected 281 …3377: not in view ▸</b>",)
    click = picture.clicked(scene, picture.LAYERS.index("elsewhere"), 0)
    assert click is not None
    assert click.columns is not None
    assert click.columns[0] < node.column < click.columns[1]
    assert click.columns[1] - click.columns[0] == pytest.approx(30)


def test_a_window_that_is_asked_for_is_what_the_axis_shows() -> None:
    scene = scene_of("busy 1000", window=(200.25, 333.5))
    assert picture.visible(scene) == as_plotly.figure(scene).layout.xaxis2.range == (200.25, 333.5)
    assert picture.RANGE_AXES == ("xaxis2",)


@pytest.mark.parametrize(("name", "expected"), [
    ("orders", ["13–14 were rolled back, 12 was published as 16; 1–3 have expired", "main: current",
                "tag before-gdpr", "3rd attempt", "wap.id load-1120", "06:41 rolled back to 11", "parent …9940",
                "12 staged · 13–14 rolled back", "8 on audit", "4: + channel string", "20 Nov", "1.65M", "2,390",
                "masked", "published as 16 (cherry-pick: same files, new number)", "audit", "…9118", "expired"]),
    ("empty", ["No snapshot yet"]),
    ("version 1", ["format version 1 has no sequence numbers: columns follow the order of commits", "…5553"]),
    ("upgraded", ["…2468", "0", "4", "main holds 16,005,400 rows in 184 data files"]),
    ("replaced", ["clock 12 min back", "!", "09:00 replaced by 4", "09:45 main set to 6"]),
    ("many lanes", ["20 more lanes"]),
    ("many refs", ["+2 branches", "tag release-2026-06 +13 tags", "tag release-2026-05"]),
    ("busy 300", ["×14", "237",
                  "main holds 89,473,079 rows in 875 data files, of which 12 delete files may mask some;"
                  " 5 snapshots are staged"]),
    ("expired start", ["1–400 expired", "append", "retried"]),
])  # fmt: skip
def test_the_picture_says(name: str, expected: list[str]) -> None:
    shown = words(figure_of(name, width=1500))
    assert [s for s in expected if s not in shown] == []


def test_an_empty_table_says_why_and_what_to_do() -> None:
    shown = " ".join(words(figure_of("empty")))
    assert "last written 18 Nov 2026 06:00 UTC" in shown
    assert "first INSERT" in shown


def test_what_is_left_out_is_counted() -> None:
    lanes = " ".join(words(figure_of("many lanes")))
    assert "20 lanes without their lines" in lanes
    graph = graph_of("busy 300")
    figure = as_plotly.figure(picture.draw(graph, LIGHT, window=(60, 84)))
    lanes_in_view = {n.lane for n in graph.nodes if 60 <= n.column <= 84}
    hidden = [n for n in graph.nodes if n.lane not in lanes_in_view]
    assert hidden
    assert f"staged: {sum(graph.lanes[n.lane].name == 'staged' for n in hidden)}" in " ".join(words(figure))


def test_refs_are_named_or_counted() -> None:
    graph = graph_of("many refs")
    figure = as_plotly.figure(picture.draw(graph, LIGHT))
    shown = words(figure)
    named = sum(1 for s in shown if s.startswith(("tag ", "old-", "team-", "main: ")))
    bundled = sum(int(m[1]) for s in shown if (m := re.search(r"\+(\d+) (?:tags|branches)", s)))
    unnamed = re.search(r"(\d+) refs in view had no room", " ".join(shown))
    assert named + bundled + (int(unnamed[1]) if unnamed else 0) == len(graph.metadata.refs)


@pytest.mark.parametrize("version_1", [True, False])
def test_snapshots_of_version_1_are_named_by_their_ids(version_1: bool) -> None:
    graph = graph_of("version 1" if version_1 else "orders")
    figure = as_plotly.figure(picture.draw(graph, LIGHT, width=1800))
    shown = {plain(label) for label in trace(figure, "labels").text}
    numbers = {f"{n.snapshot.sequence_number}" for n in graph.nodes}
    assert (numbers & shown == set()) is version_1
    assert set(graph.short_ids.values()) <= shown


def test_ten_thousand_snapshots_are_few_elements() -> None:
    graph = snapshot_graph_stories.expired_start(10_100, 100).graph()
    for window in (None, (-10.0, 10_010.0), (3000.0, 3399.0), (4000.0, 4060.0)):
        figure = as_plotly.figure(picture.draw(graph, LIGHT, window=window))
        assert elements(figure) <= 1500


def test_strips_count_every_listed_snapshot_of_a_kind() -> None:
    graph = graph_of("expired start")
    shown = words(figure_of("expired start"))
    for operation in ("append", "overwrite", "delete"):
        count = sum(n.snapshot.operation == operation for n in graph.nodes)
        assert shown[shown.index(operation) + 1] == f"{count:,}"


def test_a_click_on_the_overview_keeps_the_width_of_the_window() -> None:
    scene = scene_of("expired start", window=(500, 640))
    overview = picture.LAYERS.index("overview")
    click = picture.clicked(scene, overview, len(scene.layers[overview].items) // 2)
    assert click is not None
    assert click.columns is not None
    assert click.columns[1] - click.columns[0] == pytest.approx(140, abs=0.1)


def test_beside_a_strip_of_all_commits_there_is_none_of_its_own() -> None:
    graph = graph_of("expired start")
    alone, beside = (picture.draw(graph, LIGHT, alone=is_alone) for is_alone in (True, False))
    overview = picture.LAYERS.index("overview")
    assert alone.layers[overview].items
    assert not beside.layers[overview].items
    assert beside.height < alone.height - 100
    assert picture.visible(beside) == picture.visible(alone)
    shown = {
        words for layer in beside.layers if layer.name == "page text" for item in layer.items for words in [repr(item)]
    }
    assert any("append" in words for words in shown), "the key says what the marks mean"


def test_a_point_that_means_nothing_is_no_click() -> None:
    scene = scene_of("orders")
    assert picture.clicked(scene, picture.LAYERS.index("labels"), 0) is None
    assert picture.clicked(scene, picture.LAYERS.index("targets"), 10_000) is None


def test_bars_are_hatched_where_rows_carried_over_may_be_counted() -> None:
    story = snapshot_graph_stories.orders()
    part = trace(as_plotly.figure(picture.draw(story.graph(), LIGHT)), "rows")
    hatched = {meaning for meaning, shape in zip(part.customdata, part.marker.pattern.shape, strict=True) if shape}
    assert hatched == {story.id(n) for n in (6, 10, 11, 13)}
    longest = max(zip(part.y, part.customdata, strict=True))
    assert longest[1] == story.id(6)


def test_a_thousand_tagged_snapshots_of_another_writer(request: pytest.FixtureRequest) -> None:
    files = sorted((REAL_TABLES / "lithium_1000_snapshots" / "metadata").glob("*.json"))
    if not files:
        pytest.skip(f"no table lithium_1000_snapshots in {REAL_TABLES}")
    graph = snapshot_graph(TableMetadata.from_json(json.loads(files[-1].read_text())))
    for width, window in itertools.product(WIDTHS, (None, (-5.0, 1005.0))):
        figure = as_plotly.figure(picture.draw(graph, LIGHT, width=width, window=window))
        assert_apart(texts(figure), figure)


def test_plotlys_own_default_is_left_alone_and_its_upload_button_is_gone() -> None:
    assert pio.templates.default == "plotly"
    for theme in (LIGHT, DARK):
        figure = figure_of("orders", theme=theme)
        assert "sendChartToCloud" in figure.layout.template.layout.modebar.remove
        assert "sendChartToCloud" in pio.templates[f"explorer_{theme.name}"].layout.modebar.remove


NOWHERE = float("nan"), float("inf")


@pytest.mark.parametrize("window", [(1e9, 2e9), (-2e9, -1e9), (5.0, 5.0), (9.0, 2.0), NOWHERE, NOWHERE[::-1]])
def test_any_window_can_be_drawn(window: tuple[float, float]) -> None:
    graph = graph_of("orders")
    low, high = picture.visible(picture.draw(graph, LIGHT, window=window))
    assert high - low >= 3
    assert max(abs(low), abs(high)) <= 2 * max(graph.column_count, 3) + 2


def test_a_picture_of_metadata_that_contradicts_itself_says_so() -> None:
    history = random_history(3, 30)
    history.refs["lost"] = {"snapshot-id": 5, "type": "tag"}
    for document in (
        history.document(),
        history.document() | {"snapshots": [], "refs": {"lost": history.refs["lost"]}},
    ):
        drawn = as_plotly.figure(picture.draw(snapshot_graph(TableMetadata.from_json(document)), LIGHT))
        assert "tag lost points at snapshot 5" in " ".join(plain(line) for line in words(drawn))


def test_an_empty_table_with_a_past_is_not_called_new() -> None:
    history = random_history(3, 30)
    document = history.document() | {"snapshots": [], "refs": {}, "current-snapshot-id": -1, "snapshot-log": []}
    shown = " ".join(words(as_plotly.figure(picture.draw(snapshot_graph(TableMetadata.from_json(document)), LIGHT))))
    assert f"Commits up to number {history.sequence} were made" in shown


def test_days_name_their_year_where_it_changes() -> None:
    history = History(1)
    for clock in (1_700_000_000_000, 1_700_100_000_000, 1_760_000_000_000):
        history.point_main(only := history.commit(history.main))
        history.snapshots[only]["timestamp-ms"] = clock
    shown = words(as_plotly.figure(picture.draw(snapshot_graph(TableMetadata.from_json(history.document())), LIGHT)))
    assert [day for day in shown if re.match(r"\d+ (Nov|Oct)", day)] == ["14 Nov 2023", "16 Nov", "9 Oct 2025"]
