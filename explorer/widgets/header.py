"""The name of the table and what its metadata file tells at a glance."""

from __future__ import annotations

import html

import ipywidgets as w

from ..model import formats
from ..model.snapshot_graph import words as snapshot_graph_words
from ..model.snapshot_graph.facts import SnapshotGraph
from ..queries import identifiers
from ..table import Table
from .markup import text


class Header(w.HTML):
    """Empty until `show`."""

    def show(self, table: Table, status: str = "") -> None:
        """Name and facts of a table; `status`, HTML, takes the place of when it was read."""
        metadata, graph = table.metadata, table.graph
        current = graph.by_id.get(metadata.current_snapshot_id) if metadata.current_snapshot_id is not None else None
        partitioning = metadata.partitioning()
        facts = [
            f"format v{metadata.format_version}",
            f"by {partitioning}" if partitioning else "not partitioned",
            snapshot_graph_words.census(graph),
        ]
        if current is None:
            facts.append("no current snapshot")
        told = f"{html.escape(' · '.join(facts))} · {status or html.escape(_freshness(table, graph))}"
        self.value = f'<h2>{_path(table)}</h2><div class="iceberg-facts">{told}</div>'


def _path(table: Table) -> str:
    """The table's name as a path, HTML, whose end opens the list of all tables."""
    *around, name = identifiers.split(table.relation) if table.relation else [table.name]
    steps = "".join(f"{html.escape(step)} <i>›</i> " for step in around)
    tip = f"{table.name}: choose another table"
    return f'{steps}<button data-act="choose" data-value="" title="{text(tip)}">{html.escape(name)} <i>▾</i></button>'


def _freshness(table: Table, graph: SnapshotGraph) -> str:
    read = f"read {table.read_at:%H:%M:%S} UTC"
    times = [node.snapshot.committed_at for node in graph.nodes if node.snapshot.committed_at]
    if not times:
        return read
    age = table.read_at - max(times)
    if age.total_seconds() < 0:
        return f"{read}; the last commit is {formats.duration(-age)} ahead of this clock"
    return f"{read}, {formats.duration(age)} after the last commit"
