"""What is known about a commit's selected file, or about the commit, as HTML. Everything from the table is escaped."""

from __future__ import annotations

from collections.abc import Sequence

from ...figures.page.names import file_names
from ...model import formats
from ...model.commit import words as commit_words
from ...model.commit.facts import CommitFacts
from ...model.commit.rows import CommitRows, FileRows, Ribbon
from ...model.iceberg.commit import FileChange
from ..actions import follow_file, open_partition, show_in_history, what_changed
from ..files import file_key, identity, ids_and_paths, paths
from ..markup import action, actions, copyable, folded, table, text

_OUTCOMES = (
    ("carried over", "carried_over"),
    ("inserted", "inserted"),
    ("updated", "updated"),
    ("deleted", "deleted"),
    ("not visible", "unseen"),
)
_RIBBONS = 6
_KINDS = {
    "data": "data file",
    "position deletes": "position delete file",
    "equality deletes": "equality delete file",
    "deletion vector": "deletion vector",
}


def panel(facts: CommitFacts, selected: str) -> str:
    """The panel's HTML.

    Args:
        facts: the commit.
        selected: the shared state's file; empty if none.
    """
    change = next((file for file in facts.commit.files if file_key(*file.key) == selected), None)
    rows = facts.rows
    of_rows = next((file for file in rows.files if file.path == selected), None) if rows is not None else None
    if change is None and of_rows is None:
        return _of_commit(facts)
    return "".join(
        (
            f"<h3>{text(_finding(change, of_rows))}</h3>",
            _outcomes(rows, of_rows) if rows is not None and of_rows is not None else "",
            _unread(change) if rows is None and change is not None and change.kind == "data" else "",
            actions(follow_file(selected), *_partition_of(change)),
            table(identity(change.entry, change.resolved)) if change is not None else "",
            paths(change.entry) if change is not None else ids_and_paths(("path", selected)),
        )
    )


def _finding(change: FileChange | None, of_rows: FileRows | None) -> str:
    """What became of the file, and of its rows as far as they were read."""
    kind = "kept data file" if change is None else f"{change.change} {_KINDS[change.kind]}"
    if of_rows is None:
        unit = "row" if change is None or change.kind == "data" else "delete"
        rows = "" if change is None else f", {formats.count(change.entry.record_count, unit)}"
        return f"{kind.capitalize()}{rows}"
    told = [f"{value:,} {name}" for name, field in _OUTCOMES if (value := getattr(of_rows.outcomes, field))]
    return f"{kind.capitalize()}: {', '.join(told) or 'no row of it changed'}"


def _of_commit(facts: CommitFacts) -> str:
    words = commit_words.closing(facts.commit, facts.rows)
    wrong = "".join(f"<p><b>Contradiction</b>: {text(str(c))}.</p>" for c in facts.commit.contradictions)
    return (
        f"<h3>{text(commit_words.title(facts.commit, facts.rows))}</h3>"
        + "".join(f"<p>{text(word)}</p>" for word in words)
        + wrong
        + _next_steps(facts)
        + _totals(facts)
        + "<p>Click a file, or choose one in the list, to see what became of its rows.</p>"
    )


def _next_steps(facts: CommitFacts) -> str:
    own, parent = facts.commit.snapshot.snapshot_id, facts.commit.snapshot.parent_id
    rows = [] if parent is None else [what_changed(parent, own, "Rows it changed")]
    return actions(*rows, show_in_history(own), action("deletes", str(own), "Deletes after it"))


def _partition_of(change: FileChange | None) -> tuple[str, ...]:
    return () if change is None else (open_partition(change.entry.spec_id, change.entry.partition),)


def _totals(facts: CommitFacts) -> str:
    kept = facts.commit.kept
    rows = [("data files kept", text(formats.count(kept.data_files)))] if kept.data_files is not None else []
    if kept.delete_files:
        rows.append(("delete files kept", formats.count(kept.delete_files)))
    if facts.rows is not None:
        totals = facts.rows.totals
        rows += [(f"rows {name}", f"{value:,}") for name, field in _OUTCOMES if (value := getattr(totals, field))]
        rows.append(("rows written", f"{facts.rows.rows_written:,}, {formats.size(facts.rows.bytes_written)}"))
        if facts.rows.amplification is not None:
            rows.append(("written for each changed", commit_words.ratio(facts.rows.amplification)))
    return table(rows)


def _outcomes(rows: CommitRows, of_rows: FileRows) -> str:
    counts = [(name, f"{value:,}") for name, field in _OUTCOMES if (value := getattr(of_rows.outcomes, field))]
    deletes = file_names((m.delete_path, m.content_offset) for m in of_rows.masked_by)
    masked = [
        (f"masked by {m.kind}", f"{m.rows:,} by {text(deletes[m.delete_path, m.content_offset])}")
        for m in of_rows.masked_by
    ]
    came = [ribbon for ribbon in rows.ribbons if ribbon.target == of_rows.path]
    went = [ribbon for ribbon in rows.ribbons if ribbon.source == of_rows.path]
    heading = "What became of its rows" if of_rows.change != "added" else "Where its rows are from"
    return (
        f"<h3>{heading}</h3>"
        + table([("rows in the file", f"{of_rows.record_count:,}"), *counts, *masked])
        + _ribbons("From", [(r.source, r) for r in came])
        + _ribbons("To", [(r.target, r) for r in went])
        + folded(
            "Masked by",
            table((m.kind, copyable(file_key(m.delete_path, m.content_offset))) for m in of_rows.masked_by)
            if of_rows.masked_by
            else "",
        )
    )


def _ribbons(word: str, ribbons: Sequence[tuple[str, Ribbon]]) -> str:
    short = file_names((path, None) for path, _ in ribbons)
    rows = [
        (
            f"{word} {short[path, None]}",
            f'{r.rows:,} {r.outcome} <b class="iceberg-{"exact" if r.certainty == "proved" else "inferred"}">'
            f"{r.certainty}</b>",
        )
        for path, r in ribbons[:_RIBBONS]
    ]
    more = len(ribbons) - len(rows)
    return (table(rows) if rows else "") + (f"<p>and {formats.count(more, 'more file')}</p>" if more > 0 else "")


def _unread(file: FileChange) -> str:
    side = "came" if file.change == "added" else "went"
    return f"<p>The metadata does not record where its rows {side}. Read the rows to know.</p>"
