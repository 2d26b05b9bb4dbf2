"""What is not known of a biography, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from .. import formats
from ..evidence import Note
from ..iceberg.metadata import TableMetadata
from ..iceberg.schema import SchemaField
from ..iceberg.unreadable import Unreadable
from .facts import Absence, Biography, Line

_MOST = 6  # notes of one kind; what is more is counted


def cut(biography: Biography) -> list[Note]:
    """What to say where not all rows are told."""
    left = biography.rows - biography.told
    if left <= 0:
        return []
    about = f"{formats.count(biography.told)} of {formats.count(biography.rows, 'row version')} are told"
    which = ", ".join(biography.columns[i] for i in biography.key) or "their row ids or values"
    return [Note("exact", about, f"They are the first ones by {which}. A narrower condition tells of the others.")]


def away(absences: Sequence[Absence], lives: int) -> Iterator[Note]:
    """When main was elsewhere, and for how many of the rows that are told its readers did not get them."""
    rows = Counter((absence.since, absence.until) for absence in absences)
    for (since, until), n in list(rows.items())[:_MOST]:
        about = f"Main was elsewhere from {formats.instant(since)} to {formats.instant(until)}"
        which = "the row" if lives == 1 else formats.count(n, "row")
        reason = (
            f"Readers of main did not get {which} then. The line is told along its ancestry, which has no such gap."
        )
        yield Note("exact", about, reason)


def beginning(line: Line) -> list[Note]:
    """What to say where what was before has expired."""
    first = line.snapshots[0]
    if line.begins != "expired" or first is None:
        return []
    about = f"What was before snapshot {first.snapshot_id}"
    reason = f"Its parent {first.parent_id} is no longer listed: rows that were there already existed at or before it."
    return [Note("unknown", about, reason)]


def identity(metadata: TableMetadata, key: Sequence[str], damage: str, *, guessed: bool) -> Note:
    """How rows are told to be one where row ids do not say so."""
    why = damage or "Not all of these commits gave their rows ids."
    if metadata.format_version < 3 and not damage:
        why = f"A table of format version {metadata.format_version} has no row ids."
    if key:
        how = f"Rows are paired by equal values, then by equal {', '.join(key)}."
        if guessed:
            how += " It is a guess: no data file speaks against it. Name identifier columns to say which it is."
    else:
        how = "Rows are paired by equal values alone, so that an update is told as a row that goes and one that comes."
        how += " Name identifier columns to see updates."
    return Note("inferred", "Which row became which", f"{why} {how}")


def unreadable_rows(files: Iterable[Unreadable]) -> Iterator[Note]:
    """Data files and deletes whose content is not known."""
    found = list({file.path: file for file in files}.values())
    for file in found[:_MOST]:
        yield Note("unknown", f"What {file.path.rsplit('/', 1)[-1]} holds", file.reason)
    if len(found) > _MOST:
        about = f"What {formats.count(len(found) - _MOST, 'more file')} hold"
        yield Note("unknown", about, "They cannot be read either.")


def unreadable_metadata(
    lists: Mapping[int, str], manifests: Iterable[Unreadable], lines: Sequence[Line]
) -> Iterator[Note]:
    """Manifest lists and manifests that could not be read, of snapshots that are told of."""
    on_lines = {i for line in lines for i in line.places}
    found = [(i, reason) for i, reason in lists.items() if i in on_lines]
    for snapshot_id, reason in found[:_MOST]:
        about = f"What snapshot {snapshot_id} did"
        later = (line.snapshots[line.places[snapshot_id] + 1 :] for line in lines if snapshot_id in line.places)
        is_told = any(s is not None and s.snapshot_id not in lists for snapshots in later for s in snapshots)
        told = "It is told at the next snapshot that can be read." if is_told else "No snapshot after it tells it."
        yield Note("unknown", about, f"{reason} {told}")
    if len(found) > _MOST:
        about = f"What {formats.count(len(found) - _MOST, 'more snapshot')} did"
        yield Note("unknown", about, "Their manifest lists cannot be read either.")
    for file in list(manifests)[:_MOST]:
        yield Note("unknown", f"Files in {file.path.rsplit('/', 1)[-1]}", file.reason)


def not_followed(lives: int, most: int, rounds: int) -> Note:
    """What to say where rows were no longer followed to the values with which they do not meet the condition.

    Args:
        lives: that are told.
        most: above which none is followed.
        rounds: so many times they are.
    """
    if lives > most:
        why = f"Rows are followed where at most {formats.count(most)} lives are told; here are {formats.count(lives)}."
        why += " A narrower condition follows them."
    else:
        why = f"Rows were followed {formats.count(rounds, 'time')}, and there may be more. A condition over the last"
        why += " values that are told goes on from there."
    return Note("unknown", "What rows were before they met the condition, and became after", why)


def contradicted(paths: Collection[str]) -> Iterator[Note]:
    """Files of which the reader said another thing than the deletes."""
    for path in sorted(paths)[:_MOST]:
        about = f"When rows of {path.rsplit('/', 1)[-1]} were masked"
        yield Note(
            "unknown", about, "The reader masks other rows than the content of the deletes says; it is believed."
        )


def younger_columns(columns: Iterable[int], schemas: Mapping[int, Sequence[SchemaField]], line: Line) -> Iterator[Note]:
    """Columns of the condition that the first snapshots of the line did not have."""
    wanted = set(columns)
    for snapshot in line.snapshots:
        if snapshot is None or snapshot.schema_id is None:
            continue
        lacking = wanted - {known.field_id for known in schemas.get(snapshot.schema_id, ())}
        names = [known.path for fields in schemas.values() for known in fields if known.field_id in lacking]
        for name in dict.fromkeys(names):
            reason = "Rows that were written before it was added read as null there, or as its default."
            yield Note("exact", f"The column {name} is younger than snapshot {snapshot.snapshot_id}", reason)
        return
