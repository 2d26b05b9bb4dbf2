"""What rows make of a check: what was inferred becomes exact, or is withdrawn. Which rows, and what follows from them.

Nothing of this is read unless a person asks for it: a triage reads metadata alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import formats
from ..arrays import Longs
from ..biography import notes
from ..biography.facts import Biography
from ..iceberg.metadata import Snapshot
from .facts import Check, Evidence, Finding
from .files import Files
from .known import Known
from .registry import BY_NAME
from .signatures import (
    applicable_delete_removed,
    raced_delete,
    raced_writes,
    same_load_twice,
    upsert_in_one_commit,
)

MOST = 20
"""Suspicions of one check whose rows are read."""
BY_CONDITION = "deleted-but-stored"
"""The check that is asked about rows that meet a condition."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Commits whose rows tell.

    Attributes:
        before: commits that added rows; of some checks none, of deletes the snapshot before the commit.
        commit: the commit in question.
        key: columns that tell rows apart, where keys are what is counted.
        size_in_bytes: of the data files that they added, and that the commit removed.
        files: of deletes, the data files whose rows were masked, or meant to be; deletes: the delete files that name
            these rows, where they are not masked before the commit; seen: id of a snapshot that holds these deletes.
    """

    before: tuple[Snapshot, ...]
    commit: Snapshot
    key: tuple[str, ...]
    size_in_bytes: int
    files: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    seen: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rows of a suspicion say.

    Attributes:
        count: rows of both commits that only one of them added; keys that are there several times; rows that were added
            before and that the commit took away; rows that were deleted and can be read after the commit.
        rows: that were read.
    """

    count: int
    rows: int


def suspicions(known: Known, name: str) -> tuple[Suspicion, ...]:
    """What is suspected by a check, as far as rows can tell; empty where nothing is, or rows tell nothing."""
    find = _SUSPECTED.get(name)
    return find(known) if find is not None and known.files is not None else ()


def offer(known: Known, name: str) -> str:
    """What asking the rows takes, `the rows of 2 commits, 3.1 kB`; empty where they are not to be asked."""
    if name == BY_CONDITION:
        return "the rows that meet a condition, at the price of their biography" if known.files is not None else ""
    found = suspicions(known, name)[:MOST]
    commits = {s.snapshot_id for one in found for s in (*one.before, one.commit)}
    size = sum(one.size_in_bytes for one in found)
    return f"the rows of {formats.count(len(commits), 'commit')}, {formats.size(size)}" if found else ""


def proved(known: Known, check: Check, asked: Sequence[Suspicion], answers: Sequence[Answer]) -> Check:
    """The check as its rows have it; `answers` are those of the suspicions that were read, in their order."""
    found = [(one, answer) for one, answer in zip(asked, answers, strict=True) if _holds(check, answer)]
    rows = sum(answer.rows for answer in answers)
    commits = {s.snapshot_id for one in asked for s in (*one.before, one.commit)}
    read = f"{formats.count(rows, 'row')} of {formats.count(len(commits), 'commit')} were read"
    left = len(suspicions(known, check.signature.name)) - len(answers)
    if found:
        return replace(
            check, state="found", finding=_FOUND[check.signature.name](known, found, read), words="", proof=""
        )
    if left > 0:
        return replace(check, words=f"{read}, and none holds; {left:,} more were not.")
    return Check(check.signature, "clean", words=f"{read}, and none holds: {_WITHDRAWN[check.signature.name]}")


def stored(known: Known, check: Check, rows: Biography) -> Check:
    """Whether rows that no reader sees any more are still stored, by what became of them."""
    living = rows.living()
    if living:
        many = formats.count(len(living), "row")
        words = f"{many} with {rows.condition} can still be read at {rows.ref}: nothing is deleted yet."
        return replace(check, state="cannot say", words=words, price="")
    paths = dict.fromkeys(stretch.row.file_path for life in rows.lives for stretch in life.stretches)
    if not paths:
        past = notes.beginning(rows.lines[0])  # no snapshot that is listed
        hole = next((note for note in rows.notes if note.certainty == "unknown" and note not in past), None)
        if hole is not None:
            words = f"{hole.about} is not known: {hole.reason} A file that holds such a row may be among it."
            return replace(check, state="cannot say", words=words, price="")
        looked = (
            f"no file of the listed history holds a row with {rows.condition}; versions and backups are not looked at"
        )
        return Check(check.signature, "clean", words=looked)
    return Check(check.signature, "found", _stored(known, rows, tuple(paths)))


def _stored(known: Known, rows: Biography, paths: tuple[str, ...]) -> Finding:
    files = known.files
    live = set() if files is None else set(files.lifetimes.paths(files.live.nonzero()[0]).to_pylist())
    here, past = [path for path in paths if path in live], [path for path in paths if path not in live]
    gone = [event for event in rows.events if event.kind == "DELETED" and event.move is None]
    last = gone[-1].snapshot if gone else None
    told = " and ".join(
        words
        for words in (
            formats.count(len(here), "live file") if here else "",
            formats.count(len(past), "file") + " of the past" if past else "",
        )
        if words
    )
    return Finding(
        f"Rows with {rows.condition} are deleted, and {told} still hold{'s' if len(paths) == 1 else ''} them",
        "hygiene",
        "exact",
        "Every file of the listed history that may hold such a row was read.",
        formats.count(len(paths), "file"),
        "one file",
        "A deleted row is stored as long as a file that holds it is.",
        known.first(last),
        Evidence(
            ("file", "where"),
            tuple((path, "live" if path in live else "the past") for path in (*here, *past)),
            len(paths),
            tuple(dict.fromkeys(event.snapshot.snapshot_id for event in gone)),
            paths,
        ),
        not_ruled_out=(
            "object versions, backups, and files that nothing names",
            "bounds in manifests, and keys in equality deletes, which may hold the values too",
        ),
        question=f"t.biography({rows.condition!r})",
    )


# --- which rows


def _loads(known: Known) -> tuple[Suspicion, ...]:
    return tuple(
        Suspicion((first,), second, (), _added(known, first) + _added(known, second))
        for first, second, _, _ in same_load_twice.pairs(known)
    )


def _upserts(known: Known) -> tuple[Suspicion, ...]:
    files = known.files
    if files is None:
        return ()
    names = {f.field_id: f.path for fields in known.metadata.schemas.values() for f in fields}
    found = []
    for commit, data, _ in upsert_in_one_commit.suspects(known):
        added = files.added_by(commit)
        deletes = added[files.kind[added] == 2]
        ids = files.lifetimes.column("equality_ids", deletes).to_pylist()
        key = tuple(names[i] for i in dict.fromkeys(i for own in ids for i in own or ()) if i in names)
        found.append(Suspicion((), commit, key, int(files.size[data].sum())))
    return tuple(one for one in found if one.key)


def _races(known: Known) -> tuple[Suspicion, ...]:
    files = known.files
    if files is None:
        return ()
    found = []
    for commit, before, lost in raced_writes.races(known)[0]:
        by = {int(i) for i in files.lifetimes.added_id[lost].tolist()}
        adding = tuple(s for s in before if s.snapshot_id in by)
        gone = int(files.size[files.removed_by(commit)].sum())
        found.append(Suspicion(adding, commit, (), gone + sum(_added(known, s) for s in (*adding, commit))))
    return tuple(found)


def _removals(known: Known) -> tuple[Suspicion, ...]:
    """A suspicion for each commit that removed deletes."""
    files, found = known.files, applicable_delete_removed.removals(known)[0]
    if files is None:
        return ()
    bared: dict[int, list[Longs]] = defaultdict(list)
    for commit, _, data in found:
        bared[commit.snapshot_id].append(data)
    nothing = np.empty(0, np.int64)
    return tuple(_of_deletes(known, files, i, np.unique(np.concatenate(data)), nothing) for i, data in bared.items())


def _rewrites(known: Known) -> tuple[Suspicion, ...]:
    """A suspicion for each rewrite that passed deletes."""
    files, found = known.files, raced_delete.races(known)[0]
    if files is None:
        return ()
    passed: dict[tuple[int, int], list[int]] = defaultdict(list)
    for race in found:
        passed[race.rewrite.snapshot_id, race.seen.snapshot_id].append(race.delete)
    suspected = []
    for (snapshot_id, seen), deletes in passed.items():
        gone = files.removed_by(known.metadata.by_id[snapshot_id])
        named = gone[(files.kind[gone] == 0) & np.isin(files.path_only[0][gone], files.target[deletes])]
        suspected.append(replace(_of_deletes(known, files, snapshot_id, named, np.array(deletes)), seen=seen))
    return tuple(suspected)


def _of_deletes(known: Known, files: Files, snapshot_id: int, data: Longs, deletes: Longs) -> Suspicion:
    commit = known.metadata.by_id[snapshot_id]
    parent = known.parent(commit)
    every = max(len(data), len(deletes))
    size = int(files.size[data].sum()) + _added(known, commit)
    before = () if parent is None else (parent,)
    return Suspicion(before, commit, (), size, files.names(data, every), files.names(deletes, every))


def _added(known: Known, commit: Snapshot) -> int:
    files = known.files
    return 0 if files is None else int(files.size[files.added_by(commit)].sum())


_SUSPECTED: Mapping[str, Callable[[Known], tuple[Suspicion, ...]]] = {
    same_load_twice.SIGNATURE.name: _loads,
    upsert_in_one_commit.SIGNATURE.name: _upserts,
    raced_writes.SIGNATURE.name: _races,
    applicable_delete_removed.SIGNATURE.name: _removals,
    raced_delete.SIGNATURE.name: _rewrites,
}
PROVABLE = (*_SUSPECTED, BY_CONDITION)
"""Names of the checks that rows answer."""


# --- what follows

Held = Sequence[tuple[Suspicion, Answer]]


def _holds(check: Check, answer: Answer) -> bool:
    return not answer.count if check.signature.name == same_load_twice.SIGNATURE.name else answer.count > 0


def _one_load(known: Known, held: Held, read: str) -> Finding:
    (one, answer), told = held[0], _finding(known, same_load_twice.SIGNATURE.name)
    first = known.number(one.before[0])
    rows = formats.count(answer.rows // 2, "row")
    return _made_exact(
        told,
        f"Commits {first} and {known.number(one.commit)} added the same {rows}",
        f"{read}: what both commits added is equal, row by row.",
        severity="wrong answers",
        value=f"{rows}, equal one by one",
        since=known.first(one.commit),
        ruled_out=("loads that are alike in counts alone",),
        not_ruled_out=("rows that are meant to be there twice",),
    )


def _two_versions(known: Known, held: Held, read: str) -> Finding:
    one, answer = held[0]
    keys = formats.count(answer.count, "key")
    return Finding(
        f"Commit {known.number(one.commit)} holds {keys} in several versions: its own delete cannot separate them",
        "wrong answers",
        "exact",
        f"{read}; position deletes of the commit itself were applied.",
        keys,
        "one key",
        "An equality delete never reaches files of its own commit.",
        known.first(one.commit),
        Evidence(
            ("commit", "key", "keys in several versions", "rows"),
            tuple((known.number(s.commit), ", ".join(s.key), f"{a.count:,}", f"{a.rows:,}") for s, a in held),
            len(held),
            tuple(s.commit.snapshot_id for s, _ in held),
        ),
        not_ruled_out=("which version is the newer one: the order inside a commit is not recorded",),
        question=f"t.commit({one.commit.snapshot_id}, rows=True)",
    )


def _lost(known: Known, held: Held, read: str) -> Finding:
    (one, answer), told = held[0], _finding(known, raced_writes.SIGNATURE.name)
    rows = formats.count(answer.count, "row")
    return _made_exact(
        told,
        f"Commit {known.number(one.commit)} took away {rows} that {known.numbered(one.before)} had added while it"
        " was on its way",
        f"{read}: these rows were added, and are in nothing that the commit wrote.",
        value=rows,
        since=known.first(one.commit),
        ruled_out=(*told.ruled_out, "rows that were only written into other files"),
    )


def _back(known: Known, held: Held, read: str) -> Finding:
    (one, answer), told = held[0], _finding(known, applicable_delete_removed.SIGNATURE.name)
    rows = formats.count(answer.count, "row")
    return _made_exact(
        told,
        f"Commit {known.number(one.commit)} removed deletes that still applied: {rows} can be read again",
        f"{read}: these rows were masked before the commit, and are not after it, in the same place.",
        value=rows,
        since=known.first(one.commit),
        not_ruled_out=(),
    )


def _live_on(known: Known, held: Held, read: str) -> Finding:
    (one, answer), told = held[0], _finding(known, raced_delete.SIGNATURE.name)
    rows = formats.count(answer.count, "row")
    return _made_exact(
        told,
        f"{rows} that a delete names live on in what rewrite {known.number(one.commit)} wrote",
        f"{read}: rows equal to those at the deleted positions are in the new files.",
        value=rows,
        not_ruled_out=(),
    )


def _made_exact(told: Finding, title: str, reason: str, **otherwise: Any) -> Finding:
    """What the check said before, now that rows have answered; `otherwise` are attributes that are other ones then."""
    return replace(told, title=title, certainty="exact", reason=reason, next_certainty="", **otherwise)


def _finding(known: Known, name: str) -> Finding:
    """What the check said before."""
    outcome = BY_NAME[name].examine(known)
    if not isinstance(outcome, Finding):
        raise TypeError(f"{name} suspects something, and finds nothing")
    return outcome


_FOUND: Mapping[str, Callable[[Known, Held, str], Finding]] = {
    same_load_twice.SIGNATURE.name: _one_load,
    upsert_in_one_commit.SIGNATURE.name: _two_versions,
    raced_writes.SIGNATURE.name: _lost,
    applicable_delete_removed.SIGNATURE.name: _back,
    raced_delete.SIGNATURE.name: _live_on,
}
_WITHDRAWN: Mapping[str, str] = {
    same_load_twice.SIGNATURE.name: "the loads differ",
    upsert_in_one_commit.SIGNATURE.name: "every key is there once",
    raced_writes.SIGNATURE.name: "what was added is in what replaced it",
    applicable_delete_removed.SIGNATURE.name: "no row that was masked can be read after it",
    raced_delete.SIGNATURE.name: "the rewrite wrote none of the rows that the delete names",
}
