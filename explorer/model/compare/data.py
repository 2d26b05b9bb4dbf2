"""A comparison as rows: one for each thing that differs, values as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from ..iceberg.partition_changes import Tally
from . import settings
from .columns import change_words, side_words
from .facts import Comparison
from .files import PartitionDifference
from .rows import KINDS
from .settings import NoState

Area = Literal["schema", "files", "rows", "figure", "column"] | settings.Area


def rows(facts: Comparison) -> Iterator[dict[str, Any]]:
    """One dict for each thing that differs: the columns of `compare().data`, values as text, missing as None.

    Of files and rows `left` and `right` are counts of what only that side has; figures and columns are told even if
    they are equal.
    """
    for field in facts.fields:
        change = ", ".join(field.changes) + (" (reborn)" if field.reborn else "")
        yield _row("schema", field.path, (field.left, field.right), change, field_id=field.field_id)
    yield from _rows_of_settings(facts)
    for partition in facts.files.partitions:
        yield from _rows_of_files(partition)
    if facts.files.why_unknown:
        yield _row("files", "unknown", (None, None), "unknown")
    yield from _rows_of_rows(facts)
    for figure in facts.figures:
        sides = _text(figure.left), _text(figure.right)
        yield _row("figure", figure.name, sides, "unknown" if figure.change is None else f"{figure.change:+d}")
    for column in () if isinstance(facts.columns, str) else facts.columns:
        left, right = (None if side is None else side_words(side, column.field) for side in (column.left, column.right))
        change = change_words(column)
        yield _row("column", column.field.path, (left, right), change, field_id=column.field.field_id)


def _rows_of_settings(facts: Comparison) -> Iterator[dict[str, Any]]:
    areas: tuple[settings.Area, ...] = ("partition spec", "sort order", "property", "ref")
    for area in areas:
        for setting in (setting for setting in facts.settings if setting.area == area):
            yield _row(area, setting.name, (setting.left, setting.right), setting.change)
        if area == "partition spec":
            for spec_id in sorted(facts.specs[0] ^ facts.specs[1]):
                is_new = spec_id in facts.specs[1]
                sides = (None, "in use") if is_new else ("in use", None)
                yield _row(area, f"spec {spec_id}", sides, "in use now" if is_new else "in use no more")
        if area == "property" and any(isinstance(state, NoState) for state in facts.states):
            left, right = ("unknown" if isinstance(state, NoState) else "known" for state in facts.states)
            yield _row(area, "every property and ref", (left, right), "unknown")


def _rows_of_files(of: PartitionDifference) -> Iterator[dict[str, Any]]:
    place: dict[str, Any] = {"partition": of.partition, "spec_id": of.spec_id}
    for kind in dict.fromkeys((*of.left, *of.right)):
        left, right = of.left.get(kind, Tally()), of.right.get(kind, Tally())
        yield _row("files", kind, (_text(left.files or None), _text(right.files or None)), stat(left, right), **place)
    for name, files in (("same file, other deletes", of.touched), ("same file, listed otherwise", of.relisted)):
        if files:
            yield _row("files", name, (str(files), str(files)), f"{files} files", **place)


def stat(left: Tally, right: Tally) -> str:
    """`+12 files +1200000 rows | -3 files -400000 rows`, as `git diff --stat` sums lines; records of deletes too."""
    parts = [
        f"{sign}{tally.files} files {sign}{tally.records} rows"
        for sign, tally in (("+", right), ("-", left))
        if tally.files
    ]
    return " | ".join(parts)


def _rows_of_rows(facts: Comparison) -> Iterator[dict[str, Any]]:
    if facts.rows is None:
        yield _row("rows", "net", (None, None), "not read")
        return
    signs = {"inserted": "+", "updated": "~", "deleted": "-"}
    for kind in KINDS:
        count = facts.rows.count(kind)
        sides = (None if kind == "inserted" else str(count), None if kind == "deleted" else str(count))
        yield _row("rows", kind, sides, f"{signs[kind]}{count}" if count else "0")
    if facts.rows.read:
        carried_over = str(facts.rows.carried_over)
        yield _row("rows", "carried over", (carried_over, carried_over), f"={carried_over}")


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _row(area: Area, name: str, sides: tuple[str | None, str | None], change: str, **more: Any) -> dict[str, Any]:
    own = {"area": area, "name": name, "partition": None, "left": sides[0], "right": sides[1], "change": change}
    return own | {"spec_id": None, "field_id": None} | more
