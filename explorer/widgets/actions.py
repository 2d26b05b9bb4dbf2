"""What buttons in panels, chips and hits of the search ask for: each is a name and a value, and changes the state."""

from __future__ import annotations

import json

from .markup import action
from .state import ExplorerState

_ASKS = {
    "row": ("condition", "biography"),
    "bisect": ("statement", "bisect"),
    "dry_run": ("call", "dry_run"),
    "prove": ("proof", "triage"),
}
"""By act the trait in which a picture is told what it is asked, and the name of that picture."""


def perform(state: ExplorerState, act: str, value: str) -> None:
    """Do what a button asks for; views and header follow the state.

    Args:
        state: what all views share.
        act: as the functions below write it into a button.
        value: what it is done to.

    Raises:
        ValueError: there is no such act.
    """
    with state.hold_trait_notifications():
        match act:
            case "select":
                state.select(value)
            case "beside":
                state.compare(value)
            case "seek":
                state.snapshot = state.sought = value
            case "commit" | "history" | "deletes" | "entries":
                state.snapshot = value
                state.front = {"history": "snapshot_graph"}.get(act, act)
            case "compare" | "changes":
                state.snapshot, state.compared = json.loads(value)
                state.front = {"changes": "changelog"}.get(act, act)
            case "row" | "bisect" | "dry_run" | "prove":
                asks, state.front = _ASKS[act]
                setattr(state, asks, value or getattr(state, asks))
            case "check":
                state.check, state.front = value, "triage"
            case "partition":
                state.partition, state.front = tuple(json.loads(value)), "partitions"
            case "window":
                state.window = tuple(json.loads(value))
            case "file":
                state.file, state.delete, state.front = value, "", "sequence_timeline"
            case "drop":
                drop(state, value)
            case _:
                raise ValueError(f"no button asks for {act!r}")


def drop(state: ExplorerState, chip: str) -> None:
    """Let go of one thing that is selected, by the name of its trait; `all` of everything."""
    if chip == "all":
        state.clear()
    elif chip in ("partition", "window"):
        setattr(state, chip, None)
    elif chip == "snapshot":  # the one compared takes its place, for it is what is left
        state.snapshot, state.compared = state.compared, ""
    else:
        setattr(state, chip, "")


def open_commit(snapshot_id: int | str) -> str:
    """What a commit did to files and rows."""
    return action("commit", str(snapshot_id), "Open commit")


def show_in_history(snapshot_id: int | str) -> str:
    """A snapshot in the graph."""
    return action("history", str(snapshot_id), "Show in History")


def compare_with(snapshot_id: int | str, other: int | str, name: str) -> str:
    """A snapshot beside another one, whose name the button says."""
    return action("compare", json.dumps([str(snapshot_id), str(other)]), f"Compare with {name}")


def what_changed(since: int | str, until: int | str, label: str = "What changed since") -> str:
    """The rows that the commits after one snapshot, up to another, changed."""
    return action("changes", json.dumps([str(until), str(since)]), label)


def trace_row(condition: str, label: str = "Trace this row") -> str:
    """The lives of the rows that meet a condition."""
    return action("row", condition, label)


def prove(check: str, label: str) -> str:
    """One check asked what its answer takes."""
    return action("prove", check, label)


def keep() -> str:
    """What is shown, for the report."""
    return action("keep", "", "Add to report")


def find_change(statement: str, label: str) -> str:
    """The commit that changed the answer of a statement; of the one that stands there already if empty."""
    return action("bisect", statement, label)


def dry_run(call: str, label: str = "What would this do?") -> str:
    """What a call of a procedure would do."""
    return action("dry_run", call, label, tip="Told without running it")


def open_partition(spec_id: int, partition: str) -> str:
    """A partition by commit."""
    return action("partition", json.dumps([spec_id, partition]), "Show in Partitions")


def follow_file(key: str) -> str:
    """A file over all commits, named as the shared state names it."""
    return action("file", key, "Show in Files")
