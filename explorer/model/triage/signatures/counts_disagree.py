"""A commit whose totals are not those of its parent, and what it added, less what it removed.

Source: specification, "Snapshots" (summary, optional fields). Who answers `count(*)` from the summary answers wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import formats
from ...iceberg.metadata import Snapshot, long_from_text
from ..facts import CannotSay, Clean, Evidence, Finding, Outcome, Signature
from ..known import Known, snapshots_sql
from ..since import Since

_SUMS = (
    ("total-records", "added-records", "deleted-records"),
    ("total-data-files", "added-data-files", "deleted-data-files"),
    ("total-delete-files", "added-delete-files", "removed-delete-files"),
)


def examine(known: Known) -> Outcome:
    """By the summaries of the line, each beside its parent's; then by the entries of the head."""
    broken = [found for s in known.line for found in _breaks(known, s)]
    checked = sum(known.parent(s) is not None and s.count("total-records") is not None for s in known.line)
    counted = _counted(known)
    if not broken and counted is None:
        if not checked and len(known.line) > 1:
            return CannotSay("The summaries have no totals.", "the manifests")
        return Clean(f"the balance of {formats.count(checked, 'commit')}")
    rows = [
        (known.number(s), known.writer(s), name, f"{expected:,}", f"{says:,}") for s, name, expected, says in broken
    ]
    if counted is not None and known.head is not None:
        rows.append((known.number(known.head), "", "total-records, as files hold them", *counted))
    first = broken[0][0] if broken else known.head
    if broken:
        s, name, expected, says = broken[0]
        counted_as = formats.count(says, _what(name))
        title = f"The summary of {known.number(s)} says {counted_as}; parent and changes give {expected:,}"
    else:
        title = f"The summary says {counted[1] if counted else ''} rows, the files hold {counted[0] if counted else ''}"
    return Finding(
        title,
        "wrong answers",
        "exact",
        "It is a sum of numbers in the metadata; readers of files are not touched by it.",
        formats.count(len(rows), "total") + " wrong",
        "one",
        "Engines that answer count(*) from the summary are wrong until a writer counts anew.",
        known.first(first) if broken and first is not None else Since(first, "M", at_or_before=True),
        Evidence(
            ("commit", "writer", "total", "as it should be", "as it says"),
            tuple(rows[:200]),
            len(rows),
            tuple(dict.fromkeys(s.snapshot_id for s, *_ in broken)),
            sql=snapshots_sql(known, [first] if first is not None else []),
        ),
        ruled_out=("rows that deletes mask: totals count before deletes",),
        not_ruled_out=() if known.history else ("what the files hold",),
        next_certainty="" if known.history else "manifests",
        question=f"t.commit({first.snapshot_id})" if first else "",
    )


def _what(total: str) -> str:
    return {"total-records": "row", "total-data-files": "data file"}.get(total, "delete file")


def _breaks(known: Known, snapshot: Snapshot) -> Iterator[tuple[Snapshot, str, int, int]]:
    """Totals of a commit that do not follow from its parent's."""
    parent = known.parent(snapshot)
    for total, added, removed in _SUMS:
        if parent is None:
            return
        before, after = (long_from_text(s.summary.get(total, "")) for s in (parent, snapshot))
        came, went = (long_from_text(snapshot.summary.get(key, "0")) for key in (added, removed))
        if before is None or after is None or came is None or went is None:
            continue
        if after != before + came - went:
            yield snapshot, total, before + came - went, after


def _counted(known: Known) -> tuple[str, str] | None:
    """Rows of the live files of the head and the total of its summary, where they differ; None where not."""
    files, history, head = known.files, known.history, known.head
    if files is None or history is None or head is None or history.unreadable or history.unreadable_lists:
        return None
    says = head.count("total-records") if "total-records" in head.summary else None
    if says is None:
        return None
    held = int(files.records[files.live & (files.kind == 0)].sum())
    twice = files.times(files.live).max(initial=0) > 1
    return None if held == says or twice else (f"{held:,}", f"{says:,}")


SIGNATURE = Signature("counts-disagree", "engines disagree", "totals that do not add up", "metadata.json", examine)
