"""What the deletes of a snapshot say, in words: the finding, its circumstances, each delete's verdict, a checklist.

Used by the picture, the panel and the terminal alike, so that they tell the same story.
"""

from __future__ import annotations

from typing import Literal

from .. import formats
from ..evidence import Certainty
from ..iceberg.delete_scope import DataFile, DeleteFile, Verdict
from ..words import UNITS, enumerated, holds, partition_name
from .by_partition import is_by_partition
from .facts import Deletes, LiveDelete, LiveFile
from .partition_words import COUNTED_BY, where_nothing

RULES: tuple[tuple[str, str], ...] = (
    ("live", "delete and data file are both in the snapshot"),
    ("spec, partition", "equal; an equality delete of an unpartitioned spec: every file of every spec"),
    ("path", "instead of both: a position delete that names its data file, a vector"),
    ("sequence", "data < equality delete, strictly older; data ≤ position delete or vector"),
    ("vector, statistics", "positions are ignored beside a vector; ranges of equality keys must meet"),
)
"""The clauses in the order in which the first that fails decides, as somebody learns them."""

Outcome = Literal["reached", "too new", "ruled out", "out of scope", "corrupt", "unknown"]
"""What a pair comes to. `too new` and `ruled out` (by statistics or a deletion vector) are near misses: the file is in
the delete's scope. `corrupt`: readers refuse the file."""


def short_id(deletes: Deletes) -> str:
    """`…9118` of the snapshot."""
    own = deletes.snapshot.snapshot_id
    return formats.short_ids({own})[own]


def title(deletes: Deletes) -> str:
    """The finding."""
    files = formats.count(deletes.data_file_count, "data file")
    if deletes.unreadable:
        return f"What is deleted at {short_id(deletes)} cannot be told"
    if not deletes.delete_count:
        if deletes.data_file_count:
            return f"No live delete: a reader takes every row of {files}"
        return "No live file: nothing is stored, nothing is deleted"
    corrupt = deletes.states.get("corrupt", 0)
    are = "is" if corrupt == 1 else "are"
    parts = [f"{corrupt:,} of {formats.count(deletes.delete_count, 'delete')} {are} corrupt: readers refuse the file"]
    parts = parts if corrupt else []
    parts += [finding.words for finding in deletes.findings if finding.kind != "corrupt"]
    if is_by_partition(deletes) and parts and parts[-1].endswith("nothing"):
        parts.append(where_nothing(deletes))
    parts += [_widest(deletes)]
    parts = [words for words in parts if words]
    return (_upper("; ".join(parts[:2])) if parts else _plain_title(deletes, files)) + _more(deletes)


def circumstances(deletes: Deletes, name: str) -> list[str]:
    """The second line in parts: table, snapshot, what was compared, how many pairs, and how sure it is."""
    number = deletes.snapshot.sequence_number
    at = f" (sequence number {number:,})" if number else ""
    parts = [name, f"as of snapshot {short_id(deletes)}{at}"]
    if deletes.partition is not None:
        parts.append(f"{partition_name(*deletes.partition, with_spec=True)} alone")
    if not deletes.unreadable:
        several = deletes.partition_count > 1
        parts.append(
            f"{'≥ ' if deletes.lacks_deletes else ''}{formats.count(deletes.delete_count, 'delete')} × "
            f"{'≥ ' if deletes.lacks_data_files else ''}{formats.count(deletes.data_file_count, 'data file')}"
            + (f", live in {formats.count(deletes.partition_count, deletes.naming.unit)}" if several else "")
        )
        if is_by_partition(deletes):
            parts.append(f"reached by {COUNTED_BY}")
        elif deletes.pair_count:
            parts.append("first failing clause of Iceberg's scan planning")
    return [*parts, evidence(deletes)[1]]


def evidence(deletes: Deletes) -> tuple[Certainty, str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    if deletes.unreadable:
        return "unknown", "unknown: every delete"
    unclear = [note for note in deletes.notes if note.certainty == "unknown"]
    pairs = deletes.unknown_pairs
    at_most = "" if deletes.statistics_evaluated else ", column statistics not compared"
    if pairs:
        return "unknown", f"unknown: {formats.count(pairs, 'pair')}{at_most}"
    if unclear:
        return "unknown", f"unknown: {unclear[0].about}" + (f", {len(unclear) - 1:,} more" if len(unclear) > 1 else "")
    if not deletes.statistics_evaluated:
        return "exact", "exact (column statistics not compared, so at most)"
    by_statistics = deletes.apart_pairs
    if by_statistics:
        return "inferred", f"inferred from column bounds: {formats.count(by_statistics, 'pair')}, all else exact"
    return "exact", "exact"


def closing(deletes: Deletes) -> list[str]:
    """What follows, most important first."""
    sentences = []
    if deletes.states.get("corrupt"):
        sentences.append("Where the metadata is corrupt, readers refuse the data file: its rows cannot be read at all.")
    if deletes.states.get("dangling"):
        sentences.append(
            "A dangling delete hides no row. Compaction drops it with remove-dangling-deletes (off by default; up to "
            "Iceberg 1.11 that also dropped global equality deletes that still applied)."
        )
    if deletes.states.get("reaches everything"):
        sentences.append("A delete that reaches every file is opened by every read, until the files are rewritten.")
    return sentences


# --- one delete, one file, one pair ---


def verdict_words(live: LiveDelete, data_files: int) -> str:
    """What a delete comes to: `reaches 3 files, 1 ruled out by bounds`; `dangling`; `corrupt`; `unknown`."""
    if live.state in ("dangling", "corrupt", "unknown"):
        return live.state
    if live.state == "reaches everything":
        return f"reaches all {formats.count(data_files, 'file')}"
    words = f"reaches {formats.count(live.reached, 'file')}"
    bounds, unknown = live.ruled_out.get("statistics", 0), live.unknown
    if bounds:
        words += f", {bounds:,} ruled out by bounds"
    return f"{words}, {unknown:,} unknown" if unknown else words


def comparison(delete: DeleteFile, data: DataFile) -> str:
    """The two data sequence numbers, as they compare: `2 < 7`, `9 ≥ 7`, `4 ≤ 12`, `13 > 12`; `?` if one is unknown."""
    old, new = data.data_sequence_number.value, delete.data_sequence_number.value
    if old is None or new is None:
        return "?"
    holds_ = {"<": old < new, "≤": old <= new}[delete.sign]
    sign = delete.sign if holds_ else {"<": "≥", "≤": ">"}[delete.sign]
    return f"{old:,} {sign} {new:,}"


def outcome(delete: DeleteFile, data: DataFile, verdict: Verdict) -> Outcome:
    """What a pair comes to, in a word."""
    if verdict.applies:
        return "reached"
    if verdict.applies is None:
        return "unknown" if verdict.decided_by == "sequence" else "corrupt"
    if verdict.decided_by == "sequence":
        older_vector = delete.kind == "deletion vector" and delete.data_file == data.file_path
        return "corrupt" if older_vector else "too new"
    return "ruled out" if verdict.decided_by in ("statistics", "deletion vector") else "out of scope"


def answer(outcome: Outcome) -> str:
    """The outcome as the answer to "does this delete reach this file?"."""
    return {
        "reached": "reached",
        "corrupt": "corrupt, readers refuse it",
        "unknown": "unknown",
    }.get(outcome, "not reached")


def about_delete(live: LiveDelete, data_files: int) -> list[str]:
    """A delete by itself: what it is, what it reaches, what rules out the rest."""
    file = live.file
    number = file.data_sequence_number
    number_words = "unknown" if number.value is None else f"{number.value:,}"
    named = f", names {file.data_file.rsplit('/', 1)[-1]}" if file.data_file else ""
    keys = f" of {', '.join(key.name for key in file.keys)}" if file.keys else ""
    lines = [
        f"{kind_words(file)} with {holds(file.kind, file.record_count)}{keys}, data sequence number {number_words} "
        f"({number.rule}): reaches data {live.threshold} of {live.scope}{named}",
        f"{verdict_words(live, data_files)} of {data_files:,}"
        if live.state == "reaches"
        else verdict_words(live, data_files),
    ]
    if live.reason:
        lines[1] += f": {live.reason}"
    out = [f"{n:,} by {name}" for name, n in live.ruled_out.items()]
    return [*lines, f"ruled out: {', '.join(out)}"] if out else lines


def about_file(live: LiveFile) -> str:
    """A data file by itself, without the deletes to apply."""
    number = live.file.data_sequence_number
    number_words = "unknown" if number.value is None else f"{number.value:,}"
    place = live.file.partition or "unpartitioned"
    return (
        f"{formats.count(live.file.record_count, 'row')}, {formats.size(live.file.size_in_bytes)}, {place} of spec "
        f"{live.file.spec_id}, data sequence number {number_words} ({number.rule})"
    )


def kind_words(file: DeleteFile) -> str:
    """`position delete file`, `deletion vector`."""
    return UNITS[file.kind]


# --- many ---


def to_apply(deletes: Deletes, live: LiveFile, unknown: bool) -> str:
    """Deletes that are applied when a file is read, with its `bound`."""
    return f"{bound(deletes, unknown)}{live.reached_by:,}"


def bound(deletes: Deletes, unknown: bool) -> str:
    """What stands before a count of reached pairs: unknown ones may be more, statistics would make them fewer."""
    if deletes.statistics_evaluated:
        return "≥ " if unknown else ""
    return "≈ " if unknown else "≤ "


def pairs_words(deletes: Deletes) -> str:
    """`19 of 100 pairs`."""
    most = "" if deletes.statistics_evaluated else "at most "
    return f"{most}{deletes.reached_pairs:,} of {formats.count(deletes.pair_count, 'pair')}"


def numbers(oldest: int | None, newest: int | None) -> str:
    """`2–19`; `unknown`."""
    return "unknown" if oldest is None or newest is None else formats.span(oldest, newest)


def _more(deletes: Deletes) -> str:
    """What is missing of the counts of a title."""
    lacks = ((deletes.lacks_deletes, "deletes"), (deletes.lacks_data_files, "data files"))
    more = enumerated([name for is_lacking, name in lacks if is_lacking])
    return f"; more {more} could not be read" if more else ""


def _widest(deletes: Deletes) -> str:
    """The delete of every spec that reaches most, if it reaches not everything but more than half."""
    wide = [d for d in deletes.deletes if d.file.scope == "every file" and d.state == "reaches"]
    most = max((d.reached for d in wide), default=0)
    if deletes.data_file_count == 1 or 2 * most <= deletes.data_file_count:
        return ""
    count = deletes.data_file_count
    which = "one delete is global and reaches" if len(wide) == 1 else "a global delete reaches"
    return f"{which} {most:,} of {formats.count(count, 'data file')}"


def _plain_title(deletes: Deletes, files: str) -> str:
    count = formats.count(deletes.delete_count, "delete")
    if deletes.delete_count == deletes.data_file_count == 1:
        return "The one delete reaches the one data file" if deletes.reached_pairs else "One delete, one data file"
    if len(deletes.data_files) == deletes.data_file_count and not deletes.unknown_pairs:
        reached = sum(file.reached_by > 0 for file in deletes.data_files)
        most = "" if deletes.statistics_evaluated else "at most "
        return f"{count} to apply to {most}{reached:,} of {files}"
    return f"{count} on {files}: {pairs_words(deletes)} apply"


def _upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
