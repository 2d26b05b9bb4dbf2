"""What reading rows takes, said above a picture; little is read by itself, much on a click."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as w

from .context import Context, keep_place
from .controls import bar
from .guard import guarded
from .markup import text
from .resting import READ_BY_ITSELF, Resting


class RowsOffer:
    """Words, price and button. It keeps its place while there is nothing to offer, so that nothing below it moves.

    Args:
        read: reads the rows; called with whether it was not asked for.
        tip: what the button does.
        controls: what stands beside the price, such as the field for the row key.
        act: what the button says.

    Attributes:
        widget: put this above the picture.
        is_open: whether rows wait for a click.
    """

    def __init__(
        self, context: Context, read: Callable[[bool], None], tip: str, *controls: w.Widget, act: str = "Read rows"
    ) -> None:
        self._act = act
        self._read, self._resting = read, Resting(context.errors)
        self._lead = ""
        self._is_small = self._is_read = self.is_open = False
        self._text = w.HTML()
        self._text.add_class("iceberg-offered")
        self._button = w.Button(tooltip=f"{tip} (Enter)")
        self._button.on_click(guarded(context.errors, lambda _: self._press()))
        self.widget = bar(self._text, *controls, self._button)
        self.withdraw()

    def lead(self, words: str) -> None:
        """Say something, HTML, before the price and while there is none."""
        self._lead = words
        self.withdraw()

    def withdraw(self) -> None:
        """Offer nothing, and read nothing."""
        self._is_small = self._is_read = self.is_open = False
        self._resting.cancel()
        self._text.value = self._lead
        keep_place(self._button, False)
        keep_place(self.widget, bool(self._lead))

    def make(self, price: str, size_in_bytes: int | None) -> None:
        """Say what reading takes, and read if it is little: without a word, where something else is said before.

        Args:
            price: a sentence.
            size_in_bytes: at most; None if nobody knows.
        """
        self._is_read = False
        self._is_small = size_in_bytes is not None and size_in_bytes <= READ_BY_ITSELF
        self.is_open = not self._is_small
        by_itself = "" if self._lead else f"{price} Read by itself, as it is little."
        self._say(by_itself if self._is_small else price)
        self._button.description = self._act
        keep_place(self._button, self.is_open)
        self.resume()

    def resume(self) -> None:
        """Read what is little and was not read yet, once the selection rests."""
        if self._is_small and not self._is_read:
            self._resting.soon(lambda: self._read(True))

    def pause(self) -> None:
        """Begin nothing: the picture is not seen."""
        self._resting.cancel()

    def was_read(self, words: str) -> None:
        """Say that the rows are there, a sentence."""
        self._is_read, self.is_open = True, False
        self._resting.cancel()
        self._say(words)
        self._button.description = "Read again"

    def press(self) -> bool:
        """Read what is offered, as on a click; False if nothing waits for one."""
        if self.is_open:
            self._press()
            return True
        return False

    def close(self) -> None:
        """Begin nothing any more: whoever reads is gone."""
        self._is_small = False
        self._resting.cancel()

    def _press(self) -> None:
        self._read(False)

    def _say(self, words: str) -> None:
        self._text.value = f"{self._lead} {text(words)}"
        keep_place(self.widget, True)
