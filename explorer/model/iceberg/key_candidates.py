"""Which columns may tell the rows of a table apart, from metadata alone: what the schema declares, what files allow.

Iceberg keeps no distinct counts and enforces no key. So a column is proposed where nothing that the files store speaks
against it, and each proposal says why it was made.

Sources: Iceberg specification, "Identifier Field IDs", "Manifests" (counts and bounds), Appendix D (single-value
serialization).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .. import formats
from .inheritance import StoredEntry
from .schema import SchemaField

_WHOLE = ("int", "long", "date")
_NESTED = ("list", "map")


@dataclass(frozen=True, slots=True)
class KeyCandidate:
    """Columns that together may be the key of the rows.

    Attributes:
        columns: paths in the schema; several only where the schema declares them together.
        reason: why they are proposed, a phrase.
        declared: whether the schema names them as identifier fields; else it is a guess.
        numbers_rows: whether its values are of a kind that is given to each row anew: whole numbers, uuids.
    """

    columns: tuple[str, ...]
    reason: str
    declared: bool = False
    numbers_rows: bool = False


def key_candidates(
    schema: Sequence[SchemaField],
    identifier_field_ids: Sequence[int],
    files: Sequence[StoredEntry],
    *,
    deletes: bool,
    of_files: int | None = None,
) -> list[KeyCandidate]:
    """The candidates: identifier fields, then whole numbers with room for every row, uuids, texts.

    Of whole numbers those first whose values lie most densely, as those that are given out one after the other do.

    Args:
        schema: the current one, as a flat list.
        identifier_field_ids: of that schema.
        files: live data files, with statistics.
        deletes: whether deletes are live: then a row may be stored in an old version too, and only within a file must
            values differ.
        of_files: how many live data files there are, if these are not all.
    """
    names = {field.field_id: field.path for field in schema}
    declared = tuple(names[i] for i in identifier_field_ids if i in names)
    found = []
    if declared:
        reason = "identifier field" if len(declared) == 1 else "identifier fields, together"
        found.append(KeyCandidate(declared, reason, declared=True))
    filled = [file for file in files if file.record_count]
    part = f", in the {len(files):,} of {formats.count(of_files, 'file')} looked at" if of_files is not None else ""
    guesses: list[tuple[float, KeyCandidate]] = []
    for field in _single_valued(schema):
        if (field.path,) == declared or not filled or not _without_nulls(field, filled):
            continue
        guess = _guess(field, filled, deletes=deletes)
        if guess is not None:
            guesses.append(
                (guess[0], KeyCandidate((field.path,), f"{guess[1]}{part}", numbers_rows=_numbers_rows(field)))
            )
    guesses.sort(key=lambda guess: guess[0])  # of one rank, in the order of the schema
    return found + [candidate for _, candidate in guesses]


def _single_valued(schema: Sequence[SchemaField]) -> list[SchemaField]:
    """Columns, and fields of structs, of which a row has exactly one value."""
    repeated = tuple(f"{field.path}." for field in schema if field.type in _NESTED)
    return [f for f in schema if f.type not in (*_NESTED, "struct") and not f.path.startswith(repeated)]


def _without_nulls(field: SchemaField, files: Sequence[StoredEntry]) -> bool:
    """Whether every row of these files has a value, as far as they count."""
    for file in files:
        values, nulls = (
            counts.get(field.field_id) for counts in (file.statistics.value_counts, file.statistics.null_value_counts)
        )
        if nulls is None and not (field.required and "." not in field.path):
            return False
        if nulls or (values is not None and values != file.record_count):
            return False
    return True


def _guess(field: SchemaField, files: Sequence[StoredEntry], *, deletes: bool) -> tuple[float, str] | None:
    """Rank, the smaller the better, and reason; None if the bounds speak against it, or say nothing."""
    bounds = [
        (file.statistics.lower_bounds.get(field.field_id), file.statistics.upper_bounds.get(field.field_id), file)
        for file in files
    ]
    if any(lower is None or upper is None for lower, upper, _ in bounds):
        return None
    if field.type in _WHOLE or _is_whole_decimal(field.type):
        order: Literal["big", "little"] = "big" if field.type.startswith("decimal") else "little"
        spans = [(_number(lower, order), _number(upper, order), file.record_count) for lower, upper, file in bounds]
        if any(upper - lower + 1 < rows for lower, upper, rows in spans):
            return None
        low, high = min(s[0] for s in spans), max(s[1] for s in spans)
        rows, room = sum(s[2] for s in spans), high - low + 1
        if rows > room:
            return (1.5, "no nulls, and as many values in each file as rows could be") if deletes else None
        density = rows / room
        reason = f"no nulls, and as many values as rows could be: {formats.count(rows, 'row')} in {room:,}"
        return 1 - density / 2 if field.type != "date" else 1.2, reason
    several = all(lower != upper for lower, upper, file in bounds if file.record_count > 1)
    if field.type == "uuid" and several:
        return 1.1, "a uuid without nulls"
    if field.type == "string" and several:
        return 2.0, "no nulls, and more than one value in each file; how many, no metadata tells"
    return None


def _numbers_rows(field: SchemaField) -> bool:
    return field.type in ("int", "long", "uuid") or _is_whole_decimal(field.type)


def _is_whole_decimal(kind: str) -> bool:
    return kind.startswith("decimal") and kind.rstrip(")").rpartition(",")[2].strip() == "0"


def _number(stored: bytes | None, order: Literal["big", "little"]) -> int:
    """A bound; an int that was widened keeps its four bytes."""
    return int.from_bytes(bytes(stored or b""), order, signed=True)
