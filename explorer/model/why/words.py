"""What became of the rows that somebody asked about, in words."""

from __future__ import annotations

from typing import Literal

from .. import formats
from ..evidence import Note
from ..iceberg.touched_files import Cost
from ..words import price as price_of
from .facts import RowOutcome
from .what_if import ReaderView, SeenRow


def title(outcome: RowOutcome) -> str:
    """The finding."""
    told = _title(outcome)
    return f"In the files that can be read: {told[0].lower()}{told[1:]}" if outcome.is_partial else told


def _title(outcome: RowOutcome) -> str:
    live, masked = outcome.live_count, outcome.masked_count
    if not live and not masked:
        return f"No row with {outcome.condition}, neither live nor masked"
    if not masked:
        told = f"{formats.count(live, 'row')} with {outcome.condition}: no delete masks {'it' if live == 1 else 'them'}"
        missed = sum(any(d.is_elsewhere for d in row.deletes) for row in outcome.rows)
        if not missed:
            return told
        keys = "its key" if live == 1 else f"the keys of {missed:,}"
        return f"{told}; an equality delete of another partition holds {keys}"
    if not live:
        return f"{formats.count(masked, 'row')} with {outcome.condition}: masked by deletes"
    can = f"{masked:,} {'is' if masked == 1 else 'are'} masked by deletes and {live:,} can be read"
    return f"Of {formats.count(live + masked, 'row')} with {outcome.condition}, {can}"


def circumstances(outcome: RowOutcome, name: str) -> list[str]:
    """The second line in parts: table, snapshot, time, and how sure it is."""
    s = outcome.snapshot
    number = f", sequence number {s.sequence_number:,}" if s.sequence_number else ""
    return [
        name,
        f"at snapshot …{str(s.snapshot_id)[-4:]}{number}",
        formats.instant(s.committed_at),
        evidence(outcome)[1],
    ]


def price(cost: Cost) -> str:
    """`at most 3 data files, 2.4 MB`: what is read to tell of the rows, with the deletes that may mask them."""
    bound: Literal["at least", "at most"] = "at least" if cost.at_least else "at most"
    return price_of(formats.count(cost.files, "data file"), cost.size_in_bytes, bound=bound)


def evidence(outcome: RowOutcome) -> tuple[Literal["exact", "unknown"], str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    if outcome.is_partial:
        return "unknown", "unknown: rows of files that cannot be read"
    is_unread = any(delete.holds_row is None for row in outcome.rows for delete in row.deletes)
    return ("unknown", "unknown: what some deletes hold") if is_unread else ("exact", "exact, what-ifs apart")


def cell(view: ReaderView, seen: SeenRow) -> tuple[str, ...]:
    """What a reading makes of a row, from a long wording to a short one."""
    if seen.seen is None:
        return "cannot be told", "?"
    if seen.seen:
        return ("seen",)
    numbers = seen.by.verdict.clause("sequence") if seen.by else None
    if seen.by is None or numbers is None:
        return ("masked",)
    if not numbers.holds:
        return "masked all the same", "masked"
    return ("masked",) if view.reading == "without sequence numbers" else (f"masked: {numbers.words}", "masked")


def differs(right: ReaderView, other: ReaderView) -> list[str]:
    """The rows of which a what-if makes something else than Iceberg does, by their place."""
    return [
        f"{a.row.file_path} {a.row.position}"
        for a, b in zip(right.rows, other.rows, strict=True)
        if None not in (a.seen, b.seen) and a.seen != b.seen
    ]


def cut(outcome: RowOutcome) -> list[Note]:
    """What to say where not all rows are told of."""
    total = outcome.live_count + outcome.masked_count
    if len(outcome.rows) == total:
        return []
    return [Note("exact", f"{len(outcome.rows):,} of {total:,} rows are told of", "The counts are of all.")]
