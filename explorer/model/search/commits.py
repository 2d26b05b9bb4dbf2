"""The commits that a text may name: by a branch or tag, a sequence number, an id or the end of one, or a time.

Sources: Iceberg specification, "Snapshot References", "Sequence Numbers", "Table Metadata" (snapshot-log: when `main`
pointed where).
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime

from .. import formats
from ..iceberg.lineage import current_at
from ..iceberg.metadata import Ref, id_from_text
from ..snapshot_graph.facts import Node, SnapshotGraph
from ..snapshot_graph.words import name
from .facts import Found, Kind, Missed
from .moments import Moment, looks_like_one, moment

_NUMBER = re.compile(r"#?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,19})")
_END_OF_ID = re.compile(r"(?:([0-9][0-9,]*)\s+)?(?:…|\.\.\.)\s*([0-9]{1,38})")
_SHORTEST_BEGINNING = 8  # digits that may be the first ones of an id, as someone copied them from a log
_SHORTEST_END = 4  # digits that may be the last ones of an id without saying so
_SHORTEST_ID = 12  # digits, below which a number that is not listed was hardly meant to be an id
_MOST_ENDS = 50
_NEAREST_REFS = 5
_SIMILAR = 0.5  # of `difflib`: half of the letters are the same, in order


def meanings(graph: SnapshotGraph, text: str, now: datetime) -> list[Found]:
    """The commits that a text means, in the order of preference; empty if it names none that is listed.

    A branch or tag of exactly that name; a sequence number; a whole id; an id of which it has the last digits; the
    commit that was current on main as a day or minute ended, and as it began. A ref that differs in upper and lower
    case alone comes last.

    Args:
        graph: of the table.
        text: as a person wrote it: `main`, `6`, `1,204`, `…9118`, `6 …9118`, `2026-03-14 10:20`.
        now: when the metadata was read; main is not known to be anywhere after.

    Cost: linear in the number of snapshots and of refs; nothing is read.
    """
    asked = text.strip()
    refs = graph.metadata.refs
    exact = [ref for ref in (refs.get(text), refs.get(asked)) if ref is not None][:1]
    found = [_of_ref(graph, ref) for ref in exact if ref.snapshot_id in graph.by_id]
    found += _numbered(graph, asked)
    node = graph.find(asked)
    found += [_commit(graph, node, "snapshot id")] if node is not None else []
    found += [_commit(graph, ending, "snapshot id") for ending in _ending(graph, asked) if ending is not node]
    when = moment(asked, now)
    found += _current(graph, when, now) if when is not None else []
    same = [ref for ref in refs.values() if ref.name.casefold() == asked.casefold() and ref not in exact]
    return found + [_of_ref(graph, ref) for ref in same if ref.snapshot_id in graph.by_id]


def missed(graph: SnapshotGraph, text: str, now: datetime) -> Missed:
    """Why a text that has no `meanings` names no commit, with the nearest ones."""
    asked = text.strip()
    when = moment(asked, now)
    if when is not None:
        return _no_time(graph, when, now)
    if looks_like_one(asked):
        return Missed("It looks like a time, and is none; write one as 2026-03-14 or 2026-03-14 10:20, in UTC.")
    ending, number = _END_OF_ID.fullmatch(asked), _NUMBER.fullmatch(asked)
    if ending is not None:
        return Missed(f"None of {_listed(graph)} has an id that ends in {ending[2]}.", _similar(graph, asked), True)
    refs = graph.metadata.refs
    ref = refs.get(text) or refs.get(asked)
    if ref is not None:
        why = _evidence(graph, ref.snapshot_id)
        return Missed(f"The {ref.kind} points at {ref.snapshot_id}, which is not in the list: {why}", is_commit=True)
    if number is not None and len(number[1]) < _SHORTEST_ID:
        return _no_number(graph, int(number[1].replace(",", "")))
    if (snapshot_id := id_from_text(asked)) is not None:
        return Missed(f"{asked} is not in the list: {_evidence(graph, snapshot_id)}", _similar(graph, asked), True)
    return Missed("", _similar(graph, asked))


# --- what a text means ------------------------------------------------------------------------------------------------


def _commit(graph: SnapshotGraph, node: Node, kind: Kind, lead: str = "") -> Found:
    """A commit as it is found; `lead` says what led to it."""
    s = node.snapshot
    at = f" of {_day(s.committed_at)} {s.committed_at:%H:%M}" if s.committed_at else ""
    words = f"{name(graph, node)}, {s.operation or 'commit'}{at}"
    return Found(kind, f"{lead}: {words}" if lead else words, snapshot_id=s.snapshot_id)


def _of_ref(graph: SnapshotGraph, ref: Ref) -> Found:
    return _commit(graph, graph.by_id[ref.snapshot_id], ref.kind, f"{ref.kind} {ref.name}")


def _numbered(graph: SnapshotGraph, asked: str) -> list[Found]:
    number = _NUMBER.fullmatch(asked)
    wanted = int(number[1].replace(",", "")) if number else 0
    if not wanted:  # version 1 gives the number 0 to every commit
        return []
    return [_commit(graph, n, "sequence number") for n in graph.nodes if n.snapshot.sequence_number == wanted]


def _ending(graph: SnapshotGraph, asked: str) -> list[Node]:
    """Commits of whose id the text has the last digits, or many of the first ones, the newest first."""
    ending = _END_OF_ID.fullmatch(asked)
    digits = ending[2] if ending else asked
    if ending is None and not (asked.isascii() and asked.isdigit() and len(asked) >= _SHORTEST_END):
        return []
    number = int(ending[1].replace(",", "")) if ending and ending[1] else None
    may_begin = ending is None and len(digits) >= _SHORTEST_BEGINNING
    ids = ((n, str(n.snapshot.snapshot_id)) for n in reversed(graph.nodes))
    found = [n for n, i in ids if i.endswith(digits) or (may_begin and i.startswith(digits))]
    return [n for n in found if number in (None, n.snapshot.sequence_number)][:_MOST_ENDS]


def _current(graph: SnapshotGraph, when: Moment, now: datetime) -> list[Found]:
    """What was current on main as a stretch of time ended, and as it began."""
    if when.begin > now:
        return []
    ends = [(when.end, f"current at the end of {when.words}"), (when.begin, f"current as {when.words} began")]
    if when.begin == when.end:
        ends = [(when.end, f"current at {when.words}")]
    found: dict[int, Found] = {}
    for at, lead in ends:
        entry = current_at(graph.metadata, at)
        node = graph.by_id.get(entry.snapshot_id) if entry is not None else None
        if node is not None:
            found.setdefault(node.snapshot.snapshot_id, _commit(graph, node, "time", lead))
    return list(found.values())


# --- what is near -----------------------------------------------------------------------------------------------------


def _no_time(graph: SnapshotGraph, when: Moment, now: datetime) -> Missed:
    if when.begin > now:
        return Missed(f"It is after {_day(now)} {now:%H:%M} UTC, when the metadata was read.", _around(graph, when))
    log = graph.metadata.snapshot_log
    entry = current_at(graph.metadata, when.end)
    if entry is not None:
        why = f"main was at {entry.snapshot_id} then, which is not in the list: expired?"
    elif log:
        first = log[0].made_current_at
        why = f"The snapshot log, which tells where main was, begins on {_day(first)} at {first:%H:%M} UTC."
    else:
        why = "The table has no snapshot log, which would tell where main was."
    return Missed(why, _around(graph, when))


def _around(graph: SnapshotGraph, when: Moment) -> tuple[Found, ...]:
    """The listed commits before and after a time, by their own times."""
    timed = [(n.snapshot.committed_at, n) for n in graph.nodes if n.snapshot.committed_at is not None]
    before = max((n for n in timed if n[0] < when.begin), key=lambda n: n[0], default=None)
    after = min((n for n in timed if n[0] >= when.begin), key=lambda n: n[0], default=None)
    return tuple(_commit(graph, node[1], "time") for node in (before, after) if node is not None)


def _no_number(graph: SnapshotGraph, wanted: int) -> Missed:
    last = graph.metadata.last_sequence_number
    numbered = [n for n in graph.nodes if n.snapshot.sequence_number]
    place = bisect_left([n.snapshot.sequence_number for n in numbered], wanted)
    nearest = tuple(_commit(graph, n, "sequence number") for n in numbered[max(place - 1, 0) : place + 1])
    if not last:
        return Missed("The table has no sequence numbers: its commits are of format version 1.")
    if not 0 < wanted <= last:
        return Missed(f"Sequence numbers go from 1 to {last:,}.", nearest)
    child = next((n for n in numbered[place : place + 1] if n.parent_state == "expired"), None)
    gap = next((g for g in graph.gaps if g.first <= wanted <= g.last), None)
    missing = f" Of {formats.span(gap.first, gap.last)} none is listed." if gap and gap.last > gap.first else ""
    why = f" The parent of {name(graph, child)} is not listed either." if child else ""
    return Missed(
        f"{wanted:,} is not in the list: expired? {last:,} numbers were given out.{missing}{why}", nearest, True
    )


def _evidence(graph: SnapshotGraph, snapshot_id: int) -> str:
    """Whether an id that is not listed was ever one of the table, and how that is known."""
    metadata = graph.metadata
    child = next((n for n in graph.nodes if n.snapshot.parent_id == snapshot_id), None)
    known = [f"It is the parent of {name(graph, child)}"] if child else []
    entry = next((e for e in reversed(metadata.snapshot_log) if e.snapshot_id == snapshot_id), None)
    if entry is not None:
        known.append(f"Main was there from {_day(entry.made_current_at)} {entry.made_current_at:%H:%M} UTC on")
    copy = next((n for n in graph.nodes if n.copied_from == snapshot_id), None)
    known += [f"{name(graph, copy)} is a copy of it"] if copy else []
    if known:
        return f"expired? {'; '.join(known)}."
    return f"nothing in the metadata names it, of {_listed(graph)} that it lists."


def _listed(graph: SnapshotGraph) -> str:
    return formats.count(len(graph.nodes), "snapshot")


def _similar(graph: SnapshotGraph, asked: str) -> tuple[Found, ...]:
    """Branches and tags whose names hold the text, or are like it."""
    refs = {name: ref for name, ref in graph.metadata.refs.items() if ref.snapshot_id in graph.by_id}
    return tuple(_of_ref(graph, refs[name]) for name in _like(asked, list(refs)))


def _like(asked: str, names: list[str]) -> Iterator[str]:
    folded = {name: name.casefold() for name in names}
    wanted = asked.casefold()
    holding = [name for name in names if wanted and wanted in folded[name]][:_NEAREST_REFS]
    alike = difflib.get_close_matches(wanted, folded.values(), _NEAREST_REFS, _SIMILAR)
    yield from list(dict.fromkeys([*holding, *(n for a in alike for n in names if folded[n] == a)]))[:_NEAREST_REFS]


def _day(at: datetime) -> str:
    return f"{formats.day(at)} {at.year}"
