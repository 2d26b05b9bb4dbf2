"""What a person does with an explorer and its tabs, and sees of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from explorer.widgets import TableExplorer


def ids(explorer: TableExplorer) -> list[str]:
    return [str(node.snapshot.snapshot_id) for node in explorer.table.graph.nodes]


def until(met: Callable[[], object]) -> None:
    """Wait for what a worker's thread will do."""
    for _ in range(600):
        if met():
            return
        time.sleep(0.1)
    raise AssertionError("it did not happen within a minute")


def opened(explorer: TableExplorer, title: str) -> Any:
    explorer._tabs.value = title
    return explorer._views[title]


def is_seen(widget: Any) -> bool:
    """Whether a control is shown, not only its place kept, or not even that."""
    return widget.layout.display != "none" and "iceberg-unseen" not in widget._dom_classes


def no_error(explorer: TableExplorer) -> bool:
    return str(explorer._errors._text.value) == ""
