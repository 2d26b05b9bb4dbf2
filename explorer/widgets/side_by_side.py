"""Two tables played commit by commit, together: the same step of each beside the other's, and each to be opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets as w

from ..engine import Worker
from ..engine.memory import RecentlyUsed
from ..figures.page import answering
from ..figures.page.sheet import LEAST_WIDTH
from ..figures.side_by_side.draw import BOTH_WIDTH
from ..model.commit.beside import short_name
from ..model.commit.facts import CommitFacts
from ..table import Table
from ..table.side_by_side import CommitsSideBySide, commits_side_by_side
from .activity import Activity
from .browser import Page
from .controls import bar, steps
from .error_strip import ErrorStrip
from .explorer import TableExplorer
from .guard import guarded
from .markup import text
from .playback import steps_of
from .state import ExplorerState

_MOST_BYTES = 64_000_000  # of steps
_EDGES = 34  # pixels beside the picture
_READABLE = 1000  # pixels in which both are read beside each other, a little smaller than they are drawn


class SideBySidePlayback(w.VBox):
    """The commits of main of two tables as steps. Shown as the last value of a cell, at the last step.

    A table that has fewer commits than the other stands at its last one from there on.

    Attributes:
        tables: what is played.
        step: which step is shown, from 1.
        picture: of it, once it is read.
        explorers: of the tables that were opened below, by their place: 0 or 1.
    """

    def __init__(
        self, left: Table, right: Table, names: tuple[str, str], identifier_columns: Sequence[str] | None = None
    ) -> None:
        """Read the last step, which wherever widgets cannot run is all there is.

        Raises:
            ExplorerError: a table without a snapshot on main; it cannot be read.
        """
        self.tables, self.explorers = (left, right), dict[int, TableExplorer]()
        self._names, self._keys = names, identifier_columns
        self._lines = [steps_of(table.metadata) for table in self.tables]
        self.step = self._count = max(map(len, self._lines))
        self._read_steps: RecentlyUsed[int, CommitsSideBySide] = RecentlyUsed(_MOST_BYTES, _parts)
        self._state, self._errors, page = ExplorerState(), ErrorStrip(), Page()
        self._activity = Activity(Worker(lambda: left.spark), self._errors, lambda: left.remote)
        self.picture, self._shown = self._read(self.step), self.step
        self._buttons = steps(self._errors, self._go, "The commit before, of both (←)", "The next commit, of both (→)")
        self._where, self._drawn = w.HTML(), w.HTML()
        self._where.add_class("iceberg-which")
        opens = [self._opener(place, name) for place, name in enumerate(names)]
        self._stage, self._below = w.VBox([self._drawn]), w.VBox()
        board = w.VBox(
            [page, bar(*self._buttons, self._where, *opens), self._errors, self._activity, self._stage],
        )
        for name in ("iceberg-explorer", "iceberg-beside"):
            board.add_class(name)
        super().__init__([board, self._below])
        page.on_key(guarded(self._errors, self._key))
        page.observe(guarded(self._errors, lambda _: self._page_changed(page)), ["dark", "width"])
        self._show()

    def close(self) -> None:
        """Stop what is being read and take the playback, and what it opened, off the page."""
        self._activity.close()
        for opened in self.explorers.values():
            opened.close()
        super().close()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget, and beside it the step that is shown for wherever widgets cannot run."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        return bundle | self.picture._repr_mimebundle_()

    # what a person does

    def _opener(self, place: int, name: str) -> w.Button:
        button = w.Button(description=f"Open {short_name(name)}", tooltip="Below, at this commit")
        button.on_click(guarded(self._errors, lambda _: self._open(place)))
        return button

    def _open(self, place: int) -> None:
        """Show a table below, at the commit of this step."""
        if place not in self.explorers:
            self.explorers[place] = TableExplorer(self.tables[place])
            self._below.children = tuple(self.explorers[n] for n in sorted(self.explorers))
        state = self.explorers[place].state
        state.snapshot, state.front = str(self._at(self.step)[place]), "commit"

    def _key(self, key: str, shift: bool) -> None:
        if key in ("ArrowLeft", "ArrowRight"):
            self._go((-1 if key == "ArrowLeft" else 1) * (self._count if shift else 1))

    def _go(self, by: int) -> None:
        """Steps forward, or back if negative, as far as there are any."""
        wanted = min(max(self.step + by, 1), self._count)
        if wanted == self.step:
            return
        self.step = wanted
        self._stage.add_class("iceberg-stale")
        self._describe()
        self._activity.ask(
            "step",
            lambda: self._read(wanted),
            lambda picture: self._answered(wanted, picture),
            label=f"Reading step {wanted:,} of both",
            on_failure=self._failed,
        )

    # what is asked

    def _at(self, step: int) -> tuple[int, int]:
        """The snapshots of a step."""
        left, right = (line[min(step, len(line)) - 1] if line else 0 for line in self._lines)
        return left, right

    def _read(self, step: int) -> CommitsSideBySide:
        if (known := self._read_steps.get(step)) is not None:
            return known
        points = self._at(step) if all(self._lines) else ("main", "main")  # which says what a table lacks
        picture = commits_side_by_side(self.tables, points, self._names, self._keys)
        return self._read_steps.put(step, picture.read())

    def _answered(self, step: int, picture: CommitsSideBySide) -> None:
        self.picture, self._shown = picture, step
        self._stage.remove_class("iceberg-stale")
        self._show()

    def _failed(self) -> None:
        """Say which step is still drawn, grey."""
        self._where.value += f"; not read, what is drawn is step {self._shown:,}"

    # what is shown

    def _page_changed(self, page: Page) -> None:
        self._state.follow(dark=page.dark, width=page.width)
        self._show()

    def _show(self) -> None:
        room = max(self._state.width - _EDGES, LEAST_WIDTH)
        scene = self.picture.still(self._state.colours, max(room, BOTH_WIDTH) if room >= _READABLE else room)
        drawn = answering.to_inline(scene, f"beside{id(self)}")
        self._drawn.value = f"<style>{answering.STYLE}</style>{drawn}"
        self._describe()

    def _describe(self) -> None:
        ended = [
            f"{text(short_name(name))} ended with {len(line):,}"
            for name, line in zip(self._names, self._lines, strict=True)
            if len(line) < self.step
        ]
        self._where.value = "; ".join([f"<b>step {self.step:,} of {self._count:,}</b>", *ended])
        back, on = self._buttons
        back.disabled, on.disabled = self.step == 1, self.step == self._count


def _parts(picture: CommitsSideBySide) -> list[Sequence[object]]:
    def of(facts: CommitFacts) -> list[Sequence[object]]:
        return [facts.commit.files, facts.rows.cells if facts.rows is not None else ()]

    left, right = picture.facts
    return [*of(left), *of(right)]
