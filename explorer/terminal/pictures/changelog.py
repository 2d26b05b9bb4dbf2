"""A changelog in a terminal: what each commit of the range did to rows, and the first of the rows."""

from __future__ import annotations

from collections.abc import Iterator

import click
from rich.text import Text

from ...model import formats
from ...model.changelog import story
from ...model.changelog import words as changelog_words
from ...model.changelog.facts import MODES, ChangedRow, Changelog, CommitCounts, Mode
from ...model.iceberg.commit_range import NumberedCommit
from ...model.printable import DIM, LOUD, ODD, styled
from ..answer import Answer, answers
from ..once import Once
from ..opening import open_table, reading
from ..options import examples, identifiers, table

MOST_ROWS = 200

_SIGNS = {
    "INSERT": ("+", "bright_blue"),
    "DELETE": ("−", "red"),
    "UPDATE_BEFORE": ("<", "magenta"),
    "UPDATE_AFTER": (">", "magenta"),
}


def lines(changelog: Changelog, name: str, limit: int | None = MOST_ROWS) -> Iterator[Text]:
    """The changelog, line by line.

    Args:
        changelog: with its counts and first rows.
        name: the table's.
        limit: at most so many rows; None for all that the changelog holds. A cut is said.
    """
    yield styled(changelog_words.title(changelog), LOUD)
    yield styled(f"{name} · {changelog.mode} · {formats.count(len(changelog.range.commits), 'commit')}")
    yield styled("")
    unread = {lost.commit.snapshot.snapshot_id: lost.reason for lost in changelog.unread}
    once = Once()
    for commit in changelog.range.commits:
        snapshot_id = commit.snapshot.snapshot_id
        counts = (changelog.counts or {}).get(snapshot_id)
        yield _commit(commit, counts, unread.get(snapshot_id), once)
    shown = changelog.rows if limit is None else changelog.rows[:limit]
    if shown:
        yield styled("")
    for i, row in enumerate(shown):
        is_told = story.told_by_other(row) and not row.carried_over and i + 1 < len(shown)
        if not is_told:  # by its other side, which follows it
            yield _row(row)
    total = changelog.row_count or 0
    if total > len(shown):
        yield styled(f"and {formats.count(total - len(shown), 'more row')}: ask for CSV or JSON", ODD)
    for note in changelog.notes:
        yield styled(str(note), DIM)


def _commit(commit: NumberedCommit, counts: CommitCounts | None, unread: str | None, once: Once) -> Text:
    ordinal = "  –" if commit.ordinal is None else f"{commit.ordinal:>3}"
    s = commit.snapshot
    head = f"{ordinal}  {s.sequence_number:>5,}  {s.snapshot_id}  {s.operation or '':<9}  "
    if unread is not None:
        return Text.assemble(styled(head), styled(f"unknown: {once.say(unread) or 'as above'}", ODD))
    if commit.ordinal is None:
        return styled(f"{head}no rows: files were rewritten, rows were not", DIM)
    if counts is None:
        return styled(f"{head}no row", DIM)
    words = [f"{count:,} {kind}" for kind, count in counts.rows.items()]
    words += [f"{counts.carried_over:,} carried over"] if counts.carried_over else []
    return styled(head + ", ".join(words))


def _row(row: ChangedRow) -> Text:
    sign, colour = _SIGNS[row.change_type]
    ordinal = "  –" if row.ordinal is None else f"{row.ordinal:>3}"
    carried = "  (carried over)" if row.carried_over else ""
    sign, words = ("→", f"{row.key}  {story.told(row)}") if row.changed else (sign, row.text)
    return Text.assemble(styled(f"{ordinal}  "), styled(f"{sign} {words}", colour), styled(carried, DIM))


@click.command(
    epilog=examples(
        "iceberg-explorer show changelog sandbox.shop.orders --from eom-2026-02",
        "iceberg-explorer show changelog lake.shop.orders --to audit --mode net",
        "iceberg-explorer show changelog lake.shop.orders --mode updates --identifier order_id --format csv",
    )
)
@table
@click.option("--from", "start", metavar="SNAPSHOT", help="Commits after this one; else all that are known.")
@click.option("--to", "end", metavar="SNAPSHOT", help="Up to and with this one; else the current snapshot.")
@click.option(
    "--mode",
    type=click.Choice(list(MODES)),
    default="changes",
    show_default=True,
    help="raw: with rows only carried over; changes: without; updates: in pairs; net: over the whole range; "
    "ownership: live rows, each with the commit that owns it.",
)
@identifiers
@answers(text="counts by commit, and rows", csv="a row per changed row", limited="first N rows")
def command(
    table: str, start: str | None, end: str | None, mode: Mode, identifiers: tuple[str, ...], answer: Answer
) -> None:
    """The rows that the commits of TABLE between two snapshots changed, for every format and write mode.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT a number, an id, a branch or a tag.
    """
    with reading(table, "Reading the rows of the commits"):
        opened = open_table(table, start, end)
        picture = opened.changelog(start, end, mode, identifier_columns=identifiers or None).read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit))
