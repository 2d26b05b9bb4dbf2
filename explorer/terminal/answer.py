"""An answer in the form that was asked for: on the screen, or as a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from ..errors import ExplorerError
from . import screen
from .options import conf

if TYPE_CHECKING:
    from ..table import Table
    from ..table.picture import Picture

_Option = Callable[[Callable[..., None]], Callable[..., None]]


@dataclass(frozen=True)
class Answer:
    """How an answer was asked for.

    Attributes:
        form: `text`, `json`, `csv` or `html`.
        output: the file to write; None for the terminal.
        limit: rows, or what else the command counts; None for all.
    """

    form: str
    output: Path | None
    limit: int | None

    def show(self, table: Table, picture: Picture[Any], lines: Callable[[int | None], Iterable[Text]]) -> None:
        """Print or write the answer; `lines` gives those of the text, for a width in characters or for none."""
        from ..table import export, web_page

        match self.form:
            case "text":
                self.show_text(lines)
            case "json":
                self._deliver(export.to_json(table, picture, self.limit) + "\n")
            case "csv":
                self._deliver(export.to_csv(picture, self.limit))
                if self.limit is not None and self.limit < len(picture.data):
                    which = "newest" if picture.first == "bottom" else "first"
                    screen.print_message(f"Showing the {which} {self.limit:,} of {len(picture.data):,} rows.")
            case "html":
                self._deliver(web_page.to_html(table, picture, **({"limit": self.limit} if self.limit else {})))

    def show_text(self, lines: Callable[[int | None], Iterable[Text]]) -> None:
        """Print or write the answer as text."""
        if self.output is None:
            console = screen.console()
            screen.print_lines(console, lines(screen.width_of(console)))
        else:
            self._deliver("".join(f"{line.plain.rstrip()}\n" for line in lines(None)))

    def _deliver(self, text: str) -> None:
        if self.output is None:
            click.echo(text, nl=False)
            return
        try:
            self.output.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise ExplorerError(f"{self.output} cannot be written.", found=f"{error.strerror}.") from error
        screen.print_message(f"Wrote {self.output}")


def answers(*, text: str, csv: str, limited: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of an answer, and `--conf`; it is called with an `Answer` as its argument `answer`.

    What no terminal can show is refused before anything is read.

    Args:
        text: what this form holds, for the help text.
        csv: the same.
        limited: what is shown of an answer that is cut, for the help text: "first N rows".
    """
    options: list[_Option] = [
        click.option(
            "--format",
            "form",
            type=click.Choice(["text", "json", "csv", "html"]),
            default="text",
            show_default=True,
            help=f"text: {text}; json: everything, exactly; csv: {csv}, with a ' before text that a spreadsheet"
            " would run as a formula; html: one file with the picture.",
        ),
        *_options(limited),
    ]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def asked(*args: Any, form: str, output: Path | None, limit: int | None, **kwargs: Any) -> None:
            if form == "html" and output is None and sys.stdout.isatty():
                raise click.UsageError("HTML is five megabytes for a browser: name a file for it, --output answer.html")
            command(*args, answer=Answer(form, output, limit), **kwargs)

        return _with(options, asked)

    return decorate


def answers_in_text(*, limited: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The same for a command whose only form is text."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def asked(*args: Any, output: Path | None, limit: int | None, **kwargs: Any) -> None:
            command(*args, answer=Answer("text", output, limit), **kwargs)

        return _with(_options(limited), asked)

    return decorate


def _options(limited: str) -> list[_Option]:
    return [
        click.option(
            "--output",
            "-o",
            type=click.Path(dir_okay=False, writable=True, path_type=Path),
            callback=_writable,
            help="Write to this file instead of the terminal.",
        ),
        click.option("--limit", type=click.IntRange(min=1), metavar="N", help=f"Only the {limited}, and say so."),
        conf,
    ]


def _with(options: list[_Option], command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(options):
        command = option(command)
    return command


def _writable(_ctx: click.Context, _param: click.Parameter, output: Path | None) -> Path | None:
    if output is not None and not output.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {output.absolute().parent}.")
    return output
