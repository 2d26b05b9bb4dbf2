"""The changelog as a view: what the commits between two snapshots did to rows, drawn, and listed page by page."""

from __future__ import annotations

from typing import Any

import ipywidgets as w
import pandas as pd

from ...figures.changelog import draw as figure
from ...figures.page.scene import Scene, Selection
from ...model import formats
from ...model.changelog.facts import MODES, Changelog, Mode
from ...model.iceberg.relation import relation
from ...table.answers.changelog import ChangelogPicture
from ...table.picture import Picture
from ...table.readers.changelogs import Page
from ..context import Context
from ..controls import bar, steps
from ..guard import guarded
from ..markup import text
from ..priced_view import Offer, PricedView
from .changelog_panel import panel

_PAGE_TOPIC = "page of the changelog"
_ROWS_ON_A_PAGE = 50
_LONGEST_CELL = 200
_TYPES = (
    ("all rows", ()),
    ("INSERT", ("INSERT",)),
    ("DELETE", ("DELETE",)),
    ("UPDATE", ("UPDATE_BEFORE", "UPDATE_AFTER")),
)
_SINCE = (("selected, or A to B", "chosen"), ("all up to selected", "all"))
_IN_WORDS = {
    "changes": "Rows that changed; rows only carried over are left out",
    "raw": "Every row that left or came with a file, as Iceberg's .changes prints it",
    "updates": "As changes, with the two sides of an update as a pair",
    "net": "What is left when later commits took back what earlier ones did",
    "ownership": "The rows live at the end, each with the commit that owns it",
}


Question = tuple[str | None, str, Mode, tuple[str, ...]]


class ChangelogView(PricedView[Question, Changelog]):
    """From the snapshot compared with (else the parent) to the selected one (else the current one).

    Its question: start (exclusive; None for the beginning), end, mode, and the columns that tell rows apart.
    """

    topic, asks_for_key = "changelog", True
    nothing = "This table has no snapshot, so nothing has changed."

    def __init__(self, context: Context) -> None:
        on = context.errors
        self._offset, self._total = 0, 0
        # The row that was clicked: its key, the commit, and what was selected then.
        self._row: tuple[str, str, tuple[str, str]] | None = None
        # The range in which a commit was clicked, and what that selected.
        self._pinned: tuple[tuple[str | None, str], tuple[str, str]] | None = None
        self._mode = w.ToggleButtons(options=list(MODES), value="changes", tooltips=[_IN_WORDS[mode] for mode in MODES])
        self._mode.style.button_width = "auto"
        self._mode.observe(guarded(on, lambda _: self._changed()), "value")
        self._since = w.Dropdown(description="Commits", options=_SINCE)
        self._since.observe(guarded(on, lambda _: self._unpin()), "value")
        context.state.observe(guarded(on, lambda _: self._changed()), "key")
        self._table = w.HTML()
        self._table.add_class("iceberg-rows")
        self._pages = self._make_pages(context)
        context.state.observe(guarded(on, lambda _: self._selected()), ["snapshot", "compared"])
        controls = bar(self._mode, self._since, context.keys.widget)
        super().__init__(context, [controls], "Read the data files of these commits")
        self._below = w.VBox([self._pages, self._table])
        self.widget.children = (*self.widget.children, self._below)
        self._narrowed()
        if context.state.compared:  # an action that named both commits opened this view
            self._selected()

    def hidden(self) -> None:
        """Go behind another view; the range follows the selection again."""
        self._pinned = None
        super().hidden()

    def key(self, key: str, shift: bool) -> None:
        """← and → turn pages; with shift to the first and the last. Enter reads, or leaves a part of the picture."""
        if key == "ArrowLeft":
            self._turn(0 if shift else self._offset - _ROWS_ON_A_PAGE)
        elif key == "ArrowRight":
            self._turn(self._last_page if shift else self._offset + _ROWS_ON_A_PAGE)
        else:
            super().key(key, shift)

    def row_selected(self, row: int) -> None:
        """Select the commit of a data row."""
        if self._picture is not None:
            snapshot = str(self._picture.data["_commit_snapshot_id"].iloc[row])
            if snapshot != self._state.snapshot:
                self._look_at(snapshot)

    def _make_pages(self, context: Context) -> w.Widget:
        errors = context.errors
        self._types = w.ToggleButtons(options=_TYPES)
        self._types.style.button_width = "auto"
        placeholder = f"SQL over the columns: {context.table.example_condition}"
        self._where = w.Text(placeholder=placeholder, continuous_update=False)
        self._where.layout.width = "320px"
        self._place = w.HTML()
        pages = steps(
            errors, lambda by: self._turn(self._offset + by * _ROWS_ON_A_PAGE), "Rows before (←)", "Further rows (→)"
        )
        for control in (self._types, self._where):
            control.observe(guarded(errors, lambda _: self._turn(0)), "value")
        row = bar(self._types, self._where, *pages, self._place)
        row.layout.display = "none"
        return row

    # what is asked

    def _narrowed(self) -> None:
        """Offer the window that was chosen elsewhere, and take it."""
        chosen = self._state.window
        self._since.options = _SINCE if chosen is None else (*_SINCE, ("those of the window", "window"))
        self._since.value = "chosen" if chosen is None else "window"
        self._changed()

    def _selected(self) -> None:
        """Take the commits that were selected last; the window is taken again when none is selected any more.

        Whoever asks what changed between two commits is not answered with the rows of others.
        """
        if self._is_pinned:
            return
        if self._state.compared:
            self._since.value = "chosen"
        elif self._state.window is not None and self._since.value != "all":
            self._since.value = "chosen" if self._state.snapshot else "window"

    @property
    def _is_pinned(self) -> bool:
        """Whether the selection is that of a click in the picture, which asks nothing else."""
        return self._pinned is not None and self._pinned[1] == self._selection

    @property
    def _selection(self) -> tuple[str, str]:
        return self._state.snapshot, self._state.compared

    def _look_at(self, snapshot: str, *, beside: bool = False) -> None:
        """Select one of the commits of the picture, whose range stays."""
        asked = self._range()
        with self._state.hold_trait_notifications():
            (self._state.compare if beside else self._state.select)(snapshot)
            self._pinned = (asked, self._selection) if self._state.snapshot else None

    def _range(self) -> tuple[str | None, str]:
        """Start (exclusive) and end. Of two snapshots, the start is the one that the other descends from.

        Where neither descends from the other, the start is where they parted, and the end the one with the higher
        number.
        """
        if self._pinned is not None and self._is_pinned:
            return self._pinned[0]
        end, other = self._at, self._state.compared
        graph = self._context.table.graph
        if self._since.value == "window" and self._state.window is not None:
            first, last = map(graph.find, self._state.window)
            if first is not None and last is not None:
                parent = first.snapshot.parent_id
                return None if parent is None else str(parent), str(last.snapshot.snapshot_id)
        if self._since.value == "all" or not end:
            return None, end
        if other and graph.find(other) is not None:
            told = relation(graph.metadata, int(end), int(other), graph.forest)
            start = told.left.snapshot_id if told.base is None else told.base
            return str(start), str(told.right.snapshot_id)
        parent_id = graph.metadata.by_id[int(end)].parent_id
        return None if parent_id is None else str(parent_id), end

    def _asked(self) -> Question | None:
        start, end = self._range()
        return (start, end, self._mode.value, self._state.key_columns) if end else None

    def _label(self, question: Question) -> str:
        start, end, *_ = question
        since = f" after {self._name(start)}" if start is not None else ""
        return f"Reading the rows of the commits{since} up to {self._name(end)}"

    def _of(self, question: Question) -> str:
        start, end, mode, _ = question
        return f"{mode} {f'{self._name(start)} → ' if start is not None else 'up to '}{self._name(end)}"

    def _read(self, question: Question) -> ChangelogPicture:
        start, end, mode, identifiers = question
        return self._context.table.changelog(start, end, mode, identifier_columns=identifiers or None)

    def _unpin(self) -> None:
        self._pinned = None
        self._changed()

    def _changed(self) -> None:
        super()._changed()
        if self._in_front:
            self._follow()

    def _find_offer(self, question: Question) -> Offer:
        picture = self._read(question)
        price = picture.price.size_in_bytes
        takes = "how much is not recorded" if price is None else f"up to {formats.size(price)}"
        return Offer(picture, price, f"Reading takes {takes}.", self._label(question))

    def _outdate(self, state: str = "To be read") -> None:
        super()._outdate(state)
        if self._picture is not None:
            self._below.add_class("iceberg-stale")

    def _show_figure(self, is_there: bool) -> None:
        super()._show_figure(is_there)
        self._below.remove_class("iceberg-stale")

    def _withdraw(self) -> None:
        """What is asked is said before what reading takes, and when nothing is offered."""
        super()._withdraw()
        self._offer.lead(self._in_a_sentence())

    def _in_a_sentence(self) -> str:
        """What is asked, HTML; empty where there is nothing to ask about."""
        start, end = self._range()
        if not end:
            return ""
        since = f"after {self._name(start)} " if start is not None else ""
        if self._state.compared and end in self._selection and start not in (None, *self._selection):
            since += "(there the selected ones parted) "
        mode = self._mode.value
        return f"<b>{mode}</b>: {_IN_WORDS[mode]}. Commits {text(since)}up to {text(self._name(end))}."

    def _answered(self, question: Question, picture: Picture[Changelog]) -> None:
        super()._answered(question, picture)
        self._pages.layout.display = ""
        self._turn(0)

    # what is shown

    def _draw(self, facts: Changelog, width: int) -> Scene:
        return figure.draw(
            facts,
            self._state.colours,
            name=self._context.table.name,
            width=width,
            selected=self._state.snapshot or None,
            view=self._part,
        )

    def _marks(self, scene: Scene, _facts: Changelog) -> Selection:
        return figure.selection(scene, selected=self._state.snapshot or None, row=self._row_key)

    def _panel_of(self, facts: Changelog) -> str:
        return panel(facts, self._state.snapshot, self._row_key)

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        meaning = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if meaning is not None and meaning.view is not None:
            self._open_part(meaning.view)
        elif meaning is not None and meaning.key is not None and not shift:
            self._select_row(meaning.key, meaning.snapshot)
        elif meaning is not None and meaning.snapshot is not None:
            self._look_at(meaning.snapshot, beside=shift)

    @property
    def _row_key(self) -> str | None:
        """Key of the row that was clicked; None once anything else is selected."""
        return self._row[0] if self._row is not None and self._row[2] == self._selection else None

    def _select_row(self, key: str, snapshot: str | None) -> None:
        """Select a row, and the commit in which it was clicked, else the last that changed it; none on a second click.

        The commit stays selected then: so its rows are told.
        """
        if self._picture is None:
            return
        if snapshot is None:
            of_row = [row.snapshot_id for row in self._picture.facts.rows if row.key == key and row.snapshot_id]
            snapshot = str(of_row[-1]) if of_row else ""
        is_listed = self._context.table.graph.find(snapshot) is not None
        if self._row is not None and (self._row_key, self._row[1]) == (key, snapshot):
            self._row = None
        else:
            if is_listed and snapshot != self._state.snapshot:
                self._look_at(snapshot)
            self._row = key, snapshot, self._selection
        self._select()

    @property
    def _last_page(self) -> int:
        return max(self._total - 1, 0) // _ROWS_ON_A_PAGE * _ROWS_ON_A_PAGE

    def _turn(self, offset: int) -> None:
        picture = self._picture
        if not isinstance(picture, ChangelogPicture):
            return
        offset = max(offset, 0)
        if offset > self._last_page and offset > 0:
            return
        types, where = self._types.value, self._where.value
        self._context.activity.ask(
            _PAGE_TOPIC,
            lambda: picture.page(offset=offset, limit=_ROWS_ON_A_PAGE, change_types=types, where=where),
            self._page_answered,
            label="Reading a page of rows",
        )

    def _page_answered(self, page: Page) -> None:
        self._offset, self._total = page.offset, page.total
        last = page.offset + len(page.rows)
        self._place.value = (
            f"rows {page.offset + 1:,} to {last:,} of {formats.count(page.total)}" if last else "no rows"
        )
        self._table.value = _html(page.rows)

    def _name(self, snapshot: str) -> str:
        name = super()._name(snapshot)
        return f"{snapshot} (expired)" if name == snapshot else name


def _html(rows: pd.DataFrame) -> str:
    """A table in which nothing is markup; long values are cut, and whole in the data drawer."""
    head = "".join(f"<th>{text(str(name))}</th>" for name in rows.columns)
    body = "".join(
        f'<tr class="iceberg-{text(str(row["_change_type"]).lower())}">'
        + "".join(f"<td>{_cell(value)}</td>" for value in row.to_numpy())
        + "</tr>"
        for _, row in rows.iterrows()
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None or value is pd.NA:
        return "<i>null</i>"
    shown = "0x" + value.hex() if isinstance(value, bytes) else str(value)
    return text(shown if len(shown) <= _LONGEST_CELL else shown[: _LONGEST_CELL - 1] + "…")
