"""What is known of a file of the timeline, or of the timeline, as HTML. Everything from the table is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from ...model import formats
from ...model.iceberg.delete_scope import DeleteKey
from ...model.sequence_timeline import partition_words
from ...model.sequence_timeline import words as sequence_timeline_words
from ...model.sequence_timeline.facts import FileLifetime, Timeline
from ...model.sequence_timeline.scopes import Scopes
from ...model.words import partition_name
from ..actions import open_partition
from ..files import as_read, ids_and_paths
from ..markup import action, actions, table, text


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
    kind = "data file" if lifetime.kind == "data" else lifetime.kind
    heading, steps = text(f"{kind.capitalize()}: {outcome}"), actions(*_next_steps(lifetime))
    return f"<h3>{heading}</h3>{steps}{table(_numbers(lifetime))}{notes}{_ids(lifetime)}"


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
    crowded = partition_words.where_files_are(timeline) or sequence_timeline_words.title(Scopes(timeline), {})
    hint = "Click a delete to see its reach, or a data file to see what reaches it."
    if not timeline.is_complete:
        hint = "Click a partition to see its files one by one, or a part of its strip for those with these numbers."
    return f"<h3>{text(crowded)}</h3>{table(rows)}<p>{hint}</p>{sentences}"


def _numbers(lifetime: FileLifetime) -> Iterable[tuple[str, str]]:
    yield "partition", text(partition_name(lifetime.spec_id, lifetime.partition, with_spec=True))
    yield (
        ("positions" if lifetime.kind in ("position deletes", "deletion vector") else "rows"),
        f"{lifetime.record_count:,}",
    )
    yield "data sequence number", as_read(lifetime.data_sequence_number)
    yield "file sequence number", as_read(lifetime.file_sequence_number)
    yield "added at", formats.count(lifetime.added_sequence_number)
    if lifetime.removal is not None:
        yield "removed at", formats.count(lifetime.removed_sequence_number)


def _ids(lifetime: FileLifetime) -> str:
    added, removed = lifetime.added_snapshot_id, lifetime.removed_snapshot_id
    return ids_and_paths(
        ("path", lifetime.file_path),
        ("at byte", lifetime.content_offset),
        ("deletes rows of", lifetime.referenced_data_file),
        ("added by", None if added is None else str(added)),
        ("removed by", None if removed is None or lifetime.removal is None else str(removed)),
    )
