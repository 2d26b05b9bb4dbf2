"""The page that a triage is drawn on: sections, cards of findings with their place on the line of commits."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.triage.facts import Check, Severity, Triage
from ..page.scene import Box, Ink, Rectangle, Type
from ..page.sheet import Sheet
from ..page.text import escape, wrap
from ..page.theme import CLEAR, Hue

CARD = 74.0
_MARKS = {"blocks reading": "✕", "wrong answers": "!", "slow": "!", "cost": "$", "hygiene": "·", "information": "i"}


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """A triage, and everything drawn of it so far."""

    facts: Triage

    def hue(self, severity: Severity) -> Hue:
        """The colour of a severity; words and a sign say it too."""
        theme = self.theme
        if severity in ("blocks reading", "wrong answers"):
            return Hue(theme.error, theme.error, theme.page)
        if severity in ("slow", "cost"):
            return theme.attention
        return Hue(theme.moved.text, theme.moved.text, theme.page)

    def section(self, top: float, title: str, besides: str = "") -> float:
        """The heading of a part of the page; the page pixel where its contents begin."""
        box = self.text(20, top + 14, title, Type(13, self.theme.ink, bold=True))
        if besides:
            left = box.right + 14
            self.fit(left, top + 14, [besides], Type(12, self.theme.ink_2), self.width - 20 - left)
        return top + 30

    def hovered(self, said: str, most: int) -> list[str]:
        """Lines of hover text that the picture holds: plotly cuts at both ends what is wider."""
        return wrap(said, 12, self.width * 0.7, lines=most)

    def card(self, top: float, check: Check) -> float:
        """A finding: sign, title, since when, how sure, value beside threshold. The page pixel where it ends."""
        found, theme = check.finding, self.theme
        if found is None:
            return top
        hue = self.hue(found.severity)
        timeline = self._timeline_left
        lines = wrap(found.title, 13.5, timeline - 110, bold=True, lines=4)
        box = Box(16, top, self.width - 16, top + CARD + 18 * (len(lines) - 1) - 6)
        said = (
            *self.hovered(found.title, 1),
            *self.hovered(f"{found.value}; threshold: {found.threshold}", 2),
            *self.hovered(found.reason, 2),
            "click: evidence, SQL and what to do",
        )
        hover = "<br>".join(map(escape, said))
        # Lines lie below what answers the pointer, which is clear therefore.
        self.path(Ink(theme.grid, 1, theme.panel)).box(box)
        self.cells.append(Rectangle(box, CLEAR, CLEAR, 0, meaning=f"check {check.signature.name}", hover=hover))
        self.place(check.signature.name, box)
        for mark in (Box(box.left, box.top, box.left + 4, box.bottom), Box(32, top + 11, 50, top + 29)):
            self.fills.append(Rectangle(mark, hue.fill, hue.fill, 0))
        self.canvas.text("page", 41, top + 20, _MARKS[found.severity], Type(12, hue.on_fill, bold=True))
        y = top + 20
        for line in lines:
            self.text(62, y, line, Type(13.5, theme.ink, bold=True))
            y += 18
        colour = {"exact": theme.ok, "inferred": theme.attention.text, "unknown": theme.error}[found.certainty]
        sure = self.text(62, y + 4, found.certainty, Type(12, colour, bold=True))
        self.fit(
            sure.right + 10,
            y + 4,
            [f"{found.value}  ·  threshold: {found.threshold}", found.value],
            Type(12, theme.ink_2),
            timeline - sure.right - 30,
        )
        self.fit(62, y + 22, [found.evidence.sql and check.signature.name], Type(11, theme.ink_3), timeline - 80)
        self._timeline(check, box)
        return box.bottom + 6

    @property
    def _timeline_left(self) -> float:
        return self.width * 0.66

    def _timeline(self, check: Check, box: Box) -> None:
        """The line of commits from the oldest that is listed to the head, and from where on it is so."""
        found, line, theme = check.finding, self.facts.line, self.theme
        left, right, y = self._timeline_left, self.width - 40, box.top + 24
        if found is None or not line:
            return
        self.path(Ink(theme.kept_outline, 2)).move(left, y).line(right, y)
        hue = self.hue(found.severity)
        place = next((n for n, s in enumerate(line) if s is found.since.snapshot), None)
        words = found.since.words
        if place is not None:
            x = left + (right - left) * (place / (len(line) - 1) if len(line) > 1 else 1)
            start = left if found.since.at_or_before else x
            self.path(Ink(hue.fill, 4)).move(start, y).line(right, y)
            self.fills.append(Rectangle(Box(x - 2, y - 8, x + 2, y + 8), hue.text, hue.text, 0))
        began = self.text(left, y + 22, words, Type(12, theme.ink, bold=True))
        style, long = Type(11, theme.ink_3), f"{len(line):,} commits to {self.facts.ref}"
        if began.right + 14 + style.width(long) <= right:
            self.canvas.text("page", right, y + 22, long, style, "end")
