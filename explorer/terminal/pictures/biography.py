"""What became of rows, in a terminal: the events of each in commit order, with writer and how they are known."""

from __future__ import annotations

from collections.abc import Iterator

import click
from rich.text import Text

from ...model import formats
from ...model.biography import finding, notes, words
from ...model.biography.facts import Biography, Event, Life
from ...model.iceberg.writer import writer
from ...model.printable import DIM, LOUD, ODD, file_name, styled
from ..answer import Answer, answers
from ..once import Once
from ..opening import open_table, reading
from ..options import examples, identifiers, table

_SIGNS = {
    "CREATED": ("●", "bright_blue"),
    "UPDATED": ("■", "magenta"),
    "MOVED": ("◆", ""),
    "DELETED": ("▼", "red"),
    "RETURNED": ("↑", "bright_red"),
}


def lines(biography: Biography, name: str, limit: int | None = None) -> Iterator[Text]:
    """The rows one after the other, each with its events; those beside the line that was asked about are marked.

    Args:
        biography: of the rows.
        name: the table's.
        limit: at most so many rows; None for all that are told. A cut is said.
    """
    yield styled(finding.title(biography), LOUD)
    yield styled(" · ".join(words.circumstances(biography, name)))
    shown, once = biography.lives if limit is None else biography.lives[:limit], Once()
    for life in shown:
        yield styled("")
        yield from _life(biography, life, once)
    left = len(biography.lives) - len(shown)
    if left:
        yield styled("")
        yield styled(f"and {formats.count(left, 'more row')}", ODD)
    if reason := words.why_so_many(biography.price):
        yield styled("")
        yield styled(reason, DIM)
    for note in (*notes.cut(biography), *biography.notes):
        yield styled(str(note), DIM)


def _life(biography: Biography, life: Life, once: Once) -> Iterator[Text]:
    ids = f"  row id {', '.join(f'{i:,}' for i in life.row_ids)}" if life.row_ids else ""
    yield Text.assemble(styled(f"row {life.number:,}", LOUD), styled(f"  {biography.label_of(life.last)}{ids}"))
    line = 0
    for event in life.events:
        if event.line != line:
            line = event.line
            yield styled(f"  {words.beside(biography.lines[line], biography.lines)[0]}", DIM)
        yield from _event(event, once)
    stretch = life.at(0, biography.lines[0].end - 1)
    if stretch is not None and stretch.shown:
        values = ", ".join(f"{n} = {v}" for n, v in zip(biography.columns, stretch.row.values, strict=True))
        told = f"  {words.end(biography.lines[0])}: {'' if stretch.row.meets else 'without meeting it, '}{values}"
        yield styled(told, DIM)


def _event(event: Event, once: Once) -> Iterator[Text]:
    sign, colour = _SIGNS[event.kind]
    who = event.move.kind if event.move else writer(event.snapshot)
    when = " · ".join(filter(None, (formats.moment(event.committed_at), who)))
    yield Text.assemble(styled(f"  {sign} {words.at(event)} {words.sentence(event)}", colour), styled(f"  {when}", DIM))
    delete = ""
    if event.mask is not None:
        delete = f", {file_name(event.mask.delete_path, event.mask.content_offset)}" if event.mask.delete_path else ""
    certainty, reason = words.known_how(event)
    place = f"{file_name(event.row.file_path)} : {event.row.position:,}{delete}"
    said = once.say(reason)
    yield styled(f"    {place}  {certainty}{': ' if said else ''}{said}", DIM)


@click.command(
    epilog=examples(
        "iceberg-explorer show biography lake.shop.orders 'order_id = 10'",
        "iceberg-explorer show biography lake.shop.orders 'order_id = 10' --ref audit --identifier order_id",
    )
)
@table
@click.argument("condition")
@click.option(
    "--ref",
    metavar="REF",
    default="main",
    help="Whose line is told first: a branch, a tag, an id, a sequence number; else main.",
)
@identifiers
@answers(text="rows, each with its events", csv="a row per event", limited="first N rows")
def command(table: str, condition: str, ref: str, identifiers: tuple[str, ...], answer: Answer) -> None:
    """What became of the rows that meet CONDITION, from birth to now.

    TABLE is a name in a catalog, a metadata file, or a table's folder; CONDITION is SQL over its columns, as after
    WHERE.
    """
    with reading(table, "Reading the table"):
        opened = open_table(table, ref)
    picture = opened.biography(condition, ref, identifier_columns=identifiers or None)
    with reading(opened.name, "Looking which files of the history may hold such rows"):
        price = picture.price
    with reading(opened.name, f"Reading {words.price(price)}"):
        picture.read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit))
