"""What views have in common that read nothing but rows: what that takes comes first; little is read by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from ..table.picture import Picture
from .context import Context, keep_place
from .controls import bar
from .guard import guarded
from .markup import text
from .resting import READ_BY_ITSELF, Resting
from .view import Facts, PictureView, Question, read_whole


@dataclass(frozen=True, slots=True)
class Offer:
    """A picture that could be read.

    Attributes:
        size_in_bytes: of what is read, at most; None if nobody knows.
        words: what reading takes, a sentence.
        label: what is being read, while it is.
    """

    picture: Picture[Any]
    size_in_bytes: int | None
    words: str
    label: str


class PricedView(PictureView[Question, Facts]):
    """A picture that is read by itself where that is little, else on a click."""

    def __init__(self, context: Context, controls: Sequence[w.Widget], tip: str) -> None:
        self._resting = Resting(context.errors)
        self._offered: tuple[Question, Offer] | None = None
        self._price, self._read_rows = w.HTML(), w.Button(description="Read them", tooltip=f"{tip} (Enter)")
        self._price.add_class("iceberg-offered")
        self._read_rows.on_click(guarded(context.errors, lambda _: self._read_on()))
        self._price_bar = bar(self._price, self._read_rows)
        super().__init__(context, [*controls, self._price_bar])
        self._withdraw()

    # what a view says of itself

    def _is_priced(self, _question: Question) -> bool:
        """Whether answering reads rows."""
        return True

    def _find_offer(self, question: Question) -> Offer:
        """What reading takes, asked for on the worker's thread."""
        raise NotImplementedError

    def _say(self, price: str) -> None:
        """Say what reading takes; nothing is to be read if empty."""
        self._price.value = text(price)
        keep_place(self._price_bar, bool(price))

    # what the explorer tells a view

    def close(self) -> None:
        """Take the figure off the page; what was to be read is forgotten."""
        self._resting.cancel()
        super().close()

    def key(self, key: str, shift: bool) -> None:
        """As every view; Enter reads what is offered."""
        if key == "Enter" and self._offered is not None:
            self._read_on()
        else:
            super().key(key, shift)

    # asking

    def _ask(self) -> None:
        self._withdraw()
        question = self._asked()
        if question is None or not self._is_priced(question):
            super()._ask()
            return
        if self._picture is None:
            self._message.value = f"<p>{text(self._label(question))} …</p>"
        self._outdate()
        self._context.activity.ask(
            self.topic,
            lambda: self._find_offer(question),
            lambda offer: self._found_offer(question, offer),
            label=self._label(question),
            on_failure=self._failed,
        )

    def _found_offer(self, question: Question, offer: Offer) -> None:
        self._offered = question, offer
        if offer.size_in_bytes is not None and offer.size_in_bytes <= READ_BY_ITSELF:
            self._resting.soon(lambda: self._read_on(by_itself=True))
            return
        self._say(offer.words)
        keep_place(self._read_rows, True)
        self._outdate("Read on a click")
        if self._picture is None:
            self._message.value = f"<p>{text(offer.words)}</p>"
            self._show_figure(False)

    def _read_on(self, *, by_itself: bool = False) -> None:
        if self._offered is None or not self._in_front or self._offered[0] != self._asked():
            return
        question, offer = self._offered
        self._outdate("Being read")
        self._context.activity.ask(
            self.topic,
            lambda: read_whole(offer.picture),
            lambda picture: self._answered(question, picture),
            label=offer.label,
            on_failure=self._failed,
            by_itself=by_itself,
        )

    def _answered(self, question: Question, picture: Picture[Facts]) -> None:
        self._withdraw()
        super()._answered(question, picture)

    def _returned(self) -> None:
        self._withdraw()
        super()._returned()

    def _withdraw(self) -> None:
        """Offer nothing, and read nothing."""
        self._resting.cancel()
        self._offered = None
        self._say("")
        keep_place(self._read_rows, False)
