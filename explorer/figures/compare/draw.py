"""x."""

from __future__ import annotations

from ...model.compare.facts import Comparison
from ..page import frame
from ..page.scene import Scene
from ..page.sheet import LAYERS, Sheet
from ..page.theme import Theme
from ...model.compare import words


def draw(facts: Comparison, theme: Theme, *, width: int = 1380) -> Scene:
    """X."""
    page = Sheet.of(theme, width)
    y = frame.heading(page, words.title(facts), words.circumstances(facts), words.evidence(facts))
    return page.scene(y, {})
