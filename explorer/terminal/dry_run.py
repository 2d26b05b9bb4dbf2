"""What a procedure of Iceberg would do, in a terminal: what would be lost, removed, rewritten and kept, and why."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from ..model import formats
from ..model.dry_run import words
from ..model.dry_run.facts import OUTCOMES, PROCEDURES, DryRun, Effect, Sum
from ..model.printable import DIM, LOUD, ODD, copyable, styled
from .answer import Answer, answers
from .opening import open_table, reading
from .options import examples, table

if TYPE_CHECKING:
    from ..table.answers.dry_run import DryRunPicture

MOST_LINES = 50
_OPTIONS = "options."
_STYLES = {"lost": "red", "removed": "red", "rewritten": "magenta", "returned": "bright_blue", "added": "bright_blue"}


def lines(picture: DryRunPicture, name: str, limit: int | None = MOST_LINES) -> Iterator[Text]:
    """The dry run, line by line.

    Args:
        picture: what a procedure would do.
        name: the table's.
        limit: at most so many things of each kind of outcome; None for all. A cut is said.
    """
    facts = picture.facts
    yield styled(words.title(facts), ODD if facts.refusal else LOUD)
    yield styled(" · ".join(words.circumstances(facts, name)), DIM)
    if facts.sums:
        yield styled("")
    for of in facts.sums:
        yield _sum(of)
    yield from _effects(facts, limit)
    for heading, told in (("what follows", words.closing(facts)), ("notes", [str(note) for note in facts.notes])):
        if told:
            yield styled("")
            yield styled(heading, LOUD)
        for line in told:
            yield styled(f"  {line}", DIM if heading == "notes" else "")
    for heading, sql in (("to run it, which nobody did", picture.sql), ("to undo it", picture.undo_sql)):
        if sql and not facts.refusal:
            yield styled("")
            yield styled(heading, LOUD)
            for line in sql.splitlines():
                yield copyable(f"  {line}")


def _sum(of: Sum) -> Text:
    many, held = words.sum_words(of)
    return Text.assemble(styled(f"  {of.what:<10}", _STYLES.get(of.what, "")), styled(f"{many:<28}"), styled(held, DIM))


def _effects(facts: DryRun, limit: int | None) -> Iterator[Text]:
    for what in OUTCOMES:
        found = [effect for effect in facts.effects if effect.what == what]
        if not found:
            continue
        yield styled("")
        yield styled(words.MEANINGS[what], LOUD)
        for effect in found[:limit]:
            yield _effect(effect)
        if limit is not None and len(found) > limit:
            yield styled(f"  and {formats.count(len(found) - limit, 'more thing')}", ODD)


def _effect(effect: Effect) -> Text:
    held = words.held(effect)
    name = styled(f"  {words.effect_name(effect)}", _STYLES.get(effect.what, ""))
    return Text.assemble(name, styled(f"  {held}" if held else ""), styled(f"  {effect.why}", DIM))


def parsed(procedure: str, pairs: tuple[str, ...]) -> dict[str, Any]:
    """The arguments of a procedure, from `name=value` as they are typed.

    Raises:
        click.BadParameter: no pair, no such argument, or a value of another type.
    """
    from ..table.answers.dry_run import DryRuns

    known = [name for name in inspect.signature(getattr(DryRuns, procedure)).parameters if name != "self"]
    found: dict[str, Any] = {}
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.BadParameter(f"{pair!r} is not name=value.")
        if name.startswith(_OPTIONS) and "options" in known:
            options[name.removeprefix(_OPTIONS)] = value
        elif name in known and name != "options":
            found[name] = _value(name, value)
        else:
            takes = ", ".join("options.NAME" if one == "options" else one for one in known)
            raise click.BadParameter(f"{procedure} has no argument {name!r}; it takes {takes}.")
    return found | ({"options": options} if options else {})


def _value(name: str, text: str) -> object:
    try:
        match name:
            case "older_than":
                return datetime.fromisoformat(text)
            case "retain_last" | "spec_id":
                return int(text)
            case "snapshot_ids" | "sort_by":
                return [one.strip() for one in text.split(",")]
            case "clean_expired_metadata":
                return _truth(text)
    except ValueError as error:
        raise click.BadParameter(f"{name} cannot be {text!r}: {error}.") from error
    return text


def _truth(text: str) -> bool:
    known: Mapping[str, bool] = {"true": True, "false": False}
    if text.lower() not in known:
        raise ValueError("it is true or false")
    return known[text.lower()]


@click.command(
    epilog=examples(
        "iceberg-explorer show dry-run lake.shop.orders rollback_to_snapshot snapshot_id=12",
        "iceberg-explorer show dry-run lake.shop.orders expire_snapshots older_than=2026-11-01 retain_last=10",
        "iceberg-explorer show dry-run lake.shop.orders rewrite_data_files options.min-input-files=2",
    )
)
@table
@click.argument("procedure", type=click.Choice(PROCEDURES))
@click.argument("arguments", nargs=-1, metavar="[NAME=VALUE]...")
@answers(
    text="what would be lost, removed, rewritten and kept",
    csv="a row per thing",
    limited="first N things of each outcome",
)
def command(table: str, procedure: str, arguments: tuple[str, ...], answer: Answer) -> None:
    """What PROCEDURE of Iceberg would do to TABLE with these arguments. Nothing is run, and nothing is written.

    TABLE is a name in a catalog, a metadata file, or a table's folder. Arguments are those of the procedure by their
    names, options.NAME=VALUE where it takes options, and several snapshot ids with commas. A snapshot is an id, a
    branch, a tag or a sequence number.
    """
    given = parsed(procedure, arguments)
    with reading(table, "Reading what it would touch"):
        opened = open_table(table)
        picture = getattr(opened.dry_run, procedure)(**given).read()
    answer.show(opened, picture, lambda _: lines(picture, opened.name, answer.limit or MOST_LINES))
