"""Two points as a view: the selected snapshot and the one compared with it, told along the ancestry, or swapped.

Without a second snapshot the selected one is compared with the current one, and the current one with its parent; a
field takes any other point, or a table.
"""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as w

from ...figures.compare import draw as figure
from ...figures.page.scene import Scene, Selection
from ...model.compare import words
from ...model.compare.facts import Comparison
from ...table.picture import Picture
from ..context import Context, keep_place
from ..controls import bar, steps
from ..guard import guarded
from ..markup import text
from ..rows_view import RowsView
from .compare_panel import panel

_NO_SNAPSHOT = "This table has no snapshot, so there is nothing to compare."
_ONLY_ONE = "This table has one snapshot. Type the name of another table above, to compare the two."
_NO_SECOND = (
    "No snapshot is listed before this one. Choose two points: click a snapshot in History and shift-click a second "
    "one; or type a branch, a tag, a time or another table above, to compare the selected snapshot with it."
)

Question = tuple[str, str, bool]


class CompareView(RowsView[Question, Comparison]):
    """Two points. Its question: the selected snapshot, the other point, and whether they are told the other way."""

    topic, rows_topic = "compare", "rows of the comparison"

    def __init__(self, context: Context) -> None:
        on = context.errors
        self._swapped = False
        self._which = w.HTML()
        self._which.add_class("iceberg-which")
        self._other = w.Text(
            description="Compare with",
            placeholder="branch, tag, time, or table",
            continuous_update=False,
        )
        self._other.layout.width = "300px"
        self._other.observe(guarded(on, lambda _: self._changed()), "value")
        self._swap = w.Button(description="⇄ Swap", tooltip="Tell it the other way: what going back would do (x)")
        self._swap.on_click(guarded(on, lambda _: self._turn()))
        self._whole = w.Button(description="First partitions", tooltip="Back to the first partitions (Enter)")
        self._whole.on_click(guarded(on, lambda _: self._open_part("")))
        keep_place(self._whole, False)
        # Before they are asked about.
        context.state.observe(guarded(on, lambda _: self._chosen()), "compared")
        context.state.observe(guarded(on, lambda _: self._untold()), ["snapshot", "compared"])
        along = steps(on, lambda by: self._step(by, True), "Second snapshot back ([)", "Second snapshot on (])")
        controls = bar(*along, self._swap, self._other, self._whole, self._which)  # what grows is last
        super().__init__(context, [controls], "Count the rows that differ, and show some")

    def key(self, key: str, shift: bool) -> None:
        """As every view; x tells it the other way."""
        if key == "x":
            self._turn()
        else:
            super().key(key, shift)

    @property
    def of_window(self) -> str:
        """Points that were chosen one by one come before those of the window."""
        if self._ends is not None:
            return ""
        return "The window narrows nothing here: the two points that were chosen are compared."

    def row_selected(self, row: int) -> None:
        """Show the partitions among which the one of a data row is."""
        if self._picture is None:
            return
        of = self._picture.data.iloc[row]
        partitions = self._picture.facts.files.partitions
        place = next(
            (i for i, p in enumerate(partitions) if (p.spec_id, p.partition) == (of.spec_id, of.partition)), None
        )
        if of.area == "files" and place is not None:
            self._open_part(figure.part_with(place))

    # what is asked

    def _asked(self) -> Question | None:
        left, right = self._ends or (self._at, self._other.value.strip() or self._second)
        return (left, right, self._swapped) if left and right else None

    @property
    def _ends(self) -> tuple[str, str] | None:
        """What the window began from and what it ended with, if no other point was chosen."""
        if self._state.window is None or self._state.snapshot or self._other.value.strip():
            return None
        first, last = map(self._context.table.graph.find, self._state.window)
        if first is None or last is None:
            return None
        before = self._context.table.graph.parent(first) or first
        left, right = (str(node.snapshot.snapshot_id) for node in (before, last))
        return (left, right) if left != right else None

    def _narrowed(self) -> None:
        """Compare the ends of another window."""
        self._changed()

    @property
    def _second(self) -> str:
        """Id of the snapshot to compare with: the chosen one, else the current one, for that its parent; or empty."""
        graph = self._context.table.graph
        if graph.find(self._state.compared) is not None:
            return self._state.compared
        current = self._context.table.metadata.current_snapshot_id
        if current is not None and str(current) != self._at:
            return str(current)
        node = graph.find(self._at)
        parent = graph.parent(node) if node is not None else None
        return str(parent.snapshot.snapshot_id) if parent is not None else ""

    def _chosen(self) -> None:
        """A snapshot that is chosen takes the place of what was typed."""
        if self._state.compared:
            self._other.value = ""

    def _untold(self) -> None:
        """Nothing was told yet of what is selected now."""
        self._state.told = ()

    def _of(self, question: Question) -> str:
        return " and ".join(map(self._name, question[:2]))

    def _label(self, question: Question) -> str:
        return f"Comparing {self._name(question[0])} with {self._name(question[1])}"

    def _read(self, question: Question) -> Picture[Comparison]:
        left, right, swap = question
        return self._context.table.compare(left, right, swap=swap)

    def _changed(self) -> None:
        asked = self._asked()
        if self._answer_to is not None and asked is not None and asked[:2] != self._answer_to[:2]:
            self._swapped = False  # another comparison begins along the ancestry
        super()._changed()

    @property
    def _advice(self) -> str:
        """What to do where there is no second point."""
        if not self._at:
            return _NO_SNAPSHOT
        return _NO_SECOND if len(self._context.table.metadata.snapshots) > 1 else _ONLY_ONE

    def _ask(self) -> None:
        self.nothing = self._advice
        self._tell_points()
        super()._ask()

    def _turn(self) -> None:
        self._swapped = not self._swapped
        self._changed()

    def _answered(self, question: Question, picture: Picture[Comparison]) -> None:
        super()._answered(question, picture)
        self._tell_points()

    def _offer_rows(self, picture: Picture[Comparison]) -> None:
        """What the rows would cost is told by the files."""
        facts = picture.facts
        if facts.files.why_unknown:
            return
        if facts.rows is None or facts.rows.differing:
            price = facts.files.price
            self._rows.make(f"Rows: {words.price(facts)} to read.", None if price.at_least else price.size_in_bytes)

    def _rows_label(self, question: Question) -> str:
        return f"Reading the rows in which {' and '.join(map(self._name, question[:2]))} differ"

    def _read_rows(self, question: Question, key: Sequence[str] | None) -> Picture[Comparison]:
        left, right, swap = question
        return self._context.table.compare(left, right, rows=True, identifier_columns=key, swap=swap)

    def _rows_price(self, facts: Comparison) -> str:
        return words.price(facts)

    # what is shown

    def _tell_points(self) -> None:
        """Say which point is A and which is B, here and wherever letters stand beside a snapshot."""
        picture, asked = self._picture, self._asked()
        facts = picture.facts if picture is not None and asked is not None and self._answer_to == asked else None
        self._which.value = "" if facts is None else self._heading(facts)
        ends = () if facts is None or facts.relation is None else (facts.left, facts.right)
        self._state.told = tuple(str(of.snapshot.snapshot_id) for of in ends)

    def _heading(self, facts: Comparison) -> str:
        sides = "{} → {}"
        if facts.relation is None or facts.relation.kind != "ancestor":
            sides = "{} and {}"
        ids = words.short_ids(facts)
        points = (
            f"<b>{letter} {text(words.name(of.snapshot, ids))}</b>"
            for letter, of in zip("AB", (facts.left, facts.right), strict=True)
        )
        return sides.format(*points)

    def _describe(self) -> None:
        super()._describe()
        self._tell_points()

    def _draw(self, facts: Comparison, width: int) -> Scene:
        return figure.draw(
            facts, self._state.colours, selected=self._state.snapshot or None, width=width, view=self._part
        )

    def _marks(self, scene: Scene, _facts: Comparison) -> Selection:
        return figure.selection(scene, selected=self._state.snapshot or None)

    def _panel_of(self, facts: Comparison) -> str:
        return panel(facts)

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        meaning = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if meaning is not None and meaning.view is not None:
            self._open_part(meaning.view)
        elif meaning is not None and meaning.snapshot is not None:
            (self._state.compare if shift else self._state.select)(meaning.snapshot)

    def _open_part(self, part: str) -> None:
        super()._open_part(part)
        keep_place(self._whole, part not in ("", "from 0"))
