"""What a drill says, as HTML, and what can be chosen in its fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..model.drill import words
from ..model.drill.facts import Case, Judged, Step, Verdict
from ..model.drill.repairs import REPAIRS
from ..model.iceberg.writer import program
from ..model.triage.registry import BY_NAME, SIGNATURES, SYMPTOMS
from ..table import Table
from ..table.drill import Drill
from .markup import text

CLASSES = {
    "right": "iceberg-right",
    "partly right": "iceberg-partly",
    "not this": "iceberg-wrong",
    "not answered": "iceberg-wrong",
}
"""Of a field, by how right its answer is."""


@dataclass(frozen=True)
class Checked:
    """A verdict that shows itself, in a notebook and in a terminal."""

    case: Case
    verdict: Verdict

    def __repr__(self) -> str:
        return words.plain(self.case, self.verdict)

    def _repr_html_(self) -> str:
        return f"<pre>{text(repr(self))}</pre>"


def commits(table: Table) -> list[tuple[str, str]]:
    """Every commit in its order, as `37 · Mon 9 March 02:05 · append by orders-nightly`, with its id."""
    ordered = sorted(table.metadata.snapshots, key=lambda s: s.sequence_number)
    found = []
    for snapshot in ordered:
        at = snapshot.committed_at
        when = f"{at:%a} {at.day} {at:%b} {at:%H:%M}" if at else "unknown time"
        told = f"{snapshot.sequence_number:,} · {when} · {snapshot.operation} by {program(snapshot)}"
        found.append((told, str(snapshot.snapshot_id)))
    return found


def causes(case: Case) -> list[tuple[str, str]]:
    """What can have gone wrong: at the first level what Health looks for first, else all of it, by the words."""
    if case.tells_symptom:
        chosen = [BY_NAME[name] for name in SYMPTOMS[case.symptom]]
    else:
        chosen = sorted(SIGNATURES, key=lambda signature: signature.about)
    return [(signature.about, signature.name) for signature in chosen]


def repairs() -> list[tuple[str, str]]:
    """What can be done."""
    return [(repair.words, repair.name) for repair in sorted(REPAIRS, key=lambda repair: repair.words)]


def task(drill: Drill) -> str:
    """What a person says, and what may be used."""
    case, table = drill.case, drill.table
    symptom = f"<p>Health calls this <b>{text(case.symptom)}</b>.</p>" if case.tells_symptom else ""
    oddity = f"<p>{text(case.oddity)}</p>" if case.oddity else ""
    made = f"{case.weeks} weeks, {len(table.metadata.snapshots)} commits"
    rows = (
        ("table", f"<code>{text(table.name)}</code>"),
        ("its history", text(made)),
        ("you may use", text(words.allowed(case))),
        ("counted", "questions to the table, and what is read for them; no clock"),
    )
    told = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows)
    return (
        f'<div class="iceberg-which">Drill · level {case.level} · seed {case.seed}</div>'
        f"<h2>{text(case.title)}</h2>"
        f'<div class="iceberg-columns"><blockquote><p>{text(case.words)}</p>{oddity}{symptom}</blockquote>'
        f"<table>{told}</table></div>"
    )


def verdict(told: Verdict) -> str:
    """How right an answer is; solved, also the path."""
    kind = "iceberg-right" if told.is_solved else "iceberg-wrong"
    mark = "✓ " if told.is_solved else ""
    enough = f" The path below takes {len(told.path)}." if told.path else ""
    asked = f"<p>Asked so far: {text(words.asked(told.questions, told.bytes_read))}.{enough}</p>"
    return (
        f'<div class="iceberg-verdict {kind}" role="status"><h3>{mark}{text(words.title(told))}</h3>'
        f"<ul>{''.join(map(_judged, told.parts))}</ul>{asked}{_path(told.path)}</div>"
    )


def given_up(drill: Drill) -> str:
    """The answer, and the path to it."""
    case = drill.case
    proposed = [repair.words for name in drill.repairs for repair in REPAIRS if repair.name == name]
    answer = (
        f"<li><b>commit</b> {case.number:,}</li><li><b>cause</b> {text(BY_NAME[case.cause].about)}</li>"
        f"<li><b>repair</b> {text('; or: '.join(proposed))}</li>"
    )
    return f'<div class="iceberg-verdict iceberg-partly"><h3>The answer</h3><ul>{answer}</ul>{_path(drill.path)}</div>'


def hints(told: Sequence[str]) -> str:
    """The hints that were taken."""
    listed = "".join(f"<li>{text(hint)}</li>" for hint in told)
    return f'<div class="iceberg-verdict"><h4>Hints</h4><ol>{listed}</ol></div>'


def outdated(said: str) -> str:
    """What was said of another answer, faint."""
    return said if "iceberg-outdated" in said else f'<div class="iceberg-outdated">{said}</div>'


def _judged(judged: Judged) -> str:
    return (
        f'<li class="{CLASSES[judged.state]}"><i>{words.MARKS[judged.state]}</i> <b>{judged.part}</b>'
        f" <em>{judged.state}</em> {text(judged.words)}</li>"
    )


def _path(path: Sequence[Step]) -> str:
    if not path:
        return ""
    rows = "".join(
        f"<tr><td>{n}</td><td><pre>{text(step.call)}</pre></td><td>{text(step.told)}</td></tr>"
        for n, step in enumerate(path, 1)
    )
    return (
        "<h4>The path that a practised person takes</h4><table>"
        f"<tr><th></th><th>asks</th><th>and learns</th></tr>{rows}</table>"
    )
