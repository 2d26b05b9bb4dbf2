"""What is known about two points that are compared, as HTML. Everything from the table is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...model import formats
from ...model.compare import words
from ...model.compare.facts import Comparison
from ...model.compare.figures import Figure
from ...model.iceberg.metadata import Snapshot
from ...model.iceberg.summary import masked
from ...model.iceberg.writer import program
from ...model.words import account
from ..actions import show_in_history, what_changed
from ..markup import action, actions, text

_COMMITS = 24


def panel(facts: Comparison) -> str:
    """The verdict, the relation, every figure of both sides, and the commits between them."""
    verdict, *more = words.closing(facts)
    return "".join(
        (
            f"<h3>{text(verdict)}</h3>",
            f"<p>{text(words.relation(facts))}.</p>",
            _next_steps(facts),
            *(f"<p>{text(sentence)}</p>" for sentence in more),
            f"<p>{text(', '.join(words.files(facts)))}.</p>",
            _figures(facts.figures),
            _commits(facts),
        )
    )


def _next_steps(facts: Comparison) -> str:
    left, right = facts.left.snapshot.snapshot_id, facts.right.snapshot.snapshot_id
    if facts.relation is None:
        return ""
    rows = [what_changed(left, right, "Rows changed between them")] if facts.relation.kind == "ancestor" else []
    return actions(*rows, action("commit", str(right), "Open B's commit"), show_in_history(left))


def _figures(figures: Sequence[Figure]) -> str:
    head = "<tr><th>figure</th><td>A</td><td>B</td><td>change</td></tr>"
    rows = "".join(_figure(figure) for figure in figures)
    return f'<table class="iceberg-counts">{head}{rows}</table>'


def _figure(of: Figure) -> str:
    write = formats.size if of.unit == "bytes" else formats.count
    change = of.change
    signed = (
        "unknown" if change is None else "±0" if not change else f"{'+' if change > 0 else '−'}{write(abs(change))}"
    )
    cells = "".join(f"<td>{text(cell)}</td>" for cell in (write(of.left), write(of.right), signed))
    return f"<tr><th>{text(of.name)}</th>{cells}</tr>"


def _commits(facts: Comparison) -> str:
    relation = facts.relation
    if relation is None:
        return ""
    ids = words.short_ids(facts)
    sides = [("A", relation.left_commits), ("B", relation.right_commits)]
    return "".join(_side(f"Only on the side of {letter}", commits, ids) for letter, commits in sides if commits)


def _side(title: str, commits: Sequence[Snapshot], ids: Mapping[int, str]) -> str:
    shown = commits[:_COMMITS]
    programs = [program(s) for s in shown]
    told = programs if len(set(programs)) > 1 else [s.operation for s in shown]  # who did it, where that tells apart
    rows = "".join(
        f'<tr title="{text(s.operation or "commit")}: {text(account(s))}"><th>{text(words.label(s, ids))}</th>'
        f"<td>{text(by or 'not recorded')}</td><td>{_rows(s)}</td></tr>"
        for s, by in zip(shown, told, strict=True)
    )
    left = len(commits) - len(shown)
    more = f"<p>and {formats.count(left, 'more commit')}</p>" if left > 0 else ""
    return f'<h3>{text(title)}: {len(commits):,}</h3><table class="iceberg-commits">{rows}</table>{more}'


def _rows(snapshot: Snapshot) -> str:
    """Rows in the data files that a commit added and removed, and rows that its deletes mask, as recorded; HTML."""
    counts = (snapshot.count("added-records"), "+"), (snapshot.count("deleted-records"), "−")
    told = [f"{sign}{rows:,}" for rows, sign in counts if rows]
    if hidden := masked(snapshot):
        told.append(f"{hidden:,} masked")
    if snapshot.count("added-equality-deletes"):
        told.append("some masked by key")
    return " ".join(told) or "±0 rows"
