"""The sequence timeline in a terminal: every file by partition, from birth to removal, with both its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import click
from rich.text import Text

from ...model import formats
from ...model.printable import DIM, LOUD, ODD, file_name, styled
from ...model.sequence_timeline import verdicts as sequence_timeline_verdicts
from ...model.sequence_timeline import words as sequence_timeline_words
from ...model.sequence_timeline.facts import Band, FileLifetime, Timeline
from ...model.sequence_timeline.scopes import Scopes, number
from ...model.sequence_timeline.words import Names
from ...model.words import UNITS, holds, partition_name
from ...table import Table
from .. import screen
from ..answer import Answer, answers
from ..options import examples, table

_PARTITIONS = 50  # that are told in sums, where files are too many


def lines(timeline: Timeline, name: str, limit: int | None = None) -> Iterator[Text]:
    """The files, line by line; live ones with `●`.

    Args:
        timeline: of a table.
        name: the table's.
        limit: at most so many files; None for all that are told one by one. A cut is said, and then the partitions
            without a file are told in sums.
    """
    scopes, names = Scopes(timeline), {file.key: file_name(*file.key) for file in timeline.files}
    yield styled(sequence_timeline_words.title(scopes, names), LOUD)
    yield styled(" · ".join(sequence_timeline_words.circumstances(scopes, name, names, None)))
    bands = {(band.spec_id, band.partition): band for band in sequence_timeline_words.worst_first(timeline)}
    with_spec = len({spec_id for spec_id, _ in bands}) > 1
    shown = timeline.files if limit is None else timeline.files[:limit]
    for (spec_id, partition), files in groupby(shown, lambda file: (file.spec_id, file.partition)):
        yield styled("")
        place = partition_name(spec_id, partition, with_spec=with_spec)
        band = bands.pop((spec_id, partition), None)
        yield Text.assemble(styled(place, LOUD), styled(f"  {_sums(band)}" if band else "", DIM))
        for file in files:
            yield _file(scopes, names, file)
    if len(shown) < timeline.file_count:
        yield styled("")
        yield styled(f"and {formats.count(timeline.file_count - len(shown), 'more file')}", ODD)
        for (spec_id, partition), band in list(bands.items())[:_PARTITIONS]:
            place = partition_name(spec_id, partition, with_spec=with_spec)
            yield Text.assemble(styled(f"  {place}"), styled(f"  {_sums(band)}", DIM))
        if len(bands) > _PARTITIONS:
            yield styled(f"  and {formats.count(len(bands) - _PARTITIONS, 'more partition')}", ODD)
    if timeline.notes:
        yield styled("")
    for note in timeline.notes:
        yield styled(str(note), DIM)


def _file(scopes: Scopes, names: Names, file: FileLifetime) -> Text:
    sign = "?" if file.is_live is None else "●" if file.is_live else "○"
    remark = sequence_timeline_verdicts.remark(scopes, names, file, None)
    facts = f"  {UNITS[file.kind]}, {holds(file.kind, file.record_count)}, "
    facts += f"data seq {number(file.data_sequence_number)}, file seq {number(file.file_sequence_number)}"
    colour = "bright_blue" if file.kind == "data" else "red"
    return Text.assemble(
        styled(f"  {sign} {names[file.key]}", colour if file.is_live else ""),
        styled(facts, DIM),
        styled(f"  {remark.words[0]}", ODD if remark.tone == "attention" else ""),
    )


def _sums(band: Band) -> str:
    live = formats.count(band.live_data_files, "live data file")
    counts = f"{live}, {formats.count(band.live_delete_files, 'live delete')}"
    return f"{counts}, {band.dangling:,} dangling" if band.dangling else counts


@click.command(
    epilog=examples(
        "iceberg-explorer show sequence-timeline sandbox.lessons.compaction",
        "iceberg-explorer show sequence-timeline lake.shop.orders --as-of eom-2026-02",
    )
)
@table
@click.option("--as-of", metavar="SNAPSHOT", help="Tell what is live at this snapshot; else at the current one.")
@answers(text="files by partition, from birth to removal", csv="a row per file", limited="first N files")
def command(table: str, as_of: str | None, answer: Answer) -> None:
    """Every data and delete file of TABLE over its whole history, with both its sequence numbers.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT an id, a branch or a tag.
    """
    with screen.waiting("Reading the manifests of all snapshots"):
        opened = Table.open(table)
        picture = opened.sequence_timeline(as_of).read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit))
