"""Statements that repair what several signatures find."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

from ..arrays import Longs
from ..words import partition_fields
from .files import Files
from .known import Known, column_in_sql

MOST_FILES = 100
"""That a statement names."""
_DYNAMIC = "SET spark.sql.sources.partitionOverwriteMode = dynamic;\n"
_UNITS: Mapping[str, Literal["Y", "M", "D", "h"]] = {"year": "Y", "month": "M", "day": "D", "hour": "h"}
_LITERALS = {"date": "DATE '{}'", "timestamp": "TIMESTAMP_NTZ '{}'", "timestamptz": "TIMESTAMP '{} UTC'"}
_PLAIN = re.compile(r"[\w.-]+")


def dynamic(known: Known) -> str:
    """What must run before an overwrite of some partitions: else Spark replaces the whole table.

    A statement, no comment: who copies both into one that runs a single statement gets an error, and loses nothing.
    """
    return _DYNAMIC if known.is_partitioned else ""


def without_files(known: Known, files: Files, chosen: Longs) -> str:
    """The table without the rows of some live data files, by a dynamic overwrite of their partitions.

    A DELETE cannot name a file: Iceberg looks `_file` up among the columns of the table.
    """
    names = names_of(files, chosen)
    columns = ", ".join(known.columns)
    only = f"\nAND {partitions_of(known, files, chosen)}" if known.is_partitioned else ""
    table = known.named.table
    where = f"WHERE _file NOT IN (\n  {names}\n){only}"
    return f"{dynamic(known)}INSERT OVERWRITE {table}\nSELECT\n  {columns}\nFROM {table}\n{where}"


def rows_once(known: Known, files: Files, chosen: Longs) -> tuple[str, str]:
    """The table with each row once in the partitions of some data files, and the SQL that gives those there twice."""
    columns, table = ", ".join(known.columns), known.named.table
    only = f"\nWHERE {partitions_of(known, files, chosen)}" if known.is_partitioned else ""
    return (
        f"{dynamic(known)}INSERT OVERWRITE {table}\nSELECT DISTINCT\n  {columns}\nFROM {table}{only}",
        f"SELECT\n  {columns}\nFROM {table}{only}\nGROUP BY {columns}\nHAVING count(*) > 1",
    )


def deleted_again(known: Known, rows: str, where: str) -> tuple[str, str]:
    """The rows that are equal to some of before, deleted; and the query that finds those which are not.

    A MERGE cannot ask for them: Spark loses metadata columns of a table that is also what it writes to.

    Args:
        known: the table.
        rows: a relation of rows with the table's columns, called `s`.
        where: which of them, SQL.
    """
    equal = "\n  AND ".join(f"t.{c} <=> s.{c}" for c in known.columns)
    those = (
        f"FROM {known.named.table} AS t\nWHERE EXISTS (\n  SELECT\n    1\n  FROM {rows}\n  WHERE {where}\n"
        f"  AND {equal}\n)"
    )
    return f"DELETE {those}", f"SELECT\n  *\n{those}"


def lacking(known: Known, rows: str) -> str:
    """A query for those of some rows, a SELECT, that the table has not."""
    return f"{rows}\nEXCEPT ALL\nSELECT\n  *\nFROM {known.named.table}"


def not_at(known: Known, snapshot_id: int) -> str:
    """A query for main where it is at another snapshot."""
    return f"SELECT\n  snapshot_id\nFROM {known.named.table}.refs\nWHERE name = 'main' AND snapshot_id <> {snapshot_id}"


def not_listed(known: Known, *appends: int) -> str:
    """A query for the files that some snapshots appended and the table does not list."""
    appended = (
        "SELECT\n  data_file.file_path\n"
        f"FROM {known.named.table}.entries VERSION AS OF {i}\nWHERE snapshot_id = {i} AND status = 1"
        for i in appends
    )
    joined = "\nUNION ALL\n".join(appended)
    all_of_them = f"(\n{joined}\n)" if len(appends) > 1 else joined
    return f"{all_of_them}\nEXCEPT\nSELECT\n  file_path\nFROM {known.named.table}.files"


def still_listed(known: Known, files: Files, chosen: Longs) -> str:
    """A query for those of some files that the table still lists; of a vector by what it is for: it shares its file."""
    vectors, others = chosen[files.kind[chosen] == 3], chosen[files.kind[chosen] != 3]
    conditions = [f"file_path IN (\n  {names_of(files, others)}\n)"] if len(others) else []
    if len(vectors):
        targets = files.lifetimes.targets.take(vectors[:MOST_FILES]).to_pylist()
        conditions.append(f"file_format = 'PUFFIN' AND referenced_data_file IN (\n  {_texts(targets)}\n)")
    return f"SELECT\n  file_path\nFROM {known.named.table}.files\nWHERE " + "\nOR ".join(conditions)


def as_many(known: Known, relation: str, now: int) -> str:
    """A query for how many rows a metadata table has, where they are not fewer than now."""
    return f"SELECT\n  count(*) AS {relation}\nFROM {known.named.table}.{relation}\nHAVING count(*) >= {now}"


def not_expired(known: Known, cut: str) -> str:
    """A query for snapshots older than an instant that no branch or tag needs."""
    return (
        f"SELECT\n  snapshot_id\nFROM {known.named.table}.snapshots\nWHERE committed_at < TIMESTAMP '{cut}'\n"
        f"AND snapshot_id NOT IN (\n  SELECT\n    snapshot_id\n  FROM {known.named.table}.refs\n)"
    )


def with_properties(known: Known, **properties: str) -> tuple[str, str]:
    """The statement that sets properties of the table, and the one that gives back what they are now.

    Args:
        known: the table.
        properties: by key.
    """
    alter, now = f"ALTER TABLE {known.named.table}\n", known.metadata.properties
    before = {key: now[key] for key in properties if key in now}
    back = [f"{alter}SET TBLPROPERTIES ({_listed(before)})"] if before else []
    if unset := [f"'{_escaped(key)}'" for key in properties if key not in now]:
        back.append(f"{alter}UNSET TBLPROPERTIES (\n  {', '.join(unset)}\n)")
    return f"{alter}SET TBLPROPERTIES ({_listed(properties)})", ";\n".join(back)


def _listed(properties: Mapping[str, str]) -> str:
    pairs = (f"'{_escaped(key)}' = '{_escaped(value)}'" for key, value in properties.items())
    return "\n  " + ",\n  ".join(pairs) + "\n"


def _escaped(text: str) -> str:
    """Within quotes of Spark SQL."""
    return text.replace("\\", "\\\\").replace("'", "\\'")


def names_of(files: Files, chosen: Longs) -> str:
    """Paths of some files, the first ones, as SQL lists them."""
    return _texts(files.names(chosen, MOST_FILES))


def _texts(found: Iterable[str]) -> str:
    return ",\n  ".join("'" + text.replace("'", "''") + "'" for text in found)


def partitions_of(known: Known, files: Files, chosen: Longs) -> str:
    """A condition that meets their partitions; a stand-in where it cannot be told from their names."""
    found = dict.fromkeys((int(files.spec[n]), files.partition(n)) for n in chosen.tolist())
    conditions = []
    for spec_id, partition in found:
        fields = {field["name"]: field for field in known.metadata.specs.get(spec_id, ())}
        told = [_field(known, fields.get(name, {}), value) for name, value in partition_fields(partition)]
        if not told or not all(told):
            return "<the partitions of these files>"
        conditions.append(" AND ".join(told))
    return conditions[0] if len(conditions) == 1 else f"({' OR '.join(f'({c})' for c in conditions)})"


def _field(known: Known, field: Mapping[str, Any], value: str) -> str:
    """What the rows of one partition value have in common; empty where that is not told here."""
    columns = {f.field_id: f for fields in known.metadata.schemas.values() for f in fields}
    column, transform = columns.get(field.get("source-id", 0)), str(field.get("transform"))
    if column is None or not _PLAIN.fullmatch(value):
        return ""
    name = column_in_sql(column.path)
    if value == "null":
        return f"{name} IS NULL"
    if transform == "identity":
        return f"{name} = '{value}'"
    literal = _LITERALS.get(column.type)
    if transform not in _UNITS or literal is None:
        return ""
    try:
        first = np.datetime64(re.sub(r"^(\d+-\d+-\d+)-(\d+)$", r"\1T\2", value), _UNITS[transform])
    except ValueError:
        return ""
    ends = (str(np.datetime_as_string(end.astype("M8[s]"))).replace("T", " ") for end in (first, first + 1))
    low, high = (literal.format(end[: 10 if column.type == "date" else 19]) for end in ends)
    return f"{name} >= {low} AND {name} < {high}"
