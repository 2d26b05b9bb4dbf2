"""Two tables played together, without a browser: what each step tells, and what is left without widgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pyspark.sql import SparkSession

import explorer
from explorer.errors import ExplorerError
from tests.widgets.tabs import until


@pytest.fixture(scope="module")
def names(spark: SparkSession, fresh_table: Callable[..., str]) -> tuple[str, str]:
    """One of two commits on main and another one on a branch; one of three on main."""
    made = []
    for commits in (2, 3):
        name = fresh_table(f"beside_{commits}")
        spark.sql(f"CREATE TABLE {name} (id INT, value STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
        for n in range(1, commits + 1):
            spark.sql(f"INSERT INTO {name} VALUES ({n}, 'in {commits}')")
        made.append(name)
    spark.sql(f"ALTER TABLE {made[0]} CREATE BRANCH aside")
    spark.sql(f"INSERT INTO {made[0]}.branch_aside VALUES (9, 'no step')")
    return made[0], made[1]


@pytest.fixture
def playback(names: tuple[str, str], spark: SparkSession) -> Iterator[explorer.SideBySidePlayback]:
    left, right = (explorer.table(name, spark) for name in names)
    made = explorer.play_side_by_side(left, right, names=("A: <b>two</b>", "B: three"), identifier_columns=["id"])
    yield made
    made.close()


def shown(playback: explorer.SideBySidePlayback) -> tuple[int, ...]:
    return tuple(side.commit.snapshot.sequence_number for side in playback.picture.facts)


def test_each_step_shows_the_same_commit_of_both_and_one_that_has_fewer_stays(
    playback: explorer.SideBySidePlayback, names: tuple[str, str]
) -> None:
    back, on = playback._buttons
    assert shown(playback) == (2, 3)
    assert playback._where.value == "<b>step 3 of 3</b>; A ended with 2"
    assert (back.disabled, on.disabled) == (False, True)
    back.click()
    until(lambda: shown(playback) == (2, 2) and "iceberg-stale" not in playback._stage._dom_classes)
    assert playback._where.value == "<b>step 2 of 3</b>"
    playback._key("ArrowLeft", True)
    until(lambda: shown(playback) == (1, 1))
    assert (back.disabled, on.disabled) == (True, False)
    playback._key("ArrowLeft", False)
    assert playback.step == 1
    alone = explorer.side_by_side(*names, at=(1, 1), names=("A: <b>two</b>", "B: three"), identifier_columns=["id"])
    assert playback.picture.title == alone.title
    assert not playback._errors._text.value


def test_a_step_is_read_once(playback: explorer.SideBySidePlayback, monkeypatch: pytest.MonkeyPatch) -> None:
    last = playback.picture
    playback._key("ArrowLeft", False)
    until(lambda: shown(playback) == (2, 2))
    for table in playback.tables:
        monkeypatch.setattr(table, "commit", None)
    playback._key("ArrowRight", False)
    until(lambda: playback.picture is last)


def test_of_a_step_that_cannot_be_read_it_is_said_what_is_drawn_instead(
    playback: explorer.SideBySidePlayback, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ExplorerError("the commits of this step", found="their list is gone", next_step="go on")

    with monkeypatch.context() as lost:
        lost.setattr(playback.tables[1], "commit", refuse)
        playback._key("ArrowLeft", False)
        until(lambda: "their list is gone" in playback._errors._text.value)
    until(lambda: playback._where.value == "<b>step 2 of 3</b>; not read, what is drawn is step 3")
    assert "iceberg-stale" in playback._stage._dom_classes
    assert shown(playback) == (2, 3)
    playback._key("ArrowLeft", False)
    until(lambda: shown(playback) == (1, 1))
    assert playback._where.value == "<b>step 1 of 3</b>"
    assert "iceberg-stale" not in playback._stage._dom_classes


def test_a_table_is_opened_below_at_the_commit_of_the_step(playback: explorer.SideBySidePlayback) -> None:
    playback._key("ArrowLeft", True)
    until(lambda: shown(playback) == (1, 1))
    playback._open(1)
    assert list(playback.explorers) == [1]
    opened = playback.explorers[1]
    assert playback._below.children == (opened,)
    first = playback.picture.facts[1].commit.snapshot.snapshot_id
    assert opened.state.snapshot == str(first)
    assert opened._tabs.value == "Commit"
    playback._open(0)
    assert playback._below.children == (playback.explorers[0], opened)


def test_it_is_as_wide_as_the_page_and_one_stands_below_the_other_where_that_is_narrow(
    playback: explorer.SideBySidePlayback,
) -> None:
    page = playback.children[0].children[0]
    for width, drawn in ((1_500, 1_466), (1_040, 1_170), (1_000, 966), (500, 560)):
        page.width = width
        assert f'width="{drawn}"' in playback._drawn.value
    page.dark = True
    assert "#111111" in playback._drawn.value
    assert "<b>two</b>" not in playback._drawn.value


def test_without_widgets_the_step_is_a_still_picture(playback: explorer.SideBySidePlayback) -> None:
    bundle = playback._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "data:image/svg+xml;base64," in bundle["text/html"]
    assert "<script" not in bundle["text/html"]


def test_a_table_without_a_snapshot_is_refused(
    names: tuple[str, str], spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("beside_none")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    with pytest.raises(ExplorerError, match="has no snapshot main"):
        explorer.play_side_by_side(names[0], name, spark=spark)
