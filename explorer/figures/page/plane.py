"""The planes of a drawing: the page, which never moves, and the detail, whose columns a person can pan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PlaneName = Literal["page", "detail"]
DIGITS: dict[PlaneName, int] = {"page": 1, "detail": 5}
"""Of an x in the data of a path: as exact as can be seen."""


@dataclass(frozen=True, slots=True)
class Plane:
    """A part of the page with its own units: which part it is, and what its units are at its edges.

    Attributes:
        page: width and height of the page, pixels.
        across: where the part begins and ends, as shares of the width.
        down: its lower and upper edge, as shares of the height from below.
        x_range: x at its left and right edge.
        y_range: y at its lower and upper edge.
    """

    name: PlaneName
    page: tuple[float, float]
    across: tuple[float, float]
    down: tuple[float, float]
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    @property
    def left(self) -> float:
        """Page pixel of its left edge."""
        return self.across[0] * self.page[0]

    @property
    def top(self) -> float:
        """Page pixel of its upper edge."""
        return (1 - self.down[1]) * self.page[1]

    @property
    def width(self) -> float:
        """In pixels."""
        return (self.across[1] - self.across[0]) * self.page[0]

    @property
    def height(self) -> float:
        """In pixels."""
        return (self.down[1] - self.down[0]) * self.page[1]

    def x(self, value: float) -> float:
        """The page pixel of an x."""
        return self.left + (value - self.x_range[0]) / (self.x_range[1] - self.x_range[0]) * self.width

    def y(self, value: float) -> float:
        """The page pixel of a y."""
        return self.top + (self.y_range[1] - value) / (self.y_range[1] - self.y_range[0]) * self.height

    def place(self, left: float, top: float) -> tuple[float, float]:
        """The x and y of a page pixel."""
        x, y = (left - self.left) / self.width, (top - self.top) / self.height
        return (
            self.x_range[0] + x * (self.x_range[1] - self.x_range[0]),
            self.y_range[1] - y * (self.y_range[1] - self.y_range[0]),
        )
