"""A table played commit by commit, without a browser: what each step tells, and what is left without widgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

import explorer as face
from explorer.errors import ExplorerError
from explorer.figures.page import as_plotly
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.why.what_if import reader_views
from explorer.widgets import Playback
from tests.widgets.tabs import until


@pytest.fixture(scope="module")
def written(spark: SparkSession, fresh_table: Callable[..., str]) -> str:
    """Alice, her deletion and Bob on main; another commit on a branch, which is no step of main."""
    name = fresh_table("played")
    spark.sql(f"CREATE TABLE {name} (id BIGINT, name STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    spark.sql(f"INSERT INTO {name} VALUES (12345, '<b>Alice&')")
    delete_equal(spark, name, spark.sql("SELECT 12345L AS id"))
    spark.sql(f"ALTER TABLE {name} CREATE BRANCH aside")
    spark.sql(f"INSERT INTO {name}.branch_aside VALUES (1, 'Eve')")
    spark.sql(f"INSERT INTO {name} VALUES (12345, 'Bob')")
    return name


@pytest.fixture
def playback(spark: SparkSession, written: str) -> Iterator[Playback]:
    made = face.play(face.table(written, spark), "id = 12345")
    yield made
    made.close()


def seen(view: Any) -> list[dict[str, bool | None]]:
    """For each reader the rows by name, and whether they are seen; once the step is read."""
    until(lambda: view._is_answered)
    return [{row.row.values[1]: row.seen for row in view_.rows} for view_ in reader_views(view._picture.facts)]


def test_every_commit_of_main_is_a_step_and_each_reader_sees_its_own_rows(playback: Playback) -> None:
    view = playback._view
    assert seen(view) == [{"<b>Alice&": True}] * 3
    assert "Step 1 of 3" in view._where.value
    view._buttons[1].click()
    assert seen(view) == [{"<b>Alice&": False}] * 3
    view._buttons[1].click()
    assert seen(view) == [
        {"<b>Alice&": False, "Bob": True},
        {"<b>Alice&": False, "Bob": False},
        {"<b>Alice&": False, "Bob": True},
    ]
    assert "Step 3 of 3" in view._where.value
    view._buttons[0].click()
    assert seen(view) == [{"<b>Alice&": False}] * 3
    assert "Step 2 of 3" in view._where.value
    assert playback._drawers._picture is view._picture


def test_each_step_lists_the_live_files_with_their_numbers_and_what_decides(playback: Playback) -> None:
    view = playback._view
    seen(view)
    assert "No delete is live." in view._panel.value
    assert "iceberg-fold" not in view._panel.value, "what stands below the picture hides nothing of it"
    view.key("ArrowRight", True)
    seen(view)
    assert "equality delete file by id" in view._panel.value
    assert "2 <i>inherited</i>: reaches data &lt; 2 in every file" in view._panel.value
    assert "✓ <b>applies</b>: 1 &lt; 2" in view._panel.value
    assert "✕ does not: 4 &lt; 2 is false" in view._panel.value


def test_the_steps_end_where_main_does(playback: Playback) -> None:
    view = playback._view
    seen(view)
    back, on = view._buttons
    assert (back.disabled, on.disabled) == (True, False)
    view.key("ArrowLeft", False)
    assert "Step 1 of 3" in view._where.value
    view.key("ArrowRight", True)
    seen(view)
    assert (back.disabled, on.disabled) == (False, True)
    view.key("ArrowRight", False)
    assert "Step 3 of 3" in view._where.value


def test_a_step_is_read_once(playback: Playback, monkeypatch: pytest.MonkeyPatch) -> None:
    view = playback._view
    seen(view)
    first = view._picture
    monkeypatch.setattr(playback.table, "why", None)  # the last step was read when the playback was made
    view.key("ArrowRight", True)
    seen(view)
    assert view._picture is not first
    view.key("ArrowLeft", True)
    until(lambda: view._picture is first)


def test_a_row_selects_its_file_in_picture_and_table(playback: Playback) -> None:
    view = playback._view
    seen(view)
    assert "<b><code" not in view._panel.value
    view.row_selected(0)
    assert playback.state.file == view._picture.data["_file"].iloc[0]
    assert "<b><code" in view._panel.value
    ring = next(trace for trace in as_plotly.figure(view._live.scene).data if trace.name == "ring")
    assert ring.x
    playback._key("Escape", False)
    assert "<b><code" not in view._panel.value


def test_the_picture_is_as_wide_as_the_page_for_nothing_lies_beside_it(playback: Playback) -> None:
    view = playback._view
    seen(view)
    for page, picture in ((1_400, 1_400), (1_080, 1_080), (900, 900), (300, 560)):
        playback.state.width = page
        assert view._live.scene.width == picture


def test_without_widgets_the_last_step_is_shown(playback: Playback) -> None:
    bundle = playback._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    page = bundle["text/html"]
    assert "data:image/svg+xml;base64," in page
    assert "Step 3 of 3" in page
    assert "4 &lt; 2 is false" in page
    assert "<b>Alice&" not in page
    assert "<script" not in page


def test_a_condition_that_cannot_be_asked_is_refused_at_once(spark: SparkSession, written: str) -> None:
    with pytest.raises(ExplorerError, match="no_such_column"):
        face.play(face.table(written, spark), "no_such_column = 1")


def test_a_table_without_a_snapshot_says_so(spark: SparkSession, fresh_table: Callable[..., str]) -> None:
    name = fresh_table("unplayed")
    spark.sql(f"CREATE TABLE {name} (id BIGINT) USING iceberg")
    made = face.play(face.table(name, spark), "id = 1")
    assert "no snapshot" in made._view._message.value
    assert "no snapshot" in made._repr_mimebundle_()["text/html"]
    made._view.key("ArrowRight", False)
    made.close()
