"""What the panel says of a selected file, in every tab that tells of files: the finding first, ids and paths folded."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.figures.page.names import file_names
from explorer.table import Table
from explorer.widgets import TableExplorer
from explorer.widgets.files import file_key
from explorer.widgets.view import PictureView
from tests.widgets.tabs import ids, no_error, opened, until

KIND_ALONE = {"data", "data file", "deletion vector", "equality deletes", "added data", "removed data file", "row"}


@pytest.fixture(scope="module")
def written(masked: str) -> str:
    return masked


def heading(view: PictureView) -> str:
    found = re.search("<h3>(.*?)</h3>", view._panel.value)
    assert found
    return found[1]


def unfolded(view: PictureView) -> str:
    assert "<summary>Ids and paths</summary>" in view._panel.value
    return re.sub("<details>.*?</details>", "", view._panel.value, flags=re.DOTALL)


@pytest.mark.parametrize("title", ["Commit", "Files", "Deletes", "Manifests"])
def test_a_file_is_told_by_what_became_of_it_and_its_path_is_folded(explorer: TableExplorer, title: str) -> None:
    explorer.state.snapshot = ids(explorer)[-1]
    view = opened(explorer, title)
    until(lambda: view._is_answered)
    seen = 0
    for key in every_file(explorer):
        explorer.state.file = key
        if key.partition("·")[0] not in view._panel.value:
            continue
        seen += 1
        assert heading(view).lower() not in KIND_ALONE
        assert re.search("[:,] ", heading(view)), "more than a kind"
        shown = re.sub('data-value="[^"]*"', "", unfolded(view))  # but for what buttons carry
        assert "/data/" not in shown
        assert "/metadata/" not in shown
    assert seen
    assert no_error(explorer)


def test_the_events_of_a_row_fold_their_ids_and_paths(explorer: TableExplorer) -> None:
    view = opened(explorer, "Row")
    view._condition.value = "id = 3"
    until(lambda: view._is_answered)
    explorer.state.snapshot = ids(explorer)[-1]
    assert "masked by deletion vector" in heading(view)
    assert ids(explorer)[-1] in view._panel.value
    assert ids(explorer)[-1] not in re.sub('data-value="[^"]*"', "", unfolded(view))


def test_ribbons_name_files_by_what_tells_them_apart(spark: SparkSession, written_table: Callable[..., str]) -> None:
    name = written_table(
        "ribbons",
        "CREATE TABLE {t} (id BIGINT, note STRING) USING iceberg TBLPROPERTIES ('format-version' = '3')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'a' FROM range(3)",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'b' FROM range(3, 6)",
        "UPDATE {t} SET note = 'c' WHERE id IN (1, 4)",
    )
    explorer = TableExplorer(Table.open(name, spark))
    try:
        view = opened(explorer, "Commit")
        until(lambda: view._told_by == ())
        ribbons = view._picture.facts.rows.ribbons
        target = ribbons[0].target
        explorer.state.file = target
        sources = [ribbon.source for ribbon in ribbons if ribbon.target == target]
        for short in file_names((path, None) for path in sources).values():
            assert f"<th>From {short}</th>" in view._panel.value
    finally:
        explorer.close()


@pytest.mark.parametrize("title", ["Commit", "Files", "Deletes", "Manifests"])
def test_arrows_go_down_and_up_the_page(explorer: TableExplorer, title: str) -> None:
    view = opened(explorer, title)
    until(lambda: view._is_answered)
    state, known = explorer.state, every_file(explorer)
    met = []
    before = view._live.scene
    while not met or met[-1] not in met[:-1]:
        view.key("ArrowDown", False)
        met.append(state.delete or state.file)
    assert met[-2:] == [met[-2]] * 2, "the last stays selected"
    drawn = met[:-1]
    assert len(drawn) == len(set(drawn)) == {"Commit": 1, "Files": 4, "Deletes": 2, "Manifests": 4}[title]
    assert set(drawn) <= set(known)
    assert view._live.scene != before, "where one is, is seen"
    for wanted in [*drawn[-2::-1], drawn[0]]:
        view.key("ArrowUp", False)
        assert (state.delete or state.file) == wanted
    assert no_error(explorer)


def every_file(explorer: TableExplorer) -> list[str]:
    data = explorer.table.sequence_timeline().data
    offsets = data["content_offset"].astype(object).where(data["content_offset"].notna(), None)
    return [file_key(path, offset) for path, offset in zip(data["file_path"], offsets, strict=True)]
