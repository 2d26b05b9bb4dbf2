"""`iceberg-explorer bisect`: which commit changed the answer of a statement."""

from __future__ import annotations

import click

from ..model.bisect import words
from .answer import Answer, answers
from .opening import open_table, reading
from .options import examples, table
from .pictures.bisect import lines

NOTHING_FOUND = 3
"""The exit code where the ends answer alike, or no bad answer follows a good one."""


@click.command(
    epilog=examples(
        "iceberg-explorer show bisect lake.shop.orders 'SELECT count(*) FROM {t} WHERE order_id = 42'",
        "iceberg-explorer show bisect lake.shop.orders 'SELECT count(*) = count(DISTINCT id) FROM {t}' --good 12",
        "iceberg-explorer show bisect lake.shop.orders 'SELECT sum(amount) FROM {t}' --every --format json",
    )
)
@table
@click.argument("sql")
@click.option("--good", metavar="SNAPSHOT", help="The good end, an ancestor of the bad one; else the oldest listed.")
@click.option("--bad", metavar="SNAPSHOT", help="The bad end; else the snapshot of the branch or tag of --ref.")
@click.option("--ref", metavar="REF", default="main", show_default=True, help="Whose line it is: a branch or a tag.")
@click.option("--every", is_flag=True, help="Read every commit that can have changed the answer: tells all changes.")
@answers(text="the finding, and the reads in their order", csv="a row per snapshot", limited="first N reads or rows")
def bisect(table: str, sql: str, good: str | None, bad: str | None, ref: str, every: bool, answer: Answer) -> None:
    """Which commit changed the answer of SQL, found by halving the line of commits.

    SQL is one SELECT, or WITH … SELECT, that gives one value, with {t} for the table. Of true and false, true is good;
    of other values, the one at the good end is. SNAPSHOT is a sequence number, an id, a branch or a tag.

    Ends with 0 if a commit, or a range of commits, was found; with 3 if there is nothing to find between the ends; with
    1 if it cannot be asked.
    """
    with reading(table, "Reading the table"):
        opened = open_table(table, good, bad, ref)
        picture = opened.bisect(sql, good, bad, ref, every=every)
    with reading(opened.name, "Looking which commits can have changed the answer"):
        price = picture.price
    with reading(opened.name, f"Asking {words.price(price)}"):
        picture.read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit))
    if picture.facts.change is None:
        click.get_current_context().exit(NOTHING_FOUND)
