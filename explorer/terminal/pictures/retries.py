"""The attempts of commits in a terminal: every commit that was retried, and to whom it lost."""

from __future__ import annotations

from collections.abc import Iterator

import click
from rich.text import Text

from ...model import formats
from ...model.printable import DIM, LOUD, ODD, file_name, styled
from ...model.retries import words as retries_words
from ...model.retries.facts import Attempt, Retries
from ..answer import Answer, answers
from ..once import Once
from ..opening import open_table, reading
from ..options import examples, table

MOST_COMMITS = 200


def lines(retries: Retries, name: str, limit: int | None = MOST_COMMITS) -> Iterator[Text]:
    """The commits that lost at least once, newest last, line by line.

    Args:
        retries: of the table.
        name: the table's.
        limit: at most so many commits, the newest; None for all. A cut is said.
    """
    yield styled(retries_words.title(retries), LOUD)
    yield styled(" · ".join(retries_words.circumstances(retries, name)))
    retried = retries.retried
    shown = retried if limit is None else retried[-limit:]
    if len(shown) < len(retried):
        yield styled(f"the newest {len(shown):,} of {formats.count(len(retried), 'retried commit')}", ODD)
    once = Once()
    for attempt in shown:
        yield styled("")
        yield from _attempt(attempt, once)
    yield styled("")
    for note in retries.notes:
        yield styled(str(note), DIM)


def _attempt(attempt: Attempt, once: Once) -> Iterator[Text]:
    s = attempt.snapshot
    at = formats.instant(s.committed_at)
    yield styled(f"{s.sequence_number:,}  {s.snapshot_id}  {s.operation or ''}  {at}  attempt {attempt.attempt}", LOUD)
    for rival in attempt.rivals:
        at = formats.instant(rival.committed_at)
        yield styled(f"  lost to  {rival.sequence_number:,}  {rival.snapshot_id}  {rival.operation or ''}  {at}")
    for origin in attempt.origins or ():
        word = {True: "reused", False: "written again", None: "either"}[origin.before]
        yield Text.assemble(
            styled(f"  {word:<13}  {file_name(origin.manifest.path)}"), styled(f"  {once.say(origin.reason)}", DIM)
        )
    for note in attempt.notes:
        yield styled(f"  {note.certainty}: {note.about}. {once.say(note.reason)}", DIM)


@click.command(
    epilog=examples(
        "iceberg-explorer show retries sandbox.lessons.concurrent_writers",
        "iceberg-explorer show retries lake.shop.orders --format json",
    )
)
@table
@answers(text="commits that were retried, and to whom they lost", csv="a row per snapshot", limited="newest N commits")
def command(table: str, answer: Answer) -> None:
    """How often each commit of TABLE was tried, who was faster, and what was written again.

    TABLE is a name in a catalog, a metadata file, a table's folder, or a bundle.
    """
    with reading(table, "Reading the manifest lists"):
        opened = open_table(table)
        picture = opened.retries().read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit))
