"""A biography in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from .. import formats
from ..evidence import Certainty
from ..iceberg.metadata import Snapshot
from .facts import Biography, Event, Life, Line, Price

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
    "another snapshot made current": "main left",
}
_TIMES = {1: "once", 2: "twice"}
SMALL_IN_BYTES = 10_000_000
"""What is read without asking."""


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
    """The finding: how many such rows there are, and of one row what became of it; and whether that is certain."""
    last = biography.lines[0].end - 1
    heads = [stretch.row for life in biography.living() if (stretch := life.at(0, last)) is not None]
    doubtful = sum(1 for row in heads if any(since <= last < until for since, until in row.open))
    if not doubtful:
        return _finding(biography)
    which = f"{doubtful:,} of them" if doubtful < len(heads) else "it" if doubtful == 1 else "they"
    return f"{_finding(biography)}; whether {which} {'is' if doubtful == 1 else 'are'} masked now is not known"


def _finding(biography: Biography) -> str:
    told, line = biography.condition, biography.lines[0]
    here = [life for life in biography.lives if _is_on_first(life)]
    living = [life for life in biography.living() if _meets_now(life, line)]
    if not biography.lives:
        return f"No row with {told} in the known history{_since(line)}"
    if not here:
        lines = {biography.lines[event.line].name for life in biography.lives for event in life.events}
        return f"No row with {told} was ever on {line.name}; {_rows(len(biography.lives))} on {_listed(sorted(lines))}"
    if not living:
        return _gone(biography, here)
    left = biography.rows - biography.told
    if left > 0:
        return f"{formats.count(biography.rows, 'row version')} with {told}; {formats.count(biography.told)} are told"
    if len(here) == 1:
        return _one(biography, here[0])
    rows = [stretch.row for life in living if (stretch := life.at(0, line.end - 1))]
    keys = Counter(map(biography.key_of, rows))
    if biography.key and len(rows) > 1 and len(keys) == 1:
        gone_at = next((e for life in living for e in life.on(0) if e.kind == "DELETED"), None)
        though = f", though it was deleted at {named(gone_at.snapshot)}" if gone_at else ""
        return f"{biography.name_of(rows[0])} is there {times(len(rows))} at {named(line.head)}{though}"
    gone = len(here) - len(living)
    if biography.key and len(living) == 1 and len({biography.key_of(life.last) for life in here}) == 1:
        return _again(biography, here, living[0])
    doubled = sum(1 for n in keys.values() if n > 1) if biography.key else 0
    verb = f"{'lives' if len(living) == 1 else 'live'} at {named(line.head)}"
    parts = [f"{f'{len(living):,} of' if gone else 'All'} {_rows(len(here))} with {told} {verb}"]
    parts += [f"{gone:,} {'is' if gone == 1 else 'are'} gone"] if gone else []
    parts += (
        [f"{formats.count(doubled, 'key')} {'is' if doubled == 1 else 'are'} there more than once"] if doubled else []
    )
    return "; ".join(parts)


def _one(biography: Biography, life: Life) -> str:
    events = life.on(0)
    first, back = events[0], next((e for e in reversed(events) if e.kind == "RETURNED"), None)
    gone = next((e for e in reversed(events) if e.kind == "DELETED"), None)
    if back is not None and gone is not None and gone.place < back.place:
        how = f"deleted at {named(gone.snapshot)}, back since {named(back.snapshot)}: {back.how}"
        return f"The row with {biography.condition} is there: {how}"
    parts = [f"{happened(first)} at {named(first.snapshot)}"]
    if first.how == "existed at or before":
        parts = [f"it existed at or before {named(first.snapshot)}"]
    for kind, word in (("UPDATED", "updated"), ("MOVED", "moved")):
        if found := [e for e in events if e.kind == kind]:
            parts.append(f"{word} {times(len(found))}" if len(found) > 1 else f"{word} at {named(found[0].snapshot)}")
    return f"The row with {biography.condition} is there: {', '.join(parts)}"


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
    cells = [str(change) for change in event.changed]
    return cells[0] if len(cells) == 1 else f"{len(cells)} cells" if cells else "written anew with equal values"


def _is_on_first(life: Life) -> bool:
    return any(stretch.line == 0 and stretch.row.meets and stretch.shown for stretch in life.stretches)


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
        price(biography.price),
        "UTC",
        evidence(biography)[1],
    ]


def price(cost: Price) -> str:
    """`7 of 1,369 data files and 2 deletes, 212 kB`: what is read, or was."""
    deletes = f" and {formats.count(cost.deletes, 'delete')}" if cost.deletes else ""
    files = f"{cost.files:,} of {formats.count(cost.of_files, 'data file')}"
    return f"{files}{deletes}, {formats.size(cost.size_in_bytes)}"


def why_so_many(cost: Price) -> str:
    """Why no file is ruled out by the condition; empty where files are."""
    return "" if cost.pruned else f"The condition rules no file out: {cost.reason}."


def evidence(biography: Biography) -> tuple[Literal["exact", "inferred", "unknown"], str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    kinds = Counter(event.certainty for life in biography.lives for event in life.on(0))
    unknown = any(note.certainty == "unknown" for note in biography.notes)
    if unknown:
        return "unknown", "unknown: parts of the history, as the notes say"
    if kinds["inferred"]:
        total = kinds.total()
        return "inferred", f"inferred: {kinds['inferred']:,} of {formats.count(total, 'event')}"
    return "exact", "exact"


def sentence(event: Event) -> str:
    """One event in a sentence: `249: deleted, masked by deletion vector`."""
    cells = f": {', '.join(map(str, event.changed))}" if event.changed and event.kind != "DELETED" else ""
    return f"{happened(event)}, {event.how}{cells}"


def known_how(event: Event) -> tuple[Certainty, str]:
    """The word of its certainty, and the reason."""
    return event.certainty, event.reason


def nothing(biography: Biography) -> str:
    """Why there is nothing to draw."""
    files = biography.price.files
    looked = f"{formats.count(files, 'data file')} of the history may hold such a row, and none does"
    return f"{looked if files else 'No data file of the history can hold such a row'}{_since(biography.lines[0])}."


def beside(line: Line, lines: Sequence[Line]) -> list[str]:
    """What a line is that leaves another one, from a long wording to a short one."""
    base = line.snapshots[0]
    since = f" since {named(base)}" if line.begins == "fork" else ""
    kinds = {
        "rolled back": "main left it",
        "staged": "never published, or published as another commit",
        "unreferenced": "no ref leads to it",
        "tag": "kept by a tag",
        "branch": "a branch",
    }
    what = kinds.get(line.kind, "")
    return [f"Beside {lines[0].name}{since}: {line.name} ({what})", f"Beside {lines[0].name}: {line.name}", line.name]
