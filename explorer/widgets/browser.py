"""The explorer's hand on the page around it: theme, width, keys, clipboard, downloads. The only JavaScript of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
from traitlets import Bool, Int, List, Unicode

from .state import WIDE

_HERE = Path(__file__).parent

KeyHandler = Callable[[str, bool], None]
BoxHandler = Callable[[tuple[float, float, float, float]], None]
BrushHandler = Callable[[float, float], None]
ActHandler = Callable[[str, str], None]
SubmitHandler = Callable[[list[str]], None]


class Page(anywidget.AnyWidget):
    """An invisible widget that must stand inside the element with class `iceberg-explorer`.

    It follows the page's theme, the explorer's width and what is seen of it, sends keys that are pressed while the
    explorer has focus, what an element with `data-act` asks for when it is clicked (with shift its `data-shift-act`),
    what an `iceberg-form` is filled with when its button is pressed, and boxes that are drawn over a picture within an
    element with class `iceberg-brush` or over the overview; it copies the text of a clicked element's `data-copy`, and
    hands files to the browser's download.
    """

    _esm = _HERE / "browser.js"
    _css = _HERE / "browser.css"

    dark = Bool(False).tag(sync=True)
    """Whether the page around is dark; follows it live."""

    width = Int(0).tag(sync=True)
    """Width of the explorer in CSS pixels, in steps of 20 so that a scroll bar redraws nothing; 0 until it is shown."""

    watching = Bool(False).tag(sync=True)
    """Whether to tick, every few seconds while the explorer is seen."""

    paused = Bool(False).tag(sync=True)
    """Whether it should tick, but does not, since the explorer is not seen; told by the browser."""

    badges = List(Unicode()).tag(sync=True)
    """How many findings each tab has, in their order, as it is written beside the title; empty for none."""

    wide = Int(WIDE).tag(sync=True)
    """From this width on the explorer has two columns."""

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self._on_key: KeyHandler | None = None
        self._on_box: BoxHandler | None = None
        self._on_brush: BrushHandler | None = None
        self._on_act: ActHandler | None = None
        self._on_submit: SubmitHandler | None = None
        self._on_tick: Callable[[], None] | None = None
        self.on_msg(self._received)

    def on_key(self, handler: KeyHandler) -> None:
        """Call `handler(key, shift)` for keys as the browser names them (`ArrowLeft`, `Enter`, `c`)."""
        self._on_key = handler

    def on_box(self, handler: BoxHandler) -> None:
        """Call `handler((left, top, right, bottom))`, in pixels of the picture, when a box was drawn over one."""
        self._on_box = handler

    def on_brush(self, handler: BrushHandler) -> None:
        """Call `handler(left, right)`, in pixels of the overview, when a stretch of it was drawn."""
        self._on_brush = handler

    def on_tick(self, handler: Callable[[], None]) -> None:
        """Call `handler()` every few seconds while `watching` and the explorer is seen: not in a hidden tab."""
        self._on_tick = handler

    def on_act(self, handler: ActHandler) -> None:
        """Call `handler(act, value)` when an element made by `markup.action` was clicked."""
        self._on_act = handler

    def on_submit(self, handler: SubmitHandler) -> None:
        """Call `handler(filled)` when the button of a form was pressed, with what its fields held at that moment.

        The fields are what an element with class `iceberg-filled` contains, each with what was typed in it, or the text
        of the button that was chosen; empty for neither. Of a form without such an element, the button tells itself.
        """
        self._on_submit = handler

    def download(self, filename: str, content: bytes, media_type: str) -> None:
        """Hand bytes to the browser as a file; nothing leaves the machine that runs the browser and the kernel."""
        self.send({"kind": "download", "filename": filename, "type": media_type}, [content])

    def _received(self, _: object, content: dict[str, Any], __: object) -> None:
        if content.get("kind") == "key" and self._on_key is not None:
            self._on_key(str(content.get("key", "")), bool(content.get("shift")))
        elif content.get("kind") == "box" and self._on_box is not None:
            left, top, right, bottom = map(float, content["box"])
            self._on_box((left, top, right, bottom))
        elif content.get("kind") == "brush" and self._on_brush is not None:
            left, _, right, _ = map(float, content["box"])
            self._on_brush(left, right)
        elif content.get("kind") == "tick" and self._on_tick is not None:
            self._on_tick()
        elif content.get("kind") == "act" and self._on_act is not None:
            self._on_act(str(content.get("act", "")), str(content.get("value", "")))
        elif content.get("kind") == "submit" and self._on_submit is not None:
            self._on_submit(list(map(str, content["filled"])))
