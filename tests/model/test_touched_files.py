from __future__ import annotations

from typing import Any

import pytest

from explorer.model.iceberg.inheritance import StoredEntry
from explorer.model.iceberg.touched_files import PATH_OF_POSITION_DELETE, deletes_of, is_unpartitioned, reach
from tests.model.made import an_entry

SPECS: dict[int, list[dict[str, Any]]] = {
    0: [{"name": "p", "transform": "identity"}],
    1: [],
    2: [{"name": "p", "transform": "void"}],
}


def delete(
    path: str, content: int = 1, *, spec: int = 0, partition: str = "p=a", names: str | None = None, **bounds: Any
) -> StoredEntry:
    ends = {f"{side}_bounds": {PATH_OF_POSITION_DELETE: value} for side, value in bounds.items()}
    return an_entry(path, content=content, spec_id=spec, partition=partition, referenced_data_file=names, **ends)


def data(path: str, spec: int = 0, partition: str = "p=a") -> StoredEntry:
    return an_entry(path, spec_id=spec, partition=partition)


VECTOR = delete("v", names="d1")
BOUNDED = delete("b", lower=b"d2", upper=b"d2")
OF_PARTITION = delete("q", lower=b"d1", upper=b"d9")
WITHOUT_BOUNDS = delete("w", partition="p=b")
KEYS = delete("k", 2)
GLOBAL = delete("g", 2, spec=1, partition="")


def test_what_deletes_can_reach() -> None:
    found = reach([VECTOR, BOUNDED, OF_PARTITION, WITHOUT_BOUNDS, KEYS], SPECS)
    assert (found.paths, found.partitions) == ({"d1", "d2"}, {(0, "p=a"), (0, "p=b")})
    assert not found.everywhere
    assert reach([GLOBAL], SPECS).everywhere
    assert reach([], SPECS) == reach(iter(()), {})


def test_a_position_delete_of_an_unpartitioned_spec_is_not_global() -> None:
    found = reach([delete("p", spec=1, partition="")], SPECS)
    assert (found.partitions, found.everywhere) == ({(1, "")}, False)


def test_path_bounds_of_an_equality_delete_name_no_file() -> None:
    assert reach([delete("k", 2, lower=b"d2", upper=b"d2")], SPECS).paths == frozenset()


@pytest.mark.parametrize(("spec", "expected"), [(0, False), (1, True), (2, True)])
def test_a_spec_of_void_fields_is_unpartitioned(spec: int, expected: bool) -> None:
    assert is_unpartitioned(SPECS[spec]) == expected
    assert reach([delete("k", 2, spec=spec)], SPECS).everywhere == expected


def test_the_deletes_in_whose_scope_a_file_is() -> None:
    of = deletes_of([VECTOR, BOUNDED, OF_PARTITION, WITHOUT_BOUNDS, KEYS, GLOBAL], SPECS)

    def paths(file: StoredEntry) -> list[str]:
        return [found.file_path for found in of(file)]

    assert paths(data("d1")) == ["v", "q", "k", "g"]
    assert paths(data("d2", partition="p=b")) == ["b", "w", "g"]
    assert paths(data("d3", spec=1, partition="")) == ["g"]
    assert paths(data("d3", spec=2, partition="p=a")) == ["g"]
