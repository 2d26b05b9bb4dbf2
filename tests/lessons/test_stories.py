"""Each story's table has the state that the story tells, as Spark's metadata tables and PyIceberg see it."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import pytest
from pyiceberg.table import StaticTable
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.snapshots import Snapshot
from pyspark.sql import Row, SparkSession

from explorer.engine import sandbox_warehouse
from explorer.lessons import LESSONS, Lesson, stories


@dataclass(frozen=True)
class Seen:
    """A sandbox table as others see it: `metadata` is PyIceberg's, the rows are Spark's."""

    spark: SparkSession
    name: str

    @property
    def metadata(self) -> TableMetadata:
        return StaticTable.from_metadata(str(sandbox_warehouse().joinpath(*self.name.split(".")))).metadata

    @property
    def snapshots(self) -> list[Snapshot]:
        return sorted(self.metadata.snapshots, key=lambda snapshot: snapshot.timestamp_ms)

    def rows(self, columns: str, of: str = "", rest: str = "") -> list[Row]:
        return self.spark.sql(f"SELECT {columns} FROM sandbox.{self.name}{of} {rest}").collect()

    def ids(self, ref: str) -> list[int]:
        """The table's `id` column as of a branch or tag."""
        return sorted(row[0] for row in self.rows("id", rest=f"VERSION AS OF '{ref}'"))

    def ancestors(self, ref: str = "main") -> list[int]:
        """Newest first, as far as they are listed."""
        parents = {snapshot.snapshot_id: snapshot.parent_snapshot_id for snapshot in self.snapshots}
        found, at = [], self.metadata.refs[ref].snapshot_id
        while at in parents:
            found.append(at)
            at = parents[at]  # type: ignore[assignment]
        return found

    def history(self) -> list[Row]:
        return self.rows("snapshot_id, is_current_ancestor", ".history", "ORDER BY made_current_at")


def summary(snapshot: Snapshot) -> dict[str, str]:
    assert snapshot.summary is not None
    return {"operation": snapshot.summary.operation.value, **snapshot.summary.additional_properties}


def lessons_in(module: ModuleType) -> list[Lesson]:
    """The module's own story, or its own stories; not those that it imports."""
    found = [getattr(module, "LESSON", None), *getattr(module, "LESSONS", ())]
    return [lesson for lesson in found if isinstance(lesson, Lesson) and lesson.build.__module__ == module.__name__]


@pytest.fixture
def seen(sandbox: SparkSession) -> Callable[[str], Seen]:
    return lambda name: Seen(sandbox, name)


def test_every_story_is_in_the_registry_once_and_says_what_it_shows() -> None:
    names = [f"explorer.lessons.stories.{module.name}" for module in pkgutil.iter_modules(stories.__path__)]
    defined = [lesson for name in names for lesson in lessons_in(importlib.import_module(name))]
    assert Counter(lesson.name for lesson in defined) == Counter(lesson.name for lesson in LESSONS)
    for lesson in LESSONS:
        assert re.fullmatch(r"[a-z_0-9]+(\.[a-z_0-9]+)+", lesson.name)
        assert "\n" not in lesson.title
        assert len(lesson.title) < 80 < len(lesson.story)


def test_empty_has_no_snapshot(seen: Callable[[str], Seen]) -> None:
    table = seen("lessons.empty")
    assert table.snapshots == []
    assert table.metadata.refs == {}
    assert table.rows("*") == []


def test_one_snapshot_has_one(seen: Callable[[str], Seen]) -> None:
    (only,) = seen("lessons.one_snapshot").snapshots
    assert (only.sequence_number, only.parent_snapshot_id) == (1, None)
    assert summary(only)["added-data-files"] == "1"


def test_branches_grow_in_turns_lag_and_were_caught_up_with(seen: Callable[[str], Seen]) -> None:
    table = seen("lessons.branches_and_tags")
    refs = table.metadata.refs
    numbers = {snapshot.snapshot_id: snapshot.sequence_number for snapshot in table.snapshots}
    main, audit = table.ancestors(), table.ancestors("audit")

    own = [numbers[i] for i in audit if i not in main]
    assert len(own) == 3
    assert any(min(own) < numbers[i] < max(own) for i in main), "main and audit take turns"

    assert {name for name, ref in refs.items() if ref.snapshot_ref_type == "branch"} == {
        *("main", "audit", "reporting", "release", "experiment")
    }
    assert refs["reporting"].snapshot_id == refs["first-release"].snapshot_id == main[-2], (
        "lags, with nothing of its own"
    )
    assert refs["audited"].snapshot_id in audit
    assert refs["audited"].snapshot_id not in main
    assert set(table.ancestors("experiment")) > set(audit)

    assert refs["release"].snapshot_id in main[1:], "main was fast-forwarded to it and went on"
    log = [row.snapshot_id for row in table.history()]
    assert set(main) - set(log) == {main[main.index(refs["release"].snapshot_id) + 1]}, (
        "main skipped release's first commit"
    )

    kept = refs["audit"]
    assert (kept.max_ref_age_ms, kept.min_snapshots_to_keep, kept.max_snapshot_age_ms) == (
        365 * 86_400_000,
        5,
        30 * 86_400_000,
    )
    assert table.ids("main") == [1, 2, 3, 4, 5, 6, 7, 8]
    assert table.ids("experiment") == [1, 2, 103, 104, 105]


def test_rollback_left_commits_behind_and_main_came_back_to_one(seen: Callable[[str], Seen]) -> None:
    table = seen("lessons.rollback")
    order = [snapshot.snapshot_id for snapshot in table.snapshots]
    main = table.ancestors()
    first_bad, second_bad, wrong_again = (i for i in order if i not in main)
    parents = {snapshot.snapshot_id: snapshot.parent_snapshot_id for snapshot in table.snapshots}
    assert (parents[second_bad], parents[first_bad]) == (first_bad, order[2]), "an abandoned tip of two"
    assert table.metadata.refs["evidence"].snapshot_id == first_bad
    assert set(table.metadata.refs) == {"main", "evidence"}

    log = [row.snapshot_id for row in table.history()]
    came_back = log[log.index(wrong_again) + 1]
    assert came_back not in (wrong_again, parents[wrong_again]), "a jump to what was no ancestor"
    assert came_back in main
    assert sorted(log.count(i) for i in log if i in main) == [1, 1, 1, 2, 2, 2, 2, 2, 2]
    assert table.ids("main") == [1, 2, 3, 4, 5, 6]


def test_write_audit_publish_shows_each_way_to_publish_and_not_to(seen: Callable[[str], Seen]) -> None:
    table = seen("lessons.write_audit_publish")
    main, summaries = table.ancestors(), {snapshot.snapshot_id: summary(snapshot) for snapshot in table.snapshots}
    staged = {keys["wap.id"]: i for i, keys in summaries.items() if "wap.id" in keys}
    assert set(staged) == {"load-monday", "load-tuesday", "load-wednesday"}

    published = {keys["published-wap-id"]: i for i, keys in summaries.items() if "published-wap-id" in keys}
    assert list(published) == ["load-monday"], "a new snapshot, since main had moved on"
    assert summaries[published["load-monday"]]["source-snapshot-id"] == str(staged["load-monday"])
    assert published["load-monday"] in main
    assert staged["load-monday"] not in main

    assert staged["load-tuesday"] in main, "fast-forwarded: the staged snapshot itself"
    assert staged["load-wednesday"] not in {i for ref in table.metadata.refs for i in table.ancestors(ref)}

    plain = [i for i, keys in summaries.items() if "source-snapshot-id" in keys and "published-wap-id" not in keys]
    assert [summaries[i]["source-snapshot-id"] for i in plain] == [str(table.metadata.refs["hotfix"].snapshot_id)]
    assert set(plain) < set(main)
    assert table.ids("main") == [1, 2, 3, 4, 10, 20, 40]


def test_replaced_has_two_roots_and_the_old_schema_before_the_second(seen: Callable[[str], Seen]) -> None:
    table = seen("lessons.replaced")
    roots = [snapshot for snapshot in table.snapshots if snapshot.parent_snapshot_id is None]
    first, second = roots
    assert (first.sequence_number, second.sequence_number) == (1, 4)
    assert table.ancestors()[-1] == second.snapshot_id
    assert [row.is_current_ancestor for row in table.history()] == [False] * 3 + [True] * 3
    columns = {schema.schema_id: schema.column_names for schema in table.metadata.schemas}
    assert columns[first.schema_id or 0] == ["id", "item"]
    assert columns[second.schema_id or 0] == ["id", "item", "letters"]


def test_expired_has_children_whose_parents_are_gone(seen: Callable[[str], Seen]) -> None:
    table = seen("lessons.expired")
    numbers = [snapshot.sequence_number for snapshot in table.snapshots]
    assert numbers == [2, 4, 5, 7, 8, 9], "1 and 3 by age, 6 by id; 2 is kept by its tag"
    listed = {snapshot.snapshot_id for snapshot in table.snapshots}
    orphans = [
        s.sequence_number for s in table.snapshots if s.parent_snapshot_id and s.parent_snapshot_id not in listed
    ]
    assert orphans == [2, 4, 7]
    assert table.ids("main") == list(range(1, 10))
    assert table.ids("first-release") == [1, 2]


def test_format_v1_has_no_sequence_numbers(seen: Callable[[str], Seen]) -> None:
    table = seen("lessons.format_v1")
    assert table.metadata.format_version == 1
    assert [snapshot.sequence_number or 0 for snapshot in table.snapshots] == [0] * 5
    assert {row[0] for row in table.rows("DISTINCT sequence_number", ".entries")} == {0}
    assert [row.operation for row in table.rows("operation", ".snapshots", "ORDER BY committed_at")] == [
        *("append", "append", "overwrite"),
        *("overwrite", "append"),
    ]
    assert table.ids("main") == [1, 2, 3, 5]


def test_upgraded_was_committed_to_in_every_version(seen: Callable[[str], Seen]) -> None:
    table = seen("lessons.upgraded")
    assert table.metadata.format_version == 3
    assert [snapshot.sequence_number or 0 for snapshot in table.snapshots] == [0, 0, 1, 2, 3, 4, 5]
    summaries = [summary(snapshot) for snapshot in table.snapshots]
    assert summaries[3]["added-position-delete-files"] == "1"
    assert "added-dvs" not in summaries[3]
    assert [keys.get("added-dvs") for keys in summaries[4:]] == [None, "1", "1"]
    assert [snapshot.first_row_id is None for snapshot in table.snapshots] == [True] * 4 + [False] * 3
    assert table.ids("main") == [1, 3, 4, 5, 6, 7, 9]


@pytest.fixture(scope="module")
def orders(sandbox: SparkSession) -> Seen:
    return Seen(sandbox, "shop.orders")


def test_orders_has_about_300_commits_of_several_writers(orders: Seen) -> None:
    summaries = [summary(snapshot) for snapshot in orders.snapshots]
    assert 260 <= len(summaries) <= 330
    apps = Counter(keys.get("app-name") for keys in summaries)
    assert {"web-checkout", "mobile-app", "store-pos", "fulfilment", "customer-desk", "privacy", "spring-sale"} <= set(
        apps
    )
    assert {keys["operation"] for keys in summaries} == {"append", "overwrite", "delete", "replace"}
    assert "Iceberg explorer" not in apps, "the story's writers, not the Spark that told it"
    maintenance = Counter(keys["operation"] for keys in summaries if keys["app-name"] == "maintenance")
    assert maintenance == {"replace": 5}


def test_orders_lost_no_row_of_concurrent_writers(orders: Seen) -> None:
    assert orders.rows("count(*), count(DISTINCT order_id)")[0][0] == orders.rows("count(DISTINCT order_id)")[0][0]
    sale = [s for s in orders.snapshots if summary(s).get("app-name") == "spring-sale"]
    rows = orders.rows("count(*)", rest="WHERE to_date(ordered_at) = DATE '2026-03-14' AND minute(ordered_at) < 2")
    assert sum(int(summary(s)["added-records"]) for s in sale) == 2 * len(sale)
    assert rows[0][0] >= 2 * len(sale)
    attempts = [int(re.findall(r"snap-\d+-(\d+)-", snapshot.manifest_list)[0]) for snapshot in sale]
    assert max(attempts) > 1, "at least one commit was retried"


def test_orders_changed_schema_partitions_format_and_mode(orders: Seen) -> None:
    metadata = orders.metadata
    types = [{f.name: str(f.field_type) for f in schema.fields} for schema in metadata.schemas]
    assert types[0]["amount"] == "decimal(8, 2)"
    assert types[-1]["amount"] == "decimal(12, 2)"
    ids = {
        schema.find_field(name).field_id
        for schema in metadata.schemas
        for name in ("customer", "customer_name")
        if name in schema.column_names
    }
    assert len(ids) == 1, "renamed, not dropped and added"
    assert "channel" not in types[0]
    assert "channel" in types[-1]
    assert len({snapshot.schema_id for snapshot in orders.snapshots}) > 1
    assert [[str(f.transform) for f in spec.fields] for spec in metadata.partition_specs] == [["month"], ["day"]]
    assert metadata.format_version == 3

    summaries = [summary(snapshot) for snapshot in orders.snapshots]
    january = next(keys for keys in summaries if keys.get("app-name") == "privacy")
    assert int(january["deleted-data-files"]) > 0
    assert int(january["added-data-files"]) > 0, "copy-on-write"
    assert any("added-position-delete-files" in keys for keys in summaries), "merge-on-read, version 2"
    assert any("added-dvs" in keys for keys in summaries), "merge-on-read, version 3"
    assert any(keys["operation"] == "delete" and "deleted-data-files" in keys for keys in summaries), (
        "whole files deleted"
    )
    assert any(keys.get("replace-partitions") == "true" for keys in summaries)


def test_orders_has_refs_a_staged_commit_a_rollback_and_an_empty_commit(orders: Seen) -> None:
    refs = orders.metadata.refs
    assert set(refs) == {"main", "audit", "eom-2026-01", "eom-2026-02", "eom-2026-03"}
    main, summaries = orders.ancestors(), {s.snapshot_id: summary(s) for s in orders.snapshots}
    assert len(set(orders.ancestors("audit")) - set(main)) == 4
    assert all(refs[f"eom-2026-0{month}"].snapshot_id in main for month in (1, 2, 3))

    staged = [i for i, keys in summaries.items() if "wap.id" in keys]
    assert len(staged) == 1
    abandoned = [i for i, keys in summaries.items() if keys.get("app-name") == "price-import"]
    assert len(abandoned) == 2
    assert not {*staged, *abandoned} & set(main)
    assert {row.snapshot_id for row in orders.history() if not row.is_current_ancestor} == set(abandoned)

    counters = ("added-data-files", "deleted-data-files", "added-delete-files", "removed-delete-files")
    empty = [
        keys["app-name"]
        for keys in summaries.values()
        if keys["operation"] != "replace" and not any(k in keys for k in counters)
    ]
    assert empty == ["partner-feed"]


def test_orders_was_compacted_and_its_oldest_snapshots_expired(orders: Seen) -> None:
    replaced = [summary(s) for s in orders.snapshots if summary(s)["operation"] == "replace"]
    assert sum(int(keys.get("deleted-data-files", 0)) > 50 for keys in replaced) >= 3, "rewrite_data_files"
    assert sum("deleted-data-files" not in keys for keys in replaced) == 2, "rewrite_manifests"
    oldest = min(orders.snapshots, key=lambda snapshot: snapshot.sequence_number or 0)
    assert (oldest.sequence_number or 0) > 5
    assert oldest.parent_snapshot_id is not None
    assert oldest.snapshot_id == orders.ancestors()[-1]


def test_orders_has_the_same_content_wherever_it_is_built(orders: Seen) -> None:
    """No row depends on chance or on the clock; these sums change only with the story."""
    (row,) = orders.rows(
        "count(*), sum(order_id), sum(amount), count(DISTINCT customer_name), count_if(status = 'paid')"
    )
    assert [str(value) for value in row] == ["559", "179915", "55508.95", "23", "430"]
