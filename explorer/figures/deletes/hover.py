"""What the pointer is told about deletes and data files: at most six lines, everything from the table escaped."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ...model.deletes import words as deletes_words
from ...model.deletes.facts import Block, DeleteGroup, LiveDelete, LiveFile, Partition
from ...model.iceberg.delete_scope import Verdict
from ...model.words import UNITS, holds, partition_name
from ..page.text import cut, escape


def _lines(head: str, *lines: str) -> str:
    told = [f"<b>{escape(cut(head))}</b>", *(escape(cut(line)) for line in lines if line)]
    return "<br>".join(told)


def _path(live: LiveDelete) -> str:
    offset = live.file.content_offset
    return live.file.file_path + ("" if offset is None else f" at {offset:,}")


def pair(live: LiveDelete, file: LiveFile, verdict: Verdict) -> str:
    """A cell: the answer, both files, both numbers, the clause that decides; out of scope only why."""
    found = deletes_words.outcome(live.file, file.file, verdict)
    if found == "out of scope":
        return _lines(
            deletes_words.answer(found), f"decided by {verdict.decided_by}: {verdict.reason}", "click: select both"
        )
    number = file.file.data_sequence_number
    told = "unknown" if number.value is None else f"{number.value:,}"
    return _lines(
        deletes_words.answer(found),
        f"{UNITS[live.file.kind]} {_path(live)}",
        f"data file {file.file.file_path}",
        f"reaches data {live.threshold} ({live.file.data_sequence_number.rule}); the file has {told} ({number.rule})",
        f"decided by {verdict.decided_by}: {verdict.reason}",
        "click: select both",
    )


def delete(live: LiveDelete, data_files: int) -> str:
    """A row: a delete by itself."""
    out = ", ".join(f"{n:,} by {name}" for name, n in live.ruled_out.items())
    file = live.file
    return _lines(
        f"{UNITS[file.kind]}: {deletes_words.verdict_words(live, data_files)}",
        _path(live),
        f"{holds(file.kind, file.record_count)}, {formats.size(file.size_in_bytes)}; reaches data {live.threshold} of "
        f"{live.scope}",
        live.reason,
        f"ruled out: {out}" if out else "",
        "click: select",
    )


def run(live: LiveDelete, files: Sequence[LiveFile], found: str) -> str:
    """Neighbouring cells of one delete with the same outcome."""
    place = partition_name(files[0].file.spec_id, files[0].file.partition, with_spec=True)
    known = [n for f in files if (n := f.file.data_sequence_number.value) is not None]
    span = deletes_words.numbers(min(known, default=None), max(known, default=None))
    return _lines(
        f"{found}: {formats.count(len(files), 'data file')} of {place}",
        f"data sequence numbers {span}; the delete reaches {live.threshold}",
        f"{UNITS[live.file.kind]} {_path(live)}",
        "click: select the delete",
    )


def file(live: LiveFile, to_apply: str) -> str:
    """A column: a data file by itself."""
    return _lines(
        f"data file: {to_apply} to apply when it is read",
        live.file.file_path,
        deletes_words.about_file(live),
        "click: select",
    )


def partition(spec_id: int, name: str, files: int, rows: int, span: str, click: str) -> str:
    """The head of a partition."""
    place = partition_name(spec_id, name, with_spec=True)
    return _lines(place, f"{formats.count(files, 'data file')}, {formats.count(rows, 'row')}", f"numbers {span}", click)


def group(group: DeleteGroup, words: str) -> str:
    """A row of several deletes."""
    place = (
        group.scope if group.scope == "every file" else partition_name(group.spec_id, group.partition, with_spec=True)
    )
    return _lines(
        f"{formats.count(group.deletes, UNITS[group.kind])} of {place}",
        f"scope: {group.scope}; {holds(group.kind, group.records)}",
        f"reach data {deletes_words.threshold(group)}",
        words,
    )


def block(group: DeleteGroup, partition: Partition, block: Block, click: str) -> str:
    """Deletes of a group with the data files of a partition."""
    pairs = group.deletes * partition.files
    out = ", ".join(f"{n:,} by {name}" for name, n in block.ruled_out.items())
    unknown = f", {block.unknown:,} unknown" if block.unknown else ""
    return _lines(
        f"{block.reached:,} of {formats.count(pairs, 'pair')} reached{unknown}",
        f"{formats.count(group.deletes, UNITS[group.kind])}, {deletes_words.threshold(group)}",
        f"{formats.count(partition.files, 'data file')} of "
        f"{partition_name(partition.spec_id, partition.partition, with_spec=True)}, "
        f"numbers {deletes_words.numbers(partition.oldest, partition.newest)}",
        f"ruled out: {out}" if out else "",
        click,
    )
