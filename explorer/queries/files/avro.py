"""Manifest lists and manifests as stored: from the bytes of one Avro file to values. Nothing is inherited here.

Fields are found by their Iceberg field ids, since writers name them differently (`added_files_count`,
`added_data_files_count`). A column that a file does not have is null, as is a value that is stored as null: what both
mean is in `model.iceberg.inheritance`. Logical types are not applied, so no date or decimal is too large to be read.

Source: Iceberg specification, "Manifests", "Manifest Lists".
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...model.iceberg.document import Specs
from ...model.iceberg.inheritance import ListedManifest
from .avro_file import AvroFile, NotReadable, once_a_schema

LIST = {
    "path": 500,
    "length": 501,
    "partition_spec_id": 502,
    "content": 517,
    "sequence_number": 515,
    "min_sequence_number": 516,
    "added_snapshot_id": 503,
    "added_files_count": 504,
    "existing_files_count": 505,
    "deleted_files_count": 506,
    "added_rows_count": 512,
    "existing_rows_count": 513,
    "deleted_rows_count": 514,
    "first_row_id": 520,
}
"""Columns of a manifest list with their field ids, in the order of `ListedManifest`; all but `path` are numbers."""
_OWN_NAMES = {"path": "manifest_path", "length": "manifest_length"}  # of columns that Iceberg's tables call otherwise
_DATA_FILE_ID = 2
# The same of an entry, of its data file, and of the statistics there.
_ENTRY = {"status": 0, "stored_snapshot_id": 1, "stored_sequence_number": 3, "stored_file_sequence_number": 4}
_FILE = {
    "content": 134,
    "file_path": 100,
    "file_format": 101,
    "partition": 102,
    "record_count": 103,
    "file_size_in_bytes": 104,
    "equality_ids": 135,
    "referenced_data_file": 143,
    "content_offset": 144,
    "content_size_in_bytes": 145,
    "stored_first_row_id": 142,
    "sort_order_id": 140,
}
STATISTICS = {
    "value_counts": 109,
    "null_value_counts": 110,
    "nan_value_counts": 137,
    "lower_bounds": 125,
    "upper_bounds": 128,
}
_EXISTING, _DELETED = 0, 2

Columns = dict[str, list[Any]]
"""Entries, or rows of a manifest list, by column; all columns are of one length. A value for each takes more time."""


def manifest_list_rows(content: bytes, snapshot_id: int | None = None) -> list[ListedManifest]:
    """The rows of a manifest list, in its order; arguments and errors as of `manifest_list_columns`."""
    columns = manifest_list_columns(content, snapshot_id)
    return [ListedManifest(*row) for row in zip(*(columns[name] for name in LIST), strict=True)]


def manifest_list_columns(content: bytes, snapshot_id: int | None = None) -> Columns:
    """The same by column, for who needs a few of the rows alone: the lists of a history name most manifests again.

    Args:
        content: the whole file.
        snapshot_id: whose list it shall be; None if that is not known.

    Raises:
        NotReadable: not Avro, cut short, not a manifest list, or by its own header that of another snapshot.
    """
    avro = AvroFile(content)
    own = avro.number("snapshot-id")  # not all writers say it
    if None not in (own, snapshot_id) and own != snapshot_id:
        raise NotReadable(f"It is the manifest list of another snapshot, {own}.")
    names = _names(avro.schema, LIST)
    if "path" not in names:
        raise NotReadable("It is an Avro file, but not a manifest list: it has no manifest_path.")
    rows = list(avro.records())
    in_file = {column: names.get(column, "") for column in LIST}
    columns: Columns = {column: [row.get(name) for row in rows] for column, name in in_file.items()}
    columns["content"] = [c or 0 for c in columns["content"]]  # version 1 lists have data manifests, and do not say so
    columns["partition_spec_id"] = [spec_id or 0 for spec_id in columns["partition_spec_id"]]
    return columns


def entry_columns(
    content: bytes, listed: ListedManifest, specs: Specs, *, statistics: bool = False, changes_only: bool = False
) -> Columns:
    """The entries of a manifest, in its order, with the columns of `files.manifests.entries` but `unreadable`.

    Args:
        content: the whole file.
        listed: its row of the manifest list.
        specs: partition fields by spec id, from the table's metadata: they serve where the manifest names none.
        statistics: decode the counts and bounds of columns too; they are most of the bytes.
        changes_only: leave EXISTING entries out; positions and row ids still count them.

    Raises:
        NotReadable: not Avro, cut short, or not a manifest.
    """
    avro = AvroFile(content)
    layout = _layout(avro.schema_text, statistics)
    names, file_names, data_file = layout.names, layout.file_names, layout.data_file
    own_spec_id = avro.number("partition-spec-id")
    spec_id = own_spec_id or 0 if listed.partition_spec_id is None else listed.partition_spec_id
    own_spec, spec = avro.text("partition-spec") or "[]", json.dumps(specs.get(spec_id, ()))
    partition_text = _partition_text(_partition_parts(avro.schema_text, own_spec, spec))
    columns: Columns = {name: [] for name in ("position", "unassigned_rows_before", *_ENTRY, *_wanted(statistics))}
    converted: dict[str, Callable[[Any], Any]] = {
        "content": lambda stored: stored or 0,  # version 1 manifests hold data files only, and do not say so
        "partition": partition_text,
        **(dict.fromkeys(STATISTICS, _map) if statistics else {}),
    }
    of_entry = [(columns[column].append, names.get(column, "")) for column in _ENTRY]
    of_file = [(columns[column].append, file_names.get(column, "")) for column in _FILE if column not in converted]
    to_convert = [(columns[column].append, file_names.get(column, ""), of) for column, of in converted.items()]
    row_id, record_count = file_names.get("stored_first_row_id", ""), file_names["record_count"]
    unassigned, position = 0, -1
    kept = {data_file: file_names.values()}
    for position, record in enumerate(avro.records([*names.values(), data_file], kept)):
        status, file, unassigned_before = record[names["status"]], record[data_file], unassigned
        if status != _DELETED and file.get(row_id) is None:
            unassigned += file[record_count]
        if changes_only and status == _EXISTING:
            continue
        columns["position"].append(position)
        columns["unassigned_rows_before"].append(unassigned_before)
        for append, name in of_entry:
            append(record.get(name))
        for append, name in of_file:
            append(file.get(name))
        for append, name, value_of in to_convert:
            append(value_of(file.get(name)))
    _check_complete(content, listed, position + 1)
    same = {
        "manifest_path": listed.path,
        "manifest_format_version": avro.number("format-version"),
        "manifest_content": avro.text("content"),
        "manifest_spec_id": own_spec_id,
        "spec_id": spec_id,
    }
    return columns | {name: [value] * len(columns["position"]) for name, value in same.items()}


def _check_complete(content: bytes, listed: ListedManifest, entries: int) -> None:
    """A file cut between two blocks is valid Avro. Its length alone proves nothing: some writers list a wrong one."""
    added, existing, deleted = listed.added_files_count, listed.existing_files_count, listed.deleted_files_count
    if added is None or existing is None or deleted is None or not listed.length:
        return
    counted = added + existing + deleted
    if len(content) < listed.length and entries < counted:
        raise NotReadable(f"It is cut short: {entries:,} of the {counted:,} entries that the list counts.")


@dataclass(frozen=True)  # without slots, whose values Spark 3.5 loses on the way to a task
class _Layout:
    """What a manifest's writer calls the columns of an entry and of its data file, and the field that holds that."""

    names: Mapping[str, str]
    file_names: Mapping[str, str]
    data_file: str


def _wanted(statistics: bool) -> Mapping[str, int]:
    return _FILE | STATISTICS if statistics else _FILE


@once_a_schema
def _layout(schema_text: str, statistics: bool) -> _Layout:
    schema = json.loads(schema_text)
    names, data_file = _names(schema, _ENTRY), _field(schema, "data_file", _DATA_FILE_ID)
    if "status" not in names or data_file is None:
        raise NotReadable("It is an Avro file, but not a manifest: it has no status or no data_file.")
    file_names = _names(data_file["type"], _wanted(statistics))
    absent = [c for c in ("file_path", "file_format", "record_count", "file_size_in_bytes") if c not in file_names]
    if absent:
        raise NotReadable(f"It is not a manifest: its files have no {' and no '.join(absent)}.")
    return _Layout(names, file_names, data_file["name"])


def _field(record: Mapping[str, Any], name: str, field_id: int) -> Any:
    """A field by its id; by its name where the writer left ids out."""
    fields = record.get("fields", ())
    return next(
        (f for f in fields if f.get("field-id") == field_id),
        next((f for f in fields if "field-id" not in f and f["name"] == name), None),
    )


def _names(record: Mapping[str, Any], columns: Mapping[str, int]) -> dict[str, str]:
    """What the writer calls each column that the file has."""
    found = {
        column: _field(record, _OWN_NAMES.get(column, column.removeprefix("stored_")), i)
        for column, i in columns.items()
    }
    return {column: field["name"] for column, field in found.items() if field is not None}


def _map(pairs: Any) -> dict[int, Any] | None:
    """A map with whole numbers as keys: Avro has none, so it is an array of pairs."""
    if pairs is None:
        return None
    return (
        {int(key): value for key, value in pairs.items()}
        if isinstance(pairs, dict)
        else {pair["key"]: pair["value"] for pair in pairs}
    )


def _partition_text(parts: Sequence[tuple[str, str, Any, Any]]) -> Callable[[Any], str]:
    """A function from a stored partition tuple to text such as `region=EU/day=2026-11-20`.

    Exact: two tuples of one spec have the same text only if they are equal. null is `null`; the text "null", an empty
    text and one with a sign of the notation stand in quotes.
    """
    if not parts:
        return lambda _: ""
    text_of: dict[str, str] = {}

    def text(values: Mapping[str, Any]) -> str:
        key = repr(values)  # many entries share a tuple; unlike the values, their texts tell -0.0 from 0.0
        if key not in text_of:
            text_of[key] = "/".join(
                f"{quoted_if_odd(shown)}={_value_text(transform, kind, values[name])}"
                for name, shown, transform, kind in parts
            )
        return text_of[key]

    return text


@once_a_schema
def _partition_parts(schema_text: str, own_spec: str, spec: str) -> tuple[tuple[str, str, Any, Any], ...]:
    """Of each field of a manifest's partition tuple: name there, name in the spec, transform, stored type.

    Args:
        schema_text: of the manifest.
        own_spec: partition fields by the manifest's header, JSON.
        spec: the same from the table's metadata, where the manifest names none.
    """
    data_file = _field(json.loads(schema_text), "data_file", _DATA_FILE_ID)
    field = _field(data_file["type"], "partition", _FILE["partition"])
    stored = (field or {}).get("type", {}).get("fields", ())
    if not stored:
        return ()
    # PyIceberg takes a while to import, which the reader of an unpartitioned table need not wait for.
    from pyiceberg.transforms import parse_transform

    named = json.loads(own_spec) or json.loads(spec)
    named = named.get("fields", ()) if isinstance(named, dict) else named
    by_id = {f.get("field-id", 1000 + i): f for i, f in enumerate(named)}  # version 1 may leave the ids out
    parts = []
    for f in stored:
        of_spec = by_id.get(f.get("field-id"), {})
        transform = parse_transform(of_spec.get("transform", "identity"))
        parts.append((f["name"], of_spec.get("name", f["name"]), transform, _iceberg_type(f)))
    return tuple(parts)


def _iceberg_type(field: Mapping[str, Any]) -> Any:
    """The stored type of a partition value; None if PyIceberg does not know it."""
    from pyiceberg.utils.schema_conversion import AvroSchemaConversion

    try:
        return AvroSchemaConversion().avro_to_iceberg({"type": "record", "fields": [field]}).fields[0].field_type
    except Exception:
        return None


def _value_text(transform: Any, kind: Any, value: Any) -> str:
    from pyiceberg.types import DecimalType, UUIDType
    from pyiceberg.utils.decimal import bytes_to_decimal

    if value is None:
        return "null"
    if isinstance(value, str):
        return quoted_if_odd(value)
    try:
        if isinstance(kind, DecimalType) and isinstance(value, bytes):
            return str(bytes_to_decimal(value, kind.scale))
        if isinstance(kind, UUIDType) and isinstance(value, bytes):
            return str(uuid.UUID(bytes=value))
        return str(transform.to_human_string(kind, value))
    except Exception:  # a type or a time that PyIceberg cannot write: the stored value itself is exact too
        return value.hex() if isinstance(value, bytes) else str(value)


def quoted_if_odd(text: str) -> str:
    """A name or value of a partition's text, in quotes where it could be taken for something else."""
    odd = text in ("", "null") or text != text.strip() or not text.isprintable() or any(c in text for c in '/="\\')
    return json.dumps(text, ensure_ascii=False) if odd else text
