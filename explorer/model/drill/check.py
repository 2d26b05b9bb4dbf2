"""How right an answer is: against the key for commit and cause, against the finding's own fixes for the repair.

What is said of a wrong answer is computed from the table: what its commit did, what its check found.
"""

from __future__ import annotations

from collections.abc import Callable

from .. import formats
from ..iceberg.metadata import Snapshot
from ..iceberg.writer import program
from ..triage.facts import Check, Fix, Triage
from .facts import Case, Judged
from .repairs import BY_NAME, Repair, kinds

_NEEDED = {
    "rows vanished": "rows are to be there that are not, without harm to those that are",
    "rows doubled": "one of two copies is to go, and the other one to stay",
    "rows came back": "rows are to go that were deleted before",
    "values wrong": "values are to come back, in rows that are there",
    "slow query": "reading is to cost less; the rows are right",
    "writes fail": "writers are to get through; the rows are right",
    "maintenance idle": "files or deletes are to be written anew; the rows are right",
    "cannot read": "files are to be found that are not where their entries say, or not what they say",
}
"""By symptom, what a repair has to do."""

Answers = Callable[[Snapshot], str | None]
"""What the probe's answer is at a snapshot, as text; None where it cannot be asked."""


def commit(case: Case, facts: Triage, answered: Snapshot | None, answers: Answers) -> Judged:
    """The commit from which on it is so."""
    if answered is None:
        return Judged("commit", "not answered", "Name the first commit from which on it is so.")
    number = answered.sequence_number
    did = f"{number:,} is {_account(answered)}."
    if answered.snapshot_id == case.snapshot_id:
        return Judged("commit", "right", did)
    if all(answered.snapshot_id != s.snapshot_id for s in facts.line):
        return Judged("commit", "partly right", f"{did} Main does not have it. From which commit on is that so?")
    parent = next((s for s in facts.line if s.snapshot_id == answered.parent_id), None)
    if parent is None or not case.probe:
        return Judged("commit", "not this", f"{did} It did as it should.")
    before, after = answers(parent), answers(answered)
    if before is None or after is None:
        return Judged("commit", "not this", f"{did} What was asked for cannot be asked there.")
    if before != after:
        return Judged(
            "commit",
            "partly right",
            f"{did} {_ask(case)} gives {before} before it and {after} after it, but that is not where it goes wrong.",
        )
    return Judged("commit", "not this", f"{did} Before it and after it, {_ask(case)} gives {after}.")


def cause(case: Case, facts: Triage, answered: str | None) -> Judged:
    """What it is."""
    if not answered:
        return Judged("cause", "not answered", "Name what went wrong.")
    if answered == case.cause:
        finding = _check(facts, answered).finding
        return Judged("cause", "right", f"{finding.title}." if finding else "")
    check = _check(facts, answered)
    if check.finding is not None:
        return Judged(
            "cause",
            "partly right",
            f"That is so too, {check.finding.since.words}: {check.finding.title}. It is not why: look what made it so.",
        )
    about = check.signature.about
    if check.state == "clean":
        return Judged("cause", "not this", f"Not found: {about}. Looked at: {check.words}.")
    return Judged("cause", "not this", f"Not told by metadata: {about}. {check.words}")


def repair(case: Case, facts: Triage, answered: str | None) -> Judged:
    """What to do about it."""
    if not answered:
        return Judged("repair", "not answered", "Name what you would do about it.")
    chosen, fixes = BY_NAME[answered], right_repairs(case, facts)
    if fixes and chosen == fixes[0]:
        return Judged("repair", "right", chosen.effect)
    if chosen in fixes:
        fix = next(f for f in _fixes(case, facts) if chosen in kinds((f,)))
        return Judged("repair", "partly right", f"It helps, and there is something smaller. {fix.danger}")
    more = _lost(case, facts) if chosen.name == "roll-back" else f"Here {_NEEDED[case.symptom]}."
    return Judged("repair", "not this", f"{chosen.effect} {more}")


def right_repairs(case: Case, facts: Triage) -> tuple[Repair, ...]:
    """What the finding of the cause proposes, the smallest first."""
    return kinds(_fixes(case, facts))


def _fixes(case: Case, facts: Triage) -> tuple[Fix, ...]:
    finding = _check(facts, case.cause).finding
    return finding.fixes if finding else ()


def _check(facts: Triage, name: str) -> Check:
    return next(check for check in facts.checks if check.signature.name == name)


def _lost(case: Case, facts: Triage) -> str:
    """What a rollback to before the commit takes back."""
    later = [s for s in facts.line if s.sequence_number > case.number]
    rows = sum(s.count("added-records") or 0 for s in later)
    return f"Of this table {formats.count(len(later), 'later commit')}, with {formats.count(rows, 'row')} added."


def _account(snapshot: Snapshot) -> str:
    """`an append with 12 rows added by web-checkout, on Monday, 9 March, 02:05`; `a delete by privacy-requests`."""
    operation = snapshot.operation or "commit"
    article = "an" if operation[0] in "aeiou" else "a"
    rows = snapshot.count("added-records") or 0
    added = f" with {formats.count(rows, 'row')} added" if rows else ""
    by = f" by {program(snapshot)}" if program(snapshot) else ""
    at = snapshot.committed_at
    when = f", on {at:%A}, {at.day} {at:%B}, {at:%H:%M}" if at else ""
    return f"{article} {operation}{added}{by}{when}"


def _ask(case: Case) -> str:
    return case.probe.replace("{t}", "the table")
