"""A table that others change while it is explored, one kind of change at a time: no answer mixes the two states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError, TableChanged
from explorer.model.iceberg.table_change import GONE, TableChange
from explorer.table import Table
from explorer.table.picture import Picture
from explorer.table.readers.changelogs import Changelogs
from explorer.table.readers.commits import Commits
from explorer.table.readers.live_deletes import LiveDeletes
from explorer.table.version import TableVersion

WRITTEN = (
    "CREATE TABLE {t} (id BIGINT, note STRING) USING iceberg TBLPROPERTIES"
    " ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')",
    "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'first' FROM range(4)",
    "INSERT INTO {t} VALUES (10, 'second')",
    "DELETE FROM {t} WHERE id = 2",
)
OTHER_COLUMNS = ("ALTER TABLE {t} RENAME COLUMN id TO key", "ALTER TABLE {t} ADD COLUMN id BIGINT FIRST")
REPLACED = ("REPLACE TABLE {t} USING iceberg AS SELECT id, 1 AS other FROM range(3)",)
MADE_ANEW = ("DROP TABLE {t} PURGE", *WRITTEN)
EXPIRED = (
    "INSERT OVERWRITE {t} VALUES (20, 'alone')",
    "CALL lab.system.expire_snapshots(table => '{t}', older_than => TIMESTAMP '2099-01-01 00:00:00', retain_last => 1)",
)

Change = Callable[[Table, tuple[str, ...]], None]


@pytest.fixture
def opened(spark: SparkSession, written_table: Callable[..., str]) -> Table:
    return Table.open(written_table("changing", *WRITTEN), spark)


@pytest.fixture
def change(spark: SparkSession) -> Change:
    def change(table: Table, statements: tuple[str, ...]) -> None:
        for statement in statements:
            spark.sql(statement.replace("{t}", table.name))

    return change


def of_rows(table: Table) -> dict[str, Callable[[], Any]]:
    """Questions for which Spark reads rows, by the table's name."""
    ids = [s.snapshot_id for s in table.metadata.snapshots]
    return {
        "commit": lambda: table.commit(ids[2], rows=True).facts.rows,
        "compare": lambda: table.compare(ids[0], ids[2], rows=True).data,
        "changelog, raw": lambda: table.changelog(ids[0], ids[1], "raw").data,
        "changelog": lambda: table.changelog(mode="net").data,
        "why": lambda: table.why("id = 2").data,
        "biography": lambda: table.biography("id = 2").data,
    }


def of_files(table: Table) -> dict[str, Callable[[], Picture[Any]]]:
    """Questions that metadata answers, and manifests that never change."""
    ids = [s.snapshot_id for s in table.metadata.snapshots]
    return {
        "snapshot_graph": table.snapshot_graph,
        "commit": lambda: table.commit(ids[2]),
        "boundary": lambda: table.boundary(ids[0], ids[2]),
        "compare": lambda: table.compare(ids[0], ids[2]),
        "entries": table.entries,
        "retries": table.retries,
        "sequence_timeline": table.sequence_timeline,
        "partitions": table.partitions,
        "deletes": table.deletes,
    }


def test_after_a_commit_every_answer_is_of_the_table_as_it_was_read(opened: Table, change: Change) -> None:
    rows = {name: str(ask()) for name, ask in of_rows(opened).items()}
    files = {name: ask().data for name, ask in of_files(opened).items()}
    again = Table.open(opened.name, opened.spark)
    change(opened, ("INSERT INTO {t} VALUES (30, 'newer')",))
    assert {name: str(ask()) for name, ask in of_rows(again).items()} == rows
    for name, ask in of_files(again).items():
        assert ask().data.equals(files[name]), name
    assert again.change() == TableChange(added=1)
    assert again.reload()
    assert again.change() is None


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        pytest.param(OTHER_COLUMNS, "its columns are other ones", id="other columns"),
        pytest.param(REPLACED, "1 newer commit, its columns are other ones", id="replaced"),
        pytest.param(MADE_ANEW, "another table has its name now", id="dropped and made anew"),
        pytest.param(("DROP TABLE {t} PURGE",), "it was dropped or renamed", id="dropped"),
        pytest.param(EXPIRED, "1 newer commit, 3 snapshots expired", id="expired"),
    ],
)
def test_rows_of_another_state_are_refused_and_the_change_is_named(
    opened: Table, change: Change, statements: tuple[str, ...], found: str
) -> None:
    lazy = opened.changelog(mode="raw")
    change(opened, statements)
    unread = [] if statements is EXPIRED else [lambda: lazy.data, lambda: opened.changelog(mode="raw").facts]
    for ask in (of_rows(opened)["commit"], of_rows(opened)["why"], *unread):
        with pytest.raises(TableChanged, match=found) as raised:
            ask()
        assert f"since it was read at {opened.read_at:%H:%M:%S} UTC" in raised.value.what
        assert "reload()" in raised.value.next_step
    if statements is not EXPIRED:
        with pytest.raises(TableChanged):
            opened.create_views()


@pytest.mark.parametrize("statements", [OTHER_COLUMNS, REPLACED], ids=["other columns", "replaced"])
def test_files_are_shown_as_they_were_while_they_are_there(
    opened: Table, change: Change, statements: tuple[str, ...]
) -> None:
    files = {name: ask().data for name, ask in of_files(opened).items()}
    again = Table.open(opened.name, opened.spark)
    change(opened, statements)
    for name, ask in of_files(again).items():
        assert ask().data.equals(files[name]), name


@pytest.mark.parametrize("statements", [MADE_ANEW, EXPIRED], ids=["made anew", "expired"])
def test_files_that_went_with_a_change_are_missed_with_that_reason(
    opened: Table, change: Change, statements: tuple[str, ...]
) -> None:
    change(opened, statements)
    asked = of_files(opened)
    changed = r"Now: (another table|1 newer commit, 3 snapshots expired).*does not exist"
    with pytest.raises(TableChanged, match=changed):
        asked.pop("boundary")().read()
    assert len(asked.pop("snapshot_graph")().data) == 3
    for name, ask in asked.items():
        assert "has changed since it was read" in ask().notes[0].about, name


def test_of_a_failure_the_catalog_is_asked_once(opened: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise ExplorerError("It cannot be told.")

    asked: list[int] = []
    monkeypatch.setattr(TableVersion, "change_if_seen", lambda _: asked.append(1))
    for reader, question in ((LiveDeletes, "outcome"), (Commits, "with_rows"), (Changelogs, "ask")):
        monkeypatch.setattr(reader, question, fails)
    for picture in (opened.why("id = 2"), opened.commit("main", rows=True), opened.changelog()):
        for part in ("facts", "data", "frame"):
            asked.clear()
            with pytest.raises(ExplorerError, match="cannot be told"):
                getattr(picture, part)
            assert asked == [1], (picture.name, part)


def test_a_picture_stays_that_of_the_table_it_was_asked_of(opened: Table, change: Change) -> None:
    asked = [opened.snapshot_graph(), opened.retries(), opened.sequence_timeline()]
    change(opened, ("INSERT INTO {t} VALUES (30, 'newer')",))
    assert opened.reload()
    for picture in asked:
        assert len(picture.data) == picture.frame.count() == 3, picture.name


def test_a_table_that_is_gone_is_reported_and_what_was_read_stays(opened: Table, change: Change) -> None:
    assert opened.change() is None
    change(opened, ("DROP TABLE {t}",))
    assert opened.change() == GONE
    with pytest.raises(Exception, match="No table"):
        opened.reload()
    assert len(opened.snapshot_graph().data) == 3


def test_a_mistake_of_the_person_stays_theirs(opened: Table, change: Change) -> None:
    change(opened, ("INSERT INTO {t} VALUES (30, 'newer')",))
    with pytest.raises(Exception, match="no_such_column") as raised:
        opened.why("no_such_column = 1").read()
    assert not isinstance(raised.value, TableChanged)
