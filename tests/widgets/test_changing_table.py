"""A table that others change while its explorer is open: the header says so, and a reload keeps what it can."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.table import Table
from explorer.widgets import TableExplorer
from tests.widgets.tabs import ids, no_error, opened, until


@pytest.fixture(scope="module")
def written(written_table: Callable[..., str]) -> str:
    return written_table(
        "watched", "CREATE TABLE {t} (id INT) USING iceberg", "INSERT INTO {t} VALUES (1)", "INSERT INTO {t} VALUES (2)"
    )


def test_watching_follows_the_head_alone_and_says_when_it_was_paused(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("followed")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    for value in (1, 2):
        spark.sql(f"INSERT INTO {name} VALUES ({value})")
    explorer = TableExplorer(Table.open(name, spark))
    try:
        first, second = ids(explorer)
        explorer._watch.value = True
        assert explorer._watch.description == "Watching"
        explorer.state.snapshot, explorer.state.window = second, (first, second)
        spark.sql(f"INSERT INTO {name} VALUES (3)")
        explorer._page._received(None, {"kind": "tick"}, None)
        until(lambda: len(ids(explorer)) == 3)
        third = ids(explorer)[-1]
        until(lambda: "Reloaded: 1 newer commit." in explorer._header.value)
        assert (explorer.state.snapshot, explorer.state.window) == (third, (first, third))

        explorer.state.snapshot = first
        explorer._page.paused = True
        assert "Watching is paused since" in explorer._header.value
        assert explorer._watch.description == "Watch (paused)"
        explorer._page.paused = False
        assert "it was paused from" in explorer._header.value
        assert explorer._watch.description == "Watching"
        spark.sql(f"INSERT INTO {name} VALUES (4)")
        explorer._page._received(None, {"kind": "tick"}, None)
        until(lambda: len(ids(explorer)) == 4)
        until(lambda: "Reloaded: 1 newer commit." in explorer._header.value)
        assert explorer.state.snapshot == first, "what is not the head stays selected"
        fourth, told = ids(explorer)[-1], explorer._activity._text
        until(lambda: told.value.startswith("<b>4 …"))
        assert "arrived</b>: Added 1 data file with 1 row." in told.value
        assert f'data-act="select" data-value="{fourth}"' in told.value
        explorer._act("select", fourth)
        assert explorer.state.snapshot == fourth
        assert no_error(explorer)
    finally:
        explorer.close()


def test_what_others_do_is_announced_and_a_reload_keeps_what_is_still_listed(
    explorer: TableExplorer, spark: SparkSession, written: str
) -> None:
    first, second = ids(explorer)
    explorer.state.snapshot, explorer.state.compared = second, first
    manifests = opened(explorer, "Manifests")
    until(lambda: manifests._picture)
    assert "Changed" not in explorer._header.value

    spark.sql(f"INSERT INTO {written} VALUES (3)")
    explorer._tabs.value = "History"
    until(lambda: "Changed since it was read: 1 newer commit. Reload to see it." in explorer._header.value)
    assert len(ids(explorer)) == 2, "the picture is still that of what was read"
    explorer.reload()
    until(lambda: "Reloaded: 1 newer commit." in explorer._header.value)
    assert "3 snapshots" in explorer._header.value
    assert (explorer.state.snapshot, explorer.state.compared) == (second, first)

    arguments = f"'{written}', snapshot_ids => array({first})"
    spark.sql(f"CALL lab.system.expire_snapshots({arguments.replace(written, written.removeprefix('lab.'), 1)})")
    explorer.reload()
    until(lambda: f"1 snapshot expired. Selected no more, since no longer listed: {first}." in explorer._header.value)
    assert (explorer.state.snapshot, explorer.state.compared) == (second, "")
    assert no_error(explorer)

    spark.sql(f"DROP TABLE {written}")
    explorer.reload()
    until(lambda: "No table" in explorer._errors._text.value)
    until(lambda: "no table has its name any more" in explorer._header.value)
    assert explorer.state.snapshot == second
    assert "2 snapshots" in explorer._header.value, "what was read stays"
