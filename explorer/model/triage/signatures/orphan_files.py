"""Files in the table's folder that no snapshot knows.

Source: Iceberg's procedure remove_orphan_files: a listing less all that is reachable, older than three days.
"""

from __future__ import annotations

from ... import formats
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, short
from ..since import Since

_LEAST_SHARE = 0.05  # of the live bytes


def examine(known: Known) -> Outcome:
    """By a listing of the table's location; metadata has hints at most."""
    stored = known.stored
    if stored is None:
        retried = sum((s.attempt or 0) > 1 for s in known.metadata.snapshots)
        hint = f" {formats.count(retried, 'commit')} tried again may have left some." if retried else ""
        return CannotSay(
            f"What no snapshot names, only a listing of {known.metadata.location} shows.{hint}",
            "a listing of the storage",
        )
    if stored.unreadable:
        path, reason = next(iter(stored.unreadable.items()))
        return CannotSay(f"What {short(path)} names is not known: {reason} Files that it names look like orphans.")
    if not stored.orphans:
        return Clean(f"{formats.count(stored.files, 'file')} below {known.metadata.location}, older than three days")
    size = sum(file.size_in_bytes for file in stored.orphans)
    files = known.files
    live = int(files.size[files.live].sum()) if files is not None else 0
    oldest = sorted(stored.orphans, key=lambda file: file.modified_at)
    return Finding(
        f"{formats.count(len(oldest), 'file')} below the table's location belong to no snapshot: {formats.size(size)}",
        "cost" if size > _LEAST_SHARE * live else "information",
        "exact",
        "The location was listed, and what every listed snapshot names was taken from it; exact at that instant.",
        f"{formats.count(len(oldest), 'file')}, {formats.size(size)}",
        f"one, older than three days; more than {_LEAST_SHARE:.0%} of the live bytes costs",
        "The procedure itself leaves what is younger than three days: a commit may be on its way.",
        Since(None, "L"),
        Evidence(
            ("file", "bytes", "written"),
            tuple((f.path, f"{f.size_in_bytes:,}", formats.instant(f.modified_at)) for f in oldest[:100]),
            len(oldest),
            files=tuple(f.path for f in oldest[:200]),
        ),
        not_ruled_out=("another table in the same folder", "a writer that takes longer than three days"),
        fixes=(
            Fix(
                known.named.call_by_name("remove_orphan_files", dry_run="true"),
                "Lists what it would remove; without dry_run it removes it.",
                "Files are gone for good, also those of another table in the folder. Read the list first.",
                "none",
                "the same statement lists nothing",
            ),
        ),
        question="t.dry_run.remove_orphan_files()",
    )


SIGNATURE = Signature("orphan-files", "storage and cost", "files that no snapshot knows", "listing", examine)
