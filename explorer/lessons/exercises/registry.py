"""All exercises, in the order in which a person meets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import ExplorerError
from .. import sandbox
from . import (
    compact_no_return,
    dangling_delete,
    delete_and_add,
    files_of_an_insert,
    lost_race,
    no_carry_over,
    numbers_of_a_compaction,
    older_than_its_file,
    owner_and_last_change,
    stored_numbers,
    undo_rollback,
    what_an_update_rewrites,
    which_clause,
)

if TYPE_CHECKING:
    from .exercise import Exercise

EXERCISES: tuple[Exercise, ...] = (
    files_of_an_insert.EXERCISE,
    what_an_update_rewrites.EXERCISE,
    owner_and_last_change.EXERCISE,
    no_carry_over.EXERCISE,
    stored_numbers.EXERCISE,
    lost_race.EXERCISE,
    delete_and_add.EXERCISE,
    which_clause.EXERCISE,
    dangling_delete.EXERCISE,
    older_than_its_file.EXERCISE,
    numbers_of_a_compaction.EXERCISE,
    compact_no_return.EXERCISE,
    undo_rollback.EXERCISE,
)

NOTEBOOKS = {
    "01_ownership": "Who owns a row?",
    "02_inheritance": "Where does a sequence number come from?",
    "03_delete_scope": "Which rows does a delete reach?",
    "04_compaction": "What compaction does to sequence numbers",
    "05_incident": "An incident, from symptom to repair",
}
"""What the notebooks with exercises are called, in their order."""


def remove_tables() -> None:
    """Remove the tables of all exercises; each is built anew when its exercise is opened."""
    sandbox.remove_tables([one.lesson for one in EXERCISES])


def named(name: str) -> Exercise:
    """The exercise of this name.

    Raises:
        ExplorerError: there is none.
    """
    found = next((one for one in EXERCISES if one.name == name), None)
    if found is None:
        raise ExplorerError(
            f"There is no exercise {name!r}.",
            found=f"There are {', '.join(one.name for one in EXERCISES)}.",
            next_step="`iceberg-explorer course` lists them by notebook.",
        )
    return found
