"""The report of an incident: one HTML file that needs no script and asks no host for anything.

Question, answer, what happened when, findings with their evidence, what was ruled out and what was not asked, and
statements to keep the evidence, repair, undo and verify. No credential stands in it, and no value of a row where that
was not asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from ..figures.page import answering
from ..figures.page.text import shorten, width
from ..figures.page.theme import DARK, LIGHT, Theme
from ..model import formats
from ..model.iceberg.metadata import Snapshot
from ..model.triage import words
from ..model.triage.facts import Check, Finding, Triage
from .pins import LEFT_OUT, Pin
from .report_writer import HIDDEN, Writer
from .shown import Asked, Shown

_VALUES = ("partition", "from", "to", "rows say, from", "folder")  # columns of evidence that hold values of rows
_ROWS = 20
_WIDE, _LEFT, _SIZE = 900, 40, 12


def to_html(table: Asked, facts: Triage, history: Shown, *, pin: str, question: str, with_values: bool) -> str:
    """The report of all that a triage found.

    Args:
        table: that was examined.
        facts: its triage.
        history: the picture of its snapshots.
        pin: statements that keep the evidence; empty where nothing was found.
        question: what the person asked, in their own words; empty for none.
        with_values: whether partitions and bounds, which are values of rows, may stand in it.
    """
    write = Writer(() if with_values else _hidden(facts), with_values=with_values)
    return "".join(
        (
            _head(table, words.title(facts), question, facts.examined_at, _at(facts), write),
            _triage(facts, facts.found, pin, write),
            "<h2>The history</h2>",
            answering.to_inline(history.still(LIGHT, width=920), "history"),
            _foot(table, facts, write),
        )
    )


def pinned_to_html(table: Asked, pins: Sequence[Pin], *, keep: str, question: str, with_values: bool) -> str:
    """The report of what a person pinned, in their order; of the checks the last ones that were pinned.

    Args:
        table: that was explored.
        pins: one or more.
        keep: statements that keep the evidence; empty where nothing was found.
        question: what the person asked, in their own words; empty for none.
        with_values: whether values of rows may stand in it; else pictures of rows are left out.
    """
    examined = [pin for pin in pins if pin.triage is not None]
    facts = examined[-1].triage if examined else None
    hidden = frozenset[str]().union(*(pin.values for pin in pins)) | (_hidden(facts) if facts else frozenset())
    fields = frozenset[str]().union(*(pin.fields for pin in pins))
    write = Writer(() if with_values else hidden, fields, with_values=with_values)
    opened = {pin.check for pin in examined}
    seen = [pin for pin in pins if pin.triage is None]
    checks = [c for c in facts.found if "" in opened or c.signature.name in opened] if facts else []
    title = words.headline(facts, checks) if facts else seen[0].title
    return "".join(
        (
            _head(table, title, question, pins[-1].pinned_at, _at(facts) if facts else "", write),
            _triage(facts, checks, keep, write) if facts else "",
            "<h2>What was seen</h2>" if seen else "",
            *(_seen(number, pin, write) for number, pin in enumerate(seen, 1)),
            _foot(table, facts, write),
        )
    )


def _head(table: Asked, title: str, question: str, made_at: datetime, at: str, write: Writer) -> str:
    asked = f"<p><b>The question:</b> {write.text(question)}</p>" if question else ""
    of = " · ".join(filter(None, ("Incident report", table.name, at)))
    return (
        f'{_HEAD.format(title=write.text(f"Incident report: {table.name}"))}<p class="quiet">{write.text(of)} · '
        f"{formats.instant(made_at)} · one file, no scripts needed</p><h1>{write.text(title)}</h1>{asked}"
    )


def _at(facts: Triage) -> str:
    head = facts.head
    return f"{facts.ref} at {head.sequence_number:,}" if head and head.sequence_number else facts.ref


def _foot(table: Asked, facts: Triage | None, write: Writer) -> str:
    said = f"{words.foot(facts)} " if facts else ""
    where = f"Metadata: {table.metadata_location}"
    return f'<p class="quiet">{write.text(said)}{write.text(where)}</p></main></body></html>\n'


def _triage(facts: Triage, checks: Sequence[Check], pin: str, write: Writer) -> str:
    """What was found, in which order, what to do, and what was ruled out."""
    grave = [check for check in checks if check.finding and check.finding.severity != "information"]
    in_order = [*grave, *(check for check in checks if check not in grave)]
    symptom = f" It was asked for “{write.text(facts.symptom)}”." if facts.symptom else ""
    return "".join(
        (
            f"<p>{write.text(words.counts(facts))}.</p>",
            f"<p>Read: {write.text(facts.paid)}.{symptom} No data file was read, and nothing was changed.</p>",
            "<h2>What happened</h2>",
            _timeline(facts, in_order, write),
            "<h2>Findings</h2>" if checks else "<h2>No finding</h2>",
            *(_finding(n, check, write) for n, check in enumerate(in_order, 1)),
            _repairs(in_order, pin, write),
            _checks("Ruled out", "✓", facts.of_state("clean"), write),
            _checks("Not answered, and so not clean", "?", _unanswered(facts), write),
            "<h2>Figures</h2>",
            _table(("figure", "now", "then", *facts.branches, "judged by"), _figures(facts), write),
        )
    )


def _seen(number: int, pin: Pin, write: Writer) -> str:
    """A picture as it was seen, with what it says for those who do not see it, how sure it is, and its SQL."""
    scene = pin.drawn(write)
    notes = [f"{note.certainty}: {note.about}. {note.reason}" for note in pin.notes]
    if scene is None:
        return f"<section><h3>{number}. {pin.name.replace('_', ' ')}</h3><p>{LEFT_OUT}</p></section>"
    sql = f"<details><summary>SQL</summary><pre>{write.text(pin.sql)}</pre></details>" if pin.sql else ""
    return (
        f"<section><h3>{number}. {write.text(pin.title)}</h3>"
        f'<p class="quiet">Seen {formats.instant(pin.pinned_at)}</p>'
        f'<div class="seen">{answering.to_inline(scene, f"seen{number}")}</div>'
        f"{_list('How sure', '·', notes, write)}{sql}</section>"
    )


def _hidden(facts: Triage) -> frozenset[str]:
    """What stands in columns of values: wherever else it stands, it is a value too."""
    found = set()
    for check in facts.found:
        evidence = check.finding.evidence if check.finding else None
        for n, name in enumerate(evidence.columns if evidence else ()):
            if evidence is not None and name in _VALUES:
                found |= {row[n] for row in evidence.rows if len(row[n]) > 1 and row[n] != "all"}
    return frozenset(found)


def _finding(number: int, check: Check, write: Writer) -> str:
    found = check.finding
    if found is None:
        return ""
    when = found.since.snapshot.committed_at if found.since.snapshot else None
    at = f", {formats.instant(when)}" if when else ""
    return "".join(
        (
            f'<section id="{check.signature.name}"><h3>{number}. {write.text(found.title)}</h3>',
            f'<p><b class="{found.certainty}">{found.certainty}</b> · {found.severity} · '
            f"{write.text(found.since.words)}{at}</p>",
            f"<p>{write.text(found.value)}; threshold: {write.text(found.threshold)}. {write.text(found.why)}</p>",
            f"<p>{write.text(found.reason)}</p>",
            _evidence(found, write),
            _list("Other explanations that were ruled out", "✓", found.ruled_out, write),
            _list("Not ruled out", "?", found.not_ruled_out, write),
            f"<p>Surer with: {write.text(found.next_certainty)}.</p>" if found.next_certainty else "",
            f"<details><summary>SQL</summary><pre>{write.text(found.evidence.sql)}</pre></details>"
            if found.evidence.sql
            else "",
            "</section>",
        )
    )


def _evidence(found: Finding, write: Writer) -> str:
    """The rows; columns of values hidden where they were not asked for."""
    evidence = found.evidence
    if not evidence.rows:
        return ""
    hides = [not write.with_values and name in _VALUES for name in evidence.columns]
    rows = (
        tuple(HIDDEN if hide else cell for hide, cell in zip(hides, row, strict=True)) for row in evidence.rows[:_ROWS]
    )
    left = evidence.row_count - min(len(evidence.rows), _ROWS)
    more = f"<p>and {left:,} more</p>" if left > 0 else ""
    return _table(evidence.columns, rows, write) + more


def _table(columns: Iterable[str], rows: Iterable[tuple[str, ...]], write: Writer) -> str:
    head = "".join(f"<th>{write.text(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{write.text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="rows"><table><tr>{head}</tr>{body}</table></div>'


def _list(title: str, sign: str, items: Iterable[str], write: Writer) -> str:
    lines = "".join(f"<li>{sign} {write.text(item)}</li>" for item in items)
    return f"<p>{title}:</p><ul>{lines}</ul>" if lines else ""


def _checks(title: str, sign: str, checks: Iterable[Check], write: Writer) -> str:
    lines = "".join(
        f"<li>{sign} <b>{write.text(c.signature.about)}</b>: {write.text(c.words)}"
        + (f" It would take: {write.text(c.price)}." if c.price else "")
        + "</li>"
        for c in checks
    )
    return f"<h2>{title}</h2><ul>{lines}</ul>" if lines else ""


def _unanswered(facts: Triage) -> tuple[Check, ...]:
    return (*facts.of_state("cannot say"), *facts.of_state("not asked"))


def _figures(facts: Triage) -> Iterator[tuple[str, ...]]:
    heads = [""] * len(facts.branches)
    return ((f.name, f.now, f.then or "—", *(f.at_heads or heads), f.judgement) for f in facts.figures)


def _repairs(checks: list[Check], pin: str, write: Writer) -> str:
    """Statements in their order: keep the evidence, repair, undo, verify."""
    steps: list[tuple[str, str, str]] = [("pin", pin, words.PIN)] if pin else []
    for n, check in enumerate(checks, 1):
        finding = check.finding
        if finding is None or not finding.fixes:
            continue
        fix = finding.fixes[0]
        unsure = "" if finding.certainty == "exact" else "Only once that is proved. "
        steps += [
            (f"repair {n}", fix.statement, f"{unsure}{fix.effect} Danger: {fix.danger}"),
            (f"undo {n}", fix.undo, ""),
            (f"verify {n}", fix.verify, f"It holds when {fix.verified_when}." if fix.verified_when else ""),
        ]
    if not steps:
        return ""
    rows = "".join(
        f"<tr><th>{name}</th><td><pre>{write.text(said)}</pre></td><td>{write.text(beside)}</td></tr>"
        for name, said, beside in steps
    )
    return (
        "<h2>Repair, undo, verify</h2><p>In this order. Try each on a branch first; pause compaction and expiry until"
        f' it is verified. Nothing was run.</p><div class="rows"><table class="steps">{rows}</table></div>'
    )


# --- what happened -------------------------------------------------------------------------------------------------


def _timeline(facts: Triage, checks: list[Check], write: Writer) -> str:
    """The line of commits with the beginning of each finding, as a drawing whose marks say what they are."""
    line = facts.line
    if not line:
        return "<p>The table has no commit.</p>"
    right = _WIDE - 140

    def x(snapshot: Snapshot) -> float:
        """Also of a commit that is not on the line: where it would stand by its number."""
        place = next((n for n, s in enumerate(line) if s.sequence_number >= snapshot.sequence_number), len(line) - 1)
        return _LEFT + (right - _LEFT) * (place / max(len(line) - 1, 1))

    marks = []
    for n, check in enumerate(checks, 1):
        first = check.finding.since.snapshot if check.finding else None
        if check.finding is not None and first is not None:
            marks.append((x(first), n, check.finding))
    height = 60 + 18 * len(marks)
    drawn = [
        f'<line x1="{_LEFT}" y1="24" x2="{right}" y2="24" stroke="var(--line)" stroke-width="3"/>',
        f'<text x="{right + 8}" y="28">{write.text(_named(line[-1]))} now</text>',
    ]
    for n, (at, number, found) in enumerate(marks):
        said = f"{number}. {found.since.words}: {found.title}"
        short = shorten(said, _SIZE, _WIDE - 2 * _SIZE)
        left = min(at, _WIDE - _SIZE - width(short, _SIZE))  # a long one ends at the edge
        grave = "var(--error)" if found.severity in ("wrong answers", "blocks reading") else "var(--attention)"
        y = 58 + 18 * n
        drawn += [
            f'<g tabindex="0"><title>{write.text(said)}</title>',
            f'<line x1="{at:.0f}" y1="24" x2="{right}" y2="24" stroke="{grave}" stroke-width="5" opacity="0.35"/>',
            f'<path d="M{at:.0f} 14V{y - 10}" stroke="{grave}"/><circle cx="{at:.0f}" cy="24" r="6" fill="{grave}"/>',
            f'<text x="{left:.0f}" y="{y}" fill="{grave}">{write.text(short)}</text></g>',
        ]
    return (
        f'<svg class="line" role="img" aria-label="The line of commits" viewBox="0 0 {_WIDE} {height}" width="100%">'
        f'{"".join(drawn)}</svg><p class="quiet">Order by sequence number; coloured: from where on it is so.</p>'
    )


def _named(snapshot: Snapshot) -> str:
    return f"{snapshot.sequence_number:,}" if snapshot.sequence_number else f"…{str(snapshot.snapshot_id)[-4:]}"


def _colours(theme: Theme) -> str:
    return (
        f"--page: {theme.page}; --ink: {theme.ink}; --quiet: {theme.ink_2}; --line: {theme.kept_outline};"
        f" --panel: {theme.panel}; --error: {theme.error}; --attention: {theme.attention.text}; --ok: {theme.ok}"
    )


_HEAD = (
    """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; LIGHT_COLOURS }}
@media (prefers-color-scheme: dark) {{ :root {{ DARK_COLOURS }} }}
@media print {{ :root {{ color-scheme: light; LIGHT_COLOURS }} section, tr {{ break-inside: avoid }} }}
body {{ margin: 0; background: var(--page); color: var(--ink); font: 14px/1.5 system-ui, sans-serif }}
main {{ max-width: 960px; margin: 24px auto; padding: 0 20px }}
h1 {{ font-size: 22px; line-height: 1.3 }}
h2 {{ font-size: 16px; margin-top: 32px; border-bottom: 1px solid var(--line) }}
h3 {{ font-size: 15px; margin-bottom: 4px }}
p {{ margin: 4px 0 }}
ul {{ list-style: none; padding-left: 0 }}
.quiet {{ color: var(--quiet); overflow-wrap: anywhere }}
.exact {{ color: var(--ok) }} .inferred {{ color: var(--attention) }} .unknown {{ color: var(--error) }}
.rows {{ overflow-x: auto; margin: 8px 0 }}
table {{ border-collapse: collapse; font-size: 13px }}
th, td {{ text-align: left; vertical-align: top; padding: 3px 12px 3px 0; border-bottom: 1px solid var(--line) }}
pre {{ margin: 0; padding: 6px; background: var(--panel); white-space: pre-wrap; overflow-wrap: anywhere;
  font: 12px/1.45 ui-monospace, monospace }}
.steps th {{ white-space: nowrap }} .steps td:nth-child(2) {{ width: 62% }}
svg.line text {{ font: 12px system-ui, sans-serif; fill: var(--ink) }}
.seen {{ overflow-x: auto; margin: 8px 0 }}
ANSWERS
</style>
</head>
<body><main>
""".replace("ANSWERS", answering.STYLE.replace("{", "{{").replace("}", "}}"))
    .replace("LIGHT_COLOURS", _colours(LIGHT))
    .replace("DARK_COLOURS", _colours(DARK))
)
