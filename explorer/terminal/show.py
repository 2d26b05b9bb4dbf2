"""`iceberg-explorer show`: the answers of the explorer in a terminal, or as a file. A command for each picture."""

from __future__ import annotations

import click

from ..table.pictures import PICTURES
from . import dry_run
from .bisect import bisect
from .options import examples
from .pictures import (
    biography,
    changelog,
    commit,
    compare,
    deletes,
    entries,
    partitions,
    retries,
    sequence_timeline,
    snapshot_graph,
    snapshot_graph_timeline,
    triage,
    why,
)

COMMANDS: dict[str, click.Command] = {
    "snapshot_graph": snapshot_graph.command,
    "commit": commit.command,
    "boundary": commit.boundary,
    "compare": compare.command,
    "changelog": changelog.command,
    "biography": biography.command,
    "sequence_timeline": sequence_timeline.command,
    "deletes": deletes.command,
    "why": why.command,
    "entries": entries.command,
    "retries": retries.command,
    "partitions": partitions.command,
    "triage": triage.command,
    "bisect": bisect,
    "dry_run": dry_run.command,
}
"""By name of the picture."""

_ALIASES = {alias: kind.command for kind in PICTURES for alias in kind.aliases}


class _Pictures(click.Group):
    """Commands that answer to other names too, which the help does not list."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, _ALIASES.get(cmd_name, cmd_name))


@click.group(
    cls=_Pictures,
    epilog=examples(
        "iceberg-explorer show snapshot-graph lake.shop.orders",
        "iceberg-explorer show commit lake.shop.orders main",
        "iceberg-explorer show compare lake.shop.orders eom-2026-02 main",
        "iceberg-explorer show changelog lake.shop.orders --from eom-2026-02",
        "iceberg-explorer show biography lake.shop.orders 'order_id = 7'",
        "iceberg-explorer show why lake.shop.orders 'order_id = 7'",
    ),
)
def show() -> None:
    """Print an answer about a table, or write it to a file."""


for _kind in PICTURES:
    show.add_command(COMMANDS[_kind.name], _kind.command)
show.add_command(snapshot_graph_timeline.command, "timeline")  # the first picture's facts, drawn another way
