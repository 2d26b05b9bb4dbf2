"""Two tables next to each other, against what each of them answers alone."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pyspark.sql import SparkSession

import explorer


@pytest.fixture(scope="module")
def names(spark: SparkSession, fresh_table: Callable[..., str]) -> tuple[str, str]:
    """The same rows and changes: by one file for each row, and by one file for all, which the update copies."""
    made = []
    for files in ("three", "one"):
        name = fresh_table(files)
        spark.sql(f"CREATE TABLE {name} (id INT, value STRING) USING iceberg")
        rows = [f"SELECT {i} AS id, '{value}' AS value" for i, value in ((1, "a"), (2, "b"), (3, "c"))]
        for insert in rows if files == "three" else [" UNION ALL ".join(rows)]:
            spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM ({insert})")
        spark.sql(f"UPDATE {name} SET value = 'd' WHERE id = 1")
        made.append(name)
    return made[0], made[1]


def test_two_tables_stand_next_to_each_other_with_one_finding(names: tuple[str, str], tmp_path: Path) -> None:
    left, right = (explorer.table(name) for name in names)
    both = explorer.side_by_side(left, names[1], "raw", names=("A", "B"), identifier_columns=["id"])
    assert both.title == "As many changes in both, but B copied 2 rows more without changing them"
    for name, table in (("A", left), ("B", right)):
        alone = table.changelog(mode="raw", identifier_columns=["id"]).data
        own = both.data[both.data["_table"] == name].drop(columns="_table").reset_index(drop=True)
        assert own.astype(str).to_dict("records") == alone.astype(str).to_dict("records")
    assert both.frame.count() == len(both.data) == both.row_count
    drawn = ElementTree.fromstring(both.save(tmp_path / "both.svg").read_text())
    said = " ".join("".join(part.itertext()) for part in drawn.iter("{http://www.w3.org/2000/svg}text"))
    assert said.count("= carried over: new file, same values") == 1, "one key for both"
    assert both.figure.layout.width >= 1100
    assert set(both._repr_mimebundle_()) == {"text/plain", "text/html"}


def test_they_are_called_by_what_tells_them_apart(names: tuple[str, str]) -> None:
    both = explorer.side_by_side(*names, mode="ownership", identifier_columns="id")
    carried = [{row.key: row.carried_over for row in side.rows} for side in both.facts]
    assert carried == [dict.fromkeys("123", False), {"1": False, "2": True, "3": True}]
    assert {row.condition for side in both.facts for row in side.rows} == {"id = 1", "id = 2", "id = 3"}
    last = [name.rpartition(".")[2] for name in names]
    assert list(dict.fromkeys(both.data["_table"])) == last
    assert both.title.startswith("The same 3 live rows in both, but ")
    same = explorer.side_by_side(names[0], names[0], "changes")
    assert list(dict.fromkeys(same.data["_table"])) == [names[0]]


def test_one_commit_of_each_stands_beside_the_other(names: tuple[str, str], tmp_path: Path) -> None:
    left, right = (explorer.table(name) for name in names)
    both = explorer.side_by_side(left, right, names=("A: a file for each row", "B: one file"), identifier_columns="id")
    assert both.title == "The same change in both, but A wrote 1 row, B 3"
    for name, table in (("A: a file for each row", left), ("B: one file", right)):
        alone = table.commit("main", rows=True, identifier_columns=["id"]).data
        own = both.data[both.data["_table"] == name].drop(columns="_table").reset_index(drop=True)
        assert own.astype(str).to_dict("records") == alone.astype(str).to_dict("records")
    assert both.frame.count() == len(both.data) == both.row_count == 4
    assert both.sql.count("SELECT") >= 2
    drawn = ElementTree.fromstring(both.save(tmp_path / "both.svg").read_text())
    said = " ".join("".join(part.itertext()) for part in drawn.iter("{http://www.w3.org/2000/svg}text"))
    assert "3 rows for 1 change: 3.0×, 1 of 1 file rewritten" in said
    page = both.save(tmp_path / "both.html").read_text()
    assert both.title in page
    assert "click: select" not in page, "a page promises no click"
    assert both.figure.layout.height > 400
    assert "1 row for 1 change: 1.0×, 1 of 3 files rewritten" in said
    assert "In B 2 rows changed owner, not value." in said
    told = [note.about for note in both.notes]
    assert len(told) == len(set(told)), "what is so of both is said once"
    assert "Which rows were updated" in told
    for name, table in (("A: a file for each row", left), ("B: one file", right)):
        alone = table.commit("main", rows=True, identifier_columns=["id"]).notes
        assert {note.about for note in alone} <= {about.removeprefix(f"{name}: ") for about in told}


def test_a_notebook_shows_them_beside_each_other_only_where_its_window_has_room(names: tuple[str, str]) -> None:
    both = explorer.side_by_side(*names, identifier_columns="id")
    page = both.to_static_html()
    wide, narrow = (
        re.findall(r'width="(\d+)"', base64.b64decode(of).decode())[0]
        for of in re.findall(r'(?:srcset|src)="data:image/svg\+xml;base64,([^"]+)"', page)
    )
    assert (int(wide), int(narrow)) == (both.width, 800)
    assert '<source media="(min-width: 1400px)"' in page


def test_the_commits_are_those_that_are_asked_for(names: tuple[str, str]) -> None:
    first = explorer.side_by_side(*names, at=1)
    assert [side.commit.snapshot.sequence_number for side in first.facts] == [1, 1]
    each = explorer.side_by_side(*names, at=(3, "main"))
    assert [side.commit.snapshot.sequence_number for side in each.facts] == [3, 2]
    with pytest.raises(explorer.ExplorerError, match="Leave `at` out"):
        explorer.side_by_side(*names, "net", at=1)
