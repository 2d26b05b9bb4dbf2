"""The columns that changelogs have beside the table's, while they are made and in the end.

All of them, by mode, since a table may have columns of these names too; a test reads the SQL for any that is not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...errors import ExplorerError
from ..rows.changelog_rows import METADATA
from .rows import Mode

_ALWAYS = frozenset((*METADATA, "_commit_sequence_number"))
_LIVED = _ALWAYS | {"_read_at", "_keys", "_since", "_until", "_masks", "_events", "_event"}
_COUNTED = _LIVED | {"_is_new", "_gone", "_came", "_copy", "_carried_over"}
TAKEN: Mapping[Mode, frozenset[str]] = {
    "raw": _COUNTED,
    "changes": _COUNTED,
    "updates": _COUNTED,
    "net": _COUNTED | {"_before", "_balance", "_row_key", "_last"},
    "ownership": _LIVED
    | {"_owned_path", "_owner_id", "_owner_number", "_numbered_id", "_is_told", "_carried_over"}
    | {"_row_key", "_moved_by", "_removed", "_brought"},
}


def refuse_taken(mode: Mode, columns: Iterable[str]) -> None:
    """Nothing, if a changelog can be told of a table with these columns.

    Raises:
        ExplorerError: it cannot; names the column.
    """
    by_name = {name.lower(): name for name in columns}  # Spark takes both for one
    taken = sorted(TAKEN[mode] & by_name.keys())
    if not taken:
        return
    others = [f"in the mode {other}" for other in TAKEN if not TAKEN[other] & by_name.keys()]
    raise ExplorerError(
        f"There is no changelog in the mode {mode} of a table with a column {by_name[taken[0]]}.",
        found=f"The changelog has a {'' if taken[0] in _ALWAYS else 'work '}column of that name itself.",
        next_step=f"Ask {' or '.join([*others, 'for the rows of each commit, by commit(…, rows=True)'])};"
        " or rename the column, which rewrites no data.",
    )
