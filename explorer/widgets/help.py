"""What the keys do, what the tab in front answers, and what its marks mean: shown over the picture by `?`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import ipywidgets as w

from ..figures.page.glyphs import GLYPHS
from ..figures.page.theme import Theme
from ..table.pictures import PICTURES
from .error_strip import ErrorStrip
from .guard import guarded
from .markup import text
from .state import SELECTED, ExplorerState


class Key(NamedTuple):
    """What a key does.

    Attributes:
        keys: as they are written.
        words: what they do, in full.
        hint: the same in a word or two, for the line beside the drawers; empty to leave it out there.
        tabs: in which tabs; all if empty.
    """

    keys: str
    words: str
    hint: str = ""
    tabs: tuple[str, ...] = ()


_ALONG_COMMITS = ("History", "Commit", "Compare", "Files", "Deletes", "Manifests", "Partitions")
_OF_PARTS = ("Commit", "Compare", "Files", "Manifests", "Partitions")
_PRICED = ("Changes", "Row", "Deletes")
_ASKED = (*_PRICED, "Commit", "Compare", "Dry run")

KEYS: tuple[tuple[str, tuple[Key, ...]], ...] = (
    (
        "Look around",
        (
            Key("← →", "to the commit before, and after", "commit", _ALONG_COMMITS),
            Key("← →", "to the rows before, and after; with shift to the first, and the last", "rows", ("Changes",)),
            Key("← →", "to the commit before, and after, at which something happened to these rows", "event", ("Row",)),
            Key("↑ ↓", "to the next lane", "lane", ("History",)),
            Key("↑ ↓", "to the next file of the page", "file", ("Commit", "Files", "Manifests")),
            Key("↑ ↓", "to the next delete of the page", "delete", ("Deletes",)),
            Key("↑ ↓", "to the next partition", "partition", ("Partitions",)),
            Key("↑ ↓", "to the next finding", "finding", ("Health",)),
            Key("Enter", "open the commit since which it is so", "open its commit", ("Health",)),
            Key("← →", "to the commit before, and after, that was asked", "read", ("Bisect",)),
            Key("Enter", "read what is offered; then open the commit that was found", "open its commit", ("Bisect",)),
            Key("Enter", "in the statement: ask it; with shift: begin a line", "", ("Bisect",)),
            Key("← →", "to the commit before, and after", "commit", ("Dry run",)),
            Key("Enter", "read what is offered", "read", ("Dry run",)),
            Key("Enter", "open the commit", "open", ("History",)),
            Key("Enter", "read the rows that are offered; close a part of the picture", "read", _PRICED),
            Key("Enter", "close the part of the picture that a click opened", "whole picture", _OF_PARTS),
            Key("Enter", "in a field: ask what is typed; once more: read what is offered", "", _ASKED),
            Key("drag over the strip", "choose a window of commits for all tabs"),
            Key("/", "go to a number, date, tag, partition, file or row", "go to"),
        ),
    ),
    (
        "Compare",
        (
            Key("shift-click", "choose the second snapshot"),
            Key("c", "compare with the current one", "compare"),
            Key("[ ]", "move the second snapshot"),
            Key("x", "tell it the other way", "swap", ("Compare",)),
        ),
    ),
    (
        "Look behind",
        (
            Key("s", "the SQL"),
            Key("t", "the data as a table"),
            Key("r", "add the picture to the report"),
            Key("?", "this help", "all keys"),
            Key("Esc", "close this help; let go of everything"),
        ),
    ),
)
"""What the explorer's keys do, by purpose."""


def keys_of(tab: str) -> Iterator[tuple[str, list[Key]]]:
    """The keys of a tab by purpose, as in `KEYS`."""
    for purpose, listed in KEYS:
        yield purpose, [key for key in listed if not key.tabs or tab in key.tabs]


def hints_of(tab: str) -> list[tuple[str, str]]:
    """The keys of a tab that a person uses most, each with a word or two."""
    return [(key.keys, key.hint) for _, listed in keys_of(tab) for key in listed if key.hint]


_ANSWERS = {
    tab: " ".join(kind.answers for kind in PICTURES if kind.tab == tab)
    for tab in dict.fromkeys(kind.tab for kind in PICTURES)
}


class Help(w.HTML):
    """Hidden until `toggle`. It lies over the picture, so that whatever asks for an answer closes it."""

    def __init__(self, state: ExplorerState, errors: ErrorStrip) -> None:
        super().__init__()
        self.add_class("iceberg-help")
        self._state, self._tab = state, ""  # the tab that it explains; empty while it is closed
        state.observe(guarded(errors, lambda _: self._show()), "theme")
        state.observe(guarded(errors, lambda _: self.close_if_open()), SELECTED)
        self._show()

    def toggle(self, tab: str) -> None:
        """Open it for the tab in front, or close it."""
        self._tab = "" if self._tab else tab
        self._show()

    def close_if_open(self) -> bool:
        """Close it; whether it was open."""
        was_open, self._tab = bool(self._tab), ""
        self._show()
        return was_open

    def _show(self) -> None:
        self.value = _page(self._tab, self._state.colours) if self._tab else ""
        (self.remove_class if self._tab else self.add_class)("iceberg-behind")


def _page(tab: str, theme: Theme) -> str:
    kinds = [kind for kind in PICTURES if kind.tab == tab]
    glyphs = dict.fromkeys(glyph for kind in kinds for glyph in GLYPHS.get(kind.name, ()))
    marks = "".join(f"<li>{glyph.svg(theme)} {text(glyph.words)}</li>" for glyph in glyphs)
    keys = "".join(
        f"<div><h4>{text(purpose)}</h4>"
        + "".join(f"<div><kbd>{text(key.keys)}</kbd> {text(key.words)}</div>" for key in listed)
        + "</div>"
        for purpose, listed in keys_of(tab)
    )
    others = "".join(
        f"<div{' class=iceberg-here' if title == tab else ''}><b>{text(title)}</b><span>{text(told)}</span></div>"
        for title, told in _ANSWERS.items()
    )
    close = '<button class="iceberg-copy" data-act="help" data-value="">Close (?)</button>'
    return (
        f'<div role="dialog" aria-label="Help">{close}<h3>{text(tab)}</h3><p>{text(_ANSWERS[tab])}</p>'
        f'<ul>{marks}</ul><div class="iceberg-keys">{keys}</div>'
        f'<h4>What each tab answers</h4><div class="iceberg-answers">{others}</div></div>'
    )
