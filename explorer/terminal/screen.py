"""The terminal itself: what is said, what goes wrong, progress, and text too long for the screen."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice

import click
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from ..model.printable import printable


def console(*, stderr: bool = False) -> Console:
    """A console that takes text as it is: no markup, no emoji codes, no colours of its own choice."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def width_of(screen: Console) -> int | None:
    """Signs in a line, as the terminal or COLUMNS says; None for a file or a pipe, which takes lines of any length."""
    return screen.width if screen.is_terminal or os.environ.get("COLUMNS", "").isdigit() else None


def print_line(line: str | Text, *, stderr: bool = False) -> None:
    """Print a line, below itself as far as it is too long."""
    screen = console(stderr=stderr)
    for row in wrapped([line if isinstance(line, Text) else Text(line)], width_of(screen)):
        screen.print(row, soft_wrap=True)


def wrapped(lines: Iterable[Text], width: int | None) -> Iterator[Text]:
    """The lines, none wider than `width`: what has no room goes on below, indented a little more than it began.

    What is there to be copied stays one line, which the terminal itself breaks where it must.
    """
    for line in lines:
        line.rstrip()
        if width is None or line.no_wrap or line.cell_len <= width:
            yield line
            continue
        indent = len(line.plain) - len(line.plain.lstrip())
        first, below = (" " * min(steps, width // 2) for steps in (indent, indent + 2))
        room = max(width - len(below), 1)
        for row in _parted(line[indent:], room).wrap(_RULER, room):
            row.rstrip()
            yield Text.assemble(first, row)
            first = below


def _parted(line: Text, room: int) -> Text:
    """The line with a space in each word that is too long for a row, behind a sign that parts it: in names of files."""
    cuts = []
    for word in _LONG_WORD.finditer(line.plain):
        start = end = word.start()
        for part in _PART.finditer(line.plain, *word.span()):
            if cell_len(line.plain[start : part.end()]) > room and end > start:
                cuts.append(end)
                start = end
            end = part.end()
    return Text(" ").join(line.divide(cuts)) if cuts else line


def print_message(line: str) -> None:
    """Tell the person something beside the answer, on stderr."""
    print_line(printable(line), stderr=True)


def print_error(lines: Iterable[str]) -> None:
    """Tell, on stderr, what went wrong (the first), what was found and what to do next."""
    for style, line in zip(("bold red", "", ""), lines, strict=False):
        for part in line.splitlines():
            print_line(Text(printable(part), style), stderr=True)


def print_lines(screen: Console, lines: Iterable[Text]) -> None:
    """Print lines as they come; through the person's pager where a screen cannot hold them all."""
    rows = (_ansi(screen, line) for line in wrapped(lines, width_of(screen)))
    fitting = list(islice(rows, screen.height if screen.is_terminal else 0))
    if len(fitting) < screen.height or not screen.is_terminal:
        for row in chain(fitting, rows):
            click.echo(row, nl=False, color=screen.is_terminal)
        return
    os.environ.setdefault("LESS", "-FRX")  # as git does: keep colours, leave the text on the screen
    click.echo_via_pager(chain(fitting, rows), color=not screen.no_color)


@contextmanager
def waiting(what: str) -> Iterator[Callable[[str], None]]:
    """Show that something goes on, where a person looks on; leave no trace of it.

    Gives a function to call, as often as one likes, with what to say besides; it may be nothing. Where nobody looks on,
    what is said first is printed, once.
    """
    screen = console(stderr=True)
    if screen.is_terminal:
        with screen.status(Text(f"{what} …")) as status:
            yield lambda words: status.update(Text(f"{what} … {words}".rstrip()))
        return
    said: list[str] = []

    def say(words: str) -> None:
        if words and not said:
            said.append(words)
            print_message(f"{what}: {words}.")

    yield say


@contextmanager
def steps(first: str, further: str, total: int) -> Iterator[Callable[[str], None]]:
    """Progress of `total` steps, described as `first` until one is done, then as `further`.

    Gives a function to call with what to say of each step that is done.
    """
    screen = console(stderr=True)
    bars = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed} of {task.total}"),
    )
    with Progress(*bars, TimeElapsedColumn(), console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(first, total=total)

        def done(sentence: str) -> None:
            bar.update(task, advance=1, description=further)
            for row in wrapped([Text(printable(sentence))], width_of(screen)):
                screen.print(row, soft_wrap=True)

        yield done


_LONG_WORD = re.compile(r"\S{16,}")
_PART = re.compile(r"[^-/=.·]*[-/=.·]+|[^-/=.·]+")
_RULER = Console(width=80)  # Text.wrap asks it for its defaults only


def _ansi(screen: Console, line: Text) -> str:
    with screen.capture() as captured:
        screen.print(line, soft_wrap=True)
    return captured.get()
