"""What is looked for among the rows that came or went with one commit, as a condition."""

from __future__ import annotations

from collections.abc import Hashable

from ...model.biography.follow import Lead
from ...model.iceberg.document import Schema
from .. import identifiers
from ..rows import schema_mapping
from ..rows.equal_values import exact_text
from ..source import Source


def condition(source: Source, schema: Schema, lead: Lead) -> str:
    """SQL over the columns of the schema and `_row_id`.

    Args:
        source: the table.
        schema: its current one, as metadata.json writes it.
        lead: of `model.biography.follow`.
    """
    columns = schema_mapping.spark_schema(source, schema).fields
    texts = [exact_text(identifiers.quoted([field.name]), field.dataType) for field in columns]
    parts = []
    if lead.row_ids:
        parts.append(f"_row_id IN ({', '.join(map(str, sorted(lead.row_ids)))})")
    for cells in sorted(lead.cells, key=repr):
        parts.append(" AND ".join(f"{texts[i]} <=> {_literal(value)}" for i, value in cells))
    return " OR ".join(f"({part})" for part in parts)


def _literal(value: Hashable) -> str:
    return "CAST(NULL AS STRING)" if value is None else schema_mapping.text(str(value))
