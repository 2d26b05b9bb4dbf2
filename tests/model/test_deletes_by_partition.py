"""Deletes by partition, against a plain rule over random files that shares no code with the model."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.model.deletes.counts import from_counts
from explorer.model.deletes.facts import Deletes, PartitionDeletes
from explorer.model.deletes.partition_words import counts, sums, where_nothing, why
from explorer.model.deletes.stored import keys_of, scoped
from explorer.model.deletes.stored_deletes import StoredDeletes
from explorer.model.deletes.tally import Tally
from explorer.model.iceberg.delete_scope import DataFile, DeleteFile
from explorer.model.partition_rows import Naming, page_words, shown
from tests.figures.deletes_stories import Work, days, lacking, many, nulls, snapshot

PLACES = ("region=EU", "region=US", "region=null", 'region="null"', "")


@st.composite
def works(draw: st.DrawFn) -> Work:
    """Files of a few partitions of a partitioned and an unpartitioned spec, and deletes of every kind over them."""
    work, numbers = Work(), st.one_of(st.none(), *[st.integers(1, 9)] * 5)
    places = st.one_of(st.tuples(st.just(1), st.sampled_from(PLACES)), st.just((0, "")))
    for _ in range(draw(st.integers(0, 12))):
        spec, place = draw(places)
        work.file(draw(numbers), place, spec_id=spec, ids=draw(st.sampled_from([(1, 4), (5, 9)])))
    for i in range(draw(st.integers(1, 14))):
        (spec, place), kind = draw(places), draw(st.sampled_from(["eq", "pos", "named", "dv"]))
        target = draw(st.sampled_from([*work.data, None])) if work.data else None
        path = target.file_path if target else "s3://gone.parquet"
        if kind in ("named", "dv"):
            spec, place = (target.spec_id, target.partition) if target and draw(st.booleans()) else (spec, place)
            offset = {"content_offset": 4 + i} if kind == "dv" else {}
            work.delete("dv" if kind == "dv" else "pos", draw(numbers), place, of=path, spec_id=spec, **offset)
        else:
            work.delete(kind, draw(numbers), place, spec_id=spec, ids=draw(st.sampled_from([(1, 4), (5, 9)])))
    return work


def comes_to(delete: DeleteFile, data: list[DataFile], deletes: list[DeleteFile]) -> str:
    """What a delete comes to, said plainly: the best that it does to any file, unless one of them is refused."""
    found = {_on(delete, file, deletes) for file in data}
    if delete.kind == "deletion vector" and delete.data_file is None:
        return "corrupt"
    return next((state for state in ("corrupt", "reaches", "unknown") if state in found), "dangling")


def _on(delete: DeleteFile, file: DataFile, deletes: list[DeleteFile]) -> str:
    named = delete.data_file is not None
    if named and delete.data_file != file.file_path:
        return "not"
    same_place = (delete.spec_id, delete.partition) == (file.spec_id, file.partition)
    if not named and delete.scope != "every file" and not same_place:
        return "not"
    own, of_file = delete.data_sequence_number.value, file.data_sequence_number.value
    old = None if own is None or of_file is None else of_file < own + (delete.kind != "equality deletes")
    if old is False:
        return "corrupt" if delete.kind == "deletion vector" else "not"
    vectors = sum(d.kind == "deletion vector" and d.data_file == file.file_path for d in deletes)
    if delete.kind == "position deletes" and vectors == 1:
        return "not"
    if delete.kind == "equality deletes":
        own_range, range_ = (next(iter(f.columns.values()), None) for f in (delete, file))
        if own_range and range_ and (own_range.lower > range_.upper or range_.lower > own_range.upper):
            return "not"
    elif vectors > 1 and old is not None:
        return "corrupt"
    if named and old and not same_place:
        return "corrupt"
    return "unknown" if old is None else "reaches"


def counted(work: Work) -> Deletes:
    """The same by counts over columns, a part at a time, as where pairs are too many."""
    keys = keys_of(work.deletes)
    data = {
        "file_path": pa.array([f.file_path for f in work.data], pa.string()),
        "spec_id": pa.array([f.spec_id for f in work.data], pa.int32()),
        "partition": pa.array([f.partition for f in work.data], pa.string()),
        "record_count": pa.array([f.record_count for f in work.data], pa.int64()),
        "sequence_number": pa.array([f.data_sequence_number.value for f in work.data], pa.int64()),
    }
    for side in ("lower", "upper"):
        bounds = [getattr(f.columns[1], side).to_bytes(8, "little") for f in work.data]
        data |= {f"{side}_{key.field_id}": pa.array(bounds, pa.binary()) for key in keys}
    tally, table = Tally(scoped(work.deletes), keys), pa.table(data)
    for first in range(0, len(table), 4):
        tally.add(table.slice(first, 4))
    found = tally.counts()
    stored = StoredDeletes((), "", (), len(work.deletes), None, statistics=True)
    return from_counts(snapshot(), stored, work.deletes, found)


@settings(deadline=None, max_examples=250)
@given(works())
def test_each_delete_counts_once_where_it_lies_by_what_it_comes_to(work: Work) -> None:
    expected: Counter[tuple[int, str, str, str]] = Counter()
    for delete in work.deletes:
        expected[delete.spec_id, delete.partition, delete.kind, comes_to(delete, work.data, work.deletes)] += 1
    found: Counter[tuple[int, str, str, str]] = Counter()
    rows = work.all().by_partition
    for row in rows:
        for front in row.fronts:
            for state in ("reaching", "dangling", "corrupt", "unknown"):
                name = "reaches" if state == "reaching" else state
                found[row.spec_id, row.partition, front.kind, name] += getattr(front, state)
    assert +found == expected
    files = Counter((f.spec_id, f.partition) for f in work.data)
    assert {(row.spec_id, row.partition): row.files for row in rows if row.files} == files
    for row in rows:
        here = Counter(
            f.data_sequence_number.value for f in work.data if (f.spec_id, f.partition) == (row.spec_id, row.partition)
        )
        assert row.numbers is None or dict(row.numbers) == here
        assert sum(row.why_nothing.values()) == row.dangling


@settings(deadline=None, max_examples=120)
@given(works())
def test_counts_over_columns_give_the_same_rows_as_pairs(work: Work) -> None:
    work.deletes.sort(key=lambda d: (d.file_path, d.content_offset or 0))
    pairs, columns = work.all(), counted(work)
    assert columns.states == pairs.states
    for name in ("by_partition", "partition_count", "unknown_pairs", "apart_pairs", "reached_pairs"):
        assert getattr(columns, name) == getattr(pairs, name), name


# --- pages -----------------------------------------------------------------------------------------------------------


def each_page(deletes: Deletes, **how: str) -> Iterator[tuple[PartitionDeletes, ...]]:
    first, listed = 0, 1
    while first < listed:
        page = shown(deletes.by_partition, 5, first=first, **how)  # type: ignore[arg-type]
        listed = page.listed
        everything = {(row.spec_id, row.partition) for row in (*page.page, *page.elsewhere, *page.others)}
        assert len(everything) == len(page.page) + len(page.elsewhere) + len(page.others) == len(deletes.by_partition)
        *parts, whole = sums(deletes, page)
        for column in ("equality", "positions", "reach", "nothing", "files"):
            numbers = [int(getattr(s.counts, column).strip("≥≤≈ ").replace(",", "")) for s in parts]
            assert sum(numbers) == int(getattr(whole.counts, column).strip("≥≤≈ ").replace(",", ""))
        first += 5
        yield page.page


@pytest.mark.parametrize("sort", ["worst", "name", "number"])
def test_pages_lead_through_every_listed_partition_once_and_their_sums_are_the_whole(sort: str) -> None:
    for deletes in (days(), nulls()):
        rows = [row for page in each_page(deletes, sort=sort) for row in page]
        assert len({(row.spec_id, row.partition) for row in rows}) == len(rows)
        assert {row.partition for row in rows} == {row.partition for row in deletes.by_partition if row.fronts}


def test_a_page_says_which_part_it_shows() -> None:
    rows = days().by_partition
    assert Naming.of(rows).unit == "day"
    assert page_words(shown(rows, 13), "day", "with deletes") == "days 1–13 of 14 with deletes"
    assert page_words(shown(rows, 13, first=13), "day", "with deletes") == "day 14 of 14 with deletes"
    assert page_words(shown(rows, 20), "day", "with deletes") == "all 14 days with deletes"
    assert page_words(shown(rows, 13, everything=True), "day", "with deletes") == "days 1–13 of 94"
    assert page_words(shown(rows, 13, search="2026-03-1"), "day", "x") == "all 10 days found by “2026-03-1”"
    assert page_words(shown(rows, 13, search="2027"), "day", "x") == "no day found by “2027”"
    assert shown(rows, 13, first=99).first == 0


def test_values_that_are_null_empty_or_not_recorded_are_different_partitions() -> None:
    rows = nulls().by_partition
    of_spec_1 = [
        Naming.of(rows).names(row)[0] for row in rows if row.spec_id == 1 and not row.partition.startswith("day")
    ]
    assert len(of_spec_1) == 4 == len(set(of_spec_1))
    assert "values not recorded (spec 1)" in of_spec_1
    unpartitioned = next(row for row in rows if (row.spec_id, row.partition) == (0, ""))
    assert [row for row in rows if row.partition == "" and row is not unpartitioned]


# --- what is not known -----------------------------------------------------------------------------------------------


def test_what_a_manifest_that_cannot_be_read_may_hold_is_not_said_to_reach_nothing() -> None:
    whole = lacking()
    assert whole.states.get("dangling", 0) == 0
    for row in whole.by_partition:
        told = counts(whole, [row])
        assert all(words.startswith("≥ ") or words == "?" for words in told.all)
        unknown = sum(front.unknown for front in row.fronts)
        assert (told.nothing == "?") is (unknown > 0)
        assert not unknown or f"{unknown:,} not known" in why(row)


def test_without_statistics_reach_is_at_most_and_nothing_at_least() -> None:
    told = counts(many(), many().by_partition)
    assert told.reach.startswith("≈ "), "at most by statistics, at least since numbers are unknown"
    assert told.nothing.startswith("≥ ")
    assert where_nothing(many()) == "all 710 lie in 29 of 201 partitions"


def test_ten_thousand_partitions_of_a_million_files_are_paged_at_once() -> None:
    """A click has 100 ms; three times that here, since machines differ. What others do on this one is not counted."""
    work = Work(at=100)
    places = [f"tenant={i:05d}" for i in range(10_000)]
    for i in range(3_000):
        work.delete("eq", 50 + i % 40, places[i])
    n = 1_000_000
    data = pa.table(
        {
            "file_path": pa.nulls(n, pa.string()),
            "spec_id": pa.repeat(pa.scalar(1, pa.int32()), n),
            "partition": pa.array([places[i % 10_000] for i in range(n)], pa.string()),
            "record_count": pa.repeat(pa.scalar(10, pa.int64()), n),
            "sequence_number": pa.array([1 + i % 97 for i in range(n)], pa.int64()),
        }
    )
    before = time.thread_time()
    tally = Tally(scoped(work.deletes), ())
    tally.add(data)
    found = tally.counts()
    stored = StoredDeletes((), "", (), len(work.deletes), None, statistics=False)
    deletes = from_counts(snapshot(100), stored, work.deletes, found)
    assert time.thread_time() - before < 6
    assert len(deletes.by_partition) == deletes.partition_count == 10_000
    assert sum(row.files for row in deletes.by_partition) == n
    assert sum(row.numbers is not None for row in deletes.by_partition) == 1_000
    before = time.thread_time()
    page = shown(deletes.by_partition, 13, search="tenant 0123", sort="number")
    assert page.listed == 11  # 00123, and those from 01230 on
    sums(deletes, page)
    assert time.thread_time() - before < 0.3
