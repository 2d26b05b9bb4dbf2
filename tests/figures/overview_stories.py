"""Histories for the overview strip: one commit, a few, a quarter of nightly loads as in the mock, ten thousand."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache

from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.overview.facts import Overview, overview
from explorer.model.snapshot_graph.facts import snapshot_graph
from tests.benchmarks.generate import Historian, Shape, metadata_json
from tests.figures.snapshot_graph_stories import Story, empty, orders, upgraded, version_1


class Totals:
    """A story whose commits count running totals, as writers do."""

    def __init__(self, start: datetime) -> None:
        self.story, self.at = Story(version=3), start
        self.records = self.data_files = self.delete_files = 0

    def commit(self, operation: str, added: int = 0, removed: int = 0, masked: int = 0, **files: int) -> int:
        self.records += added - removed
        self.data_files = max(self.data_files + files.get("data", 0), 0)
        self.delete_files = max(self.delete_files + files.get("deletes", 0), 0)
        number = self.story.commit(
            operation,
            parent=self.story.sequence or None,
            added_records=added,
            deleted_records=removed,
            added_position_deletes=masked,
            total_records=self.records,
            total_data_files=self.data_files,
            total_delete_files=self.delete_files,
        )
        self.story.snapshots[self.story.ids[number]]["timestamp-ms"] = int(self.at.timestamp() * 1000)
        return number


def nightly(days: int = 90) -> Story:
    """The table of the mock: a first load, three or four commits a day, a doubled day, compactions, a big delete."""
    chance = random.Random(7)
    t = Totals(datetime(2026, 1, 1, 2, tzinfo=UTC))
    t.commit("append", 88_653, data=40)
    for day in range(days):
        usual = 20_000 + chance.randint(-1_500, 1_500)
        t.at = datetime(2026, 1, 1, 6, tzinfo=UTC) + timedelta(days=day)
        t.commit("append", usual - 600, data=2)
        t.at += timedelta(hours=4)
        t.commit("overwrite", 300, 300, data=1, deletes=1)
        if day == 72:
            t.at += timedelta(hours=1)
            t.commit("append", 18_204, data=6)
        if day == 74:
            t.at += timedelta(hours=1)
            t.commit("delete", masked=1_310, deletes=1)
        if day % 7 == 6:
            t.at += timedelta(hours=6)
            t.commit("replace", t.records, t.records, data=-14, deletes=-7)
        if day in (30, 58, 88):
            t.story.ref(f"eom-2026-{day // 29:02}", t.story.sequence)
    head = t.story.sequence
    own = t.story.commit(parent=head - 20, branch="audit")
    t.story.snapshots[t.story.ids[own]]["timestamp-ms"] = int(t.at.timestamp() * 1000) + 60_000
    return t.story


def few() -> Story:
    t = Totals(datetime(2026, 11, 24, 9, 0, tzinfo=UTC))
    for number in range(9):
        t.at += timedelta(minutes=1)
        kind = ("append", "overwrite", "delete")[number % 3]
        t.commit(kind, *((100, 0), (40, 30), (0, 25))[number % 3], data=1, deletes=number % 2)
    t.story.ref("before-<b>the</b>-$fix$\u202e", 4)
    return t.story


def holed() -> Story:
    """Most of it expired, one commit kept by a tag; a writer that counts nothing; another branch."""
    s = nightly(40)
    last = s.sequence
    s.ref("kept <script>", 20)
    s.expire(*range(1, 20), *range(21, 60))
    s.snapshots[s.ids[80]]["summary"] = {"operation": "append"}
    s.point_main(last - 1)
    return s


@cache
def ten_thousand() -> Overview:
    shape = Shape()
    document = metadata_json(Historian(shape).history(), shape, "file:///t")
    return overview(snapshot_graph(TableMetadata.from_json(document)))


def of(story: Callable[[], Story]) -> Callable[[], Overview]:
    return lambda: overview(story().graph())


def one() -> Story:
    t = Totals(datetime(2026, 11, 24, 9, 0, tzinfo=UTC))
    t.commit("append", 12, data=1)
    return t.story


STORIES: dict[str, Callable[[], Overview]] = {
    "nightly": of(nightly),
    "empty": of(empty),
    "one": of(one),
    "few": of(few),
    "holed": of(holed),
    "orders": of(orders),
    "version 1": of(version_1),
    "upgraded": of(upgraded),
    "ten thousand": ten_thousand,
}
