"""The lifetimes of files on one line: from which of its snapshots to which one each file is live there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from ..arrays import NULL, Longs
from .file_lives import FileLife
from .inheritance import StoredEntry
from .lifetime_events import Events
from .lifetimes import Lifetimes

Span = tuple[int, int]


def spans(lifetimes: Lifetimes, line: Sequence[int | None], chosen: Longs) -> dict[int, list[Span]]:
    """By lifetime the spans in which it is live, in order; of those that never are there is nothing.

    Args:
        lifetimes: of the history.
        line: ids of the snapshots of a line, an ancestor before each; at place 0 what was there before, or None. One
            that is not listed has no events.
        chosen: lifetimes in question.
    """
    end, base = len(line), line[0]
    began = {int(lifetime): 0 for lifetime in _live_before(lifetimes, base, chosen)}
    events: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    places = {lifetimes.place[i]: at for at, i in enumerate(line) if at and i in lifetimes.place}
    wanted = set(chosen.tolist())
    for of, begins in ((lifetimes.begins, True), (lifetimes.ends, False)):
        for lifetime, place in _on(of, places):
            if lifetime in wanted:
                events[lifetime].append((places[place], begins))
    found: dict[int, list[Span]] = defaultdict(list)
    for lifetime, happened in events.items():
        for at, begins in sorted(happened):
            if (at, not begins) in happened:  # one commit took it out and put it back, or it only passed by
                continue
            if begins:
                began.setdefault(lifetime, at)
            elif lifetime in began:
                found[lifetime].append((began.pop(lifetime), at))
    for lifetime, since in began.items():
        found[lifetime].append((since, end))
    return dict(found)


def _live_before(lifetimes: Lifetimes, base: int | None, chosen: Longs) -> Longs:
    if base is None or base not in lifetimes.place:
        return np.empty(0, np.int64)
    found: Longs = chosen[lifetimes.live_at(lifetimes.place[base])[chosen]]
    return found


def _on(events: Events, places: Iterable[int]) -> Iterable[tuple[int, int]]:
    here = np.isin(events.place, np.fromiter(places, np.int64))
    return zip(events.lifetime[here].tolist(), events.place[here].tolist(), strict=True)


def lives(
    lifetimes: Lifetimes,
    entries: Mapping[int, StoredEntry],
    line: Sequence[int | None],
    first_row_ids: Mapping[int, int | None] = MappingProxyType({}),
) -> tuple[FileLife, ...]:
    """The lives of files on a line.

    Args:
        lifetimes: of the history.
        entries: by lifetime, of the files in question.
        line: as of `spans`.
        first_row_ids: by lifetime, as far as they are known.
    """
    found = spans(lifetimes, line, np.fromiter(sorted(entries), np.int64))
    return tuple(
        FileLife(
            entries[lifetime],
            _number(lifetimes.data_sequence_number, lifetime),
            *span,
            first_row_id=first_row_ids.get(lifetime),
        )
        for lifetime, own in found.items()
        for span in own
    )


def _number(values: Longs, lifetime: int) -> int | None:
    value = int(values[lifetime])
    return None if value == NULL else value
