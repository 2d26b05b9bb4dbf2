"""The command line: `iceberg-explorer lab`, `show`, `health`, `bisect`, `dry-run`, `report`, `bundle` and the rest.

Jupyter is imported where it is needed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from . import __version__
from .errors import ExplorerError
from .model import formats
from .model.printable import printable
from .terminal import bundle, dry_run, screen
from .terminal.bisect import bisect
from .terminal.course import course, next_exercise
from .terminal.drill import results
from .terminal.health import health
from .terminal.opening import seen_from_anywhere
from .terminal.options import conf, examples
from .terminal.report import report
from .terminal.show import show

if TYPE_CHECKING:
    from collections.abc import Callable

    from .queries.files.manifest_cache import Usage


class _Commands(click.Group):
    """Commands whose errors are told in words; what they hold of a table cannot steer the terminal."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ExplorerError as error:
            screen.print_error([error.what, error.found, error.next_step])
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise  # click knows what to do with these; the pipe is one that `head` closed
        except Exception as error:
            screen.print_error(_unexpected(error))
        return ctx.exit(1)


def _unexpected(error: Exception) -> list[str]:
    from .engine.conf import without_secrets
    from .engine.logging import in_one_line

    with tempfile.NamedTemporaryFile("w", prefix="iceberg-explorer-", suffix=".log", delete=False) as log:
        log.write(without_secrets(traceback.format_exc()))
    what = f"An error that the explorer did not expect: {type(error).__name__}."
    return [what, without_secrets(in_one_line(error)), f"All of it is in {log.name}"]


class _HandsOn(click.Command):
    """A command that hands on what stands after `--`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, further = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, [])
        ctx.meta["further"] = further
        return super().parse_args(ctx, own)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples("iceberg-explorer lab", "iceberg-explorer lab lake.shop.orders", "iceberg-explorer doctor"),
)
@click.version_option(__version__, prog_name="iceberg-explorer")
def main() -> None:
    """See why an Apache Iceberg table is as it is."""
    for stream in (sys.stdout, sys.stderr):
        if (stream.encoding or "").lower() not in ("utf-8", "utf8") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without ● shows ?


def _in_lab(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a command that opens JupyterLab."""
    for option in (
        click.option("--browser/--no-browser", default=True, help="Open the browser, or only print the address."),
        click.option(
            "--port", type=click.IntRange(1, 65535), help="The port of JupyterLab; else 8888 or the next free one."
        ),
        click.option(
            "--folder",
            type=click.Path(file_okay=False, path_type=Path),
            default=Path("~/iceberg-explorer"),
            show_default=True,
            help="Where your copy of the notebooks is kept.",
        ),
    ):
        command = option(command)
    return command


@main.command(
    cls=_HandsOn,
    epilog=examples(
        "iceberg-explorer lab",
        "iceberg-explorer lab lake.shop.orders",
        "iceberg-explorer lab /data/orders/metadata/v7.metadata.json",
        "iceberg-explorer lab --no-browser --port 9000 -- --ip=0.0.0.0",
        "iceberg-explorer lab --present",
    ),
)
@click.argument("table", required=False)
@click.option("--present", is_flag=True, help="For a class: code folded away, large text, the notebook alone.")
@_in_lab
@conf
@click.pass_context
def lab(ctx: click.Context, table: str | None, present: bool, folder: Path, port: int | None, browser: bool) -> None:
    """Open JupyterLab on the explorer's notebooks, or on one TABLE.

    Without TABLE the sandbox, a set of small live tables, is built first if it is not there (a minute), and the
    notebook 00_start.ipynb is shown. With TABLE, a notebook that opens it is. Your copies of the notebooks are yours:
    what you changed is never written over.

    TABLE is a name in a catalog, a metadata file, a table's folder, or a bundle. Arguments after -- go to JupyterLab.
    """
    from .engine import SANDBOX_CATALOG
    from .jupyter.notebooks import START, table_notebook

    folder = _laid_out(folder / "present", present=True) if present else _laid_out(folder)
    if table is None or table.startswith(f"{SANDBOX_CATALOG}."):
        _sandbox_in_its_own_process()
    notebook = folder / START if table is None else table_notebook(folder, seen_from_anywhere(table))
    _become_lab(folder, notebook, port=port, browser=browser, arguments=ctx.meta["further"], present=present)


@course.command(
    "open",
    cls=_HandsOn,
    epilog=examples("iceberg-explorer course open", "iceberg-explorer course open lost-race"),
)
@click.argument("name", required=False)
@_in_lab
@conf
@click.pass_context
def open_exercise(ctx: click.Context, name: str | None, folder: Path, port: int | None, browser: bool) -> None:
    """Open JupyterLab on the notebook of the exercise NAME, or of the first that you have not passed.

    Arguments after -- go to JupyterLab.
    """
    from .jupyter.notebooks import exercise_notebook
    from .lessons.exercises import exercises, named

    exercise = named(name) if name else next_exercise() or exercises()[0]
    folder = _laid_out(folder)
    _sandbox_in_its_own_process()
    screen.print_message(f"The exercise is {exercise.name}: {exercise.title}")
    notebook = folder / f"{exercise.notebook}.ipynb"
    if not notebook.exists():
        notebook = exercise_notebook(folder, exercise.name)
    _become_lab(folder, notebook, port=port, browser=browser, arguments=ctx.meta["further"])


def _laid_out(folder: Path, *, present: bool = False) -> Path:
    """The person's folder, with their copy of the notebooks in it; with code folded away if `present`."""
    from .jupyter.notebooks import lay_out
    from .lessons.own import own_folder

    folder = folder.expanduser().absolute()
    for shipped in (None, *filter(None, [own_folder()])):
        for line in lay_out(folder, shipped, present=present):
            screen.print_message(line)
    return folder


def _become_lab(
    folder: Path,
    notebook: Path,
    *,
    port: int | None,
    browser: bool,
    arguments: list[str],
    present: bool = False,
) -> None:
    from .engine import conf_from_env
    from .jupyter.lab import AS_ROOT, become_lab, is_root, lab_command, lab_environment

    command = lab_command(folder, notebook, port=port, browser=browser, arguments=arguments, present=present)
    if is_root():
        screen.print_message(AS_ROOT)
    screen.print_message(f"JupyterLab shows {notebook}. Ctrl-C here ends it.")
    become_lab(command, lab_environment(conf_from_env(), present=present))


@main.command(
    epilog=examples("iceberg-explorer sandbox", "iceberg-explorer show snapshot-graph sandbox.lessons.rollback"),
)
@click.option("--rebuild", is_flag=True, help="Remove the sandbox's tables and build them anew.")
@conf
def sandbox(rebuild: bool) -> None:
    """Build the sandbox: small live tables, each with a story, to look at and to learn from.

    What is there already stays. Takes a minute.
    """
    from .engine import sandbox_warehouse, session
    from .lessons import build_sandbox, sandbox_tables

    # The sandbox lies on this machine, so a Spark elsewhere cannot write it.
    os.environ.pop("SPARK_REMOTE", None)
    missing = [shelved for shelved in sandbox_tables() if rebuild or not shelved.is_built]
    if missing:
        with screen.steps("Starting Spark", "Building the sandbox", len(missing)) as done:
            build_sandbox(
                session(conf=_quick()), anew=rebuild, report=lambda step: done(f"built sandbox.{step.lesson.name}")
            )
    screen.print_line(f"The sandbox is in {sandbox_warehouse()}")
    width = max(len(shelved.name) for shelved in sandbox_tables())
    for shelved in sandbox_tables():
        screen.print_line(f"  {shelved.name:<{width}}  {shelved.lesson.title}")


@main.group(
    invoke_without_command=True,
    epilog=examples(
        "iceberg-explorer drill",
        "iceberg-explorer drill --seed 7 --level 2",
        "iceberg-explorer drill --incident raced-delete --level 3",
        "iceberg-explorer drill results -o results.csv",
    ),
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Which drill; the same for a class.")
@click.option("--level", type=click.IntRange(1, 3), default=1, show_default=True, help="3 is without Health.")
@click.option("--incident", metavar="ID", help="The first drill from the seed on that has it: `raced-delete`.")
@_in_lab
@click.option("--lab/--no-lab", default=True, help="Open JupyterLab, or only write the table.")
@conf
@click.pass_context
def drill(
    ctx: click.Context,
    seed: int,
    level: int,
    incident: str | None,
    folder: Path,
    port: int | None,
    browser: bool,
    lab: bool,
) -> None:
    """Find out what went wrong with a table: which commit, why, and what to do about it.

    Writes weeks of ordinary life of a table with an incident among them, says what a person says of it, and opens a
    notebook in which the answer is checked. Level 1: what goes wrong is plain to see, and Health calls it by the words
    of the task; 2: anything does, and no words are given; 3: over a longer time, with something odd and harmless beside
    it, and without Health.
    """
    if ctx.invoked_subcommand is not None:
        return
    from .lessons import drills

    chosen = seed if incident is None else drills.seed_with(incident, level, seed)
    if not lab:
        _write_drill(chosen, level)
        return
    from .jupyter.notebooks import drill_notebook

    notebook = drill_notebook(folder := _laid_out(folder), chosen, level)  # first, since a folder may refuse it
    command = [sys.executable, "-m", "explorer.cli", "drill", "--no-lab", f"--seed={chosen}", f"--level={level}"]
    if _in_its_own_process(command, shown=True):
        sys.exit(1)
    _become_lab(folder, notebook, port=port, browser=browser, arguments=[])


drill.add_command(results)


def _write_drill(seed: int, level: int) -> None:
    """Write the table of a drill, and say what a person says of it."""
    from .engine import session
    from .lessons import drills

    os.environ.pop("SPARK_REMOTE", None)  # the sandbox lies on this machine
    with screen.waiting("Writing weeks of a table's life"):
        told = drills.drill(session(conf=_quick()), seed, level)
    screen.print_line(f"Drill {seed}, level {level}: {told.table}")
    screen.print_line(f"  {told.case.title}")
    for line in (told.case.words, told.case.oddity):
        if line:
            screen.print_line(f"  {line}")
    screen.print_line("  Which commit, why, and what would you do about it?")


@main.command(epilog=examples("iceberg-explorer doctor", "iceberg-explorer doctor --conf spark.driver.memory=1g"))
@conf
def doctor() -> None:
    """Say what the explorer finds on this machine, what is wrong with it, and the way out.

    Ends with exit code 1 if something does not work.
    """
    from .engine import examine

    with screen.waiting("Examining this machine"):
        findings = examine()
    marks = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✕", "bold red")}
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        mark, style = marks[finding.state]
        line = Text.assemble((mark, style), f" {printable(finding.name):<{width}}  {printable(finding.found)}")
        screen.print_line(line)
        if finding.way_out:
            screen.print_line(f"{'':{width + 4}}→ {printable(finding.way_out)}")
    if any(finding.state == "problem" for finding in findings):
        sys.exit(1)


@main.group(epilog=examples("iceberg-explorer cache info", "iceberg-explorer cache clear"))
def cache() -> None:
    """Look at what was read of manifests and is kept on this machine, or forget it.

    Kept are names, sizes, partitions and numbers of files; of storage elsewhere whole manifests, which hold the lowest
    and highest values of columns too. No rows. ICEBERG_EXPLORER_CACHE_MB bounds it; 0 keeps nothing.
    """


@cache.command()
def info() -> None:
    """Say where the cache is and what it takes."""
    from .queries.files.manifest_cache import LIMIT, ManifestCache

    usage = ManifestCache().usage()
    screen.print_line(f"The cache is in {usage.folder}")
    screen.print_line(f"  {_size_of_cache(usage)}")
    bound = f"It keeps {usage.limit / 1e6:,.0f} MB at most" if usage.limit else "It is off"
    screen.print_line(f"  {bound} ({LIMIT})")


@cache.command()
def clear() -> None:
    """Forget everything; it is read anew where it is asked for."""
    from .queries.files.manifest_cache import ManifestCache

    screen.print_line(f"Forgotten: {_size_of_cache(ManifestCache().clear())}")


def _size_of_cache(usage: Usage) -> str:
    return f"{formats.count(usage.tables, 'table')}, {usage.size / 1e6:,.1f} MB"


def _quick() -> dict[str, str]:
    """Settings of a Spark that writes tables and ends."""
    # A Java that lives for a minute gains nothing from compiling with care, which would take a third of its time.
    options = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m"
    if sys.platform == "linux":  # Hadoop starts a `chmod` for each of 2,000 files; this halves what that takes
        options += " -Djdk.lang.Process.launchMechanism=VFORK"
    return {"spark.driver.defaultJavaOptions": options}


def _sandbox_in_its_own_process() -> None:
    """Build the sandbox if it is not there, in a process whose end gives back what Spark took."""
    from .lessons import sandbox_tables

    missing = [shelved for shelved in sandbox_tables() if not shelved.is_built]
    if not missing:
        return
    screen.print_message("Building the sandbox, small live tables to explore. This happens once.")
    if _in_its_own_process([sys.executable, "-m", "explorer.cli", "sandbox"]):
        screen.print_message("JupyterLab was not started, for it would show an empty sandbox.")
        screen.print_message("For a table of your own, `iceberg-explorer lab TABLE` needs no sandbox.")
        sys.exit(1)


def _in_its_own_process(command: list[str], *, shown: bool = False) -> int:
    """Run a command that writes tables, whose end gives back what Spark took; its exit code."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what it starts does not outlive it
    try:
        out = None if shown else subprocess.DEVNULL
        return subprocess.run(command, stdout=out, check=False).returncode  # noqa: S603 - this Python itself
    finally:
        signal.signal(signal.SIGTERM, before)


main.add_command(show)
main.add_command(health)
main.add_command(report)
main.add_command(bisect)
main.add_command(course)
main.add_command(dry_run.command, "dry-run")
main.add_command(bundle.command, "bundle")

if __name__ == "__main__":
    main()
