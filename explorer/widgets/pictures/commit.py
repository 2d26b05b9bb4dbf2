"""One commit as a view: its rewrite boundary, its files, and on request what became of its rows.

With a second snapshot to compare with, the net boundary between the two takes the commit's place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets as w

from ...figures.commit import draw as figure
from ...figures.page.fold import Part
from ...figures.page.names import file_names
from ...figures.page.scene import Scene, Selection
from ...model import formats
from ...model.commit.facts import CommitFacts
from ...model.iceberg.relation import relation
from ...model.iceberg.touched_files import Cost
from ...table.picture import Picture
from ..context import Context, keep_place
from ..controls import bar, steps
from ..files import file_key, path_of
from ..guard import guarded
from ..markup import text
from ..rows_view import RowsView
from .commit_panel import panel

_IN_LIST = 400  # a longer list is no help; the data drawer has every file

Question = tuple[str, str]


class CommitView(RowsView[Question, CommitFacts]):
    """The commit of the selected snapshot, or of the current one. Its question: that snapshot, and the one compared."""

    topic, rows_topic = "commit", "rows of the commit"
    nothing = "This table has no snapshot, so there is no commit to show."

    def __init__(self, context: Context) -> None:
        self._offering = False
        self._options: tuple[tuple[str, str], ...] = (("none", ""),)
        on = context.errors
        self._which = w.HTML()
        self._which.add_class("iceberg-which")
        self._files = w.Dropdown(description="File", options=(("none", ""),))
        self._files.observe(guarded(on, self._listed), "value")
        self._whole = w.Button(description="Whole commit", tooltip="Back from a part of it (Enter)")
        self._whole.on_click(guarded(on, lambda _: self._open_part("")))
        keep_place(self._whole, False)
        self._price = ""
        along = steps(on, lambda by: self._step(by, False), "Previous commit (←)", "Next commit (→)")
        controls = bar(*along, self._which, self._files, self._whole)
        super().__init__(context, [controls], "Tell what became of each row")

    @property
    def of_window(self) -> str:
        """A commit is a commit."""
        return "The window narrows nothing here: this is one commit, or two, whatever lies between them."

    def row_selected(self, row: int) -> None:
        """Select the file of a data row."""
        if self._picture is not None:
            self._state.file = _file_key(self._picture.facts, row)

    # what is asked

    def _asked(self) -> Question | None:
        """Of two snapshots the descendant first, whichever was chosen first: else what was added is told as removed."""
        graph, at, other = self._context.table.graph, self._at, self._state.compared
        if not at:
            return None
        if graph.find(other) is None or other == at:
            return at, ""
        told = relation(graph.metadata, int(at), int(other), graph.forest)
        return str(told.right.snapshot_id), str(told.left.snapshot_id)

    def _label(self, question: Question) -> str:
        return f"Reading the manifests of {self._name(question[0])}"

    def _read(self, question: Question) -> Picture[CommitFacts]:
        snapshot, since = question
        return self._context.table.boundary(since, snapshot) if since else self._context.table.commit(snapshot)

    def _of(self, question: Question) -> str:
        snapshot, since = question
        return f"{self._name(since)} → {self._name(snapshot)}" if since else self._name(snapshot)

    def _ask(self) -> None:
        self._which.value = self._heading()
        super()._ask()

    def _heading(self) -> str:
        question = self._asked()
        if question is None:
            return ""
        return f"<b>{text(self._of(question))}</b>{', net; more in Compare' if question[1] else ''}"

    def _offer_rows(self, picture: Picture[CommitFacts]) -> None:
        """What its rows would cost is told from manifests alone."""
        commit, table = picture.facts.commit, self._context.table
        if picture.name == "commit" and commit.manifests is not None and commit.totals.files:
            snapshot = commit.snapshot.snapshot_id
            self._context.activity.ask(
                self.rows_topic,
                lambda: table.commit_cost(snapshot),
                lambda cost: self._priced(picture, cost),
                label="Looking which data files the commit touched",
            )

    def _priced(self, picture: Picture[CommitFacts], cost: Cost) -> None:
        if picture is not self._picture:
            return
        least = "at least " if cost.at_least else ""
        rows, files = formats.count(cost.rows, "row"), formats.count(cost.files, "data file")
        self._price = f"{least}{rows} in {files}, {formats.size(cost.size_in_bytes)}"
        self._rows.make(f"Rows: {self._price} to read.", None if cost.at_least else cost.size_in_bytes)

    def _rows_label(self, question: Question) -> str:
        return f"Reading the rows of {self._name(question[0])}"

    def _read_rows(self, question: Question, key: Sequence[str] | None) -> Picture[CommitFacts]:
        return self._context.table.commit(question[0], rows=True, identifier_columns=key)

    def _rows_price(self, _facts: CommitFacts) -> str:
        return self._price

    # what is shown

    def _first_part(self, facts: CommitFacts) -> str:
        """The partition that everything is narrowed to, if the commit changed it."""
        chosen = self._state.partition
        is_there = any((change.spec_id, change.partition) == chosen for change in facts.commit.partitions)
        return str(Part.of_partition(*chosen)) if chosen is not None and is_there else ""

    def _narrowed(self) -> None:
        if self._picture is not None:
            self._open_part(self._first_part(self._picture.facts))

    def _describe(self) -> None:
        self._which.value = self._heading()
        keep_place(self._whole, bool(self._part))
        if self._picture is not None:
            self._fill_files(self._picture.facts)
        super()._describe()

    def _draw(self, facts: CommitFacts, width: int) -> Scene:
        return figure.draw(
            facts.commit,
            facts.rows,
            self._state.colours,
            name=self._context.table.name,
            selected_file=path_of(self._state.file or self._state.delete) or None,
            width=width,
            view=self._part,
        )

    def _marks(self, scene: Scene, facts: CommitFacts) -> Selection:
        selected = path_of(self._state.file or self._state.delete) or None
        return figure.selection(scene, facts.commit, facts.rows, selected_file=selected)

    def _panel_of(self, facts: CommitFacts) -> str:
        self._offer(self._state.file)
        return panel(facts, self._state.file)

    def _clicked(self, trace: int, point: int, _shift: bool) -> None:
        meaning = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if meaning is None:
            return
        if meaning.view is not None:
            self._open_part(meaning.view)
        elif meaning.file is not None:
            self._state.select_file(file_key(meaning.file, meaning.content_offset))

    def _open_part(self, part: str) -> None:
        super()._open_part(part)
        keep_place(self._whole, bool(part))

    # the list of files

    def _files_along(self, _scene: Scene) -> list[str]:
        return [value for _, value in self._files.options if value]

    def _fill_files(self, facts: CommitFacts) -> None:
        files = facts.commit.files[:_IN_LIST]
        short = file_names(file.key for file in files)
        options = [("none", "")]
        for file in files:
            label = f"{file.change} {file.kind} {short[file.key]}"
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


def _file_key(facts: CommitFacts, row: int) -> str:
    return file_key(*facts.commit.files[row].key)
