"""What stayed the same over stretches of commits: schema, partition spec, format version; and who wrote which commit.

Sources: Iceberg specification, "Snapshots" (schema-id; sequence-number is 0 of every commit made as version 1;
first-row-id is there from version 3 on) and "Table Metadata" (partition-specs; a manifest names one of them). The
metadata file has no spec and no format version per commit: what follows from it is told, and nothing else.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..iceberg.schema import schema_change
from ..iceberg.writer import program
from .facts import Node, SnapshotGraph

MOST_WRITERS = 5


@dataclass(frozen=True, slots=True)
class Run:
    """Columns `first` to `last` (inclusive) share something: in words, in few, and whether it is known what."""

    first: int
    last: int
    text: str
    short: str
    known: bool = True


@dataclass(frozen=True, slots=True)
class Band:
    """A row of runs, of what `name` says."""

    name: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class WrittenBy:
    """The commits of one program, in commit order; `name` is None for those that name nobody."""

    name: str | None
    nodes: tuple[Node, ...]


def bands(graph: SnapshotGraph) -> tuple[Band, ...]:
    """Schema, spec and format version over the whole history, each where it is known; two that never change share one.

    Empty if nothing is listed.
    """
    if not graph.nodes:
        return ()
    schema, spec, version = _schemas(graph), _spec(graph), _versions(graph)
    if len(spec) == len(version) == 1:
        (only_spec,), (only_version,) = spec, version
        version_now = graph.metadata.format_version
        since = "no change" if only_version.short == f"v{version_now}" else f"v{version_now} since"
        text = f"{only_spec.text} · {only_version.text}, {since}"
        rows = [("schema", schema), ("spec, format", (Run(only_spec.first, only_spec.last, text, only_spec.short),))]
    else:
        rows = [("schema", schema), ("spec", spec), ("format", version)]
    return tuple(Band(name, tuple(runs)) for name, runs in rows if any(run.known for run in runs))


def writers(graph: SnapshotGraph) -> tuple[WrittenBy, ...]:
    """Who wrote which commits, the busiest first; what is more than five is told together. Empty if nobody is named."""
    written: dict[str | None, list[Node]] = defaultdict(list)
    for node in graph.nodes:
        written[program(node.snapshot)].append(node)
    nameless = written.pop(None, [])
    named = sorted(written.items(), key=lambda item: (-len(item[1]), item[0]))
    if not named:
        return ()
    most = MOST_WRITERS if len(named) <= MOST_WRITERS else MOST_WRITERS - 1
    rows = [WrittenBy(name, tuple(nodes)) for name, nodes in named[:most]]
    rest = named[most:]
    if rest:
        together = sorted((node for _, nodes in rest for node in nodes), key=lambda node: node.column)
        rows.append(WrittenBy(f"{len(rest):,} more writers", tuple(together)))
    return (*rows, WrittenBy(None, tuple(nameless))) if nameless else tuple(rows)


def _schemas(graph: SnapshotGraph) -> list[Run]:
    """Stretches of neighbours with one schema id; empty if no snapshot records one."""
    known = [(n.column, n.snapshot.schema_id) for n in graph.nodes if n.snapshot.schema_id is not None]
    runs: list[Run] = []
    previous: int | None = None
    for schema_id, first, last in _runs(known):
        runs.append(Run(first, last, _schema_text(graph, previous, schema_id), f"{schema_id}"))
        previous = schema_id
    return runs


def _schema_text(graph: SnapshotGraph, previous: int | None, schema_id: int) -> str:
    """`schema 3`, or with its news `4: + channel string, 2 more`."""
    schemas = graph.metadata.schemas
    if previous is None or previous not in schemas or schema_id not in schemas:
        return f"schema {schema_id}"
    changes = schema_change(schemas[previous], schemas[schema_id])
    if not changes:
        return f"schema {schema_id}"
    more = f", {len(changes) - 1} more" if len(changes) > 1 else ""
    return f"{schema_id}: {changes[0]}{more}"


def _spec(graph: SnapshotGraph) -> list[Run]:
    """One run where the table has one spec, which every manifest of a listed snapshot must then name; else empty."""
    if len(graph.metadata.specs) != 1:
        return []
    (spec_id,) = graph.metadata.specs
    fields = graph.metadata.partitioning(spec_id) or "unpartitioned"
    return [Run(graph.nodes[0].column, graph.nodes[-1].column, f"spec {spec_id}: {fields}", f"{spec_id}")]


def _versions(graph: SnapshotGraph) -> list[Run]:
    versions = [(node.column, version) for node, version in zip(graph.nodes, _version_of_each(graph), strict=True)]
    runs = [
        Run(first, last, f"format v{version}", f"v{version}") for version, first, last in _runs(versions) if version
    ]
    unknown = [
        Run(first, last, "format v2 or v3, not recorded", "?", known=False)
        for version, first, last in _runs(versions)
        if not version
    ]
    return sorted([*runs, *unknown], key=lambda run: run.first)


def _version_of_each(graph: SnapshotGraph) -> Iterator[int]:
    """The version that each commit was made as; 0 where it is 2 or 3 and nothing tells which. It never goes down."""
    newest = 0
    for node in graph.nodes:
        snapshot = node.snapshot
        if not snapshot.sequence_number:
            version = 1
        elif graph.metadata.format_version < 3:
            version = graph.metadata.format_version
        else:
            version = 3 if snapshot.first_row_id is not None or snapshot.count("added-dvs") else 0
        newest = max(newest, version)
        yield max(version, 3 if newest == 3 else 0)


def _runs(valued: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Value, first and last column of each stretch of neighbours with one value."""
    for value, group in itertools.groupby(valued, key=lambda at: at[1]):
        columns = [column for column, _ in group]
        yield value, columns[0], columns[-1]
