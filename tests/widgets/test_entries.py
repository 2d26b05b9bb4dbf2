"""The view of entries without a browser, on a live table: they follow the selection, and a click opens more of them."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.figures.page import as_plotly
from explorer.widgets import TableExplorer
from explorer.widgets.files import file_key
from tests.widgets.tabs import ids, is_seen, no_error, opened, until


def path(view: Any, place: int = 0) -> tuple[str, int | None]:
    entry = [read.entry for manifest in view._picture.facts.manifests for read in manifest.entries][place]
    return entry.file_path, entry.content_offset


def test_the_entries_of_the_selection_are_shown_and_of_nothing_selected_those_of_the_current(
    explorer: TableExplorer,
) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Manifests")
    until(lambda: view._is_answered)
    assert str(view._picture.facts.snapshot.snapshot_id) == late
    explorer.state.snapshot = append
    until(lambda: str(view._picture.facts.snapshot.snapshot_id) == append)
    until(lambda: view._is_answered)
    assert "1 inherits" in view._in_words.value or "inherit" in view._in_words.value
    assert explorer._drawers._picture is view._picture
    view.key("ArrowRight", False)
    until(lambda: str(view._picture.facts.snapshot.snapshot_id) == update)
    statuses = list(view._picture.data["status"])
    assert sorted(statuses) == ["ADDED", "DELETED"]
    assert no_error(explorer)


def test_a_selected_file_is_described_with_stored_and_read_numbers(explorer: TableExplorer) -> None:
    view = opened(explorer, "Manifests")
    until(lambda: view._is_answered)
    assert "2 entries, no contradiction" in view._panel.value
    view.row_selected(0)
    assert explorer.state.file == file_key(*path(view))
    until(lambda: "<i>null</i>" in view._panel.value)
    assert "inherited" in view._panel.value
    assert "assigned in order" in view._panel.value
    explorer.state.clear()
    assert "2 entries, no contradiction" in view._panel.value


def test_a_file_that_is_selected_elsewhere_has_its_ring_here(explorer: TableExplorer) -> None:
    view = opened(explorer, "Manifests")
    until(lambda: view._is_answered)
    ring = next(trace for trace in as_plotly.figure(view._live.scene).data if trace.name == "ring")
    assert not ring.x
    explorer.state.file = file_key(*path(view))
    until(lambda: bool(next(trace for trace in as_plotly.figure(view._live.scene).data if trace.name == "ring").x))


def test_a_manifest_of_which_entries_were_only_counted_is_read_when_it_is_opened(
    explorer: TableExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from explorer.queries import entries as stored_entries

    real = stored_entries.read

    def cut(*args: Any, **kwargs: Any) -> Any:
        small = {} if kwargs.get("only") else {"small_in_bytes": 0, "most": 0}
        return real(*args, **kwargs, **small)

    monkeypatch.setattr(stored_entries, "read", cut)
    view = opened(explorer, "Manifests")
    until(lambda: view._is_answered)
    facts = view._picture.facts
    assert all(not manifest.entries for manifest in facts.manifests)
    assert facts.entry_count > 0
    wanted = facts.manifests[0].manifest.path
    view._open_part(f"from 0 in {wanted}")
    until(lambda: len(view._picture.facts.manifests) == 1)
    assert view._picture.facts.manifests[0].manifest.path == wanted
    assert len(view._picture.facts.manifests[0].entries) == view._picture.facts.entry_count > 0
    until(lambda: is_seen(view._whole))
    view.key("Enter", False)
    until(lambda: len(view._picture.facts.manifests) > 1)
    until(lambda: not is_seen(view._whole))
    assert no_error(explorer)


def test_an_opened_manifest_is_told_of_with_its_row_of_the_list_and_the_rule(explorer: TableExplorer) -> None:
    view = opened(explorer, "Manifests")
    until(lambda: view._is_answered)
    assert "The rule for the data number" in view._panel.value
    manifest = view._picture.facts.manifests[0].manifest
    view._open_part(f"from 0 in {manifest.path}")
    assert f"Manifest of {manifest.sequence_number}: " in view._panel.value
    assert manifest.path in view._panel.value
    assert f'data-value="{manifest.added_snapshot_id}"' in view._panel.value
    view.key("Enter", False)
    assert "no contradiction" in view._panel.value
