"""Commits by a version of a writer with a known fault.

Sources, by number of the issue or pull request of apache/iceberg: #9172 (Spark streaming reused file names, mended by
#9255 in 1.5.0), #13568 (expiry with several refs, 1.9.1), #16282 and #17340 (Kafka Connect committed twice, 1.10 and
1.11); `remove-dangling-deletes` up to 1.11.0. The list says which signature to look at; a version is no proof.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import CannotSay, Clean, Evidence, Finding, Outcome, Signature
from ..known import Known, snapshots_sql

_VERSION = re.compile(r"(?:Apache Iceberg )?(\d+)\.(\d+)\.(\d+)")
Version = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Fault:
    lowest: Version
    highest: Version
    words: str
    source: str
    look_at: str
    keys: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()

    def has(self, snapshot: Snapshot, version: Version) -> bool:
        return (
            self.lowest <= version <= self.highest
            and (not self.operations or snapshot.operation in self.operations)
            and (not self.keys or any(key in snapshot.summary for key in self.keys))
        )


_FAULTS = (
    _Fault((0, 0, 0), (1, 4, 99), "streaming writes may reuse names of files", "#9172", "path-reused", ("queryId",)),
    _Fault(
        (1, 10, 0),
        (1, 11, 99),
        "Kafka Connect may commit one load twice",
        "#16282, #17340",
        "file-listed-twice",
        ("kafka.connect.task-id", "kafka.connect.commit-id"),
    ),
    _Fault(
        (0, 0, 0),
        (1, 11, 0),
        "compaction may remove deletes that still apply",
        "remove-dangling-deletes",
        "applicable-delete-removed",
        ("removed-equality-delete-files",),
        ("replace",),
    ),
)


def examine(known: Known) -> Outcome:
    """By `iceberg-version` in the summaries of the line."""
    found, named = [], 0
    for snapshot in known.line:
        match = _VERSION.match(snapshot.summary.get("iceberg-version", ""))
        if match is None:
            continue
        named += 1
        version = (int(match[1]), int(match[2]), int(match[3]))
        found += [(snapshot, fault) for fault in _FAULTS if fault.has(snapshot, version)]
    if not found:
        if not named and known.line:
            return CannotSay("The summaries do not say by which version of Iceberg they were written.")
        return Clean(f"the versions of {formats.count(named, 'commit')}, against {len(_FAULTS)} known faults")
    snapshot, fault = found[0]
    commits = list(dict.fromkeys(s.snapshot_id for s, _ in found))
    return Finding(
        f"{formats.count(len(commits), 'commit')} by {snapshot.summary.get('iceberg-version', '').partition(' (')[0]}:"
        f" {fault.words} ({fault.source})",
        "information",
        "inferred",
        "The version has the fault; whether it struck, the signature that is named tells.",
        formats.count(len(commits), "commit"),
        "one",
        "Only versions and features of which a fault is on record are listed.",
        known.first(snapshot),
        Evidence(
            ("commit", "version", "known fault", "look at"),
            tuple(
                (known.number(s), s.summary.get("iceberg-version", ""), f"{f.words} ({f.source})", f.look_at)
                for s, f in found[:200]
            ),
            len(found),
            tuple(commits[:200]),
            sql=snapshots_sql(known, [s for s, _ in found[:20]]),
        ),
        next_certainty=f"the check {fault.look_at}",
        question="t.triage('engines disagree')",
    )


SIGNATURE = Signature("known-bad-writer", "engines disagree", "writers with a known fault", "metadata.json", examine)
