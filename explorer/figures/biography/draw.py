"""What became of rows."""

from __future__ import annotations
from ...model.biography.facts import Biography
from ..page.scene import Scene
from ..page.sheet import Sheet
from ..page.theme import Theme


def draw(biography: Biography, theme: Theme, *, name: str, width: int = 1380) -> Scene:
    """The picture."""
    page = Sheet.of(theme, width)
    return page.scene(100, {})
