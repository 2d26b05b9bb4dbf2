"""A visual explorer of Apache Iceberg tables in Jupyter.

import explorer
explorer.open("catalog.db.orders")         # the explorer, as a widget
explorer.open()                            # the tables of all catalogs, to choose one
explorer.exercise("no-carry-over")         # an exercise of the course, on a table of its own
t = explorer.table("catalog.db.orders")    # the same answers, no widget
t = explorer.table("…/v7.metadata.json")   # or a metadata file, table folder or bundle, with no catalog at all
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from .errors import (
    AccessDenied,
    Cancelled,
    ExplorerError,
    NoJava,
    NoRuntime,
    NoSpark,
    NotAnIcebergTable,
    TableChanged,
    TableNotFound,
    UnknownSnapshot,
    Unreachable,
    UnreadableMetadata,
)
from .table import Table

# Imported here, so that the function `table` below is what `explorer.table` means from now on.
from .table.picture import Picture
from .table.search import NothingFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from .model.changelog.facts import Changelog, Mode
    from .model.commit.facts import CommitFacts
    from .table.side_by_side import SideBySide
    from .widgets import DrillWidget, ExerciseSheet, Playback, SideBySidePlayback, TableExplorer, TablePicker

__version__ = "0.1.0"

__all__ = [
    "AccessDenied",
    "Cancelled",
    "DrillWidget",
    "ExerciseSheet",
    "ExplorerError",
    "NoJava",
    "NoRuntime",
    "NoSpark",
    "NotAnIcebergTable",
    "NothingFound",
    "Picture",
    "Playback",
    "SideBySidePlayback",
    "Table",
    "TableChanged",
    "TableExplorer",
    "TableNotFound",
    "TablePicker",
    "UnknownSnapshot",
    "Unreachable",
    "UnreadableMetadata",
    "drill",
    "exercise",
    "open",
    "play",
    "play_side_by_side",
    "side_by_side",
    "table",
]


def table(name: str, spark: SparkSession | None = None) -> Table:
    """Open a table to ask it questions in code.

    Args:
        name: `catalog.namespace.table`, with any number of namespace levels and backquotes around odd parts; or the
            path of a metadata file, of the table's folder, or of a bundle (`NAME.iceberg.zip`).
        spark: the session to ask; else the active one, `SPARK_REMOTE`, or one that is started here.

    Raises:
        ExplorerError: one of its subclasses, which says what was asked, what was found and what to do next.
    """
    from .engine import Progress, Worker
    from .jupyter.cell import line
    from .table.waiting import silence_of

    session, what = _session(spark), f"Opening {name}"
    # Not on this thread: in a call to Java it would hear of no interrupt before the catalog or the storage answers.
    worker, silence = Worker(session), silence_of(session, name)
    with line() as say:

        def report(progress: Progress) -> None:
            words = silence(progress)
            say(f"{what}: {words}. The stop button ends the waiting." if words else "")

        try:
            return worker.ask(lambda: Table.open(name, session), label=what, on_progress=report).result()
        finally:
            worker.close()


def _session(spark: SparkSession | None) -> SparkSession:
    """The session to ask; while one is started, which takes seconds, the cell says so."""
    from . import engine
    from .jupyter.cell import saying

    if spark is not None or engine.is_running():
        return engine.session(spark)
    with saying("Starting Spark. The first start downloads the Iceberg runtime (48 MB); later ones take seconds."):
        return engine.session()


@overload
def open(name: str, spark: SparkSession | None = None) -> TableExplorer: ...  # noqa: A001


@overload
def open(name: None = None, spark: SparkSession | None = None) -> TablePicker: ...  # noqa: A001


def open(name: str | None = None, spark: SparkSession | None = None) -> TableExplorer | TablePicker:  # noqa: A001 - the design's own name
    """Open a table in the explorer, a widget for JupyterLab. Arguments and errors as of `table`.

    Without a name, choose it: the tables of all catalogs of the session, and those that were opened last on this
    machine. The explorer of the chosen one opens in place.
    """
    from .engine.recent import remember
    from .table.catalogs import Catalogs
    from .widgets import TableExplorer, TablePicker

    if name is None:
        return TablePicker(Catalogs(_session(spark)), TableExplorer)
    opened = table(name, spark)
    remember(opened.name)
    return TableExplorer(opened)


def play(table: Table, condition: str) -> Playback:
    """Step through the commits of main, forward and back, and see which rows each made and which deletes decide.

    Args:
        table: as `explorer.table` opened it.
        condition: SQL over its columns, as after WHERE; the rows that meet it are told of: `id = 12345`.

    Raises:
        ExplorerError: the condition cannot be asked.
    """
    from .widgets import Playback

    return Playback(table, condition)


def exercise(name: str, spark: SparkSession | None = None) -> ExerciseSheet:
    """An exercise of the course, on a live table of the person's own in the sandbox; a widget for JupyterLab.

    Without widgets: `.check(answer)` gives the verdict, `.again()` builds the table anew.

    Args:
        name: as `iceberg-explorer course` lists it.
        spark: a session that can build the sandbox; as of `table` if None.

    Raises:
        ExplorerError: there is no such exercise.
    """
    from .lessons.exercises import Attempt, named
    from .widgets import ExerciseSheet

    exercise = named(name)
    _session(spark)  # started here, where the cell says so
    return ExerciseSheet(Attempt(exercise, spark))


def drill(seed: int = 1, level: int = 1, incident: str | None = None, spark: SparkSession | None = None) -> DrillWidget:
    """A table with which something is wrong: name the commit, the cause and the repair.

    Weeks of ordinary life by several writers, and an incident among them, drawn by the seed: the same for a whole
    class. The widget checks answers; so does `.check(commit=…, cause=…, repair=…)`, without it. `.table` is the table.

    Args:
        seed: which drill.
        level: 1, what goes wrong is plain to see, and Health calls it by the words of the task; 2, anything does, and
            no words are given; 3, over a longer time, with something odd and harmless beside it, and without Health.
        incident: name of a signature; the first drill from `seed` on that has it.
        spark: a classic session with the sandbox catalog; one is started if None.

    Raises:
        ExplorerError: no such level or incident; the session cannot write the sandbox.
    """
    from .jupyter.cell import saying
    from .lessons import drills
    from .table.drill import Drill
    from .widgets import DrillWidget

    chosen = seed if incident is None else drills.seed_with(incident, level, seed)
    session = _session(spark)
    with saying(f"Writing the table of drill {chosen}, level {level}. It takes seconds, once."):
        told = drills.drill(session, chosen, level)
    return DrillWidget(Drill(table(told.table, session), Table.open(told.table, session), told.case))


def side_by_side(
    left: Table | str,
    right: Table | str,
    mode: Mode | Literal["commit"] = "commit",
    *,
    at: int | str | tuple[int | str, int | str] | None = None,
    names: tuple[str, str] | None = None,
    identifier_columns: Sequence[str] | None = None,
    spark: SparkSession | None = None,
) -> SideBySide[CommitFacts] | SideBySide[Changelog]:
    """Two tables next to each other: what a commit of each rewrote, or what happened to their rows.

    One finding, one key and one scale. `.data` and `.frame` have the columns of `Table.commit`, or of
    `Table.changelog`, and before them `_table`: whose row it is.

    Args:
        left: a table as `explorer.table` opened it, or its name.
        right: likewise.
        mode: `commit` for the boundary that one commit of each drew through its files and rows; else that of both
            changelogs, as of `Table.changelog`, of which `ownership` tells which live rows have other owners.
        at: of mode `commit`, which: snapshot id, branch, tag or sequence number, of both or of each; `main` if None.
        names: what to call the tables, within a sentence up to a colon; the last parts of their names if None.
        identifier_columns: names, or one, of columns that both have; each table's own if None.
        spark: the session that opens tables which are given by name.

    Cost: that of both commits with their rows, or of both changelogs.

    Raises:
        ExplorerError: as `table`, `Table.commit` and `Table.changelog`; `at` with another mode than `commit`.
    """
    from .table.side_by_side import ChangelogsSideBySide, commits_side_by_side

    if at is not None and mode != "commit":
        raise ExplorerError(
            f"side_by_side was asked for the changelogs of all commits (mode {mode!r}) and for one commit "
            f"(at={at!r}). Leave `at` out, or ask for mode 'commit'."
        )
    tables, called = _two_tables(left, right, names, spark)
    if mode == "commit":
        points = at if isinstance(at, tuple) else ("main" if at is None else at,) * 2
        return commits_side_by_side(tables, points, called, identifier_columns)
    changelogs = [one.changelog(mode=mode, identifier_columns=identifier_columns) for one in tables]
    return ChangelogsSideBySide(changelogs[0], changelogs[1], called)


def play_side_by_side(
    left: Table | str,
    right: Table | str,
    *,
    names: tuple[str, str] | None = None,
    identifier_columns: Sequence[str] | None = None,
    spark: SparkSession | None = None,
) -> SideBySidePlayback:
    """Step through the commits of two tables together, forward and back: the pictures of `side_by_side`, as a widget.

    Step n is the n-th listed commit of main of each; a table that has fewer stands at its last. A button opens either
    table at that commit. `.picture` is what is shown.

    Args:
        left: a table, as of `side_by_side`; likewise all others.
        right: the other one.
        names: what to call them.
        identifier_columns: columns that both have.
        spark: the session that opens them.

    Cost: that of a step, when it is shown first.

    Raises:
        ExplorerError: as `side_by_side`.
    """
    from .widgets import SideBySidePlayback

    (one, other), called = _two_tables(left, right, names, spark)
    return SideBySidePlayback(one, other, called, identifier_columns)


def _two_tables(
    left: Table | str, right: Table | str, names: tuple[str, str] | None, spark: SparkSession | None
) -> tuple[tuple[Table, Table], tuple[str, str]]:
    """Both tables, and what to call them."""
    from .table.side_by_side import short_names

    one, other = (of if isinstance(of, Table) else table(of, spark) for of in (left, right))
    return (one, other), names or short_names(one.name, other.name)


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext explorer` gives `%iceberg catalog.db.table`."""
    from .jupyter.magic import load_ipython_extension as load

    load(shell)


def __getattr__(name: str) -> Any:
    """Load the widgets only where they are used: the command line does without."""
    if name in ("DrillWidget", "ExerciseSheet", "Playback", "SideBySidePlayback", "TableExplorer", "TablePicker"):
        from . import widgets

        return getattr(widgets, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
