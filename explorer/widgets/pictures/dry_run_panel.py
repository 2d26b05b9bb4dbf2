"""What a procedure would do, as HTML: danger, who would be cut off, the statement and its undo. All of it escaped."""

from __future__ import annotations

from ...model.dry_run import words
from ...model.dry_run.facts import DryRun
from ..actions import open_commit, show_in_history
from ..markup import actions, statement, table, text


def panel(facts: DryRun, run: str, undo: str) -> str:
    """The whole of it; what is selected is marked in the picture, and told in the other tabs.

    Args:
        facts: what would be done.
        run: the statement that would run it; empty for a table without a name.
        undo: the one that would take it back; empty where none does.
    """
    target = facts.target
    steps = [] if target is None else [open_commit(target.snapshot_id), show_in_history(target.snapshot_id)]
    is_idle = bool(facts.refusal) or facts.changes_nothing
    return "".join(
        (
            f"<h3>{text(words.title(facts))}</h3>",
            actions(*steps),
            f"<p><b>Danger</b> {text(facts.danger)}</p>" if facts.danger and not is_idle else "",
            _followed(facts),
            _sums(facts),
            f"<h4>To run it, which nobody did</h4>{statement(run)}" if run and not is_idle else "",
            f"<h4>To undo it</h4><p>{text(facts.undo_words)}</p>" if facts.undo_words and not is_idle else "",
            statement(undo) if undo and not is_idle else "",
        )
    )


def _followed(facts: DryRun) -> str:
    """Who would notice: refs, readers of old snapshots, what stays."""
    lines = "".join(f"<li>{text(line)}</li>" for line in facts.consequences)
    return f'<h4>Who would notice</h4><ul class="iceberg-told">{lines}</ul>' if lines else ""


def _sums(facts: DryRun) -> str:
    rows = []
    for of in facts.sums:
        many, held = words.sum_words(of)
        rows.append((words.MEANINGS[of.what], text(f"{many}{f', {held}' if held else ''}")))
    return table(rows) if rows else ""
