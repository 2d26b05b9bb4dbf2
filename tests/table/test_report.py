"""The report of an incident: what stands in it, and what must not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

from explorer.cli import main
from explorer.errors import ExplorerError
from explorer.figures.compare.draw import draw
from explorer.figures.page.theme import LIGHT
from explorer.model.triage.facts import SEVERITIES
from explorer.table import Table
from explorer.table.pins import pin
from explorer.terminal.health import failing
from tests.figures.triage_stories import STORIES, triage


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.words: list[str] = []
        self.asks: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.asks += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def seen(path: Path) -> _Seen:
    parser = _Seen()
    parser.feed(path.read_text())
    return parser


@pytest.fixture(scope="module")
def emptied(written_table: Callable[..., str]) -> str:
    """A table of which a statement removed nearly all."""
    return written_table(
        "emptied",
        "CREATE TABLE {t} (id BIGINT, city STRING) USING iceberg PARTITIONED BY (city)"
        " TBLPROPERTIES ('format-version' = '2')",
        "INSERT INTO {t} VALUES (1, 'Vaduz'), (2, 'Vaduz'), (3, 'Vaduz'), (4, 'Ulm')",
        "DELETE FROM {t} WHERE city = 'Vaduz'",
    )


def test_it_has_the_finding_its_commit_and_the_way_back(spark: SparkSession, emptied: str, tmp_path: Path) -> None:
    table = Table.open(emptied, spark)
    path = table.report(tmp_path / "r.html", "rows vanished", question="Where is <Vaduz>?", with_values=True)
    found = seen(path)
    words = " ".join(found.words)
    assert "Commit 2 removed 75% of the table: 3 rows (since 2)" in words, "its headline"
    assert "Where is <Vaduz>?" in words
    assert "CREATE TAG" in words
    assert "rollback_to_snapshot" in words
    assert "Ruled out" in words
    assert "Not answered" in words
    assert not found.tags & {"script", "link", "iframe", "object"}
    assert all(ask.startswith("data:") for ask in found.asks)


def test_no_value_of_a_row_stands_in_it_unless_it_was_asked_for(
    spark: SparkSession, emptied: str, tmp_path: Path
) -> None:
    table = Table.open(emptied, spark)
    assert "Ulm" not in " ".join(seen(table.report(tmp_path / "a.html")).words)


def test_what_cannot_be_written_or_asked_is_said(spark: SparkSession, emptied: str, tmp_path: Path) -> None:
    table = Table.open(emptied, spark)
    with pytest.raises(ExplorerError, match="cannot be written"):
        table.report(tmp_path / "none" / "r.html")
    with pytest.raises(ExplorerError, match="rows doubled"):
        table.triage("something else")


def test_a_nightly_job_fails_by_severity_and_only_for_what_is_new() -> None:
    facts = triage()  # a grave one since 241, a slow one since 292, one worth knowing since 1; known good is 1
    assert [c.signature.name for c in failing(facts, "wrong answers")] == ["file-listed-twice"]
    assert len(failing(facts, "slow")) == 2
    assert failing(facts, "nothing") == ()
    assert failing(STORIES["clean"](), SEVERITIES[-2]) == ()
    late = next(s for s in facts.line if s.sequence_number == 260)
    assert [c.signature.name for c in failing(replace(facts, good=late), "slow")] == ["equality-delete-flood"]


@pytest.mark.parametrize(
    ("fail_on", "code"), [("wrong answers", 3), ("information", 3), ("blocks reading", 0), ("nothing", 0)]
)
@pytest.mark.parametrize("form", ["text", "json", "junit"])
def test_the_command_for_the_night_ends_as_it_was_told(
    spark: SparkSession, emptied: str, fail_on: str, code: int, form: str
) -> None:
    result = CliRunner().invoke(main, ["health", emptied, "--fail-on", fail_on, "--format", form])
    assert result.exit_code == code, result.output
    assert "mass-removal" in result.output


def test_bounds_of_columns_are_values_of_rows(
    spark: SparkSession, written_table: Callable[..., str], tmp_path: Path
) -> None:
    name = written_table(
        "bounds",
        "CREATE TABLE {t} (id BIGINT, city STRING) USING iceberg",
        "INSERT INTO {t} VALUES (1, 'Vaduz')",
        "INSERT INTO {t} VALUES (2, 'Ulm'), (3, NULL)",
    )
    table = Table.open(name, spark)
    ids = [node.snapshot.snapshot_id for node in table.graph.nodes]
    picture = table.compare(*ids)
    kept = [pin(picture, draw(picture.facts, LIGHT, width=900))]
    words = {
        with_values: path.read_text()
        for with_values in (False, True)
        if (path := table.report(tmp_path / f"{with_values}.html", pins=kept, with_values=with_values))
    }
    assert "33.3 % null · Ulm to Vaduz" in words[True]
    assert not [city for city in ("Vaduz", "Ulm") if city in words[False]]
    assert "bounds are values of rows" in words[False]
    assert "Files by partition" in words[False], "the rest of the picture stays"


def test_a_repair_of_what_is_only_suspected_says_that_it_waits_for_proof(
    spark: SparkSession, written_table: Callable[..., str], tmp_path: Path
) -> None:
    rows = "SELECT /*+ COALESCE(1) */ id, CAST(id % 4 AS STRING) AS day FROM range(400)"
    name = written_table(
        "suspected",
        "CREATE TABLE {t} (id BIGINT, day STRING) USING iceberg PARTITIONED BY (day)",
        f"INSERT INTO {{t}} {rows}",
        f"INSERT INTO {{t}} {rows}",
    )
    told = Table.open(name, spark).report(tmp_path / "suspected.html").read_text()
    assert "Only once that is proved." in told
    assert "INSERT OVERWRITE" in told
