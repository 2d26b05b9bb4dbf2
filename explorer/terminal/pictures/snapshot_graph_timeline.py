"""The snapshot graph as a timeline: commits by day, oldest first, each with its rows, the totals after it and a bar."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

import click
from rich.text import Text

from ...errors import UnknownSnapshot
from ...model import formats
from ...model.iceberg.writer import program
from ...model.printable import DIM, LOUD, ODD, printable, styled
from ...model.search.moments import Moment, moment
from ...model.snapshot_graph import findings
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.columns import row_change, total
from ...model.snapshot_graph.facts import Gap, Node, SnapshotGraph
from ...table import Table
from .. import screen
from ..answer import Answer, answers_in_text
from ..opening import open_table
from ..options import examples, table
from .snapshot_graph_bars import Bars
from .snapshot_graph_marks import key, mark, style

_NARROWEST_BAR, _WIDEST_BAR = 13, 33  # signs; a column that has no room beside the narrowest one is left out
_UNBOUNDED_BAR = 25
_LONGEST_TEXT = 14  # of an operation or a writer
_UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of text: its head, and what it says of a commit.

    Attributes:
        leave_out: a narrow terminal leaves out the highest first; 0 stays.
    """

    head: str
    cell: Callable[[Node], str]
    to_the_right: bool = True
    leave_out: int = 0


def lines(
    graph: SnapshotGraph, nodes: Sequence[Node], name: str, *, width: int | None, limit: int | None = None
) -> Iterator[Text]:
    """A part of the history, line by line, each made when it is asked for.

    Args:
        graph: of the table.
        nodes: the commits to tell, neighbours in commit order.
        name: the table's, for the command to go on with.
        width: of the terminal, in characters: columns that have no room are left out. None: lines are as long as they
            get.
        limit: at most so many commits, the newest; None for all. A cut is said.
    """
    shown = tuple(nodes if limit is None else nodes[-limit:])
    drawing = _Timeline(graph, shown, width)
    yield from drawing.head()
    yield from drawing.days()
    yield from drawing.foot(name)


class _Timeline:
    def __init__(self, graph: SnapshotGraph, nodes: tuple[Node, ...], width: int | None) -> None:
        self._graph, self._nodes, self._width = graph, nodes, width
        self._told = findings.findings(graph, nodes)
        self._first_of_finding = {id(told.marked[0]): told for told in self._told if told.marked}
        self._found = {id(node) for told in self._told for node in told.marked}
        self._number = max((len(snapshot_graph_words.label(graph, node)) for node in nodes), default=0)
        self._number = max(self._number, len("no."))
        self._columns, bar = self._fitting(_columns(nodes))
        self._bars = Bars(nodes, bar)

    def _fitting(self, columns: list[tuple[_Column, int]]) -> tuple[list[tuple[_Column, int]], int]:
        """The columns that have room, with their widths, and the signs that are left for the bar."""
        if self._width is None:
            return columns, _UNBOUNDED_BAR
        dispensable = sorted((column.leave_out for column, _ in columns if column.leave_out), reverse=True)
        for leave_out in [max(dispensable, default=0) + 1, *dispensable]:
            kept = [(column, wide) for column, wide in columns if column.leave_out < leave_out]
            bar = self._width - self._text_width(kept)
            if bar >= _NARROWEST_BAR:
                break
        return kept, max(min(bar, _WIDEST_BAR), 5)

    def _text_width(self, columns: list[tuple[_Column, int]]) -> int:
        return self._number + 2 + 2 + sum(wide + 2 for _, wide in columns)

    def head(self) -> Iterator[Text]:
        graph, nodes = self._graph, self._nodes
        is_all = len(nodes) == len(graph.nodes)
        title = findings.title(graph) if is_all else findings.view_title(graph, nodes, self._told)
        yield styled(title, LOUD)
        count = formats.count(len(graph.nodes), "commit")
        days = _days([node.snapshot.committed_at for node in nodes])
        part = count if is_all else f"{len(nodes):,} of {count}"
        counted = "rows as the summaries count them" if nodes else ""
        yield styled(" · ".join(filter(None, (part, days, counted))))
        if contradictions := snapshot_graph_words.contradictions(graph):
            yield styled(contradictions, ODD)
        if not nodes:
            return
        yield Text.assemble(*key(nodes))
        bars = [*self._bars.key()]
        unknown = [styled(f"{_UNKNOWN} not recorded")] if any(_is_unknown(node) for node in nodes) else []
        yield Text("  ").join([*bars, *unknown])
        yield Text()
        heads = [
            f"{column.head:>{wide}}" if column.to_the_right else f"{column.head:<{wide}}"
            for column, wide in self._columns
        ]
        yield styled("  ".join([f"{'no.':>{self._number}}", "  " + heads[0], *heads[1:]]), DIM)

    def days(self) -> Iterator[Text]:
        year: int | None = None
        before = self._nodes[0].column if self._nodes else 0
        gaps = [gap for gap in self._graph.gaps if gap.column > before]
        for day, nodes in groupby(self._nodes, key=lambda node: _day(node)):
            words = "time not recorded"
            if day is not None:
                words = formats.day(day) + (f" {day.year}" if day.year != year else "")
                year = day.year
            yield self._rule(words)
            for node in nodes:
                while gaps and gaps[0].column < node.column:
                    yield self._gap(gaps.pop(0))
                yield from self._commit(node)

    def _rule(self, words: str) -> Text:
        wide = self._text_width(self._columns) + self._bars.width
        return styled(f"── {words} ".ljust(wide, "─"), DIM)

    def _gap(self, gap: Gap) -> Text:
        has = "has" if gap.first == gap.last else "have"
        return styled(f"{'┆':>{self._number}}  {formats.span(gap.first, gap.last)} {has} expired", ODD)

    def _commit(self, node: Node) -> Iterator[Text]:
        number = snapshot_graph_words.label(self._graph, node)
        line = Text.assemble(
            styled(f"{number:>{self._number}}", LOUD if id(node) in self._found else ""), "  ", mark(node), " "
        )
        for place, (column, wide) in enumerate(self._columns):
            cell = printable(column.cell(node))
            cell = cell if len(cell) <= wide else f"{cell[: wide - 1]}…"
            padded = f"{cell:>{wide}}" if column.to_the_right else f"{cell:<{wide}}"
            line.append_text(styled(f"{padded}  ", "" if place else style(node)))
        line.append_text(self._bars.of(node))
        remark = self._remark(node)
        if not remark:
            yield line
            return
        room = None if self._width is None else self._width - 2 - remark.cell_len
        if room is not None and line.cell_len > room:
            line.rstrip()  # beside its own bar, where that is shorter than others
        if room is None or line.cell_len <= room:
            yield Text.assemble(line, "  ", remark)
        else:
            yield line
            yield Text.assemble(" " * (self._number + 4), remark)

    def _remark(self, node: Node) -> Text:
        """What else is worth saying of a commit: the finding, where it stands, what the columns do not count."""
        told = self._first_of_finding.get(id(node))
        odd = [f"! {told.words}"] if told else ["! the same"] if id(node) in self._found else []
        plain = []
        names = [name if name == "main" else f"{self._graph.metadata.refs[name].kind} {name}" for name in node.refs]
        if names:
            plain.append(f"({', '.join(names)})")
        if node.state not in ("current", "main"):
            odd.append(snapshot_graph_words.place(self._graph, node))
        if (node.snapshot.attempt or 0) > 1:
            odd.append(f"attempt {node.snapshot.attempt}")
        plain += _done(node)
        return Text(" · ").join([*(styled(words, ODD) for words in odd), *(styled(words, DIM) for words in plain)])

    def foot(self, name: str) -> Iterator[Text]:
        if not self._nodes:
            return
        graph, column = self._graph, {id(node): place for place, node in enumerate(self._graph.nodes)}
        before = column[id(self._nodes[0])]
        after = len(graph.nodes) - 1 - column[id(self._nodes[-1])]
        outside = [f"{formats.count(n, 'commit')} {word}" for n, word in ((before, "before"), (after, "after")) if n]
        yield Text()
        if outside:
            yield styled(f"Not in this range: {', '.join(outside)}.", DIM)
        node = next((node for node in self._nodes if id(node) in self._found), self._nodes[-1])
        which = node.snapshot.sequence_number or node.snapshot.snapshot_id
        yield styled(f"Next: iceberg-explorer show commit {shlex.quote(name)} {which}", DIM)


def _columns(nodes: tuple[Node, ...]) -> list[tuple[_Column, int]]:
    """The columns of text with their widths; the first stands behind the mark, in its colour."""
    columns = [
        _Column("operation", lambda node: node.snapshot.operation or "unknown", to_the_right=False),
        _Column("time", lambda node: formats.clock(node.snapshot.committed_at), to_the_right=False),
        _Column("writer", lambda node: program(node.snapshot) or "", to_the_right=False, leave_out=3),
        _Column("added", lambda node: _counted(row_change(node.snapshot).added)),
        _Column("removed", lambda node: _counted(row_change(node.snapshot).removed)),
        _Column("total rows", lambda node: _total(total(node.snapshot, "rows")), leave_out=1),
        _Column("files", lambda node: _total(total(node.snapshot, "data files")), leave_out=2),
    ]
    widest = [max((len(printable(column.cell(node))) for node in nodes), default=0) for column in columns]
    return [
        (column, max(len(column.head), wide if column.to_the_right else min(wide, _LONGEST_TEXT)))
        for column, wide in zip(columns, widest, strict=True)
        if wide
    ]


def _counted(rows: int | None) -> str:
    """Nothing for no row: most commits only add."""
    return _UNKNOWN if rows is None else f"{rows:,}" if rows else ""


def _total(n: int | None) -> str:
    return _UNKNOWN if n is None else f"{n:,}"


def _is_unknown(node: Node) -> bool:
    change = row_change(node.snapshot)
    totals = (total(node.snapshot, name) for name in ("rows", "data files"))
    return None in (change.added, change.removed, *totals)


def _done(node: Node) -> Iterator[str]:
    """What a commit did that its rows do not tell."""
    snapshot = node.snapshot
    masked = row_change(snapshot).masked
    if masked:
        yield f"{masked:,} masked"
    equality = snapshot.count("added-equality-delete-files")
    if equality:
        yield f"{formats.count(equality, 'equality delete')}, which may mask more"
    before, after = snapshot.count("deleted-data-files"), snapshot.count("added-data-files")
    if snapshot.operation == "replace" and before and after is not None:
        yield f"{formats.count(before, 'file')} into {after:,}"


def _day(node: Node) -> date | None:
    return node.snapshot.committed_at.date() if node.snapshot.committed_at else None


def _days(times: Sequence[datetime | None]) -> str:
    """`13 Mar 2026`, `13 Mar – 17 Mar 2026, UTC`; empty where no time is recorded."""
    known = [at for at in times if at is not None]
    if not known:
        return ""
    first, last = min(known), max(known)
    if first.date() == last.date():
        return f"{formats.day(last)} {last.year}, UTC"
    year = f" {first.year}" if first.year != last.year else ""
    return f"{formats.day(first)}{year} – {formats.day(last)} {last.year}, UTC"


def part(opened: Table, start: str | None, end: str | None) -> Sequence[Node]:
    """The commits from one to another, both with; of a day or a time those that were made from or up to then.

    Raises:
        UnknownSnapshot: no snapshot of that name, or no commit there.
    """
    nodes = opened.graph.nodes
    first, last = (_place(opened, called, is_end=is_end) for called, is_end in ((start, False), (end, True)))
    first, last = 0 if first is None else first, len(nodes) - 1 if last is None else last
    chosen = nodes[first : last + 1]
    if nodes and not chosen:
        raise UnknownSnapshot(
            f"{opened.name} has no commit from {start} to {end}.",
            found=f"The last named is number {last + 1:,} of its {formats.count(len(nodes), 'commit')}, the first"
            f" number {first + 1:,}.",
            next_step="Name the earlier one with --from, the later one with --to.",
        )
    return chosen


def _place(opened: Table, called: str | None, *, is_end: bool) -> int | None:
    """The index of the commit that a name stands for; None without a name."""
    if called is None:
        return None
    nodes = opened.graph.nodes
    at = None if called in opened.metadata.refs else moment(called)
    if at is None:
        snapshot_id = opened.snapshot(called).snapshot_id
        return next(i for i, node in enumerate(nodes) if node.snapshot.snapshot_id == snapshot_id)
    there = [i for i, node in enumerate(nodes) if _is_within(node, at, is_end=is_end)]
    if not there:
        raise UnknownSnapshot(
            f"{opened.name} has no commit {'up to' if is_end else 'from'} {at.words} UTC.",
            found=f"Its commits: {_days([node.snapshot.committed_at for node in nodes]) or 'none has a time'}.",
        )
    return there[-1] if is_end else there[0]


def _is_within(node: Node, at: Moment, *, is_end: bool) -> bool:
    made = node.snapshot.committed_at
    return made is not None and (made <= at.end if is_end else made >= at.begin)


@click.command(
    epilog=examples(
        "iceberg-explorer show timeline sandbox.shop.orders --from 2026-03-13 --to 2026-03-17",
        "iceberg-explorer show timeline lake.shop.orders --from 236 --to 252",
        "iceberg-explorer show timeline lake.shop.orders --limit 40",
    )
)
@table
@click.option("--from", "start", metavar="SNAPSHOT", help="From this commit on; else from the first that is listed.")
@click.option("--to", "end", metavar="SNAPSHOT", help="Up to and with this one; else the last.")
@answers_in_text(limited="newest N commits")
def command(table: str, start: str | None, end: str | None, answer: Answer) -> None:
    """The commits of TABLE by day: rows added, removed and masked, as bars, and what the table held after each.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT a number, an id, a branch, a tag, or a
    day or time (UTC). The same facts in other formats: show snapshot-graph. The lives of files: show sequence-timeline.
    """
    with screen.waiting("Reading the table"):
        opened = open_table(table, start, end)
        nodes = part(opened, start, end)

    def named(width: int | None) -> Iterator[Text]:
        yield Text(printable(opened.name), "bold")
        yield from lines(opened.graph, nodes, opened.name, width=width, limit=answer.limit)

    answer.show_text(named)
