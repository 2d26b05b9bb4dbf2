"""What the keys do, what the tab in front answers, and what its marks mean: shown over the picture by `?`."""

from __future__ import annotations

import ipywidgets as w

from ..figures.page.glyphs import GLYPHS
from ..figures.page.theme import Theme
from ..table.pictures import PICTURES
from .markup import text

KEYS = (
    (
        "Look around",
        (
            ("← →", "to the commit before, and after; in Changes a page"),
            ("↑ ↓", "to the next lane, file or partition"),
            ("Enter", "open the commit; read the rows; close a part of the picture"),
            ("drag over the strip", "choose a window of commits for all tabs"),
            ("/", "go to a number, date, tag, partition, file or row"),
        ),
    ),
    (
        "Compare",
        (
            ("shift-click", "choose the second snapshot"),
            ("c", "compare with the current one"),
            ("[ ]", "move the second snapshot"),
            ("x", "in Compare: tell it the other way"),
        ),
    ),
    (
        "Look behind",
        (("s", "the SQL"), ("t", "the data as a table"), ("?", "this help"), ("Esc", "let go of everything")),
    ),
)
"""What the explorer's keys do, by purpose."""


class Help(w.HTML):
    """Hidden until `toggle`."""

    def __init__(self) -> None:
        super().__init__()
        self.add_class("iceberg-help")
        self._is_open = False
        self._show()

    def toggle(self, tab: str, theme: Theme) -> None:
        """Open it for the tab in front, or close it."""
        self._is_open = not self._is_open
        self.value = _page(tab, theme) if self._is_open else ""
        self._show()

    def close_if_open(self) -> bool:
        """Close it; whether it was open."""
        was_open, self._is_open, self.value = self._is_open, False, ""
        self._show()
        return was_open

    def _show(self) -> None:
        (self.remove_class if self._is_open else self.add_class)("iceberg-behind")


def _page(tab: str, theme: Theme) -> str:
    kinds = [kind for kind in PICTURES if kind.tab == tab]
    answers = "".join(f"<p>{text(kind.answers)}</p>" for kind in kinds)
    glyphs = dict.fromkeys(glyph for kind in kinds for glyph in GLYPHS.get(kind.name, ()))
    marks = "".join(f"<li>{glyph.svg(theme)} {text(glyph.words)}</li>" for glyph in glyphs)
    keys = "".join(
        f"<div><h4>{text(purpose)}</h4>"
        + "".join(f"<div><kbd>{text(key)}</kbd> {text(words)}</div>" for key, words in listed)
        + "</div>"
        for purpose, listed in KEYS
    )
    close = '<button class="iceberg-copy" data-act="help" data-value="">Close (?)</button>'
    return (
        f'<div role="dialog" aria-label="Help">{close}<h3>{text(tab)}</h3>{answers}'
        f'<ul>{marks}</ul><div class="iceberg-keys">{keys}</div></div>'
    )
