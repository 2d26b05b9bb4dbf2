"""What a bisection found and how, as HTML: the commit with what to do next, the reads in their order. All escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...model import formats
from ...model.bisect import words
from ...model.bisect.facts import Bisection, Read
from ...model.iceberg.metadata import Snapshot
from ...model.words import account
from ..actions import compare_with, dry_run, keep, open_commit, show_in_history, trace_row
from ..markup import action, actions, folded, table, text

_MOST = 40


def panel(facts: Bisection, selected: str) -> str:
    """The selected commit of the line, else the one that was found; then every read, and what it took.

    Args:
        facts: what was asked and answered.
        selected: id of a snapshot as text; empty if none is.
    """
    place = next((n for n, s in enumerate(facts.snapshots) if str(s.snapshot_id) == selected), None)
    first = facts.first_bad
    head = _of_commit(facts, place) if place is not None else _found(facts, first)
    return "".join((head, _reads(facts), _price(facts), _why(facts)))


def _found(facts: Bisection, first: Snapshot | None) -> str:
    sentences = "".join(f"<p>{text(line)}</p>" for line in words.closing(facts))
    if first is None:
        return f"<h3>{text(words.title(facts))}</h3>{sentences}"
    steps = actions(*_steps(facts, first))
    told = f"<h3>{text(words.title(facts))}</h3><p>{text(f'{words.who(first)}: {account(first)}')}</p>{steps}"
    return told + _repair(facts, first)


def _repair(facts: Bisection, first: Snapshot) -> str:
    """Where a repair is looked for: statements in Health, where a signature fits; else what going back would lose."""
    place = facts.snapshots.index(first)
    buttons = [action("check", "", "Look for it in Health")]
    if place:
        before = facts.snapshots[place - 1]
        call = f"rollback_to_snapshot(snapshot_id => {before.snapshot_id})"
        buttons.append(dry_run(call, f"What would going back to {words.named(before)} lose?"))
    return f"<h4>To repair</h4>{actions(*buttons)}"


def _steps(facts: Bisection, first: Snapshot) -> Iterator[str]:
    """What shows the change in the other tabs; a commit's rows are read where it is opened."""
    yield open_commit(first.snapshot_id)
    place = facts.snapshots.index(first)
    if place:
        before = facts.snapshots[place - 1]
        yield compare_with(first.snapshot_id, before.snapshot_id, words.named(before))
    if facts.pruned:
        yield trace_row(facts.pruned, "Trace the rows of its WHERE")
    yield show_in_history(first.snapshot_id)
    last = facts.snapshots[-1]
    if first is not last:
        ends = json.dumps([str(first.snapshot_id), str(last.snapshot_id)])
        yield action("window", ends, "Narrow all tabs to since then")
    yield keep()


def _of_commit(facts: Bisection, place: int) -> str:
    snapshot = facts.snapshots[place]
    answer = facts.answer(place)
    candidate = next((c for c in facts.candidates if c.place == place), None)
    told = "not read" if answer is None else answer.why_not or words.value(answer)
    can = "the good end" if not place else "it cannot have changed the answer"
    rows = [
        ("answer", text(told)),
        ("verdict", f"<b>{text(facts.verdict(place))}</b>"),
        ("asked", text(words.why(candidate) if candidate else can)),
        ("snapshot", f"<code>{snapshot.snapshot_id}</code>"),
    ]
    steps = _steps(facts, snapshot) if snapshot is facts.first_bad else iter([open_commit(snapshot.snapshot_id)])
    return f"<h3>{text(words.who(snapshot))}</h3><p>{text(account(snapshot))}</p>{actions(*steps)}{table(rows)}"


def _reads(facts: Bisection) -> str:
    rows = "".join(_read(facts, number, read) for number, read in enumerate(facts.reads[:_MOST], 1))
    left = len(facts.reads) - _MOST
    more = f"<p>And {formats.count(left, 'more read')}; the data drawer has them all.</p>" if left > 0 else ""
    return (
        '<h4>Reads</h4><div class="iceberg-evidence"><table><tr><th>no.</th><th>commit</th><th>answer</th><th></th>'
        f"</tr>{rows}</table></div>{more}"
    )


def _read(facts: Bisection, number: int, read: Read) -> str:
    snapshot, verdict = facts.snapshots[read.place], facts.verdict(read.place)
    name = action("select", str(snapshot.snapshot_id), words.named(snapshot), tip="Select it")
    answer = f'<td title="{text(read.answer.why_not)}">{text(words.value(read.answer))}</td>'
    return f'<tr><td>{number:,}</td><td>{name}</td>{answer}<td class="iceberg-{verdict}">{text(verdict)}</td></tr>'


def _price(facts: Bisection) -> str:
    price = facts.price
    whole = f"all that can have changed it: {formats.count(price.every, 'snapshot')}"
    told = f"Price said before: {words.price(price)}; {whole}, at most {formats.size(price.every_size_in_bytes)}."
    only = words.not_proved(facts)
    return f"<p>{text(told)}</p>" + (f"<p>{text(only)}</p>" if only else "")


def _why(facts: Bisection) -> str:
    commits = {words.named(facts.snapshots[c.place]): words.why(c) for c in facts.candidates[:_MOST]}
    can = table((name, text(why)) for name, why in commits.items()) if commits else ""
    left = len(facts.candidates) - _MOST
    more = f"<p>And {formats.count(left, 'more commit')}.</p>" if left > 0 else ""
    return folded("Which commits can have changed it", f"<p>{text(words.pruned(facts))}</p>{can}{more}")
