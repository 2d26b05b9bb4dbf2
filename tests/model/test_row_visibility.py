"""When a reader sees a row, and when nobody can say: while deletes apply to its file of which one cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.model.biography.visibility import ReadRow, versions
from explorer.model.iceberg.file_lives import FileLife
from tests.model.made import an_entry


def a_delete(path: str, since: int, until: int) -> FileLife:
    return FileLife(an_entry(path, content=1), since, since, until)


@pytest.mark.parametrize(
    ("readable", "shown", "is_open"),
    [
        (None, ((1, 9),), ((3, 5), (6, 8))),
        (a_delete("known", 2, 9), ((1, 2),), ()),
        (a_delete("known", 2, 4), ((1, 2), (5, 9)), ((4, 5), (6, 8))),
    ],
)
def test_a_delete_that_cannot_be_read_leaves_open_whether_a_row_is_seen_unless_another_one_masks_it(
    readable: FileLife | None, shown: Any, is_open: Any
) -> None:
    row = ReadRow("data", 0, ("1",), ("1",), None, None, 1, False, frozenset({"known"}))
    lost = [a_delete("lost", 3, 5), a_delete("lost too", 6, 7), a_delete("lost too", 7, 8)]
    deletes = [*lost, *([readable] if readable else [])]
    data = [FileLife(an_entry("data"), 1, 1, 9)]
    [version] = versions([row], data, deletes, {}, {}, {"lost", "lost too"}).versions
    assert version.shown == shown
    assert version.open == is_open
    assert [version.is_open(place) for place in (3, 4)] == [(3, 5) in is_open, bool(is_open)]
