"""One commit as a view: its rewrite boundary, its files, and on request what became of its rows.

With a second snapshot to compare with, the net boundary between the two takes the commit's place.
"""

from __future__ import annotations

from typing import Any

import ipywidgets as w

from ..figures import commit as figure
from ..figures.text import tell_apart
from ..model import formats, snapshot_story
from ..model.commit_facts import CommitFacts
from ..model.row_fates import Cost
from ..picture import Picture
from .commit_panel import panel
from .guard import guarded
from .live_figure import LiveFigure
from .markup import text
from .views import Context, put_behind

TITLE = "Commit"

_IN_LIST = 400  # a longer list is no help; the data drawer has every file
_PANEL_WIDTH = 360
_TOPIC, _ROWS_TOPIC = "commit", "rows of the commit"


class CommitView:
    """The commit of the selected snapshot, or of the current one."""

    def __init__(self, context: Context) -> None:
        self._context, self._state = context, context.state
        self._picture: Picture[CommitFacts] | None = None
        self._live: LiveFigure | None = None
        self._part = ""  # of the commit, that a click opened
        self._in_front = False
        self._offering = False
        self._options: tuple[tuple[str, str], ...] = (("none", ""),)
        self._panel, self._message, self._in_words = w.HTML(), w.HTML(), w.HTML()
        self._panel.add_class("iceberg-panel")
        self._message.add_class("iceberg-message")
        self._in_words.add_class("iceberg-in-words")
        self._stage = w.HBox([])
        self._stage.add_class("iceberg-stage")
        self.widget = w.VBox([self._make_controls(), self._make_rows_bar(), self._in_words, self._message, self._stage])
        on = context.errors
        self._state.observe(guarded(on, lambda _: self._snapshot_selected()), ["snapshot", "compared"])
        self._state.observe(guarded(on, lambda _: self._select()), "file")
        self._state.observe(guarded(on, lambda _: self._redraw()), ["theme", "width"])

    def refresh(self) -> None:
        """Ask again: a table made anew may have another commit under any id."""
        self._picture = None
        if self._in_front:
            self._ask()

    def close(self) -> None:
        """Take the figure off the page."""
        if self._live is not None:
            self._live.close()

    def shown(self) -> None:
        """Come to the front, and read what was selected meanwhile."""
        self._in_front = True
        if self._is_asked_for(self._picture):
            self._tell()
        else:
            self._ask()

    def hidden(self) -> None:
        """Go behind another view; nothing is read for a picture that nobody sees."""
        self._in_front = False

    def key(self, key: str, shift: bool) -> None:
        """← and → go along the commits, ↑ and ↓ along the files of this one; Enter opens the whole commit again."""
        if key in ("ArrowLeft", "ArrowRight"):
            self._step(-1 if key == "ArrowLeft" else 1, shift)
        elif key in ("ArrowUp", "ArrowDown"):
            self._step_file(-1 if key == "ArrowUp" else 1)
        elif key == "Enter":
            self._open_part("")

    def row_selected(self, row: int) -> None:
        """Select the file of a data row."""
        if self._picture is not None:
            self._state.file = _file_key(self._picture.facts, row)

    def _make_controls(self) -> w.Widget:
        errors = self._context.errors
        older = w.Button(description="◀", tooltip="Previous commit (←)", layout=w.Layout(width="36px"))
        newer = w.Button(description="▶", tooltip="Next commit (→)", layout=w.Layout(width="36px"))
        older.on_click(guarded(errors, lambda _: self._step(-1, False)))
        newer.on_click(guarded(errors, lambda _: self._step(1, False)))
        self._which = w.HTML()
        self._which.add_class("iceberg-which")
        self._files = w.Dropdown(description="File", options=(("none", ""),))
        self._files.observe(guarded(errors, self._listed), "value")
        self._whole = w.Button(description="Whole commit", tooltip="Back from a part of it (Enter)")
        self._whole.on_click(guarded(errors, lambda _: self._open_part("")))
        self._whole.layout.display = "none"
        row = w.HBox([older, newer, self._which, self._files, self._whole])
        row.add_class("iceberg-controls")
        return row

    def _make_rows_bar(self) -> w.Widget:
        errors = self._context.errors
        self._rows_text = w.HTML()
        self._read_rows = w.Button(description="Read rows", tooltip="Tell what became of each row")
        self._read_rows.on_click(guarded(errors, lambda _: self._ask_rows()))
        self._identifiers = w.Text(
            description="Pair updates by", placeholder="identifier columns, with commas", continuous_update=False
        )
        self._rows_bar = w.HBox([self._rows_text, self._identifiers, self._read_rows])
        self._rows_bar.add_class("iceberg-controls")
        self._rows_bar.layout.display = "none"
        return self._rows_bar

    # what is asked

    @property
    def _asked_for(self) -> str:
        """Id of the selected snapshot, else of the current one; empty for a table without any."""
        if self._context.table.graph.find(self._state.snapshot) is not None:
            return self._state.snapshot
        current = self._context.table.metadata.current_snapshot_id
        return "" if current is None else str(current)

    @property
    def _since(self) -> str:
        """Id of the snapshot that the selected one is compared with; empty if none."""
        return self._state.compared if self._context.table.graph.find(self._state.compared) is not None else ""

    def _is_asked_for(self, picture: Picture[CommitFacts] | None) -> bool:
        """Whether the picture answers what is asked now."""
        if picture is None:
            return False
        told = picture.facts.commit.snapshot
        is_boundary = picture.name == "boundary"
        return str(told.snapshot_id) == self._asked_for and (str(told.parent_id) if is_boundary else "") == self._since

    def _snapshot_selected(self) -> None:
        if self._in_front and not self._is_asked_for(self._picture):
            self._ask()

    def _ask(self) -> None:
        snapshot, table = self._asked_for, self._context.table
        if not snapshot:
            self._nothing()
            return
        since = self._since
        if self._picture is None:
            self._message.value = "<p>Reading the manifests …</p>"
        self._which.value = self._heading()
        self._context.activity.ask(
            _TOPIC,
            lambda: table.boundary(since, snapshot) if since else table.commit(snapshot),
            self._answered,
            label=f"Reading the manifests of {self._name(snapshot)}",
        )

    def _heading(self) -> str:
        name = text(self._name(self._asked_for))
        return f"<b>{text(self._name(self._since))} → {name}</b>, net" if self._since else f"<b>{name}</b>"

    def _answered(self, picture: Picture[CommitFacts]) -> None:
        """The commit is told; then, from manifests alone, what its rows would cost."""
        self._picture, self._part = picture, ""
        self._show(picture)
        commit, table = picture.facts.commit, self._context.table
        self._rows_bar.layout.display = "none"
        if picture.name == "commit" and commit.manifests is not None and commit.totals.files:
            snapshot = commit.snapshot.snapshot_id
            self._context.activity.ask(
                _ROWS_TOPIC,
                lambda: table.commit_cost(snapshot),
                lambda cost: self._priced(picture, cost),
                label="Looking which data files the commit touched",
            )

    def _priced(self, picture: Picture[CommitFacts], cost: Cost) -> None:
        if picture is not self._picture:
            return
        least = "at least " if cost.at_least else ""
        self._rows_text.value = (
            f"Rows: {least}{formats.count(cost.rows, 'row')} in {formats.count(cost.files, 'data file')}, "
            f"{formats.size(cost.size_in_bytes)} to read."
        )
        self._read_rows.description = "Read rows"
        self._rows_bar.layout.display = ""

    def _ask_rows(self) -> None:
        if self._picture is None:
            return
        snapshot, table = self._picture.facts.commit.snapshot.snapshot_id, self._context.table
        typed = [name.strip() for name in self._identifiers.value.split(",") if name.strip()]
        self._context.activity.ask(
            _ROWS_TOPIC,
            lambda: table.commit(snapshot, rows=True, identifier_columns=typed or None),
            self._rows_answered,
            label=f"Reading the rows of {self._name(str(snapshot))}",
        )

    def _rows_answered(self, picture: Picture[CommitFacts]) -> None:
        if not self._is_asked_for(picture):
            return
        self._picture = picture
        self._rows_text.value = "Rows were read."
        self._read_rows.description = "Read again"
        self._show(picture)

    # what is shown

    def _nothing(self) -> None:
        self._picture = None
        self._message.value = "<p>This table has no snapshot, so there is no commit to show.</p>"
        self._show_figure(False)

    def _show(self, picture: Picture[CommitFacts]) -> None:
        drawn = self._drawn(picture.facts)
        if self._live is None:
            self._live = LiveFigure(drawn)
            self._live.on_click(guarded(self._context.errors, self._clicked))
            self._stage.children = (self._live.widget, self._panel)
        else:
            self._live.show(drawn)
        self._show_figure(True)
        self._tell()

    def _show_figure(self, is_there: bool) -> None:
        put_behind(self._stage, not is_there)
        put_behind(self._message, is_there)

    def _tell(self) -> None:
        """Everything but the figure."""
        if self._picture is None:
            return
        self._which.value = self._heading()
        self._in_words.value = f"<p>{text(self._picture.title)}</p>"
        self._whole.layout.display = "" if self._part else "none"
        self._fill_files(self._picture.facts)
        self._select()
        if self._in_front:
            self._context.shows(self._picture)

    def _drawn(self, facts: CommitFacts) -> Any:
        width = self._state.width - (_PANEL_WIDTH if self._state.width >= 1000 else 0)
        return figure.draw(
            facts.commit,
            facts.rows,
            self._state.colours,
            name=self._context.table.name,
            selected_file=_path(self._state.file) or None,
            width=max(width, 720),
            view=self._part,
        )

    def _redraw(self) -> None:
        if self._picture is not None and self._live is not None:
            self._live.show(self._drawn(self._picture.facts))
            self._select()

    def _select(self) -> None:
        """Move the marks of the selected file; nothing else is drawn again."""
        if self._picture is None or self._live is None:
            return
        facts = self._picture.facts
        marks = figure.selection(
            self._live.figure,
            facts.commit,
            facts.rows,
            self._state.colours,
            selected_file=_path(self._state.file) or None,
        )
        self._live.change(marks.traces, marks.first_shape)
        self._panel.value = panel(facts, self._state.file)
        self._offer(self._state.file)

    def _clicked(self, trace: int, point: int, _shift: bool) -> None:
        meaning = figure.clicked(self._live.figure, trace, point) if self._live is not None else None
        if meaning is None:
            return
        if meaning.view is not None:
            self._open_part(meaning.view)
        elif meaning.file is not None:
            self._state.select_file(file_key(meaning.file, meaning.content_offset))

    def _open_part(self, part: str) -> None:
        if part != self._part:
            self._part = part
            self._redraw()
            self._whole.layout.display = "" if part else "none"

    # lists and keys

    def _step(self, direction: int, shift: bool) -> None:
        """To the neighbour in commit order; with shift, of the snapshot compared with."""
        nodes = self._context.table.graph.nodes
        compares = shift and bool(self._state.snapshot)
        at = self._context.table.graph.find(self._state.compared if compares else "")
        at = at or self._context.table.graph.find(self._asked_for)
        if at is not None:
            place = min(max(nodes.index(at) + direction, 0), len(nodes) - 1)
            there = str(nodes[place].snapshot.snapshot_id)
            if compares:
                self._state.compared = "" if there == self._state.snapshot else there
            else:
                self._state.snapshot = there

    def _step_file(self, direction: int) -> None:
        keys = [value for _, value in self._files.options if value]
        if keys:
            at = keys.index(self._state.file) + direction if self._state.file in keys else 0
            self._state.file = keys[min(max(at, 0), len(keys) - 1)]

    def _fill_files(self, facts: CommitFacts) -> None:
        files = facts.commit.files[:_IN_LIST]
        short = tell_apart({file.entry.file_path for file in files})
        options = [("none", "")]
        for file in files:
            offset = "" if file.entry.content_offset is None else f"·{file.entry.content_offset}"
            label = f"{file.change} {file.kind} {short[file.entry.file_path]}{offset}"
            options.append((label, file_key(*file.key)))
        self._options = tuple(dict.fromkeys(options))
        self._offer(self._state.file)

    def _offer(self, value: str) -> None:
        """Fill the list; that its value changes on the way is not the person's choice."""
        self._offering = True
        try:
            if self._files.options != self._options:
                self._files.options = self._options
            self._files.value = value if any(value == key for _, key in self._options) else ""
        finally:
            self._offering = False

    def _listed(self, change: dict[str, Any]) -> None:
        if not self._offering:
            self._state.file = change["new"]

    def _name(self, snapshot: str) -> str:
        graph = self._context.table.graph
        node = graph.find(snapshot)
        return snapshot_story.name(graph, node) if node is not None else snapshot


def file_key(path: str, content_offset: int | None) -> str:
    """How the shared state names a file: its location, for a deletion vector followed by `·offset`."""
    return path if content_offset is None else f"{path}·{content_offset}"


def _path(key: str) -> str:
    path, dot, offset = key.rpartition("·")
    return path if dot and offset.isdigit() else key


def _file_key(facts: CommitFacts, row: int) -> str:
    return file_key(*facts.commit.files[row].key)
