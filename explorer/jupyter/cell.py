"""What the explorer says in a notebook's cell before there is anything to show."""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import contextmanager

from IPython import get_ipython
from IPython.display import HTML, display


@contextmanager
def saying(words: str) -> Iterator[None]:
    """Within the block, a line under the running cell; gone afterwards. Nothing where no kernel runs."""
    shell = get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        yield
        return
    line = display(HTML(f"<p>{html.escape(words)}</p>"), display_id=True)
    try:
        yield
    finally:
        line.update(HTML(""))
