"""A table's metadata file as a value: snapshots, refs, logs, schemas, specs.

Read tolerantly: a writer may leave out what the specification lets it leave out, and a table that went wrong must
still open. What cannot be understood at all raises `InvalidMetadata`; what is odd becomes a line of `oddities`.

Source: Iceberg specification, "Table Metadata and Snapshots" (fields) and "Snapshot References"; Appendix C (JSON).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Literal

from .document import Document, PartitionField
from .schema import SchemaField, fields

LARGEST_LONG = 2**63 - 1
READABLE_FORMAT_VERSIONS = (1, 2, 3)
_BITS_OF_ANY_ID = 127  # an id that no long can hold is kept, as exact as a decimal of 38 digits
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MANIFEST_LIST_NAME = re.compile(r"snap-(?P<snapshot>-?[0-9]+)-(?P<attempt>[0-9]{1,9})-[^/]*$")


class InvalidMetadata(ValueError):
    """The document is not table metadata that can be shown; the message names the field and the value."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One snapshot as the metadata records it.

    Attributes:
        snapshot_id: unique in the table; nearly always above 2^53.
        parent_id: None for a root. It may name a snapshot that is no longer listed.
        sequence_number: order of the commit in the whole table; 0 for every commit made as format version 1.
        committed_at: UTC, the committing client's clock, millisecond precision; None if not recorded.
        operation: append, overwrite, delete, replace; None if not recorded (optional in version 1).
        summary: every key as recorded, without `operation`; the values are strings.
        manifest_list: location of the manifest list; None in version 1 tables that list manifests inline.
        schema_id: schema current at the commit; None if not recorded.
        first_row_id: first row id the commit could assign (version 3); None otherwise.
        added_rows: rows that the commit assigned ids to (version 3); None otherwise.
    """

    snapshot_id: int
    parent_id: int | None
    sequence_number: int
    committed_at: datetime | None
    operation: str | None
    summary: Mapping[str, str]
    manifest_list: str | None
    schema_id: int | None
    first_row_id: int | None = None
    added_rows: int | None = None

    @property
    def attempt(self) -> int | None:
        """Attempt number in the manifest list's file name; None where the name does not tell.

        Java writers count from 1; PyIceberg always writes 0. A convention of file names, not of the format, and the
        number grows inside transactions too: evidence for a retry, not proof.
        """
        match = _MANIFEST_LIST_NAME.search(self.manifest_list or "")
        return int(match["attempt"]) if match and int(match["snapshot"]) == self.snapshot_id else None

    def count(self, key: str) -> int | None:
        """A counter of the summary; 0 if the writer counts but left this one out, None if it does not count.

        Writers leave a counter out when it is 0. A summary with no counter at all says nothing, and so does a counter
        that is no whole number, is below 0, or is more than a long can hold.
        """
        value = self.summary.get(key)
        if value is not None:
            counted = long_from_text(value)
            return counted if counted is not None and counted >= 0 else None
        counts = any(k.startswith(("added-", "deleted-", "removed-", "total-", "manifests-")) for k in self.summary)
        return 0 if counts else None


@dataclass(frozen=True, slots=True)
class Ref:
    """A named pointer to a snapshot: a branch, which moves, or a tag, which does not.

    Retention fields are None where the table's own properties decide; ages are in milliseconds.
    """

    name: str
    kind: Literal["branch", "tag"]
    snapshot_id: int
    min_snapshots_to_keep: int | None = None
    max_snapshot_age_ms: int | None = None
    max_ref_age_ms: int | None = None


@dataclass(frozen=True, slots=True)
class SnapshotLogEntry:
    """`main` pointed at `snapshot_id` from `made_current_at` (UTC) on."""

    made_current_at: datetime
    snapshot_id: int


@dataclass(frozen=True, slots=True)
class MetadataLogEntry:
    """An earlier metadata file and the time (UTC) it was written."""

    written_at: datetime
    file: str


@dataclass(frozen=True)
class TableMetadata:
    """One metadata file.

    Attributes:
        table_uuid: None in old version 1 tables.
        last_sequence_number: largest number ever given out; 0 for version 1.
        current_snapshot_id: head of `main`; None if the table has none.
        snapshots: in the order of the file; ids are unique.
        refs: by name; `main` is added for version 1 files that have a current snapshot and no refs.
        snapshot_log: when `main` pointed where, oldest first; expiry cuts it.
        schemas: field lists by schema id. `specs`: partition fields, as recorded, by spec id.
        oddities: what the file says that no healthy table says, in words.
    """

    format_version: int
    table_uuid: str | None
    location: str
    last_sequence_number: int
    last_updated_at: datetime | None
    current_snapshot_id: int | None
    snapshots: tuple[Snapshot, ...]
    refs: Mapping[str, Ref]
    snapshot_log: tuple[SnapshotLogEntry, ...]
    metadata_log: tuple[MetadataLogEntry, ...]
    current_schema_id: int | None
    schemas: Mapping[int, tuple[SchemaField, ...]]
    default_spec_id: int | None
    specs: Mapping[int, tuple[PartitionField, ...]]
    properties: Mapping[str, str]
    oddities: tuple[str, ...] = ()
    by_id: Mapping[int, Snapshot] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", MappingProxyType({s.snapshot_id: s for s in self.snapshots}))

    @classmethod
    def from_json(cls, document: object) -> TableMetadata:
        """The value of a parsed metadata.json.

        Raises:
            InvalidMetadata: it is not a JSON object, has no readable format version, holds a number that no engine can
                hold (above 2^63-1) and that is no snapshot's id, or a part of it is not of the kind that the
                specification gives it.
        """
        try:
            return _read(document)
        except RecursionError:
            raise InvalidMetadata("a schema in it is nested too deeply to be read") from None

    def partitioning(self, spec_id: int | None = None) -> str:
        """`day(ordered_at), region` for a spec (the default one if none is given); empty if unpartitioned."""
        names = {str(f.field_id): f.path for f in _all_fields(self.schemas)}
        parts = []
        for part in self.specs.get(self.default_spec_id if spec_id is None else spec_id, ()):  # type: ignore[arg-type]
            several = part.get("source-ids")
            sources = several if isinstance(several, list) else [part.get("source-id")]
            columns = ", ".join(names.get(str(source), f"field {source}") for source in sources)
            transform = str(part.get("transform", "identity"))
            if transform != "void":
                parts.append(columns if transform == "identity" else f"{transform}({columns})")
        return ", ".join(parts)


def _all_fields(schemas: Mapping[int, tuple[SchemaField, ...]]) -> Iterable[SchemaField]:
    for schema_id in sorted(schemas):
        yield from schemas[schema_id]


def time_from_ms(milliseconds: int | None) -> datetime | None:
    """UTC time of epoch milliseconds, exact; None for None or for a time no calendar holds."""
    if milliseconds is None:
        return None
    try:
        return _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None


def id_from_text(text: str) -> int | None:
    """The snapshot id that a text writes in decimal digits, also one that no long can hold; None if it writes none."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,38}", text) else None


def long_from_text(text: str) -> int | None:
    """The long that a text writes in decimal digits; None if it writes none, or one beyond 64 bits."""
    if len(text) < 19 and text.isascii() and text.isdecimal():  # nearly all, and a graph asks for many
        return int(text)
    number = int(text) if re.fullmatch(r"-?[0-9]{1,19}", text) else None
    return number if number is not None and -LARGEST_LONG - 1 <= number <= LARGEST_LONG else None


def _integer(document: Mapping[str, Any], key: str, *, bits: int = 64) -> int | None:
    """A long (or int, of 32 bits) of the document; numbers written as strings are read, an absurd one is named."""
    value = document.get(key)
    beyond = 1 << (bits - 1)
    if value is None or (type(value) is int and -beyond <= value < beyond):  # as in every healthy file
        return value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,30}", value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidMetadata(f"{key} is {value!r}, not a whole number")
    if too_wide := beyond_bits(value, bits):
        raise InvalidMetadata(f"{key} is {value}, which is {too_wide}")
    return value


def beyond_bits(value: int, bits: int = 64) -> str:
    """What a number is that a long (or int, of 32 bits) cannot hold; empty if it can."""
    beyond = 1 << (bits - 1)
    if -beyond <= value < beyond:
        return ""
    limit = f"above 2^{bits - 1}-1, the largest" if value > 0 else f"below -2^{bits - 1}, the smallest"
    return f"{limit} number the format can hold"


def _id(document: Mapping[str, Any], key: str) -> int | None:
    """A snapshot's id, also one beyond 64 bits: see `refusals`."""
    return _integer(document, key, bits=_BITS_OF_ANY_ID)


def _text(document: Mapping[str, Any], key: str) -> str | None:
    """A string of the document; None if it is missing or null."""
    value = document.get(key)
    if value is not None and not isinstance(value, str):
        raise InvalidMetadata(f"{key} is {value!r}, not a string")
    return value


def _object(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = document.get(key) or {}
    if not isinstance(value, Mapping):
        raise InvalidMetadata(f"{key} is not an object")
    return value


def _objects(document: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = document.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise InvalidMetadata(f"{key} is not a list of objects")
    return value


def _read(document: object) -> TableMetadata:
    if not isinstance(document, Mapping):
        raise InvalidMetadata("it is not a JSON object")
    version = _integer(document, "format-version")
    if version is None:
        raise InvalidMetadata("it has no format-version, so it is not table metadata")
    if version not in READABLE_FORMAT_VERSIONS:
        raise InvalidMetadata(f"it has format version {version}; versions 1 to 3 are read here")
    oddities: list[str] = []
    snapshots = _snapshots(document, oddities)
    known = {s.snapshot_id for s in snapshots}
    current = _id(document, "current-snapshot-id")
    current = None if current == -1 else current
    refs = _refs(document, oddities)
    if current is not None and "main" not in refs:
        refs["main"] = Ref("main", "branch", current)
    if "main" in refs and refs["main"].snapshot_id != current:
        oddities.append(f"main points at {refs['main'].snapshot_id}, current-snapshot-id says {current}")
        current = refs["main"].snapshot_id
    oddities += [
        f"{ref.kind} {ref.name} points at snapshot {ref.snapshot_id}, which is not listed"
        for ref in refs.values()
        if ref.snapshot_id not in known
    ]
    oddities += _circles(snapshots)
    schemas = _schemas(document)
    current_schema = _integer(document, "current-schema-id")
    default_spec = _integer(document, "default-spec-id")
    return TableMetadata(
        format_version=version,
        table_uuid=_text(document, "table-uuid"),
        location=_text(document, "location") or "",
        last_sequence_number=_integer(document, "last-sequence-number") or 0,
        last_updated_at=time_from_ms(_integer(document, "last-updated-ms")),
        current_snapshot_id=current,
        snapshots=snapshots,
        refs=MappingProxyType(refs),
        snapshot_log=_snapshot_log(document),
        metadata_log=_metadata_log(document),
        current_schema_id=next(iter(schemas), None) if current_schema is None else current_schema,
        schemas=MappingProxyType(schemas),
        default_spec_id=0 if default_spec is None else default_spec,
        specs=MappingProxyType(_specs(document)),
        properties=MappingProxyType({str(k): str(v) for k, v in _object(document, "properties").items()}),
        oddities=tuple(oddities),
    )


def _snapshots(document: Document, oddities: list[str]) -> tuple[Snapshot, ...]:
    found: dict[int, Snapshot] = {}
    for item in _objects(document, "snapshots"):
        snapshot_id = _id(item, "snapshot-id")
        if snapshot_id is None:
            raise InvalidMetadata("a snapshot has no snapshot-id")
        if snapshot_id in found:
            oddities.append(f"snapshot {snapshot_id} is listed twice; the later one is shown")
        summary = _strings(_object(item, "summary"))
        parent = _id(item, "parent-snapshot-id")
        found[snapshot_id] = Snapshot(
            snapshot_id=snapshot_id,
            parent_id=None if parent == -1 else parent,
            sequence_number=_integer(item, "sequence-number") or 0,
            committed_at=time_from_ms(_integer(item, "timestamp-ms")),
            operation=summary.pop("operation", None) or None,
            summary=MappingProxyType(summary),
            manifest_list=_text(item, "manifest-list"),
            schema_id=_integer(item, "schema-id", bits=32),
            first_row_id=_integer(item, "first-row-id"),
            added_rows=_integer(item, "added-rows"),
        )
    return tuple(found.values())


def _circles(snapshots: Iterable[Snapshot]) -> Iterator[str]:
    """A line for each circle of parents, in which no snapshot can have been first."""
    parent: dict[int | None, int | None] = {s.snapshot_id: s.parent_id for s in snapshots}
    came_from: dict[int | None, int | None] = {}  # where the walk to the root began that came by first
    for start in parent:
        at = start
        while at in parent and at not in came_from:
            came_from[at] = start
            at = parent[at]
        if at in parent and came_from[at] == start:
            yield f"snapshot {at} is among its own ancestors"


def _strings(document: Mapping[str, Any]) -> dict[str, str]:
    """A copy with every value as text, without nulls."""
    if set(map(type, document.values())) <= {str}:
        return dict(document)
    return {str(key): str(value) for key, value in document.items() if value is not None}


def _refs(document: Document, oddities: list[str]) -> dict[str, Ref]:
    refs: dict[str, Ref] = {}
    for name, item in _object(document, "refs").items():
        snapshot_id = _id(item, "snapshot-id") if isinstance(item, Mapping) else None
        if snapshot_id is None:
            oddities.append(f"ref {name} names no snapshot")
            continue
        refs[name] = Ref(
            name=name,
            kind="tag" if item.get("type") == "tag" else "branch",
            snapshot_id=snapshot_id,
            min_snapshots_to_keep=_integer(item, "min-snapshots-to-keep"),
            max_snapshot_age_ms=_integer(item, "max-snapshot-age-ms"),
            max_ref_age_ms=_integer(item, "max-ref-age-ms"),
        )
    return refs


def _snapshot_log(document: Document) -> tuple[SnapshotLogEntry, ...]:
    entries = []
    for item in _objects(document, "snapshot-log"):
        at, snapshot_id = time_from_ms(_integer(item, "timestamp-ms")), _id(item, "snapshot-id")
        if at is not None and snapshot_id is not None:
            entries.append(SnapshotLogEntry(at, snapshot_id))
    return tuple(entries)


def _metadata_log(document: Document) -> tuple[MetadataLogEntry, ...]:
    entries = []
    for item in _objects(document, "metadata-log"):
        at = time_from_ms(_integer(item, "timestamp-ms"))
        if at is not None and item.get("metadata-file"):
            entries.append(MetadataLogEntry(at, str(item["metadata-file"])))
    return tuple(entries)


def _schemas(document: Document) -> dict[int, tuple[SchemaField, ...]]:
    items = _objects(document, "schemas")
    if not items and isinstance(document.get("schema"), Mapping):
        items = [document["schema"]]  # version 1: one schema, perhaps without an id
    return {_integer(item, "schema-id") or 0: tuple(fields({"fields": _objects(item, "fields")})) for item in items}


def _specs(document: Document) -> dict[int, tuple[PartitionField, ...]]:
    items = _objects(document, "partition-specs")
    if not items and isinstance(document.get("partition-spec"), list):
        items = [{"spec-id": 0, "fields": document["partition-spec"]}]  # version 1: one spec, its fields alone
    return {_integer(item, "spec-id") or 0: tuple(_objects(item, "fields")) for item in items}
