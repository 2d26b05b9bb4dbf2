"""What help says: every key of every tab, every mark of every picture, as it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from explorer.figures.page.glyphs import GLYPHS
from explorer.figures.page.theme import DARK, LIGHT
from explorer.table.pictures import PICTURES
from explorer.widgets import TableExplorer
from explorer.widgets.error_strip import ErrorStrip
from explorer.widgets.help import KEYS, Help, hints_of
from explorer.widgets.state import ExplorerState
from tests.widgets.tabs import ids, opened

TABS = list(dict.fromkeys(kind.tab for kind in PICTURES))


def test_every_picture_has_its_marks() -> None:
    assert set(GLYPHS) == {kind.name for kind in PICTURES}
    assert all(GLYPHS.values())


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_each_mark_is_a_drawing_with_words(theme) -> None:
    for glyph in {glyph for glyphs in GLYPHS.values() for glyph in glyphs}:
        drawing = ElementTree.fromstring(glyph.svg(theme))
        assert len(drawing), glyph.words
        assert not {"{", "}"} & set(glyph.svg(theme))
        assert glyph.words


@pytest.mark.parametrize(
    ("tab", "words"),
    [
        ("History", ["×19", "current", "tag", "finding", "A: ", "B: ", "an attempt that lost", "another branch"]),
        (
            "Deletes",
            ["equality delete: ", "position delete file: ", "deletion vector: ", "front of an equality delete"],
        ),
        ("Manifests", ["null in the manifest", "an attempt that lost"]),
    ],
)
def test_a_tab_explains_what_it_draws(tab: str, words: list[str]) -> None:
    page = Help(ExplorerState(), ErrorStrip())
    page.toggle(tab)
    assert [word for word in words if word not in page.value] == []
    assert page.close_if_open()
    assert page.value == ""


def test_keys_are_those_of_tabs_that_there_are() -> None:
    assert {tab for _, listed in KEYS for key in listed for tab in key.tabs} <= set(TABS)
    for tab in TABS:
        hints = dict(hints_of(tab))
        assert {"/", "?"} <= set(hints), tab
        assert len(hints) == len(hints_of(tab)), "no key has two meanings in one tab"


def test_the_hints_beside_the_drawers_are_those_of_the_tab(explorer: TableExplorer) -> None:
    hints = explorer._drawers._hints
    assert "lane" in hints.value
    opened(explorer, "Compare")
    assert "swap" in hints.value
    assert "lane" not in hints.value


def test_marks_follow_the_theme_while_help_is_open(explorer: TableExplorer) -> None:
    explorer._key("?", False)
    for name, theme in (("dark", DARK), ("light", LIGHT)):
        explorer.state.theme = name
        assert all(glyph.svg(theme) in explorer._help.value for glyph in GLYPHS["snapshot_graph"])


def test_help_closes_where_it_would_hide_an_answer(explorer: TableExplorer) -> None:
    first, second, *_ = ids(explorer)
    explorer.state.snapshot = first
    closing: dict[str, Callable[[], object]] = {
        "the same key": lambda: explorer._key("?", False),
        "Escape": lambda: explorer._key("Escape", False),
        "another tab": lambda: opened(explorer, "Commit"),
    }
    for way, close in closing.items():
        explorer._key("?", False)
        assert explorer._help.value
        close()
        assert not explorer._help.value, way
    assert explorer.state.snapshot == first, "who closes help lets go of nothing"
    explorer._key("?", False)
    explorer.state.snapshot = second
    assert not explorer._help.value, "something else was asked"
