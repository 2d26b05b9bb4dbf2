"""What in a snapshot graph is worth saying, computed from the metadata alone: its title, and the commits to look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from .. import formats
from ..iceberg.metadata import long_from_text
from .columns import COUNTERS, TotalName, running_totals, total
from .facts import Node, SnapshotGraph
from .words import label, short_id

_SHRUNK = 0.5  # what a commit leaves of the rows, at most, to be worth a word
_OFTEN = 3, 0.25  # so many commits that were tried again, and such a share of all, are worth a word in the title
_HABIT = 3, 0.25  # so many such commits, and such a share of all, are how the table is refilled, and no finding


@dataclass(frozen=True, slots=True)
class Finding:
    """In words, and the commits that it is about.

    Attributes:
        nodes: the commits; none where no listed one is.
        picture: the name of the picture that tells more of it.
        is_marked: whether the picture marks them; not where their lane shows it.
        marked: those that it marks.
    """

    words: str
    nodes: tuple[Node, ...] = ()
    picture: str = "snapshot_graph"
    is_marked: bool = True

    @property
    def marked(self) -> tuple[Node, ...]:  # noqa: D102 - told above
        return self.nodes if self.is_marked else ()


def title(graph: SnapshotGraph) -> str:
    """What is not a plain line of commits; else what main holds. What waits or is gone comes after it."""
    if not graph.nodes:
        return "No snapshot is left" if graph.metadata.last_sequence_number else "No snapshot yet"
    told = findings(graph, graph.nodes)
    head = [finding.words for finding in (*told, *_often_tried_again(graph.nodes))] or [_holds(graph)]
    rest = [*_never_published(graph), *_expired(graph)]
    return "; ".join([", ".join(head), ", ".join(rest)]) if rest else ", ".join(head)


def view_title(graph: SnapshotGraph, nodes: tuple[Node, ...], told: tuple[Finding, ...]) -> str:
    """The findings of a part of the history: `8,420–8,560 of 10,000: 8,479–8,482 were rolled back`."""
    if not nodes:
        return f"No snapshot in view of {formats.count(len(graph.nodes), 'snapshot')}"
    first, last = label(graph, nodes[0]), label(graph, nodes[-1])
    part = first if len(nodes) == 1 else f"{first}–{last}"
    whole = (
        f"{graph.metadata.last_sequence_number:,}" if graph.numbered else formats.count(len(graph.nodes), "snapshot")
    )
    found = [finding.words for finding in (*told, *_often_tried_again(nodes))] or [*_went(graph, nodes)]
    return f"{part} of {whole}" + (": " + ", ".join(found) if found else "")


def findings(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> tuple[Finding, ...]:
    """What the commits of a part of the history did that others do not, the gravest first."""
    return (
        *map(Finding, _nowhere(graph)),
        *_not_adding_up(graph, nodes),
        *_shrunk(graph, nodes),
        *_left_main(graph, nodes),
        *_published(graph, nodes),
    )


def attention(graph: SnapshotGraph) -> tuple[Finding, ...]:
    """All that the metadata file alone tells of the whole history and that a plain line of commits has not."""
    if not graph.nodes:
        return ()
    return (
        *findings(graph, graph.nodes),
        *(Finding(words, tuple(_waiting(graph))) for words in _never_published(graph)),
        *_tried_again(graph.nodes),
        *map(Finding, _expired(graph)),
    )


def _tried_again(nodes: tuple[Node, ...]) -> Iterator[Finding]:
    retried = tuple(node for node in nodes if (node.snapshot.attempt or 0) > 1)
    named = sum(node.snapshot.attempt is not None for node in nodes)
    if retried:
        verb = "was" if len(retried) == 1 else "were"
        yield Finding(f"{len(retried):,} of {formats.count(named, 'commit')} {verb} tried again", retried, "retries")


def _often_tried_again(nodes: tuple[Node, ...]) -> Iterator[Finding]:
    """Where so many were that writers stand in each other's way."""
    for finding in _tried_again(nodes):
        if len(finding.nodes) >= max(_OFTEN[0], _OFTEN[1] * len(nodes)):
            yield finding


def _not_adding_up(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> Iterator[Finding]:
    """Commits whose totals are not those of the parent, and what the commit added, less what it removed."""
    wrong = tuple(node for node in nodes if not all(_adds_up(graph, node, name) for name in COUNTERS))
    if wrong:
        verb = "has" if len(wrong) == 1 else "have"
        is_all = 1 < len(wrong) == len(nodes)  # whose range stands before it
        named = f"all {len(wrong):,}" if is_all else _named(graph, list(wrong))
        yield Finding(f"{named} {verb} totals that do not add up", wrong)


def _adds_up(graph: SnapshotGraph, node: Node, name: TotalName) -> bool:
    """Whether a total follows from the parent's; True where one of the numbers is not recorded."""
    parent, counter = graph.parent(node), COUNTERS[name]
    before, after = total(parent.snapshot, name) if parent else None, total(node.snapshot, name)
    if before is None or after is None:
        return True
    summary = node.snapshot.summary  # whose writer counts: what it left out is 0
    added, removed = (long_from_text(summary.get(key, "0")) for key in (counter.added, counter.removed))
    return added is None or removed is None or after == before + added - removed


def _shrunk(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> Iterator[Finding]:
    """Commits of main that left half of the rows or less, unless it is a habit. Masked rows still lie in files."""
    shrunk, on_main = [], [node for node in nodes if node.state in ("current", "main")]
    for node in on_main:
        parent = graph.parent(node)
        if parent is None:
            continue
        before, after = total(parent.snapshot, "rows"), total(node.snapshot, "rows")
        if before and after is not None and after <= before * _SHRUNK:
            shrunk.append((node, before, after))
    is_habit = len(shrunk) >= _HABIT[0] and len(shrunk) > _HABIT[1] * len(on_main)
    if not shrunk or is_habit:
        return
    marked = tuple(node for node, _, _ in shrunk)
    node, before, after = max(shrunk, key=lambda lost: lost[1] - lost[2])
    times = f", the most of {len(shrunk):,} such commits" if len(shrunk) > 1 else ""
    yield Finding(f"{label(graph, node)} left {after:,} of {formats.count(before, 'row')}{times}", marked)


def _nowhere(graph: SnapshotGraph) -> Iterator[str]:
    current = graph.metadata.current_snapshot_id
    if current is None:
        yield "No snapshot is current"
    elif current not in graph.by_id:
        yield "The current snapshot is not listed"


def _holds(graph: SnapshotGraph) -> str:
    """`main holds 1,830,112 rows in 214 data files, of which 44 delete files may mask some`, if the summary counts."""
    head = next((node.snapshot for node in reversed(graph.nodes) if node.state == "current"), None)
    rows, files, deletes = (
        (total(head, name) for name in ("rows", "data files", "delete files")) if head else [None] * 3
    )
    if rows is None or files is None:
        operations: dict[str, int] = defaultdict(int)
        for node in graph.nodes:
            operations[node.snapshot.operation or "commit of unrecorded operation"] += 1
        return ", ".join(formats.count(n, operation) for operation, n in operations.items())
    beside = f", of which {formats.count(deletes, 'delete file')} may mask some" if deletes else ""
    return f"main holds {formats.count(rows, 'row')} in {formats.count(files, 'data file')}{beside}"


def _went(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> Iterator[str]:
    """What the rows of main became over a part of the history."""
    rows = next((found for found in running_totals(graph, nodes) if found.name == "rows"), None)
    if rows is None or not rows.stretches:
        return
    before, after = rows.stretches[0][0][1], rows.stretches[-1][-1][1]
    if before == after:
        yield f"main held {formats.count(after, 'row')} before and after"
    else:
        yield f"main went from {before:,} to {formats.count(after, 'row')}"


def _named(graph: SnapshotGraph, nodes: list[Node]) -> str:
    """`13–14`, `…9118`, or `12 snapshots` where naming them would take a line of its own."""
    if all(n.snapshot.sequence_number for n in nodes):
        text = formats.ranges([n.snapshot.sequence_number for n in nodes])
        if text.count(",") <= 2:
            return text
    return short_id(graph, nodes[0]) if len(nodes) == 1 else formats.count(len(nodes), "snapshot")


def _left_main(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> Iterator[Finding]:
    left: dict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        if node.left_main is not None:
            left["replaced" if node.left_main.kind == "replace" else "rolled back"].append(node)
    for word, those in left.items():
        words = f"{_named(graph, those)} {'was' if len(those) == 1 else 'were'} {word}"
        yield Finding(words, tuple(those), is_marked=False)


def _published(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> Iterator[Finding]:
    copies = [n for n in nodes if n.state == "staged" and n.published_as in graph.by_id]
    if len(copies) > 2:
        yield Finding(f"{formats.count(len(copies), 'staged snapshot')} were published", tuple(copies), is_marked=False)
        return
    for node in copies:
        if node.published_as is not None:
            words = f"{label(graph, node)} was published as {label(graph, graph.by_id[node.published_as])}"
            yield Finding(words, (node,), is_marked=False)


def _never_published(graph: SnapshotGraph) -> list[str]:
    waiting = _waiting(graph)
    return [f"{_named(graph, waiting)} {'is' if len(waiting) == 1 else 'are'} staged"] if waiting else []


def _waiting(graph: SnapshotGraph) -> list[Node]:
    """Staged snapshots that were not published."""
    return [n for n in graph.nodes if n.state == "staged" and n.published_as not in graph.by_id]


def _expired(graph: SnapshotGraph) -> list[str]:
    if graph.gaps:
        n = sum(gap.last - gap.first + 1 for gap in graph.gaps)
        if len(graph.gaps) <= 3:
            numbers = ", ".join(formats.span(gap.first, gap.last) for gap in graph.gaps)
            return [f"{numbers} {'has' if n == 1 else 'have'} expired"]
        return [f"{n:,} have expired"]
    orphans = sum(n.parent_state == "expired" for n in graph.nodes)
    return ["older snapshots have expired"] if orphans else []
