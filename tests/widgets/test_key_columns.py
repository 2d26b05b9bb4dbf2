"""What tells rows apart, chosen once for all views: proposed by the schema and the files, on the worker."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.widgets import TableExplorer
from tests.widgets.tabs import ids, no_error, opened, until


@pytest.fixture(scope="module")
def written(spark: SparkSession, written_table: Callable[..., str]) -> str:
    """A table whose schema names `region` and `id` together; by bounds and counts `id` alone may be a key."""
    return written_table(
        "keyed",
        "CREATE TABLE {t} (note STRING, id BIGINT NOT NULL, region STRING NOT NULL) USING iceberg",
        "ALTER TABLE {t} SET IDENTIFIER FIELDS region, id",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ 'same', id, 'EU' FROM range(3)",
        "UPDATE {t} SET note = 'other' WHERE id = 1",
    )


def test_columns_are_proposed_when_the_field_is_first_seen_those_of_the_schema_first(explorer: TableExplorer) -> None:
    field = explorer._keys.widget
    assert field.options == (), "opening a table reads no manifest for it"
    view = opened(explorer, "Commit")
    until(lambda: field.options)
    assert set(field.options[0].split(", ")) == {"region", "id"}
    assert field.options[1] == "id"
    assert f"{field.options[0]}: identifier fields, together" in field.tooltip
    assert "\nid: no nulls, and as many values as rows could be" in field.tooltip
    until(lambda: view._told_by == ())
    assert no_error(explorer)


def test_it_is_one_field_for_all_views(explorer: TableExplorer) -> None:
    explorer.state.snapshot = ids(explorer)[1]
    views = {title: opened(explorer, title) for title in ("Commit", "Compare", "Changes", "Row")}
    shown = {title: list(map(id, _all_within(view.widget))) for title, view in views.items()}
    assert [title for title, widgets in shown.items() if id(explorer._keys.widget) in widgets] == list(views)
    explorer._keys.widget.value = "id, region"
    assert explorer.state.key_columns == ("id", "region")
    explorer.state.key = ""
    assert explorer._keys.widget.value == ""


def test_a_table_made_anew_is_looked_at_again(explorer: TableExplorer) -> None:
    opened(explorer, "Commit")
    until(lambda: explorer._keys.widget.options)
    explorer._keys.widget.options = ()
    opened(explorer, "Changes")
    assert not explorer._keys.widget.options, "once is enough"
    explorer._keys.forget()
    opened(explorer, "Commit")
    until(lambda: explorer._keys.widget.options)


def _all_within(widget: object) -> list[object]:
    within = [inner for child in getattr(widget, "children", ()) for inner in _all_within(child)]
    return [widget, *within]
