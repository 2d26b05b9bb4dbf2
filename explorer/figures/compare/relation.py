"""How the two points are related: the commits from A to B on a line; of two lines that diverged, both from the base."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...model import formats
from ...model.compare import words
from ...model.compare.facts import Point
from ...model.iceberg.metadata import Snapshot
from ...model.iceberg.relation import Relation
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.text import escape
from .page import Letter, Page

_PITCH, _CAPSULE = 28.0, 92.0  # pixels from mark to mark, and that a capsule of several commits takes
_LANE = 52.0
_ELSEWHERE = 40.0  # pixels beside the sentence that what is selected elsewhere has at least


def draw(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    relation, y = page.facts.relation, top + 18
    left, right = 36.0, page.width - 36.0
    if relation is None or relation.kind in ("unrelated", "unknown"):
        page.path(Ink(page.theme.edge, 1.6, dash="2px,4px")).move(left, y).line(right, y)
        _ends(page, left, right, y)
        return _sentence(page, y + 42)
    if relation.kind == "same":
        page.disc(left, y, "A")
        page.disc(left + 32, y, "B")
        page.fit(left + 54, y, _captions(page, page.facts.left), Type(12, page.theme.ink_2), right - left - 60)
        return _sentence(page, y + 28)
    if relation.kind == "diverged":
        return _diverged(page, relation, top)
    # The commits of the descendant's side lie between the two; the descendant is one of them.
    between = relation.left_commits if relation.reversed else relation.right_commits
    _line(page, between[-2::-1] if relation.reversed else between[:-1], left, right, y)
    _ends(page, left, right, y)
    return _sentence(page, y + 42)


def _sentence(page: Page, y: float) -> float:
    """The relation in words, unless the title has it; the line goes on with what is selected elsewhere."""
    told = words.relation(page.facts)
    end = 20.0
    if told != words.title(page.facts):
        style = Type(12, page.theme.ink_2)
        end += style.width(page.fit(20, y, [told], style, page.width - 40 - _ELSEWHERE))
    page.elsewhere = (y, page.width - 44 - end)
    return y + 16


def _ends(page: Page, left: float, right: float, y: float) -> None:
    """Both discs with what they are beneath."""
    half = (page.width - 60) / 2
    style = Type(12, page.theme.ink, bold=True)
    for x, letter, point, anchor in (
        (left, "A", page.facts.left, "start"),
        (right, "B", page.facts.right, "end"),
    ):
        page.disc(x, y, "A" if letter == "A" else "B")
        caption = page.canvas.fitting(_captions(page, point), style, half)
        edge = 20.0 if anchor == "start" else page.width - 20.0
        page.canvas.text("page", edge, y + 22, caption, style, "start" if anchor == "start" else "end")


def _captions(page: Page, point: Point) -> list[str]:
    """What a point is, from a long wording to a short one."""
    name = words.name(point.snapshot, page.ids)
    if page.facts.relation is not None:
        called = words.point(point, page.facts)
        short = [] if name.startswith(called) else [f"{called} · {name}"]
        return [f"{name} · {words.found(point)}", *short, name]
    table = [point.table, words.point(point, page.facts)]
    own = [f"{table[0]} · {name} · {words.found(point)}"] if point.named != "table" else []
    return [*own, *(f"{of} · {name}" for of in table), name]


def _line(page: Page, commits: Sequence[Snapshot], left: float, right: float, y: float) -> None:
    """Commits between two places: one by one, or in capsules where they are many."""
    page.path(Ink(page.theme.edge, 1.6)).move(left, y).line(right, y)
    if not commits:
        return
    room = right - left - 48
    if len(commits) * _PITCH <= room:
        step = min(room / len(commits), 64.0)
        start = (left + right) / 2 - step * (len(commits) - 1) / 2
        for i, snapshot in enumerate(commits):
            page.commit(start + i * step, y, snapshot)
        return
    several = max(int(room // _CAPSULE), 1)
    wide = room / several
    for i in range(several):
        group = commits[len(commits) * i // several : len(commits) * (i + 1) // several]
        x = left + 24 + wide * i
        _capsule(page, group, Box(x + 4, y - 13, x + wide - 4, y + 13))


def _capsule(page: Page, commits: Sequence[Snapshot], box: Box) -> None:
    """Several commits with a bar of their operations, and which they are beneath."""
    theme = page.theme
    page.path(Ink(theme.edge, 1.4, theme.page)).box(box, 12)
    count = f"×{len(commits):,}"
    page.canvas.text("page", (box.left + box.right) / 2, box.top + 9, count, Type(11, theme.ink, bold=True))
    operations = Counter(s.operation or "not recorded" for s in commits)
    x, room = box.left + 12, box.right - box.left - 24
    for operation, n in sorted(operations.items()):
        wide = room * n / len(commits)
        page.fills.append(Rectangle(Box(x, box.bottom - 8, x + wide, box.bottom - 5), theme.operation(operation).fill))
        x += wide
    first, last = commits[0], commits[-1]
    ends = f"{words.label(first, page.ids)} to {words.label(last, page.ids)}"
    hover = [
        f"<b>{formats.count(len(commits), 'commit')}</b> {ends}",
        escape(", ".join(f"{n:,} {operation}" for operation, n in operations.most_common())),
        f"from {formats.instant(first.committed_at)}",
        f"to {formats.instant(last.committed_at)}",
    ]
    page.cells.append(Rectangle(box, hover="<br>".join(hover)))
    for s in commits:
        page.place(str(s.snapshot_id), box)


def _diverged(page: Page, relation: Relation, top: float) -> float:
    theme = page.theme
    upper, lower = top + 30, top + 30 + _LANE
    middle, fork = (upper + lower) / 2, 96.0
    right = page.width - 36.0
    for y, commits, letter, point in (
        (upper, relation.left_commits, "A", page.facts.left),
        (lower, relation.right_commits, "B", page.facts.right),
    ):
        page.path(Ink(theme.edge, 1.6)).move(36, middle).curve(66, middle, 66, y, fork, y)
        _line(page, commits[:-1], fork, right, y)
        side: Letter = "A" if letter == "A" else "B"
        page.disc(right, y, side)
        style = Type(12, theme.ink, bold=True)
        own = f"{formats.count(len(commits), 'commit')} of its own"
        wordings = [f"{caption} · {own}" for caption in _captions(page, point)]
        caption = page.canvas.fitting(wordings, style, page.width - 40 - fork)
        page.canvas.text("page", page.width - 20, y + (-22 if y == upper else 22), caption, style, "end")
    page.symbols.append(Mark(36, middle, "circle", 15, theme.page, theme.ink, 2))
    if relation.common is not None:
        page.answer(36, middle, relation.common, "")
    page.text(20, middle + 22, words.base(page.facts), Type(12, theme.ink, bold=True))
    page.text(20, middle + 38, "last common", Type(11, theme.ink_2))
    return _sentence(page, lower + 52)
