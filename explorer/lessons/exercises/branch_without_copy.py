"""Do: work on a branch. Articles say, it is a copy of the table."""

from __future__ import annotations

from ...model import formats
from ..lesson import LiveTable
from .answer import Answer
from .exercise import SQL, Exercise
from .learners_table import LearnersTable
from .verdict import Checked, Verdict, refused

_BRANCH = "audit"


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id INT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (1, 'apple')")
    table.sql("INSERT INTO {table} VALUES (2, 'pear')")


def _check(table: LearnersTable, _answer: Answer) -> Verdict:
    refs = table.opened.metadata.refs
    if _BRANCH not in refs:
        return refused(
            f"there is no branch {_BRANCH}",
            why=f"The table has the refs {', '.join(sorted(refs))}. What you committed went to main.",
        )
    main, there = (
        table.values("SELECT id FROM {table} VERSION AS OF '{ref}' ORDER BY id", ref=ref) for ref in ("main", _BRANCH)
    )
    files, of_main = (
        set(table.values("SELECT file_path FROM {table}.data_files VERSION AS OF '{ref}'", ref=ref))
        for ref in (_BRANCH, "main")
    )
    own = files - of_main
    checked = (
        Checked(f"rows on {_BRANCH}: {_listed(there)}; aim: 1, 2, 3", holds=there == [1, 2, 3]),
        Checked(f"rows on main: {_listed(main)}; aim: 1, 2", holds=main == [1, 2]),
        Checked(
            f"data files of {_BRANCH}: {len(files)}, of which main has {len(files & of_main)}; aim: one of its own",
            holds=len(own) == 1 and len(files) > 1,
        ),
    )
    if there != [1, 2, 3] or main != [1, 2]:
        why = (
            f"The branch and main are two names for snapshots: {_BRANCH} for number "
            f"{_number(table, _BRANCH)}, main for number {_number(table, 'main')}. Each reads what its own one lists."
        )
    elif not checked[2].holds:
        why = "Rows that were there are written again. What the branch left lies in files that it can list as they are."
    else:
        why = (
            f"To make the branch wrote no file: it is a name. Its commit wrote {formats.count(len(own), 'file')}, and "
            f"lists {formats.count(len(files & of_main), 'file')} of main beside it."
        )
    return Verdict(
        f"{_BRANCH} shares {len(files & of_main)} of {formats.count(len(files), 'data file')} with main",
        checked,
        table.told(table.opened.metadata.by_id[refs[_BRANCH].snapshot_id]),
        why,
        table.opened.snapshot_graph(),
    )


def _listed(ids: list[int]) -> str:
    return ", ".join(map(str, ids)) or "none"


def _number(table: LearnersTable, ref: str) -> int:
    metadata = table.opened.metadata
    return metadata.by_id[metadata.refs[ref].snapshot_id].sequence_number


EXERCISE = Exercise(
    name="branch-without-copy",
    kind="do",
    notebook="06_branches",
    title="Work on a branch, and copy nothing",
    task=(
        f"`{{table}}` has two rows in two files. Row 3, a plum, must be looked at before anybody reads it.\n\n"
        f"**Put (3, plum) on a branch `{_BRANCH}`, beside rows 1 and 2. Readers of main must not see it, and no row "
        "that is there may be written again.**"
    ),
    fields=(SQL,),
    hints=(
        f"`ALTER TABLE … CREATE BRANCH {_BRANCH}` names the snapshot that main has now.",
        f"To write to a branch, write to `{{table}}.branch_{_BRANCH}`.",
    ),
    build=_build,
    check=_check,
    solution=(
        f"ALTER TABLE {{table}} CREATE BRANCH {_BRANCH};\nINSERT INTO {{table}}.branch_{_BRANCH} VALUES (3, 'plum');"
    ),
)
