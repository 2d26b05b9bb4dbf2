"""Where an answer changed, as a view: a statement and two ends, then the commit between them; its price comes first."""

from __future__ import annotations

import ipywidgets as w

from ...figures.bisect import draw as figure
from ...figures.page.scene import Scene, Selection
from ...model.bisect import words
from ...model.bisect.facts import Bisection
from ...table.answers.bisect import BisectPicture
from ..context import Context, keep_place
from ..controls import bar
from ..guard import guarded
from ..priced_view import Offer, PricedView
from .bisect_panel import panel

Question = tuple[str, str, str, bool]

_EXAMPLES = "Questions"


class BisectView(PricedView[Question, Bisection]):
    """A bisection. Its question: the statement, the good end, the bad one, and whether every candidate is read."""

    topic = "bisect"
    act = "Find the commit"
    nothing = (
        "What must be true of the table? Write one SELECT over {t} that gives one value, or choose a question above:"
        " the commit is looked for at which its answer changed. The good end is the oldest listed ancestor, and the bad"
        " one is main, unless you name others by number, id, branch or tag."
    )

    def __init__(self, context: Context) -> None:
        on = context.errors
        self._every = False
        self._examples = w.Dropdown(description=_EXAMPLES, options=_options(context), value="")
        self._examples.observe(guarded(on, lambda _: self._take_example()), "value")
        self._sql = w.Textarea(
            description="Statement",
            placeholder="SELECT count(*) FROM {t} WHERE …",
            continuous_update=False,
            rows=2,
            value=context.state.statement,
        )
        self._sql.add_class("iceberg-sql")
        self._good = w.Text(description="Good", placeholder="the oldest", continuous_update=False)
        self._bad = w.Text(description="Bad", placeholder="main", continuous_update=False)
        for end in (self._good, self._bad):
            end.layout.width = "200px"
            end.style.description_width = "initial"
        self._all = w.Button(tooltip="Read every commit that can have changed the answer: tells all changes")
        self._all.layout.width = "auto"
        self._all.on_click(guarded(on, lambda _: self._read_every()))
        for field in (self._sql, self._good, self._bad):
            field.observe(guarded(on, lambda _: self._typed()), "value")
        super().__init__(
            context,
            [bar(self._sql), bar(self._good, self._bad, self._examples, self._all)],
            "Ask at both ends, then where it halves what is left",
        )
        keep_place(self._all, False)
        self._state.observe(guarded(on, lambda _: self._told()), "statement")

    def tells_of(self, _snapshot: str) -> bool:
        """Nothing of a snapshot that is selected."""
        return False

    @property
    def of_window(self) -> str:
        """Why the chosen window of commits does not narrow the line."""
        return "The window narrows nothing here: the line reaches from the good end to the bad one."

    def refresh(self) -> None:
        """Ask again; another schema has other questions."""
        self._examples.options = _options(self._context)
        super().refresh()

    def key(self, key: str, shift: bool) -> None:
        """As every view; Enter reads what is offered, then opens the commit that was found."""
        found = self._picture.facts.first_bad if self._picture is not None and self._is_answered else None
        if key == "Enter" and self._offered is None and found is not None:
            with self._state.hold_trait_notifications():
                self._state.snapshot, self._state.front = str(found.snapshot_id), "commit"
        else:
            super().key(key, shift)

    def row_selected(self, row: int) -> None:
        """Select the snapshot of a data row."""
        if self._picture is not None:
            self._state.snapshot = str(self._picture.facts.snapshots[row].snapshot_id)

    # what is asked

    def _asked(self) -> Question | None:
        sql = self._sql.value.strip()
        if not sql or self._context.table.metadata.current_snapshot_id is None:
            return None
        return sql, self._good.value.strip(), self._bad.value.strip(), self._every

    def _label(self, _question: Question) -> str:
        return "Looking which commits can have changed the answer"

    def _of(self, question: Question) -> str:
        return " ".join(question[0].split())

    def _read(self, question: Question) -> BisectPicture:
        sql, good, bad, every = question
        return self._context.table.bisect(sql, good or None, bad or None, every=every)

    def _find_offer(self, question: Question) -> Offer:
        picture = self._read(question)
        price = picture.price
        told = f"Snapshots to ask the statement at: {words.price(price)}."
        return Offer(picture, price.size_in_bytes, told, f"Asking {words.price(price)}")

    def _changed(self) -> None:
        super()._changed()
        self._follow()  # the commit that is selected is none of the question

    def _typed(self) -> None:
        self._every = False
        self._state.statement = self._sql.value.strip()
        self._changed()

    def _told(self) -> None:
        """Another view asks where an answer changed."""
        if self._sql.value.strip() != self._state.statement:
            self._sql.value = self._state.statement

    def _take_example(self) -> None:
        if self._examples.value:
            self._sql.value, self._examples.value = self._examples.value, ""

    def _read_every(self) -> None:
        self._every = True
        self._changed()

    # what is shown

    def _draw(self, facts: Bisection, width: int) -> Scene:
        return figure.draw(
            facts,
            self._state.colours,
            name=self._context.table.name,
            selected=self._state.snapshot or None,
            width=width,
        )

    def _marks(self, scene: Scene, _facts: Bisection) -> Selection:
        return figure.selection(scene, selected=self._state.snapshot or None)

    def _panel_of(self, facts: Bisection) -> str:
        return panel(facts, self._state.snapshot)

    def _describe(self) -> None:
        super()._describe()
        if self._picture is not None:
            left = self._picture.facts.not_asked
            self._all.description = f"Check all candidates: {left:,} more"
            keep_place(self._all, bool(left))

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        meaning = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if meaning is not None and meaning.snapshot is not None:
            (self._state.compare if shift else self._state.select)(meaning.snapshot)

    def _step(self, direction: int, shift: bool) -> None:
        """To the next commit that was asked."""
        if self._picture is None or shift:
            super()._step(direction, shift)
            return
        facts = self._picture.facts
        found = [str(facts.snapshots[place].snapshot_id) for place in sorted({read.place for read in facts.reads})]
        here = found.index(self._state.snapshot) + direction if self._state.snapshot in found else 0
        self._state.snapshot = found[min(max(here, 0), len(found) - 1)]


def _options(context: Context) -> list[tuple[str, str]]:
    return [("choose one", ""), *context.table.example_statements(context.state.key_columns)]
