"""The columns of the overview against a plain account, commit by commit and day by day."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

import numpy as np
import pytest

from explorer.engine.garbage import paused_gc
from explorer.model.arrays import NULL
from explorer.model.iceberg.metadata import Snapshot, TableMetadata
from explorer.model.overview import words
from explorer.model.overview.facts import Overview, overview
from explorer.model.snapshot_graph.facts import snapshot_graph
from tests.benchmarks.generate import Historian, Shape, metadata_json
from tests.figures.overview_stories import STORIES
from tests.model.histories import random_history

KEYS = (
    "added-records",
    "deleted-records",
    "added-position-deletes",
    "removed-position-deletes",
    "total-records",
    "total-data-files",
    "total-delete-files",
)


def a_history(seed: int) -> TableMetadata:
    """Random commits with random counters, some of them nonsense, and clocks that stand still or run backwards."""
    history, pick = random_history(seed, 40), Random(seed)
    document = history.document()
    for snapshot in document["snapshots"]:
        snapshot["timestamp-ms"] += pick.choice([0, 0, 50_000_000, 200_000_000])
        if pick.random() < 0.1:
            del snapshot["timestamp-ms"]
        for key in KEYS:
            if pick.random() < 0.6:
                snapshot["summary"][key] = pick.choice(["0", "7", "1200", "88653", "-3", "x", "9" * 25, "٣"])
    return TableMetadata.from_json(document)


def total(snapshot: Snapshot, key: str) -> int | None:
    return snapshot.count(key) if key in snapshot.summary else None


@pytest.mark.parametrize("seed", range(60))
def test_columns_are_what_each_summary_says(seed: int) -> None:
    graph = snapshot_graph(a_history(seed))
    told = overview(graph)
    line = set(graph.forest.lineage(graph.metadata.current_snapshot_id))
    for i, node in enumerate(graph.nodes):
        s = node.snapshot
        assert told.on_line[i] == (s.snapshot_id in line)
        assert told.sequence_number[i] == s.sequence_number
        assert told.index(str(s.snapshot_id)) == i
        for column, key in zip(words.totals(told), KEYS[4:], strict=True):
            expected = total(s, key)
            assert int(column[i]) == (int(NULL) if expected is None else expected)
    head = graph.by_id.get(graph.metadata.current_snapshot_id or 0)
    assert words.last_totals(told) == tuple(total(head.snapshot, key) if head else None for key in KEYS[4:])


@pytest.mark.parametrize("seed", range(60))
def test_days_are_the_sums_of_the_commits_on_the_line(seed: int) -> None:
    graph = snapshot_graph(a_history(seed))
    told = overview(graph)
    sums: dict[date, dict[str, Any]] = defaultdict(lambda: {"inserted": 0, "updated": 0, "deleted": 0, "known": True})
    latest: datetime | None = None
    for i, node in enumerate(graph.nodes):
        s = node.snapshot
        if node.state not in ("current", "main"):
            continue
        if s.committed_at is not None and (latest is None or s.committed_at > latest):
            latest = s.committed_at
        if latest is None:
            continue
        of_day = sums[latest.date()]
        of_day.setdefault("first", i)
        of_day["last"] = i
        if s.operation == "replace":
            continue
        counts = [s.count(key) for key in KEYS[:4]]
        added, removed, masked, unmasked = (n or 0 for n in counts)
        newly = max(masked - unmasked, 0) if None not in counts[2:] else 0
        of_day["known"] &= None not in counts
        if s.operation == "delete":
            of_day["deleted"] += removed + newly
        elif s.operation == "append":
            of_day["inserted"] += added
        else:
            of_day["updated"] += added + removed + newly
    days = told.days
    assert [d.astype(object) for d in days.day] == sorted(sums)
    for i, of_day in enumerate(sums[d] for d in sorted(sums)):
        assert {name: getattr(days, name)[i] for name in of_day} == of_day
    written = [d["inserted"] + d["updated"] for d in sums.values() if d["inserted"] + d["updated"]]
    assert told.usual_day == (int(statistics.median(written)) if written else None)


def test_holes_are_the_numbers_that_no_commit_has() -> None:
    told = STORIES["holed"]()
    numbers = told.sequence_number.tolist()
    missing = set(range(1, told.graph.metadata.last_sequence_number + 1)) - set(numbers)
    holed = [n for first, last, _ in told.holes for n in range(first, last + 1)]
    assert holed == sorted(missing)
    for _, last, follows in told.holes:
        assert numbers[follows] == last + 1
    assert told.between(1, 62) == (0, numbers.index(62))
    assert told.between(2, 5) is None
    assert told.between(60, 10**6) == (numbers.index(60), told.count - 1)


def test_words_name_the_day_that_stands_out() -> None:
    told = STORIES["nightly"]()
    assert "1 Jan 2026 wrote" in words.summary(told)
    doubled = next(i for i in range(len(told.days.day)) if words.day(told, i) == "14 Mar 2026")
    assert told.days.written[doubled] > 1.8 * (told.usual_day or 0)
    masked = [words.told_day(told, i) for i in range(len(told.days.day)) if told.days.deleted[i]]
    assert len(masked) == 1
    assert masked[0].startswith("16 Mar 2026: rows: ")
    assert masked[0].endswith("1,310 deleted")
    assert words.summary(STORIES["empty"]()) == "No snapshot is listed."
    holed = STORIES["holed"]()
    assert any("at least" in words.told_day(holed, i) for i in range(len(holed.days.day)))
    for index in range(told.count):
        assert len(words.commit(told, index)) == 3 + bool(told.on_line[index])


def test_ten_thousand_snapshots_take_a_fifth_of_a_second() -> None:
    shape = Shape()
    graph = snapshot_graph(TableMetadata.from_json(metadata_json(Historian(shape).history(), shape, "file:///t")))

    def once() -> float:
        start = time.process_time()  # others may use the machine meanwhile
        with paused_gc():
            _ = overview(graph).usual_day
        return time.process_time() - start

    assert min(once() for _ in range(5)) < 0.2


def test_a_day_ends_where_the_next_begins() -> None:
    told: Overview = STORIES["nightly"]()
    line = np.flatnonzero(told.on_line)
    assert told.days.first[0] == line[0]
    assert told.days.last[-1] == line[-1]
    assert (told.days.first[1:] > told.days.last[:-1]).all()
    assert (np.diff(told.days.day) >= np.timedelta64(1, "D")).all()
    assert timedelta(days=len(told.days.day)) == timedelta(days=90)
