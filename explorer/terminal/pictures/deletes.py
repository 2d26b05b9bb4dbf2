"""The deletes of a snapshot in a terminal: each with the data files it reaches, and the clause that decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import click
from rich.text import Text

from ...model import formats
from ...model.deletes import partition_words
from ...model.deletes import words as deletes_words
from ...model.deletes.facts import Deletes, LiveDelete, Pair
from ...model.iceberg.delete_scope import DeleteKey
from ...model.partition_rows import page_words, shown
from ...model.printable import DIM, LOUD, ODD, file_name, styled
from ..answer import Answer, answers
from ..opening import open_table, reading
from ..options import examples, table

_PARTITIONS = 50
_ODD_STATES = ("dangling", "corrupt", "unknown")


def lines(deletes: Deletes, name: str, limit: int | None = None, *, ruled_out: bool = False) -> Iterator[Text]:
    """The deletes, line by line.

    Args:
        deletes: of a snapshot.
        name: the table's.
        limit: at most so many data files, told below their delete; None for all that are told one by one. A cut is
            said.
        ruled_out: the data files too that a delete does not reach.
    """
    yield styled(deletes_words.title(deletes), LOUD)
    yield styled(" · ".join(deletes_words.circumstances(deletes, name)))
    pairs: dict[DeleteKey, list[Pair]] = defaultdict(list)
    for pair in deletes.pairs:
        if ruled_out or pair.verdict.applies is not False:
            pairs[pair.delete].append(pair)
    left, shown = len(deletes.deletes) + len(deletes.pairs) if limit is None else limit, 0
    for live in deletes.deletes:
        if left <= 0:
            break
        of_delete = pairs[live.file.key]
        yield styled("")
        yield from _delete(live, deletes.data_file_count)
        for pair in of_delete[:left]:
            yield _pair(pair)
        if len(of_delete) > left:
            yield styled(f"  and {formats.count(len(of_delete) - left, 'more data file')}", ODD)
        left, shown = left - max(1, len(of_delete)), shown + 1
    if shown < deletes.delete_count:
        yield styled("")
        yield styled(f"and {formats.count(deletes.delete_count - shown, 'more delete')}", ODD)
        yield from _partitions(deletes)
    yield styled("")
    for sentence in deletes_words.closing(deletes):
        yield styled(sentence)
    for note in deletes.notes:
        yield styled(str(note), DIM)


def _partitions(deletes: Deletes) -> Iterator[Text]:
    """All deletes by partition, where they are too many to be told one by one."""
    if len(deletes.deletes) == deletes.delete_count:
        return
    page = shown(deletes.by_partition, _PARTITIONS)
    units = deletes.naming.unit
    yield styled(f"all of them, {page_words(page, units, partition_words.TOLD)}, worst first:")
    for row in page.page:
        yield from _sums(deletes.naming.names(row)[0], partition_words.counts(deletes, [row]), partition_words.why(row))
    for told in partition_words.sums(deletes, page):
        yield from _sums(f"{told.name} {told.words}".strip(), told.counts, told.besides)


def _sums(name: str, counts: partition_words.Counts, why: str) -> Iterator[Text]:
    facts = f"{counts.equality} eq, {counts.positions} pos or DV: {counts.reach} reach, {counts.nothing} nothing"
    because = f" ({why})" if why else ""
    yield Text.assemble(styled(f"  {name}"), styled(f"  {facts}{because}; {counts.files} data files", DIM))


def _delete(live: LiveDelete, data_files: int) -> Iterator[Text]:
    what, comes_to, *out = deletes_words.about_delete(live, data_files)
    yield styled(file_name(live.file.file_path, live.file.content_offset), LOUD)
    yield styled(f"  {what}", DIM)
    yield styled(f"  {comes_to}", ODD if live.state in _ODD_STATES else "")
    for line in out:
        yield styled(f"  {line}", DIM)


def _pair(pair: Pair) -> Text:
    verdict = pair.verdict
    sign, colour = {True: ("●", "red"), False: ("○", ""), None: ("?", ODD)}[verdict.applies]
    return Text.assemble(
        styled(f"  {sign} {file_name(pair.data_path)}", colour),
        styled(f"  {verdict.decided_by}: {verdict.reason}", DIM),
    )


@click.command(
    epilog=examples(
        "iceberg-explorer show deletes sandbox.lessons.phantom_deletion",
        "iceberg-explorer show deletes lake.shop.orders audit --ruled-out",
        "iceberg-explorer show deletes lake.shop.orders --format csv -o deletes.csv",
    )
)
@table
@click.argument("snapshot", required=False)
@click.option(
    "--ruled-out", is_flag=True, help="The data files too that a delete does not reach, each with the clause."
)
@answers(
    text="deletes with the data files they reach", csv="a row per delete and data file", limited="first N data files"
)
def command(table: str, snapshot: str | None, ruled_out: bool, answer: Answer) -> None:
    """The live deletes of SNAPSHOT, the data files that each reaches, and the clause that decides.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT a number, an id, a branch or a tag,
    else the current one.
    """
    with reading(table, "Reading the manifests"):
        opened = open_table(table, snapshot)
        picture = opened.deletes(snapshot, ruled_out=ruled_out).read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit, ruled_out=ruled_out))
