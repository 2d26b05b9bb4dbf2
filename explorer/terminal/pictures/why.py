"""Why rows are deleted or not, in a terminal: each with the deletes in question, and what wrong readers would see."""

from __future__ import annotations

from collections.abc import Iterator

import click
from rich.text import Text

from ...model import formats
from ...model.printable import DIM, LOUD, ODD, file_name, styled
from ...model.why import what_if
from ...model.why import words as why_words
from ...model.why.facts import MatchedRow, RowDelete, RowOutcome
from ...model.why.what_if import ReaderView
from ..answer import Answer, answers
from ..opening import open_table, reading
from ..options import examples, table


def lines(outcome: RowOutcome, name: str, limit: int | None = None) -> Iterator[Text]:
    """The rows, line by line, those that deletes mask with `−`.

    Args:
        outcome: of the rows that meet a condition.
        name: the table's.
        limit: at most so many rows; None for all that were brought here. A cut is said.
    """
    yield styled(why_words.title(outcome), LOUD)
    yield styled(" · ".join(why_words.circumstances(outcome, name)))
    shown = outcome.rows if limit is None else outcome.rows[:limit]
    for row in shown:
        yield styled("")
        yield from _row(row, outcome.columns)
    left = outcome.live_count + outcome.masked_count - len(shown)
    if left:
        yield styled("")
        yield styled(f"and {formats.count(left, 'more row')}", ODD)
    right, *others = what_if.reader_views(outcome)
    for reader_view in others:
        yield from _what_if(right, reader_view, len(shown))
    if outcome.notes:
        yield styled("")
    for note in outcome.notes:
        yield styled(str(note), DIM)
    yield styled("")
    yield styled("What became of such rows over all commits: iceberg-explorer show biography TABLE CONDITION", DIM)


def _row(row: MatchedRow, columns: tuple[str, ...]) -> Iterator[Text]:
    sign, colour = ("−", "red") if row.masked else ("●", "bright_blue")
    yield Text.assemble(styled(f"{sign} {_values(row, columns)}", colour), styled(f"  {_place(row)}", DIM))
    yield styled(f"  {row.reason}")
    for delete in row.deletes:
        yield _delete(delete)


def _delete(of: RowDelete) -> Text:
    name_of_delete = styled(f"  {file_name(*of.delete.key)}", "red" if of.masks else "")
    return Text.assemble(name_of_delete, styled(f"  {of.delete.kind}, {of.words}", DIM))


def _what_if(right: ReaderView, other: ReaderView, shown: int) -> Iterator[Text]:
    """The rows that only a wrong reading masks; nothing where it makes no difference."""
    rows = list(zip(right.rows, other.rows, strict=True))[:shown]
    phantoms = [(wrongly.row, wrongly.by) for rightly, wrongly in rows if rightly.seen and wrongly.by]
    if phantoms:
        yield styled("")
        yield styled(other.label, DIM)
    for row, by in phantoms:
        yield Text.assemble(styled(f"  {_place(row)}"), styled(f"  masked by {file_name(*by.delete.key)}", ODD))


def _values(row: MatchedRow, columns: tuple[str, ...]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in zip(columns, row.values, strict=True))


def _place(row: MatchedRow) -> str:
    return f"{file_name(row.file_path)}, row {row.position:,}"


@click.command(
    epilog=examples(
        "iceberg-explorer show why sandbox.lessons.phantom_deletion 'id = 12345'",
        "iceberg-explorer show why lake.shop.orders 'order_id = 7' --at audit",
    )
)
@table
@click.argument("condition")
@click.option("--at", metavar="SNAPSHOT", help="Ask at this snapshot; else at the current one.")
@answers(text="rows, each with the deletes in question", csv="a row per table row and delete", limited="first N rows")
def command(table: str, condition: str, at: str | None, answer: Answer) -> None:
    """Why rows that meet CONDITION are deleted, or are not.

    TABLE is a name in a catalog, a metadata file, or a table's folder; CONDITION is SQL over its columns, as after
    WHERE; SNAPSHOT a number, an id, a branch or a tag.
    """
    with reading(table, "Reading the rows and the deletes"):
        opened = open_table(table, at)
        picture = opened.why(condition, at).read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit))
