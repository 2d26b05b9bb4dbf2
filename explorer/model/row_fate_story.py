"""What became of the rows that somebody asked about, in words."""

from __future__ import annotations

from typing import Literal

from . import formats
from .evidence import Note
from .row_fate import RowFate
from .what_if import Act, SeenRow


def title(fate: RowFate) -> str:
    """The finding."""
    live, masked = fate.live_count, fate.masked_count
    if not live and not masked:
        return f"No row with {fate.condition}, neither live nor masked"
    if not masked:
        return f"{formats.count(live, 'row')} with {fate.condition}: no delete masks {'it' if live == 1 else 'them'}"
    if not live:
        return f"{formats.count(masked, 'row')} with {fate.condition}: masked by deletes"
    can = f"{masked:,} {'is' if masked == 1 else 'are'} masked by deletes and {live:,} can be read"
    return f"Of {formats.count(live + masked, 'row')} with {fate.condition}, {can}"


def circumstances(fate: RowFate, name: str) -> list[str]:
    """The second line in parts: table, snapshot, time, and how sure it is."""
    s = fate.snapshot
    number = f", sequence number {s.sequence_number:,}" if s.sequence_number else ""
    return [name, f"at snapshot …{str(s.snapshot_id)[-4:]}{number}", formats.instant(s.committed_at), evidence(fate)[1]]


def evidence(fate: RowFate) -> tuple[Literal["exact", "unknown"], str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    lost = any(delete.holds_row is None for row in fate.rows for delete in row.deletes)
    return ("unknown", "unknown: what some deletes hold") if lost else ("exact", "exact, what-ifs apart")


def cell(act: Act, seen: SeenRow) -> tuple[str, ...]:
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
    return ("masked",) if act.reading == "without sequence numbers" else (f"masked: {numbers.words}", "masked")


def differs(right: Act, other: Act) -> list[str]:
    """The rows of which a what-if makes something else than Iceberg does, by their place."""
    return [
        f"{a.row.file_path} {a.row.position}"
        for a, b in zip(right.rows, other.rows, strict=True)
        if None not in (a.seen, b.seen) and a.seen != b.seen
    ]


def cut(fate: RowFate) -> list[Note]:
    """What to say where not all rows are told of."""
    total = fate.live_count + fate.masked_count
    if len(fate.rows) == total:
        return []
    return [Note("exact", f"{len(fate.rows):,} of {total:,} rows are told of", "The counts are of all.")]
