"""What a person keeps for a report, and where the report is written: a list that a button of the frame opens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import ipywidgets as w

from ..table import Table
from ..table.pins import Pin
from .activity import Activity
from .controls import bar
from .error_strip import ErrorStrip
from .guard import guarded
from .markup import text

_NONE = (
    "Nothing is kept yet. “Add to report” below a picture, or the key r, keeps it as it is drawn, with its notes and"
    " SQL; in Health the finding that is opened, with its evidence and what to do."
)


class Report(w.VBox):
    """The list of what was kept; behind the frame until its button is pressed.

    Attributes:
        button: opens and closes it, and says how many were kept.
    """

    def __init__(self, table: Callable[[], Table], activity: Activity, errors: ErrorStrip) -> None:
        self._table, self._activity, self._errors = table, activity, errors
        self._pins: list[Pin] = []
        self.button = w.ToggleButton(description="Report", tooltip="What was kept for a report (r adds a picture)")
        self.button.observe(guarded(errors, lambda _: self._show()), "value")
        self._question = w.Text(description="The question", placeholder="What was asked, in your own words")
        self._question.layout.width = "560px"
        self._values = w.Checkbox(
            description="with values of rows", indent=False, tooltip="Else partitions are hidden and rows left out"
        )
        self._path = w.Text(description="File", value=f"incident-{datetime.now(UTC):%Y-%m-%d}.html")
        self._path.layout.width = "420px"
        for field in (self._question, self._path):
            field.style.description_width = "initial"
        self._save = w.Button(description="Write the report")
        self._save.add_class("iceberg-on-enter")
        self._save.on_click(guarded(errors, lambda _: self._write()))
        self._said, self._kept = w.HTML(), w.VBox()
        self._said.add_class("iceberg-message")
        super().__init__([self._said, self._kept, bar(self._question), bar(self._path, self._values, self._save)])
        self.add_class("iceberg-report")
        self.add_class("iceberg-form")
        self._show()

    @property
    def pins(self) -> tuple[Pin, ...]:
        """What was kept, in order."""
        return tuple(self._pins)

    def add(self, pin: Pin) -> None:
        """Keep one more."""
        self._pins.append(pin)
        self._show(f"Kept: {pin.label}")

    def _remove(self, pin: Pin) -> None:
        self._pins.remove(pin)
        self._show()

    def _show(self, said: str = "") -> None:
        count = len(self._pins)
        self.button.description = f"Report ({count:,})" if count else "Report"
        self._said.value = f'<p role="status">{text(said or ("" if count else _NONE))}</p>'
        self._save.disabled = not count
        self._kept.children = tuple(self._line(number, pin) for number, pin in enumerate(self._pins, 1))
        (self.remove_class if self.button.value else self.add_class)("iceberg-gone")

    def _line(self, number: int, pin: Pin) -> w.Widget:
        remove = w.Button(description="✕", tooltip=f"Take out: {pin.label}", layout=w.Layout(width="36px"))
        remove.on_click(guarded(self._errors, lambda _: self._remove(pin)))
        line = w.HBox([remove, w.HTML(f"<p>{number:,}. {text(pin.label)}</p>")])
        line.add_class("iceberg-kept")
        return line

    def _write(self) -> None:
        path = Path(self._path.value.strip() or "incident.html").expanduser().absolute()
        table, pins, question = self._table(), self.pins, self._question.value.strip()
        ask: dict[str, Any] = {"question": question, "with_values": self._values.value, "pins": pins}
        self._activity.ask(
            "report",
            lambda: table.report(path, **ask),
            lambda written: self._show(f"Written: {written}"),
            label="Writing the report",
        )
