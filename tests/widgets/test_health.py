"""Health, Bisect, Dry run and the report that is made of what was seen, without a browser."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError
from explorer.table import Table
from explorer.widgets import TableExplorer, rows_offer
from tests.widgets.tabs import ids, is_seen, no_error, opened, until


@pytest.fixture(scope="module")
def written(written_table: Callable[..., str]) -> str:
    """Three keys; one of them again in the third commit; then most of the rows are removed."""
    return written_table(
        "incident",
        "CREATE TABLE {t} (id BIGINT, city STRING) USING iceberg PARTITIONED BY (city)"
        " TBLPROPERTIES ('format-version' = '2')",
        "INSERT INTO {t} VALUES (1, 'Vaduz'), (2, 'Vaduz')",
        "INSERT INTO {t} VALUES (3, 'Ulm')",
        "INSERT INTO {t} VALUES (1, 'Vaduz')",
        "DELETE FROM {t} WHERE city = 'Vaduz'",
    )


def test_a_question_that_is_chosen_ends_in_the_commit_that_broke_it(explorer: TableExplorer) -> None:
    view = opened(explorer, "Bisect")
    assert "{t}" in view._message.value
    once = next(sql for words, sql in view._examples.options if "there once" in words)
    assert once == "SELECT count(*) = count(DISTINCT id) FROM {t}"
    view._bad.value = "3"
    view._examples.value = once
    until(lambda: view._is_answered)
    assert view._picture.facts.first_bad.sequence_number == 3
    third = ids(explorer)[2]
    assert f'data-act="commit" data-value="{third}"' in view._panel.value
    assert f"rollback_to_snapshot(snapshot_id =&gt; {ids(explorer)[1]})" in view._panel.value, "what going back loses"
    assert not is_seen(view._offer.widget)
    explorer._act("check", "")
    assert explorer._tabs.value == "Health", "which has statements to repair it"
    explorer._tabs.value = "Bisect"
    view.key("Enter", False)
    assert (explorer.state.snapshot, explorer._tabs.value) == (third, "Commit")
    assert no_error(explorer)


def test_much_is_asked_on_a_click_and_every_candidate_on_another(
    explorer: TableExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_offer, "READ_BY_ITSELF", 10)
    view = opened(explorer, "Bisect")
    view._sql.value = "SELECT count(*) FROM {t}"
    until(lambda: view._offered is not None)
    assert "at most 4 snapshots" in view._offer._text.value
    assert view._picture is None
    view._offer._button.click()
    until(lambda: view._is_answered)
    facts = view._picture.facts
    assert is_seen(view._all) is bool(facts.not_asked)
    view._all.click()
    until(lambda: view._offered is not None)
    view._offer._button.click()
    until(lambda: view._picture.facts.every)
    assert [read.answer.value for read in sorted(view._picture.facts.reads, key=lambda r: r.place)] == list("2341")
    until(lambda: not is_seen(view._all))
    assert no_error(explorer)


def test_a_wrong_statement_is_said_before_anything_is_read(explorer: TableExplorer) -> None:
    view = opened(explorer, "Bisect")
    view._sql.value = "DROP TABLE {t}"
    until(lambda: not no_error(explorer))
    assert "lets one SELECT through" in explorer._errors._text.value
    assert view._picture is None


def test_a_repair_says_what_it_would_do(explorer: TableExplorer) -> None:
    health = opened(explorer, "Health")
    until(lambda: health._is_answered and health._until == "manifests")
    explorer.state.check = "mass-removal"
    until(lambda: 'data-act="dry_run"' in health._panel.value)
    call = next(f for c in health._picture.facts.found for f in c.finding.fixes if f.calls).calls[0]
    assert f'data-value="{html.escape(call)}"' in health._panel.value
    assert "Nothing is run from here" in health._panel.value
    explorer._act("dry_run", call)
    view = explorer._views["Dry run"]
    until(lambda: view._is_answered)
    assert "Rolling back to 3 would lose 1 commit" in view._in_words.value
    assert "To run it, which nobody did" in view._panel.value
    assert no_error(explorer)


def test_the_line_that_is_always_there_tells_what_health_found(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("reborn")
    spark.sql(f"CREATE TABLE {name} (id INT, city STRING) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1, 'Ulm'), (2, 'Vaduz')")
    spark.sql(f"ALTER TABLE {name} DROP COLUMN city")
    spark.sql(f"ALTER TABLE {name} ADD COLUMN city STRING")
    explorer = TableExplorer(Table.open(name, spark))
    assert "nothing stands out" in explorer._attention.value
    view = opened(explorer, "Health")
    until(lambda: view._is_answered and "manifest" in view._picture.facts.paid)
    found = [c for c in view._picture.facts.found if c.finding.severity != "information"]
    assert [check.signature.name for check in found] == ["column-reborn"], "which the metadata file alone hides"
    line = html.unescape(explorer._attention.value)
    assert all(check.finding.title in line for check in found)
    assert "1 wrong answer" in line
    assert "nothing stands out" not in line
    assert explorer._page.badges[explorer._titles.index("Health")] == str(len(found))
    explorer._tabs.value = "History"
    assert html.unescape(explorer._attention.value) == line, "wherever one looks"
    spark.sql(f"INSERT INTO {name} VALUES (3, 'Bern')")
    explorer.reload()
    until(lambda: html.unescape(explorer._attention.value) != line)
    assert "wrong answer" not in explorer._attention.value, "of another state nothing is known yet"
    assert no_error(explorer)
    explorer.close()


def test_one_check_is_asked_what_it_was_not_asked_by_itself(explorer: TableExplorer) -> None:
    view = opened(explorer, "Health")
    until(lambda: view._is_answered and view._until == "manifests")
    explorer.state.check = "deleted-but-stored"
    assert "Whose rows?" in view._panel.value
    explorer.state.condition = "id = 3"
    assert "Ask for the rows with id = 3" in view._panel.value
    explorer.state.condition = "id = 1"
    explorer._act("prove", "deleted-but-stored")
    until(lambda: view._is_answered and view._picture.facts.paid.endswith("rows of 1 check"))
    assert "Rows with id = 1 are deleted, and 2 files of the past still hold them" in view._panel.value
    explorer.state.check = "orphan-files"
    assert "List the storage" in view._panel.value
    explorer._act("prove", "orphan-files")
    until(lambda: view._is_answered and "a listing of" in view._picture.facts.paid)
    assert "rows of 1 check" in view._picture.facts.paid, "what was proved stays"
    states = {c.signature.name: c.state for c in view._picture.facts.checks}
    assert states["orphan-files"] == states["missing-file"] == "clean"
    assert no_error(explorer)


def test_a_dear_procedure_is_asked_on_a_click_and_no_call_is_an_error(explorer: TableExplorer) -> None:
    view = opened(explorer, "Dry run")
    view._procedure.value = "expire_snapshots"
    until(lambda: view._offered is not None)
    assert view._call.value == "expire_snapshots(retain_last => 1)"
    view.key("Enter", False)
    until(lambda: view._is_answered)
    assert "Expiring would remove nothing" in view._in_words.value
    view._call.value = "TRUNCATE TABLE x"
    until(lambda: not no_error(explorer))
    assert "is no procedure that can be run dry" in explorer._errors._text.value


def test_what_was_kept_is_the_report(explorer: TableExplorer, tmp_path: Path) -> None:
    view = opened(explorer, "Dry run")
    explorer._key("r", False)
    assert explorer.pins == ()
    assert "Nothing was kept" in explorer._activity._text.value
    for tab in ("Health", "Partitions", "History"):
        view = opened(explorer, tab)
        until(lambda view=view: view.pin() is not None)
        explorer._key("r", False)
    row = opened(explorer, "Row")
    row._condition.value = "id = 1"
    until(lambda: row._is_answered)
    explorer._act("keep", "")
    assert [pin.name for pin in explorer.pins] == ["triage", "partitions", "snapshot_graph", "biography"]
    assert explorer._report.button.description == "Report (4)"
    explorer._report._kept.children[2].children[0].click()
    assert [pin.name for pin in explorer.pins] == ["triage", "partitions", "biography"]
    explorer._report._question.value = "Where is <it>?"
    explorer._report._path.value = str(tmp_path / "r.html")
    explorer._report._save.click()
    until(lambda: "Written" in explorer._report._said.value)
    assert str(tmp_path / "r.html") in explorer._report._said.value
    told = (tmp_path / "r.html").read_text()
    assert "Where is &lt;it&gt;?" in told
    assert "removed 75% of the table" in told
    assert "it is left out" in told
    assert "city = •••" in told
    assert not {"Vaduz", "Ulm", "<script"} & {word for word in ("Vaduz", "Ulm", "<script") if word in told}
    explorer.table.report(tmp_path / "all.html", pins=explorer.pins, with_values=True)
    told = (tmp_path / "all.html").read_text()
    assert "Vaduz" in told
    assert "id = 1" in told
    with pytest.raises(ExplorerError, match="cannot be written"):
        explorer.table.report(tmp_path / "none" / "r.html", pins=explorer.pins)
    assert no_error(explorer)
