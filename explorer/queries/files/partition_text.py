"""The partition of a manifest entry as text, such as `region=EU/day=2026-11-20`.

Exact: two tuples of one spec have the same text only if they are equal. null is `null`; the text "null", an empty text
and one with a sign of the notation stand in quotes. Spark tasks get this module by value, as `avro` too.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

Part = tuple[str, str, Any, Any]
"""Of a field of a manifest's partition tuple: name there, name in the spec, transform, stored type."""


def partition_parts(fields: Sequence[Mapping[str, Any]], own_spec: str, spec: str) -> tuple[Part, ...]:
    """What is known of each field of a partition tuple.

    Args:
        fields: of the tuple, as the manifest's schema has them.
        own_spec: partition fields by the manifest's header, JSON.
        spec: the same from the table's metadata, where the manifest names none.
    """
    if not fields:
        return ()
    # PyIceberg takes a while to import, which the reader of an unpartitioned table need not wait for.
    from pyiceberg.transforms import parse_transform

    named = json.loads(own_spec) or json.loads(spec)
    named = named.get("fields", ()) if isinstance(named, dict) else named
    by_id = {f.get("field-id", 1000 + i): f for i, f in enumerate(named)}  # version 1 may leave the ids out
    found = []
    for f in fields:
        of_spec = by_id.get(f.get("field-id"), {})
        transform = parse_transform(of_spec.get("transform", "identity"))
        found.append((f["name"], of_spec.get("name", f["name"]), transform, _iceberg_type(f)))
    return tuple(found)


class PartitionWriter:
    """Writes stored partition tuples as text.

    Args:
        fields: of the tuple.
    """

    def __init__(self, fields: Sequence[Part]) -> None:
        self._fields = fields

    def text(self, values: Mapping[str, Any]) -> str:
        """The text of a tuple, given by the names of its fields in the manifest."""
        return "/".join(
            f"{quoted_if_odd(shown)}={_value_text(transform, kind, values[name])}"
            for name, shown, transform, kind in self._fields
        )


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
