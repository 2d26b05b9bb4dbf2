"""What is known of a partition after a commit, of a window, or of all partitions, as HTML. The table's is escaped."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from ...model import formats
from ...model.arrays import Longs
from ...model.iceberg.writer import writer
from ...model.partition_order import matching
from ...model.partition_rows import Naming
from ...model.partitions import words
from ...model.partitions.facts import Partition, Partitions, Sums
from ...model.partitions.grid import Measure, grid, latest, measured
from ...model.words import partition_name
from ..actions import open_commit, show_in_history
from ..markup import actions, copyable, table, text

_MOST = 8  # partitions, or commits, that are listed


def panel(
    facts: Partitions,
    measure: Measure,
    selected: str,
    partition: tuple[int, str] | None,
    window: tuple[str, str] | None,
    search: str = "",
) -> str:
    """What the selected partition holds after the selected commit, or now; without one, what is found of all.

    Args:
        facts: of the table.
        measure: that the picture shows.
        selected: snapshot id; empty if none is.
        partition: spec id and partition; None if none is selected.
        window: ids of two commits of the line; None for the whole line.
        search: words that the names of the partitions shown have; all partitions if empty.
    """
    place = {str(s.snapshot_id): n for n, s in enumerate(facts.commits)}
    own = None if partition is None else Partition(*partition)
    ends = [place[commit] for commit in window or () if commit in place]
    parts = [_window(facts, ends[0], ends[1], own, search.strip())] if len(ends) == 2 else []
    if own is None:
        return "".join([*parts, _of_all(facts, measure, search)])
    if own not in facts.partitions:
        return "".join([*parts, f"<h3>{_name(own)}</h3><p>No commit of this line left a file in it.</p>"])
    return "".join([_partition(facts, facts.partitions.index(own), place.get(selected)), *parts])


def _name(partition: Partition) -> str:
    return text(partition_name(*partition, with_spec=True))


def _partition(facts: Partitions, partition: int, at: int | None) -> str:
    rows = np.flatnonzero(facts.partition == partition)
    known = rows if at is None else rows[facts.commit[rows] <= at]
    head = f"<h3>{_name(facts.partitions[partition])}</h3>"
    if at is not None and at in facts.unreadable:
        return f"{head}<p>What it holds after this commit is not known: {text(facts.unreadable[at])}</p>"
    if not len(known):
        return f"{head}<p>It holds no file yet after this commit.</p>"
    now = int(known[-1])
    when = "now" if at is None else f"after {words.commit_name(facts, facts.commits[at])}"
    last = facts.commits[int(facts.commit[now])]
    name = words.commit_name(facts, last)
    if not facts.sums.data_files[now]:
        title = f"{_name(facts.partitions[partition])}: emptied by {text(name)}"
        told = f"<h3>{title}</h3><p>No data file of it lives {text(when)}.</p>"
    else:
        told = f"{head}<p>What lives {text(when)}, changed last by {text(name)}:</p>"
    steps = actions(open_commit(last.snapshot_id), show_in_history(last.snapshot_id))
    return f"{told}{steps}{table(_sums(facts.sums, (now,)))}{_changes(facts, known)}"


def _sums(sums: Sums, at: tuple[int, ...]) -> Iterable[tuple[str, str]]:
    yield "rows in data files", f"{sums.record_count[at]:,}"
    yield "masked", words.masked(sums, at)
    yield "data files", f"{sums.data_files[at]:,}"
    yield "bytes", formats.size(int(sums.size_in_bytes[at]))
    yield "delete files", f"{sums.delete_files[at]:,}"
    if sums.delete_files[at]:
        yield "bytes of deletes", formats.size(int(sums.delete_size_in_bytes[at]))


def _changes(facts: Partitions, rows: Longs) -> str:
    """The last commits that changed a partition."""
    held = zip(facts.sums.live_rows[rows].tolist(), facts.sums.files[rows].tolist(), strict=True)
    lines = []
    for row, (before, after) in zip(rows.tolist(), itertools.pairwise([(0, 0), *held]), strict=True):
        snapshot = facts.commits[int(facts.commit[row])]
        changed = f"{_more(after[0] - before[0], 'row')}, {_more(after[1] - before[1], 'file')}"
        by = writer(snapshot)
        told = (changed, *((f"by {text(by)}",) if by else ()), copyable(str(snapshot.snapshot_id)))
        lines.append((words.commit_name(facts, snapshot), "<br>".join(told)))
    more = len(lines) - _MOST
    rest = f"<p>and {formats.count(more, 'commit')} before, from {text(lines[0][0])} on</p>" if more > 0 else ""
    return f"<p>Changed by {formats.count(len(lines), 'commit')}:</p>{table(lines[: -_MOST - 1 : -1])}{rest}"


def _more(n: int, unit: str) -> str:
    return f"{n:+,} {unit if abs(n) == 1 else formats.plural(unit)}"


def _window(facts: Partitions, first: int, last: int, partition: Partition | None, search: str) -> str:
    """What the commits of a window changed, together: in one partition, in those that are searched for, or in all."""
    if partition is None:
        members, of = matching(facts.partitions, search), f" in partitions named {text(search)}" if search else ""
    else:
        members = [n for n, other in enumerate(facts.partitions) if other == partition]
        of = f" in {_name(partition)}"
    found = grid(facts, [members], np.array([first - 1, last], dtype=np.int64)).sums
    changes = {
        "live rows": found.live_rows,
        "data files": found.data_files,
        "delete files": found.delete_files,
    }
    names = " to ".join(words.commit_name(facts, facts.commits[n]) for n in (first, last))
    counts = [(name, f"{values[0, 1] - values[0, 0]:+,}") for name, values in changes.items()]
    commits = formats.count(last - first + 1, "commit")
    return f"<h3>{commits}, {text(names)}</h3><p>What they changed{of}:</p>{table(counts)}"


def _of_all(facts: Partitions, measure: Measure, search: str) -> str:
    searched = f" named {text(search.strip())}" if search.strip() else ""
    if searched and facts.commits:
        facts = facts.within(matching(facts.partitions, search), len(facts.commits) - 1)
        if not facts.partitions:
            return f"<h3>No partition has {text(search.strip())} in its name</h3>"
    if not facts.partitions and words.lacks_parts(facts):
        return "<h3>What its partitions hold is not known</h3><p>No file is in what could be read of this line.</p>"
    held, values = words.live(facts, measure), measured(latest(facts), measure)
    now = Sums(**{name: column.sum(keepdims=True) for name, column in latest(facts).columns().items()})
    most = held[np.argsort(-values[held], kind="stable")][:_MOST].tolist()
    naming = Naming.of(facts.partitions)
    calls = [naming.names(facts.partitions[n])[-1] for n in most]
    if len(set(calls)) < len(calls):  # values alone do not tell them apart
        calls = [words.name_of(facts, n) for n in most]
    largest = [(name, text(words.amount(measure, int(values[n])))) for name, n in zip(calls, most, strict=True)]
    live = len(words.live(facts, "data files"))
    listed = f"<p>Those with most {text(measure)}:</p>{table(largest)}" if live > 1 and largest else ""
    return (
        f"<h3>{formats.count(live, 'live partition')}{searched}</h3>{table(_sums(now, (0,)))}{listed}"
        "<p>Click a cell to select its partition and the commit "
        "that left it so. Shift-click another commit, or draw a box over cells, to choose a window of commits.</p>"
    )
