"""What views have in common that read rows apart from the rest: by themselves where they are few, else at a price."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as w

from ..table.picture import Picture
from .context import Context
from .guard import guarded
from .rows_offer import RowsOffer
from .view import Facts, PictureView, Question, read_whole


class RowsView(PictureView[Question, Facts]):
    """A picture that is told first without rows, then with them.

    Attributes:
        rows_topic: of the question for rows.
    """

    rows_topic: str
    asks_for_key = True

    def __init__(self, context: Context, controls: Sequence[w.Widget], tip: str) -> None:
        self._rows = RowsOffer(context, self._ask_rows, tip, context.keys.widget)
        self._told_by: tuple[str, ...] | None = None  # key columns of the rows on the screen; None if none were read
        super().__init__(context, [*controls, self._rows.widget])
        self._state.observe(guarded(context.errors, lambda _: self._key_changed()), "key")

    # what a view says of itself

    def _offer_rows(self, picture: Picture[Facts]) -> None:
        """Say what reading the rows takes, if there are any to read."""
        raise NotImplementedError

    def _rows_label(self, question: Question) -> str:
        """What is being read, while rows are."""
        raise NotImplementedError

    def _read_rows(self, question: Question, key: Sequence[str] | None) -> Picture[Facts]:
        """The picture with rows, asked for on the worker's thread; `key` is None for what the schema names."""
        raise NotImplementedError

    def _rows_price(self, facts: Facts) -> str:
        """What reading the rows took, in words."""
        raise NotImplementedError

    # what the explorer tells a view

    def shown(self) -> None:
        """Come to the front, and read what is little."""
        super().shown()
        self._rows.resume()

    def key(self, key: str, shift: bool) -> None:
        """As every view; Enter reads the rows that are offered."""
        if key != "Enter" or not self.read_offered():
            super().key(key, shift)

    def read_offered(self) -> bool:
        """Read the rows that are offered, as on a click; False if none wait for one."""
        return self._rows.press()

    def hidden(self) -> None:
        """Go behind another view."""
        self._rows.pause()
        super().hidden()

    def close(self) -> None:
        """Take the figure off the page; what was to be read is forgotten."""
        self._rows.close()
        super().close()

    # asking

    def _ask(self) -> None:
        self._withdraw_rows()
        super()._ask()

    def _withdraw_rows(self) -> None:
        self._context.activity.drop(self.rows_topic)
        self._rows.withdraw()

    def _answered(self, question: Question, picture: Picture[Facts]) -> None:
        super()._answered(question, picture)
        self._told_by = None
        self._offer_rows(picture)

    def _returned(self) -> None:
        super()._returned()
        self._check_rows()

    def _key_changed(self) -> None:
        self._context.activity.drop(self.rows_topic)
        if self._is_answered:
            self._check_rows()

    def _check_rows(self) -> None:
        """Offer the rows again if they were not read, or if other columns tell them apart by now."""
        if self._picture is None:
            return
        if self._told_by is not None and self._told_by == self._state.key_columns:
            self._show_figure(True)
            self._rows.was_read(f"Rows: {self._rows_price(self._picture.facts)} read.")
            return
        if self._told_by is not None:
            self._outdate()
        self._offer_rows(self._picture)

    def _ask_rows(self, by_itself: bool) -> None:
        question, key = self._answer_to, self._state.key_columns
        if question is None or question != self._asked() or not self._in_front:
            return
        if self._told_by is not None:
            self._outdate("Being read")
        self._context.activity.ask(
            self.rows_topic,
            lambda: read_whole(self._read_rows(question, key or None)),
            lambda picture: self._rows_answered(question, key, picture),
            label=self._rows_label(question),
            on_failure=self._rows_failed,
            by_itself=by_itself,
        )

    def _rows_answered(self, question: Question, key: tuple[str, ...], picture: Picture[Facts]) -> None:
        if question != self._asked():
            return
        self._picture, self._told_by = picture, key
        self._rows.was_read(f"Rows: {self._rows_price(picture.facts)} read.")
        self._show(picture)

    def _rows_failed(self) -> None:
        if self._told_by is not None:
            self._outdate("Not answered")
