"""Triages: of a table with an incident, of a sound one, with hostile names, and of a table without snapshots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from explorer.model.iceberg.metadata import Snapshot
from explorer.model.triage.facts import Check, Evidence, Figure, Finding, Fix, Signature, Triage
from explorer.model.triage.registry import BY_NAME
from explorer.model.triage.since import Since

START = datetime(2026, 3, 13, tzinfo=UTC)
HOSTILE = "<b onclick=x>&'\"$\\alpha$" * 8


def line(count: int) -> tuple[Snapshot, ...]:
    return tuple(
        Snapshot(
            9_007_199_254_740_992 + n,
            None if n == 1 else 9_007_199_254_740_991 + n,
            n,
            START + timedelta(hours=n),
            "append",
            {},
            None,
            0,
        )
        for n in range(1, count + 1)
    )


def finding(since: Snapshot, title: str = "6 files are listed twice: 18,204 rows doubled") -> Finding:
    return Finding(
        title,
        "wrong answers",
        "exact",
        "Two live entries of one snapshot name the same file.",
        "6 files, 18,204 rows",
        "one file",
        "A snapshot may list a path once.",
        Since(since, "F"),
        Evidence(
            ("file", "rows"), (("s3://b/a.parquet", "3,112"),), 6, (since.snapshot_id,), ("s3://b/a.parquet",), "S"
        ),
        ruled_out=("the same rows under other names",),
        fixes=(Fix("INSERT", "gone", "new row ids", "CALL", "no row"),),
        question="t.commit(241)",
    )


def triage(title: str = "", count: int = 292) -> Triage:
    commits = line(count)
    own = finding(commits[240 if count > 240 else -1], title) if title else finding(commits[min(240, count - 1)])
    slow = replace(
        own, severity="slow", certainty="inferred", title="27 equality deletes pile up", since=Since(commits[-1], "T")
    )
    before = replace(
        own, severity="information", title="Main was moved", since=Since(commits[0], "M", at_or_before=True)
    )
    return Triage(
        head=commits[-1],
        ref="main",
        good=commits[0],
        symptom="rows doubled",
        checks=(
            Check(BY_NAME["file-listed-twice"], "found", own),
            Check(BY_NAME["equality-delete-flood"], "found", slow),
            Check(BY_NAME["abandoned-commits"], "found", before),
            Check(BY_NAME["upsert-in-one-commit"], "cannot say", words=title or "Only rows tell.", price="4.1 MB"),
            Check(BY_NAME["orphan-files"], "not asked", words="Only a listing tells.", price="a listing"),
            Check(BY_NAME["clock-skew"], "clean", words="the times of 292 commits"),
        ),
        figures=(Figure("rows", "1,830,112", "1,811,908", "before deletes"), Figure("refs", "3 refs")),
        line=commits,
        examined_at=START + timedelta(days=30),
        paid="metadata.json, 55 manifest lists, 96 manifests",
    )


def branches(name: str = "dev") -> Triage:
    """The same with heads of branches beside."""
    facts = triage()
    more = (
        Figure("rows", "1,830,112", "1,811,908", "before deletes", ("1,830,009", "12", "1,790,000")),
        Figure("deleted positions", "12,004", "0", "10 % of the rows slow reads", ("0", "0", "3,000")),
        Figure("keys in equality deletes", "0", "0", "1,000,000 in scope of a file slow reads", ("0", "0", "0")),
        Figure("commits", "one every 5 min", "one every 5 min", "own history", ("one commit", "one every 2 h", "1 d")),
        Figure("refs", "9 refs"),
        Figure("manifests", "96, 1.2 MB", "90, 1.1 MB", "100 below 8 MB each", ("96, 1.2 MB", "1, 7 kB", "88, 1.0 MB")),
    )
    return replace(facts, figures=more, branches=(name, "audit", "backfill-2026"), more_branches=4)


def _nothing() -> Triage:
    own: tuple[Signature, ...] = tuple(BY_NAME.values())
    clean = tuple(Check(signature, "clean", words="all of it") for signature in own)
    return replace(triage(), checks=clean, good=None, symptom=None)


STORIES: dict[str, Callable[[], Triage]] = {
    "incident": triage,
    "one commit": lambda: triage(count=1),
    "branches": branches,
    "hostile branch": lambda: branches(HOSTILE),
    "hostile": lambda: triage(HOSTILE),
    "clean": _nothing,
    "no snapshot": lambda: replace(_nothing(), head=None, line=(), figures=(), checks=()),
}
