"""`iceberg-explorer bundle`: a table's metadata in one file, for somebody who sees nothing of the table."""

from __future__ import annotations

from pathlib import Path

import click

from ..model.bundle import words
from ..model.printable import printable
from . import screen
from .opening import open_table, reading
from .options import conf, examples, table


@click.command(
    epilog=examples(
        "iceberg-explorer bundle lake.shop.orders -o orders.iceberg.zip",
        "iceberg-explorer bundle lake.shop.orders -o orders.iceberg.zip --without-bounds",
        "iceberg-explorer show snapshot-graph orders.iceberg.zip",
    )
)
@table
@click.option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The bundle to write; its name ends in .iceberg.zip.",
)
@click.option("--without-bounds", is_flag=True, help="Take lowest and highest values of columns out of the manifests.")
@conf
def command(table: str, output: Path, without_bounds: bool) -> None:
    """Put the metadata of TABLE, and no data, into one file that the explorer opens on any machine.

    In it are metadata files, manifest lists, manifests and footers of statistics files. Values of rows that metadata
    holds are in it too: lowest and highest values of columns, unless --without-bounds leaves them out, and partition
    values in any case. What looks like a credential in a property is masked.

    TABLE is a name in a catalog, a metadata file, a table's folder, or a bundle.
    """
    with reading(table, "Reading the table"):
        opened = open_table(table)
    with screen.waiting("Bundling") as say:
        contents = opened.bundle(output, without_bounds=without_bounds, report=say)
    screen.print_line(printable(f"{output} holds the metadata of {contents.table}"))
    for line in words.in_short(contents):
        screen.print_line(f"  {printable(line)}")
