from __future__ import annotations

import io
from collections.abc import Callable

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from explorer.table import Table
from explorer.table.picture import Picture
from explorer.widgets.browser import Page
from explorer.widgets.drawers import Drawers, text_cells
from explorer.widgets.error_strip import ErrorStrip


@pytest.fixture(scope="module")
def picture(spark: SparkSession, fresh_table: Callable[..., str]) -> Picture:
    name = fresh_table("drawers")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    for i in range(3):
        spark.sql(f"INSERT INTO {name} VALUES ({i})")
    return Table.open(name).snapshot_graph()


class RememberingPage(Page):
    def download(self, filename: str, content: bytes, media_type: str) -> None:
        self.given = (filename, content, media_type)


@pytest.fixture
def page() -> RememberingPage:
    return RememberingPage()


def opened(page: Page, picture: Picture, drawer: str, rows: list[int] | None = None) -> Drawers:
    drawers = Drawers(page, ErrorStrip(), (rows if rows is not None else []).append)
    drawers.show(picture)
    drawers.toggle(drawer)
    return drawers


def test_downloads_hold_all_rows_with_exact_ids(spark: SparkSession, picture: Picture, page: RememberingPage) -> None:
    ids = sorted(str(row.snapshot_id) for row in picture.frame.collect())
    buttons = opened(page, picture, "data")._body.children[0].children
    buttons[0].click()
    name, content, _ = page.given
    assert name == "snapshot_graph.csv"
    assert sorted(pd.read_csv(io.BytesIO(content), dtype=str)["snapshot_id"]) == ids
    buttons[1].click()
    name, content, _ = page.given
    assert name == "snapshot_graph.parquet"
    read = pd.read_parquet(io.BytesIO(content))
    assert sorted(read["snapshot_id"]) == ids
    assert read["refs"].map(list).tolist() == picture.data["refs"].tolist()


def test_a_selected_row_is_told_by_its_place_in_the_data(picture: Picture, page: RememberingPage) -> None:
    rows: list[int] = []
    drawers = opened(page, picture, "data", rows)
    drawers._grid.selected_rows = [2]
    assert rows == [2]


def test_a_drawer_opens_and_closes_and_follows_the_picture(picture: Picture, page: RememberingPage) -> None:
    drawers = opened(page, picture, "sql")
    assert "sequence-number" in drawers._body.children[0].value
    drawers.toggle("notes")
    assert "iceberg-exact" in drawers._body.children[0].value
    drawers.toggle("notes")
    assert drawers._body.children == ()


def test_cells_show_ids_whole_times_complete_and_missing_as_nothing(picture: Picture) -> None:
    cells = text_cells(picture.data)
    assert cells["snapshot_id"].tolist() == picture.data["snapshot_id"].tolist()
    assert cells["parent_id"][0] == ""
    assert cells["committed_at"][0].endswith(" UTC")
    assert cells["refs"].tolist()[-1] == "main"
