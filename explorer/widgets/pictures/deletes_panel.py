"""What is known of a selected delete, data file, pair of them, or row, as HTML. All that a table says is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from ...model import formats
from ...model.deletes import words as deletes_words
from ...model.deletes.by_partition import is_by_partition
from ...model.deletes.facts import Deletes, LiveDelete, LiveFile
from ...model.iceberg.delete_scope import Clause, DataFile, DeleteFile, DeleteKey, Verdict
from ...model.why.facts import MatchedRow, RowOutcome
from ...model.words import partition_name
from ..actions import follow_file, open_partition
from ..files import as_read, file_key, ids_and_paths
from ..markup import actions, table, text

_MOST_ROWS = 10
_CELLS = "Click a cell to see the clauses that decide for its pair."
_PARTITIONS = "Click a partition for its own pairs, each with the clauses that decide."
_SIGNS = {True: "✓", False: "✕", None: "?"}


def deletes_panel(deletes: Deletes, delete: DeleteKey | None, path: str | None) -> str:
    """Of a pair the clauses as a checklist, then each of the two; without a selection what is found of all deletes.

    Args:
        deletes: of the snapshot.
        delete: the selected one; None if none is.
        path: of the selected data file; None if none is.
    """
    live = next((d for d in deletes.deletes if d.file.key == delete), None)
    file = next((f for f in deletes.data_files if f.file.file_path == path), None)
    if live is None and file is None:
        return _of_all(deletes)
    pair = next((p for p in deletes.pairs if p.delete == delete and p.data_path == path), None)
    return "".join(
        (
            _checklist(pair.verdict) if pair else "",
            _delete(live, deletes.data_file_count) if live else "",
            _data(deletes, file) if file else "",
        )
    )


def _of_all(deletes: Deletes) -> str:
    states = [(state, formats.count(count)) for state, count in deletes.states.items() if count]
    findings = "".join(f"<p>{text(finding.words)}</p>" for finding in deletes.findings)
    closing = "".join(f"<p>{text(sentence)}</p>" for sentence in deletes_words.closing(deletes))
    counted = {
        "deletes": deletes.delete_count,
        "data files": deletes.data_file_count,
        "pairs that apply": deletes.reached_pairs,
    }
    counts = [(name, formats.count(None if deletes.unreadable else count)) for name, count in counted.items()]
    unread = ids_and_paths(("manifest list", deletes.snapshot.manifest_list)) if deletes.unreadable else ""
    way = f"<p>{_PARTITIONS if is_by_partition(deletes) else _CELLS}</p>" if deletes.delete_count else ""
    return f"<h3>{text(_heading(deletes))}</h3>{findings}{closing}{table([*counts, *states])}{unread}{way}"


def _heading(deletes: Deletes) -> str:
    if deletes.unreadable:
        return "Which deletes there are is not known"
    reached = formats.count(deletes.reached_pairs, "pair")
    return f"{formats.count(deletes.delete_count, 'delete')}, {reached} of delete and data file apply"


def _checklist(verdict: Verdict) -> str:
    applies = {True: "applies", False: "does not apply", None: "cannot be told"}[verdict.applies]
    head = f"<h3>The delete {applies}</h3><p>Decided by {text(verdict.decided_by)}: {text(verdict.reason)}.</p>"
    return head + table(_clauses(verdict.clauses))


def _clauses(clauses: Iterable[Clause]) -> Iterable[tuple[str, str]]:
    for clause in clauses:
        yield f"{_SIGNS[clause.holds]} {clause.name}", text(clause.words)


def _delete(live: LiveDelete, data_files: int) -> str:
    file = live.file
    what, reach, *more = deletes_words.about_delete(live, data_files)
    sentences = "".join(f"<p>{text(sentence)}</p>" for sentence in (what, *more))
    steps = actions(follow_file(file_key(*file.key)))
    heading = text(f"{deletes_words.kind_words(file).capitalize()}: {reach}")
    ids = ids_and_paths(("path", file.file_path), ("at byte", file.content_offset), ("deletes rows of", file.data_file))
    return f"<h3>{heading}</h3>{sentences}{steps}{table(_of_delete(live, file))}{ids}"


def _of_delete(live: LiveDelete, file: DeleteFile) -> Iterable[tuple[str, str]]:
    yield "reaches data", text(f"{live.threshold} in {live.scope}")
    yield "data sequence number", as_read(file.data_sequence_number)
    if file.keys:
        yield "keys", text(", ".join(key.name for key in file.keys))
    yield ("keys deleted" if file.keys else "positions"), f"{file.record_count:,}"
    yield "size", formats.size(file.size_in_bytes)


def _data(deletes: Deletes, live: LiveFile) -> str:
    file = live.file
    unknown = any(pair.data_path == file.file_path and pair.verdict.applies is None for pair in deletes.pairs)
    bound = deletes_words.bound(deletes, unknown)
    count = formats.count(live.reached_by, "delete") if live.reached_by or unknown else "no delete"
    heading = f"Data file: {bound if live.reached_by or unknown else ''}{count} to apply when it is read"
    steps = actions(follow_file(file.file_path), open_partition(file.spec_id, file.partition))
    about = f"<p>{text(deletes_words.about_file(live))}</p>"
    return f"<h3>{text(heading)}</h3>{about}{steps}{table(_of_data(file))}{ids_and_paths(('path', file.file_path))}"


def _of_data(file: DataFile) -> Iterable[tuple[str, str]]:
    yield "partition", text(partition_name(file.spec_id, file.partition, with_spec=True))
    yield "rows", f"{file.record_count:,}"
    yield "size", formats.size(file.size_in_bytes)
    yield "data sequence number", as_read(file.data_sequence_number)


def why_panel(outcome: RowOutcome, path: str) -> str:
    """The rows of the selected data file, else the first ones, with every delete in question.

    Args:
        outcome: of the rows.
        path: of the selected data file; empty if none is.
    """
    chosen = [row for row in outcome.rows if row.file_path == path] or outcome.rows
    counts = table([("live", formats.count(outcome.live_count)), ("masked", formats.count(outcome.masked_count))])
    return counts + "".join(_row(row, outcome.columns) for row in chosen[:_MOST_ROWS])


def _row(row: MatchedRow, columns: tuple[str, ...]) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in zip(columns, row.values, strict=True))
    deletes = [(f"{_SIGNS[delete.masks]} {delete.delete.kind}", text(delete.words)) for delete in row.deletes]
    place = ids_and_paths(("file", row.file_path), ("position", row.position))
    return f"<h3>{text(values)}</h3><p>{text(row.reason)}</p>{table(deletes) if deletes else ''}{place}"
