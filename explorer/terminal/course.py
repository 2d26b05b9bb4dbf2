"""`iceberg-explorer course`: the exercises, which of them were passed, and forgetting that."""

from __future__ import annotations

import click
from rich.text import Text

from ..lessons.exercises import Exercise, exercises, notebooks, progress, remove_tables
from ..model import formats
from . import screen
from .options import examples


@click.group(
    invoke_without_command=True,
    epilog=examples("iceberg-explorer course", "iceberg-explorer course open", "iceberg-explorer course reset"),
)
@click.pass_context
def course(ctx: click.Context) -> None:
    """List the exercises of the notebooks, and which of them you have passed.

    In a notebook `explorer.exercise("NAME")` opens one.
    """
    if ctx.invoked_subcommand is not None:
        return
    known, every = progress.passed(), exercises()
    width = max(len(one.name) for one in every)
    for notebook, title in notebooks().items():
        screen.print_line(Text.assemble((title, "bold"), f"  {notebook}.ipynb"))
        for one in every:
            if one.notebook == notebook:
                mark = ("✓", "green") if one.name in known else ("·", "dim")
                when = f"  passed {formats.day(known[one.name])}" if one.name in known else ""
                screen.print_line(Text.assemble("  ", mark, f" {one.name:<{width}}  {one.title} ({one.kind}){when}"))
    done = sum(one.name in known for one in every)
    screen.print_line("")
    screen.print_line(f"{done} of {formats.count(len(every), 'exercise')} passed, kept in {progress.progress_file()}")
    if (following := next_exercise()) is not None:
        screen.print_line(f"Next: {following.name}. `iceberg-explorer course open` opens its notebook.")


@course.command(epilog=examples("iceberg-explorer course reset"))
def reset() -> None:
    """Forget what was passed, and remove the tables of the exercises; each is built anew when it is opened."""
    done = len(progress.passed())
    progress.forget()
    remove_tables()
    screen.print_line(f"Forgotten: {formats.count(done, 'passed exercise')}. The tables of the course are removed.")


def next_exercise() -> Exercise | None:
    """The first one that was not passed; None if all were."""
    known = progress.passed()
    return next((one for one in exercises() if one.name not in known), None)
