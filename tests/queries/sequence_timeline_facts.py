"""The history of a table's files told the slow way: live files of every snapshot, compared along the parents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fastavro
from pyspark.sql import SparkSession

from explorer.model.sequence_timeline.facts import FileLifetime, Timeline
from explorer.model.snapshot_graph.facts import snapshot_graph
from explorer.queries.files.locate import locate
from explorer.table.readers.timelines import Timelines
from tests.queries.sources import source_of

Key = tuple[str, int | None]


def timelines(spark: SparkSession, name: str) -> Timelines:
    """The timelines of a table, as the face opens them."""
    source = source_of(spark, name)
    return Timelines(source, snapshot_graph(source.metadata))


@dataclass(frozen=True)
class Known:
    """A live file as another reader sees it: both numbers, None where they are unknown."""

    data_sequence_number: int | None
    file_sequence_number: int | None
    kind: str


@dataclass(frozen=True)
class Slow:
    """Live files of each snapshot that can be read, and of each snapshot its parent.

    `commits` are in the order of the metadata file; `refs` are heads by name.
    """

    live: Mapping[int, Mapping[Key, Known]]
    parents: Mapping[int, int | None]
    refs: Mapping[str, int]

    def check(self, reader: Timelines) -> None:
        """Compare with the timeline at every snapshot."""
        whole = reader.timeline()
        assert whole.is_complete
        self._check_steps(whole)
        for snapshot_id, live in self.live.items():
            at = reader.timeline(snapshot_id)
            found = [f for f in at.files if f.is_live]
            assert {f.key for f in found} == set(live), f"live at {snapshot_id}"
            assert len(found) == len(live), f"a file is live twice at {snapshot_id}"
            for f in found:
                known = live[f.key]
                assert f.kind == known.kind
                assert f.data_sequence_number.value == known.data_sequence_number, (snapshot_id, f)
                assert f.file_sequence_number.value == known.file_sequence_number, (snapshot_id, f)
            self._check_bands(at, found)
            self._check_table(reader, at)

    def _check_steps(self, timeline: Timeline) -> None:
        columns = {c.snapshot.snapshot_id: c for c in timeline.commits}
        for snapshot_id, live in self.live.items():
            counts = columns[snapshot_id].live
            assert counts is not None
            assert {k: n for k, n in counts.items() if n} == _counted(k.kind for k in live.values()), snapshot_id
            parent = self.parents[snapshot_id]
            before = self.live.get(parent) if parent is not None else {}
            if before is None:
                continue
            ended = [f.key for f in timeline.files if any(r.snapshot_id == snapshot_id for r in f.removals)]
            assert {*ended} >= before.keys() - live.keys(), snapshot_id
            assert not {*ended} & (live.keys() & before.keys()), snapshot_id
            for file in timeline.files:
                for removal in file.removals:
                    if removal.snapshot_id == snapshot_id:
                        assert file.key in before, (snapshot_id, file)
            assert columns[snapshot_id].removed == _counted(before[k].kind for k in before.keys() - live.keys())
            assert columns[snapshot_id].added == _counted(live[k].kind for k in live.keys() - before.keys())
        readable = {name: head for name, head in self.refs.items() if head in self.live}
        live_on: dict[tuple[Any, ...], list[str]] = {}  # of both lifetimes, where a version 1 file was added twice
        for f in timeline.files:
            own = f.key, f.data_sequence_number.value, f.file_sequence_number.value
            live_on.setdefault(own, []).extend(name for name in f.live_on if name in readable)
        for (key, *numbers), names in live_on.items():
            held = [name for name, head in readable.items() if self._has(head, key, *numbers)]
            assert sorted(names) == sorted(held), key

    def _has(self, head: int, key: Key, data_number: int | None, file_number: int | None) -> bool:
        known = self.live[head].get(key)
        return known is not None and (known.data_sequence_number, known.file_sequence_number) == (
            data_number,
            file_number,
        )

    def _check_bands(self, at: Timeline, found: list[FileLifetime]) -> None:
        by_band = _counted((f.spec_id, f.partition, f.kind == "data") for f in found)
        live = {
            (b.spec_id, b.partition, is_data): n
            for b in at.bands
            for is_data, n in ((True, b.live_data_files), (False, b.live_delete_files))
            if n
        }
        assert live == by_band
        births = sum(m.files for b in at.bands for m in b.births)
        deaths = sum(m.files for b in at.bands for m in b.deaths)
        assert births == sum(f.is_on_line for f in at.files)
        assert deaths == sum(f.is_on_line and f.removal is not None and not _is_on_no_branch(f) for f in at.files)

    def _check_table(self, reader: Timelines, at: Timeline) -> None:
        assert at.as_of is not None
        rows = reader.table(at.as_of.snapshot_id).to_pylist()
        assert [
            (
                f.file_path,
                f.content_offset,
                f.kind,
                f.spec_id,
                f.partition,
                f.record_count,
                f.data_sequence_number.value,
                f.file_sequence_number.value,
                f.added_snapshot_id,
                f.added_sequence_number,
                f.removed_snapshot_id,
                f.removed_sequence_number,
            )
            for f in at.files
        ] == [tuple(row.values())[:12] for row in rows]
        assert [f.is_live for f in at.files] == [row["is_live"] for row in rows]


def _is_on_no_branch(file: FileLifetime) -> bool:
    return file.removal is not None and file.removal.reason.startswith("No branch")


def _counted(values: Iterable[Any]) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return found


def slow_by_sql(spark: SparkSession, name: str) -> Slow:
    """By Iceberg's own `entries`, one snapshot after the other, and PyIceberg's model of the metadata file."""
    from pyiceberg.table import StaticTable

    metadata = StaticTable.from_metadata(locate(spark, name).metadata_file).metadata
    live = {}
    for s in metadata.snapshots:
        rows = spark.sql(
            "SELECT data_file.file_path, data_file.content_offset, data_file.content, data_file.file_format, "
            f"sequence_number, file_sequence_number FROM {name}.entries VERSION AS OF {s.snapshot_id} WHERE status < 2"
        ).collect()
        live[s.snapshot_id] = {
            (r.file_path, r.content_offset): Known(r.sequence_number, r.file_sequence_number, _kind(r)) for r in rows
        }
    parents = {s.snapshot_id: s.parent_snapshot_id for s in metadata.snapshots}
    return Slow(live, parents, {name: ref.snapshot_id for name, ref in metadata.refs.items()})


def _kind(row: Any) -> str:
    if row.content == 1:
        return "deletion vector" if row.file_format == "PUFFIN" else "position deletes"
    return "equality deletes" if row.content == 2 else "data"


_KINDS = {
    "data": "data",
    "pos_delete": "position deletes",
    "eq_delete": "equality deletes",
    "dv": "deletion vector",
}


def slow_by_expected(metadata_path: Path, expected: Mapping[str, Any]) -> Slow:
    """By the independent answer, and fastavro for which manifests a snapshot lists."""
    document = json.loads(metadata_path.read_text())
    entries = {m["path"].rsplit("/", 1)[-1]: m["entries"] for m in expected["manifests"]}
    live: dict[int, dict[Key, Known]] = {}
    for s in document.get("snapshots", ()):
        if "manifests" in s:
            paths = s["manifests"]
        else:
            file = metadata_path.parent / s["manifest-list"].rsplit("/", 1)[-1]
            if not file.exists():
                continue
            with file.open("rb") as stream:
                paths = [row["manifest_path"] for row in fastavro.reader(stream)]
        live[s["snapshot-id"]] = {
            (e["file_path"], e["content_offset"]): Known(
                e["sequence_number"], e["file_sequence_number"], _KINDS[e["kind"]]
            )
            for path in paths
            for e in entries[path.rsplit("/", 1)[-1]]
            if e["status"] != "DELETED"
        }
    parents = {s["snapshot-id"]: s.get("parent-snapshot-id") for s in document.get("snapshots", ())}
    refs = {name: ref["snapshot-id"] for name, ref in document.get("refs", {}).items()}
    return Slow(live, parents, refs)
