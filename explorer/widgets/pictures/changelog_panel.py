"""What is known of the changes of a range, and of the selected commit in it, as HTML. The table's is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from ...model import formats
from ...model.changelog import words
from ...model.changelog.facts import Changelog
from ..actions import open_commit, show_in_history, what_changed
from ..markup import actions, copyable, facts, folded, text


def panel(changelog: Changelog, snapshot: str) -> str:
    """The rows of the selected commit, else of all; what is not known; where to go on.

    Args:
        changelog: as it is shown.
        snapshot: id of the selected commit as text; empty if none is.
    """
    selected = next((c.snapshot for c in changelog.range.commits if str(c.snapshot.snapshot_id) == snapshot), None)
    counts = changelog.counts or {}
    if selected is not None and selected.snapshot_id in counts:
        of = counts[selected.snapshot_id]
        name = words.short_ids(changelog)[selected.snapshot_id]
        heading = f"{formats.count(of.printed, 'row')} of commit {name}"
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
    if len(changelog.range.commits) < 2 or not counts or changelog.mode == "ownership":
        return "<p>Click a commit to see what it changed.</p>"
    most = max(counts, key=lambda i: counts[i])
    listed = {c.snapshot.snapshot_id for c in changelog.range.commits}
    name = words.short_ids(changelog)[most]
    before = next((c.snapshot.parent_id for c in changelog.range.commits if c.snapshot.snapshot_id == most), None)
    only = "" if before is None else what_changed(before, most, "Only its rows")
    share = f"{counts[most]:,} of {sum(counts.values()):,} rows changed in {name}."
    return f"<p>{text(share)}</p>{actions(open_commit(most), only)}" if most in listed else ""
