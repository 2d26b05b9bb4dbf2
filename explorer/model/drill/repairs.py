"""What can be done about a table, told apart by what a statement does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..triage.facts import Fix


@dataclass(frozen=True, slots=True)
class Repair:
    """A kind of repair.

    Attributes:
        name: `roll-back`.
        words: what one does.
        effect: what that does to the table, a sentence.
        statement: what its statements look like, a pattern.
    """

    name: str
    words: str
    effect: str
    statement: str


REPAIRS: tuple[Repair, ...] = (
    Repair(
        "keep-one-of-each",
        "keep each row of a file once, told apart by file and position",
        "It removes rows that are read twice from one file; rows that lie in two files both stay.",
        r"row_number\(\) OVER",
    ),
    Repair(
        "each-row-once",
        "keep each row of a partition once, told apart by its values",
        "It removes rows that are equal to another one; rows that are meant to be there twice are there once then.",
        r"SELECT DISTINCT",
    ),
    Repair(
        "remove-files",
        "take the files of one commit out of the table",
        "It removes every row of these files.",
        r"newDelete\(\)\.deleteFile|_file NOT IN",
    ),
    Repair(
        "keep-newest",
        "keep the newest version of each key",
        "It removes older versions of a key; rows whose keys differ all stay.",
        r"newest version|HAVING count\(\*\) > 1",
    ),
    Repair(
        "delete-again",
        "delete the rows again, by their keys",
        "It removes every row with these keys, and brings none back.",
        r"WHEN MATCHED THEN DELETE|^(--.*\n)?DELETE FROM",
    ),
    Repair(
        "insert-from-the-past",
        "insert the missing rows from time travel",
        "It adds rows that an older snapshot has; rows that are there already would be there twice.",
        r"^INSERT INTO [^;]*VERSION AS OF",
    ),
    Repair(
        "merge-from-the-past",
        "fill in values from time travel, by MERGE",
        "It changes values of rows that are there; it adds none and removes none.",
        r"THEN\s+UPDATE SET",
    ),
    Repair(
        "cherry-pick",
        "cherry-pick the commits that main has not",
        "It applies commits that lie beside main once more.",
        r"cherrypick_snapshot",
    ),
    Repair(
        "publish",
        "publish the staged commit",
        "It brings a staged commit to main.",
        r"publish_changes",
    ),
    Repair(
        "set-main",
        "set main to the snapshot where it was before it moved",
        "It gives back what main had, and takes away all that came since.",
        r"set_current_snapshot",
    ),
    Repair(
        "roll-back",
        "roll main back to the commit before",
        "It takes back that commit, and every later one with it.",
        r"rollback_to_snapshot",
    ),
    Repair(
        "read-again",
        "have the writer read its source again",
        "It brings rows that never arrived; rows that did arrive would come twice.",
        r"rows of that time at the source",
    ),
    Repair(
        "compact",
        "rewrite data files",
        "It writes the rows that readers see into other files: none comes, none goes, and no value changes.",
        r"rewrite_data_files",
    ),
    Repair(
        "expire",
        "expire snapshots",
        "It removes what only old snapshots keep: readers of main see no difference, and the evidence is gone.",
        r"expire_snapshots",
    ),
    Repair(
        "write-statistics",
        "have writers keep bounds of the columns, by a table property",
        "It changes what new entries say of their files; rows stay as they are.",
        r"write\.metadata\.metrics",
    ),
    Repair(
        "retry-longer",
        "have writers try longer, by a table property",
        "It changes how often a writer tries before it fails; rows stay as they are.",
        r"commit\.retry\.num-retries",
    ),
    Repair(
        "serializable",
        "have writers fail where they did not see each other, by a table property",
        "It changes which later commits fail; what was committed stays as it is.",
        r"isolation-level",
    ),
    Repair(
        "undelete",
        "bring the older version of the object back under a new name, and add it",
        "It brings back a file that was written over; where none was, there is no older version.",
        r"undelete the older version",
    ),
    Repair(
        "new-paths",
        "write the metadata anew with other paths, and copy the files",
        "It changes where files are looked for; which rows there are stays as it is.",
        r"rewrite_table_path",
    ),
)

BY_NAME: Mapping[str, Repair] = {repair.name: repair for repair in REPAIRS}


def kind(fix: Fix) -> Repair | None:
    """What a fix of a finding does; None if it is none of these."""
    return next((repair for repair in REPAIRS if re.search(repair.statement, fix.statement)), None)


def kinds(fixes: Sequence[Fix]) -> tuple[Repair, ...]:
    """The same of several, in their order."""
    return tuple(repair for fix in fixes if (repair := kind(fix)) is not None)
