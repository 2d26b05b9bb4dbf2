"""The search for a change among states of which asking each one costs: a value, to which an answer gives the next one.

State 0 is the good end, the last one is the bad end. The search halves what lies between a good and a bad state. States
that hardly ever differ from the one before them, of commits that only write rows anew, are asked last.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
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
        runs = self._runs
        if len(runs) > 1:
            return runs[_middle(tuple(late for _, late in runs))][0]
        left = [state for state in range(self.good + 1, self.bad) if self.known[state] is None]
        if not left:
            return None
        # Most likely all are as good as the last state before them, which asking the last of them proves at once.
        return left[len(left) // 2] if self.bad in self.late else left[-1]

    @property
    def most(self) -> int:
        """Questions that are left at most, if all can be answered."""
        return _most(tuple(late for _, late in self._runs))

    @property
    def _runs(self) -> list[tuple[int, int]]:
        """The states that are not late and may be the first bad one, each with how many late ones lie before it."""
        found, late = [], 0
        for state in range(self.good + 1, self.bad):
            if self.known[state] is None:
                if state in self.late:
                    late += 1
                else:
                    found.append((state, late))
                    late = 0
        return [*found, (self.bad, late)]


def _middle(late: Sequence[int]) -> int:
    """The run after which runs are parted, so that either side takes about as many questions."""
    weights = [2 << (n - 1).bit_length() if n else 1 for n in late]
    sums, whole = list(accumulate(weights)), sum(weights)
    return min(range(len(late) - 1), key=lambda i: abs(2 * sums[i] - whole))


def _most(late: Sequence[int]) -> int:
    if len(late) == 1:
        return 1 + (late[0] - 1).bit_length() if late[0] else 0
    i = _middle(late)
    return 1 + max(_most(late[: i + 1]), _most(late[i + 1 :]))
