"""What is known of a file of the timeline, or of the timeline, as HTML. Everything from the table is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from ...model import formats
from ...model.iceberg.delete_scope import DeleteKey
from ...model.sequence_timeline import words as sequence_timeline_words
from ...model.sequence_timeline.facts import FileLifetime, Timeline
from ...model.sequence_timeline.scopes import Scopes
from ...model.words import partition_name
from ..actions import open_partition
from ..files import as_read
from ..markup import action, actions, copyable, table, text


def panel(timeline: Timeline, selected: DeleteKey | None) -> str:
    """The life of the selected file; without one, what is known of all.

    Args:
        timeline: as of a snapshot.
        selected: path and content offset; None if no file is selected.
    """
    lifetime = sequence_timeline_words.find(timeline, selected)
    if lifetime is None:
        return _of_all(timeline)
    outcome = sequence_timeline_words.outcome(Scopes(timeline), lifetime)
    notes = "".join(f"<p>{text(str(note))}</p>" for note in lifetime.notes)
    heading, steps = text(lifetime.kind.capitalize()), actions(*_next_steps(lifetime))
    return f"<h3>{heading}</h3><p>{text(outcome)}</p>{steps}{table(_identity(lifetime))}{notes}"


def _next_steps(lifetime: FileLifetime) -> Iterable[str]:
    for label, snapshot_id in (
        ("Commit that added it", lifetime.added_snapshot_id),
        ("Commit that removed it", lifetime.removed_snapshot_id if lifetime.removal is not None else None),
    ):
        if snapshot_id is not None:
            yield action("commit", str(snapshot_id), label)
    yield open_partition(lifetime.spec_id, lifetime.partition)


def _of_all(timeline: Timeline) -> str:
    counts = {
        "files of the whole history": timeline.total_files,
        "live data files": sequence_timeline_words.live_data_files(timeline),
        "live delete files": sequence_timeline_words.live_delete_files(timeline),
    }
    is_known = timeline.total_files or not sequence_timeline_words.lacks_parts(timeline)
    rows = [(name, formats.count(count if is_known else None)) for name, count in counts.items()]
    rows.append(("commits", formats.count(len(timeline.commits))))
    sentences = "".join(f"<p>{text(line)}</p>" for line in sequence_timeline_words.closing(timeline, timeline.files))
    return (
        f"<h3>No file selected</h3>{sentences}{table(rows)}"
        "<p>Click a delete to see its reach, or a data file to see what reaches it.</p>"
    )


def _identity(lifetime: FileLifetime) -> Iterable[tuple[str, str]]:
    yield "path", copyable(lifetime.file_path)
    if lifetime.content_offset is not None:
        yield "at byte", f"{lifetime.content_offset:,}"
    yield "partition", text(partition_name(lifetime.spec_id, lifetime.partition, with_spec=True))
    yield (
        ("positions" if lifetime.kind in ("position deletes", "deletion vector") else "rows"),
        f"{lifetime.record_count:,}",
    )
    yield "data sequence number", as_read(lifetime.data_sequence_number)
    yield "file sequence number", as_read(lifetime.file_sequence_number)
    yield "added at", _at(lifetime.added_sequence_number, lifetime.added_snapshot_id)
    if lifetime.removal is not None:
        yield "removed at", _at(lifetime.removed_sequence_number, lifetime.removed_snapshot_id)
    if lifetime.referenced_data_file is not None:
        yield "deletes rows of", copyable(lifetime.referenced_data_file)


def _at(number: int | None, snapshot_id: int | None) -> str:
    known = "unknown" if number is None else f"{number:,}"
    return known if snapshot_id is None else f"{known}, snapshot {copyable(str(snapshot_id))}"
