"""Opening the table of a command: what is said meanwhile, and how a name is taken that could mean two snapshots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .. import engine
from ..engine.conf import chosen_conf
from ..engine.deferred import is_not_started, reads_this_disk
from ..errors import TableNotFound, UnknownSnapshot
from ..queries import identifiers
from ..table import Table
from ..table.waiting import telling_silence
from . import screen


@contextmanager
def reading(name: str, what: str) -> Iterator[None]:
    """Within the block a table is opened or read: the terminal shows `what`, and says where nothing comes for long.

    Files of this disk are not waited for, so that what they tell starts no Spark.

    Raises:
        NoJava, NoRuntime, NoSpark: there is no session to ask.
    """
    is_elsewhere = not identifiers.is_path(name) or ("://" in name and not name.startswith("file:"))
    with screen.waiting(what) as say:
        if is_elsewhere or not is_not_started(engine.session_when_asked()):
            with telling_silence(engine.session(), name, what, say):
                yield
        else:
            yield


def seen_from_anywhere(table: str) -> str:
    """A relative path made absolute: a notebook's kernel runs in another folder.

    Raises:
        TableNotFound: nothing is there, on a disk that Spark reads as this process does.
    """
    if not identifiers.is_path(table) or "://" in table or table.startswith("file:"):
        return table
    path = Path(table).expanduser().absolute()
    if not path.exists() and reads_this_disk(chosen_conf()):
        raise TableNotFound(
            f"There is no table {table}.",
            found=f"Nothing is at {path}.",
            next_step="Name a metadata file, a table's folder or a bundle that is there, or a table in a catalog.",
        )
    return str(path)


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
