"""The sequence timeline in a terminal: every file by partition, its life as a line, and both its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import click
from rich.text import Text

from ...model import formats
from ...model.printable import DIM, LOUD, ODD, file_name, styled
from ...model.sequence_timeline import verdicts as sequence_timeline_verdicts
from ...model.sequence_timeline import words as sequence_timeline_words
from ...model.sequence_timeline.facts import Band, FileLifetime, Front, Timeline
from ...model.sequence_timeline.scopes import Scopes, number
from ...model.sequence_timeline.words import Names
from ...model.words import UNITS, holds, partition_name
from ..answer import Answer, answers
from ..once import Once
from ..opening import open_table, reading
from ..options import examples, table
from .sequence_timeline_axis import KEY, STEPS_KEY, Axis

_PARTITIONS = 50  # that are told in sums, where files are too many
_WIDEST, _NARROWEST = 48, 16  # signs of a life
_FRONTS = 4  # of a partition, by kind and number
_TAIL = 20  # letters of a file's name, where it has no room
_KINDS = {"position deletes": "pos ≤", "equality deletes": "eq <", "deletion vector": "DV ≤"}


def lines(timeline: Timeline, name: str, limit: int | None = None, *, width: int | None = None) -> Iterator[Text]:
    """The files, line by line; live ones with `●`.

    Args:
        timeline: of a table.
        name: the table's.
        limit: at most so many files; None for all that are told one by one. A cut is said, and then the partitions
            without a file are told in sums.
        width: of the terminal; lives and names are shorter where there is less. None: as long as they get.
    """
    scopes = Scopes(timeline)
    names: Names = {file.key: file_name(*file.key) for file in timeline.files}
    yield styled(sequence_timeline_words.title(scopes, names), LOUD)
    yield styled(" · ".join(sequence_timeline_words.circumstances(scopes, name, names, None)))
    worst_first = sorted(timeline.bands, key=lambda band: band.badness, reverse=True)
    bands = {(band.spec_id, band.partition): band for band in worst_first}
    with_spec = len({spec_id for spec_id, _ in bands}) > 1
    shown = timeline.files if limit is None else timeline.files[:limit]
    axis = Axis(timeline, _WIDEST if width is None else max(min(_WIDEST, width // 3), _NARROWEST))
    once = Once()
    if width is not None:
        names = _tails(names)
    if shown:
        yield styled("")
        yield styled(KEY, DIM)
        yield Text.assemble("    ", axis.scale())
    for place, ((spec_id, partition), files) in enumerate(groupby(shown, lambda file: (file.spec_id, file.partition))):
        if place:
            yield styled("")
        band = bands.pop((spec_id, partition), None)
        partition_words = partition_name(spec_id, partition, with_spec=with_spec)
        yield Text.assemble(styled(partition_words, LOUD), styled(f"  {_sums(band)}" if band else "", DIM))
        for file in files:
            yield _file(scopes, axis, names, file, once)
    if len(shown) < timeline.file_count:
        yield from _in_sums(axis, list(bands.values()), timeline.file_count - len(shown), with_spec=with_spec)
    if timeline.notes:
        yield styled("")
    for note in timeline.notes:
        yield styled(str(note), DIM)


def _tails(names: Names) -> Names:
    """The ends of the names, as long as it takes to tell them apart; whole names where that is all of one."""
    distinct = len(set(names.values()))
    longest = max(map(len, names.values()), default=0)
    for length in range(_TAIL, longest):
        tails = {key: name if len(name) <= length + 1 else f"…{name[-length:]}" for key, name in names.items()}
        if len(set(tails.values())) == distinct:
            return tails
    return names


def _file(scopes: Scopes, axis: Axis, names: Names, file: FileLifetime, once: Once) -> Text:
    sign = "?" if file.is_live is None else "●" if file.is_live else "○"
    remark = sequence_timeline_verdicts.remark(scopes, names, file, None)
    words = remark.words[-1] if remark.tone == "unknown" and not once.say(remark.words[0]) else remark.words[0]
    threshold = f"  {_KINDS[file.kind]} {number(file.data_sequence_number)}" if file.kind in _KINDS else ""
    facts = f"  {UNITS[file.kind]}, {holds(file.kind, file.record_count)}, "
    facts += f"data seq {number(file.data_sequence_number)}, file seq {number(file.file_sequence_number)}"
    colour = "bright_blue" if file.kind == "data" else "red"
    return Text.assemble(
        styled(f"  {sign} {axis.life(file)}  {names[file.key]}", colour if file.is_live else ""),
        styled(threshold, "" if not file.is_live else colour),
        styled(facts, DIM),
        styled(f"  {words}", ODD if remark.tone == "attention" else ""),
    )


def _in_sums(axis: Axis, bands: Sequence[Band], files: int, *, with_spec: bool) -> Iterator[Text]:
    """The partitions of which no file is told, each in a line."""
    yield styled("")
    yield styled(f"and {formats.count(files, 'more file')}", ODD)
    if bands:
        yield styled(STEPS_KEY, DIM)
        yield Text.assemble("    ", axis.scale())
    for band in bands[:_PARTITIONS]:
        place = partition_name(band.spec_id, band.partition, with_spec=with_spec)
        fronts = ", ".join(_front(front) for front in band.fronts[:_FRONTS])
        more = f", {len(band.fronts) - _FRONTS:,} more" if len(band.fronts) > _FRONTS else ""
        yield Text.assemble(
            styled(f"    {axis.steps(band)}"),
            styled(f"  {place}"),
            styled(f"  {fronts}{more}" if fronts else "", "red"),
            styled(f"  {_sums(band)}", DIM),
        )
    if len(bands) > _PARTITIONS:
        yield styled(f"  and {formats.count(len(bands) - _PARTITIONS, 'more partition')}", ODD)


def _front(front: Front) -> str:
    times = f" ×{front.files:,}" if front.files > 1 else ""
    return f"{_KINDS[front.kind]} {formats.count(front.data_sequence_number)}{times}"


def _sums(band: Band) -> str:
    live = formats.count(band.live_data_files, "live data file")
    counts = f"{live}, {formats.count(band.live_delete_files, 'live delete')}"
    parts = [f"{n:,} {words}" for n, words in ((band.dangling, "reach nothing"), (band.unknown, "not known")) if n]
    return ", ".join([counts, *parts])


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

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT a number, an id, a branch or a tag.
    """
    with reading(table, "Reading the manifests of all snapshots"):
        opened = open_table(table, as_of)
        picture = opened.sequence_timeline(as_of).read()
    answer.show(opened, picture, lambda width: lines(picture.facts, opened.name, answer.limit, width=width))
