"""Row lifetimes: each row version of a line, at which commit it came to be visible and at which it ceased to be.

A row version is a place, (file, position). It is visible while its file is live and no delete masks it. Each file is
read once, in the scan of a snapshot in which it is live: asked for `_deleted`, Iceberg gives the rows that deletes mask
there too. What deletes of the line hold is read once, and joined: positions by place, equality deletes by key.

The text is one statement, over four kinds of small tables of its own: `life`, the lives of the data files, by places
in the line; `mask`, those of the deletes; what the deletes hold; the rows as read.

Sources: Iceberg specification, "Scan Planning" (which deletes apply), "Deletion Vectors" (beside a vector position
delete files are ignored), "Equality Delete Files" (strictly older data).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pyspark.sql import DataFrame

from ...model.iceberg import touched_files
from ...model.iceberg.document import Schema
from ...model.iceberg.file_lives import FileLife, reading_places
from ...model.iceberg.inheritance import StoredEntry
from ...model.iceberg.touched_files import place_of, referenced_data_file
from .. import identifiers
from ..source import Source
from . import chosen_files, delete_content, equality_keys, rewritten_files, schema_mapping
from . import row_lifetimes_sql as sql
from .chosen_files import has_row_ids
from .equal_values import struct
from .equality_keys import Keys
from .file_rows import file_rows, in_few_tasks, own_schema
from .line_files import Line
from .local_rows import local_rows
from .schema_mapping import current_schema, schemas, text

_FILES_SHOWN = 1_000
_EQUALITY_DELETES = 2
_KEYS_A_TASK_IN_BYTES = 8_000_000


class Compact(NamedTuple):
    """Row versions with what their `_events` can be made of: for whoever moves them.

    Attributes:
        part: the name of the part that has them.
        columns: of it.
        events: an expression of these.
    """

    part: str
    columns: str
    events: str


@dataclass(frozen=True)
class RowLifetimes:
    """Row versions as SQL: WITH parts, of which the last one has the rows.

    They have the columns of the schema; then, with row ids, `_row_id` bigint; `_file` string; `_pos` bigint; `_events`
    array of struct<at int, came boolean>: the places of the line at which the row came to be visible, and at which it
    ceased to be. A row that was never visible has none, or is not there.

    Attributes:
        last: the name of the last part.
        run: the parts; `{name}` stands for a frame, other braces are doubled.
        frames: by these names.
        shown: the same for the person, without frames; empty where SQL cannot name the table or an equality delete
            file, or where there are more than a thousand files to name.
        compact: the same rows as an earlier part has them, if that takes fewer bytes.
        scans: whether a snapshot is scanned, which takes every manifest of it.
    """

    last: str
    run: str
    frames: Mapping[str, DataFrame]
    shown: str
    compact: Compact | None = None
    scans: bool = False


def row_lifetimes(
    source: Source, line: Line, target: Schema, *, row_ids: bool, name: str = "", unchanged: bool = False
) -> RowLifetimes:
    """The row versions of a line.

    Args:
        source: the table.
        line: of `line_files.read`, with data files.
        target: the schema in whose columns the rows are told, as metadata.json writes it.
        row_ids: with `_row_id`.
        name: that tells its frames from those of other lines.
        unchanged: with every row of these files; else those may be missing that no delete of the line masks, of files
            that no commit whose rows are asked for added or removed.

    Raises:
        NoKeyColumn: the key column of an equality delete is in no schema, or inside a struct that the rows lack.
        UnreadableMetadata: a delete file cannot be read.
        ExplorerError: a column is called as one that Iceberg keeps for itself.

    Cost: now, that of `rewritten_files.conditions`, and the bytes of the deletes in `line.deletes` if they are small
        together; when it runs, those that are not, and each of the data files once, with the deletes that apply to it
        in the snapshot in which it is read; by itself twice, where row ids are asked of one that has deletes.
    """
    groups = tuple(
        equality_keys.keys(
            source,
            (life.entry for life in line.deletes if life.entry.content == _EQUALITY_DELETES),
            [*schemas(source.document).values(), current_schema(source.document)],
        )
    )
    frames: dict[str, DataFrame] = {}
    runs: dict[str, str] = {}
    shown: dict[str, str] = {}

    def small(of: str, columns: sql.Columns, rows: Sequence[tuple[Any, ...]]) -> str:
        ddl = ", ".join(f"{column} {kind}" for column, kind in columns)
        frames[f"{of}{name}"], shown[f"{of}{name}"] = local_rows(source.spark, rows, ddl), sql.values(of, columns, rows)
        return f"<<{of}{name}>>"

    mixed = {"deletion vector", "position deletes"} <= {delete.entry.kind for delete in line.deletes}
    columns = sql.LIFE if mixed else sql.LIFE[:-1] if line.deletes else sql.LIFE[:4]
    life = small("life", columns, [row[: len(columns)] for row in _life_rows(line)])
    steps = [f"life AS ( -- {sql.ABOUT_LIFE}\n  SELECT * FROM {life}\n)"]  # noqa: S608 - a placeholder
    joins, spans = [], []
    if line.deletes:
        mask = small("mask", sql.MASK, [_mask_row(source, delete) for delete in line.deletes])
        steps.append(f"mask AS ( -- {sql.ABOUT_MASK}\n  SELECT * FROM {mask}\n)")  # noqa: S608 - a placeholder
    if positions := [life for life in line.deletes if life.entry.content != _EQUALITY_DELETES]:
        frames[f"positions{name}"] = delete_content.positions(source, (life.entry for life in positions))
        shown[f"positions{name}"] = _positions_shown(source, line, positions)
        beside = {"span": "span", "view": sql.SPANS_BESIDE_VECTORS} if mixed else {"span": sql.SPAN_OF_MASK, "view": ""}
        steps.append(sql.filled(sql.POSITION_MASK, name=name, **beside))
        joins.append(sql.JOIN_POSITIONS)
        spans.append("coalesce(position_mask.spans, array())")
    for number, keys in enumerate(groups):
        frames[f"keys{name}_{number}"], shown[f"keys{name}_{number}"] = keys.frame, f"(\n{keys.shown}\n  )"
        steps.append(sql.filled(sql.KEY_MASK, number=str(number), name=name, tasks=str(_tasks(keys, line))))
        joins.append(sql.filled(sql.JOIN_KEYS, number=str(number)))
        spans.append(sql.filled(sql.SPANS_OF_KEYS, number=str(number)))
    is_known = line.beside is not None and not line.odd and (not row_ids or all(map(has_row_ids, line.data)))
    by_themselves = is_known and chosen_files.can_read(source)
    every_delete = (*line.deletes, *(line.beside or ()))
    scans, selects, known_at = False, [], {} if by_themselves else rewritten_files.conditions(source, line)
    for place, lives in line.read_at.items():
        selected = _selected(source, line, place, target, groups, row_ids=row_ids)
        for part, (some, one_of) in enumerate(_parts(source, line, lives, unchanged=unchanged)):
            one = f"rows{name}_{place}_{part}"
            selects.append(f"<<{one}>>")
            known = known_at.get(place, "")
            chosen = chosen_files.at(place, some, every_delete, source.specs) if by_themselves else ()
            scan = file_rows(
                source,
                line.snapshot_at(place),
                [life.entry for life in some],
                selected,
                keys=one_of,
                known=known,
                chosen=chosen,
                row_ids=row_ids,
            )
            scans |= scan.scans
            shown[one] = f"(\n    {scan.shown}\n  )"
            if scan.run:
                runs[one] = identifiers.escaped(shown[one])
            else:
                frames[one] = scan.frame
    union = "\nUNION ALL\n".join(f"SELECT * FROM {select}" for select in selects)  # noqa: S608 - placeholders
    few = in_few_tasks(sum(life.entry.file_size_in_bytes for life in line.data))
    steps.append(
        f"rows_read AS ( -- each file once, in a snapshot in which it is live\nSELECT {few} * FROM (\n{union}\n)\n)"
    )
    names = [identifiers.quoted([column]) for column in schema_mapping.columns(target)]
    names += ["_row_id"] * row_ids
    read = ", ".join(f"rows_read.{name}" for name in names)  # a table may have columns called as those of `life`
    fill = {"names": ", ".join(names), "rows": "each_row_once AS rows_read" if line.odd else "rows_read"}
    if line.odd:
        values = [f"any_value({name}) AS {name}" for name in [*names, *(["_keys"] if groups else [])]]
        values += ["bool_and(_deleted) AS _deleted"] * line.masks
        steps.append(sql.filled(sql.EACH_ROW_ONCE, read=", ".join(values)))
    if line.deletes:
        where = "" if unchanged or line.odd else sql.filled(sql.WHERE_CHANGED, places=_not_asked(line))
        steps += [sql.filled(sql.MASKED, spans=",\n    ".join(spans), joins="".join(joins)), sql.MERGED]
        steps.append(sql.filled(sql.SEEN, where=where))
    else:
        steps.append(sql.filled(sql.LIVED, read=read, where=sql.WHERE_SHOWN if line.masks else ""))
        steps.append(sql.filled(sql.SEEN_WITHOUT_DELETES, events=sql.EVENTS_OF_LIVED))
    last = "seen"
    if line.odd:
        last = "settled"
        steps.append(sql.SETTLED)
    text = ",\n".join(sql.filled(step, **fill) for step in steps)
    told = source.located.relation is not None and len(line.data) + len(line.deletes) <= _FILES_SHOWN
    told = told and all(keys.shown for keys in groups)
    return RowLifetimes(
        last,
        sql.replaced(identifiers.escaped(text), {key: f"{{{key}}}" for key in frames} | runs),
        frames,
        sql.replaced(text, shown) if told else "",
        None if line.deletes or line.odd else Compact("lived", "_since, _until", sql.EVENTS_OF_LIVED),
        scans,
    )


def _not_asked(line: Line) -> str:
    """The places at which no row comes or leaves that is asked for."""
    return ", ".join(str(place) for place in range(line.end + 1) if place not in line.asked)


def _life_rows(line: Line) -> list[tuple[Any, ...]]:
    vectors: dict[str | None, list[tuple[int, int]]] = defaultdict(list)
    for delete in line.deletes:
        if delete.entry.kind == "deletion vector":
            vectors[referenced_data_file(delete.entry)].append((delete.since, delete.until))
    rows = []
    for place, lives in line.read_at.items():
        for life in lives:
            entry = life.entry
            spans = [{"since": since, "until": until} for since, until in sorted(vectors[entry.file_path])]
            known = entry.file_path, life.since, life.until, place
            rows.append((*known, life.data_sequence_number, entry.spec_id, entry.partition, spans))
    return rows


def _mask_row(source: Source, delete: FileLife) -> tuple[Any, ...]:
    entry = delete.entry
    return (
        entry.file_path,
        referenced_data_file(entry),
        delete.since,
        delete.until,
        delete.data_sequence_number,
        entry.spec_id,
        entry.partition,
        entry.kind == "deletion vector",
        place_of(entry, source.specs) is None,
    )


def _positions_shown(source: Source, line: Line, deletes: Sequence[FileLife]) -> str:
    """What the deletes hold by Iceberg's own table, at the fewest snapshots in which all of them are live."""
    if source.located.relation is None:
        return ""
    readable = [place for place, snapshot_id in enumerate(line.snapshots) if snapshot_id is not None]
    table = source.located.metadata_table("position_deletes")
    parts = []
    for place, lives in reading_places(deletes, readable).items():
        paths = ", ".join(text(path) for path in dict.fromkeys(life.entry.file_path for life in lives))
        parts.append(
            f"    SELECT file_path, pos, delete_file_path FROM {table} VERSION AS OF {line.snapshots[place]}\n"  # noqa: S608 - quoted
            f"    WHERE delete_file_path IN ({paths})"
        )
    union = "\n    UNION ALL\n".join(parts)
    return f"(\n{union}\n  )"


def _tasks(keys: Keys, line: Line) -> int:
    """How many put keys together: of few keys one, which needs no exchange."""
    size = {delete.entry.file_path: delete.entry.file_size_in_bytes for delete in line.deletes}
    return max(1, sum(map(size.__getitem__, keys.paths)) // _KEYS_A_TASK_IN_BYTES)


def _selected(
    source: Source, line: Line, place: int, target: Schema, groups: Sequence[Keys], *, row_ids: bool
) -> list[str]:
    """What is read of the rows at a place, told in the target's columns."""
    own = own_schema(source, line.snapshot_at(place))
    return [
        *schema_mapping.select(own, target),
        *(["_row_id"] if row_ids else []),
        "_file",
        "_pos",
        *(["_deleted"] if line.masks else []),
        *([f"{struct([keys.of_rows(own) for keys in groups])} AS _keys"] if groups else []),
        f"{place} AS _read_at",
    ]


def _parts(
    source: Source, line: Line, lives: Sequence[FileLife], *, unchanged: bool
) -> Iterator[tuple[list[FileLife], list[StoredEntry]]]:
    """Files to be read together, with the equality deletes one of whose keys a row must have to be asked for.

    A file that is there all along, and that only equality deletes reach, can hold many rows of which they mask few.
    """
    moving = [delete.entry for delete in line.deletes if delete.since or delete.until < line.end]
    scope = touched_files.deletes_of(moving, source.specs)
    by_key: list[FileLife] = []
    whole: list[FileLife] = []
    for life in lives:
        stays = not (unchanged or line.odd or life.since) and life.until == line.end
        (by_key if stays and {d.content for d in scope(life.entry)} == {_EQUALITY_DELETES} else whole).append(life)
    if whole:
        yield whole, []
    if by_key:
        keys = (delete for delete in moving if delete.content == _EQUALITY_DELETES)
        yield by_key, [replace(d, statistics=d.statistics.of(d.equality_ids or ())) for d in keys]
