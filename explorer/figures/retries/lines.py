"""Which commits of a race one picture draws line by line, which it tells together, and the page that it is drawn on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...model.retries.facts import Attempt, Retries
from ..page.fold import Part
from ..page.sheet import Sheet

MOST_LINES = 40
ONE_BY_ONE = "commits"  # what is opened where every commit has its own line
_NEAREST = 6  # rivals of a commit that have lines of their own where not all have
_FOLDED = 3  # commits in a row that lost nothing and beat nobody, from where on they are one line


@dataclass(frozen=True, slots=True)
class Line:
    """A commit, or several in a row.

    Attributes:
        opens: view that tells them one by one; empty for a commit by itself.
    """

    attempts: tuple[Attempt, ...]
    opens: str = ""

    @property
    def single(self) -> Attempt | None:
        """The commit; None if several are told together."""
        return self.attempts[0] if not self.opens else None


def lines(retries: Retries, part: Part) -> tuple[Part, list[Line]]:
    """The lines of a part, from the first commit to the last; and the part, or the whole if there is no such part."""
    every = retries.attempts
    if part.opened == ONE_BY_ONE and part.first < len(every):
        first, last = part.first, part.first + MOST_LINES
        before = [Line(every[:first], str(Part(max(first - MOST_LINES, 0), ONE_BY_ONE)))] if first else []
        after = [Line(every[last:], str(Part(last, ONE_BY_ONE)))] if last < len(every) else []
        return part, [*before, *(Line((a,)) for a in every[first:last]), *after]
    folded = [Line((a,)) for a in every] if len(every) <= MOST_LINES else _folded(every)
    first = part.first if not part.opened and part.first < len(folded) else 0
    last = first + MOST_LINES if len(folded) - first > MOST_LINES + 2 else len(folded)
    before = [_joined(folded[:first], max(first - MOST_LINES, 0))] if first else []
    after = [_joined(folded[last:], last)] if last < len(folded) else []
    return Part(first), [*before, *folded[first:last], *after]


def _folded(every: Sequence[Attempt]) -> list[Line]:
    """Commits that lost, and those that they lost to last, by themselves; runs of others as one."""
    fought = {s.snapshot_id for a in every if a.was_retried for s in (a.snapshot, *a.rivals[-_NEAREST:])}
    found: list[Line] = []
    run: list[Attempt] = []
    for place, attempt in enumerate([*every, None]):
        if attempt is not None and attempt.snapshot.snapshot_id not in fought:
            run.append(attempt)
            continue
        if len(run) >= _FOLDED:
            found.append(Line(tuple(run), str(Part(place - len(run), ONE_BY_ONE))))
        else:
            found += [Line((a,)) for a in run]
        run = []
        found += [Line((attempt,))] if attempt is not None else []
    return found


def _joined(some: Sequence[Line], opens: int) -> Line:
    return Line(tuple(a for line in some for a in line.attempts), str(Part(opens)) or "from 0")


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """The attempts of commits, and everything drawn of them so far.

    Attributes:
        chosen: the commit whose attempts are drawn one by one; None if there is no commit.
        ids: short ids of all snapshots.
    """

    retries: Retries
    lines: list[Line]
    chosen: Attempt | None
    ids: Mapping[int, str]
