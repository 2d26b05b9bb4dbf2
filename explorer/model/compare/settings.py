"""What a table is besides its rows at two points: partition spec, sort order, properties, refs.

None of it has a version for each snapshot: it is what the metadata file of that time says, where there still is one.

Source: Iceberg specification, "Table Metadata" (metadata-log, properties, refs, default-spec-id, sort-orders), "Sort
Orders"; of the keys that change behaviour, the Java library's `TableProperties`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..iceberg.document import Document
from ..iceberg.metadata import TableMetadata

Area = Literal["partition spec", "sort order", "property", "ref"]
_BEHAVIOUR = ("read.", "write.", "commit.", "history.", "gc.", "format-version", "schema.name-mapping", "encryption.")


@dataclass(frozen=True, slots=True)
class TableState:
    """A metadata file that tells what a table was at a point.

    Attributes:
        location: of the file.
        metadata: the file as a value.
        sort_order: the default one in words, `ordered_at DESC NULLS LAST`; empty if unsorted.
    """

    location: str
    metadata: TableMetadata
    sort_order: str


@dataclass(frozen=True, slots=True)
class NoState:
    """Nothing is known of what a table was at a point; `reason` is a sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that the two sides have otherwise; None where a side has it not."""

    area: Area
    name: str
    left: str | None
    right: str | None

    @property
    def change(self) -> Literal["added", "dropped", "changed"]:
        """What happened to it from left to right."""
        return "added" if self.left is None else "dropped" if self.right is None else "changed"

    @property
    def changes_behaviour(self) -> bool:
        """Whether engines read or write otherwise because of it; a ref moves with every commit."""
        return self.area in ("partition spec", "sort order") or (
            self.area == "property" and self.name.startswith(_BEHAVIOUR)
        )


def table_state(location: str, document: Document, metadata: TableMetadata) -> TableState:
    """The state that a metadata file tells."""
    return TableState(location, metadata, _sort_order(document, metadata))


def settings(left: TableState, right: TableState) -> tuple[Setting, ...]:
    """What differs, area by area; within each, what changes behaviour first, then by name."""
    found = [
        *_differing("partition spec", _spec(left.metadata), _spec(right.metadata)),
        *_differing("sort order", {"default": left.sort_order}, {"default": right.sort_order}),
        *_differing("property", _properties(left.metadata), _properties(right.metadata)),
        *_differing("ref", _refs(left.metadata), _refs(right.metadata)),
    ]
    return tuple(found)


def _differing(area: Area, left: Mapping[str, str], right: Mapping[str, str]) -> list[Setting]:
    names = {name for name in {**left, **right} if left.get(name) != right.get(name)}
    found = [Setting(area, name, left.get(name), right.get(name)) for name in names]
    return sorted(found, key=lambda setting: (not setting.changes_behaviour, setting.name))


def _spec(metadata: TableMetadata) -> dict[str, str]:
    words = metadata.partitioning() or "unpartitioned"
    return {"default": f"spec {metadata.default_spec_id}: {words}"}


def _properties(metadata: TableMetadata) -> dict[str, str]:
    return {**metadata.properties, "format-version": str(metadata.format_version)}


def _refs(metadata: TableMetadata) -> dict[str, str]:
    """Branches and tags but `main`, which moves with every commit."""
    return {ref.name: f"{ref.kind} at {ref.snapshot_id}" for ref in metadata.refs.values() if ref.name != "main"}


def _sort_order(document: Document, metadata: TableMetadata) -> str:
    """The default order as SQL would write it."""
    names = {field.field_id: field.path for schema in metadata.schemas.values() for field in schema}
    wanted = document.get("default-sort-order-id")
    orders = (order for order in document.get("sort-orders") or () if order.get("order-id") == wanted)
    return ", ".join(_sort_field(field, names) for order in orders for field in order.get("fields") or ())


def _sort_field(field: Mapping[str, Any], names: Mapping[int, str]) -> str:
    source, transform = field.get("source-id"), str(field.get("transform", "identity"))
    column = names.get(source, f"field {source}") if isinstance(source, int) else f"field {source}"
    ordered = column if transform == "identity" else f"{transform}({column})"
    return f"{ordered} {str(field.get('direction', '')).upper()} {str(field.get('null-order', '')).upper()}".replace(
        "NULLS-", "NULLS "
    )
