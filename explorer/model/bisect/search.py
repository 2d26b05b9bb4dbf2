"""The search for a change among states of which asking each one costs: a value, to which an answer gives the next one.

State 0 is the good end, the last one is the bad end. The search halves what lies between a good and a bad state. States
that hardly ever differ from the one before them, of commits that only write rows anew, are asked last.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

Known = Literal["good", "bad", "skipped"]


@dataclass(frozen=True, slots=True)
class Search:
    """What is known of the states.

    Attributes:
        known: of each state, None for one that was not asked. Some state is good, and a later one is bad.
        late: states that are asked last.
    """

    known: tuple[Known | None, ...]
    late: frozenset[int] = frozenset()

    @classmethod
    def between(cls, states: int, late: Collection[int] = ()) -> Search:
        """Of so many states, two or more, of which the first is good and the last is bad."""
        return cls(("good", *(None,) * (states - 2), "bad"), frozenset(late))

    def told(self, state: int, known: Known) -> Search:
        """The same, with one more state known."""
        return replace(self, known=(*self.known[:state], known, *self.known[state + 1 :]))

    @property
    def bad(self) -> int:
        """The first state that is known to be bad and has a good one before it."""
        return self.known.index("bad", self.known.index("good"))

    @property
    def good(self) -> int:
        """The last good state before `bad`. Where no state lies between the two, the change is between them."""
        return max(state for state in range(self.bad) if self.known[state] == "good")

    @property
    def next(self) -> int | None:
        """The state to ask now; None where nothing between `good` and `bad` is left to be asked."""
        left = [state for state in range(self.good + 1, self.bad) if self.known[state] is None]
        early = [state for state in left if state not in self.late]
        if early or not left:
            return early[len(early) // 2] if early else None
        # Most likely all are as good as the last one before them, which asking the last of them proves at once.
        return left[len(left) // 2] if self.bad in self.late else left[-1]

    @property
    def most(self) -> int:
        """Questions that are left at most, if all can be answered."""
        left = [state for state in range(self.good + 1, self.bad) if self.known[state] is None]
        runs = [(is_late, len(list(run))) for is_late, run in groupby(left, key=self.late.__contains__)]
        early = sum(n for is_late, n in runs if not is_late)
        longest = max((n for is_late, n in runs if is_late), default=0)
        return early.bit_length() + (1 + (longest - 1).bit_length() if longest else 0)
