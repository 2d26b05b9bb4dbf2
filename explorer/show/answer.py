"""An answer in the form that was asked for: on the screen, or as a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..terminal import screen
from ..terminal.options import deliver

if TYPE_CHECKING:
    from ..picture import Picture
    from ..table import Table


def can_be_shown(form: str, output: Path | None) -> None:
    """Refuse, before anything is read, what no terminal can show."""
    if form == "html" and output is None and sys.stdout.isatty():
        raise click.UsageError("HTML is five megabytes for a browser: name a file for it, --output answer.html")


def show_answer(
    table: Table, picture: Picture[Any], form: str, output: Path | None, limit: int | None, lines: Any
) -> None:
    """The answer in the asked form; `lines` gives those of the text, for a width in characters or for none."""
    from .. import export

    match form:
        case "text" if output is None:
            console = screen.console()
            screen.print_lines(console, lines(console.width if console.is_terminal else None))
        case "text":
            deliver("".join(f"{line.plain.rstrip()}\n" for line in lines(None)), output)
        case "json":
            deliver(export.to_json(table, picture, limit) + "\n", output)
        case "csv":
            deliver(export.to_csv(picture, limit), output)
            if limit is not None and limit < len(picture.data):
                which = "newest" if picture.first == "bottom" else "first"
                screen.say(f"Showing the {which} {limit:,} of {len(picture.data):,} rows.")
        case "html":
            deliver(export.to_html(table, picture, **({"limit": limit} if limit else {})), output)
