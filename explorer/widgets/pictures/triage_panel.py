"""A finding opened, or a check that found nothing, as HTML. Everything that comes from the table is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ...figures.page.names import LONGEST, file_names
from ...model import formats
from ...model.iceberg.metadata import Snapshot
from ...model.triage import words
from ...model.triage.facts import Check, Evidence, Finding, Fix, Triage
from ...model.triage.proofs import BY_CONDITION
from ..actions import compare_with, dry_run, find_change, follow_file, keep, open_commit, prove, show_in_history
from ..markup import action, actions, folded, statement, text

_ROWS = 8


def panel(facts: Triage, pin: str, selected: str, condition: str = "") -> str:
    """What the selected check found, and what to do; without one, what is to be done before anything else.

    Args:
        facts: the triage.
        pin: statements that keep the evidence; empty where nothing was found.
        selected: name of a signature; empty if none is selected.
        condition: the rows that a person looks at, as after WHERE; empty for none.
    """
    check = next((c for c in facts.checks if c.signature.name == selected), None)
    if check is None:
        return _overview(facts, pin)
    if check.finding is None:
        price = f"<p><b>It would take</b> {text(check.price)}.</p>" if check.price else ""
        about = check.signature.about
        said = f"<p>{text(check.state)}: {text(check.words)}</p>{price}{_proof(check, condition)}"
        return f"<h3>{text(about[0].upper() + about[1:])}</h3>{said}"
    return _finding(facts, check, check.finding, condition)


def _proof(check: Check, condition: str) -> str:
    """The button that asks the check what it has not been asked, with what that takes."""
    name = check.signature.name
    if check.finding is None and "listing" in check.price:
        return actions(prove(name, "List the storage"))
    if not check.proof:
        return ""
    if name != BY_CONDITION:
        return actions(prove(name, f"Read {check.proof}"))
    if not condition:
        return "<p>Whose rows? Write a condition in the tab Row, whose price it says; then ask here.</p>"
    return actions(prove(name, f"Ask for the rows with {condition}"))


def _overview(facts: Triage, pin: str) -> str:
    head = f"<h3>{text(words.title(facts))}</h3><p>Click a finding for its evidence and what to do.</p>"
    keep = f"<p><b>{text(words.PIN)}</b></p>{statement(pin)}" if pin and words.is_serious(facts) else ""
    no_fit = "<h4>No finding explains it?</h4><p>Say what must be true, and find the commit that broke it.</p>"
    return f"{head}{keep}{no_fit}{actions(find_change('', 'Find the commit in Bisect'))}"


def _finding(facts: Triage, check: Check, found: Finding, condition: str) -> str:
    return "".join(
        (
            f"<h3>{text(found.title)}</h3>",
            f"<p><b>{text(found.severity)}</b> · {text(found.since.words)} · <b>{text(found.certainty)}</b></p>",
            _steps(facts, found),
            f"<p>{text(found.value)}.</p>",
            _evidence(found.evidence),
            f"<h4>How sure</h4><p>{text(found.reason)}</p>",
            f"<p>Surer with: {text(found.next_certainty)}.</p>" if found.next_certainty else "",
            _proof(check, condition),
            _list("Ruled out", found.ruled_out, "✓"),
            _list("Not ruled out", found.not_ruled_out, "?"),
            *(_fix(n, fix, len(found.fixes)) for n, fix in enumerate(found.fixes, 1)),
            f"<p>{text(words.foot(facts))}</p>" if found.fixes else "",
            f"<h4>Next question</h4>{statement(found.question)}" if found.question else "",
            folded("Threshold, and why", f"<p>{text(found.threshold)}.</p><p>{text(found.why)}</p>"),
            folded("SQL", statement(found.evidence.sql) if found.evidence.sql else ""),
            folded("Signature", f"<p>{text(check.signature.name)}: {text(check.signature.about)}</p>"),
        )
    )


def _steps(facts: Triage, found: Finding) -> str:
    """What shows the finding in the other tabs."""
    first = found.since.snapshot or _listed(facts, found.evidence.snapshots)
    buttons: list[str] = []
    if first is not None:
        buttons = [open_commit(first.snapshot_id), show_in_history(first.snapshot_id)]
        parent = next((s for s in facts.line if s.snapshot_id == first.parent_id), None)
        if parent is not None:
            number = f"{parent.sequence_number:,}" if parent.sequence_number else "the commit before"
            buttons.append(compare_with(first.snapshot_id, parent.snapshot_id, number))
        if facts.head is not None and any(s is first for s in facts.line):
            ends = [str(first.snapshot_id), str(facts.head.snapshot_id)]
            buttons.append(action("window", json.dumps(ends), "Narrow all tabs to since then"))
    if found.evidence.files:
        buttons.append(follow_file(found.evidence.files[0]))
    return actions(*buttons, keep())


def _listed(facts: Triage, ids: Iterable[int]) -> Snapshot | None:
    wanted = set(ids)
    return next((s for s in facts.line if s.snapshot_id in wanted), None)


def _evidence(evidence: Evidence) -> str:
    """The first rows as a table that scrolls by itself."""
    if not evidence.rows:
        return ""
    head = "".join(f"<th>{text(name)}</th>" for name in evidence.columns)
    shown = evidence.rows[:_ROWS]
    names = file_names((cell, None) for row in shown for cell in row if _is_path(cell))
    body = "".join(f"<tr>{''.join(_cell(cell, names.get((cell, None), cell)) for cell in row)}</tr>" for row in shown)
    of = formats.count(evidence.row_count, "row")
    left = f"<p>{len(shown):,} of {of}.</p>" if evidence.row_count > len(shown) else ""
    return f'<h4>Evidence</h4><div class="iceberg-evidence"><table><tr>{head}</tr>{body}</table></div>{left}'


def _is_path(cell: str) -> bool:
    return "/" in cell and len(cell) > LONGEST


def _cell(cell: str, short: str) -> str:
    """A file by what tells it from the others, so that the other columns are in sight; the whole is the tip."""
    shown = short if len(short) <= LONGEST else f"{short[:10]}…{short[-20:]}"
    return f'<td title="{text(cell)}">{text(shown)}</td>'


def _list(title: str, items: tuple[str, ...], sign: str) -> str:
    lines = "".join(f"<li>{sign} {text(item)}</li>" for item in items)
    return f'<h4>{title}</h4><ul class="iceberg-told">{lines}</ul>' if items else ""


def _fix(number: int, fix: Fix, of: int) -> str:
    which = f", way {number} of {of}" if of > 1 else ""
    # Of several calls the others begin from what the ones before them leave, which a dry run does not know.
    told = actions(*map(dry_run, fix.calls[:1]))
    holds = f" It holds when {fix.verified_when}." if fix.verified_when else ""
    return (
        f"<h4>To repair{which}</h4><p>{text(fix.effect)}</p>{statement(fix.statement)}{told}"
        f"<p><b>Danger</b> {text(fix.danger)}</p>"
        f"<p><b>Undo</b></p>{statement(fix.undo)}<p><b>Verify</b>{holds}</p>{statement(fix.verify)}"
    )
