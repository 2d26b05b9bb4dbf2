"""The view of partitions without a browser, on a live table; and how the other views follow what is chosen in it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from explorer.figures.page.fold import Part
from explorer.figures.page.scene import Box
from explorer.figures.partitions.draw import clicked
from explorer.model.sequence_timeline.facts import Window
from explorer.widgets import TableExplorer
from explorer.widgets.pictures.partitions_panel import panel
from tests.figures.partitions_stories import Told
from tests.widgets.tabs import ids, no_error, opened, until


@pytest.fixture(scope="module")
def written(written_table: Callable[..., str]) -> str:
    """Five commits: four appends to three regions, and a delete in one of them."""
    return written_table(
        "regions",
        "CREATE TABLE {t} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region) "
        "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'EU' FROM range(6)",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, '<US>' FROM range(3)",
        "DELETE FROM {t} WHERE id = 2 AND region = 'EU'",
        "INSERT INTO {t} VALUES (7, 'AP'), (8, 'EU')",
    )


EU = (0, "region=EU")


def test_the_panel_counts_delete_files_of_partitions_without_a_data_file_too() -> None:
    told = Told()
    told.commit()
    told.add("k=a", 5, 2, delete_files=1)
    told.add("k=b", 0, 0, delete_files=3)
    told_of_all = re.sub("<[^>]+>", " ", panel(told.facts(), "live rows", "", None, None))
    assert "1 live partition " in told_of_all
    assert re.search(r"delete files\s+4\b", told_of_all)


def click(view, snapshot: str | None, partition: tuple[int, str] | None, *, shift: bool = False) -> None:
    """On the cell, or the head of the column, or the name, that means this."""
    scene = view._live.scene
    for layer, of in enumerate(scene.layers):
        for item in range(len(of.items)):
            found = clicked(scene, layer, item)
            if found is not None and (found.snapshot, found.partition) == (snapshot, partition):
                view._clicked(layer, item, shift)
                return
    raise AssertionError("nothing means that")


def test_a_click_on_a_cell_selects_its_commit_and_partition_and_the_same_again_neither(
    explorer: TableExplorer,
) -> None:
    view = opened(explorer, "Partitions")
    until(lambda: view._is_answered)
    assert "3 partitions hold 10 rows" in view._in_words.value
    assert "3 live partitions" in view._panel.value
    masked = ids(explorer)[2]
    click(view, masked, EU)
    assert (explorer.state.snapshot, explorer.state.partition) == (masked, EU)
    assert "region = EU (spec 0)" in view._panel.value
    assert "What lives after 3, changed last by 3" in view._panel.value
    assert "region = EU" in explorer._chips.value
    assert "Changed by 2 commits" in view._panel.value
    click(view, masked, EU)
    assert (explorer.state.snapshot, explorer.state.partition) == ("", None)
    click(view, None, (0, _us(view)))
    assert "&lt;US&gt;" in view._panel.value
    assert no_error(explorer)


def _us(view) -> str:
    return next(p.partition for p in view._picture.facts.partitions if "US" in p.partition)


def test_shift_click_and_drag_choose_a_window(explorer: TableExplorer) -> None:
    view = opened(explorer, "Partitions")
    until(lambda: view._is_answered)
    first, second, third, fourth = ids(explorer)
    explorer.state.snapshot = fourth
    click(view, second, None, shift=True)
    assert explorer.state.window == (second, fourth)
    assert "3 commits, 2 to 4" in view._panel.value
    assert "commits " in explorer._chips.value
    view._zoom.value = True
    assert view._live.scene.meta["ends"] == [1, 2, 3]
    explorer.state.clear()
    assert explorer.state.window is None
    assert not view._zoom.value
    meta = view._live.scene.meta
    left, _, step = meta["columns"]
    top, bottom = meta["rows"][[p.partition for p in view._picture.facts.partitions].index("region=EU")]
    explorer._page._received(
        None, {"kind": "box", "box": [left + 1.2 * step, top + 2, left + 2.8 * step, bottom - 2]}, None
    )
    assert explorer.state.window == (second, third)
    assert explorer.state.partition == EU
    assert "What they changed in region = EU" in view._panel.value
    view.dragged(Box(0, 0, 5, 5))
    assert explorer.state.window == (second, third)
    assert first not in explorer.state.window
    assert no_error(explorer)


def test_searching_and_going_along_the_partitions(explorer: TableExplorer) -> None:
    view = opened(explorer, "Partitions")
    until(lambda: view._is_answered)
    view.key("ArrowDown", False)
    assert explorer.state.partition == tuple(view._picture.facts.partitions[0])
    view.key("ArrowDown", False)
    assert explorer.state.partition == tuple(view._picture.facts.partitions[1])
    view._search.value = "eu"
    assert len(view._live.scene.meta["rows"]) == 1
    view.key("ArrowUp", False)
    assert explorer.state.partition == EU
    assert re.search(r"by [^<]+<br>", view._panel.value)  # who wrote each commit
    explorer.state.clear()
    assert view._search.value == ""
    view._search.value = "eu"
    explorer.state.window = ids(explorer)[1], ids(explorer)[3]
    assert "What they changed in partitions named eu:" in view._panel.value
    assert re.search(r"live rows</[^>]+><td[^>]*>\+0<", view._panel.value)  # one deleted, one added
    explorer.state.window, explorer.state.partition = None, EU
    view._search.value = ""
    view._measure.value = "delete files"
    assert "Those with most delete files" not in view._panel.value, "a partition is selected"
    explorer.state.partition = None
    assert "Those with most delete files" in view._panel.value
    every = view._panel.value
    view._search.value = "eu"
    assert "<h3>1 live partition named eu</h3>" in view._panel.value
    view._search.value = "<nowhere>"
    assert "<h3>No partition has &lt;nowhere&gt; in its name</h3>" in view._panel.value
    view._search.value = ""
    assert view._panel.value == every
    explorer.state.partition = (7, "of=another table")
    assert "No commit of this line left a file in it." in view._panel.value
    assert no_error(explorer)


def test_a_row_of_the_grid_selects_its_partition_and_commit(explorer: TableExplorer) -> None:
    view = opened(explorer, "Partitions")
    until(lambda: view._is_answered)
    row = view._picture.data.iloc[2]
    view.row_selected(2)
    assert explorer.state.snapshot == row["snapshot_id"]
    assert explorer.state.partition == (int(row["spec_id"]), row["partition"])
    explorer.state.snapshot = ids(explorer)[0]
    assert "What lives after 1, changed last by 1" in view._panel.value


def test_the_other_views_follow(explorer: TableExplorer) -> None:
    _, second, third, _ = ids(explorer)
    explorer.state.snapshot, explorer.state.partition, explorer.state.window = third, EU, (second, third)
    timeline = opened(explorer, "Files")
    until(lambda: timeline._is_answered)
    assert timeline._picture.facts.window == Window(2, 3, *EU)
    deletes = opened(explorer, "Deletes")
    until(lambda: deletes._is_answered)
    assert deletes._picture.facts.partition == EU
    commit = opened(explorer, "Commit")
    until(lambda: commit._is_answered)
    assert commit._part == str(Part.of_partition(*EU))
    changelog = opened(explorer, "Changes")
    assert changelog._range() == (ids(explorer)[0], third)
    history = opened(explorer, "History")
    explorer.state.window = (third, third)
    assert history._window is not None
    low, high = history._window
    assert low < history.graph.find(third).column < high
    timeline = opened(explorer, "Files")
    until(lambda: timeline._is_answered)
    timeline.key("Enter", False)
    assert (explorer.state.partition, explorer.state.window) == (None, None)
    until(lambda: timeline._is_answered and timeline._picture.facts.window == Window())
    assert commit._part == ""
    assert changelog._since.value == "chosen"
    deletes = opened(explorer, "Deletes")
    until(lambda: deletes._is_answered)
    assert deletes._picture.facts.partition is None
    assert no_error(explorer)
