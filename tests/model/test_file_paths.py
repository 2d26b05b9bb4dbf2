"""Paths in two columns are whole again, whatever stands in them."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.model.iceberg.file_paths import parted, whole, with_whole

PATHS = st.lists(st.none() | st.text(alphabet="ab/ é", max_size=8))


@given(PATHS, st.integers(0, 3))
def test_paths_are_whole_again(paths: list[str | None], skipped: int) -> None:
    asked = pa.array(paths, pa.string()).slice(skipped)
    folders, names = parted(asked)
    assert folders.type == pa.dictionary(pa.int32(), pa.string())
    assert names.type == pa.string()
    assert whole(folders, names).to_pylist() == paths[skipped:]


@pytest.mark.parametrize(
    ("path", "folder", "name"),
    [
        ("s3://lake/t/data/day=1/0.parquet", "s3://lake/t/data/day=1", "0.parquet"),
        ("0.parquet", None, "0.parquet"),
        ("/0.parquet", "", "0.parquet"),
        ("data/", "data", ""),
        ("", None, ""),
    ],
)
def test_the_last_slash_parts_them(path: str, folder: str | None, name: str) -> None:
    folders, names = parted(pa.array([path]))
    assert (folders.to_pylist(), names.to_pylist()) == ([folder], [name])


def test_entries_in_pieces_get_their_paths_back() -> None:
    pieces = [["a/1", "b/2", None], ["a/3"], ["4"]]
    tables = []
    for paths in pieces:
        folders, names = parted(pa.array(paths, pa.string()))
        tables.append(pa.table({"folder": folders, "row": paths, "file_name": names}))
    found = with_whole(pa.concat_tables(tables))
    assert found.column_names == ["row", "file_path"]
    assert found["file_path"].to_pylist() == found["row"].to_pylist()
