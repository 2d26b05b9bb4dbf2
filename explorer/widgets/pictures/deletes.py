"""The deletes of a snapshot as a view: which data file each reaches, by which clause; and why a row is deleted."""

from __future__ import annotations

from typing import Any

import ipywidgets as w

from ...figures.deletes import draw as deletes_figure
from ...figures.page.fold import Part
from ...figures.page.hits import down_the_page
from ...figures.page.scene import Scene, Selection
from ...figures.page.text import cut
from ...figures.why import draw as why_figure
from ...model.deletes.by_partition import is_by_partition
from ...model.deletes.facts import Deletes
from ...model.why import words as why_words
from ...model.why.facts import RowOutcome
from ...model.words import partition_name
from ...table.picture import Picture
from ..context import Context, keep_place
from ..controls import bar, steps
from ..files import file_key, key_of, path_of
from ..guard import guarded
from ..markup import text
from ..partition_search import PartitionSearch
from ..priced_view import Offer, PricedView
from .deletes_panel import deletes_panel, why_panel

Question = tuple[str, str, tuple[int, str] | None]
_LONGEST = 40  # signs of a condition on a button


class DeletesView(PricedView[Question, Deletes | RowOutcome]):
    """Deletes of the selected snapshot, or of the current one.

    Its question: that snapshot, and a condition on rows, or the one partition whose pairs are asked for: of all there
    may be so many that they are only counted.
    """

    topic = "deletes"
    nothing = "This table has no snapshot, so there is no delete to show."

    def __init__(self, context: Context) -> None:
        on = context.errors
        self._which = w.HTML()
        self._which.add_class("iceberg-which")
        self._whole = w.Button(description="All deletes", tooltip="Back from a part of them (Enter)")
        self._whole.on_click(guarded(on, lambda _: self._back()))
        keep_place(self._whole, False)
        self._why = w.Text(
            description="Why is this row (not) deleted?",
            placeholder=context.table.example_condition,
            continuous_update=False,
        )
        self._why.style.description_width = "initial"
        self._why.layout.width = "480px"
        self._why.observe(guarded(on, lambda _: self._changed()), "value")
        self._lives = w.Button(description="Their whole life", tooltip="What became of these rows, from birth to now")
        self._lives.on_click(guarded(on, lambda _: self._tell_lives()))
        keep_place(self._lives, False)
        self._chosen = w.Button(tooltip="Ask it of the rows that are chosen")
        self._chosen.on_click(guarded(on, lambda _: self._ask_of_chosen()))
        keep_place(self._chosen, False)
        along = steps(on, lambda by: self._step(by, False), "Previous commit (←)", "Next commit (→)")
        self._rows = PartitionSearch(on, self._searched)
        # A line for each: how much room is left beside the first depends on how a commit is called.
        controls = bar(*along, self._which, self._whole, *self._rows.widgets), bar(self._why, self._chosen, self._lives)
        super().__init__(context, controls, "Read these files")
        self._state.observe(guarded(on, lambda _: self._rows.clear()), "cleared")
        self._state.observe(guarded(on, lambda _: self._offer_way_back()), "condition")

    def key(self, key: str, shift: bool) -> None:
        """As every view; Enter also leaves the rows, or the partition, that was asked about."""
        if key != "Enter":
            super().key(key, shift)
        elif not self._offer.press():
            if not self._part and self._state.partition is None:
                self._why.value = ""
            self._back()

    @property
    def of_window(self) -> str:
        """Old deletes go on reaching files."""
        return "The window narrows nothing here: what deletes reach is told as of one snapshot, however old they are."

    def row_selected(self, row: int) -> None:
        """Select the pair of a data row."""
        if self._picture is None:
            return
        found = self._picture.data.iloc[row]
        offset = None if found.isna()["content_offset"] else int(found["content_offset"])
        file = "_file" if self._picture.name == "why" else "data_path"
        with self._state.hold_trait_notifications():
            if not found.isna()["delete_path"]:
                self._state.delete = file_key(found["delete_path"], offset)
            if not found.isna()[file]:
                self._state.file = found[file]

    # what is asked

    def _asked(self) -> Question | None:
        condition = self._why.value.strip()
        return (self._at, condition, None if condition else self._state.partition) if self._at else None

    def _label(self, question: Question) -> str:
        snapshot, condition, _ = question
        what = f"Looking which files may hold rows with {condition} of" if condition else "Reading the deletes of"
        return f"{what} {self._name(snapshot)}"

    def _of(self, question: Question) -> str:
        snapshot, condition, partition = question
        rows = f", rows with {condition}" if condition else ""
        return f"{self._name(snapshot)}{rows}{f', {partition_name(*partition)}' if partition is not None else ''}"

    def _read(self, question: Question) -> Picture[Deletes | RowOutcome]:
        snapshot, _, partition = question
        picture: Picture[Any] = self._context.table.deletes(snapshot, partition=partition)
        return picture

    def _is_priced(self, question: Question) -> bool:
        return bool(question[1])

    def _find_offer(self, question: Question) -> Offer:
        snapshot, condition, _ = question
        picture = self._context.table.why(condition, snapshot)
        price = why_words.price(picture.price)
        told = f"Rows with {condition} may be in {price}, with the deletes that may mask them."
        return Offer(picture, picture.price.size_in_bytes, told, f"Reading {price}")

    # what is shown

    def _describe(self) -> None:
        self._which.value = f"<b>{text(self._name(self._at))}</b>"
        self._offer_way_back()
        super()._describe()

    def _draw(self, facts: Deletes | RowOutcome, width: int) -> Scene:
        colours, name = self._state.colours, self._context.table.name
        if isinstance(facts, RowOutcome):
            selected = path_of(self._state.file) or None
            return why_figure.draw(facts, colours, name=name, width=width, selected_file=selected)
        how = {**self._rows.how, **self._pair(facts)}
        return deletes_figure.draw(facts, colours, name=name, width=width, view=self._part, **how)

    def _pair(self, facts: Deletes) -> dict[str, Any]:
        """The selected delete and data file; a delete that was selected as a file elsewhere counts as one."""
        delete, file = self._state.delete, self._state.file
        if file and not delete and any(live.file.key == key_of(file) for live in facts.deletes):
            delete, file = file, ""
        return {"selected_delete": key_of(delete) if delete else None, "selected_file": path_of(file) or None}

    def _marks(self, scene: Scene, facts: Deletes | RowOutcome) -> Selection:
        if isinstance(facts, RowOutcome):
            return why_figure.selection(scene, selected_file=path_of(self._state.file) or None)
        return deletes_figure.selection(scene, facts, **self._pair(facts))

    def _panel_of(self, facts: Deletes | RowOutcome) -> str:
        if isinstance(facts, RowOutcome):
            return why_panel(facts, path_of(self._state.file))
        pair = self._pair(facts)
        return deletes_panel(facts, pair["selected_delete"], pair["selected_file"])

    def _clicked(self, trace: int, point: int, _shift: bool) -> None:
        if self._live is None or self._picture is None:
            return
        if isinstance(self._picture.facts, RowOutcome):
            row = why_figure.clicked(self._live.scene, trace, point)
            if row is not None:
                self._choose(file_key(*row.delete) if row.delete else "", row.file or "")
            return
        pair = deletes_figure.clicked(self._live.scene, trace, point)
        if pair is None:
            return
        if pair.view is not None:
            self._open_part(pair.view)
        elif pair.partition is not None:
            self._state.partition = pair.partition
        elif pair.delete is not None or pair.file is not None:
            self._choose(file_key(*pair.delete) if pair.delete else "", pair.file or "")

    def _files_along(self, scene: Scene) -> list[str]:
        """The deletes, whose rows lie below each other; of a row's outcome, the data files."""
        if self._picture is not None and isinstance(self._picture.facts, RowOutcome):
            found = down_the_page(scene, why_figure.clicked)
            return [file_key(on.file, on.content_offset) for on in found if on.file is not None]
        return [file_key(*on.delete) for on in down_the_page(scene, deletes_figure.clicked) if on.delete is not None]

    def _take_file(self, key: str) -> None:
        asks_why = self._picture is not None and isinstance(self._picture.facts, RowOutcome)
        with self._state.hold_trait_notifications():
            self._state.delete, self._state.file = ("", key) if asks_why else (key, "")

    def _choose(self, delete: str, file: str) -> None:
        """Select a delete, a data file or both; the same again selects nothing."""
        if (self._state.delete, self._state.file) == (delete, file):
            delete = file = ""
        with self._state.hold_trait_notifications():
            self._state.delete, self._state.file = delete, file

    def _open_part(self, part: str) -> None:
        super()._open_part(part)
        self._offer_way_back()

    def _searched(self) -> None:
        """From the first of the partitions that are searched for, in the order that was chosen."""
        self._part = ""
        self._redraw()
        self._offer_way_back()

    def _narrowed(self) -> None:
        """Ask for the pairs of one partition; or of all again."""
        self._changed()

    def _tell_lives(self) -> None:
        """Ask what became of the rows, over all commits."""
        self._state.condition = self._why.value.strip()
        self._state.front = "biography"

    def _ask_of_chosen(self) -> None:
        self._why.value = self._state.condition

    def _back(self) -> None:
        """From a part of the picture to the whole, and from one partition to all."""
        if self._part:
            self._open_part("")
        elif self._state.partition is not None:
            self._state.partition = None

    def _offer_way_back(self) -> None:
        asked, chosen = self._why.value.strip(), self._state.condition
        keep_place(self._lives, bool(asked))
        self._chosen.description = cut(chosen, _LONGEST)
        keep_place(self._chosen, chosen not in ("", asked))
        facts = self._picture.facts if self._picture is not None else None
        opened = Part.parse(self._part).partition is not None
        self._rows.offer(isinstance(facts, Deletes) and is_by_partition(facts) and not opened)
        keep_place(self._whole, bool(self._part or self._state.partition is not None))
