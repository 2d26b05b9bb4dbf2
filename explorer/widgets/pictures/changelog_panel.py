"""What is known of the changes of a range, and of the selected commit in it, as HTML. The table's is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...model import formats
from ...model.changelog import story, words
from ...model.changelog.facts import Changelog, CommitCounts, Mode
from ...model.changelog.story import RowEvent
from ...model.words import enumerated
from ..actions import open_commit, show_in_history, trace_row, what_changed
from ..markup import actions, copyable, facts, folded, text

_MOST, _LONGEST = 8, 160  # changes of one row that are told besides the first; letters of one


def panel(changelog: Changelog, snapshot: str, row: str | None = None) -> str:
    """The selected row; else the rows of the selected commit, else of all; what is not known; where to go on.

    Args:
        changelog: as it is shown.
        snapshot: id of the selected commit as text; empty if none is.
        row: key of the selected row; None if none is.
    """
    if row is not None and (events := story.events(changelog, row)):
        return _row(changelog, row, snapshot, events)
    selected = next((c.snapshot for c in changelog.range.commits if str(c.snapshot.snapshot_id) == snapshot), None)
    counts = changelog.counts or {}
    if selected is not None and selected.snapshot_id in counts:
        of = counts[selected.snapshot_id]
        name = words.names(changelog)[selected.snapshot_id]
        heading = f"{name} {_did(changelog.mode, of)}"
        told = [(str(kind), f"{rows:,}") for kind, rows in of.rows.items()]
        if of.carried_over is not None:
            told.append(("carried over", f"{of.carried_over:,}"))
        told.append(("committed", text(formats.instant(selected.committed_at))))
        told.append(("operation", text(selected.operation or "not recorded")))
        next_steps = actions(open_commit(snapshot), show_in_history(snapshot))
        ids = folded("Ids", facts([("snapshot", copyable(snapshot))]))
        return f"<h3>{text(heading)}</h3>{facts(told)}{next_steps}{ids}"
    closing = "".join(f"<p>{text(sentence)}</p>" for sentence in words.closing(changelog))
    return f"<h3>{text(words.title(changelog))}</h3>{closing}{facts(_totals(changelog))}{_next(changelog)}"


def _did(mode: Mode, counts: CommitCounts) -> str:
    """`inserted 3 and updated 18 rows`, where a row that was updated is one; of owners, how many rows are theirs."""
    if mode == "ownership":
        return f"owns {formats.count(counts.printed, 'row')}"
    found = words.totals(mode, [counts])
    of_kinds = ("inserted", found.inserted), ("updated", found.updated), ("deleted", found.deleted)
    parts = [f"{kind} {rows:,}" for kind, rows in of_kinds if rows]
    return f"{enumerated(parts)} {'row' if parts[-1].endswith(' 1') else 'rows'}" if parts else "changed no row"


def _row(changelog: Changelog, key: str, snapshot: str, events: Sequence[RowEvent]) -> str:
    """What became of a row, what the selected commit did to it first; and the way to its whole life."""
    chosen = next((event for event in events if str(event.snapshot_id) == snapshot), events[-1])
    condition = next(row.condition for row in changelog.rows if row.key == key)
    trace = [trace_row(condition)] if condition else []
    listed = {commit.snapshot.snapshot_id for commit in changelog.range.commits}
    commit = [open_commit(chosen.snapshot_id)] if chosen.snapshot_id in listed and chosen.snapshot_id else []
    why = "" if condition else f"<p>{text(story.why_not_traced(changelog))}</p>"
    about = [("row", f"<code>{text(key)}</code>")]
    about += [(cell.column, f"<code>{text(cell.before)} → <b>{text(cell.after)}</b></code>") for cell in chosen.cells]
    others = [f"<li>{text(_cut(event.sentence))}</li>" for event in events if event is not chosen]
    rest = f"<p>Also in this range:</p><ul>{''.join(others[:_MOST])}</ul>" if others else ""
    more = len(others) - _MOST
    rest += f"<p>and {formats.count(more, 'more change')}</p>" if more > 0 else ""
    ids = folded("Ids", facts([("snapshot", copyable(str(chosen.snapshot_id)))])) if chosen.snapshot_id else ""
    return f"<h3>{text(_cut(chosen.sentence))}</h3>{actions(*trace, *commit)}{why}{facts(about)}{rest}{ids}"


def _cut(sentence: str) -> str:
    return sentence if len(sentence) <= _LONGEST else f"{sentence[: _LONGEST - 1]}…"


def _totals(changelog: Changelog) -> Iterable[tuple[str, str]]:
    found = words.totals(changelog.mode, (changelog.counts or {}).values())
    for name, rows in (
        ("inserted", found.inserted),
        ("updated", found.updated),
        ("deleted", found.deleted),
        ("carried over", found.carried_over),
    ):
        if rows:
            yield name, f"{rows:,}"


def _next(changelog: Changelog) -> str:
    """The commit that changed most rows is where a person looks first."""
    counts = {i: of.printed for i, of in (changelog.counts or {}).items() if i is not None and of.printed}
    if len(changelog.range.commits) == 1:
        return actions(
            *(step(changelog.range.commits[0].snapshot.snapshot_id) for step in (open_commit, show_in_history))
        )
    if not counts or changelog.mode == "ownership":
        return "<p>Click a commit to see what it changed.</p>"
    most = max(counts, key=lambda i: counts[i])
    listed = {c.snapshot.snapshot_id for c in changelog.range.commits}
    name = words.names(changelog)[most]
    before = next((c.snapshot.parent_id for c in changelog.range.commits if c.snapshot.snapshot_id == most), None)
    only = "" if before is None else what_changed(before, most, "Only its rows")
    share = f"{counts[most]:,} of {sum(counts.values()):,} rows changed in {name}."
    return f"<p>{text(share)}</p>{actions(open_commit(most), only)}" if most in listed else ""
