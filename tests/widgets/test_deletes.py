"""The view of deletes, and of why, without a browser, on a live table with an equality delete and a vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.figures.page import as_plotly
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.table import Table
from explorer.widgets import TableExplorer, rows_offer
from explorer.widgets.files import file_key
from tests.figures.pages import words
from tests.widgets.tabs import is_seen, no_error, opened, until


@pytest.fixture(scope="module")
def written(masked: str) -> str:
    return masked


def test_a_pair_of_delete_and_data_file_has_its_clauses_listed(explorer: TableExplorer) -> None:
    view = opened(explorer, "Deletes")
    until(lambda: view._is_answered)
    assert "2 deletes, " in view._panel.value
    facts = view._picture.facts
    assert facts.delete_count == 2
    equality = next(d for d in facts.deletes if d.file.kind == "equality deletes").file
    younger = max(facts.data_files, key=lambda f: f.file.data_sequence_number.value).file
    row = next(
        i
        for i, pair in enumerate(explorer.table.deletes(ruled_out=True).data.itertuples())
        if pair.delete_path == equality.file_path and pair.data_path == younger.file_path
    )
    assert row >= 0
    explorer.state.delete, explorer.state.file = file_key(*equality.key), younger.file_path
    until(lambda: "does not apply" in view._panel.value)
    assert "3 &lt; 2 is false" in view._panel.value
    explorer.state.clear()
    assert explorer.state.delete == ""
    until(lambda: "Click a cell" in view._panel.value)
    assert no_error(explorer)


def test_a_row_of_the_grid_selects_its_pair(explorer: TableExplorer) -> None:
    view = opened(explorer, "Deletes")
    until(lambda: view._is_answered)
    first = view._picture.data.iloc[0]
    view.row_selected(0)
    assert explorer.state.file == first["data_path"]
    assert explorer.state.delete.startswith(first["delete_path"])
    until(lambda: "The delete applies" in view._panel.value)


def test_a_condition_asks_why_and_enter_goes_back(explorer: TableExplorer) -> None:
    view = opened(explorer, "Deletes")
    until(lambda: view._is_answered)
    view._why.value = "id = 2"
    until(lambda: view._picture.name == "why" and view._is_answered)
    assert "1 is masked by deletes and 1 can be read" in view._in_words.value
    assert "3 &lt; 2 is false" in view._panel.value
    view._why.value = "no_such_column = 2"
    until(lambda: not no_error(explorer))
    assert "no_such_column" in explorer._errors._text.value
    assert view._picture.name == "why", "what was on the screen stays"
    view.key("Enter", False)
    until(lambda: view._picture.name == "deletes")
    assert view._why.value == ""


def test_rows_that_are_many_bytes_are_read_at_their_price(
    explorer: TableExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_offer, "READ_BY_ITSELF", 10)
    view = opened(explorer, "Deletes")
    until(lambda: view._is_answered)
    assert not is_seen(view._offer.widget), "deletes are told from manifests, which have no price"
    view._why.value = "id = 2"
    until(lambda: view._offered is not None)
    assert "Rows with id = 2 may be in at most 2 data files, " in view._offer._text.value
    assert "Read on a click" in view._old.value
    assert view._picture.name == "deletes"
    view.key("Enter", False)
    until(lambda: view._picture.name == "why" and view._is_answered)
    assert not is_seen(view._offer.widget)
    view._why.value = ""
    until(lambda: view._picture.name == "deletes" and view._is_answered)
    assert no_error(explorer)


def test_what_is_selected_in_one_tab_is_selected_in_the_others(explorer: TableExplorer) -> None:
    deletes = opened(explorer, "Deletes")
    until(lambda: deletes._is_answered)
    vector = next(d for d in deletes._picture.facts.deletes if d.file.kind == "deletion vector").file
    explorer.state.file = file_key(*vector.key)
    until(lambda: "Deletion vector" in deletes._panel.value)
    manifests = opened(explorer, "Manifests")
    until(lambda: "ADDED deletion vector" in manifests._panel.value)
    timeline = opened(explorer, "Files")
    until(lambda: "Deletion vector" in timeline._panel.value)
    assert no_error(explorer)


def test_a_click_on_a_partition_that_was_only_counted_asks_for_its_pairs(
    spark: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = fresh_table("counted")
    spark.sql(f"CREATE TABLE {name} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region)")
    spark.sql(f"INSERT INTO {name} VALUES (1, 'EU'), (2, 'US')")
    delete_equal(spark, name, spark.sql("SELECT 1L AS id"), partition="region=EU")
    table = Table.open(name, spark)
    monkeypatch.setattr(table._version.readers.deletes, "_most_pairs", 1)  # of two
    explorer = TableExplorer(table)
    try:
        view = opened(explorer, "Deletes")
        until(lambda: view._is_answered)
        assert view._picture.facts.pairs == ()
        cells = next(i for i, trace in enumerate(as_plotly.figure(view._live.scene).data) if trace.name == "cells")
        meanings = list(as_plotly.figure(view._live.scene).data[cells].customdata)
        view._clicked(cells, next(i for i, words in enumerate(meanings) if "region=EU" in words), False)
        until(lambda: view._is_answered and view._picture.facts.partition == (0, "region=EU"))
        assert len(view._picture.facts.pairs) == 1
        assert is_seen(view._whole)
        view.key("Enter", False)
        until(lambda: view._is_answered and view._picture.facts.partition is None)
        assert not is_seen(view._whole)
        assert no_error(explorer)
    finally:
        explorer.close()


def test_many_partitions_are_searched_sorted_and_opened(spark: SparkSession, fresh_table: Callable[..., str]) -> None:
    """In Deletes and in Sequence, each with the fields that belong to it; where pairs are few there are none."""
    name = fresh_table("regions")
    spark.sql(
        f"CREATE TABLE {name} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region) TBLPROPERTIES ("
        "'format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
    )
    spark.sql(f"INSERT INTO {name} SELECT id, concat('r', 100 + id % 25) FROM range(75)")
    spark.sql(f"INSERT INTO {name} SELECT id, concat('r', 100 + id % 25) FROM range(75)")
    for region in ("r103", "r107"):
        spark.sql(f"DELETE FROM {name} WHERE region = '{region}' AND id < 10")
    delete_equal(spark, name, spark.sql("SELECT 3L AS id"), partition="region=r104")
    explorer = TableExplorer(Table.open(name, spark))
    try:
        view = opened(explorer, "Deletes")
        until(lambda: view._is_answered)
        search, sort = view._rows.widgets
        assert is_seen(search)
        assert is_seen(sort)
        assert set(rows(view)) == {"0 region=r103", "0 region=r104", "0 region=r107"}
        sort.value = "name"
        assert rows(view) == ["0 region=r103", "0 region=r104", "0 region=r107"]
        search.value = "r10"
        assert rows(view) == [f"0 region=r10{digit}" for digit in range(10)]
        scene = view._live.scene
        cells = next(i for i, layer in enumerate(scene.layers) if layer.name == "cells")
        place = next(i for i, cell in enumerate(scene.layers[cells].items) if "region=r104" in cell.meaning)
        view._clicked(cells, place, False)
        assert not is_seen(search)
        assert is_seen(view._whole)
        view.key("Enter", False)
        assert is_seen(search)
        search.value = "nowhere"
        assert rows(view) == []

        files = opened(explorer, "Files")
        until(lambda: files._is_answered)
        search, _ = files._rows.widgets
        assert not is_seen(search), "53 files have names"
        spark.sql(f"INSERT INTO {name} SELECT id, concat('r', 100 + id % 25) FROM range(75)")
        explorer.reload()
        until(lambda: files._is_answered and files._picture.facts.total_files > 60)
        assert is_seen(search)
        search.value = "r104"
        shown = words(as_plotly.figure(files._live.scene))
        assert [word for word in shown if word.startswith("region = ")] == ["region = r104"]
        assert "not found by “r104”" in shown
        assert no_error(explorer)
    finally:
        explorer.close()


def rows(view: Any) -> list[str]:
    """The partitions of the picture, from the top."""
    return list(view._live.scene.meta["rows"])
