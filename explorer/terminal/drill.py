"""`iceberg-explorer drill results`: what was answered, for the trainer."""

from __future__ import annotations

from pathlib import Path

import click

from ..table import drill_results
from . import screen
from .options import examples


@click.command(epilog=examples("iceberg-explorer drill results", "iceberg-explorer drill results -o results.csv"))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="A file; else it is printed.")
def results(output: Path | None) -> None:
    """Give every answer that was checked on this machine as CSV."""
    told = drill_results.results()
    if output is None:
        click.echo(told, nl=False)
        return
    output.write_text(told, encoding="utf-8")
    screen.print_line(f"{len(told.splitlines()) - 1} answers are in {output}")
