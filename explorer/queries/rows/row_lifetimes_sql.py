"""The text of row lifetimes: its small tables, and the steps that put them together.

Where a data sequence number is not known a delete applies, as `touched_files.newest_reached` says.

A step is text with `<name>` for what is filled in here, and `<<name>>` for what stands there when the text is run, a
frame, and when it is shown, text again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .schema_mapping import text

SPAN = "STRUCT<since: INT, until: INT>"

LIFE = (
    ("path", "STRING"),
    ("since", "INT"),
    ("until", "INT"),
    ("read_at", "INT"),
    ("sequence_number", "BIGINT"),
    ("spec", "INT"),
    ("place", "STRING"),
    ("vectors", f"ARRAY<{SPAN}>"),
)
MASK = (
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

ABOUT_LIFE = "data files in question: since which commit of the line, until which, and at which they are read"
ABOUT_MASK = "deletes that can mask rows of these files: since which commit of the line, and until which"

POSITION_MASK = """\
position_mask AS ( -- between which commits a position is in a delete that applies to its file
  SELECT life.path, life.since, held.pos, collect_list(<span>) AS spans
  FROM <<positions<name>>> AS held
  JOIN mask ON mask.delete_path = held.delete_file_path AND (mask.names IS NULL OR mask.names = held.file_path)
  JOIN life ON life.path = held.file_path AND coalesce(life.sequence_number <= mask.sequence_number, true)
    AND (mask.names IS NOT NULL OR (mask.spec = life.spec AND mask.place = life.place))
    AND life.since < mask.until AND mask.since < life.until<view>
  GROUP BY life.path, life.since, held.pos
)"""
SPAN_OF_MASK = "named_struct('since', mask.since, 'until', mask.until)"
SPANS_BESIDE_VECTORS = """
  LATERAL VIEW explode( -- beside a deletion vector position deletes are ignored
    IF(mask.is_vector OR size(life.vectors) = 0, array(named_struct('since', mask.since, 'until', mask.until)), filter(
      transform(sequence(0, size(life.vectors)), i -> named_struct(
        'since', greatest(mask.since, coalesce(get(life.vectors, i - 1).until, mask.since)),
        'until', least(mask.until, coalesce(get(life.vectors, i).since, mask.until)))),
      span -> span.since < span.until))
  ) spans AS span"""
KEY_MASK = """\
key_mask_<number> AS ( -- between which commits a key is in an equality delete, and which files these apply to
  SELECT held.key, collect_list(mask) AS masks
  FROM (
    SELECT /*+ COALESCE(<tasks>) */ key, struct(mask.*) AS mask
    FROM <<keys<name>_<number>>> AS held JOIN mask ON mask.delete_path = held.delete_file_path
  ) AS held
  GROUP BY held.key
)"""
SPANS_OF_KEYS = """\
transform(
      filter(
        coalesce(key_mask_<number>.masks, array()),
        mask -> coalesce(life.sequence_number < mask.sequence_number, true)
          AND (mask.reaches_all OR (mask.spec = life.spec AND mask.place = life.place))
          AND life.since < mask.until AND mask.since < life.until),
      mask -> named_struct('since', mask.since, 'until', mask.until))"""
JOIN_POSITIONS = """
  LEFT JOIN position_mask ON position_mask.path = life.path AND position_mask.since = life.since
    AND position_mask.pos = rows_read._pos"""
JOIN_KEYS = """
  LEFT JOIN key_mask_<number> ON key_mask_<number>.key <=> rows_read._keys.c<number>"""
MASKED = """\
masked AS ( -- the rows with the spans in which the deletes of the line mask them, in order
  SELECT rows_read.*, life.since AS _since, life.until AS _until, sort_array(concat(
    <spans>)) AS _masks
  FROM <rows>
  JOIN life ON life.path = rows_read._file AND life.read_at = rows_read._read_at<joins>
)"""
MERGED = """\
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
SEEN = """\
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
  FROM merged<where>
)"""
WHERE_CHANGED = """
  WHERE _since NOT IN (<places>) OR _until NOT IN (<places>) OR size(_masks) > 0 -- not one that stayed, or moved"""
LIVED = """\
lived AS ( -- the rows with the commits at which their file came and left; 0 is before the first
  SELECT <read>, _file, _pos, life.since AS _since, life.until AS _until
  FROM <rows>
  JOIN life ON life.path = rows_read._file AND life.read_at = rows_read._read_at<where>
)"""
WHERE_SHOWN = "\n  WHERE NOT _deleted -- not one that was masked all the time"
EVENTS_OF_LIVED = "array(named_struct('at', _since, 'came', true), named_struct('at', _until, 'came', false))"
SEEN_WITHOUT_DELETES = """\
seen AS ( -- the rows with the commits at which they came to be visible, and ceased to be
  SELECT <names>, _file, _pos,
    <events> AS _events
  FROM lived
)"""
EACH_ROW_ONCE = """\
each_row_once AS ( -- of a file that a snapshot lists several times readers give the rows once for each entry
  SELECT <read>, _file, _pos, _read_at
  FROM rows_read
  GROUP BY _file, _pos, _read_at
)"""
# One that was put back has rows that went and came in one commit.
SETTLED = """\
settled AS ( -- each event alone; of what went and came in one commit at one place as much stayed
  SELECT <names>, _file, _pos, array(_event) AS _events
  FROM (
    SELECT <names>, _file, _pos, _event, row_number() OVER one_event AS _copy,
      count_if(_event.came) OVER one_commit AS _came, count_if(NOT _event.came) OVER one_commit AS _gone
    FROM seen
    LATERAL VIEW explode(_events) events AS _event
    WINDOW one_event AS (PARTITION BY _file, _pos, _event ORDER BY _pos),
      one_commit AS (PARTITION BY _file, _pos, _event.at)
  )
  WHERE _copy > IF(_event.came, _gone, _came)
)"""


def filled(text: str, **parts: str) -> str:
    """A step with what stands for each `<name>`."""
    return replaced(text, parts, "<", ">")


def replaced(text: str, parts: Mapping[str, str], before: str = "<<", after: str = ">>") -> str:
    """A text with what stands for each `<<name>>`, all at once: in what one says no other is looked for."""
    pattern = "|".join(re.escape(f"{before}{name}{after}") for name in parts)
    return re.sub(pattern, lambda found: parts[found[0][len(before) : -len(after)]], text) if parts else text


def values(name: str, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> str:
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
