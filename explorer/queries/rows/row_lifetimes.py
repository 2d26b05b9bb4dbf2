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

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.iceberg.document import Schema
from ...model.iceberg.file_lives import FileLife, reading_places
from ...model.iceberg.inheritance import StoredEntry
from ...model.iceberg.touched_files import is_unpartitioned, referenced_data_file
from .. import identifiers
from ..source import Source
from . import delete_content, equality_keys, file_predicates, schema_mapping, table_rows
from .equality_keys import Keys
from .line_files import Line
from .local_rows import local_rows
from .matching import struct
from .reading import refuse_reserved
from .schema_mapping import current_schema, filterable, schema_at, schemas, text

# A longer list of paths makes a plan that takes longer to make than the rows that it saves take to read.
_PATHS_IN_A_CONDITION = 1_000
_FILES_SHOWN = 1_000
# Iceberg makes a task of every four small files, and a task takes longer to start than they take to read.
_LEAST_TASKS, _BYTES_A_TASK = 8, 32 * 2**20
_EQUALITY_DELETES = 2
_SPAN = "STRUCT<since: INT, until: INT>"

_LIFE = (
    ("path", "STRING"),
    ("since", "INT"),
    ("until", "INT"),
    ("read_at", "INT"),
    ("sequence_number", "BIGINT"),
    ("spec", "INT"),
    ("place", "STRING"),
    ("vectors", f"ARRAY<{_SPAN}>"),
)
_MASK = (
    ("delete_path", "STRING"),
    ("names", "STRING"),
    ("since", "INT"),
    ("until", "INT"),
    ("sequence_number", "BIGINT"),
    ("spec", "INT"),
    ("place", "STRING"),
    ("is_vector", "BOOLEAN"),
    ("reaches_all", "BOOLEAN"),
)

Columns = Sequence[tuple[str, str]]
"""Names and types."""

_ABOUT_LIFE = "data files in question: since which commit of the line, until which, and at which they are read"
_ABOUT_MASK = "deletes that can mask rows of these files: since which commit of the line, and until which"

_POSITION_MASK = """\
position_mask AS ( -- between which commits a position is in a delete that applies to its file
  SELECT life.path, life.since, held.pos, collect_list(<span>) AS spans
  FROM <<positions<name>>> AS held
  JOIN mask ON mask.delete_path = held.delete_file_path AND (mask.names IS NULL OR mask.names = held.file_path)
  JOIN life ON life.path = held.file_path AND life.sequence_number <= mask.sequence_number
    AND (mask.names IS NOT NULL OR (mask.spec = life.spec AND mask.place = life.place))
    AND life.since < mask.until AND mask.since < life.until<view>
  GROUP BY life.path, life.since, held.pos
)"""
_SPAN_OF_MASK = "named_struct('since', mask.since, 'until', mask.until)"
_SPANS_BESIDE_VECTORS = """
  LATERAL VIEW explode( -- beside a deletion vector position deletes are ignored
    IF(mask.is_vector OR size(life.vectors) = 0, array(named_struct('since', mask.since, 'until', mask.until)), filter(
      transform(sequence(0, size(life.vectors)), i -> named_struct(
        'since', greatest(mask.since, coalesce(get(life.vectors, i - 1).until, mask.since)),
        'until', least(mask.until, coalesce(get(life.vectors, i).since, mask.until)))),
      span -> span.since < span.until))
  ) spans AS span"""
_KEY_MASK = """\
key_mask_<number> AS ( -- between which commits a key is in an equality delete, and which files these apply to
  SELECT held.key, collect_list(mask) AS masks
  FROM (
    SELECT key, struct(mask.*) AS mask
    FROM <<keys<name>_<number>>> AS held JOIN mask ON mask.delete_path = held.delete_file_path
  ) AS held
  GROUP BY held.key
)"""
_SPANS_OF_KEYS = """\
transform(
      filter(
        coalesce(key_mask_<number>.masks, array()),
        mask -> life.sequence_number < mask.sequence_number
          AND (mask.reaches_all OR (mask.spec = life.spec AND mask.place = life.place))
          AND life.since < mask.until AND mask.since < life.until),
      mask -> named_struct('since', mask.since, 'until', mask.until))"""
_JOIN_POSITIONS = """
  LEFT JOIN position_mask ON position_mask.path = life.path AND position_mask.since = life.since
    AND position_mask.pos = rows_read._pos"""
_JOIN_KEYS = """
  LEFT JOIN key_mask_<number> ON key_mask_<number>.key <=> rows_read._keys.c<number>"""
_MASKED = """\
masked AS ( -- the rows with the spans in which the deletes of the line mask them, in order
  SELECT rows_read.*, life.since AS _since, life.until AS _until, array_sort(concat(
    <spans>)) AS _masks
  FROM rows_read
  JOIN life ON life.path = rows_read._file AND life.read_at = rows_read._read_at<joins>
)"""
_MERGED = """\
merged AS ( -- spans that overlap or touch are one
  SELECT <names>, _file, _pos, _deleted, _read_at, _since, _until, IF(size(_masks) < 2, _masks, aggregate(
    _masks, CAST(array() AS ARRAY<STRUCT<since: INT, until: INT>>), (merged, span) -> IF(
      span.since <= try_element_at(merged, -1).until,
      concat(slice(merged, 1, size(merged) - 1), array(named_struct(
        'since', try_element_at(merged, -1).since,
        'until', greatest(try_element_at(merged, -1).until, span.until)))),
      concat(merged, array(span))))) AS _masks
  FROM masked
)"""
_SEEN = """\
seen AS ( -- the rows with the commits at which they came to be visible, and ceased to be; 0 is before the first
  SELECT <names>, _file, _pos, CASE
    -- masked where it was read, by no delete of the line: by one that was there all the time
    WHEN _deleted AND NOT exists(_masks, span -> span.since <= _read_at AND _read_at < span.until) THEN array()
    WHEN size(_masks) = 0
      THEN array(named_struct('at', _since, 'came', true), named_struct('at', _until, 'came', false))
    ELSE concat(
      IF(exists(_masks, span -> span.since <= _since AND _since < span.until),
        array(), array(named_struct('at', _since, 'came', true))),
      transform(filter(_masks, span -> span.since > _since AND span.since < _until),
        span -> named_struct('at', span.since, 'came', false)),
      transform(filter(_masks, span -> span.until > _since AND span.until < _until),
        span -> named_struct('at', span.until, 'came', true)),
      IF(exists(_masks, span -> span.since < _until AND _until <= span.until),
        array(), array(named_struct('at', _until, 'came', false))))
    END AS _events
  FROM merged
)"""
_SEEN_WITHOUT_DELETES = """\
seen AS ( -- the rows with the commits at which they came to be visible, and ceased to be; 0 is before the first
  SELECT <names>, _file, _pos, <before>array(
    named_struct('at', life.since, 'came', true), named_struct('at', life.until, 'came', false))<after> AS _events
  FROM rows_read
  JOIN life ON life.path = rows_read._file AND life.read_at = rows_read._read_at
)"""
# A file that is listed twice is read twice; one that was put back has rows that went and came in one commit.
_ONCE = """\
once AS ( -- each event of a place once; what went and came in one commit stayed
  SELECT <names>, _file, _pos, array(_event) AS _events
  FROM (
    SELECT <names>, _file, _pos, _event, IF(
      min(_event.came) OVER one_commit = max(_event.came) OVER one_commit, row_number() OVER one_event, 0) AS _copy
    FROM seen
    LATERAL VIEW explode(_events) events AS _event
    WINDOW one_event AS (PARTITION BY _file, _pos, _event ORDER BY _pos),
      one_commit AS (PARTITION BY _file, _pos, _event.at)
  )
  WHERE _copy = 1
)"""


@dataclass(frozen=True)
class RowLifetimes:
    """Row versions as SQL: WITH parts, of which the last one has the rows.

    They have the columns of the schema; then, with row ids, `_row_id` bigint; `_file` string; `_pos` bigint; `_events`
    array of struct<at int, came boolean>: the places of the line at which the row came to be visible, and at which it
    ceased to be. A row that was never visible has none.

    Attributes:
        last: the name of the last part.
        run: the parts; `{name}` stands for a frame, other braces are doubled.
        frames: by these names.
        shown: the same for the person, without frames; empty where SQL cannot name the table.
    """

    last: str
    run: str
    frames: Mapping[str, DataFrame]
    shown: str


def row_lifetimes(source: Source, line: Line, target: Schema, *, row_ids: bool, name: str = "") -> RowLifetimes:
    """The row versions of a line.

    Args:
        source: the table.
        line: of `line_files.read`.
        target: the schema in whose columns the rows are told, as metadata.json writes it.
        row_ids: with `_row_id`.
        name: that tells its frames from those of other lines.

    Raises:
        NoKeyColumn: the key column of an equality delete is in no schema, or inside a struct that the rows lack.
        UnreadableMetadata: a delete file cannot be read.
        ExplorerError: a column is called as one that Iceberg keeps for itself.

    Cost: now, the bytes of the deletes in `line.deletes` if they are small together; when it runs, those that are not,
        and each of the data files once, with the deletes that apply to it in the snapshot in which it is read.
    """
    groups = tuple(
        equality_keys.keys(
            source,
            (life.entry for life in line.deletes if life.entry.content == _EQUALITY_DELETES),
            [*schemas(source.document).values(), current_schema(source.document)],
        )
    )
    reading = _reading(source, line)
    frames: dict[str, DataFrame] = {}
    shown: dict[str, str] = {}

    def small(of: str, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> str:
        ddl = ", ".join(f"{column} {kind}" for column, kind in columns)
        frames[f"{of}{name}"], shown[f"{of}{name}"] = local_rows(source.spark, rows, ddl), _values(of, columns, rows)
        return f"<<{of}{name}>>"

    mixed = {"deletion vector", "position deletes"} <= {delete.entry.kind for delete in line.deletes}
    columns = _LIFE if mixed else _LIFE[:-1] if line.deletes else _LIFE[:4]
    life = small("life", columns, [row[: len(columns)] for row in _life_rows(line, reading)])
    steps = [f"life AS ( -- {_ABOUT_LIFE}\n  SELECT * FROM {life}\n)"]  # noqa: S608 - a placeholder
    joins, spans = [], []
    if line.deletes:
        mask = small("mask", _MASK, [_mask_row(source, delete) for delete in line.deletes])
        steps.append(f"mask AS ( -- {_ABOUT_MASK}\n  SELECT * FROM {mask}\n)")  # noqa: S608 - a placeholder
    if positions := [life for life in line.deletes if life.entry.content != _EQUALITY_DELETES]:
        frames[f"positions{name}"] = delete_content.positions(source, (life.entry for life in positions))
        shown[f"positions{name}"] = _positions_shown(source, line, positions)
        beside = {"span": "span", "view": _SPANS_BESIDE_VECTORS} if mixed else {"span": _SPAN_OF_MASK, "view": ""}
        steps.append(_filled(_POSITION_MASK, name=name, **beside))
        joins.append(_JOIN_POSITIONS)
        spans.append("coalesce(position_mask.spans, array())")
    for number, keys in enumerate(groups):
        frames[f"keys{name}_{number}"], shown[f"keys{name}_{number}"] = keys.frame, f"(\n{keys.shown}\n  )"
        steps.append(_filled(_KEY_MASK, number=str(number), name=name))
        joins.append(_filled(_JOIN_KEYS, number=str(number)))
        spans.append(_filled(_SPANS_OF_KEYS, number=str(number)))
    selects = []
    for place, lives in reading.items():
        side = _Side(source, line, place, target, groups, row_ids=row_ids)
        selects.append(f"<<rows{name}_{place}>>")
        frames[f"rows{name}_{place}"], shown[f"rows{name}_{place}"] = side.rows([life.entry for life in lives])
    union = "\nUNION ALL\n".join(f"SELECT * FROM {select}" for select in selects)  # noqa: S608 - placeholders
    tasks = max(_LEAST_TASKS, sum(life.entry.file_size_in_bytes for life in line.data) // _BYTES_A_TASK)
    steps.append(
        f"rows_read AS ( -- each file once, in a snapshot in which it is live\n"
        f"SELECT /*+ COALESCE({tasks}) */ * FROM (\n{union}\n)\n)"
    )
    names = [identifiers.quoted([column]) for column in schema_mapping.columns(target)]
    fill = {"names": ", ".join([*names, *(["_row_id"] if row_ids else [])])}
    if line.deletes:
        steps += [_filled(_MASKED, spans=",\n    ".join(spans), joins="".join(joins)), _MERGED, _SEEN]
    else:
        wrapped = ("IF(_deleted, array(), ", ")") if line.masks else ("", "")
        steps.append(_filled(_SEEN_WITHOUT_DELETES, before=wrapped[0], after=wrapped[1]))
    last = "seen"
    if line.odd:
        last = "once"
        steps.append(_ONCE)
    text = ",\n".join(_filled(step, **fill) for step in steps)
    told = source.located.relation is not None and len(line.data) + len(line.deletes) <= _FILES_SHOWN
    return RowLifetimes(
        last,
        _replaced(identifiers.escaped(text), {key: f"{{{key}}}" for key in frames}),
        frames,
        _replaced(text, shown) if told else "",
    )


def _filled(text: str, **parts: str) -> str:
    return _replaced(text, parts, "<", ">")


def _replaced(text: str, parts: Mapping[str, str], before: str = "<<", after: str = ">>") -> str:
    """Every part at once: what one of them says is not looked into for another."""
    pattern = "|".join(re.escape(f"{before}{name}{after}") for name in parts)
    return re.sub(pattern, lambda found: parts[found[0][len(before) : -len(after)]], text) if parts else text


def _reading(source: Source, line: Line) -> dict[int, list[FileLife]]:
    listed = {item["snapshot-id"] for item in source.document.get("snapshots") or ()}
    return reading_places(line.data, [place for place, i in enumerate(line.snapshots) if i in listed])


def _life_rows(line: Line, reading: Mapping[int, Sequence[FileLife]]) -> list[tuple[Any, ...]]:
    vectors: dict[str | None, list[tuple[int, int]]] = defaultdict(list)
    for delete in line.deletes:
        if delete.entry.kind == "deletion vector":
            vectors[referenced_data_file(delete.entry)].append((delete.since, delete.until))
    rows = []
    for place, lives in reading.items():
        for life in lives:
            entry = life.entry
            spans = [{"since": since, "until": until} for since, until in sorted(vectors[entry.file_path])]
            known = entry.file_path, life.since, life.until, place
            rows.append((*known, life.data_sequence_number, entry.spec_id, entry.partition, spans))
    return rows


def _mask_row(source: Source, delete: FileLife) -> tuple[Any, ...]:
    entry = delete.entry
    reaches_all = entry.content == _EQUALITY_DELETES and is_unpartitioned(source.specs.get(entry.spec_id, ()))
    return (
        entry.file_path,
        referenced_data_file(entry),
        delete.since,
        delete.until,
        delete.data_sequence_number,
        entry.spec_id,
        entry.partition,
        entry.kind == "deletion vector",
        reaches_all,
    )


def _values(name: str, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> str:
    """The rows as text: `VALUES (…), (…) AS name (…)`."""
    lines = [", ".join(_literal(value, kind) for value, (_, kind) in zip(row, columns, strict=True)) for row in rows]
    listed = ",\n    ".join(f"({line})" for line in lines)
    return f"VALUES\n    {listed}\n  AS {name} ({', '.join(column for column, _ in columns)})"


def _literal(value: Any, kind: str) -> str:
    if value is None or value == []:
        return f"CAST({'NULL' if value is None else 'array()'} AS {kind})"
    match value:
        case str():
            return text(value)
        case list():
            inside = (f"named_struct('since', {span['since']}, 'until', {span['until']})" for span in value)
            return f"array({', '.join(inside)})"
        case _:
            return f"{value}L" if kind == "BIGINT" else str(value).lower()


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


class _Side:
    """A snapshot in which files are read: with its own schema, told in the target's."""

    def __init__(
        self, source: Source, line: Line, place: int, target: Schema, groups: Sequence[Keys], *, row_ids: bool
    ) -> None:
        document = source.document
        snapshot_id = line.snapshots[place]
        listed = next(item for item in document["snapshots"] if item["snapshot-id"] == snapshot_id)
        own = schema_at(document, listed)
        refuse_reserved(schema_mapping.columns(own), "The rows cannot be told.")
        self._source, self._snapshot_id, self._own = source, int(listed["snapshot-id"]), own
        self._filters = filterable(own, current_schema(document))
        self._selected = [
            *schema_mapping.select(own, target),
            *(["_row_id"] if row_ids else []),
            "_file",
            "_pos",
            *(["_deleted"] if line.masks else []),
            *([f"{struct([keys.of_rows(own) for keys in groups])} AS _keys"] if groups else []),
            f"{place} AS _read_at",
        ]

    def rows(self, files: Sequence[StoredEntry]) -> tuple[DataFrame, str]:
        """Every row of these files, masked ones too, and the same as text."""
        frame = table_rows.at(self._source, self._snapshot_id)
        paths = [file.file_path for file in files]
        bounded = file_predicates.predicate(files, self._own, self._source.specs, only=self._filters)
        if bounded:
            frame = frame.where(bounded)
        in_files = f"_file IN ({', '.join(map(text, paths))})"
        if len(paths) <= _PATHS_IN_A_CONDITION:
            frame = frame.where(in_files)
        else:
            wanted = F.broadcast(local_rows(self._source.spark, [(path,) for path in paths], "file STRING"))
            frame = frame.join(wanted, F.col("_file") == wanted["file"], "left_semi")
        where = f"{bounded} AND {in_files}" if bounded else in_files  # no part has an OR outside brackets
        shown = (
            f"(\n    SELECT {', '.join(self._selected)}\n    FROM {self._source.located.relation}"  # noqa: S608 - quoted
            f" VERSION AS OF {self._snapshot_id}\n    WHERE {where}\n  )"
        )
        return frame.selectExpr(*self._selected), shown
