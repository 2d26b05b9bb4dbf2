"""What the partitions of a timeline say of deletes, against a plain rule, and against what Deletes says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from explorer.model.deletes.reach import every_pair
from explorer.model.iceberg import lifetime_plan
from explorer.model.iceberg.delete_scope import DataFile, DeleteFile
from explorer.model.iceberg.inheritance import Value
from explorer.model.iceberg.lifetimes import Lifetimes
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.sequence_timeline import verdicts, words
from explorer.model.sequence_timeline.bands import Columns
from explorer.model.sequence_timeline.facts import Timeline
from explorer.model.sequence_timeline.partition_words import counts, page, sums
from explorer.model.sequence_timeline.scopes import Scopes
from explorer.model.sequence_timeline.timeline import timeline
from explorer.model.snapshot_graph.facts import snapshot_graph
from explorer.queries.files.stored_history import ENTRIES
from tests.figures.sequence_timeline_stories import STORIES
from tests.model.file_histories import File, FileHistory
from tests.model.test_deletes_by_partition import comes_to

KINDS = {1: "position deletes", 2: "equality deletes"}
UNPARTITIONED = 1


class Partitioned(FileHistory):
    """A history with the specs of its partitions, one of them without a field."""

    def document(self, *, version: int = 2) -> dict[str, Any]:
        fields = {0: ["day"], 1: [], 2: ["region", "bucket"]}
        specs = [
            {
                "spec-id": i,
                "fields": [{"name": n, "transform": "identity", "source-id": 1, "field-id": 1000} for n in f],
            }
            for i, f in fields.items()
        ]
        return super().document(version=version) | {"partition-specs": specs, "default-spec-id": 0}

    def lifetimes_without(self, lost: Collection[int]) -> Lifetimes:
        """As they are read where these manifests cannot be."""
        metadata = TableMetadata.from_json(self.document())
        steps = lifetime_plan.steps(metadata, {i: self.lists[i] for i in self.snapshots}, self.manifests)
        wanted, whole = lifetime_plan.to_read(steps, self.manifests)
        rows = [
            file.entry(status, by, None if status == 1 else file.number) | {"manifest": index}
            for index in sorted(wanted - set(lost))
            for status, by, file in self.entries[index]
            if status or index in whole
        ]
        order = [node.snapshot for node in snapshot_graph(metadata).nodes]
        entries = pa.Table.from_pylist(rows, schema=ENTRIES)
        return Lifetimes(metadata, order, self.manifests, steps, entries, wanted & set(lost))


def history(seed: int) -> Partitioned:
    made = Partitioned(seed)
    for _ in range(25):
        made.step()
    return made


def told(lifetimes: Lifetimes, snapshot_id: int, unreadable: dict[int, str] | None = None) -> Timeline:
    columns = Columns.of(lifetimes)
    return timeline(
        lifetimes, columns, snapshot_id, most=10**6, unreadable_lists=unreadable or {}, unreadable_manifests={}
    )


def data_of(file: File) -> DataFile:
    spec, partition = file.place
    return DataFile(file.path, spec, partition, file.records, file.size, Value(file.number, "stored"))


def delete_of(file: File) -> DeleteFile:
    spec, partition = file.place
    kind: Any = "deletion vector" if file.offset is not None else KINDS[file.content]
    target = (file.target or file.bounds) if file.content == 1 else None
    everywhere = file.content == 2 and spec == UNPARTITIONED
    scope: Any = "one file" if target else "every file" if everywhere else "partition"
    number = Value(file.number, "stored")
    return DeleteFile(
        file.path, file.offset, kind, spec, partition, file.records, file.size, number, scope, data_file=target
    )


@pytest.mark.parametrize("seed", range(40))
def test_what_deletes_reach_is_what_the_plain_rule_says_and_what_the_other_picture_says(seed: int) -> None:
    made = history(seed)
    lifetimes = made.lifetimes()
    for snapshot_id in sorted(made.snapshots)[-4:]:
        live = made.live[snapshot_id]
        data = [data_of(file) for file in live if not file.content]
        deletes = [delete_of(file) for file in live if file.content]
        state = {"reaches": "reaching", "dangling": "dangling", "corrupt": "unknown", "unknown": "unknown"}
        expected: Counter[tuple[int, str, str, str]] = Counter(
            (d.spec_id, d.partition, d.kind, state[comes_to(d, data, deletes)]) for d in deletes
        )
        found: Counter[tuple[int, str, str, str]] = Counter()
        bands = told(lifetimes, snapshot_id).bands
        for band in bands:
            for front in band.fronts:
                for name in ("reaching", "dangling", "unknown"):
                    found[band.spec_id, band.partition, front.kind, name] += getattr(front, name)
        assert +found == expected
        at = lifetimes.metadata.by_id[snapshot_id]
        rows = {(row.spec_id, row.partition): row for row in every_pair(at, data, deletes).by_partition}
        for band in bands:
            row = rows.get((band.spec_id, band.partition))
            here = (band.live_data_files, sum(f.reaching for f in band.fronts), band.dangling, band.unknown)
            assert not deletes or here == (
                (row.files, row.reaching, row.dangling, row.unclear) if row else (0, 0, 0, 0)
            )


@pytest.mark.parametrize("seed", range(20))
def test_what_a_lost_manifest_may_hold_is_not_said_to_be_out_of_reach(seed: int) -> None:
    made = history(seed)
    current = made.main if made.main in made.snapshots else max(made.snapshots)
    whole = told(made.lifetimes(), current)
    for index in [i for i, manifest in enumerate(made.manifests) if not manifest.content][:6]:
        lifetimes = made.lifetimes_without([index])
        at = told(lifetimes, current)
        if not lifetimes.lacks(0):
            assert at.bands == whole.bands, "it was not needed"
            continue
        assert at.lacks_data_files
        assert sum(band.dangling for band in at.bands) == 0
        of_all = counts(at, at.bands)
        assert of_all.files.startswith("≈ "), "the manifest may tell that files came, or that others went"


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("at_once", [1, 3])
def test_lifetimes_are_summed_up_alike_whatever_pieces_they_are_grouped_in(
    seed: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = history(seed)
    at, lifetimes = list(made.snapshots)[-1], made.lifetimes()
    whole = told(lifetimes, at).bands
    assert whole
    monkeypatch.setattr("explorer.model.sequence_timeline.bands._GROUPED_AT_ONCE", at_once)
    assert told(lifetimes, at).bands == whole


def test_what_is_live_is_not_told_where_the_list_of_the_snapshot_cannot_be_read() -> None:
    made = history(3)
    current = made.main
    assert current is not None
    at = told(made.lifetimes([current]), current, {current: "It was not found."})
    assert at.unreadable == "It was not found."
    assert {band.live_data_files + band.live_delete_files for band in at.bands} == {0}
    assert set(counts(at, at.bands).all) == {"?"}
    assert page(at, 12).listed == len(at.bands), "nothing is said to have nothing to tell"


def test_no_delete_beside_its_file_dangles_where_a_manifest_of_data_files_is_lost() -> None:
    whole = STORIES["users"]()
    idle = next(f for f in whole.files if f.file_path.endswith("eq-3b.parquet"))
    for facts, is_known in ((whole, True), (replace(whole, lacks_data_files=True), False)):
        scopes, named = Scopes(facts), {f.key: f.file_path for f in facts.files}
        assert verdicts.remark(scopes, named, idle, None).tone == ("attention" if is_known else "unknown")
        assert ("reaches nothing" in words.title(scopes, named, idle)) is is_known
        assert words.title(scopes, named).startswith("1 of 7 live" if is_known else "What 1 of 7 live deletes reach")


@pytest.mark.parametrize("name", ["ninety-four sums", "three hundred of nine", "1,000,000 files", "unknown sums"])
@pytest.mark.parametrize("how", [{}, {"sort": "name"}, {"sort": "number"}, {"search": "2026-01-0"}])
def test_pages_lead_through_all_that_is_listed_and_their_sums_are_the_whole(name: str, how: dict[str, Any]) -> None:
    facts, seen, first = STORIES[name](), [], 0
    while True:
        found = page(facts, 12, first=first, **how)
        together = sums(facts, found)
        parts, whole = together[:-1] or together, together[-1]
        for column in ("files", "deletes", "nothing"):
            numbers = [getattr(part.counts, column).strip("≥≈ ").replace(",", "").replace("?", "0") for part in parts]
            assert sum(map(int, numbers)) == int(getattr(whole.counts, column).strip("≥≈ ").replace(",", ""))
        seen += [(band.spec_id, band.partition) for band in found.page]
        first += 12
        if first >= found.listed:
            break
    asked = how.get("search")
    expected = {
        (b.spec_id, b.partition)
        for b in facts.bands
        if (asked in b.partition if asked else b.fronts or b.live_data_files > 2)
    }
    assert set(seen) == expected
    assert len(seen) == len(expected)
