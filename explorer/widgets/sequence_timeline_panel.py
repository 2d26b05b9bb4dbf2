"""What is known of a file of the timeline, or of the timeline, as HTML. Everything from the table is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from ..model import commit_story, formats, sequence_timeline_story
from ..model.delete_scope import DeleteKey
from ..model.sequence_timeline import FileLife, Timeline
from ..model.sequence_timeline_scopes import Scopes
from .files import as_read
from .markup import copyable, table, text


def panel(timeline: Timeline, selected: DeleteKey | None) -> str:
    """The life of the selected file; without one, what is known of all.

    Args:
        timeline: as of a snapshot.
        selected: path and content offset; None if no file is selected.
    """
    life = sequence_timeline_story.find(timeline, selected)
    if life is None:
        return _of_all(timeline)
    fate = sequence_timeline_story.fate(Scopes(timeline), life)
    notes = "".join(f"<p>{text(str(note))}</p>" for note in life.notes)
    return f"<h3>{text(life.kind.capitalize())}</h3><p>{text(fate)}</p>{table(_identity(life))}{notes}"


def _of_all(timeline: Timeline) -> str:
    counts = {
        "files of the whole history": timeline.total_files,
        "live data files": sequence_timeline_story.live_data_files(timeline),
        "live delete files": sequence_timeline_story.live_delete_files(timeline),
    }
    is_known = timeline.total_files or not sequence_timeline_story.lacks_parts(timeline)
    rows = [(name, formats.count(count if is_known else None)) for name, count in counts.items()]
    rows.append(("commits", formats.count(len(timeline.commits))))
    told = "".join(f"<p>{text(line)}</p>" for line in sequence_timeline_story.closing(timeline, timeline.files))
    return (
        f"<h3>No file selected</h3>{told}{table(rows)}"
        "<p>Click a delete to see its reach, or a data file to see what reaches it.</p>"
    )


def _identity(life: FileLife) -> Iterable[tuple[str, str]]:
    yield "path", copyable(life.file_path)
    if life.content_offset is not None:
        yield "at byte", f"{life.content_offset:,}"
    yield "partition", text(commit_story.partition_name(life.spec_id, life.partition, with_spec=True))
    yield ("positions" if life.kind in ("position deletes", "deletion vector") else "rows"), f"{life.record_count:,}"
    yield "data sequence number", as_read(life.data_sequence_number)
    yield "file sequence number", as_read(life.file_sequence_number)
    yield "added at", _at(life.added_sequence_number, life.added_snapshot_id)
    if life.removal is not None:
        yield "removed at", _at(life.removed_sequence_number, life.removed_snapshot_id)
    if life.referenced_data_file is not None:
        yield "deletes rows of", copyable(life.referenced_data_file)


def _at(number: int | None, snapshot_id: int | None) -> str:
    known = "unknown" if number is None else f"{number:,}"
    return known if snapshot_id is None else f"{known}, snapshot {copyable(str(snapshot_id))}"
