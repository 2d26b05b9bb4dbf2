from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from explorer.figures.page.names import LONGEST, file_names, short_names

# Writers' own patterns, in which names differ at the front, in the middle, at the end or nowhere but in the folder.
_numbers = st.integers(0, 12)
_NAMES = st.one_of(
    st.text("ab./…·() 2", max_size=40),
    st.text(max_size=30),
    st.builds("{:05d}-{}-8a6bd0c0-4f1e-4089-9820-f2a530d50754-0-{:05d}".format, _numbers, _numbers, _numbers),
    st.builds("part-{:05d}-{}-c000.snappy".format, _numbers, st.uuids()),
    st.builds("{}".format, st.uuids()),
    st.builds(("x" * 30 + "{}" + "y" * 30 + "{}" + "z" * 30).format, st.text("pq", max_size=9), st.text("pq")),
)
_PATHS = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "s3://lake/orders/data/day=2026-03-14/", "s3://lake/orders/data/day=2026-03-15/", "/"]),
    _NAMES,
    st.sampled_from(["", ".parquet", ".orc", ".puffin"]),
)
_OFFSETS = st.none() | st.integers(0, 2**40)


def is_part_of(short: str, whole: str) -> bool:
    """Whether everything between the … of a short name stands in the whole one, in this order."""
    at = 0
    for piece in short.split("…"):
        found = whole.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def without_number(short: str) -> str:
    """A short name without the number of those that nothing short tells apart."""
    head, mark, number = short.rpartition("… (")
    return head if mark and number[:-1].isdecimal() and number.endswith(")") else short


@given(st.lists(_NAMES, max_size=40))
def test_names_that_differ_stay_different_are_parts_of_the_whole_and_short(names: list[str]) -> None:
    short = short_names(names)
    assert set(short) == set(names)
    assert len(set(short.values())) == len(set(names))
    for name, shorter in short.items():
        assert len(shorter) <= LONGEST
        assert is_part_of(shorter, name) or is_part_of(without_number(shorter), name)
    assert short_names(names[::-1]) == short


@given(st.lists(st.tuples(_PATHS, _OFFSETS), max_size=40))
def test_files_stay_different_whatever_folder_or_place_in_a_file_tells_them_apart(
    keys: list[tuple[str, int | None]],
) -> None:
    short = file_names(keys)
    assert len(set(short.values())) == len(set(keys))
    assert all(len(name) <= LONGEST + len("·1099511627776") for name in short.values())
    assert file_names(keys[::-1]) == short


@given(st.lists(st.uuids(), min_size=2, max_size=30, unique=True))
def test_where_a_tail_tells_names_apart_it_is_a_tail(ids: list[object]) -> None:
    for name, short in short_names([f"00000-1-{i}" for i in ids]).items():
        assert short.startswith("…")
        assert name.endswith(short[1:])


def test_files_of_one_writer_are_called_by_what_differs() -> None:
    task = "8a6bd0c0-4f1e-4089-9820-f2a530d50754-0"
    assert _short(f"s3://a/data/{n:05d}-{n + 12}-{task}-00001.parquet" for n in range(3)) == [
        "00000…", "00001…", "00002…"
    ]  # fmt: skip
    assert _short(f"s3://a/data/00000-12-{task}-{n:05d}.parquet" for n in range(3)) == ["…0000", "…0001", "…0002"]
    assert _short(f"s3://a/data/00000-{n}-{task}-00001.parquet" for n in (33, 46)) == ["…33…", "…46…"]
    assert _short(f"part-{n:05d}-{task}-c000.snappy.parquet" for n in range(2)) == ["…00000…", "…00001…"]
    assert _short([f"00000-25-{task}-00001", f"00000-25-{task}-00002", f"00000-31-{task}-00001"]) == [
        "00000-25…00001", "00000-25…00002", "00000-31…00001"
    ]  # fmt: skip


def test_a_folder_or_an_ending_is_told_only_where_it_tells_files_apart() -> None:
    assert _short(["a/x-f0.parquet", "a/x-f1.orc"]) == ["x-f0", "x-f1"]
    assert _short(["a/x-f0.parquet", "a/x-f0.orc"]) == ["x-f0.parquet", "x-f0.orc"]
    assert _short(["d=1/part.parquet", "d=2/part.parquet"]) == ["d=1/part", "d=2/part"]
    assert _short([]) == []


def test_deletion_vectors_are_told_apart_by_their_place_in_the_file() -> None:
    path = "s3://a/data/00000-12-8a6bd0c0-4f1e-4089-9820-f2a530d50754-0-00001-deletes.puffin"
    assert list(file_names([(path, 4), (path, 930)]).values()) == ["…etes·4", "…etes·930"]


def test_many_names_take_no_longer_than_their_number() -> None:
    alike = "n" * 40
    for name in ("{:05d}-7-0-00001", "{:0100d}", alike + "{:05d}" + alike, "aaaaaaaaaaaa{:06d}aaaaaaaaaaaa… (2)"):
        took = {}
        for n in (6_000, 48_000):
            keys = [(f"s3://lake/data/{name.format(i)}.parquet", None) for i in range(n)]
            start = time.process_time()
            assert len(set(file_names(keys).values())) == n
            took[n] = time.process_time() - start
        assert took[48_000] < 24 * took[6_000] + 0.5  # eight times as many; squared it were 64 times as long


def _short(paths: object) -> list[str]:
    return list(file_names((path, None) for path in paths).values())  # type: ignore[attr-defined]
