"""A person's row that is deleted, and is still stored.

Sources: specification, "Scan Planning" (a deleted row stays in its file), "Manifests" (bounds and equality deletes hold
values). Object versions and backups are outside of what metadata can tell.
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ..facts import CannotSay, Clean, Outcome, Signature
from ..known import Known


def examine(known: Known) -> Outcome:
    """Without a person's key only how much may still be stored: deleted rows in live files, and files of the past."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    masked = int(files.records[files.masking].sum())
    at_most = "at most " * bool((files.masking & (files.target < 0)).any())
    old = int(np.count_nonzero(~files.live & (files.kind == 0)))
    keys = int(files.records[files.live & (files.kind == 2)].sum())
    if not masked and not old and not keys:
        return Clean("no deleted row in a live file, and no file of the past; versions and backups are not looked at")
    parts = [
        words
        for n, words in (
            (masked, f"{at_most}{formats.count(masked, 'deleted row')} lie in live files"),
            (keys, f"{keys:,} keys lie in equality deletes"),
            (old, f"{formats.count(old, 'file')} of the past kept"),
        )
        if n
    ]
    return CannotSay(
        f"{'; '.join(parts)}. Whether a person's row is among them, the person's key tells.",
        't.biography("<key> = …"), whose price it says',
    )


SIGNATURE = Signature("deleted-but-stored", "privacy", "deleted rows that are still stored", "manifests", examine)
