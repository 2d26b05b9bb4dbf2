"""What two schemas do not share, field by field: a field is its id, whatever it is called and wherever it stands.

Source: Iceberg specification, "Schema Evolution" (ids, legal promotions of types), "Default values", "Identifier Field
IDs", Appendix C (JSON of types).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from ..iceberg.document import Schema
from ..iceberg.schema import is_wider

Change = Literal[
    "added",
    "dropped",
    "renamed",
    "widened",
    "narrowed",
    "another type",
    "made optional",
    "made required",
    "moved",
    "another default",
    "another comment",
    "identifier field now",
    "identifier field no more",
]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that the two schemas do not share, or share otherwise.

    Attributes:
        field_id: what tells fields apart.
        path: its name with dots, on the right; on the left if only that has it.
        left, right: path, type and whether it must not be null, as one text; None where the schema has no such field.
        changes: what differs, at least one.
        reborn: whether the field is new on the right and another one, by its id, has or had the same name: files
            written for the other one hold nothing for it.
    """

    field_id: int
    path: str
    left: str | None
    right: str | None
    changes: tuple[Change, ...]
    reborn: bool = False

    @property
    def keeps_values(self) -> bool:
        """Whether values of one side can be told in the type of the other."""
        return "another type" not in self.changes


@dataclass(frozen=True, slots=True)
class _Field:
    field_id: int
    outer: int | None  # id of the field that it lies in
    path: str
    name: str
    type: str  # of a nested type its kind alone
    required: bool
    is_identifier: bool
    defaults: tuple[Any, Any]
    doc: str

    @property
    def text(self) -> str:
        """As a person would declare it."""
        return f"{self.path} {self.type}{' not null' if self.required else ''}"


def field_changes(left: Schema, right: Schema, every: Iterable[Schema] = ()) -> tuple[FieldChange, ...]:
    """What differs between two schemas, as metadata.json writes them: by field, in the order of the right one.

    Args:
        left: the one before.
        right: the one after.
        every: the schemas of the table, among which names may have been used before.
    """
    before, after = ({f.field_id: f for f in _fields(schema)} for schema in (left, right))
    used: dict[str, set[int]] = {}
    for schema in (left, *every):
        for field in _fields(schema):
            used.setdefault(field.path, set()).add(field.field_id)
    moved = _moved(tuple(before.values()), tuple(after.values()))
    found = []
    for field_id, now in after.items():
        was = before.get(field_id)
        if was is None:
            reborn = any(i < field_id for i in used.get(now.path, ()))  # ids are given out in order
            found.append(FieldChange(field_id, now.path, None, now.text, ("added",), reborn))
        elif changes := tuple(_changes(was, now, field_id in moved)):
            found.append(FieldChange(field_id, now.path, was.text, now.text, changes))
    found += [FieldChange(i, f.path, f.text, None, ("dropped",)) for i, f in before.items() if i not in after]
    return tuple(found)


def hidden(changes: Iterable[FieldChange], earlier: Iterable[Schema]) -> tuple[str, ...]:
    """Fields that only the right schema has, and that an earlier one had too: files of both may hold values for them.

    So it is where a snapshot on the left was written with an old schema, or a column was dropped and brought back by
    setting the schema back.

    Args:
        changes: of `field_changes`.
        earlier: schemas that are older than the left one.
    """
    known = {field.field_id for schema in earlier for field in _fields(schema)}
    return tuple(change.path for change in changes if change.left is None and change.field_id in known)


def field_count(schema: Schema) -> int:
    """Columns and nested fields of a schema."""
    return sum(1 for _ in _fields(schema))


def _changes(was: _Field, now: _Field, moved: bool) -> Iterator[Change]:
    if was.name != now.name:
        yield "renamed"
    if was.type != now.type:
        widened, narrowed = is_wider(was.type, now.type), is_wider(now.type, was.type)
        yield "widened" if widened else "narrowed" if narrowed else "another type"
    if was.required != now.required:
        yield "made required" if now.required else "made optional"
    if moved:
        yield "moved"
    if was.defaults != now.defaults:
        yield "another default"
    if was.doc != now.doc:
        yield "another comment"
    if was.is_identifier != now.is_identifier:
        yield "identifier field now" if now.is_identifier else "identifier field no more"


def _moved(before: Sequence[_Field], after: Sequence[_Field]) -> set[int]:
    """Fields of both that do not stand in the same order among those of the same struct."""
    moved: set[int] = set()
    both = {f.field_id for f in before} & {f.field_id for f in after}
    for outer in {f.outer for f in after}:
        then, now = ([f.field_id for f in side if f.outer == outer and f.field_id in both] for side in (before, after))
        there = set(then)
        now = [i for i in now if i in there]
        stay = SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks()
        moved |= there - {i for block in stay for i in then[block.a : block.a + block.size]}
    return moved


def _fields(schema: Schema) -> Iterator[_Field]:
    """Every column and nested field, outer before inner."""
    identifiers = frozenset(schema.get("identifier-field-ids") or ())
    yield from _struct(schema, None, "", identifiers)


def _struct(struct: Mapping[str, Any], outer: int | None, prefix: str, identifiers: frozenset[int]) -> Iterator[_Field]:
    for item in struct.get("fields") or ():
        yield from _field(item, "id", str(item["name"]), item["type"], outer, prefix, identifiers)


def _field(
    item: Mapping[str, Any], key: str, name: str, kind: Any, outer: int | None, prefix: str, identifiers: frozenset[int]
) -> Iterator[_Field]:
    """A field with all that lies in it; `key` is what the item calls its id."""
    field_id, path = item[key], prefix + name
    required = bool(item.get(key.removesuffix("id") + "required" if key != "id" else "required")) or key == "key-id"
    text = kind["type"] if isinstance(kind, Mapping) else str(kind)
    defaults = (item.get("initial-default"), item.get("write-default")) if key == "id" else (None, None)
    doc = str(item.get("doc") or "") if key == "id" else ""
    yield _Field(field_id, outer, path, name, text, required, field_id in identifiers, defaults, doc)
    if not isinstance(kind, Mapping):
        return
    inside = f"{path}."
    if text == "struct":
        yield from _struct(kind, field_id, inside, identifiers)
    elif text == "list":
        yield from _field(kind, "element-id", "element", kind["element"], field_id, inside, identifiers)
    elif text == "map":
        yield from _field(kind, "key-id", "key", kind["key"], field_id, inside, identifiers)
        yield from _field(kind, "value-id", "value", kind["value"], field_id, inside, identifiers)
