"""What the facts of a commit add up to: sums, what could not be read, what is certain without reading rows."""

from __future__ import annotations

from collections.abc import Mapping

from ..iceberg.commit import Commit, Tally
from ..iceberg.commit_checks import listed_again
from ..iceberg.inheritance import ContentKind, ListedManifest
from .rows import CommitRows, Outcome

DELETES: tuple[ContentKind, ...] = ("position deletes", "deletion vector", "equality deletes")


def tally(tallies: Mapping[ContentKind, Tally], *kinds: ContentKind) -> Tally:
    """The sum over some kinds of content."""
    return sum((tallies[kind] for kind in kinds if kind in tallies), Tally())


def unread_changes(commit: Commit) -> int:
    """Changed files that the manifest list counts in manifests that cannot be read; 0 if it does not count them."""
    if commit.manifests is None or commit.contradictions:
        return 0
    listed = sum((m.added_files_count or 0) + (m.deleted_files_count or 0) for m in commit.manifests.new)
    return max(listed - commit.totals.files, 0) if unread_manifests(commit) else 0


def certain_outcome(commit: Commit) -> Outcome | None:
    """What became of all rows of the changed files where the format leaves but one answer; None if reading tells.

    Rows are new if no file was removed and no delete came or went. Rows of removed files are deleted if besides nothing
    was added; but where delete files live, some of them may have been masked before.
    """
    added, removed = commit.totals.added, commit.totals.removed
    if unread_changes(commit) or any(kind in tallies for tallies in (added, removed) for kind in DELETES):
        return None
    if "data" in added and "data" not in removed:
        return "inserted"
    return "deleted" if "data" in removed and "data" not in added and commit.kept.delete_files == 0 else None


def unread_manifests(commit: Commit) -> set[str]:
    """Locations of new manifests that could not be read, by the notes about them."""
    about = [note.about for note in commit.notes if note.certainty == "unknown"]
    new = commit.manifests.new if commit.manifests else ()
    return {m.path for m in new if f"Files in {m.path}" in about}


def has_unreadable(commit: Commit) -> bool:
    """Whether its manifest list, or a manifest that it added, could not be read."""
    return commit.manifests is None or bool(unread_manifests(commit))


def lists_twice(commit: Commit) -> bool:
    """Whether several of its entries add, or remove, the same file."""
    return bool(listed_again(commit.files))


def listed(commit: Commit, *, before: bool) -> tuple[ListedManifest, ...]:
    """The manifests of its list; with `before` also those that only the parent's list has, as far as they are known."""
    manifests = commit.manifests
    return (*manifests.new, *manifests.kept, *(manifests.dropped or () if before else ())) if manifests else ()


def changes_rows_of_replace(commit: Commit, rows: CommitRows | None) -> bool:
    """Whether a `replace`, which must not change a row, did. Source: specification, "Snapshots" (operation)."""
    return commit.snapshot.operation == "replace" and rows is not None and rows.before_known and rows.changed > 0


def kept_rows(commit: Commit) -> int | None:
    """Rows in the data files that the commit left alone, by the manifest list; None where it does not count them."""
    if commit.manifests is None:
        return None
    counts = [m.existing_rows_count for m in commit.manifests.new if m.content == 0]
    for m in commit.manifests.kept:
        if m.content == 0:
            counts += [m.existing_rows_count, m.added_rows_count]
    return None if None in counts else sum(c for c in counts if c is not None)


def masked_rows(rows: CommitRows) -> int | None:
    """Rows of kept files that the commit's deletes masked; None if not all touched files are at hand."""
    if len(rows.files) < rows.file_count:
        return None
    kept = [f.outcomes for f in rows.files if f.change == "kept"]
    return sum(f.updated + f.deleted + f.carried_over for f in kept)
