"""A picture: one answer about a table, with everything it rests on, showing itself in a notebook."""

from __future__ import annotations

import html
import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar

from pyspark.sql import DataFrame

from ..engine.conf import PRESENT_VARIABLE
from ..engine.garbage import paused_gc
from ..engine.memory import read_once
from ..figures.page import svg
from ..figures.page.scene import Scene
from ..figures.page.still import still
from ..figures.page.theme import LIGHT, Theme
from ..model import formats
from ..model.evidence import Note
from ..model.iceberg.touched_files import Cost
from .saving import save
from .version import TableVersion

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

Facts = TypeVar("Facts")

STATIC_ROWS = 20
STATIC_WIDTH = 800
_LONGEST_CELL = 200


class Picture(Generic[Facts]):
    """One answer about a table as it was when it was asked.

    Asking read nothing. `read()` reads, or whoever first looks at a part of the answer; then it is kept, for every
    thread. What a picture tells is in the methods that raise NotImplementedError.

    Attributes:
        name: what the picture answers, as a file name: `snapshot_graph`.
        first: which rows to show where there is no room for all: those at the `top`, or at the `bottom`.
        width: pixels of its page where nobody says how wide that is.
    """

    name: str
    first: Literal["top", "bottom"] = "top"
    width = 1100

    def __init__(self, version: TableVersion) -> None:
        self._version = version

    # what a picture says of itself

    def _read(self) -> Facts:
        """Read the facts; called once."""
        raise NotImplementedError

    def _title(self, facts: Facts) -> str:
        raise NotImplementedError

    def _rows(self, facts: Facts) -> pd.DataFrame:
        raise NotImplementedError

    def _all_rows(self, facts: Facts) -> DataFrame:
        raise NotImplementedError

    def _draw(self, facts: Facts, theme: Theme, width: int) -> Scene:
        """Draw them on a page of a `width` in pixels, at least 560."""
        raise NotImplementedError

    def _sql(self) -> str:
        raise NotImplementedError

    def _notes(self, facts: Facts) -> list[Note]:
        """The notes."""
        raise NotImplementedError

    def _count(self, _: Facts) -> int | None:
        """How many rows there are, where `data` may have fewer; None where it has them all."""
        return None

    def _asking(self) -> AbstractContextManager[None]:
        """Within it the picture reads."""
        return self._version.asking()

    def _reading(self) -> AbstractContextManager[None]:
        """Within it the picture reads its facts; never within another, since each asks the catalog of a failure."""
        return self._asking()

    @property
    def cost(self) -> str | Cost | None:
        """What reading takes, in words or as a value, where it is known before; None where it is not."""
        return None

    # what people look at

    def read(self) -> Self:
        """Read what the picture tells, unless it was read; gives the picture itself.

        Raises:
            ExplorerError: as the question says that was asked.
        """
        _ = self.facts
        return self

    @read_once
    def facts(self) -> Facts:
        """The model value that the picture draws."""
        self._version.asked.questions.append(self.name)
        with self._reading():
            return self._read()

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
        facts = self.facts
        with self._asking():
            return self._rows(facts)

    @property
    def row_count(self) -> int:
        """Rows that there are, as far as that is known; `data` holds fewer where they are too many for Python."""
        return max(len(self.data), self._count(self.facts) or 0)

    @read_once
    def frame(self) -> DataFrame:
        """The rows as a Spark DataFrame, all of them."""
        facts = self.facts
        with self._asking():
            rows = self._all_rows(facts)
        self.__dict__.pop("notes", None)  # maybe only now it is known where manifests are decoded
        return rows

    @read_once
    def sql(self) -> str:
        """SQL that gives the rows, ready to paste elsewhere; empty where no SQL can (the notes say why)."""
        return self._sql()

    @read_once
    def scene(self) -> Scene:
        """The picture in light colours, as a value that SVG is written from; it promises no click."""
        return self.still(LIGHT)

    @read_once
    def figure(self) -> go.Figure:
        """The picture in light colours, as a plotly figure of your own."""
        scene = self.scene
        with paused_gc():
            return _figure(scene)

    def save(self, path: str | Path) -> Path:
        """Write the picture to a file; what it is depends on how the name ends.

        `png` and `svg` are the picture alone; `html` is one file with picture, notes, SQL and the first 1,000 rows that
        asks no other host for anything; `json` has title, notes, SQL and every row of `.data`; `csv` and `parquet` have
        the rows.

        Returns:
            The path.

        Raises:
            ExplorerError: another ending; a file that cannot be written; `png` where nothing can draw one.
        """
        return save(self._version, self, Path(path))

    def shown(self, limit: int | None) -> pd.DataFrame:
        """At most so many rows of the data, those that come `first`, in their order; None for all."""
        if limit is None:
            return self.data
        return self.data.tail(limit) if self.first == "bottom" else self.data.head(limit)

    def draw(self, theme: Theme) -> go.Figure:
        """Return a new figure in the colours of a theme."""
        scene = self.still(theme)
        with paused_gc():
            return _figure(scene)

    def still(self, theme: Theme, width: int | None = None) -> Scene:
        """Return the picture for a place where nothing answers a click, on a page of a `width` in pixels."""
        with paused_gc():
            return still(self._draw(self.facts, theme, width or self.width))

    def __repr__(self) -> str:
        return f"<Picture: {self.title}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self.to_static_html()}

    def to_static_html(self) -> str:
        """Picture, first rows and notes as HTML that needs no script: for saved notebooks, nbconvert and GitHub."""
        scene = self.still(LIGHT, width=STATIC_WIDTH)
        wide = "width" if os.environ.get(PRESENT_VARIABLE) else "max-width"
        return "".join(
            (
                '<div class="iceberg-picture">',
                self._in_window(
                    f'<img role="img" alt="{html.escape(scene.in_words, quote=True)}" '
                    f'style="{wide}:100%" src="{svg.to_data_uri(scene)}">'
                ),
                self._static_table(),
                "".join(
                    f"<p><b>{note.certainty}</b>: {html.escape(f'{note.about}. {note.reason}')}</p>"
                    for note in self.notes
                ),
                "</div>",
            )
        )

    def _in_window(self, image: str) -> str:
        """The image, as a window of any width shows it."""
        return image

    def _static_table(self) -> str:
        shown = self.shown(STATIC_ROWS)
        end = "last" if self.first == "bottom" else "first"
        of = f"the {end} {len(shown):,} of {formats.count(self.row_count, 'row')}"
        all_of = formats.count(len(shown), "row")
        present = shown.astype(object).where(shown.notna(), "").map(_tail)
        return (
            f"<details><summary>Data: {of if len(shown) < self.row_count else all_of}</summary>"
            f'<div style="max-width:{STATIC_WIDTH}px;overflow-x:auto">{present.to_html(index=False, escape=True)}</div>'
            "</details>"
        )


def _figure(scene: Scene) -> go.Figure:
    """As plotly draws it: a figure whose changes plotly validates."""
    import plotly.graph_objects as go  # takes a while to import, and what is printed as text needs none

    from ..figures.page import as_plotly

    return go.Figure(as_plotly.figure(scene))


def _tail(value: Any) -> Any:
    """A very long text by its end, which is what tells paths apart."""
    return f"…{value[1 - _LONGEST_CELL :]}" if isinstance(value, str) and len(value) > _LONGEST_CELL else value
