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
from ..markup import text
from ..resting import READ_BY_ITSELF
from ..view import PictureView, read_whole
from .biography_panel import panel

_NAMED = 12  # columns, in a sentence

Question = tuple[str, str, tuple[str, ...]]


class BiographyView(PictureView[Question, Biography]):
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
        self._condition.layout.width = "420px"
        self._condition.observe(guarded(on, lambda _: self._typed()), "value")
        self._ref = w.Dropdown(description="on", options=refs, layout=w.Layout(width="220px"))
        self._ref.observe(guarded(on, lambda _: self._changed()), "value")
        context.state.observe(guarded(on, lambda _: self._changed()), "key")
        self._whole = w.Button(description="All rows", tooltip="Back from some of them (Enter)")
        self._whole.on_click(guarded(on, lambda _: self._open_part("")))
        keep_place(self._whole, False)
        self._price, self._read_rows = w.HTML(), w.Button(description="Read them", tooltip="Read these files (Enter)")
        self._read_rows.on_click(guarded(on, lambda _: self._read_on()))
        self._price_bar = bar(self._price, self._read_rows)
        keep_place(self._price_bar, False)
        self._offered: tuple[Question, BiographyPicture] | None = None
        along = steps(on, lambda by: self._step(by, False), "Previous event (←)", "Next event (→)")
        controls = bar(self._condition, self._ref, context.keys.widget, *along, self._whole)
        super().__init__(context, [controls, self._price_bar])
        self._state.observe(guarded(on, lambda _: self._told()), "condition")

    def key(self, key: str, shift: bool) -> None:
        """← and → go along the commits with an event; Enter reads what was offered, or closes what a click opened."""
        if key == "Enter" and self._offered is not None:
            self._read_on()
        else:
            super().key(key, shift)

    @property
    def of_window(self) -> str:
        """A life that is cut says the wrong thing of its end."""
        return "The window narrows nothing here: the life of a row is told from its birth on."

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

    def _ask(self, *, by_itself: bool = False) -> None:
        """What reading takes comes first; little is read at once."""
        self._offer(None)
        question = self._asked()
        if question is None:
            columns = _columns(self._context)
            more = [f"{len(columns) - _NAMED:,} more"] if len(columns) > _NAMED else []
            example = self._context.table.example_condition
            self.nothing = (
                f"Which row? Write a condition as after WHERE ({example}): every version of such rows"
                " is looked for in the whole history, deleted ones too. The columns are"
                f" {enumerated([*columns[:_NAMED], *more])}."
            )
            super()._ask(by_itself=by_itself)
            return
        if self._picture is None:
            self._message.value = f"<p>{text(self._label(question))} …</p>"
        self._outdate("Being looked for")

        def priced() -> BiographyPicture:
            picture = self._read(question)
            return read_whole(picture) if picture.price.size_in_bytes <= READ_BY_ITSELF else picture

        self._context.activity.ask(
            self.topic,
            priced,
            lambda picture: self._priced(question, picture),
            label=self._label(question),
            on_failure=self._failed,
        )

    def _priced(self, question: Question, picture: BiographyPicture) -> None:
        if picture.price.size_in_bytes <= READ_BY_ITSELF:
            self._answered(question, picture)
        else:
            self._offer((question, picture))

    def _read_on(self) -> None:
        if self._offered is None:
            return
        question, picture = self._offered
        self._outdate("Being read")
        self._context.activity.ask(
            self.topic,
            lambda: read_whole(picture),
            lambda read: self._read_as_asked(question, read),
            label=f"Reading {words.price(picture.price)}",
            on_failure=self._failed,
        )

    def _read_as_asked(self, question: Question, picture: BiographyPicture) -> None:
        self._offer(None)
        self._answered(question, picture)

    def _offer(self, offered: tuple[Question, BiographyPicture] | None) -> None:
        """Say what reading takes; what is on the screen stays, grey, and says of which rows it is."""
        self._offered = offered
        keep_place(self._price_bar, offered is not None)
        if offered is not None:
            price = offered[1].price
            told = f"Rows with {offered[0][0]} may be in {words.price(price)}. {words.why_so_many(price)}"
            self._price.value = text(told)
            self._message.value = f"<p>{text(told)}</p>"
            self._outdate("Read on a click")

    def _returned(self) -> None:
        self._offer(None)
        super()._returned()

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
        return panel(facts, self._state.snapshot, key_of(self._state.file)[0])

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
