"""`iceberg-explorer report`: an incident as one HTML file, to send to somebody."""

from __future__ import annotations

from pathlib import Path

import click

from ..model.triage.registry import SYMPTOMS
from . import screen
from .opening import open_table, reading
from .options import conf, examples, table


@click.command(
    epilog=examples(
        "iceberg-explorer report lake.shop.orders -o incident.html",
        "iceberg-explorer report lake.shop.orders 'rows doubled' --good 2026-03-13 -o incident.html",
    )
)
@table
@click.argument("symptom", required=False, type=click.Choice(list(SYMPTOMS)))
@click.option(
    "--output", "-o", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file to write."
)
@click.option("--at", metavar="SNAPSHOT", help="Examine this snapshot; else the current one.")
@click.option("--good", metavar="SNAPSHOT", help="The last point known good.")
@click.option("--question", default="", help="What was asked, in your own words; it stands at the top.")
@click.option("--with-values", is_flag=True, help="Let partitions and bounds, which are values of rows, stand in it.")
@conf
def report(
    table: str, symptom: str | None, output: Path, at: str | None, good: str | None, question: str, with_values: bool
) -> None:
    """Write what is wrong with TABLE as one HTML file: findings, evidence, and statements to repair, undo and verify.

    The file needs no script and asks no host for anything. It holds no credential, and no value of a row unless
    --with-values says so. SYMPTOM, what a person sees, has its checks first.
    """
    with reading(table, "Examining the table"):
        opened = open_table(table, at)
        opened.report(output, symptom, at, good, question=question, with_values=with_values)
    screen.print_message(f"Wrote {output}")
