"""Opening the table of a command, and saying how a name is taken that could mean two snapshots."""

from __future__ import annotations

from contextlib import suppress

from .. import engine
from ..errors import UnknownSnapshot
from ..table import Table
from . import screen


def open_table(name: str, *snapshots: str | None) -> Table:
    """The table; `snapshots` are the names that the command was given for snapshots of it.

    Spark starts when it is first asked: what small files on this disk tell needs none.

    Raises:
        ExplorerError: as `Table.open`. What is wrong with a snapshot's name is left to the question that it is for.
    """
    table = Table.open(name, engine.session_when_asked())
    for called in snapshots:
        with suppress(UnknownSnapshot):
            choice = table.reference(called).choice if called is not None else ""
            if choice:
                screen.print_message(choice)
    return table
