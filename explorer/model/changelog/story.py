"""What the commits of a range did to one row, in words: the same for the panel and the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from ..changed_cells import ChangedCell, summary
from .facts import ChangedRow, Changelog

_VERBS = {"INSERT": "inserted", "DELETE": "deleted", "UPDATE_BEFORE": "updated", "UPDATE_AFTER": "updated"}


@dataclass(frozen=True, slots=True)
class RowEvent:
    """One thing that a commit did to a row.

    Attributes:
        snapshot_id: the commit, in `ownership` the owner; None where the metadata does not record it.
        sentence: `updated by 241: status: paid → shipped`.
        cells: that an update changed; empty of anything else, and where they are not known.
    """

    snapshot_id: int | None
    sentence: str
    cells: tuple[ChangedCell, ...] = ()


def events(changelog: Changelog, key: str) -> list[RowEvent]:
    """What became of the rows of a key, in order, as far as its rows are at hand."""
    rows = [row for row in changelog.rows if row.key == key]
    return [RowEvent(row.snapshot_id, _sentence(changelog, row), row.changed) for row in rows if not told_by_other(row)]


def told_by_other(row: ChangedRow) -> bool:
    """Whether a row is one side of something that the other side tells: of an update, or of a copy."""
    is_before = row.change_type in ("UPDATE_BEFORE", "DELETE")
    return is_before and bool(row.changed or row.carried_over)


def told(row: ChangedRow) -> str:
    """The cells that an update changed; else all values."""
    return summary(row.changed) or row.text


def why_not_traced(changelog: Changelog) -> str:
    """Why no condition finds a row alone, and what helps."""
    if not changelog.keys:
        return (
            "It cannot be traced from here: nothing says which columns tell rows apart. Choose them as the row key, and"
            " the rows are read again."
        )
    names = ", ".join(changelog.identifier_columns)
    return f"It cannot be traced from here: no literal can be written for the type of {names}. Choose another row key."


def _sentence(changelog: Changelog, row: ChangedRow) -> str:
    by = _named(changelog, row.snapshot_id)
    if changelog.mode == "ownership":
        return f"owned by {by}{', which only carried it over' if row.carried_over else ''}: {row.text}"
    if row.carried_over:
        return f"carried over by {by}: {row.text}"
    if row.changed:
        return f"updated by {by}: {told(row)}"
    side = {"UPDATE_BEFORE": " from", "UPDATE_AFTER": " to"}.get(row.change_type, "")
    return f"{_VERBS[row.change_type]} by {by}{side}: {row.text}"


def _named(changelog: Changelog, snapshot_id: int | None) -> str:
    """`241`, or `…9118` where there are no sequence numbers or it is not in the range."""
    if snapshot_id is None:
        return "a commit that is not recorded"
    numbers = {c.snapshot.snapshot_id: c.snapshot.sequence_number for c in changelog.range.commits}
    number = numbers.get(snapshot_id)
    return f"{number:,}" if number else f"…{str(snapshot_id)[-4:]}"
