"""What is known of the rows of a biography, or of what the selected commit did to them, as HTML; all of it escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...model import formats
from ...model.biography import words
from ...model.biography.facts import Biography, Event, Life
from ...model.biography.fates import fates
from ..actions import follow_file, open_commit
from ..files import ids_and_paths
from ..markup import actions, statement, table, text

_MOST = 6  # lives, or events, told one by one


def panel(biography: Biography, snapshot: str, path: str, relation: str | None = None) -> str:
    """The events at the selected commit, or of the selected file; without a selection each row as it is now.

    Args:
        biography: of the rows.
        snapshot: id of the selected commit as text; empty if none is.
        path: of the selected data or delete file; empty if none is.
        relation: the table as SQL names it; None if it has no name.
    """
    events = [
        event
        for event in biography.events
        if str(event.snapshot.snapshot_id) == snapshot
        or (path and path in (event.row.file_path, event.mask and event.mask.delete_path))
    ]
    paid = f"<p>Looked for in {text(words.price(biography.price))}. {text(words.why_so_many(biography.price))}</p>"
    if events:
        return "".join(_event(biography, event) for event in events[:_MOST]) + _more(len(events), "event") + paid
    lives = [life for fate in fates(biography) for life in fate.lives]
    told = "".join(_life(biography, life, relation) for life in lives[:_MOST])
    return told + _more(len(lives), "row") + paid


def _more(total: int, unit: str) -> str:
    left = total - _MOST
    return f"<p>And {formats.count(left, f'more {unit}')}; the data drawer has them all.</p>" if left > 0 else ""


def _event(biography: Biography, event: Event) -> str:
    head = f"{words.at(event)}: {words.sentence(event)}"
    steps = [follow_file(event.row.file_path)]
    if event.move is None:
        steps = [open_commit(event.snapshot.snapshot_id), *steps]
    snapshot = str(event.snapshot.snapshot_id) if event.move is None else None
    masking = [] if event.mask is None else [(str(event.mask.kind), event.mask.delete_path or None)]
    place = [("snapshot", snapshot), ("file", event.row.file_path), ("position", event.row.position), *masking]
    ids = ids_and_paths(*place, ("row id", event.row.row_id))
    return f"<h3>{text(head)}</h3>{actions(*steps)}{table(_about(biography, event))}{ids}"


def _about(biography: Biography, event: Event) -> Iterable[tuple[str, str]]:
    certainty, reason = words.known_how(event)
    yield "row", text(biography.label_of(event.row))
    yield "known how", f"<b>{text(certainty)}</b> {text(reason)}"
    yield "when", text(formats.instant(event.committed_at))
    yield "writer", text(words.by(event))
    yield "line", text(biography.lines[event.line].name)


def _life(biography: Biography, life: Life, relation: str | None) -> str:
    state = words.state(biography, life)
    why = f"<p>{text(words.DOUBT[:1].upper() + words.DOUBT[1:])}.</p>" if state == "may be there" else ""
    last = (life.on(0) or life.events)[-1]
    head = f"<h3>{text(f'{biography.label_of(life.last)} {state}')}</h3>"
    if last.move is None:
        told, commit = f"Last: {words.named(last.snapshot)}: {words.sentence(last)}.", last.snapshot
    else:
        told, commit = f"Last: {words.ended(last)}.", biography.lines[last.line].head
    steps = actions(open_commit(commit.snapshot_id), follow_file(last.row.file_path))
    return (
        f"{head}{why}<p>{text(told)}</p>{steps}{table(_values(biography, life))}{_as_it_was(biography, life, relation)}"
    )


def _as_it_was(biography: Biography, life: Life, relation: str | None) -> str:
    """SQL that still reads a row which is gone."""
    seen = words.last_seen(biography, life)
    if relation is None or seen is None:
        return ""
    sql = f"SELECT * FROM {relation} VERSION AS OF {seen.snapshot_id}\nWHERE {biography.condition}"  # noqa: S608 - shown
    return f"<h4>It can still be read as it was at {text(words.named(seen))}</h4>{statement(sql)}"


def _values(biography: Biography, life: Life) -> Iterable[tuple[str, str]]:
    """The last values, each with those that it had before."""
    rows = [stretch.row for stretch in life.stretches_on(0) or life.stretches]
    for i, name in enumerate(biography.columns):
        former = [row.values[i] for row in rows if row.same[i] != life.last.same[i]]
        was = f" <i>was {text(', '.join(dict.fromkeys(former)))}</i>" if former else ""
        yield name, f"<code>{text(life.last.values[i])}</code>{was}"
    yield from _ids(life.row_ids)


def _ids(row_ids: Sequence[int]) -> Iterable[tuple[str, str]]:
    if row_ids:
        yield "row id", ", ".join(f"{i:,}" for i in row_ids)
