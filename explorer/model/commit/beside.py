"""Two commits beside each other, in words and numbers: what each wrote, and for how many changes.

Used by the picture of both. As in the words of one commit, a sentence about rows is told only of rows that were read.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .. import formats
from .facts import CommitFacts
from .findings import DELETES, masked_rows, tally
from .rows import CommitRows, Outcome
from .words import ratio

_ORDER: tuple[Outcome, ...] = ("updated", "inserted", "carried over")


@dataclass(frozen=True, slots=True)
class Written:
    """The rows of the data files that a commit added.

    Attributes:
        parts: rows by what became of them: updated, inserted, carried over; what these do not cover is the last one, of
            no outcome: rows that were written and masked by one commit, or that are not told one by one.
        wordings: what they were written for, the first with all that is to be said, each other one with less.
    """

    rows: int
    parts: tuple[tuple[Outcome | None, int], ...]
    wordings: tuple[str, ...]


def short_name(name: str) -> str:
    """What a table is called within a sentence: the name up to its colon, if it has one."""
    return name.partition(":")[0].strip()


def title(left: CommitFacts, right: CommitFacts, names: tuple[str, str]) -> str:
    """The finding: as many changes or not, and how many rows were written for them."""
    a, b = map(short_name, names)
    known = [_known(side) for side in (left, right)]
    if known[0] is None or known[1] is None:
        unknown = [name for rows, name in zip(known, (a, b), strict=True) if rows is None]
        return f"{a} beside {b}: what became of rows is not known{f' of {unknown[0]}' if len(unknown) == 1 else ''}"
    one, other = known[0], known[1]
    wrote = [rows.rows_written for rows in (one, other)]
    if _changes(one) != _changes(other):
        changed = [formats.count(rows.changed, "row") for rows in (one, other)]
        return f"{a} changed {changed[0]} and wrote {wrote[0]:,}, {b} changed {changed[1]} and wrote {wrote[1]:,}"
    if not one.changed:
        return f"No row changed in either: {a} wrote {formats.count(wrote[0], 'row')}, {b} {wrote[1]:,}"
    what = f"{formats.count(one.changed, 'change')} in both"
    if _are_equal(left, right):
        what = f"The same {what}" if one.changed > 1 else "The same change in both"
    if wrote[0] == wrote[1]:
        return f"{what}, and both wrote {formats.count(wrote[0], 'row')} for {'it' if one.changed == 1 else 'them'}"
    return f"{what}, but {a} wrote {formats.count(wrote[0], 'row')}, {b} {wrote[1]:,}"


def written(facts: CommitFacts) -> Written | None:
    """What a commit wrote and for how many changes; None if its rows are not known."""
    rows = _known(facts)
    if rows is None:
        return None
    added = [file for file in rows.files if file.change == "added"]
    counts: dict[Outcome, int] = {}
    if len(rows.files) == rows.file_count:  # else what became of the rows of single files is not all at hand
        counts["updated"] = sum(file.outcomes.updated for file in added)
        counts["inserted"] = sum(file.outcomes.inserted for file in added)
        counts["carried over"] = sum(file.outcomes.carried_over for file in added)
    parts: list[tuple[Outcome | None, int]] = [(what, counts[what]) for what in _ORDER if counts.get(what)]
    rest = rows.rows_written - sum(n for _, n in parts)
    return Written(rows.rows_written, (*parts, *([(None, rest)] if rest > 0 else [])), tuple(_price(facts, rows)))


def closing(left: CommitFacts, right: CommitFacts, names: tuple[str, str]) -> list[str]:
    """What follows: whose rows have another owner although nobody changed them."""
    sentences = []
    for side, name in zip((left, right), map(short_name, names), strict=True):
        carried = side.rows.totals.carried_over if side.rows else 0
        if carried:
            sentences.append(f"In {name} {formats.count(carried, 'row')} changed owner, not value.")
    if sentences:
        sentences.append("A row belongs to the commit that wrote its file, and a file cannot be edited.")
    return [" ".join(sentences)] if sentences else []


def _known(facts: CommitFacts) -> CommitRows | None:
    """The rows of a commit, where they are known on both sides of it."""
    return facts.rows if facts.rows is not None and facts.rows.before_known else None


def _changes(rows: CommitRows) -> tuple[int, int, int]:
    return rows.totals.inserted, rows.totals.updated, rows.totals.deleted


def _are_equal(left: CommitFacts, right: CommitFacts) -> bool:
    """Whether the changed rows are known one by one, and have the same values on both sides."""
    found = [_changed_values(side.rows) for side in (left, right) if side.rows is not None]
    return len(found) == 2 and found[0] is not None and found[0] == found[1]


def _changed_values(rows: CommitRows) -> Counter[tuple[str, str, str]] | None:
    cells = [cell for cell in rows.cells if cell.outcome is not None and cell.outcome != "carried over"]
    changed = Counter[tuple[str, str, str]]((str(cell.outcome), cell.side, cell.text) for cell in cells)
    sides = rows.totals.inserted + rows.totals.deleted + 2 * rows.totals.updated
    return changed if changed.total() == sides else None


def _price(facts: CommitFacts, rows: CommitRows) -> list[str]:
    """`5 rows for 3 changes: 1.7×, 1 of 1 files rewritten`, and shorter."""
    commit = facts.commit
    first = f"{formats.count(rows.rows_written, 'row')} for {formats.count(rows.changed, 'change')}"
    parts = [first + (f": {ratio(rows.amplification)}×" if rows.amplification is not None else "")]
    removed, kept = tally(commit.totals.removed, "data").files, commit.kept.data_files
    if kept is not None and removed + kept:
        gone = removed and not rows.totals.carried_over and not rows.totals.updated
        parts.append(f"{removed:,} of {formats.count(removed + kept, 'file')} {'removed' if gone else 'rewritten'}")
    deletes, masked = tally(commit.totals.added, *DELETES).files, masked_rows(rows)
    if deletes:
        over = f" over {formats.count(masked, 'row')}" if masked else ""
        parts.append(f"{formats.count(deletes, 'delete file')}{over}")
    return [", ".join(parts[:end]) for end in range(len(parts), 0, -1)]
