"""All exercises, in the order in which a person meets them."""

from __future__ import annotations

from ...errors import ExplorerError
from .. import sandbox
from ..own import own_exercises
from . import (
    branch_without_copy,
    compact_no_return,
    dangling_delete,
    delete_and_add,
    deletes_of_version_1,
    files_of_an_insert,
    load_once,
    lost_race,
    no_carry_over,
    numbers_of_a_compaction,
    older_than_its_file,
    owner_and_last_change,
    publish_staged,
    stored_numbers,
    undo_rollback,
    what_an_update_rewrites,
    what_expiry_removes,
    which_clause,
)
from .exercise import Exercise

EXERCISES: tuple[Exercise, ...] = (
    files_of_an_insert.EXERCISE,
    what_an_update_rewrites.EXERCISE,
    owner_and_last_change.EXERCISE,
    no_carry_over.EXERCISE,
    stored_numbers.EXERCISE,
    lost_race.EXERCISE,
    deletes_of_version_1.EXERCISE,
    delete_and_add.EXERCISE,
    which_clause.EXERCISE,
    dangling_delete.EXERCISE,
    older_than_its_file.EXERCISE,
    numbers_of_a_compaction.EXERCISE,
    compact_no_return.EXERCISE,
    undo_rollback.EXERCISE,
    load_once.EXERCISE,
    branch_without_copy.EXERCISE,
    publish_staged.EXERCISE,
    what_expiry_removes.EXERCISE,
)

NOTEBOOKS = {
    "01_ownership": "Who owns a row?",
    "02_inheritance": "Where does a sequence number come from?",
    "03_delete_scope": "Which rows does a delete reach?",
    "04_compaction": "What compaction does to sequence numbers",
    "05_incident": "An incident, from symptom to repair",
    "06_branches": "Branches, tags, and what main leads to",
    "07_maintenance": "Maintenance, on nothing first",
}
"""What the notebooks with exercises are called, in their order."""


def exercises() -> tuple[Exercise, ...]:
    """These, then a trainer's own. Raises: as `own_exercises`."""
    return (*EXERCISES, *own_exercises(Exercise))


def notebooks() -> dict[str, str]:
    """What the notebooks are called; one of a trainer's own by its name."""
    return {one.notebook: NOTEBOOKS.get(one.notebook, one.notebook) for one in exercises()}


def remove_tables() -> None:
    """Remove the tables of all exercises; each is built anew when its exercise is opened."""
    sandbox.remove_tables([one.lesson for one in exercises()])


def named(name: str) -> Exercise:
    """The exercise of this name.

    Raises:
        ExplorerError: there is none.
    """
    found = next((one for one in exercises() if one.name == name), None)
    if found is None:
        raise ExplorerError(
            f"There is no exercise {name!r}.",
            found=f"There are {', '.join(one.name for one in exercises())}.",
            next_step="`iceberg-explorer course` lists them by notebook.",
        )
    return found
