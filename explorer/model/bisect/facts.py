"""Where the answer of a statement changed on a line of commits: what was asked, what was answered, what follows.

A commit is a *candidate* if it can have changed the answer; the state of a candidate is what holds from it up to the
next one. Of a state only the first snapshot is asked: those after it inherit its answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from ..evidence import Note
from ..iceberg.metadata import Snapshot
from .search import Known, Search

Verdict = Literal["good", "bad", "inherited", "skipped", "not asked"]
Beginning = Literal["asked", "root", "expired"]
Cause = Literal["files", "schema", "metadata", "unknown"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a statement gave at a snapshot.

    Attributes:
        value: as SQL writes it as text; None for NULL, and for no row.
        why_not: why it could not be asked there, a sentence; empty if it could.
    """

    value: str | None
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A commit that can have changed the answer.

    Attributes:
        place: of its snapshot on the line.
        cause: its files may hold rows that are asked about; it reads by another schema; metadata is
            asked about, which it wrote; or what it did is not known.
        late: whether it is a `replace`, which promises to change no row and is asked last.
    """

    place: int
    cause: Cause
    late: bool


@dataclass(frozen=True, slots=True)
class Read:
    """A snapshot that was asked, by its place on the line."""

    place: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Price:
    """What a bisection takes, told before it.

    Attributes:
        reads: snapshots that are asked at most, both ends counted.
        size_in_bytes: of the files that may be read for them at most; columns that are not asked for are not read.
        every, every_size_in_bytes: the same where all candidates are read.
        admitted: by place on the line, bytes of the files that may be read there.
    """

    reads: int
    size_in_bytes: int
    every: int
    every_size_in_bytes: int
    admitted: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Change:
    """Two answers that differ; the states between their places, if there are any, could not be asked."""

    before: Read
    after: Read


@dataclass(frozen=True)
class Bisection:
    """A statement, asked along a line.

    Attributes:
        sql: the statement, with `{t}` for the table.
        snapshots: the line, from the good end to the bad one.
        begins: whether the good end was asked for; else it is the first commit of all, or older ones have expired.
        is_boolean: whether true is good; else the answer of the good end is.
        candidates: commits after the good end that can have changed the answer, in order.
        pruned: what ruled the others out: the condition of the statement; empty if nothing did.
        why_not_pruned: why nothing did, a phrase.
        reads: the good end, the bad end, and the candidates that were asked, in the order of asking.
        every: whether all candidates were to be read.
        price: as it was said before.
    """

    sql: str
    snapshots: tuple[Snapshot, ...]
    begins: Beginning
    is_boolean: bool
    candidates: tuple[Candidate, ...]
    pruned: str
    why_not_pruned: str
    reads: tuple[Read, ...]
    every: bool
    price: Price
    notes: tuple[Note, ...] = ()

    @property
    def good(self) -> Read:
        """The good end."""
        return self.reads[0]

    @property
    def bad(self) -> Read:
        """The bad end."""
        return self.reads[1]

    @cached_property
    def answers(self) -> dict[int, Answer]:
        """By state what is known of it: by a read of its first snapshot, or of the bad end, which inherits the last."""
        known = {self.state(read.place): read.answer for read in self.reads}
        return known | {self.state(self.good.place): self.good.answer}

    @property
    def differ(self) -> bool:
        """Whether the ends answer differently."""
        return self.good.answer != self.bad.answer

    @property
    def contradicts(self) -> bool:
        """Whether they do though no commit between them can have changed the answer."""
        return self.differ and not self.candidates

    @cached_property
    def search(self) -> Search | None:
        """How far it came; None where no bad answer is known after a good one."""
        states = range(len(self.candidates) + 1)
        told = tuple(self.known(self.answers[s]) if s in self.answers else None for s in states)
        if "good" not in told or "bad" not in told[told.index("good") :]:
            return None
        return Search(told)

    @property
    def change(self) -> Change | None:
        """From a good answer to a bad one, as near to each other as could be asked; the first that is known."""
        if self.search is None:
            return None
        before, after = (Read(self.place(s), self.answers[s]) for s in (self.search.good, self.search.bad))
        return Change(before, after)

    @property
    def first_bad(self) -> Snapshot | None:
        """The commit that made a good answer bad; None if there is none, or it is one of `between`."""
        change = self.change
        return None if change is None or self.skipped_in(change) else self.snapshots[change.after.place]

    @property
    def between(self) -> tuple[Snapshot, Snapshot] | None:
        """The last good and the first bad snapshot, where commits between them could not be asked; else None."""
        change = self.change
        if change is None or not self.skipped_in(change):
            return None
        return self.snapshots[change.before.place], self.snapshots[change.after.place]

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every change of the answer that the reads show, in order; all there are where all candidates were read."""
        known = [Read(self.place(s), a) for s, a in sorted(self.answers.items()) if not a.why_not]
        return tuple(Change(a, b) for a, b in pairwise(known) if a.answer != b.answer)

    @property
    def not_asked(self) -> int:
        """Candidates of whose state nothing is known."""
        return len(self.candidates) + 1 - len(self.answers)

    @property
    def is_complete(self) -> bool:
        """Whether every candidate was asked and answered."""
        return not self.not_asked and not any(answer.why_not for answer in self.answers.values())

    def skipped_in(self, change: Change) -> tuple[Snapshot, ...]:
        """The candidates between the two answers, which could not be asked."""
        before, after = (self.state(read.place) for read in (change.before, change.after))
        return tuple(self.snapshots[self.place(state)] for state in range(before + 1, after))

    def known(self, answer: Answer) -> Known:
        """What an answer says of its state."""
        return known(answer, self.good.answer, is_boolean=self.is_boolean)

    def state(self, place: int) -> int:
        """The state that holds at a place of the line."""
        return bisect_right(self._places, place) - 1

    def place(self, state: int) -> int:
        """Where a state begins."""
        return self._places[state]

    @cached_property
    def _places(self) -> list[int]:
        return [0, *(candidate.place for candidate in self.candidates)]

    def verdict(self, place: int) -> Verdict:
        """What is known of a snapshot of the line."""
        if place != self.bad.place and place not in self._places:
            return "inherited"
        answer = self.answer(place)
        return "not asked" if answer is None else self.known(answer)

    def answer(self, place: int) -> Answer | None:
        """The answer at a snapshot of the line, read or inherited; None where it is not known."""
        return self.bad.answer if place == self.bad.place else self.answers.get(self.state(place))


def known(answer: Answer, good: Answer, *, is_boolean: bool) -> Known:
    """What an answer says of its state, beside that of the good end."""
    if answer.why_not:
        return "skipped"
    is_good = answer.value == "true" if is_boolean else answer == good
    return "good" if is_good else "bad"


def bisected(
    ask: Callable[[int], Answer], end: int, candidates: Sequence[Candidate], *, every: bool, is_boolean: bool
) -> tuple[Read, ...]:
    """The reads of a bisection in their order: both ends, then what the search wants, then what is left if `every`.

    Args:
        ask: the answer at a place of the line.
        end: place of the bad end; the good one is at 0.
        candidates: in order, none of them at 0.
        every: whether to read all candidates.
        is_boolean: whether true is good.
    """
    reads = [Read(0, ask(0)), Read(end, ask(end))]
    good, bad = (read.answer for read in reads)
    if good.why_not or bad.why_not or not candidates:
        return tuple(reads)
    left = dict.fromkeys(range(1, len(candidates)))
    if known(good, good, is_boolean=is_boolean) == "good" and known(bad, good, is_boolean=is_boolean) == "bad":
        late = [state for state, candidate in enumerate(candidates, 1) if candidate.late]
        search = Search.between(len(candidates) + 1, late)
        while (state := search.next) is not None:
            reads.append(Read(candidates[state - 1].place, ask(candidates[state - 1].place)))
            search = search.told(state, known(reads[-1].answer, good, is_boolean=is_boolean))
            del left[state]
    if every:
        reads += [Read(candidates[s - 1].place, ask(candidates[s - 1].place)) for s in left]
    return tuple(reads)


def price(candidates: Sequence[Candidate], admitted: Sequence[int], *, every: bool) -> Price:
    """What a bisection takes; `admitted` are bytes by place of the line."""
    end, places = len(admitted) - 1, [candidate.place for candidate in candidates[:-1]]
    late = [state for state, candidate in enumerate(candidates, 1) if candidate.late]
    most = Search.between(len(candidates) + 1, late).most if candidates else 0
    ends = admitted[0] + admitted[end]
    largest = sorted((admitted[place] for place in places), reverse=True)
    whole = ends + sum(largest)
    if every:
        return Price(len(places) + 2, whole, len(places) + 2, whole, tuple(admitted))
    return Price(most + 2, ends + sum(largest[:most]), len(places) + 2, whole, tuple(admitted))


def rows(bisection: Bisection) -> list[dict[str, Any]]:
    """A row for each snapshot of the line, from the good end on; an inherited answer is told where it is known."""
    found = []
    for place, snapshot in enumerate(bisection.snapshots):
        answer = bisection.answer(place)
        found.append(
            {
                "snapshot_id": snapshot.snapshot_id,
                "sequence_number": snapshot.sequence_number,
                "committed_at": snapshot.committed_at,
                "answer": None if answer is None else answer.value,
                "verdict": bisection.verdict(place),
            }
        )
    return found
