"""What the explorer says in a notebook's cell before there is anything to show."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from IPython import get_ipython
from IPython.display import HTML, display


@contextmanager
def saying(words: str) -> Iterator[None]:
    """Within the block, a line under the running cell; gone afterwards. Nothing where no kernel runs."""
    with line() as say:
        say(words)
        yield


@contextmanager
def line() -> Iterator[Callable[[str], None]]:
    """Within the block there may be a line under the running cell; gone afterwards. Nothing where no kernel runs.

    Gives a function to call, on any thread, with what the line is to say, plain text; it may be nothing.
    """
    if not hasattr(get_ipython(), "kernel"):
        yield lambda _: None
        return
    shown = _Line()
    try:
        yield shown.say
    finally:
        shown.close()


class _Line:
    """There once something is said."""

    def __init__(self) -> None:
        self._said = ""
        self._shown: Any = None
        self._is_closed = False

    def say(self, words: str) -> None:
        """Put words in the place of what was said."""
        if words == self._said or self._is_closed:
            return
        self._said = words
        content = HTML(f"<p>{html.escape(words)}</p>" if words else "")
        if self._shown is None:
            self._shown = display(content, display_id=True)
        else:
            self._shown.update(content)

    def close(self) -> None:
        """Take the line away; what another thread says later is not shown."""
        self.say("")
        self._is_closed = True
