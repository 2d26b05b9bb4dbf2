"""By what the rows of rewritten files are found: by the bounds of the files whose rows they are.

A commit that writes the rows of many files into few gives these few the bounds of all: they rule out no file that lies
between, and Iceberg, which skips none by `_file`, opens the whole table for one of them. Where each row lies in the
bounds of a file that the same commit removed, these bounds find it. Whether each does is counted: a file has as many
rows as its entry says.

Source: Iceberg specification, "Manifests" (`record_count`, bounds).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ...engine.logging import silenced_errors
from ...model.iceberg.inheritance import StoredEntry
from ..source import Source
from . import file_predicates
from .file_rows import alternatives, file_rows, others, own_schema
from .line_files import Line
from .schema_mapping import bounded


def conditions(source: Source, line: Line) -> Mapping[int, str]:
    """By place at which files of a line are read, SQL that is true of each of their rows and of few others.

    It is looked for only where it can spare opening many files.

    Cost: nothing, or one statement that reads what it finds of these files.
    """
    if line.odd:  # rows that are read twice are counted twice
        return {}
    removed_at = defaultdict[int, list[StoredEntry]](list)
    for life in line.data:
        removed_at[life.until].append(life.entry)
    found, counts = {}, {}
    for place, lives in line.read_at.items():
        snapshot_id, files = line.snapshot_at(place), [life.entry for life in lives]
        added_at = {life.since for life in lives}
        replaced = [] if 0 in added_at else [entry for at in sorted(added_at) for entry in removed_at[at]]
        if condition := _bounds(source, snapshot_id, files, replaced):
            column = "_deleted" if line.masks else "_pos"  # asked for the first, Iceberg gives masked rows too
            if rows := file_rows(source, snapshot_id, files, [column], known=condition).run:
                found[place] = condition
                counts[place] = f"SELECT {place} AS place, count({column}) AS rows\nFROM (\n    {rows}\n)"
    if not counts:
        return {}
    try:
        with silenced_errors():
            counted = source.spark.sql("\nUNION ALL\n".join(counts.values())).collect()
    except Exception:  # whoever reads these files is told what is wrong with them
        return {}
    recorded = {place: sum(life.entry.record_count for life in line.read_at[place]) for place in counts}
    return {row.place: found[row.place] for row in counted if row.rows == recorded[row.place]}


def _bounds(source: Source, snapshot_id: int, files: Sequence[StoredEntry], replaced: Sequence[StoredEntry]) -> str:
    """Where the rows of replaced files lie; empty if this tells no more than the bounds of the new ones, or of little.

    Of one column, which tells these files apart: others may have been updated.

    Args:
        source: the table.
        snapshot_id: in which the files are read.
        files: that are read.
        replaced: what the commits removed that added these; none if some of them were there before.
    """
    beside = others(source, snapshot_id, files) if replaced else None
    if beside is None or beside.size_in_bytes < sum(file.file_size_in_bytes for file in files):
        return ""
    if not beside.are_many:
        return ""
    own, specs = own_schema(source, snapshot_id), source.specs
    filters = bounded(own, source.document)
    then, column = file_predicates.telling(replaced, own, specs, only=filters)
    if column is None or then <= file_predicates.telling(files, own, specs, only={column})[0]:
        return ""
    worth = alternatives(source, snapshot_id, files)
    return file_predicates.predicate(replaced, own, specs, only={column}, alternatives=worth) or ""
