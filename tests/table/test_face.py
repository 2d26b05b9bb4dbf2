from __future__ import annotations

from collections.abc import Callable

import nbformat
import pytest
from nbconvert import HTMLExporter
from pyspark.sql import SparkSession

import explorer
from explorer.table.picture import Picture
from explorer.widgets import TableExplorer


@pytest.fixture(scope="module")
def name(spark: SparkSession, fresh_table: Callable[..., str]) -> str:
    name = fresh_table("face")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1)")
    return name


def test_the_face_answers_again_and_again(name: str) -> None:
    for _ in range(2):  # the module `table` must not take the place of the function
        table = explorer.table(name)
        assert isinstance(table, explorer.Table)
        assert isinstance(table.snapshot_graph(), Picture)


def test_a_session_that_is_given_is_used_as_it_is(spark: SparkSession, name: str) -> None:
    before = {row.key: row.value for row in spark.sql("SET").collect()}
    assert explorer.table(name, spark).spark is spark
    assert {row.key: row.value for row in spark.sql("SET").collect()} == before


def test_a_picture_shows_itself_without_widgets(name: str) -> None:
    bundle = explorer.table(name).snapshot_graph()._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert "main holds " in bundle["text/plain"]
    assert "<script" not in bundle["text/html"]


def test_the_explorer_selects_what_its_state_is_set_to(name: str) -> None:
    opened = explorer.open(name)
    assert isinstance(opened, TableExplorer)
    (snapshot_id,) = opened.table.snapshot_graph().data["snapshot_id"]
    opened.state.snapshot = snapshot_id
    assert snapshot_id in opened._view._panel.value
    opened.close()


def test_a_saved_notebook_converts_to_a_page_with_picture_and_table(name: str) -> None:
    opened = explorer.open(name)
    output = nbformat.v4.new_output("execute_result", data=opened._repr_mimebundle_(), execution_count=1)
    opened.close()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("explorer.open(…)", outputs=[output])])
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert "data:image/svg+xml;base64," in page
    assert opened.table.snapshot_graph().data["snapshot_id"][0] in page
    assert "Run the cell in Jupyter to explore it" in page


def test_errors_show_no_traceback_in_a_notebook() -> None:
    error = explorer.TableNotFound("No table x.", found="db holds y.", next_step="Did you mean y?")
    assert error._render_traceback_() == ["TableNotFound: No table x.\ndb holds y.\nDid you mean y?"]
