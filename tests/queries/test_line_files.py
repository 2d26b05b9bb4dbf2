"""The files of two points: what telling them takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from explorer.model.iceberg.touched_files import TouchedFiles
from explorer.queries.rows import line_files
from tests.model.made import a_manifest, an_entry


class Compared(str):
    """A location that counts how often it is compared with another one."""

    __slots__ = ()
    times = 0

    def __eq__(self, other: object) -> bool:
        Compared.times += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_the_manifest_of_each_file_is_found_without_going_through_all_of_them() -> None:
    number = 300
    listed = [a_manifest(Compared(f"m{n}"), sequence_number=n) for n in range(number)]
    kept = [an_entry(f"d{n}", manifest_path=Compared(f"m{n}")) for n in range(number)]
    files = TouchedFiles((), (), tuple(kept), (), (), complete=True)
    about: dict[str, Any] = {"snapshots": [{"snapshot-id": 1}, {"snapshot-id": 2}]}
    source: Any = SimpleNamespace(document=about, specs={}, metadata=SimpleNamespace(format_version=2))
    manifests: Any = SimpleNamespace(complete=True, deletes=lambda _: [])
    line = line_files.between(source, (1, 2), (listed, listed), files, manifests)
    assert [life.data_sequence_number for life in line.data] == list(range(number))
    assert Compared.times < 20 * number
