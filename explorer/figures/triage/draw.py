"""What is wrong with a table: findings by severity, each with its place in time; what was not asked; what is clean.

A click on a finding opens its evidence, why its threshold is what it is, what was ruled out, SQL, and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ...model.triage import words
from ...model.triage.facts import SEVERITIES, Check, Triage
from ..page import frame
from ..page.hits import Clicked, halo, meaning, ring
from ..page.hits import elsewhere as signs
from ..page.scene import Box, Rectangle, Scene, Selection, Type
from ..page.sheet import LAYERS
from ..page.text import escape, wrap
from ..page.theme import Theme
from .page import Page

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection"]

RANGE_AXES = ()
_LINE, _WIDE = 18.0, 900
_MOST_LINES = 6  # of what is said of a check: what is not answered is told nowhere else
_TITLES = {
    "blocks reading": "Blocks reading",
    "wrong answers": "Wrong answers",
    "slow": "Slow",
    "cost": "Cost",
    "hygiene": "Hygiene",
    "information": "Worth knowing",
}


def draw(facts: Triage, theme: Theme, *, name: str, selected: str = "", width: int = 1380) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        facts: the triage.
        theme: in which colours.
        name: the table's name for the second line.
        selected: name of the signature with a ring and a halo.
        width: of the page in pixels, at least 560. The height follows from the contents.
    """
    page = Page.of(theme, width, facts=facts)
    y = frame.heading(page, words.title(facts), words.circumstances(facts, name), words.evidence(facts))
    y += 8
    if words.is_serious(facts):
        y = frame.strip(page, words.PIN, y + 2) + 2
    for severity in SEVERITIES:
        found = [c for c in facts.found if c.finding and c.finding.severity == severity]
        if found:
            y = page.section(y + 4, _TITLES[severity], formats.count(len(found), "finding"))
            for check in found:
                y = page.card(y, check)
    y = _unanswered(page, y + 8)
    y = _clean(page, y + 8)
    y = _figures(page, y + 10)
    height = frame.foot(page, [], [words.foot(facts)], y) + 10
    scene = page.scene(height, {"places": page.places})
    return scene.selecting(selection(scene, selected=selected))


def selection(scene: Scene, *, selected: str = "") -> Selection:
    """The marks of the selected check in a drawing; cheap, since every place is read from it."""
    boxes = [Box(*box) for box in scene.meta["places"].get(selected, ())]
    layers = ring(boxes, scene.theme), signs(0, 0, "", "", "", scene.theme)
    return Selection(halo(boxes[0] if boxes else None, scene.theme, filled=False), layers)


def clicked(scene: Scene, layer: int, item: int) -> Clicked | None:
    """What a click on an item of a layer means; None if it means nothing."""
    kind, rest = meaning(scene, layer, item)
    return Clicked(check=rest) if kind == "check" else None


def _unanswered(page: Page, y: float) -> float:
    """What cannot be said, and what was not asked, each with what knowing would cost."""
    checks = [*page.facts.of_state("cannot say"), *page.facts.of_state("not asked")]
    if not checks:
        return y
    y = page.section(y, "Not answered", f"{len(checks)}; none of them is clean")
    return _lines(page, y, checks, "?")


def _clean(page: Page, y: float) -> float:
    checks = page.facts.of_state("clean")
    if not checks:
        return y
    y = page.section(y, "Checked and clean", f"{len(checks)}, each with what was looked at")
    return _lines(page, y, checks, "✓")


def _lines(page: Page, y: float, checks: Sequence[Check], sign: str) -> float:
    """A line for each check: what is looked for, and what was seen or is lacking."""
    theme = page.theme
    left, price = 62 + min(page.width * 0.28, 330), page.width * 0.3
    for check, shown in words.one_by_one(checks):
        said = wrap(shown, 12, page.width - left - 20 - (price if check.price else 0), lines=_MOST_LINES)
        takes = wrap(f"takes: {check.price}", 11, price - 16, lines=_MOST_LINES) if check.price else []
        about = wrap(check.signature.about, 12, left - 74, lines=_MOST_LINES)
        high = _LINE * max(len(about), len(said), len(takes)) + 6
        box = Box(16, y, page.width - 16, y + high)
        hover = "<br>".join(map(escape, page.hovered(f"{check.signature.name}: {check.words}", 5)))
        page.cells.append(
            Rectangle(box, theme.page, theme.page, 0, meaning=f"check {check.signature.name}", hover=hover)
        )
        page.place(check.signature.name, box)
        colour = theme.ok if sign == "✓" else theme.attention.text
        page.canvas.text("page", 41, y + 12, sign, Type(13, colour, bold=True))
        for x, lines, style in (
            (62, about, Type(12, theme.ink)),
            (left, said, Type(12, theme.ink_2)),
            (page.width - 20 - price + 16, takes, Type(11, theme.ink_3)),
        ):
            for n, line in enumerate(lines):
                page.text(x, y + 12 + _LINE * n, line, style)
        y += high
    return y


def _figures(page: Page, y: float) -> float:
    """The figures of health, now and then."""
    facts, theme = page.facts, page.theme
    if not facts.figures:
        return y
    more = f"; {formats.count(facts.more_branches, 'more branch')}, by choice" * bool(facts.more_branches)
    y = page.section(y, "Figures", f"each is judged by its own sentence{more}")
    good = [f"good, {facts.good.sequence_number:,}"] if facts.good else []
    titles = [facts.ref, *good, *facts.branches]
    first, own = 20 + min(page.width * 0.29, 250), page.width < _WIDE and bool(facts.branches)
    # Where columns leave no room for it a judgement stands below its figure.
    last = page.width - 20 if own else page.width * (0.62 if len(titles) < 3 else 0.74)
    wide = (last - first) / len(titles)
    for n, title in enumerate(titles):
        page.fit(first + wide * n, y + 10, [title], Type(11, theme.ink_2), wide - 10)
    y += _LINE + 2
    for figure in facts.figures:
        values = (figure.now, *([figure.then] if good else []), *figure.at_heads)
        page.fit(20, y + 10, [figure.name], Type(12, theme.ink), first - 30)
        for n, said in enumerate(values):
            style = Type(12, theme.ink, bold=n == 0 and bool(figure.then) and said != figure.then)
            if said:
                page.fit(first + wide * n, y + 10, [said], style, wide - 10)
        if figure.judgement:
            y += (_LINE - 3) * own
            left = 34 if own else last
            page.fit(left, y + 10, [figure.judgement], Type(11 if own else 12, theme.ink_3), page.width - 20 - left)
        y += _LINE + 2
    return y
