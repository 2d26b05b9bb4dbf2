"""What reading the rows of a picture takes, said above it; little is read by itself, much on a click."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as w

from .context import Context, keep_place
from .controls import bar
from .guard import guarded
from .markup import text
from .resting import READ_BY_ITSELF, Resting


class RowsOffer:
    """Price, row key and button. It keeps its place while there is nothing to offer, so that nothing below it moves.

    Args:
        read: reads the rows; called with whether it was not asked for.

    Attributes:
        widget: put this above the picture.
    """

    def __init__(self, context: Context, read: Callable[[bool], None], tip: str) -> None:
        self._read, self._resting = read, Resting(context.errors)
        self._is_small = self._is_read = False
        self._text = w.HTML()
        self._button = w.Button(description="Read rows", tooltip=tip)
        self._button.on_click(guarded(context.errors, lambda _: read(False)))
        self.widget = bar(self._text, context.keys.widget, self._button)
        self.withdraw()

    def withdraw(self) -> None:
        """Offer nothing, and read nothing."""
        self._is_small = self._is_read = False
        self._resting.cancel()
        keep_place(self.widget, False)

    def make(self, price: str, size_in_bytes: int | None) -> None:
        """Say what reading takes, and read if it is little.

        Args:
            price: in words.
            size_in_bytes: at most; None if nobody knows.
        """
        self._is_read = False
        self._is_small = size_in_bytes is not None and size_in_bytes <= READ_BY_ITSELF
        by_itself = " Read by itself, as it is little." if self._is_small else ""
        self._text.value = text(f"Rows: {price} to read.{by_itself}")
        self._button.description = "Read rows"
        keep_place(self._button, not self._is_small)
        keep_place(self.widget, True)
        self.resume()

    def resume(self) -> None:
        """Read what is little and was not read yet, once the selection rests."""
        if self._is_small and not self._is_read:
            self._resting.soon(lambda: self._read(True))

    def pause(self) -> None:
        """Begin nothing: the picture is not seen."""
        self._resting.cancel()

    def was_read(self, price: str) -> None:
        """Say that the rows are there."""
        self._is_read = True
        self._resting.cancel()
        self._text.value = text(f"Rows: {price} read.")
        self._button.description = "Read again"
        keep_place(self.widget, True)

    def close(self) -> None:
        """Begin nothing any more: whoever reads is gone."""
        self._is_small = False
        self._resting.cancel()
