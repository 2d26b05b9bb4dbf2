"""One commit in a terminal: the finding, the manifests, and its files by partition with what became of their rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import click
from rich.text import Text

from ...model import formats
from ...model.commit import words as commit_words
from ...model.commit.facts import CommitFacts
from ...model.commit.rows import FileRows, Outcomes
from ...model.iceberg.commit import FileChange
from ...model.iceberg.touched_files import Cost
from ...model.printable import DIM, LOUD, ODD, file_name, styled
from ...model.words import holds, partition_name
from .. import screen
from ..answer import Answer, answers
from ..opening import open_table, reading
from ..options import examples, identifiers, table

MOST_FILES = 200

_SIGNS = {"added": ("+", "bright_blue"), "removed": ("−", "red")}
_OUTCOMES = ("carried_over", "inserted", "updated", "deleted")


def lines(facts: CommitFacts, name: str, limit: int | None = MOST_FILES) -> Iterator[Text]:
    """The commit, line by line.

    Args:
        facts: of the commit.
        name: the table's.
        limit: at most so many files; None for all. A cut is said.
    """
    commit, rows = facts.commit, facts.rows
    yield styled(commit_words.title(commit, rows), LOUD)
    yield styled(" · ".join(commit_words.circumstances(commit, rows, name)))
    for contradiction in commit.contradictions:
        yield styled(f"contradiction: {contradiction}", ODD)
    yield styled("")
    if commit.manifests is not None:
        dropped = commit.manifests.dropped
        gone = "" if dropped is None else f", {formats.count(len(dropped))} dropped"
        yield styled(f"manifests  {len(commit.manifests.kept):,} kept, {len(commit.manifests.new):,} new{gone}")
        kept = [
            formats.count(count, f"{what} file")
            for what, count in (("data", commit.kept.data_files), ("delete", commit.kept.delete_files))
            if count is not None
        ]
        yield styled(f"kept       {', '.join(kept) or 'unknown'}")
    of_rows = {(file.path, file.change): file for file in rows.files} if rows is not None else {}
    shown = commit.files if limit is None else commit.files[:limit]
    by_partition = sorted(shown, key=lambda file: (file.entry.spec_id, file.entry.partition, file.change != "removed"))
    specs = {file.entry.spec_id for file in commit.files}
    for (spec_id, partition), files in groupby(by_partition, lambda file: (file.entry.spec_id, file.entry.partition)):
        yield styled("")
        yield styled(partition_name(spec_id, partition, with_spec=len(specs) > 1), LOUD)
        for file in files:
            yield from _file(file, of_rows.get((file.entry.file_path, file.change)))
    if commit.file_count > len(shown):
        yield styled(f"and {formats.count(commit.file_count - len(shown), 'more file')}", ODD)
    yield from _kept(facts)
    closing = commit_words.closing(commit, rows)
    notes = [str(note) for note in (*commit.notes, *(rows.notes if rows else ()))]
    for line in ("", *closing, *notes) if closing or notes else ():
        yield styled(line, "" if line in closing else DIM)


def _file(file: FileChange, of_rows: FileRows | None) -> Iterator[Text]:
    sign, colour = _SIGNS[file.change]
    e = file.entry
    numbers = f"data seq {formats.count(file.resolved.data_sequence_number.value)}"
    numbers += f", file seq {formats.count(file.resolved.file_sequence_number.value)}"
    held = holds(file.kind, e.record_count)
    facts = f"  {file.kind}, {held}, {formats.size(file.size_in_bytes)}, {numbers}"
    yield Text.assemble(styled(f"  {sign} {file_name(e.file_path, e.content_offset)}", colour), styled(facts, DIM))
    if of_rows is not None and (words := _words(of_rows.outcomes)):
        yield styled(f"      {words}")


def _kept(facts: CommitFacts) -> Iterator[Text]:
    """Data files that stayed, some of whose rows did not."""
    if facts.rows is None:
        return
    masked = [file for file in facts.rows.files if file.change == "kept" and (_words(file.outcomes) or file.masked_by)]
    if masked:
        yield styled("")
        yield styled("data files kept, with rows that changed", LOUD)
    for file in masked:
        yield styled(f"  = {file_name(file.path)}")
        yield styled(f"      {_words(file.outcomes)}")
        for mask in file.masked_by:
            yield styled(
                f"      {formats.count(mask.rows, 'row')} masked by {mask.kind} "
                f"{file_name(mask.delete_path, mask.content_offset)}"
            )


def _words(outcomes: Outcomes) -> str:
    counts = [(getattr(outcomes, outcome), outcome.replace("_", " ")) for outcome in _OUTCOMES]
    words = [f"{count:,} {outcome}" for count, outcome in counts if count]
    return ", ".join([*words, *([f"{outcomes.unseen:,} not visible before or after"] if outcomes.unseen else [])])


@click.command(
    epilog=examples(
        "iceberg-explorer show commit sandbox.shop.orders main",
        "iceberg-explorer show commit lake.shop.orders 285 --rows",
        "iceberg-explorer show commit lake.shop.orders audit --rows --identifier order_id",
    )
)
@table
@click.argument("snapshot")
@click.option("--rows", is_flag=True, help="Read the data files it touched: what became of each row.")
@identifiers
@answers(text="files by partition", csv="a row per file", limited="first N files")
def command(table: str, snapshot: str, rows: bool, identifiers: tuple[str, ...], answer: Answer) -> None:
    """What one commit did: files added and removed, manifests, and on request what became of rows.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT a number, an id, a branch or a tag.
    """
    if identifiers and not rows:
        raise click.UsageError("--identifier tells rows apart, so it needs --rows")
    with reading(table, "Reading the table"):
        opened = open_table(table, snapshot)
        picture = opened.commit(snapshot, rows=rows, identifier_columns=identifiers or None)
        cost = picture.cost
    if isinstance(cost, Cost):
        files, size = formats.count(cost.files, "data file"), formats.size(cost.size_in_bytes)
        screen.print_message(f"Reading the rows of {files}, {size}.")
    with reading(opened.name, "Reading the commit"):
        picture.read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit))


@click.command(
    epilog=examples(
        "iceberg-explorer show boundary sandbox.shop.orders eom-2026-02 main",
        "iceberg-explorer show boundary lake.shop.orders 6158 audit --format csv",
    )
)
@table
@click.argument("start")
@click.argument("end")
@answers(text="files by partition", csv="a row per file", limited="first N files")
def boundary(table: str, start: str, end: str, answer: Answer) -> None:
    """The files that only one of two snapshots of TABLE has, as if one commit had led from START to END.

    TABLE is a name in a catalog, a metadata file, or a table's folder; START and END a sequence number, an id,
    a branch or a tag each.
    """
    with reading(table, "Reading the manifests of two snapshots"):
        opened = open_table(table, start, end)
        picture = opened.boundary(start, end).read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit))
