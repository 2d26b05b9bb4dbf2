"""Every name of random tables finds itself; what is not there says what is near, and why it may be gone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.search import commits, files
from explorer.model.search.facts import Found
from explorer.model.snapshot_graph.facts import SnapshotGraph, snapshot_graph
from tests.benchmarks.generate import Historian, Shape, metadata_json
from tests.figures.snapshot_graph_stories import Story, orders
from tests.model.file_histories import FileHistory
from tests.model.histories import random_history

NOW = datetime(2027, 1, 1, tzinfo=UTC)


def ids(found: list[Found]) -> list[int | None]:
    return [each.snapshot_id for each in found]


def named(graph: SnapshotGraph, text: str, now: datetime = NOW) -> list[Found]:
    return commits.meanings(graph, text, now)


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 40), st.text(min_size=1, max_size=12))
def test_every_ref_number_and_id_finds_itself(seed: int, steps: int, odd: str) -> None:
    history = random_history(seed, steps)
    if history.snapshots:
        for hostile in (odd, "6", "2026-11-20", " main ", "<b onclick='x'>", "id = 5"):
            history.refs[hostile] = {"snapshot-id": history.random.choice(list(history.snapshots)), "type": "tag"}
    graph = snapshot_graph(TableMetadata.from_json(history.document()))
    for ref in graph.metadata.refs.values():
        first = named(graph, ref.name)[0]
        assert (first.kind, first.snapshot_id) == (ref.kind, ref.snapshot_id)
        assert ref.name in first.words
    for snapshot in graph.metadata.snapshots:
        number, own = snapshot.sequence_number, snapshot.snapshot_id
        for text in (str(number), f"{number:,}", f" #{number}"):
            assert ("sequence number", own) in [(f.kind, f.snapshot_id) for f in named(graph, text)]
        for text in (str(own), f"…{str(own)[-7:]}", str(own)[-7:], f"{number} …{str(own)[-4:]}"):
            assert ("snapshot id", own) in [(f.kind, f.snapshot_id) for f in named(graph, text)]


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(-90_000_000, 90_000_000))
def test_a_time_finds_what_the_log_says_was_current(seed: int, steps: int, beside: int) -> None:
    history = random_history(seed, steps)
    graph = snapshot_graph(TableMetadata.from_json(history.document()))
    at = history.clock + beside
    text = datetime.fromtimestamp(at / 1000, UTC).isoformat()
    expected = None
    for entry in history.log:  # the last entry of the file that is not younger; writers' clocks are not one clock
        expected = entry["snapshot-id"] if entry["timestamp-ms"] <= at else expected
    found = named(graph, text)
    assert ids(found) == ([expected] if expected in history.snapshots else [])
    if not found:
        missed = commits.missed(graph, text, NOW)
        assert ("expired" in missed.found) == (expected is not None)
        assert set(ids(list(missed.nearest))) <= set(history.snapshots)
        assert bool(missed.nearest) == bool(history.snapshots)


def story() -> Story:
    return orders()


def test_a_commit_is_found_by_the_first_digits_of_its_id() -> None:
    graph = story().graph()
    for snapshot in (node.snapshot for node in graph.nodes):
        first = str(snapshot.snapshot_id)[:12]
        alike = [n.snapshot.snapshot_id for n in graph.nodes if str(n.snapshot.snapshot_id).startswith(first)]
        assert sorted(ids(named(graph, first))) == sorted(alike)


def test_a_day_is_told_as_it_ended_and_as_it_began() -> None:
    s = story()
    next(e for e in s.log if e["snapshot-id"] == s.ids[9])["timestamp-ms"] += 37_000
    graph = s.graph()
    end, begin = named(graph, "2026-11-19")
    assert (end.snapshot_id, begin.snapshot_id) == (s.ids[11], s.ids[7])
    assert end.words.startswith("current at the end of 19 Nov 2026: 11 …8890")
    assert begin.words.startswith("current as 19 Nov 2026 began: 7 …2257")
    assert ids(named(graph, "2026-11-19 06:05")) == [s.ids[9], s.ids[7]]  # within that minute
    assert ids(named(graph, "2026-11-19 06:04")) == [s.ids[7]]
    assert ids(named(graph, "2026-11-19T08:04:59+02:00")) == [s.ids[7]]
    assert ids(named(graph, "2026-11-19 06:05:37 UTC")) == [s.ids[9]]
    assert ids(named(graph, "20261119")) == [s.ids[11], s.ids[7]]
    for text in ("19 Nov 2026", "19 November", "19 nov"):  # as the page writes it
        assert ids(named(graph, text)) == [s.ids[11], s.ids[7]], text
    assert ids(named(graph, "19 Nov 06:05")) == ids(named(graph, "2026-11-19 06:05"))
    assert named(graph, "2 Jan") == [], "the last one was before the first commit"


def test_a_name_that_is_a_number_and_a_day_too_comes_first_and_offers_the_others() -> None:
    s = story()
    s.ref("6", 9)
    s.ref("2026-11-19", 4)
    graph = s.graph()
    assert [(f.kind, f.snapshot_id) for f in named(graph, "6")] == [("tag", s.ids[9]), ("sequence number", s.ids[6])]
    assert [f.kind for f in named(graph, "2026-11-19")] == ["tag", "time", "time"]
    assert [(f.kind, f.snapshot_id) for f in named(graph, "MAIN")] == [("branch", s.ids[18])]


def test_what_is_gone_says_how_that_is_known() -> None:
    s = story()
    graph = s.graph()
    expired = s.ids[3]
    by_number = commits.missed(graph, "3", NOW)
    assert by_number.found.startswith(
        "3 is not in the list: expired? 18 numbers were given out. Of 1–3 none is listed."
    )
    assert "The parent of 4 …7731 is not listed either." in by_number.found
    assert ids(list(by_number.nearest)) == [s.ids[4]]
    by_id = commits.missed(graph, str(expired), NOW)
    assert by_id.found == f"{expired} is not in the list: expired? It is the parent of 4 …7731."
    assert commits.missed(graph, str(expired + 1), NOW).found.endswith("names it, of 15 snapshots that it lists.")
    assert commits.missed(graph, "2026-02-30", NOW).found.startswith("It looks like a time, and is none;")
    assert by_number.is_commit
    assert by_id.is_commit
    assert commits.missed(graph, "19", NOW).found == "Sequence numbers go from 1 to 18."
    assert commits.missed(graph, "…0000", NOW).found == "None of 15 snapshots has an id that ends in 0000."
    before = commits.missed(graph, "2026-11-01", NOW)
    assert before.found == "The snapshot log, which tells where main was, begins on 18 Nov 2026 at 06:05 UTC."
    assert ids(list(before.nearest)) == [s.ids[4]]
    after = commits.missed(graph, "2027-05-01", NOW)
    assert after.found == "It is after 1 Jan 2027 00:00 UTC, when the metadata was read."
    assert ids(list(after.nearest)) == [s.ids[18]]


def test_a_mistyped_name_has_its_neighbours() -> None:
    s = story()
    missed = commits.missed(s.graph(), "befor-gpdr", NOW)
    assert ids(list(missed.nearest)) == [s.ids[6]]
    assert [f.kind for f in commits.missed(s.graph(), "audit-20", NOW).nearest] == ["tag", "branch"]
    assert not missed.is_commit


def test_version_1_has_no_numbers() -> None:
    s = Story(version=1)
    s.commit()
    s.commit(parent=1)
    graph = s.graph()
    assert [f.kind for f in named(graph, "0")] == []
    assert "no sequence numbers" in commits.missed(graph, "2", NOW).found
    assert ids(named(graph, s.id(2))) == [s.ids[2]]


@pytest.mark.parametrize("text", ["2026-02-30", "2026-13-01 10:00", "0001-01-01 00:00+14:00", "9999-12-31", "main\x00"])
def test_what_is_no_time_of_the_calendar_is_none(text: str) -> None:
    assert named(story().graph(), text, datetime.max.replace(tzinfo=UTC) - timedelta(days=400)) == []


def test_ten_thousand_snapshots_answer_within_50_ms() -> None:
    shape = Shape()
    graph = snapshot_graph(TableMetadata.from_json(metadata_json(Historian(shape).history(), shape, "file:///t")))
    _ = graph.short_ids
    last = graph.nodes[-1].snapshot
    for text in (
        "main",
        str(last.sequence_number),
        str(last.snapshot_id),
        "…7",
        "2026-04-01",
        "3",
        "nothing",
        "2020-01-01",
    ):
        took = min(timed(lambda text=text: named(graph, text) or commits.missed(graph, text, NOW)) for _ in range(3))
        assert took < 0.05, text


def timed(what: Callable[[], object]) -> float:
    start = time.process_time()
    what()
    return time.process_time() - start


@pytest.mark.parametrize("seed", range(25))
def test_every_partition_and_file_finds_itself(seed: int) -> None:
    history = FileHistory(seed)
    for _ in range(25):
        history.step()
    lifetimes = history.lifetimes()
    known = {f for live in history.live.values() for f in live}
    paths = set(lifetimes.paths(range(lifetimes.count)).to_pylist()) if lifetimes.count else set()
    for file in known:
        if file.path not in paths:
            continue  # of an expired snapshot
        found = files.find(lifetimes, file.path)
        assert found is not None
        assert (found.kind, found.file_path) == ("file", file.path)
        of_place = files.find(lifetimes, file.place[1] or "unpartitioned")
        assert of_place is not None
        assert (of_place.kind, of_place.partition) == ("partition", file.place)
        shown = files.find(lifetimes, file.place[1].replace("=", " = ").replace("/", ",").upper() or "Unpartitioned")
        assert shown is not None
        assert shown.partition == file.place


def everything(found: Found | None) -> list[Found]:
    return [] if found is None else [replace(found, others=(), more=0), *found.others]


def test_a_part_finds_all_that_hold_it_and_counts_what_it_leaves_out() -> None:
    history = FileHistory(3)
    for _ in range(40):
        history.step()
    lifetimes = history.lifetimes()
    places = dict.fromkeys(f.place for live in history.live.values() for f in live)
    days = {f.partition for f in everything(files.find(lifetimes, "2026-11"))}
    assert days == {place for place in places if "2026-11" in place[1]}
    paths = set(lifetimes.paths(range(lifetimes.count)).to_pylist())
    found = files.find(lifetimes, "-")
    partitions = [f for f in everything(found) if f.kind == "partition"]
    assert len(partitions) == sum("-" in place[1] for place in places)
    in_paths = files.find(lifetimes, "f-")
    assert in_paths is not None
    assert {f.file_path for f in everything(in_paths)} == {path for path in paths if "f-" in path}
    many = files.find(lifetimes, "300")
    assert many is not None
    everyone = {(f.path, f.offset) for live in history.live.values() for f in live if "300" in f.path}
    assert 1 + len(many.others) + many.more >= len(everyone) > 21
    assert files.find(lifetimes, "no such thing") is None
    assert files.find(lifetimes, "2026-11", parts=False) is None
    valued = everything(files.find(lifetimes, "2026-11-20", parts=False))
    assert [f.partition for f in valued] == [(0, "day=2026-11-20")]
    assert [f.partition for f in everything(files.find(lifetimes, "eu", parts=False))] == [(2, "region=EU/bucket=10")]
    near = files.nearest(lifetimes, "day=2026-12-20").nearest
    assert [f.partition for f in near] == [(0, "day=2026-11-20"), (0, "day=2026-11-21")]
