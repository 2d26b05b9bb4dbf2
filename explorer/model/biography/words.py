"""A biography in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from .. import formats
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


def state(biography: Biography, life: Life) -> str:
    """What became of a row, seen from the line that was asked about: `is there`, `is gone`, `was rolled back`."""
    line = biography.lines[0]
    if is_doubtful_now(life, line):
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


def ended(event: Event) -> str:
    """What happened to a row, and at which commit; by a move of main, when."""
    when = f"at {named(event.snapshot)}" if event.move is None else formats.instant(event.committed_at)
    return f"{happened(event)} {when}"


def last_seen(biography: Biography, life: Life) -> Snapshot | None:
    """The last listed snapshot of the line that was asked about, else of another, in which a row that is gone is seen.

    None where it is there, or no such snapshot is listed; or where it did not meet the condition there.
    """
    if state(biography, life) in ("is there", "may be there"):
        return None
    seen = [stretch for stretch in life.stretches_on(0) or life.stretches if stretch.shown]
    if not seen or not seen[-1].row.meets:
        return None
    line = biography.lines[seen[-1].line]
    return line.snapshots[min(seen[-1].until, line.end) - 1]


def is_doubtful_now(life: Life, line: Line) -> bool:
    """Whether it is not known if a reader sees the row at the head of the line that was asked about."""
    stretch = life.at(0, line.end - 1)
    return stretch is not None and stretch.row.meets and stretch.row.is_open(line.end - 1)


def since(line: Line) -> str:
    """Where the known history of a line begins, after a comma; empty where it is whole."""
    return f", which begins at {named(line.snapshots[0])}" if line.begins == "expired" else ""


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


def by(event: Event) -> str:
    """Who made the commit, or moved main, as far as it is recorded."""
    if event.move is not None:
        return "not recorded: nobody signs a move of main"
    return writer(event.snapshot) or "not recorded"


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
    begins = since(biography.lines[0])
    history = f"the known history{begins}," if begins else "the history"
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
