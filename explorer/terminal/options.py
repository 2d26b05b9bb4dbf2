"""What the commands share: options, examples in help texts, and where an answer is written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..errors import ExplorerError
from . import screen

_CONF = "ICEBERG_EXPLORER_CONF"


def _settings(_ctx: click.Context, _param: click.Parameter, pairs: tuple[str, ...]) -> None:
    """Put `--conf` where the session of this program, and those of its kernels, find it."""
    from ..engine import conf_from_env, conf_to_env

    given = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (equals and key.strip()):
            raise click.BadParameter(f"{pair.split('=')[0]!r} is not key=value.")
        given[key.strip()] = value.strip()
    if given:
        os.environ[_CONF] = conf_to_env({**conf_from_env(), **given})


conf = click.option(
    "--conf",
    multiple=True,
    metavar="KEY=VALUE",
    callback=_settings,
    expose_value=False,
    help="A Spark setting, such as those of a catalog; may be repeated.",
)


def examples(*lines: str) -> str:
    """The lines for the end of a help text; the sign before them asks click to leave them as they are."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def _writable(_ctx: click.Context, _param: click.Parameter, output: Path | None) -> Path | None:
    if output is not None and not output.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {output.absolute().parent}.")
    return output


output = click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    callback=_writable,
    help="Write to this file instead of the terminal.",
)


def form(text: str, csv: str) -> Callable[[Any], Any]:
    """`--format`, with what text and CSV hold of this answer."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json", "csv", "html"]),
        default="text",
        show_default=True,
        help=f"text: {text}; json: everything, exactly; csv: {csv}; html: one file with the picture.",
    )


table = click.argument("table")

identifiers = click.option(
    "--identifier", "identifiers", multiple=True, metavar="COLUMN", help="What tells rows apart."
)


def limit(which: str) -> Callable[[Any], Any]:
    """`--limit`, with what is shown of an answer that is cut."""
    return click.option("--limit", type=click.IntRange(min=1), metavar="N", help=f"Only the {which}, and say so.")


def deliver(text: str, to: Path | None) -> None:
    """Print an answer, or write it to a file."""
    if to is None:
        click.echo(text, nl=False)
        return
    try:
        to.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ExplorerError(f"{to} cannot be written.", found=f"{error.strerror}.") from error
    screen.say(f"Wrote {to}")
