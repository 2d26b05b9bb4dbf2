"""`iceberg-explorer show`: the answers of the explorer in a terminal, or as a file.

Spark and plotly are imported where they are needed: `--help` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from .terminal import screen
from .terminal.options import conf, deliver, examples, form, identifiers, limit, output, table
from .terminal.printable import printable

if TYPE_CHECKING:
    from .model.changelog import Mode
    from .picture import Picture
    from .table import Table


@click.group(
    epilog=examples(
        "iceberg-explorer show graph lake.shop.orders",
        "iceberg-explorer show commit lake.shop.orders main",
        "iceberg-explorer show changelog lake.shop.orders --from audit",
    )
)
def show() -> None:
    """Print an answer about a table, or write it to a file."""


@show.command(
    epilog=examples(
        "iceberg-explorer show graph sandbox.lessons.rollback",
        "iceberg-explorer show graph lake.shop.orders --limit 20",
        "iceberg-explorer show graph lake.shop.orders --format html -o orders.html",
        "iceberg-explorer show graph ./v7.metadata.json --format json | jq '.rows[-1]'",
    )
)
@table
@form("a log to read", "a row per snapshot")
@output
@limit("newest N snapshots")
@conf
def graph(table: str, form: str, output: Path | None, limit: int | None) -> None:
    """The snapshots of TABLE: who came from whom, what each commit did, where branches and tags point.

    TABLE is a name in a catalog, a metadata file, or a table's folder.
    """
    _can_be_shown(form, output)
    with screen.waiting("Reading the table"):
        from .table import Table
        from .terminal import snapshot_graph

        opened = Table.open(table)
        picture = opened.snapshot_graph()

    def lines(width: int | None) -> Iterator[Text]:
        name = Text(printable(opened.name), "bold")
        return chain([name], snapshot_graph.lines(picture.facts, width=width, limit=limit))

    _show(opened, picture, form, output, limit, lines)


@show.command(
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
@form("files by partition", "a row per file")
@output
@limit("first N files")
@conf
def commit(
    table: str,
    snapshot: str,
    rows: bool,
    identifiers: tuple[str, ...],
    form: str,
    output: Path | None,
    limit: int | None,
) -> None:
    """What one commit did: files added and removed, manifests, and on request what became of rows.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT an id, a branch or a tag.
    """
    _can_be_shown(form, output)
    if identifiers and not rows:
        raise click.UsageError("--identifier tells rows apart, so it needs --rows")
    with screen.waiting("Reading the table"):
        from .table import Table
        from .terminal import commit as in_terminal

        opened = Table.open(table)
        snapshot_id = opened.snapshot(snapshot).snapshot_id
        cost = opened.commit_cost(snapshot_id) if rows else None
    if cost is not None:
        from .model import formats

        files, size = formats.count(cost.files, "data file"), formats.size(cost.size_in_bytes)
        screen.say(f"Reading the rows of {files}, {size}.")
    with screen.waiting("Reading the commit"):
        picture = opened.commit(snapshot_id, rows=rows, identifier_columns=identifiers or None)
    _show(opened, picture, form, output, limit, lambda _: in_terminal.lines(picture.facts, opened.name, limit))


@show.command(
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
@form("counts by commit, and rows", "a row per changed row")
@output
@limit("first N rows")
@conf
def changelog(
    table: str,
    start: str | None,
    end: str | None,
    mode: Mode,
    identifiers: tuple[str, ...],
    form: str,
    output: Path | None,
    limit: int | None,
) -> None:
    """The rows that the commits of TABLE between two snapshots changed, for every format and write mode.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT an id, a branch or a tag.
    """
    _can_be_shown(form, output)
    with screen.waiting("Reading the rows of the commits"):
        from .table import Table
        from .terminal import changelog as in_terminal

        opened = Table.open(table)
        picture = opened.changelog(start, end, mode, identifier_columns=identifiers or None)
    _show(opened, picture, form, output, limit, lambda _: in_terminal.lines(picture.facts, opened.name, limit))


@show.command(
    epilog=examples(
        "iceberg-explorer show entries sandbox.lessons.rollback",
        "iceberg-explorer show entries lake.shop.orders audit --format csv",
        "iceberg-explorer show entries lake.shop.orders --file s3://lake/orders/data/00000-1.parquet",
    )
)
@table
@click.argument("snapshot", required=False)
@click.option("--manifest", metavar="LOCATION", help="Only the entries of this manifest.")
@click.option("--file", "file", metavar="LOCATION", help="Only the entries of this data or delete file.")
@form("manifests with their entries", "a row per entry")
@output
@limit("first N entries")
@conf
def entries(
    table: str,
    snapshot: str | None,
    manifest: str | None,
    file: str | None,
    form: str,
    output: Path | None,
    limit: int | None,
) -> None:
    """The entries of the manifests of SNAPSHOT: the numbers stored, and those that a reader fills in.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT an id, a branch or a tag, else the
    current one.
    """
    _can_be_shown(form, output)
    if manifest and file:
        raise click.UsageError("--manifest or --file: one of them")
    with screen.waiting("Reading the manifests"):
        from .table import Table
        from .terminal import entries as in_terminal

        opened = Table.open(table)
        picture = opened.entries(snapshot, manifest=manifest, file=file)
    _show(opened, picture, form, output, limit, lambda _: in_terminal.lines(picture.facts, opened.name, limit))


@show.command(
    epilog=examples(
        "iceberg-explorer show retries sandbox.lessons.concurrent_writers",
        "iceberg-explorer show retries lake.shop.orders --format json",
    )
)
@table
@form("commits that were retried, and to whom they lost", "a row per snapshot")
@output
@limit("newest N commits")
@conf
def retries(table: str, form: str, output: Path | None, limit: int | None) -> None:
    """How often each commit of TABLE was tried, who was faster, and what was written again.

    TABLE is a name in a catalog, a metadata file, or a table's folder.
    """
    _can_be_shown(form, output)
    with screen.waiting("Reading the manifest lists"):
        from .table import Table
        from .terminal import retries as in_terminal

        opened = Table.open(table)
        picture = opened.retries()
        _ = picture.facts
    _show(opened, picture, form, output, limit, lambda _: in_terminal.lines(picture.facts, opened.name, limit))


def _can_be_shown(form: str, output: Path | None) -> None:
    if form == "html" and output is None and sys.stdout.isatty():
        raise click.UsageError("HTML is five megabytes for a browser: name a file for it, --output graph.html")


def _show(table: Table, picture: Picture[Any], form: str, output: Path | None, limit: int | None, lines: Any) -> None:
    """The answer in the asked form; `lines` gives those of the text, for a width in characters or for none."""
    from . import export

    match form:
        case "text" if output is None:
            console = screen.console()
            screen.print_lines(console, lines(console.width if console.is_terminal else None))
        case "text":
            deliver("".join(f"{line.plain.rstrip()}\n" for line in lines(None)), output)
        case "json":
            deliver(export.to_json(table, picture, limit) + "\n", output)
        case "csv":
            deliver(export.to_csv(picture, limit), output)
            if limit is not None and limit < len(picture.data):
                which = "newest" if picture.first == "bottom" else "first"
                screen.say(f"Showing the {which} {limit:,} of {len(picture.data):,} rows.")
        case "html":
            deliver(export.to_html(table, picture, **({"limit": limit} if limit else {})), output)
