from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.figures.page.scale import nice_steps
from explorer.figures.page.scene import Bars, Ink, Scene, Shape, Texts
from explorer.figures.page.theme import DARK, LIGHT, Theme
from explorer.figures.snapshot_graph import capsules
from explorer.figures.snapshot_graph import draw as picture
from explorer.figures.snapshot_graph.columns.scale import ticks
from explorer.figures.snapshot_graph.view import view
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.snapshot_graph.facts import SnapshotGraph, snapshot_graph
from explorer.model.snapshot_graph.findings import findings
from explorer.model.snapshot_graph.symmetric_log import SymmetricLog
from tests.benchmarks.generate import Historian, metadata_json
from tests.benchmarks.generate import Shape as Size
from tests.figures import snapshot_graph_stories
from tests.figures.drawings import SNAPSHOT_GRAPH
from tests.figures.snapshot_graph_stories import Story, rows

UNITS = {"k": 10**3, "M": 10**6, "B": 10**9}


def grown(snapshots: int) -> SnapshotGraph:
    size = Size(snapshots=snapshots, expired=50, branches=2, tags=3, staged=3, rollbacks=3, schema_changes=2)
    return snapshot_graph(TableMetadata.from_json(metadata_json(Historian(size).history(), size, "file:/tmp/t")))


def words(scene: Scene, layer: str) -> list[tuple[str, float, float]]:
    """Every text of a layer with its place."""
    [found] = [part for part in scene.layers if isinstance(part, Texts) and part.name == layer]
    return [("".join(span.words for span in text.spans), text.x, text.y) for text in found.items]


def number(label: str) -> float:
    """What `1,000`, `50M` or `33k` stand for."""
    match = re.fullmatch(r"([\d.,]+)([kMB]?)", label)
    assert match
    return float(match[1].replace(",", "")) * UNITS.get(match[2], 1)


def bars_of(scene: Scene) -> Bars:
    [found] = [part for part in scene.layers if isinstance(part, Bars)]
    return found


def steps_of(scene: Scene, ink: Ink) -> Shape:
    [found] = [shape for shape in scene.shapes if shape.plane == "detail" and shape.ink == ink]
    return found


# --- totals


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_line_of_delete_files_reads_on_its_scale_what_the_summaries_say(theme: Theme) -> None:
    graph = grown(120)
    scene = picture.draw(graph, theme, width=1380)
    on_page = words(scene, "page text")
    top = next(y for label, _, y in on_page if label == "delete files")
    scale = [(number(label), y) for label, x, y in on_page if x > 60 and top - 12 < y < top + 40]
    (low, low_y), (high, high_y) = min(scale), max(scale)
    assert low == 0
    assert high > 0
    corners = [xy for _, xy in steps_of(scene, Ink(theme.removed.fill, 1.6)).steps]
    after = {
        round(x, 3): low + (y - low_y) / (high_y - low_y) * (high - low) for x, y in corners
    }  # the last one counts
    main = [node for node in graph.nodes if node.state in ("current", "main")]
    for node in main:
        recorded = int(node.snapshot.summary["total-delete-files"])
        assert after[float(node.column)] == pytest.approx(recorded, abs=0.02 * high)
    shown = [label for label, _, y in on_page if top < y < top + 30]
    assert main[-1].snapshot.summary["total-delete-files"] in shown


def test_a_hole_in_the_totals_is_a_gap_in_the_line() -> None:
    story = Story()
    for n in range(9):
        story.commit("delete", parent=n or None, **rows(masked=5))
    del story.snapshots[story.ids[5]]["summary"]["total-delete-files"]
    story.snapshots[story.ids[6]]["summary"].pop("total-delete-files", None)
    scene = picture.draw(story.graph(), LIGHT)
    strokes = Counter(command for command, _ in steps_of(scene, Ink(LIGHT.removed.fill, 1.6)).steps)
    assert strokes["M"] == 2


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ({}, "no running totals: the summaries of main record none"),
        ({"total_records": 5}, "(data files not recorded, delete files not recorded, bytes not recorded)"),
        (
            {"total_records": 5, "total_data_files": 1, "total_delete_files": 0, "total_files_size": 9},
            "(no delete file)",
        ),
    ],
)
def test_totals_that_are_not_drawn_are_named(summary: dict[str, int], expected: str) -> None:
    story = Story()
    story.commit(**summary)
    assert any(label.endswith(expected) for label, _, _ in words(picture.draw(story.graph(), LIGHT), "page text"))


# --- bars


def test_bars_stand_side_by_side_on_one_line_and_never_stacked() -> None:
    for graph in (grown(90), grown(900)):
        scene = picture.draw(graph, LIGHT, window=(-1.0, graph.column_count + 1.0))
        bars = bars_of(scene).items
        assert len({bar.base for bar in bars}) == 1
        for upwards in (True, False):
            side = sorted((bar.x - bar.width / 2, bar.x + bar.width / 2) for bar in bars if (bar.length > 0) == upwards)
            assert side
            assert all(one[1] <= other[0] + 1e-6 for one, other in itertools.pairwise(side))


def test_a_bar_is_as_long_as_the_logarithm_of_its_rows_and_even_below_a_thousand() -> None:
    story = Story()
    counts = [(10_000, 0), (500, 10_000), (1_000, 250), (1_000_000, 500), (100_000, 100_000)]
    for n, (added, removed) in enumerate(counts):
        story.commit("overwrite", parent=n or None, added_records=added, deleted_records=removed)
    length = {
        (bar.meaning, bar.length > 0): abs(bar.length) for bar in bars_of(picture.draw(story.graph(), LIGHT)).items
    }
    thousand = length[story.id(3), True]
    expected = {10_000: 2.0, 500: 0.5, 1_000: 1.0, 250: 0.25, 1_000_000: 4.0, 100_000: 3.0}
    for n, sides in enumerate(counts, 1):
        for added, recorded in zip((True, False), sides, strict=True):
            if recorded:
                assert length[story.id(n), added] / thousand == pytest.approx(expected[recorded])


def test_more_than_400_commits_share_bars_that_sum_what_one_operation_did() -> None:
    graph = grown(900)
    scene = picture.draw(graph, LIGHT, window=(-1.0, graph.column_count + 1.0))
    bars = bars_of(scene).items
    assert len(bars) < 500
    label = next(
        label for label, _, _ in words(scene, "page text") if label.startswith("rows of the commits that share")
    )
    assert label.endswith("symmetric log, even up to 1,000")
    appended = [bar for bar in bars if bar.length > 0 and bar.colour == LIGHT.added.fill]
    scale = {
        number(label): y for label, x, y in words(scene, "page text") if x > 60 and bars[0].base - 90 < y < bars[0].base
    }
    unit = bars[0].base - scale[1_000]
    summed = sum(1_000 * 10 ** (bar.length / unit - 1) for bar in appended if bar.length >= unit)
    recorded = sum(
        int(n.snapshot.summary.get("added-records", 0)) for n in graph.nodes if n.snapshot.operation == "append"
    )
    assert summed == pytest.approx(recorded, rel=0.03)


@pytest.mark.parametrize("most", [1, 7, 999, 1_000, 1_001, 54_321, 10**7, 2 * 10**12])
def test_labels_of_a_scale_are_apart_and_inside(most: int) -> None:
    scale = SymmetricLog(most, 66.0)
    labels = ticks(scale, most)
    assert scale.length(most) == pytest.approx(66)
    places = [0.0, *map(scale.length, labels)]
    assert all(other - one > 12 for one, other in itertools.pairwise(places))
    assert all(0 < label <= most for label in labels)


@given(st.integers(1, 10**15))
def test_an_even_scale_has_one_or_two_labels_above_0(most: int) -> None:
    first, *above = nice_steps(most, 2)
    assert first == 0
    assert len(above) in (1, 2)
    assert above[-1] <= most
    assert {other - one for one, other in itertools.pairwise([0, *above])} == {above[0]}
    assert re.fullmatch("[125]0*", str(above[0]))


# --- capsules


@pytest.mark.parametrize("name", ["busy 300", "busy 1000", "expired start"])
def test_what_is_worth_a_look_stays_outside_of_capsules(name: str) -> None:
    graph = SNAPSHOT_GRAPH.facts(name)
    window = (100.0, 380.0)
    seen = view(graph, LIGHT, window, 1380)
    assert seen.level == "compact"
    folded = capsules.items(seen)
    in_capsules = [node for items in folded for item in items if item.is_capsule for node in item.nodes]
    every = [node for items in folded for item in items for node in item.nodes]
    assert sorted(n.column for n in every) == [n.column for n in seen.nodes]
    assert in_capsules
    found = {node.snapshot.snapshot_id for finding in findings(graph, seen.nodes) for node in finding.nodes}
    for node in in_capsules:
        assert node.snapshot.operation in ("append", "overwrite")
        assert not node.refs
        assert node.snapshot.snapshot_id not in found
        assert (node.snapshot.attempt or 0) <= 1


def test_a_capsule_never_has_a_bare_number_and_its_bar_is_shared_by_what_it_folds() -> None:
    graph = snapshot_graph_stories.busy(300).graph()
    seen = view(graph, LIGHT, None, 1380)
    scene = picture.draw(graph, LIGHT, width=1380)
    counts = Counter(label for label, _, _ in words(scene, "labels") if label.startswith("×"))
    folded = Counter(f"×{len(item.nodes)}" for items in capsules.items(seen) for item in items if item.is_capsule)
    assert counts
    assert not counts - folded
    overwrites = steps_of(scene, Ink(LIGHT.changed.fill, 3.2)).steps
    with_one = [
        item
        for items in capsules.items(seen)
        for item in items
        if item.is_capsule and any(node.snapshot.operation == "overwrite" for node in item.nodes)
    ]
    assert sum(command == "M" for command, _ in overwrites) == len(with_one)


def test_what_is_chosen_is_drawn_in_its_ring_also_where_it_is_folded() -> None:
    graph = snapshot_graph_stories.busy(300).graph()
    seen = view(graph, LIGHT, None, 1380)
    item = next(item for items in capsules.items(seen) for item in items if len(item.nodes) > 9)
    node = next(node for node in item.nodes if node.snapshot.operation == "append")
    scene = picture.draw(graph, LIGHT, width=1380, selected=str(node.snapshot.snapshot_id))
    drawn = {layer.name: layer.items for layer in scene.selection.layers}
    ground, mark = drawn["chosen"]
    [(x, y)] = drawn["ring"]
    assert [(m.x, m.y) for m in (ground, mark)] == [(x, y)] * 2  # type: ignore[union-attr]
    assert (ground.fill, mark.fill) == (LIGHT.page, LIGHT.added.fill)  # type: ignore[union-attr]
