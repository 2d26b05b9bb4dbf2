"""Who won against whom: a line per commit in sequence order, with a cross wherever it lost to another one."""

from __future__ import annotations

from ...model import formats
from ...model.retries import words as retries_words
from ...model.retries.facts import Attempt
from ..page.hits import commit_meaning, view_meaning
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.theme import SYMBOLS
from . import hits as retries_hits
from .lines import Line, Page

_LINE = 26.0
_WIDEST = 40.0  # pixels from column to column
_MARK, _CROSS = 12.0, 8.0


def draw(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    if not page.lines:
        box = Box(20, top + 6, page.width - 20, top + 60)
        page.unreadable(box, ["No commit yet: nothing can have been tried twice."], Type(12, page.theme.ink_2))
        return box.bottom
    theme, y = page.theme, top + 10
    place = {a.snapshot.snapshot_id: i for i, line in enumerate(page.lines) for a in line.attempts}
    left, right, words = _columns(page, place)
    page.text(20, y, "commit", Type(11, theme.ink_2))
    page.text(left[1], y, "committed", Type(11, theme.ink_2))
    page.fit(right[0], y, ["sequence order ▸  × lost to the commit above", "sequence order ▸"], Type(11, theme.ink_2),
             words - right[0] - 8)  # fmt: skip
    page.fit(words, y, ["attempts (inferred)", "attempts"], Type(11, theme.ink_2), page.width - 20 - words)
    y += 22
    step = min((words - 16 - right[0]) / len(page.lines), _WIDEST)
    columns = [right[0] + step * (i + 0.5) for i in range(len(page.lines))]
    _draw_guides(page, place, columns, y)
    for i, line in enumerate(page.lines):
        box = Box(12, y + _LINE * (i - 0.5), page.width - 12, y + _LINE * (i + 0.5))
        if line.single is None:
            _draw_fold(page, line, box, columns[i], left[1], words)
        else:
            _draw_commit(page, line.single, box, columns, place, (left[1], words))
    return y + _LINE * len(page.lines)


def _without_column(attempt: Attempt, place: dict[int, int]) -> int:
    """Lost attempts for which no rival has a column of its own in this picture."""
    columns = {place[r.snapshot_id] for r in attempt.rivals if r.snapshot_id in place}
    return max((attempt.attempt or 1) - 1 - len(columns), 0)


def _columns(page: Page, place: dict[int, int]) -> tuple[tuple[float, float], tuple[float, float], float]:
    """Where the commits' names and times begin; the race; and the words."""
    names = [retries_words.named(a.snapshot, page.ids) for line in page.lines for a in line.attempts]
    several = [f"{formats.count(len(line.attempts), 'commit')} ▸" for line in page.lines if line.single is None]
    wide = max([Type(12, "", bold=True).width(n) for n in names] + [Type(12, "").width(n) for n in several])
    time = 20 + min(wide, 150.0) + 18
    race = time + Type(11.5, "").width("20 Nov 12:05:01.218" if _several_days(page) else "12:05:01.218") + 20
    hidden = [_without_column(line.single, place) for line in page.lines if line.single]
    race += Type(11, "").width(f"×{max(hidden):,}") + 4 if any(hidden) else 0
    needed = max(
        (Type(12, "").width(retries_words.outcome(line.single, page.ids)[0]) for line in page.lines if line.single),
        default=80.0,
    )
    share = 0.34 if page.width >= 900 else 0.26
    words = page.width - 20 - min(needed + 2, (page.width - race) * share + 60)
    words = min(words, race + max(len(page.lines) * _WIDEST + 40, 170))
    return (20, time), (race, words), words


def _several_days(page: Page) -> bool:
    return len({a.snapshot.committed_at.date() for a in page.retries.attempts if a.snapshot.committed_at}) > 1


def _time(page: Page, attempt: Attempt) -> str:
    at = attempt.snapshot.committed_at
    day = f"{formats.day(at)} " if at and _several_days(page) else ""
    return day + retries_words.moment(at)


def _draw_guides(page: Page, place: dict[int, int], columns: list[float], y: float) -> None:
    """From a commit down to the last one that lost to it."""
    ink = Ink(page.theme.kept_outline, 1)
    lowest: dict[int, int] = {}
    for i, line in enumerate(page.lines):
        for rival in line.single.rivals if line.single else ():
            column = place.get(rival.snapshot_id)
            if column is not None:
                lowest[column] = i
    for column, last in lowest.items():
        page.path(ink).move(columns[column], y + _LINE * column).line(columns[column], y + _LINE * last)


def _draw_fold(page: Page, line: Line, box: Box, column: float, time: float, words: float) -> None:
    theme, y = page.theme, (box.top + box.bottom) / 2
    page.cells.append(Rectangle(box, meaning=view_meaning(line.opens), hover=retries_hits.commits(line.attempts)))
    count = formats.count(len(line.attempts), "commit")
    page.fit(20, y, [f"{count} ▸", count], Type(12, theme.ink_2), time - 28)
    numbers = [a.snapshot.sequence_number for a in line.attempts if a.snapshot.sequence_number]
    if numbers:
        style = Type(11.5, theme.ink_3)
        page.fit(time, y, [formats.span(min(numbers), max(numbers))], style, column - time - 12)
    page.symbols.append(Mark(column, y, "hexagon", 10, theme.page, theme.edge, 1.4))
    retried = sum(a.was_retried for a in line.attempts)
    silent = sum(a.attempt is None for a in line.attempts)
    summary = f"{retried:,} tried more than once" if retried else "each at its first attempt"
    summary = "attempts not recorded" if silent == len(line.attempts) else summary
    page.fit(
        words, y, [summary, "first attempts" if not retried else summary], Type(12, theme.ink_3), box.right - 8 - words
    )


def _draw_commit(
    page: Page, attempt: Attempt, box: Box, columns: list[float], place: dict[int, int], texts: tuple[float, float]
) -> None:
    theme, s, y = page.theme, attempt.snapshot, (box.top + box.bottom) / 2
    time, words = texts
    page.cells.append(
        Rectangle(box, meaning=commit_meaning(s.snapshot_id), hover=retries_hits.commit(attempt, page.ids))
    )
    page.place(str(s.snapshot_id), box)
    fought = attempt.was_retried
    page.fit(20, y, [retries_words.named(s, page.ids)], Type(12, theme.ink, bold=fought), time - 28)
    page.text(time, y, _time(page, attempt), Type(11.5, theme.ink_2))
    own = columns[place[s.snapshot_id]]
    if fought:
        _draw_losses(page, attempt, own, columns, place, y)
    symbol = SYMBOLS.get(s.operation, "hexagon")
    hue = theme.operation(s.operation)
    fill = hue.fill if attempt.attempt is not None else theme.page
    page.symbols.append(Mark(own, y, symbol, _MARK, fill, hue.fill, 1.6))
    style = Type(12, theme.error if fought else theme.ink_3)
    page.fit(words, y, retries_words.outcome(attempt, page.ids), style, box.right - 8 - words)


def _draw_losses(
    page: Page, attempt: Attempt, own: float, columns: list[float], place: dict[int, int], y: float
) -> None:
    """A dashed line from the first race to the success, a cross at each rival, and before it how many have none."""
    theme = page.theme
    drawn = sorted({columns[place[r.snapshot_id]] for r in attempt.rivals if r.snapshot_id in place})
    step = columns[1] - columns[0] if len(columns) > 1 else _WIDEST
    start = (drawn[0] if drawn else own) - min(step * 0.7, 16.0)
    page.path(Ink(theme.error, 1.3, dash="4px,3px")).move(start, y).line(own - _MARK / 2 - 1, y)
    for x in drawn:
        page.symbols.append(Mark(x, y, "x-thin", _CROSS, theme.error, theme.error, 1.8))
    hidden = _without_column(attempt, place)
    if hidden:
        words, style = f"×{hidden:,}", Type(11, theme.error)
        page.canvas.text("page", start - 4, y, words, style, "end")
