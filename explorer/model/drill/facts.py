"""What a drill is, what a learner answers, and how right that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Part = Literal["commit", "cause", "repair"]
State = Literal["right", "partly right", "not this", "not answered"]


@dataclass(frozen=True, slots=True)
class Case:
    """A drill, with its key.

    Attributes:
        seed, level: which drill it is; the same for a whole class.
        weeks: of history.
        title, words: what a person says of it; `oddity` what they say besides, empty if nothing.
        symptom: what that is called in Health, one of `SYMPTOMS`.
        probe: a statement over `{t}` whose answer changes at the commit; empty where none does.
        good: sequence number of a commit at which its answer was right; None: the oldest.
        number, snapshot_id: of the commit from which on it is so.
        cause: name of the signature.
    """

    seed: int
    level: int
    weeks: int
    title: str
    words: str
    oddity: str
    symptom: str
    probe: str
    good: int | None
    number: int
    snapshot_id: int
    cause: str

    @property
    def tells_symptom(self) -> bool:
        """Whether the learner is told what Health calls it."""
        return self.level == 1

    @property
    def allows_health(self) -> bool:
        """Whether the learner may look into Health."""
        return self.level < 3


@dataclass(frozen=True, slots=True)
class Judged:
    """One part of an answer.

    Attributes:
        words: what is so, of the learner's answer; the right one is not told.
    """

    part: Part
    state: State
    words: str


@dataclass(frozen=True, slots=True)
class Step:
    """A question that a practised person asks.

    Attributes:
        call: as Python, of the table `t`.
        told: what the answer is.
    """

    call: str
    told: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """How right an answer is.

    Attributes:
        parts: commit, cause and repair.
        path: what a practised person asks; told once it is solved.
        questions: what the learner asked of the table, in order, by the names of the pictures.
        bytes_read: of files, for these questions.
        tries: how often it was checked, this one too.
    """

    parts: tuple[Judged, ...]
    path: tuple[Step, ...]
    questions: tuple[str, ...]
    bytes_read: int
    tries: int

    @property
    def is_solved(self) -> bool:
        """Whether all of it is right."""
        return all(judged.state == "right" for judged in self.parts)

    def state(self, part: Part) -> State:
        """How right one part is."""
        return next(judged.state for judged in self.parts if judged.part == part)
