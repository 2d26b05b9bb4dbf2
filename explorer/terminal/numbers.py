"""`show entries`, `retries`, `deletes`, `timeline` and `why`: what the sequence numbers of a table decide."""

from __future__ import annotations

from collections.abc import Iterator

import click
from rich.text import Text

from . import screen
from .answer import Answer, answers
from .options import examples, table


@click.command(
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
@answers(text="manifests with their entries", csv="a row per entry", limited="first N entries")
def entries(table: str, snapshot: str | None, manifest: str | None, file: str | None, answer: Answer) -> None:
    """The entries of the manifests of SNAPSHOT: the numbers stored, and those that a reader fills in.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT an id, a branch or a tag, else the
    current one.
    """
    if manifest and file:
        raise click.UsageError("--manifest or --file: one of them")
    with screen.waiting("Reading the manifests"):
        from ..table import Table
        from .pictures import entries as in_terminal

        opened = Table.open(table)
        picture = opened.entries(snapshot, manifest=manifest, file=file).read()
    answer.show(opened, picture, lambda _: in_terminal.lines(picture.facts, opened.name, answer.limit))


@click.command(
    epilog=examples(
        "iceberg-explorer show retries sandbox.lessons.concurrent_writers",
        "iceberg-explorer show retries lake.shop.orders --format json",
    )
)
@table
@answers(text="commits that were retried, and to whom they lost", csv="a row per snapshot", limited="newest N commits")
def retries(table: str, answer: Answer) -> None:
    """How often each commit of TABLE was tried, who was faster, and what was written again.

    TABLE is a name in a catalog, a metadata file, or a table's folder.
    """
    with screen.waiting("Reading the manifest lists"):
        from ..table import Table
        from .pictures import retries as in_terminal

        opened = Table.open(table)
        picture = opened.retries().read()
    answer.show(opened, picture, lambda _: in_terminal.lines(picture.facts, opened.name, answer.limit))


@click.command(
    epilog=examples(
        "iceberg-explorer show deletes sandbox.lessons.phantom_deletion",
        "iceberg-explorer show deletes lake.shop.orders audit --ruled-out",
        "iceberg-explorer show deletes lake.shop.orders --format csv -o deletes.csv",
    )
)
@table
@click.argument("snapshot", required=False)
@click.option(
    "--ruled-out", is_flag=True, help="The data files too that a delete does not reach, each with the clause."
)
@answers(
    text="deletes with the data files they reach", csv="a row per delete and data file", limited="first N data files"
)
def deletes(table: str, snapshot: str | None, ruled_out: bool, answer: Answer) -> None:
    """The live deletes of SNAPSHOT, the data files that each reaches, and the clause that decides.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT an id, a branch or a tag, else the
    current one.
    """
    with screen.waiting("Reading the manifests"):
        from ..table import Table
        from .pictures import deletes as in_terminal

        opened = Table.open(table)
        picture = opened.deletes(snapshot, ruled_out=ruled_out).read()

    def lines(_: int | None) -> Iterator[Text]:
        return in_terminal.lines(picture.facts, opened.name, answer.limit, ruled_out=ruled_out)

    answer.show(opened, picture, lines)


@click.command(
    epilog=examples(
        "iceberg-explorer show timeline sandbox.lessons.compaction",
        "iceberg-explorer show timeline lake.shop.orders --as-of eom-2026-02",
    )
)
@table
@click.option("--as-of", metavar="SNAPSHOT", help="Tell what is live at this snapshot; else at the current one.")
@answers(text="files by partition, from birth to removal", csv="a row per file", limited="first N files")
def timeline(table: str, as_of: str | None, answer: Answer) -> None:
    """Every data and delete file of TABLE over its whole history, with both its sequence numbers.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT an id, a branch or a tag.
    """
    with screen.waiting("Reading the manifests of all snapshots"):
        from ..table import Table
        from .pictures import sequence_timeline as in_terminal

        opened = Table.open(table)
        picture = opened.sequence_timeline(as_of).read()
    answer.show(opened, picture, lambda _: in_terminal.lines(picture.facts, opened.name, answer.limit))


@click.command(
    epilog=examples(
        "iceberg-explorer show why sandbox.lessons.phantom_deletion 'id = 12345'",
        "iceberg-explorer show why lake.shop.orders 'order_id = 7' --at audit",
    )
)
@table
@click.argument("condition")
@click.option("--at", metavar="SNAPSHOT", help="Ask at this snapshot; else at the current one.")
@answers(text="rows, each with the deletes in question", csv="a row per table row and delete", limited="first N rows")
def why(table: str, condition: str, at: str | None, answer: Answer) -> None:
    """Why rows that meet CONDITION are deleted, or are not.

    TABLE is a name in a catalog, a metadata file, or a table's folder; CONDITION is SQL over its columns, as after
    WHERE; SNAPSHOT an id, a branch or a tag.
    """
    with screen.waiting("Reading the rows and the deletes"):
        from ..table import Table
        from .pictures import why as in_terminal

        opened = Table.open(table)
        picture = opened.why(condition, at).read()
    answer.show(opened, picture, lambda _: in_terminal.lines(picture.facts, opened.name, answer.limit))
