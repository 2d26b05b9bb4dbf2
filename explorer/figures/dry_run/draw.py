"""What a procedure would do, as a picture: sums by what becomes of things, then the things themselves, worst first.

It is read from top to bottom: the danger, a bar for each kind, what would be touched one by one, and what follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ...model.dry_run import words
from ...model.dry_run.facts import OUTCOMES, DryRun, Effect, Sum, What
from ..page import frame
from ..page.hits import Clicked, clicked, commit_meaning, elsewhere, file_meaning, halo, ring
from ..page.scene import Box, Rectangle, Scene, Selection, Type
from ..page.sheet import LAYERS, Sheet
from ..page.text import cut, escape, wrap
from ..page.theme import Theme

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection"]

RANGE_AXES = ()
MOST_LINES = 24
"""Things that are drawn one by one; the data have them all."""
_LINE, _NOTES, _REASONS = 24.0, 5, 2
_COUNT_WIDTH, _HELD_WIDTH = 172.0, 158.0  # of `10 position delete files`, and `100 positions, 15.6 kB`
_BELOW, _WRAPPED = 15.0, 3  # of a reason: from line to line, and how many at most


def draw(facts: DryRun, theme: Theme, *, name: str, selected: str | None = None, width: int = 1380) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order.

    Args:
        facts: what would be done.
        theme: in which colours.
        name: the table's name for the second line.
        selected: snapshot id as text, or path of a file, that has ring and halo.
        width: of the page in pixels, at least 560. The height follows from the contents.
    """
    page = Sheet.of(theme, width)
    y = frame.heading(page, words.title(facts), words.circumstances(facts, name), words.evidence(facts))
    if facts.sums:
        occur = [what for what in OUTCOMES if any(s.what == what for s in facts.sums)]
        y = frame.key(page, ((words.MEANINGS[what], _swatch(page, what)) for what in occur), y + 14)
        y = _sums(page, facts, y + 6)
        y = _things(page, facts, y + 10)
    small = words.cut(facts.notes, _NOTES)
    height = frame.foot(page, words.closing(facts), small, y + 4) + 10
    scene = page.scene(height, {"places": page.places})
    return scene.selecting(selection(scene, selected=selected))


def selection(scene: Scene, *, selected: str | None = None) -> Selection:
    """The marks in a drawing; cheap."""
    theme = scene.theme
    boxes = [Box(*box) for box in scene.meta["places"].get(selected or "", ())]
    layers = ring(boxes, theme), elsewhere(0, 0, "", "", "", theme)
    return Selection(halo(boxes[0] if boxes else None, theme, filled=False), layers)


def _swatch(page: Sheet, what: What) -> Callable[[Box], None]:
    return frame.swatch(page, _fill(page.theme, what), _stroke(page.theme, what), hatch=_hatch(page.theme, what))


def _fill(theme: Theme, what: What) -> str:
    fills: Mapping[What, str] = {
        "removed": theme.removed.fill,
        "rewritten": theme.changed.fill,
        "returned": theme.added.fill,
        "added": theme.added.fill,
    }
    return fills.get(what, theme.page)


def _stroke(theme: Theme, what: What) -> str:
    return theme.removed.fill if what == "lost" else theme.kept_outline if what == "kept" else _fill(theme, what)


def _hatch(theme: Theme, what: What) -> str:
    return theme.removed.fill if what == "lost" else ""


def _sums(page: Sheet, facts: DryRun, top: float) -> float:
    """A line for each kind and what becomes of it: a bar by number, how many, what they hold, and mostly why."""
    theme, y = page.theme, top
    left = 20.0
    bars = page.width * 0.12
    count_at = left + bars + 12
    held_at = count_at + _COUNT_WIDTH
    why_at = max(page.width * 0.56, held_at + _HELD_WIDTH)
    most = max(s.count for s in facts.sums)
    for of in facts.sums:
        many, held = words.sum_words(of)
        wide = max(bars * of.count / most, 3.0)
        box = Box(left, y + 5, left + wide, y + _LINE - 5)
        hover = "<br>".join(map(escape, (f"{many} {words.MEANINGS[of.what]}", held)))
        page.cells.append(_bar(theme, of, box, hover))
        page.fit(count_at, y + _LINE / 2, [many], Type(12, theme.ink, bold=of.what != "kept"), held_at - count_at - 8)
        page.fit(held_at, y + _LINE / 2, [held], Type(12, theme.ink_2), why_at - held_at - 8)
        why = _reasons(facts.effects, of)
        y += _LINE + _wrapped(page, why_at, y + _LINE / 2, why)
    return y


def _wrapped(page: Sheet, left: float, y: float, wordings: Sequence[str]) -> float:
    """A reason to the right edge, the first wording that three lines hold; how much more than one line it takes."""
    style, wide = Type(11.5, page.theme.ink_2), page.width - 20 - left
    tried = [wrap(words, style.size, wide, lines=_WRAPPED + 1) for words in wordings]
    lines = next((lines for lines in tried if len(lines) <= _WRAPPED), None)
    lines = lines or wrap(wordings[-1], style.size, wide, lines=_WRAPPED)
    for n, line in enumerate(lines):
        page.text(left, y + _BELOW * n, line, style)
    return _BELOW * max(0, len(lines) - 1)


def _bar(theme: Theme, of: Sum, box: Box, hover: str) -> Rectangle:
    hatch = _hatch(theme, of.what)
    return Rectangle(box, _fill(theme, of.what), _stroke(theme, of.what), 1.2, hatch, hover=hover)


def _reasons(effects: Sequence[Effect], of: Sum) -> list[str]:
    """Why, from a long wording to a short one: the commonest reasons with their numbers."""
    found = Counter(e.why for e in effects if (e.what, e.kind) == (of.what, of.kind))
    if not found:
        return [""]
    if len(found) == 1:
        return list(found)
    commonest = found.most_common(_REASONS)
    most = commonest[0][1]
    if most == 1 or most * 2 < found.total():
        return [""]  # none is that of most: they are told one by one
    told = [f"{n:,} {why}" for why, n in commonest]
    rest = found.total() - sum(n for _, n in commonest)
    return ["; ".join([*told, *([f"{rest:,} for other reasons"] if rest else [])]), told[0]]


def _things(page: Sheet, facts: DryRun, top: float) -> float:
    """What is touched one by one: what is lost or removed first; of what is kept, the refs."""
    told = [e for what in OUTCOMES for e in facts.effects if e.what == what and _is_told(e)]
    if not told:
        return top
    theme, y = page.theme, top
    y += 16
    page.text(20, y, "One by one", Type(14, theme.ink, bold=True))
    y += 12
    names, held, why = 40.0, page.width * 0.28, page.width * 0.56
    for effect in told[:MOST_LINES]:
        mark = Box(20, y + 6, 32, y + 18)
        what, meaning = effect.what, _meaning(effect)
        page.cells.append(
            Rectangle(
                mark,
                _fill(theme, what),
                _stroke(theme, what),
                1.2,
                _hatch(theme, what),
                meaning=meaning,
                hover="<br>".join(_hover(effect)),
            )
        )
        style = Type(11.5, theme.ink, mono=effect.file_path is not None)
        holds = words.held(effect)
        page.fit(names, y + 12, [words.effect_name(effect)], style, (held if holds else why) - names - 10)
        page.fit(held, y + 12, [holds], Type(11.5, theme.ink_2), why - held - 10)
        high = _LINE + _wrapped(page, why, y + 12, [effect.why])
        page.place(effect.file_path or str(effect.snapshot_id), Box(14, y + 1, page.width - 14, y + high - 1))
        y += high
    left = len(told) - MOST_LINES
    if left > 0:
        page.text(20, y + 12, f"and {left:,} more, which the data have", Type(11.5, theme.ink_2))
        y += 22
    return y


def _is_told(effect: Effect) -> bool:
    return effect.what != "kept" or effect.kind in ("branch", "tag")


def _meaning(effect: Effect) -> str:
    if effect.kind in ("data", "position deletes", "equality deletes", "deletion vector"):
        return file_meaning(effect.file_path or "", effect.content_offset)
    return commit_meaning(effect.snapshot_id) if effect.kind == "snapshot" else ""


def _hover(effect: Effect) -> Iterator[str]:
    path = effect.file_path
    lines = (
        f"{words.effect_name(effect)}: {words.MEANINGS[effect.what]}",
        effect.why,
        words.held(effect),
        "" if path is None else path,
        "" if effect.snapshot_id is None else f"snapshot {effect.snapshot_id}",
    )
    return (escape(cut(line)) for line in lines if line)
