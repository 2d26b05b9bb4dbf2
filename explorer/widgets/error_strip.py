"""The strip under the header that says what went wrong, with a way to try again."""

from __future__ import annotations

import html
import traceback
from collections.abc import Callable

import ipywidgets as w

from ..engine.conf import without_secrets
from ..errors import Cancelled, ExplorerError


class ErrorStrip(w.HBox):
    """Hidden until `show` is called; one error at a time, the newest, until what failed succeeds or is left."""

    def __init__(self) -> None:
        self._text = w.HTML()
        self._again = w.Button(description="Try again", tooltip="Ask the same question again")
        self._close = w.Button(description="✕", tooltip="Dismiss")
        self._retry: Callable[[], None] | None = None
        self._topic = ""
        self._again.on_click(lambda _: self._try_again())
        self._close.on_click(lambda _: self.clear())
        super().__init__([self._text, self._again, self._close])
        self.add_class("iceberg-error")
        self.clear()

    def show(self, error: BaseException, *, retry: Callable[[], None] | None = None, topic: str = "") -> None:
        """Show an error in words, of a question of this topic; the trace of an unexpected one is folded below it."""
        what, found, next_step, details = map(without_secrets, _words(error))
        lines = [f"<b>{html.escape(what)}</b>", *(html.escape(line) for line in (found, next_step) if line)]
        folded = f"<details><summary>Details</summary><pre>{html.escape(details)}</pre></details>" if details else ""
        self._text.value = f'<div role="alert">{" ".join(lines)}{folded}</div>'
        self._retry, self._topic = retry, topic
        self._again.layout.display = "" if retry else "none"
        self.layout.display = ""

    def succeeded(self, topic: str) -> None:
        """Hide what failed when this topic was asked about before."""
        if self._topic == topic:
            self.clear()

    def clear(self) -> None:
        """Hide the strip."""
        self._topic = ""
        self.layout.display = "none"
        self._text.value = ""

    def _try_again(self) -> None:
        retry = self._retry
        self.clear()
        if retry is not None:
            retry()


def _words(error: BaseException) -> tuple[str, str, str, str]:
    if isinstance(error, Cancelled):
        return error.what, error.found, error.next_step, ""
    details = "".join(traceback.format_exception(error))
    if isinstance(error, ExplorerError):
        return error.what, error.found, error.next_step, details
    first_line = str(error).strip().splitlines()[:1]
    return (
        f"Something failed that the explorer did not expect ({type(error).__name__}).",
        first_line[0] if first_line else "",
        "What was on the screen stays; the details help whoever mends it.",
        details,
    )
