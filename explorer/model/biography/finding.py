"""What a biography found, in one sentence: how many such rows there are, and of one row what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from .. import formats
from ..changed_cells import summary
from . import words
from .facts import Biography, Event, Life, Line

_OPENING = ("All", "No", "None", "The")  # words of a title that are not a person's


def title(biography: Biography) -> str:
    """The finding: how many such rows there are, and of one row what became of it.

    A row of which it is not known whether it is masked now is told neither to live nor to be gone. Rows that only other
    lines ever had are counted beside.
    """
    told = _whole_title(biography)
    if not (biography.is_partial or _is_doubtful(biography)):
        return told
    first = told.split(" ", 1)[0]
    return f"As far as can be read: {told[0].lower() if first in _OPENING else told[0]}{told[1:]}"


def _is_doubtful(biography: Biography) -> bool:
    """Whether the one row that is told of, or one of several that are gone, may have a longer story.

    Of files that cannot be read; what lives at the head is known.
    """
    here, line = [life for life in biography.lives if _is_on_first(life)], biography.lines[0]
    if len(here) > 1 and all(_meets_now(life, line) for life in here):
        return False
    events = (event for life in here for event in life.on(0))
    return any(event.certainty == "unknown" and event.how != "existed at or before" for event in events)


def _whole_title(biography: Biography) -> str:
    here = [life for life in biography.lives if _is_on_first(life)]
    if not here:
        return _nowhere(biography)
    beside = [] if _left_out(biography) else _elsewhere(biography, "more")
    return "; ".join([_of_first(biography, here), *beside])


def _of_first(biography: Biography, here: Sequence[Life]) -> str:
    """The finding on the line that was asked about."""
    line = biography.lines[0]
    doubtful = [life for life in here if words.is_doubtful_now(life, line)]
    if not doubtful:
        return _finding(biography, here)
    told, n = biography.condition, len(doubtful)
    if left := _left_out(biography):
        return f"{left}; whether {n:,} of these {'is' if n == 1 else 'are'} masked now is not known"
    if len(here) == 1:
        return f"The row with {told}: {', '.join(_happenings(here[0].on(0)))}; whether it is masked now is not known"
    if n == len(here):
        return f"{_rows(n)} with {told}; whether they are masked now is not known"
    living = sum(_meets_now(life, line) for life in here if life not in doubtful)
    gone = len(here) - living - n
    head = words.named(line.head)
    lives = f"{living:,} of {_rows(len(here))} with {told} {'lives' if living == 1 else 'live'} at {head}"
    parts = [lives if living else f"None of {_rows(len(here))} with {told} is known to live at {head}"]
    parts += [_are_gone(gone)] if gone else []
    return "; ".join([*parts, f"whether {n:,} {'is' if n == 1 else 'are'} masked now is not known"])


def _left_out(biography: Biography) -> str:
    """How many are told, where not all are; else empty."""
    if biography.rows <= biography.told:
        return ""
    versions = formats.count(biography.rows, "row version")
    return f"{versions} with {biography.condition}; {formats.count(biography.told)} are told"


def _are_gone(n: int) -> str:
    return f"{n:,} {'is' if n == 1 else 'are'} gone"


def _nowhere(biography: Biography) -> str:
    """Where the line that was asked about never had such a row: main had, where it was moved back."""
    told, line, lives = biography.condition, biography.lines[0], biography.lives
    if not lives:
        return f"No row with {told} in the known history{words.since(line)}"
    lines = {event.line for life in lives for event in life.events}
    became = _elsewhere(biography)
    if line.name != "main" or not became or not any(biography.lines[i].kind == "rolled back" for i in lines):
        never = f"was ever on {line.name}"
        if line.begins == "expired":
            never = f"on {line.name} in its known history{words.since(line)}"
        return "; ".join([f"No row with {told} {never}", *_elsewhere(biography, "row")])
    if len(lives) == 1:
        became = _happenings(lives[0].events)
    return f"No row with {told} is on main any more: {', '.join(became)}"


def _elsewhere(biography: Biography, what: Literal["", "more", "row"] = "") -> list[str]:
    """What became of the rows that the line that was asked about never had, with how many of each of `what`."""
    others = [life for life in biography.lives if not life.on(0)]
    # Of a line that nothing joins to the first nobody knows which of its rows are rows of that one, in other files.
    apart = [life for life in others if _is_apart(biography, life)] if len(others) < len(biography.lives) else []
    counts = Counter(tuple(words.state(biography, life).split(" ", 1)) for life in others if life not in apart)
    names = Counter(biography.lines[life.events[-1].line].name for life in apart)
    plural = {"is": "are", "was": "were"}
    called = {"": "{:,}".format, "more": "{:,} more".format, "row": _rows}[what]
    return [
        *(f"{called(n)} {verb if n == 1 else plural[verb]} {became}" for (verb, became), n in counts.items()),
        *(f"{name} has {_rows(n)} in files of its own" for name, n in names.items()),
    ]


def _is_apart(biography: Biography, life: Life) -> bool:
    return biography.lines[life.events[-1].line].begins == "expired"


def _finding(biography: Biography, here: Sequence[Life]) -> str:
    told, line = biography.condition, biography.lines[0]
    living = [life for life in biography.living() if _meets_now(life, line)]
    if not living:
        return _gone(biography, here)
    if left := _left_out(biography):
        return left
    if len(here) == 1:
        return _one(biography, here[0])
    rows = [stretch.row for life in living if (stretch := life.at(0, line.end - 1))]
    # equal in every column: a key that only the condition names may be of many rows that have nothing else in common
    copies = Counter(row.same for row in rows)
    if biography.key and len(rows) > 1 and len(copies) == 1:
        gone_at = next((e for life in living for e in life.on(0) if e.kind == "DELETED"), None)
        though = f", though it was deleted at {words.named(gone_at.snapshot)}" if gone_at else ""
        return f"{biography.name_of(rows[0])} is there {words.times(len(rows))} at {words.named(line.head)}{though}"
    gone = len(here) - len(living)
    if biography.key and len(living) == 1 and len({biography.key_of(life.last) for life in here}) == 1:
        return _again(biography, here, living[0])
    doubled = sum(1 for n in copies.values() if n > 1) if biography.key else 0
    verb = f"{'lives' if len(living) == 1 else 'live'} at {words.named(line.head)}"
    parts = [f"{f'{len(living):,} of' if gone else 'All'} {_rows(len(here))} with {told} {verb}"]
    parts += [_are_gone(gone)] if gone else []
    parts += [f"{doubled:,} of them {'is' if doubled == 1 else 'are'} there more than once"] if doubled else []
    return "; ".join(parts)


def _one(biography: Biography, life: Life) -> str:
    events = life.on(0)
    back = next((e for e in reversed(events) if e.kind == "RETURNED"), None)
    gone = next((e for e in reversed(events) if e.kind == "DELETED"), None)
    if back is not None and gone is not None and gone.place < back.place:
        how = f"deleted at {words.named(gone.snapshot)}, back since {words.named(back.snapshot)}: {back.how}"
        return f"The row with {biography.condition} is there: {how}"
    told = f"The row with {biography.condition} is there: {', '.join(_happenings(events))}"
    return f"{told}{_without(biography, life)}"


def _without(biography: Biography, life: Life) -> str:
    """When main was elsewhere last, so that its readers did not get the row."""
    times_away = [absence for absence in biography.absences if absence.life == life.number]
    if not times_away:
        return ""
    last = times_away[-1]
    often = f", {words.times(len(times_away))} in all" if len(times_away) > 1 else ""
    return f"; main was without it from {formats.moment(last.since)} to {formats.moment(last.until)}{often}"


def _happenings(events: Sequence[Event]) -> list[str]:
    """What became of a row on a line: `created at 1`, `updated twice`, `deleted at 9`."""
    first, last = events[0], events[-1]
    parts = [f"{words.happened(first)} at {words.named(first.snapshot)}"]
    if first.how == "existed at or before":
        added = first.row.added_at
        file = f" (its file was added at {added:,})" if added and added < first.snapshot.sequence_number else ""
        parts = [f"it existed at or before {words.named(first.snapshot)}{file}"]
    for kind, word in (("UPDATED", "updated"), ("MOVED", "moved")):
        if found := [e for e in events if e.kind == kind]:
            once = f"at {words.named(found[0].snapshot)}"
            parts.append(f"{word} {once if len(found) == 1 else words.times(len(found))}")
    return [*parts, words.ended(last)] if last.kind == "DELETED" else parts


def _again(biography: Biography, here: Sequence[Life], living: Life) -> str:
    """Of several lives of one key the one that goes on."""
    ends = [event for life in here for event in life.on(0) if event.kind == "DELETED" and life is not living]
    last, first = max(ends, key=lambda e: e.place, default=None), living.on(0)[0]
    deleted = f"deleted at {words.named(last.snapshot)}, " if last is not None and last.place <= first.place else ""
    back = f"{words.happened(first)} at {words.named(first.snapshot)}"
    return f"{biography.name_of(living.last)} is there: {deleted}{back}"


def _gone(biography: Biography, here: Sequence[Life]) -> str:
    line = biography.lines[0]
    ends = [event for life in here for event in life.on(0) if event.kind in ("DELETED", "UPDATED")]
    last = max(ends, key=lambda e: e.place, default=None)
    if last is None:
        return f"No row with {biography.condition} at {words.named(line.head)}"
    before, at = words.named(line.snapshots[last.place - 1]), words.named(last.snapshot)
    who = "No row with" if len(here) == 1 else f"None of {_rows(len(here))} with"
    then = f"{last.how} at {at}" if last.kind == "DELETED" else f"updated at {at} ({_cells(last)})"
    return f"{who} {biography.condition} is left: last seen at {before}, {then}"


def _cells(event: Event) -> str:
    return summary(event.changed) or "written anew with equal values"


def _is_on_first(life: Life) -> bool:
    return any(stretch.line == 0 and stretch.row.meets and stretch.shown for stretch in life.stretches)


def _meets_now(life: Life, line: Line) -> bool:
    stretch = life.at(0, line.end - 1)
    return stretch is not None and stretch.shown and stretch.row.meets


def _rows(n: int) -> str:
    return formats.count(n, "row")
