"""The raw rows of a changelog: what the files of each commit gave up and brought, from the sources that can tell.

Iceberg's own changelog scan reads a stretch of commits at once; it refuses wherever delete files are listed. There its
append scan reads all commits that only added files, and the row question is asked of each other one (`row_question`).
All give rows in the table's current schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.types import BinaryType, DataType, StructType

from ...model.iceberg.document import Schema
from ...model.iceberg.touched_files import TouchedFiles
from .. import identifiers
from ..source import Source
from . import schema_mapping, table_rows
from .local_rows import local_rows
from .matching import comparable
from .question import RowQuestion

METADATA = ("_change_type", "_change_ordinal", "_commit_snapshot_id")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the rows as SQL.

    Attributes:
        name: quoted.
        key: of `matching.comparable`: Spark can group and sort by it. None if values cannot be compared.
        text: an expression that gives the value as text; null for null.
    """

    name: str
    key: str | None
    text: str


@dataclass(frozen=True, slots=True)
class RawRows:
    """A SELECT of raw rows, as text.

    Attributes:
        shown: for the person; empty where SQL cannot name the table, or the scan.
        run: the same with `{name}` for each of `frames`.
    """

    shown: str
    run: str
    frames: Mapping[str, DataFrame]


def columns(source: Source, schema: Schema) -> tuple[Column, ...]:
    """The columns of a schema, as metadata.json writes it."""
    return tuple(_column(identifiers.quoted([field.name]), field.dataType) for field in spark_schema(source, schema))


def spark_schema(source: Source, schema: Schema) -> StructType:
    """A schema of metadata.json, as Spark has it."""
    return source.spark.sql(f"SELECT {', '.join(schema_mapping.select({}, schema))}").schema


def _column(name: str, kind: DataType) -> Column:
    text = f"hex({name})" if isinstance(kind, BinaryType) else f"CAST({name} AS STRING)"
    return Column(name, comparable(name, kind), text)


def scanned(
    source: Source,
    selected: Sequence[Column],
    *,
    parent_id: int | None,
    end: int,
    first_ordinal: int,
) -> RawRows:
    """The rows of a stretch of commits by Iceberg's changelog scan; it must list no delete manifests.

    Args:
        source: the table.
        selected: the columns of the current schema.
        parent_id: of the first commit, which may have expired; None if it has none.
        end: the last commit.
        first_ordinal: of the first commit in the changelog.
    """
    options = {} if parent_id is None else {"start-snapshot-id": str(parent_id)}
    options["end-snapshot-id"] = str(end)
    frame = f"scan_{first_ordinal}"
    ordinal = f"_change_ordinal + {first_ordinal}" if first_ordinal else "_change_ordinal"
    # Iceberg's scan binds columns by position, and fails on filters of these three: nothing may be pushed below here.
    text = (
        f"SELECT {', '.join(column.name for column in selected)}, commit.*\nFROM {{0}}\n"
        f"LATERAL VIEW stack(1, _change_type, {ordinal}, _commit_snapshot_id) commit\n"
        f"  AS {', '.join(METADATA)}"
    )
    table = source.located
    shown = "" if table.relation is None else _with_options(source, table.metadata_table("changes"), options)
    return RawRows(
        shown and text.replace("{0}", shown),
        escaped(text).replace("{{0}}", f"{{{frame}}}"),
        {frame: table_rows.load(source, "changes", **options)},
    )


_APPENDED = """\
SELECT <columns>, 'INSERT' AS _change_type, added._change_ordinal, added._commit_snapshot_id
FROM <scan> AS appended
JOIN <files> AS added ON added.path = appended._file"""
_ADDED = """(
  SELECT DISTINCT e.data_file.file_path AS path, commit._change_ordinal, commit._commit_snapshot_id
  FROM {entries} AS e JOIN (VALUES {commits}) AS commit (_change_ordinal, _commit_snapshot_id)
    ON commit._commit_snapshot_id = e.snapshot_id AND e.status = 1
)"""


def appended(
    source: Source,
    selected: Sequence[Column],
    added: Sequence[tuple[str, int, int]],
    *,
    parent_id: int,
    end: int,
    row_ids: bool,
) -> RawRows:
    """The rows of commits that only added files, by one scan of all that was appended between two snapshots.

    The scan passes over commits of other operations and takes no notice of deletes.

    Args:
        source: the table.
        selected: the columns of the current schema.
        added: location of each file in question, with the ordinal and the id of its commit; files of other commits in
            between are left out.
        parent_id: a listed snapshot; commits after it are read.
        end: the last commit, whose ancestor it is.
        row_ids: with `_row_id`.
    """
    options = {"start-snapshot-id": str(parent_id), "end-snapshot-id": str(end)}
    hidden = ["_file", *(["_row_id"] if row_ids else [])]
    names = ", ".join([f"appended.{column.name}" for column in selected] + ["appended._row_id"] * row_ids)
    scan, files = f"appended_{added[0][1]}", f"added_{added[0][1]}"
    places = local_rows(source.spark, added, "path STRING, _change_ordinal INT, _commit_snapshot_id BIGINT")
    shown = "" if source.located.relation is None else _with_options(source, source.located.relation, options)
    if shown:
        commits = ", ".join(f"({ordinal}, {i}L)" for ordinal, i in sorted({(o, i) for _, o, i in added}))
        entries = _ADDED.format(entries=source.located.metadata_table("all_entries"), commits=commits)
        shown = _filled(_APPENDED, columns=names, scan=shown, files=entries)
    return RawRows(
        shown,
        _filled(_APPENDED, columns=escaped(names), scan=f"{{{scan}}}", files=f"{{{files}}}"),
        {scan: table_rows.load(source, **options).select("*", *hidden), files: F.broadcast(places)},
    )


def _with_options(source: Source, relation: str, options: Mapping[str, str]) -> str:
    """A scan with options as SQL says it; empty where it cannot, which is before Spark 4."""
    if source.spark.version < "4":
        return ""
    settings = ", ".join(f"'{key}' = '{value}'" for key, value in options.items())
    return f"{relation} WITH ({settings})"


def _filled(text: str, **parts: str) -> str:
    for name, part in parts.items():
        text = text.replace(f"<{name}>", part, 1)
    return text


def asked(
    selected: Sequence[Column], question: RowQuestion, files: TouchedFiles, *, snapshot_id: int, ordinal: int
) -> list[RawRows]:
    """The rows of one commit by the row question; with `_row_id` if the question has row ids. Empty sides are left out.

    A question without a before (its parent has expired) is taken for one of a commit that only added.
    """
    names = ", ".join([column.name for column in selected] + ["_row_id"] * question.row_ids)
    commit = f"{ordinal} AS _change_ordinal, {snapshot_id}L AS _commit_snapshot_id"
    can_be_gone = not files.complete or files.removed or (files.kept and files.masks)
    can_be_new = not files.complete or files.added or (files.kept and files.unmasks)
    found = []
    for change_type, frame, sql, can_be in (
        ("DELETE", question.gone, question.gone_sql, can_be_gone),
        ("INSERT", question.new, question.new_sql, can_be_new),
    ):
        if frame is not None and can_be:
            text = f"SELECT {names}, '{change_type}' AS _change_type, {commit}\nFROM "
            name = f"{change_type.lower()}_{ordinal}"
            found.append(RawRows(f"{text}(\n{sql}\n)" if sql else "", f"{escaped(text)}{{{name}}}", {name: frame}))
    return found


def nothing(source: Source, schema: Schema) -> RawRows:
    """No rows, of the columns of a schema."""
    values = ", ".join(schema_mapping.select({}, schema))
    text = f"SELECT {values}, '' AS _change_type, 0 AS _change_ordinal, 0L AS _commit_snapshot_id WHERE false"
    return RawRows(text, "SELECT * FROM {nothing}", {"nothing": source.spark.sql(text)})


def escaped(text: str) -> str:
    """Text in which braces of names and literals mean themselves to `SparkSession.sql`."""
    return text.replace("{", "{{").replace("}", "}}")


def union(selects: Iterable[str]) -> str:
    """The rows of all, duplicates kept."""
    return "\nUNION ALL\n".join(selects)
