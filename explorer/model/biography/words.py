"""A biography in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from .. import formats
from ..changed_cells import summary
from ..evidence import Certainty
from ..iceberg.metadata import Snapshot
from ..iceberg.writer import writer
from ..words import price as price_of
from .facts import Biography, Event, Life, Line, Price
from .notes import beginning

_HAPPENED = {
    "CREATED": "created",
    "UPDATED": "updated",
    "MOVED": "moved",
    "DELETED": "deleted",
    "RETURNED": "came back",
}
_SPECIAL = {
    "existed at or before": "here before",
    "file listed again": "listed again",
    "inserted again": "inserted again",
    "rollback": "rolled back",
    "table replaced": "replaced",
    "another snapshot made current": "rolled back",
}
DOUBT = "a delete that applies to its file cannot be read, as the notes say: it may mask the row"
"""Why it is not known whether a reader sees a row."""
_OPENING = ("All", "No", "None", "The")  # words of a title that are not a person's
_TIMES = {1: "once", 2: "twice"}


def happened(event: Event) -> str:
    """`created`, `came back`, `listed again`: what a mark says beside it."""
    if event.move is not None and event.kind == "RETURNED":
        return "came back"
    return _SPECIAL.get(event.how, _HAPPENED[event.kind])


def is_back(event: Event) -> bool:
    """Whether a row returned that was gone; not one that was only written anew with its key."""
    return event.kind == "RETURNED" and event.how != "inserted again"


def named(snapshot: Snapshot | None) -> str:
    """`249`, or `…9118` where there are no sequence numbers."""
    if snapshot is None:
        return "the beginning"
    return f"{snapshot.sequence_number:,}" if snapshot.sequence_number else f"…{str(snapshot.snapshot_id)[-4:]}"


def times(n: int) -> str:
    """`once`, `twice`, `3 times`."""
    return _TIMES.get(n, f"{n:,} times")


# --- the finding


def title(biography: Biography) -> str:
    """The finding: how many such rows there are, and of one row what became of it.

    A row of which it is not known whether it is masked now is told neither to live nor to be gone. Rows that only other
    lines ever had are counted beside.
    """
    told = _whole_title(biography)
    if not biography.is_partial:
        return told
    first = told.split(" ", 1)[0]
    return f"As far as can be read: {told[0].lower() if first in _OPENING else told[0]}{told[1:]}"


def _whole_title(biography: Biography) -> str:
    here = [life for life in biography.lives if _is_on_first(life)]
    if not here:
        return _nowhere(biography)
    beside = [] if _left_out(biography) else _elsewhere(biography, " more")
    return "; ".join([_of_first(biography, here), *beside])


def _of_first(biography: Biography, here: Sequence[Life]) -> str:
    """The finding on the line that was asked about."""
    line = biography.lines[0]
    doubtful = [life for life in here if _is_doubtful_now(life, line)]
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
    head = named(line.head)
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
        return f"No row with {told} in the known history{_since(line)}"
    lines = {event.line for life in lives for event in life.events}
    became = _elsewhere(biography)
    if line.name != "main" or not became or not any(biography.lines[i].kind == "rolled back" for i in lines):
        names = sorted(biography.lines[i].name for i in lines)
        never = f"was ever on {line.name}"
        if line.begins == "expired":
            never = f"on {line.name} in its known history{_since(line)}"
        return f"No row with {told} {never}; {_rows(len(lives))} on {_listed(names)}"
    if len(lives) == 1:
        became = _happenings(lives[0].on(lives[0].events[-1].line))
    return f"No row with {told} is on main any more: {', '.join(became)}"


def state(biography: Biography, life: Life) -> str:
    """What became of a row, seen from the line that was asked about: `is there`, `is gone`, `was rolled back`."""
    line = biography.lines[0]
    if _is_doubtful_now(life, line):
        return "may be there"
    stretch = life.at(0, line.end - 1)
    if stretch is not None and stretch.shown:
        return "is there"
    if life.on(0):
        return "is gone"
    last = life.events[-1]
    if last.move is not None:
        return f"was {happened(last)}"
    name = biography.lines[last.line].name
    return f"was deleted on {name}" if last.kind == "DELETED" else f"is on {name}"


def _elsewhere(biography: Biography, more: str = "") -> list[str]:
    """What became of the rows that the line that was asked about never had, with how many of each."""
    others = [life for life in biography.lives if not life.on(0)]
    counts = Counter(tuple(state(biography, life).split(" ", 1)) for life in others if not _is_apart(biography, life))
    # Of a line that nothing joins to the first nobody knows which of its rows are rows of that one, in other files.
    apart = Counter(biography.lines[life.events[-1].line].name for life in others if _is_apart(biography, life))
    plural = {"is": "are", "was": "were"}
    return [
        *(f"{n:,}{more} {verb if n == 1 else plural[verb]} {what}" for (verb, what), n in counts.items()),
        *(f"{name} has {_rows(n)} in files of its own" for name, n in apart.items()),
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
        though = f", though it was deleted at {named(gone_at.snapshot)}" if gone_at else ""
        return f"{biography.name_of(rows[0])} is there {times(len(rows))} at {named(line.head)}{though}"
    gone = len(here) - len(living)
    if biography.key and len(living) == 1 and len({biography.key_of(life.last) for life in here}) == 1:
        return _again(biography, here, living[0])
    doubled = sum(1 for n in copies.values() if n > 1) if biography.key else 0
    verb = f"{'lives' if len(living) == 1 else 'live'} at {named(line.head)}"
    parts = [f"{f'{len(living):,} of' if gone else 'All'} {_rows(len(here))} with {told} {verb}"]
    parts += [_are_gone(gone)] if gone else []
    parts += [f"{doubled:,} of them {'is' if doubled == 1 else 'are'} there more than once"] if doubled else []
    return "; ".join(parts)


def _one(biography: Biography, life: Life) -> str:
    events = life.on(0)
    back = next((e for e in reversed(events) if e.kind == "RETURNED"), None)
    gone = next((e for e in reversed(events) if e.kind == "DELETED"), None)
    if back is not None and gone is not None and gone.place < back.place:
        how = f"deleted at {named(gone.snapshot)}, back since {named(back.snapshot)}: {back.how}"
        return f"The row with {biography.condition} is there: {how}"
    return f"The row with {biography.condition} is there: {', '.join(_happenings(events))}"


def _happenings(events: Sequence[Event]) -> list[str]:
    """What became of a row on a line: `created at 1`, `updated twice`, `deleted at 9`."""
    first, last = events[0], events[-1]
    parts = [f"{happened(first)} at {named(first.snapshot)}"]
    if first.how == "existed at or before":
        parts = [f"it existed at or before {named(first.snapshot)}"]
    for kind, word in (("UPDATED", "updated"), ("MOVED", "moved")):
        if found := [e for e in events if e.kind == kind]:
            parts.append(f"{word} {times(len(found))}" if len(found) > 1 else f"{word} at {named(found[0].snapshot)}")
    return [*parts, ended(last)] if last.kind == "DELETED" else parts


def ended(event: Event) -> str:
    """What happened to a row, and at which commit; by a move of main, when."""
    when = f"at {named(event.snapshot)}" if event.move is None else formats.instant(event.committed_at)
    return f"{happened(event)} {when}"


def _again(biography: Biography, here: Sequence[Life], living: Life) -> str:
    """Of several lives of one key the one that goes on."""
    ends = [event for life in here for event in life.on(0) if event.kind == "DELETED" and life is not living]
    last, first = max(ends, key=lambda e: e.place, default=None), living.on(0)[0]
    deleted = f"deleted at {named(last.snapshot)}, " if last is not None and last.place <= first.place else ""
    return f"{biography.name_of(living.last)} is there: {deleted}{happened(first)} at {named(first.snapshot)}"


def _gone(biography: Biography, here: Sequence[Life]) -> str:
    line = biography.lines[0]
    ends = [event for life in here for event in life.on(0) if event.kind in ("DELETED", "UPDATED")]
    last = max(ends, key=lambda e: e.place, default=None)
    if last is None:
        return f"No row with {biography.condition} at {named(line.head)}"
    before, at = named(line.snapshots[last.place - 1]), named(last.snapshot)
    who = "No row with" if len(here) == 1 else f"None of {_rows(len(here))} with"
    then = f"{last.how} at {at}" if last.kind == "DELETED" else f"updated at {at} ({_cells(last)})"
    return f"{who} {biography.condition} is left: last seen at {before}, {then}"


def _cells(event: Event) -> str:
    return summary(event.changed) or "written anew with equal values"


def _is_on_first(life: Life) -> bool:
    return any(stretch.line == 0 and stretch.row.meets and stretch.shown for stretch in life.stretches)


def _is_doubtful_now(life: Life, line: Line) -> bool:
    stretch = life.at(0, line.end - 1)
    return stretch is not None and stretch.row.meets and stretch.row.is_open(line.end - 1)


def _meets_now(life: Life, line: Line) -> bool:
    stretch = life.at(0, line.end - 1)
    return stretch is not None and stretch.shown and stretch.row.meets


def _since(line: Line) -> str:
    return f", which begins at {named(line.snapshots[0])}" if line.begins == "expired" else ""


def _rows(n: int) -> str:
    return formats.count(n, "row")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


# --- around it


def circumstances(biography: Biography, name: str) -> list[str]:
    """The second line in parts: table, what is told of how much, how rows are followed, what was read, how sure."""
    line = biography.lines[0]
    events = sum(len(life.on(0)) for life in biography.lives)
    commits = sum(1 for snapshot in line.snapshots if snapshot is not None)
    return [
        name,
        f"{formats.count(events, 'event')} in {formats.count(commits, 'commit')} of {line.name}",
        *([f"rows told apart by {_key(biography)}, a guess"] if biography.key_is_guessed else []),
        price(biography.price),
        "UTC",
        evidence(biography)[1],
    ]


def _key(biography: Biography) -> str:
    return ", ".join(biography.columns[i] for i in biography.key)


def price(cost: Price) -> str:
    """`7 of 1,369 data files and 2 deletes, 212 kB`: what is read, or was."""
    deletes = f" and {formats.count(cost.deletes, 'delete')}" if cost.deletes else ""
    files = f"{cost.files:,} of {formats.count(cost.of_files, 'data file')}"
    return price_of(f"{files}{deletes}", cost.size_in_bytes)


def why_so_many(cost: Price) -> str:
    """Why no file is ruled out by the condition; empty where files are."""
    return "" if cost.pruned else f"The condition rules no file out: {cost.reason}."


def evidence(biography: Biography) -> tuple[Literal["exact", "inferred", "unknown"], str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    kinds = Counter(event.certainty for life in biography.lives for event in life.on(0))
    line, total = biography.lines[0], kinds.total()
    expired = beginning(line)
    if any(note.certainty == "unknown" and note not in expired for note in biography.notes):
        return "unknown", "unknown: parts of the history, as the notes say"
    since = f" since {named(line.snapshots[0])}, where the known history begins" if expired else ""
    if kinds["unknown"]:
        return "unknown", f"unknown: {kinds['unknown']:,} of {formats.count(total, 'event')}"
    if kinds["inferred"]:
        return "inferred", f"inferred: {kinds['inferred']:,} of {formats.count(total, 'event')}"
    return "exact", f"exact{since}"


def sentence(event: Event) -> str:
    """One event in a sentence: `249: deleted, masked by deletion vector`."""
    cells = f": {', '.join(map(str, event.changed))}" if event.changed and event.kind != "DELETED" else ""
    return f"{happened(event)}{manner(event)}{cells}"


def manner(event: Event) -> str:
    """How it came about, after a comma; empty where what happened says so."""
    is_said = event.kind == "DELETED" and event.how in ("rollback", "table replaced")
    return "" if is_said else f", {event.how}"


def at(event: Event) -> str:
    """By what it happened: `249`, a commit; `main to 148`, a move of main."""
    return f"{'' if event.move is None else 'main to '}{named(event.snapshot)}"


def expired_commit(snapshot: Snapshot) -> str:
    """What an earlier metadata file says of a commit that is no longer listed; goes on from its number."""
    by, at = writer(snapshot), snapshot.committed_at
    what = f"{snapshot.operation or 'commit'} {snapshot.snapshot_id}"
    when = "" if at is None else f" of {formats.instant(at)}"
    return f" by the {what}{when}{f', written by {by}' if by else ''}, which an earlier metadata file still lists"


def known_how(event: Event) -> tuple[Certainty, str]:
    """The word of its certainty, and the reason."""
    return event.certainty, event.reason


def nothing(biography: Biography) -> str:
    """Why there is nothing to draw."""
    files = biography.price.files
    since = _since(biography.lines[0])
    history = f"the known history{since}," if since else "the history"
    if files:
        return f"{formats.count(files, 'data file')} of {history} may hold such a row, and none does."
    return f"No data file of {history} can hold such a row."


def end(line: Line) -> str:
    """What the end of the line that was asked about is: only of a branch it is how the table is now."""
    return "now" if line.kind == "branch" else f"the {line.kind}"


def beside(line: Line, lines: Sequence[Line]) -> list[str]:
    """What a line is that leaves another one, from a long wording to a short one."""
    base = line.snapshots[0]
    since = f" since {named(base)}" if line.begins == "fork" else ""
    kinds = {
        "rolled back": "not on main any more",
        "staged": "never published, or published as another commit",
        "unreferenced": "no ref leads to it",
        "tag": "kept by a tag",
        "branch": "a branch",
    }
    what = kinds.get(line.kind, "")
    return [f"Beside {lines[0].name}{since}: {line.name} ({what})", f"Beside {lines[0].name}: {line.name}", line.name]
