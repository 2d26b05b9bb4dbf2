"""What a person does with an explorer and its tabs, and sees of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from explorer.widgets import TableExplorer, guard


def ids(explorer: TableExplorer) -> list[str]:
    return [str(node.snapshot.snapshot_id) for node in explorer.table.graph.nodes]


def until(met: Callable[[], object]) -> None:
    """Wait for what a worker's thread will do: it is looked for between callbacks, not in the middle of an answer."""
    for _ in range(1200):
        with guard._one_at_a_time:
            if met():
                return
        time.sleep(0.1)
    raise AssertionError("it did not happen within two minutes")


@contextmanager
def held(explorer: TableExplorer) -> Iterator[None]:
    """Within the block nothing is answered, however long a busy machine takes to look at what is asked."""
    release = threading.Event()
    explorer._activity._worker.ask(lambda: release.wait(300), label="held")
    try:
        yield
    finally:
        release.set()


def opened(explorer: TableExplorer, title: str) -> Any:
    explorer._tabs.value = title
    return explorer._views[title]


def is_seen(widget: Any) -> bool:
    """Whether a control is shown, not only its place kept, or not even that."""
    return widget.layout.display != "none" and "iceberg-unseen" not in widget._dom_classes


def no_error(explorer: TableExplorer) -> bool:
    return str(explorer._errors._text.value) == ""
