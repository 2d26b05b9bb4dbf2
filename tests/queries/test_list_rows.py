"""Manifest lists read together, against fastavro's own records; and with damaged ones among them."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import fastavro
import polars as pl
import pytest

from explorer.queries.files import avro_file
from explorer.queries.files.avro_file import NotReadable
from explorer.queries.files.list_rows import ManifestList
from explorer.queries.files.stored_history import read_of_lists
from tests.conftest import REAL_TABLES

NAMED = {"manifest_path": 500, "manifest_length": 501, "partition_spec_id": 502, "added_snapshot_id": 503}


def written(rows: Sequence[Sequence[Any]], *, more: int = 0, codec: str = "deflate", block: int = 16_000) -> bytes:
    """A list of these manifests; `more` tells writers apart, by a column that nobody asks for."""
    fields = [
        {"name": name, "type": "string" if name == "manifest_path" else "long", "field-id": field_id}
        for name, field_id in NAMED.items()
    ]
    fields += [{"name": f"more_{n}", "type": "long", "default": 0} for n in range(more)]
    schema = {"type": "record", "name": "manifest_file", "fields": fields}
    out = io.BytesIO()
    records = [dict(zip(NAMED, row, strict=True)) for row in rows]
    own = {"snapshot-id": str(len(rows))}
    fastavro.writer(out, fastavro.parse_schema(schema), records, codec, sync_interval=block, metadata=own)
    return out.getvalue()


def grown(commits: int) -> list[bytes]:
    """The lists of a table to which two writers add a manifest by turns, and which has none at first."""
    rows = [(f"m{n}.avro", 1000 + n, 0, n) for n in range(commits)]
    return [written(rows[:n], more=n % 2, codec="null" if n % 5 == 4 else "deflate") for n in range(commits)]


STORED = grown(200)


def told(found: ManifestList | NotReadable) -> Any:
    """What is said of a list."""
    if not isinstance(found, ManifestList):
        return str(found)
    rows, own = found.rows(), found.own_paths
    assert rows[: len(own)] == [found.own_row(place) for place in range(len(own))]
    assert [row.path for row in rows] == own + ([row.path for row in found.rest.rows()] if found.rest else [])
    return rows


def alone(content: bytes, snapshot_id: int | None) -> Any:
    """The same of one that is read by itself."""
    try:
        return told(ManifestList.of(content, snapshot_id))
    except NotReadable as error:
        return str(error)


@pytest.mark.parametrize("together", [1, 20_000, 1_000_000])
def test_lists_have_the_rows_that_fastavro_reads(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avro_file, "_TOGETHER_IN_BYTES", together)
    check_rows(STORED)


@pytest.mark.parametrize("codec", ["null", "deflate", "bzip2"])
@pytest.mark.parametrize("seed", range(20))
def test_lists_of_commits_in_any_order_have_the_rows_that_fastavro_reads(seed: int, codec: str) -> None:
    """As Iceberg writes them: new manifests first; some commits merge others, write the same list again, or go back."""
    chance, rows, lists = random.Random(seed), list[tuple[Any, ...]](), list[list[tuple[Any, ...]]]()
    for n in range(chance.randrange(2, 60)):
        new = [(f"m{n}-{i}.avro" * chance.randrange(1, 4), n, 0, n) for i in range(chance.randrange(3))]
        rows = new + (rows if chance.random() < 0.7 else chance.sample(rows, chance.randrange(len(rows) + 1)))
        if chance.random() < 0.1:
            rows = chance.choice([rows, *lists])
        lists.append(rows)
    stored = [written(one, codec=codec, block=chance.choice([1, 100, 16_000])) for one in lists]
    check_rows(stored)
    read = read_of_lists((str(n), None, content) for n, content in enumerate(stored))
    for found, named in zip(read.lists.values(), lists, strict=True):
        assert [read.manifests[int(i)].path for i in found] == [path for path, *_ in named]


def test_lists_with_a_codec_of_which_only_polars_knows_are_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    stored, named = list[bytes](), list[list[Any]]()
    for count in range(1, 9):
        named.append([(f"m{n}.avro", 1000 + n, 0, n) for n in reversed(range(count))])
        frame = pl.DataFrame(named[-1], schema=list(NAMED), orient="row")
        frame.write_avro(out := io.BytesIO(), compression="snappy", name="manifest_file")
        stored.append(out.getvalue())
    monkeypatch.delattr(ManifestList, "_alone")
    found = [told(one) for one in ManifestList.of_each([(content, None) for content in stored])]
    assert [[(r.path, r.length, r.partition_spec_id, r.added_snapshot_id) for r in rows] for rows in found] == named


def test_a_manifest_that_a_history_names_again_and_again_is_decoded_once() -> None:
    named = [(f"m{n}.avro", 1000 + n, 0, n) for n in range(100)]
    found = ManifestList.of_each([(written(named[n:]), None) for n in reversed(range(100))])
    assert [one.own_paths for one in found if isinstance(one, ManifestList)] == [[path] for path, *_ in named[::-1]]
    rows = [one.rows() for one in found if isinstance(one, ManifestList)]
    assert all(later[1:] == earlier and later[-1] is rows[0][0] for earlier, later in pairwise(rows))


def test_lists_of_other_writers_have_the_rows_that_fastavro_reads(real_tables: dict[str, Any]) -> None:
    stored = [path.read_bytes() for path in sorted(REAL_TABLES.rglob("snap-*.avro"))]
    assert len(real_tables) <= len(stored)
    check_rows([content for content in stored if content[:3] == b"Obj"])


def check_rows(stored: Sequence[bytes]) -> None:
    found = ManifestList.of_each([(content, None) for content in stored])
    for one, content in zip(found, stored, strict=True):
        records: list[Any] = list(fastavro.reader(io.BytesIO(content)))
        rows = told(one)
        assert [[r.path, r.length, r.partition_spec_id, r.added_snapshot_id] for r in rows] == [
            [record[name] for name in NAMED] for record in records
        ]
        assert rows == alone(content, None)


def test_what_is_wrong_with_one_list_is_told_of_it_alone() -> None:
    whole, other = STORED[103], STORED[101]
    middle = len(whole) - 40
    flipped = whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :]
    wrong = [b"", b"PAR1 of version 4", whole[:-30], whole[:20], flipped]
    contents = [(whole, None), *((content, None) for content in wrong), (whole, 1), (other, None), (whole, None)]
    found = [told(one) for one in ManifestList.of_each(contents)]
    assert found == [alone(*asked) for asked in contents]
    assert [isinstance(one, str) for one in found] == [False, *[True] * 6, False, False]
    assert "another snapshot" in found[6]


@pytest.mark.parametrize("codec", ["null", "deflate"])
def test_damage_of_one_list_changes_no_other(codec: str) -> None:
    """Whichever byte it is: some change how long a value is, and where the values after it begin."""
    named = [(f"m{n}.avro", 1000 + n, 0, n) for n in range(5)]
    first, middle, last = (written(named[n:], codec=codec) for n in (4, 2, 0))
    told_alone = {content: alone(content, None) for content in (first, last)}
    for place in range(len(middle) - 170, len(middle)):
        damaged = middle[:place] + bytes([middle[place] ^ 6]) + middle[place + 1 :]
        found = ManifestList.of_each([(content, None) for content in (first, damaged, last)])
        assert list(map(told, found)) == [told_alone[first], alone(damaged, None), told_alone[last]]


@pytest.mark.parametrize(("place", "added"), [(0, 1), (1, 1), (2, 1), (0, -1), (1, -1), (2, -1)])
def test_a_list_that_does_not_hold_as_many_manifests_as_it_says_changes_no_other(place: int, added: int) -> None:
    """The list after it is that much shorter by the difference of both."""
    named = [(f"m{n}.avro", 1000 + n, 0, n) for n in range(8)]
    lists = [written(named[n:], codec="null") for n in (6, 4, 2, 0)]
    truth = [alone(content, None) for content in lists]
    count, content = 2 * (place + 1), lists[place]
    size = len(content) - content.index(named[6 - 2 * place][0].encode()) + 1 - 16  # of records, without the marker
    at = len(content) - 16 - size - (1 if size < 64 else 2) - 1
    assert content[at] == 2 * count, "numbers are written as twice as much"
    lists[place] = content[:at] + bytes([2 * (count + added)]) + content[at + 1 :]
    found = [told(one) for one in ManifestList.of_each([(content, None) for content in lists])]
    assert found == [*truth[:place], alone(lists[place], None), *truth[place + 1 :]]


def test_a_history_numbers_manifests_as_its_lists_name_them() -> None:
    contents = [(str(n), None, content) for n, content in enumerate(STORED)]
    contents.insert(3, ("missing", None, "It is gone."))
    read = read_of_lists(contents)
    assert list(read.lists) == [path for path, _, _ in contents]
    assert read.lists["missing"] == "It is gone."
    named = dict.fromkeys(row.path for content in STORED for row in ManifestList.of(content).rows())
    assert [row.path for row in read.manifests] == list(named)
    for path, _, content in contents:
        if isinstance(content, bytes):
            found = read.lists[path]
            assert isinstance(found, tuple)
            assert [read.manifests[i] for i in found] == ManifestList.of(content).rows()
