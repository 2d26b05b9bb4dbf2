"""The rows that the commits of a range changed, told in four ways: `raw`, `changes`, `updates`, `net`.

One text for each way, over the raw rows of `changelog_rows`: what runs is what is shown, but for the table's name.
Agrees with Iceberg's `create_changelog_view` wherever that answers and there are no binary columns.

Source: Iceberg's changelog scan, `RemoveCarryoverIterator`, `ComputeUpdateIterator`, `RemoveNetCarryoverIterator`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import indent
from typing import Any, Literal

from pyspark.sql import DataFrame

from ...model.changelog.counted import CommitTally, DrawnRow
from ..identifiers import escaped
from ..rows.changelog_rows import ASKED, METADATA, Column, Meeting, RawRows, Versions, union
from ..source import Source

Mode = Literal["raw", "changes", "updates", "net", "ownership"]

# Rows of one commit in the order in which they happen.
TYPE_ORDER = "array_position(array('DELETE', 'UPDATE_BEFORE', 'UPDATE_AFTER', 'INSERT'), _change_type)"
_TEXT_LENGTH = 200
# What one task compares. Spark's own 200 partitions are too many for most changelogs: a third of the time went there.
_ROWS_A_TASK, _BYTES_A_TASK = 200_000, 32 * 2**20
_TASKS_TO_ONE = 4  # where rows are only told, and no longer compared
_PARTS_SHOWN = 20

_TOGETHER = """\
together AS ({why_together}
  SELECT {meet}{names}, _change_type = 'INSERT' AS _is_new, _change_ordinal
  FROM changed{once}{met}
)"""
_VERSIONS_TOGETHER = """\
together AS ({why_together}
  SELECT {meet}* FROM versions{once}{met}
)"""

_COUNTED = """\
counted AS ( -- how often each row left and came in each commit
  SELECT {values}, _change_ordinal, count_if(NOT _is_new) AS _gone, count_if(_is_new) AS _came
  FROM {entries}
  GROUP BY {keys}, _change_ordinal
)"""

_WHY_TOGETHER = " -- rows that may be equal, in one task"
# Spark repeats what a part of WITH says for each who asks it, unless it is random: this one lets every row pass.
_WHY_ONCE = "; rand() keeps Spark from planning and reading them once for each who asks"

_CHANGES = """\
changes AS ( -- a row that left and came in one commit was only carried over
  SELECT {names}, IF(_came > _gone, 'INSERT', 'DELETE') AS _change_type, _change_ordinal,
    {snapshot_id} AS _commit_snapshot_id
  FROM counted
  LATERAL VIEW explode(sequence(1, abs(_came - _gone))) copies AS _copy
  WHERE _came <> _gone
)"""

_UPDATES = """\
updates AS (
  SELECT {names},
    CASE
      WHEN count(*) OVER one_row <> 2 OR min(_change_type) OVER one_row = max(_change_type) OVER one_row
        THEN _change_type
      WHEN _change_type = 'INSERT' THEN 'UPDATE_AFTER'
      ELSE 'UPDATE_BEFORE'
    END AS _change_type,
    _change_ordinal, _commit_snapshot_id
  FROM changes
  WINDOW one_row AS (PARTITION BY {identity}, _change_ordinal)
)"""

# Iceberg walks the changes of equal rows by ordinal, DELETE before INSERT, and cancels opposite ones. What is left
# stands at the change that followed the last moment at which nothing was left. If one row is left and the last change
# is of its kind, that moment lay before this change. Only of rows that are there several times at once it does not
# follow, and they are few, so the costly walk over all changes in their order is for them alone.
# Both readers of `balanced` take all of its rows: Spark would push a filter of one of them down into its scan, and then
# count the rows once for each.
_BALANCED = """\
balanced AS ( -- how many more of a row came than left, and its last change: twice the ordinal, one more if it came
  SELECT {share}* -- once for both of its readers
  FROM (
    SELECT {values}, sum(IF(_is_new, 1, -1)) AS _balance, max(2 * _change_ordinal + IF(_is_new, 1, 0)) AS _last
    FROM {nested_entries}
    GROUP BY {keys}
  )
  WHERE _balance <> 0{shared}
)"""
_SETTLED = "_balance = 1 AND _last % 2 = 1 OR _balance = -1 AND _last % 2 = 0"
# Within a commit the balance first falls by what left, then rises by what came: the moment lies before it, on the way
# down, at the bottom or on the way up.
_WALKED = """\
walked AS ( -- how many more of a row had come than left before each commit, of rows there several times at once
  SELECT *, coalesce(sum(_came - _gone) OVER (
    PARTITION BY {keys} ORDER BY _change_ordinal ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  ), 0) AS _before
  FROM (
    SELECT /*+ BROADCAST(several) */ *
    FROM counted LEFT SEMI JOIN (
      SELECT _row_key
      FROM balanced
      LATERAL VIEW explode(IF({settled}, array(), array(xxhash64({keys})))) unsettled AS _row_key
    ) AS several ON several._row_key = xxhash64({keys})
  )
)"""
_SUMMED = """\
summed AS (
  SELECT {values}, sum(_came - _gone) AS _balance, max(2 * _change_ordinal + IF(_came > 0, 1, 0)) AS _last,
    max(_change_ordinal) FILTER (
      WHERE _before = 0 OR (_before > 0 AND _before < _gone) OR (_before > 0 AND _before = _gone AND _came > 0)
        OR (_before < _gone AND _before - _gone + _came > 0)
    ) AS _change_ordinal
  FROM walked
  GROUP BY {keys}
)"""
_NET = """\
net AS (
  SELECT {names}, IF(_balance > 0, 'INSERT', 'DELETE') AS _change_type, _change_ordinal,
    {snapshot_id} AS _commit_snapshot_id
  FROM (
    SELECT {names}, IF({settled}, _balance, 0) AS _balance, CAST(_last DIV 2 AS INT) AS _change_ordinal FROM balanced
    UNION ALL
    SELECT {names}, _balance, _change_ordinal FROM summed WHERE _balance <> 0 AND NOT ({settled})
  )
  LATERAL VIEW explode(IF(_balance = 0, array(), sequence(1, abs(_balance)))) copies AS _copy
)"""

_SELECT = """\
SELECT {columns}, {metadata},
  {sequence_number} AS _commit_sequence_number
FROM {last}"""

_STEPS: Mapping[str, Mapping[str, str]] = {  # by the name of the last one, those after `together`
    "changed": {},
    "changes": {"counted": _COUNTED, "changes": _CHANGES},
    "updates": {"counted": _COUNTED, "changes": _CHANGES, "updates": _UPDATES},
    "net": {"balanced": _BALANCED, "counted": _COUNTED, "walked": _WALKED, "summed": _SUMMED, "net": _NET},
}
# By the name of the last one, the step whose rows are kept: they are enough for every answer.
_KEPT = {"changed": "changed", "changes": "counted", "updates": "counted", "net": "net"}
_ALL_KEPT = "SELECT * FROM {kept}"
_TITLES: Mapping[Mode, str] = {
    "raw": "Rows that the commits removed and added",
    "changes": "Rows that the commits changed, without those that were only carried over",
    "updates": "Rows that the commits changed, the two sides of an update as a pair",
    "net": "Rows that the commits changed, less what later ones took back",
}

_TALLY = """\
SELECT {snapshot_id} AS snapshot_id, sum(_gone) AS gone, sum(_came) AS came,
  sum(least(_gone, _came)) AS carried_over, 0L AS updated
FROM counted
GROUP BY _change_ordinal"""
_TALLY_OF_UPDATES = """\
SELECT snapshot_id, sum(gone) AS gone, sum(came) AS came, sum(carried_over) AS carried_over, sum(updated) AS updated
FROM (
  SELECT {snapshot_id} AS snapshot_id, _gone AS gone, _came AS came, least(_gone, _came) AS carried_over, 0L AS updated
  FROM counted
  UNION ALL
  SELECT _commit_snapshot_id, 0L, 0L, 0L, 1L FROM updates WHERE _change_type = 'UPDATE_AFTER'
)
GROUP BY snapshot_id"""
_TALLY_OF_NET = """\
SELECT _commit_snapshot_id AS snapshot_id, count_if(_change_type = 'DELETE') AS gone,
  count_if(_change_type = 'INSERT') AS came, 0L AS carried_over, 0L AS updated
FROM net
GROUP BY _commit_snapshot_id"""

_RAW_WITH_OUTCOME = """\
SELECT *, {snapshot_id} AS _commit_snapshot_id, IF(_copy <= _gone, 'DELETE', 'INSERT') AS _change_type,
  IF(_copy <= _gone, _copy, _copy - _gone) <= least(_gone, _came) AS _carried_over
FROM counted
LATERAL VIEW explode(sequence(1, _gone + _came)) copies AS _copy"""
_NOT_RAW = "SELECT *, false AS _carried_over FROM {last}"
_DRAWN = """\
SELECT left({key}, {length}) AS key, {same} AS same, left({text}, {length}) AS text, _change_type AS change_type,
  _change_ordinal AS ordinal, _commit_snapshot_id AS snapshot_id, _carried_over AS carried_over
FROM (
{rows}
)
ORDER BY {order}"""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A commit of the range that has an ordinal, which is its place among them."""

    snapshot_id: int
    sequence_number: int


@dataclass(frozen=True)
class ChangelogQuery:
    """A changelog as SQL.

    Attributes:
        sql: text to paste; empty where SQL cannot name the table, or one of the scans.
        order: SQL expressions that put the rows in one order: by commit, then identifier (or all) columns, then type.
        keys: SQL expressions over `keyed` that tell which rows are one; empty where all their values do.
    """

    mode: Mode
    sql: str
    order: tuple[str, ...]
    keys: tuple[str, ...]
    _step: str  # the relation that `_source` gives, and that the texts below ask
    _source: str
    _rows: str
    _keyed: str
    _tally: str
    _drawn: str
    _frames: dict[str, Any]

    def read(self, source: Source) -> ChangelogQuery:
        """The same changelog, read: Spark keeps what all its answers need, as long as it lives.

        Cost: all that the changelog reads, once, now.
        """
        kept = source.spark.sql(self._source, **self._frames).localCheckpoint()
        return replace(self, _source=_ALL_KEPT, _frames={"kept": kept})

    def rows(self, source: Source) -> DataFrame:
        """The rows, lazy, in no order.

        Columns: those of the table's current schema; _change_type string (`INSERT`, `DELETE`, `UPDATE_BEFORE`,
        `UPDATE_AFTER`); _change_ordinal int, from 0 in the range; _commit_snapshot_id bigint; _commit_sequence_number
        bigint, 0 in version 1. The last four are never null.
        """
        return self._asked(source, self._rows)

    def keyed(self, source: Source) -> DataFrame:
        """As `rows`; where `_row_id` tells which rows are one, with `_row_id`, a bigint, too."""
        return self._asked(source, self._keyed)

    def counts(self, source: Source) -> list[CommitTally]:
        """Rows of each commit that has any.

        Cost: all that the changelog reads, once; twice if updates are paired. After `read` none of it.
        """
        return [CommitTally(**row.asDict()) for row in self._asked(source, self._tally).collect()]

    def drawn(self, source: Source, most: int) -> list[DrawnRow]:
        """At most so many rows, by key, then commit.

        Cost: all that the changelog reads, once. After `read` none of it.
        """
        return [DrawnRow(**row.asDict()) for row in self._asked(source, self._drawn).limit(most).collect()]

    def _asked(self, source: Source, text: str) -> DataFrame:
        return source.spark.sql(f"WITH {self._step} AS (\n{self._source}\n){text}", **self._frames)


def changelog_query(
    mode: Mode,
    parts: Sequence[RawRows],
    listed: Sequence[Column],
    commits: Sequence[Numbered],
    identity: Sequence[str] = (),
    *,
    rows: int = 0,
    size_in_bytes: int = 0,
) -> ChangelogQuery:
    """The changelog of raw rows.

    Args:
        mode: the way of telling.
        parts: of `changelog_rows`, all of one range; at least one, which may be `nothing`.
        listed: the columns of the current schema, which the parts have.
        commits: those with an ordinal, in its order.
        identity: SQL of `identifier_columns`, or `_row_id` if the parts have it: what makes an update of two rows.
        rows: about how many there are in `parts`, and how large the files are that hold them.
        size_in_bytes: of these files.
    """
    by_row_id = tuple(identity) == ("_row_id",)
    grouped = [*listed, Column("_row_id", "_row_id", "_row_id")] if by_row_id else listed
    last = "changed" if mode == "raw" else "changes" if mode == "updates" and not identity else mode
    keys = ", ".join(column.key for column in grouped if column.key is not None) or "true"
    all_keys = in_order(listed, ())
    together = all_keys if mode == "net" else in_order(listed, identity)
    tasks = math.ceil(max(rows / _ROWS_A_TASK, size_in_bytes / _BYTES_A_TASK, 1))
    versions = parts[0].versions if mode != "raw" and together and len(parts) == 1 else None
    meeting = Meeting.of(tasks, together if mode == "net" or versions else (*together, "_change_ordinal"))
    meets = meeting != Meeting("", "")
    once = mode == "net" and meets
    shared = Meeting.of(math.ceil(tasks / _TASKS_TO_ONE), (*all_keys, "_last"))
    fill = {
        "names": ", ".join(column.name for column in grouped),
        "keys": keys,
        "values": ", ".join(c.name if c.name == c.key else f"any_value({c.name}) AS {c.name}" for c in grouped),
        "identity": ", ".join(identity),
        "settled": _SETTLED,
        "why_together": _WHY_TOGETHER * meets + _WHY_ONCE * once,
        "meet": meeting.hint,
        "met": meeting.clause,
        "once": "\n  WHERE rand() >= 0" * once,
        "entries": _entries(versions, 2),
        "nested_entries": _entries(versions, 4),
        "share": shared.hint,
        "shared": shared.clause,
        "snapshot_id": _by_ordinal(commit.snapshot_id for commit in commits),
        "sequence_number": _by_ordinal(commit.sequence_number for commit in commits),
        "columns": ", ".join(column.name for column in listed),
        "metadata": ", ".join(METADATA),
        "last": last,
    }
    of_mode = {"together": _VERSIONS_TOGETHER if versions else _TOGETHER, **_STEPS[last]} if last != "changed" else {}
    steps = [step.format(**fill) for step in of_mode.values()]
    names = ["versions" if versions else "changed", *of_mode]
    place = names.index(_KEPT[last])
    later = [step.format(**fill) for step in (_TOGETHER, _COUNTED)] if mode == "raw" else steps[place:]
    order = in_order(listed, () if by_row_id else identity)
    printed = (_RAW_WITH_OUTCOME if mode == "raw" else _NOT_RAW).format(**fill)
    drawn = drawn_sql(printed, listed, in_order(listed, identity))
    tally = _TALLY_OF_NET if mode == "net" else _TALLY_OF_UPDATES if last == "updates" else _TALLY

    def on_top(select: str, more: Sequence[str]) -> str:
        return escaped(",\n".join(["", *more]) + f"\n{select}")

    select = _SELECT.format(**fill)
    keyed = _SELECT.format(**fill | {"columns": fill["names"]})
    read = versions.run if versions else union(part.run for part in parts)
    run = [f"WITH {names[0]} AS (\n{read}\n)", *map(escaped, steps[:place])]

    return ChangelogQuery(
        mode,
        _shown(_TITLES[mode], names[0], versions.shown if versions else shown_rows(parts), steps, select),
        ("_change_ordinal", *order, TYPE_ORDER),
        tuple(identity),
        names[place],
        ",\n".join(run) + f"\nSELECT * FROM {names[place]}",
        on_top(select, steps[place:]),
        on_top(keyed, steps[place:]),
        on_top(tally.format(**fill), later),
        on_top(drawn, later),
        {name: frame for part in parts for name, frame in part.frames.items()},
    )


def _entries(versions: Versions | None, depth: int) -> str:
    """What stands after FROM, so many spaces from the left, for the raw rows of `together`."""
    left = " " * depth
    return f"(\n{indent(versions.told, left)}\n{left})\n{left}WHERE {ASKED}" if versions else "together"


def _by_ordinal(numbers: Iterable[int]) -> str:
    """What stands at the place `_change_ordinal` among these numbers: a BIGINT, even where there are none."""
    listed = ", ".join(f"{number}L" for number in numbers) or "CAST(NULL AS BIGINT)"
    return f"get(array({listed}), _change_ordinal)"


def _shown(title: str, name: str, rows: str, steps: Sequence[str], select: str) -> str:
    return f"-- {title}\n" + ",\n".join([f"WITH {name} AS (\n{rows}\n)", *steps]) + f"\n{select}" if rows else ""


def shown_rows(parts: Sequence[RawRows]) -> str:
    """The rows of all parts as the person reads it; empty where that of one is."""
    if not all(part.shown for part in parts):
        return ""
    rows = union(part.shown for part in parts[:_PARTS_SHOWN])
    if len(parts) > _PARTS_SHOWN:
        rows += f"\n-- UNION ALL the same of {len(parts) - _PARTS_SHOWN:,} more parts of the range"
    return rows


def in_order(listed: Sequence[Column], identity: Sequence[str]) -> tuple[str, ...]:
    """What orders the rows of one commit: identifier columns, else all that can be compared."""
    return tuple(identity or (column.key for column in listed if column.key is not None))


def drawn_sql(rows: str, listed: Sequence[Column], order: Sequence[str]) -> str:
    """The text of `ChangelogQuery.drawn`, over rows that have `_carried_over` too."""
    texts = {column.key: column.text for column in listed}
    return _DRAWN.format(
        key=_joined(texts.get(key, f"CAST({key} AS STRING)") for key in order),
        same=f"xxhash64({', '.join(order)})" if order else "0L",
        text=_joined(column.text for column in listed),
        length=_TEXT_LENGTH,
        rows=rows,
        order=", ".join((*order, "_change_ordinal", TYPE_ORDER)),
    )


def _joined(texts: Iterable[str]) -> str:
    return "concat_ws(' ', " + ", ".join(f"coalesce({text}, 'null')" for text in texts) + ")"
