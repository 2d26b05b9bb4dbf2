"""What became of rows as a view: a condition, then their lives; read at once where that is little, else at a price."""

from __future__ import annotations

import ipywidgets as w

from ...figures.biography import draw as figure
from ...figures.page.scene import Scene, Selection
from ...model.biography import words
from ...model.biography.facts import Biography
from ...model.words import enumerated
from ...table.answers.biography import BiographyPicture
from ..context import Context, keep_place
from ..controls import bar, steps
from ..files import file_key, key_of, path_of
from ..guard import guarded
from ..priced_view import Offer, PricedView
from .biography_panel import panel

_NAMED = 12  # columns, in a sentence

Question = tuple[str, str, tuple[str, ...]]


class BiographyView(PricedView[Question, Biography]):
    """The lives of rows. Its question: a condition, whose line is told first, and what tells rows apart."""

    topic, asks_for_key = "biography", True

    def __init__(self, context: Context) -> None:
        on, refs = context.errors, _lines(context)
        self._condition = w.Text(
            description="Row where",
            placeholder=context.table.example_condition,
            value=context.state.condition,
            continuous_update=False,
        )
        self._condition.layout.width = "330px"
        self._condition.observe(guarded(on, lambda _: self._typed()), "value")
        self._ref = w.Dropdown(description="on", options=refs, layout=w.Layout(width="220px"))
        self._ref.observe(guarded(on, lambda _: self._changed()), "value")
        context.state.observe(guarded(on, lambda _: self._changed()), "key")
        self._whole = w.Button(description="All rows", tooltip="Back from some of them (Enter)")
        self._whole.on_click(guarded(on, lambda _: self._open_part("")))
        keep_place(self._whole, False)
        along = steps(on, lambda by: self._step(by, False), "Previous event (←)", "Next event (→)")
        controls = bar(self._condition, self._ref, context.keys.widget, *along, self._whole)
        super().__init__(context, [controls], "Read these files")
        self._state.observe(guarded(on, lambda _: self._told()), "condition")

    @property
    def of_window(self) -> str:
        """A life that is cut says the wrong thing of its end."""
        return "The window narrows nothing here: the life of a row is told from its birth on."

    def tells_of(self, snapshot: str) -> bool:
        """Whether something happened to these rows there."""
        events = self._picture.facts.events if self._picture is not None else ()
        return any(str(event.snapshot.snapshot_id) == snapshot for event in events)

    def row_selected(self, row: int) -> None:
        """Select the commit and the file of an event."""
        if self._picture is not None:
            event = self._picture.facts.events[row]
            with self._state.hold_trait_notifications():
                self._state.snapshot = str(event.snapshot.snapshot_id)
                self._state.file = event.row.file_path

    # what is asked

    def _asked(self) -> Question | None:
        condition = self._condition.value.strip()
        return (condition, self._ref.value, self._state.key_columns) if condition and self._ref.value else None

    def _label(self, question: Question) -> str:
        return f"Looking which files of the history may hold rows with {question[0]}"

    def _of(self, question: Question) -> str:
        return f"rows with {question[0]}"

    def _read(self, question: Question) -> BiographyPicture:
        condition, ref, identifiers = question
        return self._context.table.biography(condition, ref, identifier_columns=identifiers or None)

    def _find_offer(self, question: Question) -> Offer:
        picture = self._read(question)
        price = picture.price
        told = f"Rows with {question[0]} may be in {words.price(price)}. {words.why_so_many(price)}"
        return Offer(picture, price.size_in_bytes, told, f"Reading {words.price(price)}")

    def _ask(self) -> None:
        columns = _columns(self._context)
        more = [f"{len(columns) - _NAMED:,} more"] if len(columns) > _NAMED else []
        example = self._context.table.example_condition
        self.nothing = (
            f"Which row? Write a condition as after WHERE ({example}): every version of such rows"
            " is looked for in the whole history, deleted ones too. The columns are"
            f" {enumerated([*columns[:_NAMED], *more])}."
        )
        super()._ask()
        keep_place(self._whole, bool(self._part))

    def _changed(self) -> None:
        super()._changed()
        self._follow()  # the commit that is selected is none of the question

    def _typed(self) -> None:
        self._state.condition = self._condition.value.strip()
        self._changed()

    def _told(self) -> None:
        """Another view asks what became of rows."""
        if self._condition.value.strip() != self._state.condition:
            self._condition.value = self._state.condition

    # what is shown

    def _draw(self, facts: Biography, width: int) -> Scene:
        return figure.draw(
            facts,
            self._state.colours,
            name=self._context.table.name,
            selected=self._state.snapshot or None,
            selected_file=path_of(self._state.file) or None,
            width=width,
            view=self._part,
        )

    def _marks(self, scene: Scene, _facts: Biography) -> Selection:
        selected, file = self._state.snapshot or None, path_of(self._state.file) or None
        return figure.selection(scene, selected=selected, selected_file=file)

    def _panel_of(self, facts: Biography) -> str:
        return panel(facts, self._state.snapshot, key_of(self._state.file)[0], self._context.table.relation)

    def _describe(self) -> None:
        keep_place(self._whole, bool(self._part))
        super()._describe()

    def _open_part(self, part: str) -> None:
        super()._open_part(part)
        keep_place(self._whole, bool(part))

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        meaning = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if meaning is None:
            return
        if meaning.view is not None:
            self._open_part(meaning.view)
        elif meaning.snapshot is not None:
            (self._state.compare if shift else self._state.select)(meaning.snapshot)
        elif meaning.file is not None:
            self._state.select_file(file_key(meaning.file, meaning.content_offset))

    def _step(self, direction: int, shift: bool) -> None:
        """To the next commit at which something happened to these rows."""
        if self._picture is None or shift:
            super()._step(direction, shift)
            return
        found = list(dict.fromkeys(str(e.snapshot.snapshot_id) for e in self._picture.facts.events if e.move is None))
        if found:
            here = found.index(self._state.snapshot) + direction if self._state.snapshot in found else 0
            self._state.snapshot = found[min(max(here, 0), len(found) - 1)]


def _columns(context: Context) -> list[str]:
    """Of the table as it is now."""
    metadata = context.table.metadata
    schema = metadata.schemas.get(metadata.current_schema_id, ()) if metadata.current_schema_id is not None else ()
    return [column.path for column in schema if "." not in column.path]


def _lines(context: Context) -> list[str]:
    """Whose line can be told: main, the other branches, the tags."""
    refs = context.table.metadata.refs.values()
    return [ref.name for ref in sorted(refs, key=lambda r: (r.name != "main", r.kind != "branch", r.name))]
