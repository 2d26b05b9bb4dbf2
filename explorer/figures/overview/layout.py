"""Where everything on the strip lies: heights of its rows, and commits from left to right with room for holes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...model.overview.facts import Overview

HEIGHT = 100
LEAST_WIDTH = 560
NAMES, LEFT, RIGHT = 12.0, 104.0, 92.0  # names begin; the plot, from both edges of the page
REFS = 9.0
LINES = ((17.0, 28.0), (30.0, 41.0), (43.0, 54.0))  # top and bottom of each total
BARS_TOP, BARS_BASE = 57.0, 78.0
DELETED = (79.0, 83.0)
AXIS = 93.0
FRAME_TOP, FRAME_BOTTOM = 15.5, 84.5
LEAST_BRUSH = 26.0

_LEAST_HOLE = 0.012  # of all commits: so wide is a hole, whatever was in it
_MOST_HOLES = 0.2  # of all commits: so wide are all of them

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scale:
    """Commits to page pixels. Each has a column of one width; a hole has one too, never to scale.

    Attributes:
        edges: left edges of the columns of commits, and the right edge of the last one.
        rights: right edges of the columns; the next one begins later where there is a hole.
        holes: left and right edge of each hole of the overview.
    """

    left: float
    right: float
    edges: Numbers
    rights: Numbers
    holes: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, overview: Overview, width: float) -> Scale:
        """Of a page of this width."""
        left, right = LEFT, width - RIGHT
        count, holes = overview.count, overview.holes
        hole = min(max(1.0, count * _LEAST_HOLE), max(count, 1) * _MOST_HOLES / max(len(holes), 1))
        room = np.ones(count + len(holes))
        before = np.array([follows for _, _, follows in holes], dtype=np.int64)
        at = np.arange(count) + np.searchsorted(before, np.arange(count), side="right")
        of_holes = before + np.arange(len(holes))
        room[of_holes] = hole
        places = left + np.append(0.0, np.cumsum(room)) / max(room.sum(), 1.0) * (right - left)
        bounds = tuple((float(places[i]), float(places[i + 1])) for i in of_holes.tolist())
        return cls(left, right, places[at], places[at + 1], bounds)

    @property
    def middles(self) -> Numbers:
        """Where commits are drawn."""
        middles: Numbers = (self.edges + self.rights) / 2
        return middles

    @property
    def pitch(self) -> float:
        """Width of a column."""
        return float(self.rights[0] - self.edges[0]) if len(self.edges) else self.right - self.left

    def index(self, x: float) -> int | None:
        """The commit whose column is nearest to a page pixel; None without commits."""
        if not len(self.edges):
            return None
        after = int(np.searchsorted(self.middles, x))
        near = [i for i in (after - 1, after) if 0 <= i < len(self.edges)]
        return min(near, key=lambda i: abs(float(self.middles[i]) - x))

    def brush(self, first: int, last: int) -> tuple[float, float]:
        """Left and right edge of the window from one commit to another, never narrower than `LEAST_BRUSH`."""
        last_commit = len(self.edges) - 1
        first, last = (min(max(i, 0), last_commit) for i in sorted((first, last)))
        left, right = float(self.edges[first]), float(self.rights[last])
        if right - left < LEAST_BRUSH:
            middle = (left + right) / 2
            left = min(max(middle - LEAST_BRUSH / 2, self.left), self.right - LEAST_BRUSH)
            right = left + LEAST_BRUSH
        return left, right
