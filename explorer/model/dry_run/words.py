"""What a dry run says: the finding, its circumstances, and each thing with what would become of it.

Used by the picture and the terminal alike, so that they tell the same story.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal

from .. import formats
from ..evidence import Note
from ..iceberg.metadata import Snapshot
from ..words import UNITS, enumerated, partition_name
from .facts import Call, DryRun, Effect, Kind, Sum, What

_HOLDS: Mapping[Kind, str] = {
    "data": "row",
    "position deletes": "position",
    "deletion vector": "position",
    "equality deletes": "key",
}
_FILES: tuple[Kind, ...] = (
    "data",
    "equality deletes",
    "position deletes",
    "deletion vector",
    "manifest",
    "manifest list",
    "statistics file",
    "file",
)
_DELETES: tuple[Kind, ...] = ("equality deletes", "position deletes", "deletion vector")
MEANINGS: Mapping[What, str] = {
    "lost": "lost to main, still stored",
    "removed": "removed for good",
    "rewritten": "rewritten",
    "returned": "back on main",
    "added": "added to main",
    "kept": "kept",
}
"""What becomes of a thing, for a key."""


def unit(kind: Kind) -> str:
    """`data file`, `snapshot`: one of a kind."""
    return next((words for content, words in UNITS.items() if content == kind), kind)


def title(facts: DryRun) -> str:
    """The finding."""
    if facts.refusal:
        return f"{facts.call.procedure} would be refused: {facts.refusal}"
    match facts.call.procedure:
        case "rollback_to_snapshot":
            return f"Rolling back to {_target(facts)} would {_moved(facts)}"
        case "set_current_snapshot":
            return f"Setting main to {_target(facts)} would {_moved(facts)}"
        case "cherrypick_snapshot":
            return _picked(facts)
        case "expire_snapshots":
            return f"Expiring would {_expired(facts)}"
        case "rewrite_data_files":
            return _rewritten(facts, "data", "live")
        case "rewrite_position_delete_files":
            return _rewritten(facts, "position deletes", "live")
        case "rewrite_manifests":
            return _rewritten(facts, "manifest", "listed")
        case "remove_orphan_files":
            found = facts.sum_of("removed")
            if not found.count:
                return "No file would be removed: no file that is old enough is named by nothing"
            files = formats.count(found.count, "file")
            return f"{files} that nothing names would be removed, {formats.size(found.size_in_bytes)}"


def label(snapshot: Snapshot) -> str:
    """The sequence number, or the short id where version 1 left every number 0."""
    return f"{snapshot.sequence_number:,}" if snapshot.sequence_number else f"…{str(snapshot.snapshot_id)[-4:]}"


def _target(facts: DryRun) -> str:
    return label(facts.target) if facts.target is not None else "nothing"


def _moved(facts: DryRun) -> str:
    lost, returned = facts.sum_of("lost", "snapshot").count, facts.sum_of("returned", "snapshot").count
    parts = [f"lose {formats.count(lost, 'commit')}"] if lost else []
    parts += [f"bring back {formats.count(returned, 'commit')}"] if returned else []
    if not parts:
        return "change nothing: main is there already"
    return f"{' and '.join(parts)}{_net(facts.net_rows, parts)}"


def _net(rows: int | None, parts: list[str]) -> str:
    if rows is None:
        return ", and an unknown number of rows"
    if rows < 0:
        more = formats.count(-rows, "net row")
        return f" and {more}" if len(parts) == 1 and parts[0].startswith("lose") else f": {more} fewer"
    return f": {formats.count(rows, 'net row')} more" if rows else ", and no row, net"


def _picked(facts: DryRun) -> str:
    if not facts.sum_of("added", *_FILES).count and not facts.sum_of("lost", *_FILES).count:
        return f"Cherry-picking {_target(facts)} would make it main's next commit: a fast-forward, no new snapshot"
    return f"Cherry-picking {_target(facts)} would {_changes(facts)} in a new snapshot of main"


def _changes(facts: DryRun) -> str:
    parts = [
        f"{verb} {formats.count(of.count, 'data file')} with {formats.count(of.record_count, 'row')}"
        for verb, of in (("add", facts.sum_of("added", "data")), ("take away", facts.sum_of("lost", "data")))
        if of.count
    ]
    return enumerated(parts)


def _expired(facts: DryRun) -> str:
    snapshots, files = facts.sum_of("removed", "snapshot"), facts.sum_of("removed", *_FILES)
    refs = facts.sum_of("removed", "branch", "tag").count
    if not snapshots.count and not refs:
        return f"remove nothing: all {formats.count(facts.sum_of('kept', 'snapshot').count, 'snapshot')} are kept"
    parts = [f"{snapshots.count:,} of {formats.count(_of_kind(facts, 'snapshot'), 'snapshot')}"]
    parts += [formats.count(refs, "ref")] if refs else []
    size = f", {formats.size(files.size_in_bytes)}" if files.size_in_bytes else ""
    parts += [f"{formats.count(files.count, 'file')}{size}"]
    return f"remove {enumerated(parts)}"


def _of_kind(facts: DryRun, kind: Kind) -> int:
    return sum(s.count for s in facts.sums if s.kind == kind)


def _rewritten(facts: DryRun, kind: Kind, word: str) -> str:
    found = facts.sum_of("rewritten", kind)
    every = formats.count(_of_kind(facts, kind), unit(kind))
    if not found.count:
        return f"Nothing would be rewritten: {every} {word}, none is chosen"
    into = "" if facts.expected_files is None else f" into about {formats.count(facts.expected_files, 'file')}"
    if kind == "manifest":
        into = f" into about {facts.expected_files:,}" if facts.expected_files is not None else ""
    return f"{found.count:,} of {every} would be rewritten{into}, {formats.size(found.size_in_bytes)}"


def circumstances(facts: DryRun, name: str) -> list[str]:
    """The second line in parts: table, call, time, and how sure it is."""
    return [name, call(facts.call), f"as of {formats.instant(facts.at)}", evidence(facts)[1]]


def call(of: Call) -> str:
    """`expire_snapshots(retain_last => 3)`: the procedure and what it is given, for a line."""
    return f"{of.procedure}({', '.join(f'{name} => {_short(value)}' for name, value in of.arguments.items())})"


def _short(value: object) -> str:
    match value:
        case datetime():
            return f"{value:%Y-%m-%d %H:%M:%S} UTC"
        case Mapping():
            return ", ".join(f"{key} = {one}" for key, one in value.items())
        case tuple():
            return ", ".join(map(str, value[:3])) + (" …" if len(value) > 3 else "")
    return str(value)


def evidence(facts: DryRun) -> tuple[Literal["exact", "inferred", "unknown"], str]:
    """How sure the answer is, as a word and as a phrase that begins with that word."""
    if facts.refusal:
        return "exact", "exact: by the rule of Iceberg 1.12"
    for certainty in ("unknown", "inferred"):
        about = [note.about for note in facts.notes if note.certainty == certainty]
        if about:
            return certainty, f"{certainty}: {', '.join(about[:2])}"
    return "exact", "exact, by the rules of Iceberg 1.12"


def sum_words(of: Sum) -> tuple[str, str]:
    """`3 data files`, and `1,200 rows, 4.1 MB`: how many, and what they hold as far as that is said."""
    held = [formats.count(of.record_count, _HOLDS[of.kind])] if of.kind in _HOLDS else []
    held += [formats.size(of.size_in_bytes)] if of.size_in_bytes else []
    return formats.count(of.count, unit(of.kind)), ", ".join(held)


def effect_name(effect: Effect) -> str:
    """What a thing is called: the end of its path, the number of a snapshot or its id, the name of a ref."""
    if effect.file_path is not None:
        offset = "" if effect.content_offset is None else f"·{effect.content_offset}"
        return effect.file_path.rsplit("/", 1)[-1] + offset
    if effect.kind == "snapshot":
        return f"commit {effect.sequence_number:,}" if effect.sequence_number else f"snapshot {effect.snapshot_id}"
    return f"{effect.kind} {effect.name}"


def held(effect: Effect) -> str:
    """`12 rows, 3.4 kB`, of a data file with its partition before."""
    parts = [partition_name(effect.spec_id or 0, effect.partition)] if effect.partition else []
    if effect.record_count is not None and effect.kind in _HOLDS:
        parts.append(formats.count(effect.record_count, _HOLDS[effect.kind]))
    parts += [formats.size(effect.size_in_bytes)] if effect.size_in_bytes is not None else []
    return ", ".join(parts)


def closing(facts: DryRun) -> list[str]:
    """What follows: the danger first, then who notices, then the way back."""
    if facts.refusal or facts.changes_nothing:
        return list(facts.consequences)
    undo = f"Undo: {facts.undo_words}" if facts.undo_words else ""
    return [line for line in (facts.danger, *facts.consequences, undo) if line]


def cut(notes: Iterable[Note], most: int) -> list[str]:
    """Notes for a foot: those that are not exact first."""
    ordered = sorted(notes, key=lambda note: note.certainty == "exact")
    return [str(note) for note in ordered[:most]]
