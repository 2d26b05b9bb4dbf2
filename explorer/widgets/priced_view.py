"""What views have in common that read nothing but rows: what that takes comes first; little is read by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from ..table.picture import Picture
from .context import Context
from .markup import text
from .rows_offer import RowsOffer
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
    """A picture that is read by itself where that is little, else on a click.

    Attributes:
        act: what the button says.
    """

    act = "Read rows"

    def __init__(self, context: Context, controls: Sequence[w.Widget], tip: str) -> None:
        self._offer = RowsOffer(context, self._read_on, tip, act=self.act)
        self._offered: tuple[Question, Offer] | None = None
        super().__init__(context, [*controls, self._offer.widget])

    # what a view says of itself

    def _is_priced(self, _question: Question) -> bool:
        """Whether answering reads rows."""
        return True

    def _find_offer(self, question: Question) -> Offer:
        """What reading takes, asked for on the worker's thread."""
        raise NotImplementedError

    # what the explorer tells a view

    def close(self) -> None:
        """Take the figure off the page; what was to be read is forgotten."""
        self._offer.close()
        super().close()

    def key(self, key: str, shift: bool) -> None:
        """As every view; Enter reads what is offered."""
        if key != "Enter" or not self.read_offered():
            super().key(key, shift)

    def read_offered(self) -> bool:
        """Read what is offered, as on a click; False if nothing waits for one."""
        return self._offer.press()

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
        self._reading = question
        self._context.activity.ask(
            self.topic,
            lambda: self._find_offer(question),
            lambda offer: self._found_offer(question, offer),
            label=self._label(question),
            on_failure=self._failed,
        )

    def _found_offer(self, question: Question, offer: Offer) -> None:
        self._offered, self._reading = (question, offer), None
        self._offer.make(offer.words, offer.size_in_bytes)
        if not self._offer.is_open:
            return
        self._outdate("Read on a click")
        if self._picture is None:
            self._message.value = "<p>Nothing is read yet.</p>"  # what it takes stands above
            self._show_figure(False)

    def _read_on(self, by_itself: bool) -> None:
        if self._offered is None or not self._in_front or self._offered[0] != self._asked():
            return
        if self._context.activity.take_back(self.topic):  # the button was pressed before
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
        self._offered = None
        self._offer.withdraw()
