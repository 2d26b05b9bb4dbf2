"""`iceberg-explorer show`: the answers of the explorer in a terminal, or as a file.

Spark and plotly are imported where they are needed: `--help` answers at once.
"""

from __future__ import annotations

import click

from . import history, numbers
from .options import examples


@click.group(
    epilog=examples(
        "iceberg-explorer show graph lake.shop.orders",
        "iceberg-explorer show commit lake.shop.orders main",
        "iceberg-explorer show changelog lake.shop.orders --from audit",
        "iceberg-explorer show why lake.shop.orders 'order_id = 7'",
    )
)
def show() -> None:
    """Print an answer about a table, or write it to a file."""


for _command in (
    history.graph,
    history.commit,
    history.changelog,
    numbers.entries,
    numbers.retries,
    numbers.deletes,
    numbers.timeline,
    numbers.why,
):
    show.add_command(_command)
