from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from explorer.engine import Worker
from explorer.table import Table
from explorer.table.picture import Picture
from explorer.widgets import drawers as drawers_module
from explorer.widgets.activity import Activity
from explorer.widgets.browser import Page
from explorer.widgets.drawers import Drawers, text_cells
from explorer.widgets.error_strip import ErrorStrip
from tests.table.made_picture import MadePicture
from tests.widgets.tabs import until


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


@pytest.fixture
def activity(spark: SparkSession) -> Activity:
    """Answers at once."""
    return Activity(Worker(spark, same_thread=True), ErrorStrip())


def opened(page: Page, activity: Activity, picture: Picture, drawer: str, rows: list[int] | None = None) -> Drawers:
    drawers = Drawers(page, activity, ErrorStrip(), (rows if rows is not None else []).append)
    drawers.show(picture)
    drawers.toggle(drawer)
    return drawers


def test_downloads_hold_all_rows_with_exact_ids(
    spark: SparkSession, picture: Picture, page: RememberingPage, activity: Activity
) -> None:
    ids = sorted(str(row.snapshot_id) for row in picture.frame.collect())
    buttons = opened(page, activity, picture, "data")._body.children[0].children
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


def test_a_selected_row_is_known_by_its_place_in_the_data(
    picture: Picture, page: RememberingPage, activity: Activity
) -> None:
    rows: list[int] = []
    drawers = opened(page, activity, picture, "data", rows)
    drawers._grid.selected_rows = [2]
    assert rows == [2]


def test_a_drawer_opens_and_closes_and_follows_the_picture(
    picture: Picture, page: RememberingPage, activity: Activity
) -> None:
    drawers = opened(page, activity, picture, "sql")
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


@pytest.mark.parametrize(("first", "shown"), [("top", range(10)), ("bottom", range(20, 30))])
def test_the_rows_shown_are_those_that_come_first_and_what_is_left_out_is_counted(
    page: RememberingPage, activity: Activity, monkeypatch: pytest.MonkeyPatch, first: Any, shown: range
) -> None:
    monkeypatch.setattr(drawers_module, "GRID_ROWS", 10)
    seen: list[pd.DataFrame] = []
    monkeypatch.setattr(drawers_module, "text_cells", lambda rows: seen.append(rows) or text_cells(rows))
    selected: list[int] = []
    picture = MadePicture(lambda: pd.DataFrame({"n": range(30)}), first, 1_000)
    drawers = opened(page, activity, picture, "data", selected)
    assert seen[0]["n"].tolist() == list(shown)
    end = "first" if first == "top" else "last"
    assert drawers._grid.caption == f"The {end} 10 of 1,000 rows; a download has 30, picture.frame has all"
    assert [button.tooltip for button in drawers._body.children[0].children] == [
        "30 of the 1,000 rows of this picture, ids exact"
    ] * 2
    drawers._grid.selected_rows = [2]
    assert selected == [shown[2]]


def test_rows_that_are_all_there_are_called_so(page: RememberingPage, activity: Activity) -> None:
    drawers = opened(page, activity, MadePicture(lambda: pd.DataFrame({"n": range(3)}), there_are=3), "data")
    assert drawers._grid.caption == ""
    assert drawers._body.children[0].children[0].tooltip == "All rows of this picture, ids exact"


def test_a_downloaded_csv_runs_nothing_in_a_spreadsheet(page: RememberingPage, activity: Activity) -> None:
    drawers = opened(page, activity, MadePicture(lambda: pd.DataFrame({"n": ["=1+1"]})), "data")
    drawers._body.children[0].children[0].click()
    assert page.given == ("made.csv", b"n\n'=1+1\n", "text/csv")


@pytest.fixture
def working(spark: SparkSession) -> Iterator[Activity]:
    """Answers on a thread of its own."""
    made = Activity(Worker(spark), ErrorStrip())
    yield made
    made.close()


def test_rows_are_read_on_the_workers_thread_and_may_be_given_up(page: RememberingPage, working: Activity) -> None:
    threads: list[threading.Thread] = []
    is_read = threading.Event()

    def read() -> pd.DataFrame:
        threads.append(threading.current_thread())
        is_read.wait(120)
        return pd.DataFrame({"n": [1]})

    drawers = opened(page, working, MadePicture(read), "data")
    until(lambda: threads)
    assert threads[0] is not threading.current_thread()
    assert drawers._grid is None
    working.cancel()
    until(lambda: "Reading rows: made” was cancelled" in working._errors._text.value)
    is_read.set()
    drawers.toggle("data")
    drawers.toggle("data")
    until(lambda: drawers._grid is not None)


def test_late_rows_of_an_older_picture_or_a_closed_drawer_are_not_shown(
    page: RememberingPage, working: Activity
) -> None:
    begun, is_read = threading.Event(), threading.Event()

    def read() -> pd.DataFrame:
        begun.set()
        is_read.wait(120)
        return pd.DataFrame({"old": [1]})

    older, newer = MadePicture(read), MadePicture(lambda: pd.DataFrame({"new": [1, 2]}))
    drawers = opened(page, working, older, "data")
    begun.wait(120)
    drawers.show(newer)
    is_read.set()
    until(lambda: drawers._grid is not None)
    older.data.to_dict()
    assert drawers._first_row == 0
    assert drawers._body.children[1] is drawers._grid
    assert "new" in str(drawers._grid.get_state())
    grid = drawers._grid
    drawers._show_rows(older)
    assert drawers._grid is grid
    drawers.toggle("data")
    drawers._show_rows(newer)
    assert drawers._body.children == ()


def test_a_picture_that_is_shown_again_is_not_read_again(page: RememberingPage, activity: Activity) -> None:
    picture = MadePicture(lambda: pd.DataFrame({"n": [1]}))
    drawers = opened(page, activity, picture, "data")
    grid = drawers._grid
    drawers.show(picture)
    assert drawers._grid is grid
