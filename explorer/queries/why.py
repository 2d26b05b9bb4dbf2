"""The rows that meet a condition at a snapshot, masked ones too, and which deletes hold them by content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ..engine.logging import silenced_errors
from ..model.deletes.stored_deletes import StoredDeletes
from ..model.iceberg.document import Schema
from ..model.iceberg.inheritance import StoredEntry
from ..model.why.facts import Row as MatchingRow
from . import identifiers
from .files import manifests as stored_manifests
from .files import spark_errors
from .files.live_files import data_manifests, live_rows
from .rows import cells as row_cells
from .rows import equality_keys, schema_mapping, table_rows
from .rows.local_rows import local_rows
from .rows.reading import refuse_reserved, refusing
from .rows.schema_mapping import current_schema, fields, schema_at, schemas, text
from .source import Source

ROWS = 50
_PLACE = ("_file", "_pos")
_HELD = ("data_path", "pos", "delete_path", "content_offset")
_ADVICE = "Write a condition over the table's columns as after WHERE, for example id = 12345."
_POSITIONS, _KEYS = 1, 2  # content of a delete file

Held = tuple[tuple[str, int], tuple[str, int | None]]
"""Place of a row, and the delete (file, content offset) that holds it."""


@dataclass(frozen=True)
class Matching:
    """Rows that meet a condition.

    Attributes:
        columns: names, of the snapshot's schema.
        rows: with their values in the order of `columns`; by file and position, the first ones.
        live: rows that can be read, of all that meet the condition; masked: rows that deletes mask.
        frame: the rows at hand with their own columns, `_file` and `_pos`, to be joined with what deletes hold.
        sql: a statement that a person can run; empty if the table has no name.
    """

    columns: tuple[str, ...]
    rows: tuple[MatchingRow, ...]
    live: int
    masked: int
    frame: DataFrame
    sql: str


def matching(source: Source, snapshot_id: int, condition: str, *, filterable: bool, most: int = ROWS) -> Matching:
    """The rows that meet a condition, live and masked: Iceberg gives masked ones where `_deleted` is asked for.

    Args:
        source: the table.
        snapshot_id: listed in the table's metadata.
        condition: SQL over the columns of the snapshot's schema, as after WHERE: `id = 12345`.
        filterable: of `filterable`.
        most: rows that are brought here; all are counted.

    Raises:
        ExplorerError: the condition is not one over these columns, or the rows cannot be read.

    Cost: a scan of the data files whose partition and bounds can meet the condition; a second one if there are more
    rows than `most`.
    """
    refused = f"The rows with {condition} could not be read."
    with refusing(refused):
        scanned = table_rows.at(source, snapshot_id)
        columns = tuple(scanned.columns)
        refuse_reserved(columns, refused)
        found = scanned.select(*map(_column, columns), *_PLACE, "_deleted")
        if not filterable:  # Spark hands no condition to the scan past a value that it makes anew for each row
            found = found.withColumn("_read", F.monotonically_increasing_id())
    with refusing(refused, _ADVICE):
        found = found.where(condition)
        _ = found.schema  # a wrong condition is noticed here, over Connect too
    with refusing(refused, of_data=_ADVICE):
        values = ", ".join(row_cells.value_text(field) for field in scanned.schema.fields)
        shown = found.selectExpr(*_PLACE, "_deleted", f"array({values}) AS values").orderBy(*_PLACE)
        rows = [MatchingRow(r._file, r._pos, tuple(r["values"]), r._deleted) for r in shown.limit(most + 1).collect()]
        masked = sum(row.masked for row in rows)
        live = len(rows) - masked
        if len(rows) > most:
            counts = {r["_deleted"]: r["count"] for r in found.groupBy("_deleted").count().collect()}
            live, masked = counts.get(False, 0), counts.get(True, 0)
    rows = rows[:most]
    places = local_rows(source.spark, [(row.file_path, row.position) for row in rows], "_file STRING, _pos BIGINT")
    # `_deleted` is among the columns so that masked rows are too.
    here = found.select(*map(_column, columns), *_PLACE, "_deleted").join(F.broadcast(places), [*_PLACE], "left_semi")
    sql = ""
    if source.located.relation is not None:
        listed = ", ".join(identifiers.quoted([name]) for name in columns)
        sql = (
            "-- Rows that meet a condition, masked ones too: asking for _deleted makes Iceberg give them\n"
            f"SELECT {listed}, _file, _pos, _deleted\n"
            f"FROM {source.located.relation} VERSION AS OF {snapshot_id}\nWHERE {condition}\nORDER BY _file, _pos"
        )
    return Matching(columns, tuple(rows), live, masked, here, sql)


def filterable(source: Source, snapshot_id: int) -> bool:
    """Whether a scan of the snapshot may skip files by a condition on any column."""
    own, current = _own_schema(source, snapshot_id), current_schema(source.document)
    return schema_mapping.filterable(own, current).issuperset(field["id"] for field in fields(own))


def _column(name: str) -> str:
    return identifiers.quoted([name])


def data_entries(source: Source, stored: StoredDeletes, paths: Iterable[str]) -> tuple[StoredEntry, ...]:
    """The live entries of these data files, with statistics.

    Cost: nothing if `stored` holds them, else the data manifests.
    """
    wanted = set(paths)
    if stored.data is not None:
        return tuple(entry for entry in stored.data if entry.file_path in wanted)
    manifests = data_manifests(stored.listed)
    found = live_rows(stored_manifests.entries(source, manifests, statistics=True))
    return stored_manifests.stored_entries(found.where(F.col("file_path").isin(list(wanted))).collect())


def holding(
    source: Source,
    snapshot_id: int,
    matched: Matching,
    deletes: Sequence[StoredEntry],
) -> tuple[frozenset[Held], dict[tuple[str, int | None], str]]:
    """Which of these deletes hold which of the rows, and why the content of some is not known.

    Args:
        source: the table.
        snapshot_id: at which the deletes are live.
        matched: of `matching`.
        deletes: entries of those in question.

    Cost: the content of these deletes, and the rows once more.
    """
    if not matched.rows:
        return frozenset(), {}
    unread: dict[tuple[str, int | None], str] = {}
    parts: list[tuple[Sequence[StoredEntry], DataFrame]] = []
    found: list[Any] = []
    rows = matched.frame.persist()
    try:
        own, known = _own_schema(source, snapshot_id), tuple(schemas(source.document).values())
        for delete in (d for d in deletes if d.content == _KEYS):
            with _noting([delete], unread):
                parts.append(([delete], _by_key(source, rows, own, delete, known)))
        positions = [d for d in deletes if d.content == _POSITIONS]
        with _noting(positions, unread):
            if positions:
                parts.append((positions, _by_position(source, snapshot_id, rows, positions)))
        try:
            found = reduce(DataFrame.unionAll, [frame for _, frame in parts]).collect() if parts else []
        except Exception:  # one of them cannot be read: each for itself
            for about, frame in parts:
                with _noting(about, unread):
                    found += frame.collect()
    finally:
        rows.unpersist()
    return frozenset(((r.data_path, r.pos), (r.delete_path, r.content_offset)) for r in found), unread


@contextmanager
def _noting(deletes: Sequence[StoredEntry], unread: dict[tuple[str, int | None], str]) -> Iterator[None]:
    """What fails within is the reason why the content of these deletes is not known."""
    try:
        with silenced_errors():
            yield
    except Exception as error:
        unread.update({(d.file_path, d.content_offset): spark_errors.reason(error) for d in deletes})


def _by_position(source: Source, snapshot_id: int, rows: DataFrame, deletes: Sequence[StoredEntry]) -> DataFrame:
    """Which position deletes and vectors name the rows' places."""
    content = table_rows.at(source, snapshot_id, "position_deletes")
    offset = "content_offset" if "content_offset" in content.columns else "CAST(NULL AS BIGINT) AS content_offset"
    places = rows.selectExpr("_file AS data_path", "_pos AS pos")
    wanted = F.col("delete_file_path").isin(list({d.file_path for d in deletes}))
    inside = content.where(wanted).selectExpr(
        "file_path AS data_path", "pos", "delete_file_path AS delete_path", offset
    )
    return inside.join(F.broadcast(places), ["data_path", "pos"]).select(*_HELD).distinct()


def _by_key(
    source: Source,
    rows: DataFrame,
    own: Schema,
    delete: StoredEntry,
    known: Sequence[Schema],
) -> DataFrame:
    """Which rows, of the schema `own`, have a key that an equality delete file holds."""
    key, keys = equality_keys.matching(source, rows, own, delete, known)
    place = (f"{key} AS key", "_file AS data_path", "_pos AS pos")
    name = (f"{text(delete.file_path)} AS delete_path", "CAST(NULL AS BIGINT) AS content_offset")
    held = F.expr("here.key <=> there.key")
    return rows.selectExpr(*place, *name).alias("here").join(keys.alias("there"), held, "left_semi").select(*_HELD)


def _own_schema(source: Source, snapshot_id: int) -> Schema:
    """The schema with which a listed snapshot is read."""
    document = source.document
    return schema_at(document, next(item for item in document["snapshots"] if item["snapshot-id"] == snapshot_id))
