"""What manifests may hold that cannot be read: files that were live before them, and that no other one lists after.

Such a file is live, or was removed, and which of the two nothing says while the manifest is listed. Once it is not any
more, the file is in a manifest that took its place, or is gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from ..arrays import Longs
from .lifetime_plan import Step


class LostManifests:
    """Kept up to date step by step, in the order of commits.

    Args:
        indices: of the manifests that cannot be read.
    """

    def __init__(self, indices: Iterable[int]) -> None:
        self._indices = frozenset(indices)
        self._may_hold: dict[int, set[int]] = defaultdict(set)
        self._dropped: set[int] = set()

    def dropped_with(self, step: Step, listed: Longs) -> Longs:
        """Lifetimes that what the step drops may have held, and no lost manifest may hold that is listed still.

        Args:
            step: the next one.
            listed: lifetimes that its new manifests list: they are in no lost one.
        """
        lost = step.dropped & self._indices
        if not lost:
            return np.empty(0, dtype=np.int64)
        self._dropped |= lost
        found_elsewhere = set(listed.tolist())
        for index, held in self._may_hold.items():
            if index not in lost:
                held -= found_elsewhere
        still = set[int]().union(*(held for index, held in self._may_hold.items() if index not in self._dropped))
        found = set[int]().union(*(self._may_hold[index] for index in lost))
        return np.array(sorted(found - still), dtype=np.int64)

    def brought_by(self, step: Step, lifetimes: Longs) -> bool:
        """Whether the step brings a lost manifest, which may hold these lifetimes."""
        lost = step.new & self._indices
        for index in lost:
            self._may_hold[index].update(lifetimes.tolist())
        return bool(lost)
