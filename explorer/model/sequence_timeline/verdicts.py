"""What is said beside each file of a sequence timeline: what reaches it or what it reaches, and the deciding rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .. import formats
from ..iceberg.delete_scope import Verdict
from .facts import FileLifetime
from .scopes import Scopes, met, number
from .words import MAY_BE_LOST, Names, counts_as_older, is_partial, outcome, why_nothing

Tone = Literal["reached", "not reached", "out of scope", "attention", "unknown", "selected", "muted"]
"""`not reached`: in scope, but ruled out; `out of scope`: of another partition, spec or file; `attention`: a delete
that reaches nothing; `muted`: nothing that concerns the selection."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said of a file: wordings from the longest to the shortest, and what they amount to."""

    tone: Tone
    words: tuple[str, ...]


def remark(scopes: Scopes, names: Names, file: FileLifetime, selected: FileLifetime | None) -> Remark:
    """Of a file, beside the selected one or without one."""
    if file is selected:
        return Remark("selected", (f"the selected {'file' if file.kind == 'data' else 'delete'}",))
    if selected is not None and (selected.kind == "data") is not (file.kind == "data"):
        delete, data = (file, selected) if selected.kind == "data" else (selected, file)
        return _of_pair(scopes, delete, data, file)
    alone = _of_data(scopes, names, file) if file.kind == "data" else _of_delete(scopes, names, file)
    muted = selected is not None and alone.tone != "attention"
    return Remark("muted", alone.words) if muted else alone


def question(names: Names, selected: FileLifetime | None, *, is_answered: bool = True) -> tuple[str, ...]:
    """What the words beside the files answer; `is_answered` says whether any of them is about the selection."""
    if selected is None or not is_answered:
        return ("at this snapshot",)
    if selected.kind == "data":
        return (f"does it reach {names[selected.key]}?", "does it reach the file?")
    return (f"reached by {names[selected.key]}?", "reached?")


# --- a pair ----------------------------------------------------------------------------------------------------------


def _of_pair(scopes: Scopes, delete: FileLifetime, data: FileLifetime, file: FileLifetime) -> Remark:
    """Of a delete and a data file, one of them selected; `file` is the other one."""
    if None in (delete.is_live, data.is_live):
        return Remark("unknown", ("unknown: whether it is live cannot be known", "unknown"))
    if not (delete.is_live and data.is_live):
        return _once(scopes, delete, data, file)
    verdict = scopes.verdict(delete, data)
    sequence = verdict.clause("sequence")
    if verdict.applies:
        compared = sequence.words if sequence else ""
        return Remark("reached", (f"yes: {compared}, {_place(verdict)}", f"yes: {compared}"))
    if verdict.applies is None:
        return Remark("unknown", (f"unknown: {verdict.reason}", f"unknown: {verdict.reason.split(':')[0]}", "unknown"))
    ruled_out = _ruled_out(delete, data, verdict)
    return Remark(ruled_out.tone, tuple(f"no: {words}" for words in ruled_out.words))


def _once(scopes: Scopes, delete: FileLifetime, data: FileLifetime, file: FileLifetime) -> Remark:
    """Of two that are not both live: whether the delete applied while they were."""
    other, what = (delete, "the delete") if file is data else (data, "the file")
    absent = other if file.is_live else file
    if scopes.state(file) == "elsewhere":
        return Remark("out of scope", (outcome(scopes, file),))
    if scopes.state(other) == "elsewhere":
        return Remark("out of scope", (f"{what}: {outcome(scopes, other)}",))
    whose = f"{what}: {outcome(scopes, other)}" if file.is_live else outcome(scopes, file)
    found, overlap = scopes.as_if_live(delete, data), met(delete, data)
    if found.applies is False:
        ruled_out = _ruled_out(delete, data, found)
        tone: Tone = "out of scope" if ruled_out.tone == "out of scope" else "muted"
        return Remark(tone, (f"{whose}; {ruled_out.words[0]}", f"{whose}; {ruled_out.words[-1]}", whose))
    if found.applies is None or overlap is None:
        return Remark("unknown", (f"{whose}; unknown whether it was reached", whose))
    if not overlap:
        return Remark("muted", (f"{whose}; the two are never live together", whose))
    since = max(delete.added_sequence_number or 0, data.added_sequence_number or 0)
    verb = "is reached" if file is data else "reaches it"
    if scopes.state(absent) != "later":
        verb = "was reached" if file is data else "reached it"
    reached, sequence = f"{whose}; {verb}" + (f" at {since:,}" if since else ""), found.clause("sequence")
    return Remark("muted", (f"{reached} ({sequence.words})" if sequence else reached, reached, whose))


def _place(verdict: Verdict) -> str:
    """Why a delete that applies is in scope."""
    if verdict.clause("path"):
        return "it names this file"
    spec, partition = verdict.clause("spec"), verdict.clause("partition")
    if partition is None:
        return "its scope is every file" if spec else ""
    return "unpartitioned" if partition.words == "unpartitioned" else "same partition and spec"


def _ruled_out(delete: FileLifetime, data: FileLifetime, verdict: Verdict) -> Remark:
    """Why a delete does not apply."""
    match verdict.decided_by:
        case "spec":
            return Remark("out of scope", (f"other spec, {data.spec_id} not {delete.spec_id}", "other spec"))
        case "partition":
            return Remark("out of scope", ("other partition",))
        case "path":
            return Remark("out of scope", ("names another file",))
        case "sequence":
            same = data.data_sequence_number.value == delete.data_sequence_number.value
            which = "same commit" if same else "newer data"
            return Remark("not reached", (f"{which}, {verdict.reason}", verdict.reason))
        case "deletion vector":
            return Remark("not reached", ("a deletion vector takes its place", "a vector instead"))
    return Remark("not reached", (verdict.reason,))


# --- one alone -------------------------------------------------------------------------------------------------------


def _of_data(scopes: Scopes, names: Names, data: FileLifetime) -> Remark:
    if not data.is_live:
        return _not_live(scopes, data)
    deletes = [file for file in scopes.timeline.files if file.kind != "data" and file.is_live]
    reaching = [file for file in deletes if scopes.verdict(file, data).applies]
    older = (f"counts as {number(data.data_sequence_number)}",) if counts_as_older(data) else ()
    if not reaching:
        words = "; ".join([*older, "reached by no delete"] if deletes else [*older, "live"])
        return Remark("muted", (words, "not reached" if deletes else "live"))
    listed = ", ".join(names[file.key] for file in reaching[:3]) + (", …" if len(reaching) > 3 else "")
    count = formats.count(len(reaching), "delete")
    return Remark("not reached", (f"reached by {count}: {listed}", f"reached by {count}"))


def _of_delete(scopes: Scopes, names: Names, delete: FileLifetime) -> Remark:
    if not delete.is_live:
        return _not_live(scopes, delete)
    pairs = [
        (file, scopes.verdict(delete, file)) for file in scopes.timeline.files if file.kind == "data" and file.is_live
    ]
    reached = [(file, verdict) for file, verdict in pairs if verdict.applies]
    unknown = [verdict.reason for _, verdict in pairs if verdict.applies is None]
    if reached:
        return Remark("not reached", _reaches(names, delete, reached))
    if unknown:
        return Remark(
            "unknown", (f"unknown: {unknown[0]}", f"unknown: {unknown[0].split(':')[0]}", "unknown what it reaches")
        )
    if scopes.timeline.lacks_data_files:
        return Remark("unknown", (f"unknown: {MAY_BE_LOST}", "unknown what it reaches"))
    why = why_nothing(scopes, delete)
    if is_partial(scopes, delete):
        return Remark("muted", (f"reaches none of these: {why}", "reaches none of these"))
    return Remark("attention", (f"dangling: {why}", f"dangling: {why.removeprefix('the ')}".split(",")[0], "dangling"))


def _reaches(names: Names, delete: FileLifetime, reached: Sequence[tuple[FileLifetime, Verdict]]) -> tuple[str, ...]:
    if len(reached) == 1:
        file, verdict = reached[0]
        target = "its target " if delete.referenced_data_file is not None else ""
        sequence = verdict.clause("sequence")
        compared = f": {sequence.words}" if sequence else ""
        return f"reaches {target}{names[file.key]}{compared}", f"reaches {names[file.key]}", "reaches 1 file"
    numbers = sorted({n for file, _ in reached if (n := file.data_sequence_number.value) is not None})
    listed = ", ".join(f"{n:,}" for n in numbers) if len(numbers) <= 4 else f"{numbers[0]:,} to {numbers[-1]:,}"
    sign = "<" if delete.kind == "equality deletes" else "≤"
    count = f"reaches {formats.count(len(reached), 'file')}"
    return f"{count}: {listed} {sign} {number(delete.data_sequence_number)}", count


def _not_live(scopes: Scopes, file: FileLifetime) -> Remark:
    now = scopes.state(file)
    why = next(iter(file.notes), file.removal.reason if file.removal else "")
    if now == "unknown":
        return Remark(
            "unknown", (f"unknown: {why}" if why else "unknown whether it is live", "unknown whether it is live")
        )
    return Remark("muted", (outcome(scopes, file),))
