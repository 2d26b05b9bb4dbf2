"""Invariants of a person's own: kept, broken by the commit that is named, or not understood, each in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

from explorer.cli import main
from explorer.errors import ExplorerError
from explorer.table import Table
from explorer.table.invariants import Invariant, read, watch

UNIQUE = Invariant("unique", "SELECT count(*) = count(DISTINCT id) FROM {t}")
ROWS = "SELECT count(*) FROM {t}"


@pytest.fixture(scope="module")
def doubled(spark: SparkSession, written_table: Callable[..., str]) -> Table:
    """The third commit adds a key again, the fourth removes half of the rows."""
    name = written_table(
        "doubled",
        "CREATE TABLE {t} (id BIGINT) USING iceberg TBLPROPERTIES ('format-version' = '2')",
        "INSERT INTO {t} VALUES (1), (2)",
        "INSERT INTO {t} VALUES (3)",
        "INSERT INTO {t} VALUES (3)",
        "DELETE FROM {t} WHERE id = 3",
        "INSERT INTO {t} VALUES (1)",
    )
    return Table.open(name, spark)


def test_the_file_that_the_readme_shows_is_read(tmp_path: Path) -> None:
    shown = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").partition("```toml\n")[2]
    (tmp_path / "orders.toml").write_text(shown.partition("```")[0], encoding="utf-8")
    assert [invariant.may_fall for invariant in read(tmp_path / "orders.toml")] == [None, 0.05]


def test_the_commit_that_broke_it_is_named(doubled: Table) -> None:
    found = watch(doubled, UNIQUE, "2")
    assert found.state == "broken"
    assert found.snapshot is not None
    assert found.snapshot.sequence_number in (3, 5)  # it was mended by 4, and broken again: a first bad commit
    assert watch(doubled, UNIQUE, "4").snapshot == doubled.snapshot(5)
    assert watch(doubled, UNIQUE, "5").state == "kept"


@pytest.mark.parametrize(("may_fall", "broken"), [(0.4, True), (0.6, False)])
def test_a_number_may_fall_by_so_much(doubled: Table, may_fall: float, broken: bool) -> None:
    found = watch(doubled, Invariant("rows", ROWS, may_fall), "1")
    assert found.state == ("broken" if broken else "kept")
    assert found.snapshot == (doubled.snapshot(4) if broken else None)


def test_what_is_no_invariant_is_said(doubled: Table) -> None:
    assert watch(doubled, Invariant("rows", ROWS), "1").state == "cannot say"
    assert watch(doubled, Invariant("bad", "SELECT nothing FROM {t}"), "1").state == "cannot say"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[invariant", "no TOML"),
        ("", "holds no invariants"),
        ("[[invariant]]\nname = 'a'", "no text `sql`"),
        ("[[invariant]]\nsql = 'a'\nmay_fall = 2", "may_fall is 2"),
        ("[[invariant]]\nsql = 'a'\ntolerance = 2", "tolerance"),
    ],
)
def test_a_file_that_cannot_be_understood_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "i.toml"
    file.write_text(text)
    with pytest.raises(ExplorerError) as refused:
        read(file)
    assert said in str(refused.value)


def test_the_command_for_the_night_fails_with_them(doubled: Table, tmp_path: Path) -> None:
    file = tmp_path / "i.toml"
    file.write_text(f"[[invariant]]\nname = 'unique'\nsql = '{UNIQUE.sql}'\n")
    for form in ("json", "junit", "text"):
        asked = ["health", doubled.name, "--fail-on", "nothing", "--since", "4", "--invariants", str(file)]
        result = CliRunner().invoke(main, [*asked, "--format", form])
        assert result.exit_code == 3, result.output
        assert "Broken by 5" in result.output
        if form == "json":
            assert json.loads(result.stdout)["invariants"][0]["state"] == "broken"
