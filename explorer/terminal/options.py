"""What the commands share: options, and examples in help texts."""

from __future__ import annotations

import os

import click

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


table = click.argument("table")

identifiers = click.option(
    "--identifier", "identifiers", multiple=True, metavar="COLUMN", help="What tells rows apart."
)
