"""What the parts of an SVG picture share: planes, colours, strokes, and the refusal."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class Undrawable(ValueError):
    """The figure holds something that this module does not draw; the message names it."""


@dataclass(frozen=True, slots=True)
class Plane:
    """A pair of axes: from their units to pixels."""

    name: str
    left: float
    top: float
    width: float
    height: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    def x(self, value: float) -> float:
        """The pixel of a place on the x axis."""
        return self.left + (value - self.x_range[0]) / (self.x_range[1] - self.x_range[0]) * self.width

    def y(self, value: float) -> float:
        """The pixel of a place on the y axis."""
        return self.top + (self.y_range[1] - value) / (self.y_range[1] - self.y_range[0]) * self.height

    def place(self, left: float, top: float) -> tuple[float, float]:
        """The place on both axes of a pixel."""
        x, y = (left - self.left) / self.width, (top - self.top) / self.height
        return (
            self.x_range[0] + x * (self.x_range[1] - self.x_range[0]),
            self.y_range[1] - y * (self.y_range[1] - self.y_range[0]),
        )

    def clip(self) -> str:
        """What the plane shows of its marks."""
        box = f'x="{self.left:.1f}" y="{self.top:.1f}" width="{self.width:.1f}" height="{self.height:.1f}"'
        return f'<clipPath id="{self.name}"><rect {box}/></clipPath>'


def plane_of(planes: Mapping[tuple[str, str], Plane], x: str, y: str) -> Plane:
    """The plane of a pair of axes."""
    if (x, y) not in planes:
        raise Undrawable(f"something on the axes {x} and {y}, which are no pair")
    return planes[(x, y)]


def paint(attribute: str, colour: str | None) -> str:
    """A colour as an attribute; SVG 1.1 readers know no rgba()."""
    match = re.fullmatch(r"rgba\((\d+),\s*(\d+),\s*(\d+),\s*([\d.]+)\)", colour or "rgba(0,0,0,0)")
    if not match:
        return f' {attribute}="{html.escape(str(colour))}"'
    r, g, b, a = match.groups()
    return f' {attribute}="rgb({r},{g},{b})" {attribute}-opacity="{a}"' if float(a) else f' {attribute}="none"'


def stroke(line: Mapping[str, Any]) -> str:
    """A line as attributes; empty if it has no width."""
    width = line.get("width", 2)
    if not width:
        return ""
    dash = line.get("dash", "solid")
    if dash != "solid" and not re.fullmatch(r"(\d+px,?)+", dash):
        raise Undrawable(f"a line with dash {dash}")
    dashes = "" if dash == "solid" else f' stroke-dasharray="{dash.replace("px", "")}"'
    return f'{paint("stroke", line.get("color"))} stroke-width="{width:g}"{dashes}'
