"""What views of one picture have in common: they follow the selection, read when they are in front, and draw in place.

Figure on the left, a panel about the selection beside it, the view's own controls above.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Generic, TypeVar

import ipywidgets as w

from ..figures.page.scene import Box, Scene, Selection
from ..model.snapshot_graph import words as snapshot_graph_words
from ..table.picture import Picture
from ..table.pins import Pin, pin
from .context import Context, put_behind
from .guard import guarded
from .live_figure import LiveFigure
from .markup import FOLD, text

Facts = TypeVar("Facts")
AnyPicture = TypeVar("AnyPicture", bound=Picture[Any])
Question = TypeVar("Question", bound=Hashable)


def read_whole(picture: AnyPicture) -> AnyPicture:
    """With all that the drawers show but rows, so that opening one asks nothing on the kernel's main thread."""
    _ = picture.read().sql, picture.notes
    return picture


class PictureView(Generic[Question, Facts]):
    """A view of one picture. What differs from view to view is in the methods that raise NotImplementedError.

    Attributes:
        widget: what the explorer puts on the page.
        topic: of its questions; a newer question of the same topic supersedes an older one.
        nothing: said where there is nothing to ask about.
        asks_for_key: whether the view has the field for what tells rows apart.
        fold: the button in the panel that folds it where it is a sheet over the picture; empty where it never is.
    """

    topic: str
    nothing = "This table has no snapshot, so there is nothing to show."
    fold = FOLD
    asks_for_key = False

    def __init__(self, context: Context, controls: Sequence[w.Widget]) -> None:
        self._context, self._state = context, context.state
        self._picture: Picture[Facts] | None = None
        self._answer_to: Question | None = None
        self._shown_of = ""  # what the picture on the screen is of, in a few words
        self._live: LiveFigure | None = None
        self._reading: Question | None = None  # what is being read because the tab was opened, or something selected
        self._part = ""  # of the picture, that a click opened
        self._in_front = False
        self._panel, self._message, self._in_words, self._old = w.HTML(), w.HTML(), w.HTML(), w.HTML()
        self._panel.add_class("iceberg-panel")
        self._message.add_class("iceberg-message")
        self._in_words.add_class("iceberg-in-words")
        self._old.add_class("iceberg-old")
        self._stage = w.HBox([])
        self._stage.add_class("iceberg-stage")
        self.widget = w.VBox([*controls, self._in_words, self._message, self._stage])
        on = context.errors
        self._state.observe(guarded(on, lambda _: self._changed()), ["snapshot", "compared"])
        self._state.observe(guarded(on, lambda _: self._follow()), ["file", "delete"])
        self._state.observe(guarded(on, lambda _: self._redraw()), ["theme", "width"])
        self._state.observe(guarded(on, lambda _: self._narrowed()), ["partition", "window"])

    # what a view says of itself

    def _asked(self) -> Question | None:
        """What is asked now; None if there is nothing to ask about."""
        raise NotImplementedError

    def _label(self, question: Question) -> str:
        """What is being read, while it is."""
        raise NotImplementedError

    def _of(self, _question: Question) -> str:
        """What is asked about, in a few words; empty where that would take many."""
        return ""

    def _read(self, question: Question) -> Picture[Facts]:
        """The picture, asked for on the worker's thread and read there."""
        raise NotImplementedError

    def _draw(self, facts: Facts, width: int) -> Scene:
        """The drawing."""
        raise NotImplementedError

    def _marks(self, scene: Scene, facts: Facts) -> Selection | None:
        """The marks of what is selected in the drawing on the screen; None if only a new one shows them."""
        raise NotImplementedError

    def _panel_of(self, facts: Facts) -> str:
        """HTML about the selection."""
        raise NotImplementedError

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        """Take a click on a point of a trace."""
        raise NotImplementedError

    def _files_along(self, _scene: Scene) -> Sequence[str]:
        """The files that ↑ and ↓ go along, as the shared state names them."""
        return ()

    def _take_file(self, key: str) -> None:
        """Select a file that ↑ or ↓ came to."""
        self._state.file = key

    def _first_part(self, _facts: Facts) -> str:
        """The part of a new answer that is shown first; the whole if empty."""
        return ""

    def tells_of(self, _snapshot: str) -> bool:
        """Whether it shows something of a snapshot that is selected."""
        return True

    @property
    def of_window(self) -> str:
        """Why the chosen window of commits does not narrow the picture, in a sentence; empty where it does."""
        return ""

    def _narrowed(self) -> None:
        """Follow the partition and the window that were chosen here or elsewhere, if the picture knows of them."""

    def _opened(self) -> str:
        """Name of the check that is opened; empty in all pictures but that of the checks."""
        return ""

    # what the explorer tells a view

    def pin(self) -> Pin | None:
        """What is shown, to be kept for a report; None where nothing is, or what is asked is not answered."""
        if self._picture is None or self._live is None or not self._is_answered:
            return None
        return pin(self._picture, self._live.scene, self._opened())

    def refresh(self) -> None:
        """Ask again: a table made anew may have another answer to the same question."""
        self._answer_to = None
        self._context.activity.drop(self.topic)
        if self._in_front:
            self._ask()

    def close(self) -> None:
        """Take the figure off the page."""
        if self._live is not None:
            self._live.close()

    def shown(self) -> None:
        """Come to the front, and read what was selected meanwhile."""
        self._in_front = True
        if self._is_answered:
            self._describe()
            self._mark()
        elif not self._is_read_on:
            self._ask()
        if self.asks_for_key:
            self._context.keys.propose()

    def hidden(self) -> None:
        """Go behind another view. What is being read goes on only as long as nothing else is asked for.

        What a person pressed a button for goes on in any case.
        """
        self._in_front = False
        if self._reading is not None:
            self._context.activity.leave(self.topic)

    def key(self, key: str, shift: bool) -> None:
        """← and → go along the commits, ↑ and ↓ along the files of the page, [ and ] move the compared commit.

        Enter closes the part that a click opened.
        """
        if key in ("ArrowLeft", "ArrowRight"):
            self._step(-1 if key == "ArrowLeft" else 1, shift)
        elif key in ("[", "]"):
            self._step(-1 if key == "[" else 1, True)
        elif key == "c" and self._state.snapshot:
            current = self._context.table.metadata.current_snapshot_id
            self._state.compare("" if current is None else str(current))
        elif key in ("ArrowUp", "ArrowDown"):
            self._step_file(-1 if key == "ArrowUp" else 1)
        elif key == "Enter":
            self._open_part("")

    def read_offered(self) -> bool:
        """Read what is offered at a price, as on a click; False if nothing waits for one."""
        return False

    def dragged(self, box: Box) -> None:
        """Take a box that a person drew over the picture, page pixels of its scene."""

    @property
    def _figure_width(self) -> int:
        """Width that the figure has, pixels."""
        return self._state.figure_width

    # asking

    @property
    def _is_answered(self) -> bool:
        return self._picture is not None and self._answer_to is not None and self._answer_to == self._asked()

    @property
    def _is_read_on(self) -> bool:
        """Whether what is asked was being read when the view was left, and still is."""
        is_same = self._reading is not None and self._reading == self._asked()
        return is_same and self._context.activity.take_back(self.topic)

    @property
    def _at(self) -> str:
        """Id of the selected snapshot, else of the current one; empty for a table without any."""
        if self._context.table.graph.find(self._state.snapshot) is not None:
            return self._state.snapshot
        current = self._context.table.metadata.current_snapshot_id
        return "" if current is None else str(current)

    def _changed(self) -> None:
        if not self._in_front:
            return
        self._context.activity.drop(self.topic)
        if self._is_answered:
            self._returned()
        else:
            self._ask()

    def _returned(self) -> None:
        """What is shown is asked for again, before another question was answered."""
        self._show_figure(True)

    def _ask(self) -> None:
        question = self._asked()
        if question is None:
            self._picture, self._part = None, ""
            self._context.errors.succeeded(self.topic)  # what failed is not asked any more
            self._message.value = f"<p>{text(self.nothing)}</p>"
            self._show_figure(False)
            return
        if self._picture is None:
            self._message.value = f"<p>{text(self._label(question))} …</p>"
        self._outdate("Being read")
        self._reading = question
        self._context.activity.ask(
            self.topic,
            lambda: read_whole(self._read(question)),
            lambda picture: self._answered(question, picture),
            label=self._label(question),
            on_failure=self._failed,
        )

    def _outdate(self, state: str = "To be read") -> None:
        """Grey what answers another question than the one that is asked, and say in what state that one is."""
        if self._picture is None:
            return
        question = self._asked()
        asked = "" if question is None else self._of(question)
        of = f", of {self._shown_of}" if self._shown_of else ""
        new = f": {asked}" if asked and asked != self._shown_of else ""
        self._old.value = text(f"Old answer{of}. {state}{new}.")
        self._stage.add_class("iceberg-stale")

    def _failed(self) -> None:
        """Say that there is no answer; an older one stays, grey."""
        self._answer_to = self._reading = None
        if self._picture is None:
            self._message.value = "<p>There is no answer to what was asked, as is said above.</p>"
            put_behind(self._message, False)
        self._outdate("Not answered")

    def _answered(self, question: Question, picture: Picture[Facts]) -> None:
        self._picture, self._part = picture, self._first_part(picture.facts)
        self._show(picture)
        self._answer_to, self._shown_of, self._reading = question, self._of(question), None

    # showing

    def _show(self, picture: Picture[Facts]) -> None:
        drawn = self._draw(picture.facts, self._figure_width)
        self._show_figure(True)
        self._describe()
        if self._live is None:
            self._tell(drawn)
            self._live = LiveFigure(drawn)
            self._live.on_click(guarded(self._context.errors, self._clicked))
            self._stage.children = (self._live.widget, self._panel, self._old)
        else:
            self._put(self._live, drawn)
        self._mark()

    def _show_figure(self, is_there: bool) -> None:
        self._stage.remove_class("iceberg-stale")
        put_behind(self._stage, not is_there)
        put_behind(self._message, is_there)

    def _describe(self) -> None:
        """Everything but the figure."""
        if self._picture is None:
            return
        self._answer(self._picture)
        if self._in_front:
            self._context.shows(self._picture)

    def _answer(self, picture: Picture[Facts]) -> None:
        """Say in the panel what is selected."""
        self._panel.value = self.fold + self._panel_of(picture.facts)

    def _tell(self, scene: Scene) -> None:
        """Say to those who do not see the picture what it says; the data grid is their other way in."""
        self._in_words.value = f"<p>{text(scene.in_words)}</p>"

    def _put(self, live: LiveFigure, scene: Scene) -> None:
        """Draw another scene. What it says comes first, for a page that draws shows nothing else."""
        self._tell(scene)
        live.show(scene)

    def _redraw(self) -> None:
        if self._picture is not None and self._live is not None:
            self._answer(self._picture)
            self._put(self._live, self._draw(self._picture.facts, self._figure_width))
            self._mark()

    def _follow(self) -> None:
        if self._in_front:
            self._select()

    def _select(self) -> None:
        """Say what is selected, then mark it. Words first, the browser draws longer."""
        if self._picture is not None:
            self._answer(self._picture)
            self._mark()

    def _mark(self) -> None:
        """Move the marks of what is selected; nothing else is drawn again, if they alone show it."""
        if self._picture is None or self._live is None:
            return
        marks = self._marks(self._live.scene, self._picture.facts)
        if marks is None:
            self._put(self._live, self._draw(self._picture.facts, self._figure_width))
        else:
            self._live.select(marks)

    def _open_part(self, part: str) -> None:
        if part != self._part:
            self._part = part
            self._redraw()

    # going along files, and commits

    def _step_file(self, direction: int) -> None:
        """To the next file above or below the selected one; to the first if none of them is selected."""
        found = list(dict.fromkeys(self._files_along(self._live.scene))) if self._live is not None else []
        here = self._state.delete or self._state.file
        at = found.index(here) + direction if here in found else 0
        if found and found[min(max(at, 0), len(found) - 1)] != here:
            self._take_file(found[min(max(at, 0), len(found) - 1)])

    def _step(self, direction: int, shift: bool) -> None:
        """To the neighbour in commit order; with shift, of the snapshot compared with."""
        nodes = self._context.table.graph.nodes
        compares = shift and bool(self._state.snapshot)
        at = self._context.table.graph.find(self._state.compared if compares else "")
        at = at or self._context.table.graph.find(self._at)
        if at is not None:
            place = min(max(nodes.index(at) + direction, 0), len(nodes) - 1)
            there = str(nodes[place].snapshot.snapshot_id)
            if compares:
                self._state.compared = "" if there == self._state.snapshot else there
            else:
                self._state.snapshot = there

    def _name(self, snapshot: str) -> str:
        graph = self._context.table.graph
        node = graph.find(snapshot)
        return snapshot_graph_words.name(graph, node) if node is not None else snapshot
