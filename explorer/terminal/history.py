"""`show graph`, `commit` and `changelog`: what the commits of a table did."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click
from rich.text import Text

from ..model.printable import printable
from . import screen
from .answer import Answer, answers
from .options import examples, identifiers, table

if TYPE_CHECKING:
    from ..model.changelog.facts import Mode


@click.command(
    epilog=examples(
        "iceberg-explorer show graph sandbox.lessons.rollback",
        "iceberg-explorer show graph lake.shop.orders --limit 20",
        "iceberg-explorer show graph lake.shop.orders --format html -o orders.html",
        "iceberg-explorer show graph ./v7.metadata.json --format json | jq '.rows[-1]'",
    )
)
@table
@answers(text="a log to read", csv="a row per snapshot", limited="newest N snapshots")
def graph(table: str, answer: Answer) -> None:
    """The snapshots of TABLE: who came from whom, what each commit did, where branches and tags point.

    TABLE is a name in a catalog, a metadata file, or a table's folder.
    """
    with screen.waiting("Reading the table"):
        from ..table import Table
        from .pictures import snapshot_graph

        opened = Table.open(table)
        picture = opened.snapshot_graph()

    def lines(width: int | None) -> Iterator[Text]:
        name = Text(printable(opened.name), "bold")
        return chain([name], snapshot_graph.lines(picture.facts, width=width, limit=answer.limit))

    answer.show(opened, picture, lines)


@click.command(
    epilog=examples(
        "iceberg-explorer show commit sandbox.shop.orders main",
        "iceberg-explorer show commit lake.shop.orders 6158 --rows",
        "iceberg-explorer show commit lake.shop.orders audit --rows --identifier order_id",
    )
)
@table
@click.argument("snapshot")
@click.option("--rows", is_flag=True, help="Read the data files it touched: what became of each row.")
@identifiers
@answers(text="files by partition", csv="a row per file", limited="first N files")
def commit(table: str, snapshot: str, rows: bool, identifiers: tuple[str, ...], answer: Answer) -> None:
    """What one commit did: files added and removed, manifests, and on request what became of rows.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT an id, a branch or a tag.
    """
    if identifiers and not rows:
        raise click.UsageError("--identifier tells rows apart, so it needs --rows")
    with screen.waiting("Reading the table"):
        from ..table import Table
        from .pictures import commit as in_terminal

        opened = Table.open(table)
        snapshot_id = opened.snapshot(snapshot).snapshot_id
        cost = opened.commit_cost(snapshot_id) if rows else None
    if cost is not None:
        from ..model import formats

        files, size = formats.count(cost.files, "data file"), formats.size(cost.size_in_bytes)
        screen.say(f"Reading the rows of {files}, {size}.")
    with screen.waiting("Reading the commit"):
        picture = opened.commit(snapshot_id, rows=rows, identifier_columns=identifiers or None).read()
    answer.show(opened, picture, lambda _: in_terminal.lines(picture.facts, opened.name, answer.limit))


@click.command(
    epilog=examples(
        "iceberg-explorer show changelog sandbox.shop.orders --from eom-2026-02",
        "iceberg-explorer show changelog lake.shop.orders --to audit --mode net",
        "iceberg-explorer show changelog lake.shop.orders --mode updates --identifier order_id --format csv",
    )
)
@table
@click.option("--from", "start", metavar="SNAPSHOT", help="Commits after this one; else all that are known.")
@click.option("--to", "end", metavar="SNAPSHOT", help="Up to and with this one; else the current snapshot.")
@click.option(
    "--mode",
    type=click.Choice(["raw", "changes", "updates", "net", "ownership"]),
    default="changes",
    show_default=True,
    help="raw: with rows only carried over; changes: without; updates: in pairs; net: over the whole range; "
    "ownership: live rows, each with the commit that owns it.",
)
@identifiers
@answers(text="counts by commit, and rows", csv="a row per changed row", limited="first N rows")
def changelog(
    table: str, start: str | None, end: str | None, mode: Mode, identifiers: tuple[str, ...], answer: Answer
) -> None:
    """The rows that the commits of TABLE between two snapshots changed, for every format and write mode.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT an id, a branch or a tag.
    """
    with screen.waiting("Reading the rows of the commits"):
        from ..table import Table
        from .pictures import changelog as in_terminal

        opened = Table.open(table)
        picture = opened.changelog(start, end, mode, identifier_columns=identifiers or None).read()
    answer.show(opened, picture, lambda _: in_terminal.lines(picture.facts, opened.name, answer.limit))
