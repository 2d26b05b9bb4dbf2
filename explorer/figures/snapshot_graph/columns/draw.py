"""The columns below the lanes, from the uppermost down."""

from __future__ import annotations

from ..view import Page
from . import bands, bars, totals


def draw(page: Page, top: float) -> float:
    """Draw bands, totals and bars from page pixel `top` down; the page pixel where they end."""
    y = bands.draw(page, top + 4)
    y = totals.draw(page, y + 10)
    return bars.draw(page, y + 10)
