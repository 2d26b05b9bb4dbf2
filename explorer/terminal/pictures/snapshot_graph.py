"""The snapshot graph as a log: newest first, one line of facts per snapshot and what it did below."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain, islice

import click
from rich.console import Console
from rich.text import Text

from ...model import formats
from ...model.printable import DIM, LOUD, ODD, printable, styled
from ...model.snapshot_graph import findings
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Gap, Node, SnapshotGraph
from ...model.words import account
from ..answer import Answer, answers
from ..opening import open_table, reading
from ..options import examples, table
from .snapshot_graph_marks import key, mark, style
from .snapshot_graph_rails import Drawing, Rails

_MOST_RAILS = 16
_ROOM_FOR_FACTS = 60  # characters that the rails leave for the text
_ROOM_FOR_WHOLE_ID = 100


def lines(graph: SnapshotGraph, *, width: int | None, limit: int | None = None) -> Iterator[Text]:
    """The graph, line by line, each made when it is asked for.

    Args:
        graph: of the table.
        width: of the terminal, in characters; longer lines go on below. None: lines are as long as they get.
        limit: at most so many snapshots, the newest; None for all. A cut is said.
    """
    log = _Log(graph, width)
    yield from log.head(limit)
    yield from log.snapshots(limit)


class _Log:
    def __init__(self, graph: SnapshotGraph, width: int | None) -> None:
        self._graph, self._width = graph, width
        room = _MOST_RAILS if width is None else min(_MOST_RAILS, max(1, (width - _ROOM_FOR_FACTS) // 2))
        self._drawing = Drawing(room)
        self._digits = max((len(f"{n.snapshot.sequence_number:,}") for n in graph.nodes), default=0)
        self._margin = " " * (self._digits + 2 if self._graph.numbered else 0)
        self._last_standing: dict[int, str] = {}  # by lane, what was said last of why its snapshots are there
        self._short_ids = width is not None and width < _ROOM_FOR_WHOLE_ID

    def head(self, limit: int | None) -> Iterator[Text]:
        graph = self._graph
        version = f"format version {graph.metadata.format_version}"
        shown = len(graph.nodes) if limit is None else min(limit, len(graph.nodes))
        showing = f" · showing {shown:,} of {len(graph.nodes):,}" if shown < len(graph.nodes) else ""
        yield from self._wrapped("", "", [styled(findings.title(graph), LOUD)])
        yield from self._wrapped("", "", [styled(f"{snapshot_graph_words.census(graph)} · {version}{showing}")])
        if contradictions := snapshot_graph_words.contradictions(graph):
            yield from self._wrapped("", "", [styled(contradictions, ODD)])
        if graph.nodes:
            yield from self._wrapped("", "", [styled("newest first, times in UTC · ", DIM), *key(graph.nodes)])
        yield Text()

    def snapshots(self, limit: int | None) -> Iterator[Text]:
        gaps = sorted(self._graph.gaps, key=lambda gap: gap.column)
        for node in islice(reversed(self._graph.nodes), limit):
            while gaps and gaps[-1].column > node.column:
                yield from self._gap(gaps.pop())
            yield from self._snapshot(node)
        if limit is None or limit >= len(self._graph.nodes):
            for gap in reversed(gaps):
                yield from self._gap(gap)

    def _snapshot(self, node: Node) -> Iterator[Text]:
        parent = self._graph.parent(node)
        rails = self._drawing.place(
            node.snapshot.snapshot_id,
            parent.snapshot.snapshot_id if parent else None,
            on_main=node.state in ("current", "main"),
        )
        if rails.join:
            yield styled(rails.join.rstrip(), DIM)
        marked = Text.assemble(styled(rails.before, DIM), mark(node), " ", styled(rails.after, DIM))
        yield from self._wrapped(marked, rails.below, self._facts(node))
        indent = rails.below + self._margin
        for sentence in self._sentences(node, rails):
            yield from self._wrapped(indent, indent, [styled(sentence)])
        if node.parent_state == "expired":
            gone = f"its parent {node.snapshot.parent_id} has expired"
            yield from self._wrapped(rails.end + self._margin, rails.end, [styled(gone, ODD)])

    def _facts(self, node: Node) -> list[Text]:
        s = node.snapshot
        short = snapshot_graph_words.short_id(self._graph, node)
        facts = [styled(f"{s.sequence_number:>{self._digits},}  ", LOUD)] if self._graph.numbered else []
        facts += [
            styled(f"{s.operation or 'unknown':<9}  ", style(node)),
            styled(f"{_time(s.committed_at)}  "),
            styled(short if self._short_ids else str(s.snapshot_id), DIM),
        ]
        if node.refs:
            facts.append(styled("  (" + ", ".join(self._ref(name, node) for name in node.refs) + ")", LOUD))
        if standing := self._state(node):
            facts.append(styled(f"  {standing}", ODD))
        if s.attempt is not None and s.attempt > 1:
            facts.append(styled(f"  attempt {s.attempt}", ODD))
        return facts

    def _ref(self, name: str, node: Node) -> str:
        if name == "main":
            return "main: current" if node.state == "current" else "main"
        return f"{self._graph.metadata.refs[name].kind} {name}"

    def _state(self, node: Node) -> str:
        match node.state:
            case "current":
                return "" if "main" in node.refs else "current"
            case "main":
                return ""
            case "branch":
                return "" if node.refs else f"on branch {self._graph.lanes[node.lane].name}"
            case "tag":
                return "kept by a tag"
            case state:
                return state

    def _sentences(self, node: Node, rails: Rails) -> Iterator[str]:
        yield account(node.snapshot)
        if node.state in ("tag", "rolled back", "staged", "unreferenced"):
            standing = snapshot_graph_words.standing(self._graph, node)
            if self._last_standing.get(node.lane) != standing:
                yield standing
            self._last_standing[node.lane] = standing
        if node.copied_from is not None:
            done = "Publishes" if "published-wap-id" in node.snapshot.summary else "Cherry-picked from"
            yield f"{done} {self._name(node.copied_from)}: the same changes under a new number."
        if moved := _made_current_later(node):
            yield f"main came to point here on {', '.join(_time(at) for at in moved)}."
        if node.parent_state == "none" and node is not self._graph.nodes[0]:
            yield "It has no parent: the table began anew here."
        parent = self._graph.parent(node)
        if rails.is_cut and parent is not None:
            yield f"Its parent is {self._name(parent.snapshot.snapshot_id)}."

    def _name(self, snapshot_id: int) -> str:
        node = self._graph.by_id.get(snapshot_id)
        return snapshot_graph_words.name(self._graph, node) if node else f"{snapshot_id} (expired)"

    def _gap(self, gap: Gap) -> Iterator[Text]:
        has = "has" if gap.first == gap.last else "have"
        rails = self._drawing.passing
        yield from self._wrapped(rails, rails, [styled(f"┆ {formats.span(gap.first, gap.last)} {has} expired", ODD)])

    def _wrapped(self, first: str | Text, further: str, parts: list[Text]) -> Iterator[Text]:
        """The parts in a row behind `first`; what the terminal has no room for goes on behind `further`."""
        content = Text().join(parts)
        prefix = first if isinstance(first, Text) else styled(first, DIM)
        if self._width is None:
            yield Text.assemble(prefix, content)
            return
        room = max(20, self._width - prefix.cell_len)
        for row in content.wrap(_RULER, room):
            yield Text.assemble(prefix, row)
            prefix = styled(further, DIM)


_RULER = Console(width=80)  # Text.wrap asks it for its defaults only


def _time(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}" if at else "time not recorded  "


def _made_current_later(node: Node) -> list[datetime]:
    """The times when main came to point here, other than by the commit itself."""
    committed = node.snapshot.committed_at
    return [at for at in node.made_current_at if committed is None or at - committed >= timedelta(seconds=1)]


@click.command(
    epilog=examples(
        "iceberg-explorer show snapshot-graph sandbox.lessons.rollback",
        "iceberg-explorer show snapshot-graph lake.shop.orders --limit 20",
        "iceberg-explorer show snapshot-graph lake.shop.orders --format html -o orders.html",
        "iceberg-explorer show snapshot-graph ./v7.metadata.json --format json | jq '.rows[-1]'",
    )
)
@table
@answers(text="a log to read", csv="a row per snapshot", limited="newest N snapshots")
def command(table: str, answer: Answer) -> None:
    """The snapshots of TABLE: who came from whom, what each commit did, where branches and tags point.

    TABLE is a name in a catalog, a metadata file, a table's folder, or a bundle.
    """
    with reading(table, "Reading the table"):
        opened = open_table(table)
        picture = opened.snapshot_graph()

    def named(width: int | None) -> Iterator[Text]:
        name = Text(printable(opened.name), "bold")
        return chain([name], lines(picture.facts, width=width, limit=answer.limit))

    answer.show(opened, picture, named)
