"""A picture: one answer about a table, with everything it rests on, showing itself in a notebook."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Generic, Literal, TypeVar

import pandas as pd
import plotly.graph_objects as go
from pyspark.sql import DataFrame

from ..engine.garbage import paused_gc
from ..engine.memory import read_once
from ..figures.page import svg_document
from ..figures.page.theme import LIGHT, Theme
from ..model.evidence import Note

Facts = TypeVar("Facts")

STATIC_ROWS = 20
_LONGEST_CELL = 44


class Picture(Generic[Facts]):
    """One answer about a table. What takes time is asked when it is first looked at, within `asking()`, and then kept.

    Attributes:
        name: what the picture answers, as a file name: `snapshot_graph`.
        sql: SQL that gives the rows, ready to paste elsewhere; empty where no SQL can (the notes say why).
        first: which rows to show where there is no room for all: those at the `top`, or at the `bottom`.
    """

    def __init__(
        self,
        *,
        name: str,
        title: Callable[[Facts], str],
        facts: Callable[[], Facts],
        data: Callable[[], pd.DataFrame],
        frame: Callable[[], DataFrame],
        draw: Callable[[Theme], go.Figure],
        sql: str,
        notes: Callable[[Facts], Sequence[Note]],
        first: Literal["top", "bottom"] = "top",
        row_count: Callable[[Facts], int | None] = lambda _: None,
        asking: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self.name, self.sql, self.first = name, sql, first
        self._title, self._facts, self._notes = title, facts, notes
        self._data, self._frame, self._draw = data, frame, draw
        self._row_count, self._asking = row_count, asking

    @read_once
    def facts(self) -> Facts:
        """The model value that the picture draws."""
        with self._asking():
            return self._facts()

    @read_once
    def title(self) -> str:
        """The finding, one line."""
        return self._title(self.facts)

    @read_once
    def notes(self) -> tuple[Note, ...]:
        """Which parts are `exact`, `inferred`, `unknown`, each with its reason."""
        return tuple(self._notes(self.facts))

    @read_once
    def data(self) -> pd.DataFrame:
        """The rows as pandas: ids as text, counts `Int64`, times UTC; a note says where rows are cut."""
        with self._asking():
            return self._data()

    @property
    def row_count(self) -> int:
        """Rows that there are, as far as that is known; `data` holds fewer where they are too many for Python."""
        return max(len(self.data), self._row_count(self.facts) or 0)

    @read_once
    def frame(self) -> DataFrame:
        """The rows as a Spark DataFrame, all of them."""
        with self._asking():
            return self._frame()

    @read_once
    def figure(self) -> go.Figure:
        """The picture in light colours, as a plotly figure of your own."""
        return self.draw(LIGHT)

    def shown(self, limit: int | None) -> pd.DataFrame:
        """At most so many rows of the data, those that come `first`, in their order; None for all."""
        if limit is None:
            return self.data
        return self.data.tail(limit) if self.first == "bottom" else self.data.head(limit)

    def draw(self, theme: Theme) -> go.Figure:
        """Return a new figure in the colours of a theme."""
        with paused_gc():
            return go.Figure(self._draw(theme))  # one whose changes plotly validates

    def __repr__(self) -> str:
        return f"<Picture: {self.title}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self.to_static_html()}

    def to_static_html(self) -> str:
        """Picture, first rows and notes as HTML that needs no script: for saved notebooks, nbconvert and GitHub."""
        picture = base64.b64encode(svg_document.to_svg(self.figure).encode()).decode()
        return "".join(
            (
                f'<div class="iceberg-picture"><img alt="{html.escape(self.title, quote=True)}" ',
                f'style="max-width:100%" src="data:image/svg+xml;base64,{picture}">',
                self._static_table(),
                "".join(
                    f"<p><b>{note.certainty}</b>: {html.escape(f'{note.about}. {note.reason}')}</p>"
                    for note in self.notes
                ),
                "</div>",
            )
        )

    def _static_table(self) -> str:
        shown = self.shown(STATIC_ROWS)
        end = "last" if self.first == "bottom" else "first"
        of = f"<p>The {end} {len(shown):,} of {self.row_count:,} rows.</p>" if len(shown) < self.row_count else ""
        present = shown.astype(object).where(shown.notna(), "").map(_tail)
        return present.to_html(index=False, escape=True) + of


def _tail(value: Any) -> Any:
    """A long text by its end, which is what tells paths apart: the page would be too wide for the whole of it."""
    return f"…{value[1 - _LONGEST_CELL :]}" if isinstance(value, str) and len(value) > _LONGEST_CELL else value
