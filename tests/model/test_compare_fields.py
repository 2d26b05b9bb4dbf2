"""What two schemas do not share: by field id, whatever fields are called and wherever they stand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from explorer.model.compare.fields import FieldChange, field_changes, field_count, hidden

Field = dict[str, Any]


def field(field_id: int, name: str, kind: Any = "string", **more: Any) -> Field:
    return {"id": field_id, "name": name, "type": kind, "required": False} | more


def schema(*fields: Field, **more: Any) -> dict[str, Any]:
    return {"type": "struct", "schema-id": 0, "fields": list(fields)} | more


def struct(*fields: Field) -> dict[str, Any]:
    return {"type": "struct", "fields": list(fields)}


def changes(left: Any, right: Any, *every: Any) -> dict[int, tuple[str, ...]]:
    return {found.field_id: found.changes for found in field_changes(left, right, every)}


A, B, C = field(1, "a", "int"), field(2, "b"), field(3, "c", "decimal(8,2)")


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        (schema(A, B, C), {}),
        (schema(A, B), {3: ("dropped",)}),
        (schema(A, B, C, field(4, "d")), {4: ("added",)}),
        (schema(A, field(2, "x"), C), {2: ("renamed",)}),
        (schema(field(1, "a", "long"), B, C), {1: ("widened",)}),
        (schema(A, B, field(3, "c", "decimal(10, 2)")), {3: ("widened",)}),
        (schema(A, B, field(3, "c", "decimal(10,3)")), {3: ("another type",)}),
        (schema(A, B, field(3, "c", "decimal(6,2)")), {3: ("narrowed",)}),
        (schema(field(1, "a", "string"), B, C), {1: ("another type",)}),
        (schema(A, field(2, "b", required=True), C), {2: ("made required",)}),
        (schema(B, C, A), {1: ("moved",)}),
        (schema(A, field(2, "b", doc="why"), C), {2: ("another comment",)}),
        (schema(A, field(2, "b", **{"write-default": "x"}), C), {2: ("another default",)}),
        (schema(A, B, C, **{"identifier-field-ids": [1]}), {1: ("identifier field now",)}),
        (schema(A, C, field(4, "b")), {4: ("added",), 2: ("dropped",)}),
    ],
)
def test_a_field_is_its_id(right: Any, expected: dict[int, tuple[str, ...]]) -> None:
    left = schema(A, B, C)
    assert changes(left, right) == expected
    assert changes(right, right) == {}
    assert field_count(left) == 3


def test_a_new_column_with_an_old_name_is_reborn() -> None:
    first, second, third = schema(A, B), schema(A), schema(A, field(4, "b"))
    (found,) = field_changes(second, third, [first, second, third])
    assert (found.path, found.changes, found.reborn) == ("b", ("added",), True)
    (added,) = field_changes(second, first, [first, second, third])
    assert not added.reborn, "a later column of that name was not there yet"
    assert [f.reborn for f in field_changes(first, third)] == [True, False]


def test_fields_inside_others_are_told_by_their_own_names() -> None:
    inner = struct(field(11, "x", "int"), field(12, "y"))
    listed = {"type": "list", "element-id": 21, "element": "int", "element-required": False}
    mapped = {"type": "map", "key-id": 31, "key": "string", "value-id": 32, "value": "int", "value-required": False}
    left = schema(field(10, "s", inner), field(20, "l", listed), field(30, "m", mapped))
    right = schema(
        field(10, "t", struct(field(11, "x", "long"), field(12, "y"), field(13, "z"))),
        field(20, "l", listed | {"element": "long"}),
        field(30, "m", mapped | {"value-required": True}),
    )
    found = {change.field_id: change for change in field_changes(left, right)}
    assert {i: c.changes for i, c in found.items()} == {
        10: ("renamed",), 11: ("widened",), 13: ("added",), 21: ("widened",), 32: ("made required",)
    }  # fmt: skip
    assert found[11].left == "s.x int"
    assert found[11].right == "t.x long"
    assert found[13].path == "t.z"
    assert field_count(right) == 9


def test_a_column_that_only_an_older_schema_and_the_right_one_have_may_hide_values() -> None:
    old, left, right = schema(A, B, C), schema(A, B), schema(A, B, C, field(4, "d"))
    assert hidden(field_changes(left, right), [old]) == ("c",)
    assert hidden(field_changes(left, right), []) == ()


def test_what_was_done_to_a_schema_step_by_step_is_told_of_its_ends() -> None:
    """A model that keeps for each field only what it was at first and what it is now."""
    for seed in range(200):
        pick = random.Random(seed)
        ids = iter(range(100, 200))
        at_first = [field(next(ids), f"f{n}", pick.choice(["int", "float", "string"])) for n in range(5)]
        now, every = [dict(f) for f in at_first], [schema(*at_first)]
        for step in range(6):
            match pick.choice(["add", "drop", "rename", "widen", "null"]):
                case "add":
                    now.append(field(next(ids), f"n{step}"))
                case "drop" if len(now) > 1:
                    now.pop(pick.randrange(len(now)))
                case "rename":
                    now[pick.randrange(len(now))]["name"] = f"r{step}"
                case "widen":
                    chosen = pick.choice(now)
                    chosen["type"] = {"int": "long", "float": "double"}.get(chosen["type"], chosen["type"])
                case "null":
                    chosen = pick.choice(now)
                    chosen["required"] = not chosen["required"]
            every.append(schema(*(dict(f) for f in now)))
        before, after = ({f["id"]: f for f in side} for side in (at_first, now))
        found = {c.field_id: c for c in field_changes(every[0], every[-1], every)}
        for i in before.keys() | after.keys():
            was, became = before.get(i), after.get(i)
            assert (i in found) == (was != became), (seed, i)
            if was and became and was != became:
                told = [word for word, key in (("renamed", "name"), ("widened", "type")) if was[key] != became[key]]
                assert [c for c in found[i].changes if not c.startswith("made")] == told
            elif was != became:
                assert found[i].changes == (("dropped",) if was else ("added",))
                assert isinstance(found[i], FieldChange)
