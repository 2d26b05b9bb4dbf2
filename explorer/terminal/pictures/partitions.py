"""Partitions in a terminal: what each holds now, and beside it how that came about, commit by commit."""

from __future__ import annotations

from collections.abc import Iterator

import click
import numpy as np
from rich.text import Text

from ...model import formats
from ...model.arrays import Longs
from ...model.partition_order import matching
from ...model.partitions import words
from ...model.partitions.facts import Partitions, Sums
from ...model.partitions.grid import grid
from ...model.partitions.groups import groups
from ...model.printable import DIM, LOUD, ODD, styled
from ..answer import Answer, answers
from ..opening import open_table, reading
from ..options import examples, table

_LINES = 100  # partitions; more are told together
_LONGEST = 48  # letters of a name
_SIGNS = "▁▂▃▄▅▆▇█"
_WIDEST = 30  # signs of one line: each the last of as many commits


def lines(facts: Partitions, name: str, limit: int | None = None, search: str = "") -> Iterator[Text]:
    """The partitions, line by line; more than a hundred are told together.

    Args:
        facts: of a table.
        name: the table's.
        limit: at most so many lines of partitions; a cut is said.
        search: words that the names of the partitions have.
    """
    yield styled(words.title(facts), LOUD)
    yield styled(" · ".join(words.circumstances(facts, name)))
    found = matching(facts.partitions, search)
    rows = groups([facts.partitions[place] for place in found], _LINES)
    shown = rows if limit is None else rows[:limit]
    if facts.partitions and not found:
        yield styled(f"None of {formats.count(len(facts.partitions), 'partition')} has {search} in its name.", ODD)
    if shown and facts.commits:
        yield styled("")
        yield from _partitions(facts, [(_cut(row.name), found[row.first : row.end]) for row in shown])
    left = sum(row.count for row in rows[len(shown) :])
    if left:
        yield styled(f"and {formats.count(left, 'more partition')}", ODD)
    if facts.notes:
        yield styled("")
    for note in facts.notes:
        yield styled(str(note), DIM)


def _partitions(facts: Partitions, rows: list[tuple[str, list[int]]]) -> Iterator[Text]:
    last = len(facts.commits) - 1
    commits = np.unique(np.linspace(0, last, min(_WIDEST, last + 1)).round().astype(np.int64))
    matrix = grid(facts, [members for _, members in rows], commits)
    values, most = matrix.values("live rows"), max(int(matrix.values("live rows").max()), 1)
    several = len({spec for spec, _ in facts.partitions}) > 1
    names = [name + (f" ({len(members):,})" if len(members) > 1 else "") for name, members in rows]
    wide = max(map(len, names))
    spec = None
    for row, (_, members) in enumerate(rows):
        own = facts.partitions[members[0]].spec_id
        if several and own != spec:
            spec = own
            yield styled(f"spec {spec}: {words.spec_name(facts, spec)}", LOUD)
        yield Text.assemble(
            styled(f"  {names[row]:<{wide}} "),
            styled(f" {_line(facts, commits, values[row], matrix.sums.files[row], most)} ", DIM),
            styled(f" {_now(matrix.sums, row)}"),
        )


def _cut(name: str) -> str:
    """A long name by its beginning and its end."""
    half = _LONGEST // 2
    return name if len(name) <= _LONGEST else f"{name[:half]}…{name[1 - half :]}"


def _line(facts: Partitions, commits: Longs, values: Longs, files: Longs, most: int) -> str:
    """A sign a commit: the higher, the more live rows; `·` where no file lives, `?` where that is not known."""
    signs = []
    for commit, value, held in zip(commits.tolist(), values.tolist(), files.tolist(), strict=True):
        if commit in facts.unreadable:
            signs.append("?")
        else:
            signs.append(_SIGNS[min(value * len(_SIGNS) // (most + 1), len(_SIGNS) - 1)] if held else "·")
    return "".join(signs)


def _now(sums: Sums, row: int) -> str:
    at = row, -1
    deletes = int(sums.delete_files[at])
    masked = f", {formats.count(deletes, 'delete file')}, {words.masked(sums, at)} rows masked"
    files = f"{formats.count(int(sums.data_files[at]), 'data file')}, {formats.size(int(sums.size_in_bytes[at]))}"
    return f"{formats.count(int(sums.record_count[at]), 'row')} in {files}{masked if deletes else ''}"


@click.command(
    epilog=examples(
        "iceberg-explorer show partitions lake.shop.orders",
        "iceberg-explorer show partitions lake.shop.orders --partition 'EU 2026-03'",
    )
)
@table
@click.option("--partition", "search", default="", metavar="WORDS", help="Only partitions whose name has these words.")
@answers(
    text="what each partition holds, and how that came about",
    csv="a row per partition and commit that changed it",
    limited="first N lines of partitions, or N newest rows",
)
def command(table: str, search: str, answer: Answer) -> None:
    """Every partition of TABLE after each commit that changed it: files, rows, bytes, deletes.

    TABLE is a name in a catalog, a metadata file, a table's folder, or a bundle. --partition narrows the text, no
    other form.
    """
    with reading(table, "Reading the manifests of all snapshots"):
        opened = open_table(table)
        picture = opened.partitions().read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit, search))
