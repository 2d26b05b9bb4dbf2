"""The assembled explorer without a browser: what a page may send, and tables that change under it."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer import open as open_explorer
from explorer.table import Table
from explorer.widgets import TableExplorer
from explorer.widgets.error_strip import ErrorStrip
from explorer.widgets.guard import guarded
from tests.model.histories import History
from tests.widgets.tabs import ids, no_error, opened, until


def write(file: Path, history: History) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(history.document()))


def line(seed: int, commits: int) -> History:
    history = History(seed)
    for _ in range(commits):
        history.point_main(history.commit(history.main))
    return history


def shown_error(explorer: TableExplorer) -> str:
    return str(explorer._errors._text.value)


@pytest.fixture
def explored(spark: SparkSession, tmp_path: Path) -> tuple[TableExplorer, Path]:
    file = tmp_path / "metadata" / "v1.metadata.json"
    write(file, line(1, 500))
    return TableExplorer(Table.open(str(tmp_path), spark)), file


def test_a_selection_of_nothing_that_is_listed_selects_nothing(explored: tuple[TableExplorer, Path]) -> None:
    explorer, _ = explored
    for odd in ("5", "-5", "abc", "²", "9" * 5_000, "<b>", " "):
        explorer.state.snapshot = odd
        explorer.state.compared = odd
        assert shown_error(explorer) == ""
        assert "data-act" not in explorer._chips.value, "nothing to let go of"


def test_a_pan_that_has_not_come_to_rest_is_forgotten_on_close(
    explored: tuple[TableExplorer, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer, _ = explored
    view: Any = explorer._view
    drawn: list[object] = []
    monkeypatch.setattr(view, "_redraw", lambda: drawn.append(view._window))
    view._ranged((10.0, 60.0))
    explorer.close()
    view._settling.join(20)
    view._settling.function(*view._settling.args)  # as one that had begun, and waited for its turn
    assert view._settling.finished.is_set()
    assert drawn == []


def test_a_table_that_iceberg_refuses_opens_with_its_history(spark: SparkSession, tmp_path: Path) -> None:
    history, beyond = line(1, 2), str(2**63 + 12345)
    head = history.snapshots[history.refs["main"]["snapshot-id"]]
    head["snapshot-id"] = history.refs["main"]["snapshot-id"] = int(beyond)
    write(tmp_path / "metadata" / "v1.metadata.json", history)
    explorer = open_explorer(str(tmp_path), spark)
    assert explorer._tabs.value == "History"
    assert shown_error(explorer) == ""
    assert beyond in ids(explorer)
    explorer.state.snapshot = beyond
    assert beyond in opened(explorer, "History")._panel.value
    assert "Selected" in explorer._chips.value
    assert shown_error(explorer) == ""
    explorer._tabs.value = "Commit"
    until(lambda: shown_error(explorer) != "")
    assert "2^63-1" in shown_error(explorer)


def test_a_snapshot_below_zero_is_selected(spark: SparkSession, tmp_path: Path) -> None:
    history = line(1, 1)
    (only,) = history.snapshots
    history.snapshots[only]["snapshot-id"] = history.refs["main"]["snapshot-id"] = -5
    write(tmp_path / "metadata" / "v1.metadata.json", history)
    explorer = TableExplorer(Table.open(str(tmp_path), spark))
    explorer.state.snapshot = "-5"
    assert "Selected" in explorer._chips.value
    assert shown_error(explorer) == ""
    assert explorer.table.snapshot("-5").snapshot_id == -5


@pytest.mark.parametrize("window", [(float("nan"),) * 2, (None, None), (1e12, 2e12), (9, 1)])
def test_a_range_that_a_page_may_send_breaks_nothing(explored: tuple[TableExplorer, Path], window: Any) -> None:
    explorer, _ = explored
    view: Any = explorer._views["History"]
    view._live.widget.layout.xaxis2.range = window
    if view._settling is not None:
        view._settling.join()
    low, high = view._visible()
    assert high - low >= 3
    assert shown_error(explorer) == ""


def test_a_table_made_anew_under_the_same_file_name_is_seen_by_a_reload(explored: tuple[TableExplorer, Path]) -> None:
    explorer, file = explored
    explorer.state.snapshot = str(explorer.table.graph.nodes[-1].snapshot.snapshot_id)
    write(file, line(2, 3))
    explorer.reload()
    until(lambda: "Reloaded" in explorer._header.value)
    assert "3 snapshots" in explorer._header.value
    view: Any = explorer._views["History"]
    assert explorer.state.snapshot == ""
    assert [node for node in view.graph.nodes if view._visible()[0] <= node.column <= view._visible()[1]]
    assert not explorer.table.reload(), "nothing changed since"


def test_what_a_search_finds_is_what_was_asked_for(spark: SparkSession, tmp_path: Path) -> None:
    history = line(1, 4)
    document = history.document(version=1)
    for place, snapshot in enumerate(sorted(document["snapshots"], key=lambda s: s["timestamp-ms"])):
        snapshot["snapshot-id"] = (place + 1) * 10**9 + 123_456  # all short ids are the same
        snapshot.pop("parent-snapshot-id", None)
    document |= {"refs": {"a,b": {"snapshot-id": 10**9 + 123_456, "type": "tag"}}, "current-snapshot-id": -1}
    file = tmp_path / "metadata" / "v1.metadata.json"
    file.parent.mkdir()
    file.write_text(json.dumps({**document, "snapshot-log": []}))
    explorer = TableExplorer(Table.open(str(tmp_path), spark))
    look_for(explorer, "no-such-branch")
    until(lambda: "is called no-such-branch" in explorer._activity._text.value)
    assert explorer.state.snapshot == ""
    look_for(explorer, "a,b")
    until(lambda: explorer.state.snapshot == str(10**9 + 123_456))
    assert "Found by tag" in explorer._activity._text.value
    explorer.state.clear()
    assert explorer._activity._text.value == "", "it was about what is selected no more"
    explorer._tabs.value = "Health"
    look_for(explorer, "a,b")
    until(lambda: explorer._tabs.value == "Commit")  # Health shows nothing of a snapshot
    look_for(explorer, "123456")
    until(lambda: "data-act" in explorer._activity._text.value)
    assert no_error(explorer)


def look_for(explorer: TableExplorer, text: str) -> None:
    explorer._page._received(None, {"kind": "act", "act": "find", "value": text}, None)


def test_no_credential_is_shown_or_logged(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", "spark.sql.catalog.lake.jdbc.password=hunter2secret")
    strip = ErrorStrip()

    def fail() -> None:
        raise ValueError("no driver for jdbc:x://host/db?user=me, hunter2secret")

    with caplog.at_level(logging.ERROR):
        guarded(strip, fail)()
    assert "no driver" in strip._text.value
    assert "no driver" in caplog.text
    assert "hunter2secret" not in strip._text.value + caplog.text


def test_a_table_without_a_snapshot_says_so_in_every_tab(spark: SparkSession, fresh_table: Callable[..., str]) -> None:
    name = fresh_table("nothing")
    spark.sql(f"CREATE TABLE {name} (id BIGINT) USING iceberg")
    explorer = TableExplorer(Table.open(name, spark))
    assert "no snapshot" in opened(explorer, "Commit")._message.value
    view = opened(explorer, "Changes")
    assert "no snapshot" in view._message.value
    for title in ("History", "Commit", "Changes"):
        opened(explorer, title)
        for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "c"):
            explorer._key(key, False)
    for title, words in (
        ("Files", "never had a file"), ("Deletes", "no delete to show"), ("Manifests", "no manifest")
    ):  # fmt: skip
        view = opened(explorer, title)
        until(lambda view=view, words=words: words in view._message.value)
    assert no_error(explorer)
    explorer.close()
