"""A table that others change while its explorer is open: the header says so, and a reload keeps what it can."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.widgets import TableExplorer
from tests.widgets.tabs import ids, no_error, opened, until


@pytest.fixture(scope="module")
def written(written_table: Callable[..., str]) -> str:
    return written_table(
        "watched", "CREATE TABLE {t} (id INT) USING iceberg", "INSERT INTO {t} VALUES (1)", "INSERT INTO {t} VALUES (2)"
    )


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
