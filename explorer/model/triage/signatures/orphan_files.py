"""Files in the table's folder that no snapshot knows.

Source: Iceberg's procedure remove_orphan_files: a listing less all that is reachable, older than three days.
"""

from __future__ import annotations

from ... import formats
from ..facts import CannotSay, Outcome, Signature
from ..known import Known


def examine(known: Known) -> Outcome:
    """Only a listing tells; metadata has hints at most."""
    retried = sum((s.attempt or 0) > 1 for s in known.metadata.snapshots)
    hint = f" {formats.count(retried, 'commit')} tried again may have left some." if retried else ""
    return CannotSay(
        f"What no snapshot names, only a listing of {known.metadata.location} shows.{hint}",
        "a listing: t.dry_run.remove_orphan_files()",
    )


SIGNATURE = Signature("orphan-files", "storage and cost", "files that no snapshot knows", "listing", examine)
