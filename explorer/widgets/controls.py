"""Controls that several views have."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as w

from .error_strip import ErrorStrip
from .guard import guarded


def steps(errors: ErrorStrip, step: Callable[[int], None], back: str, on: str) -> tuple[w.Button, w.Button]:
    """◀ and ▶, which call `step` with -1 and 1; `back` and `on` are what they say when the mouse rests on them."""
    buttons = []
    for sign, tip, direction in (("◀", back, -1), ("▶", on, 1)):
        button = w.Button(description=sign, tooltip=tip, layout=w.Layout(width="36px"))
        button.on_click(guarded(errors, lambda _, direction=direction: step(direction)))
        buttons.append(button)
    return buttons[0], buttons[1]


def bar(*controls: w.Widget) -> w.HBox:
    """Controls side by side, in as many lines as they need."""
    row = w.HBox(list(controls))
    row.add_class("iceberg-controls")
    return row
