"""The entries of a snapshot in a terminal: each manifest with its row of the list, what it stores and is read as."""

from __future__ import annotations

from collections.abc import Iterator

import click
from rich.text import Text

from ...model import formats
from ...model.entries import words as entries_words
from ...model.entries.facts import Entries, ManifestEntries, ReadEntry
from ...model.entries.group import Group
from ...model.iceberg.inheritance import Status, Value
from ...model.printable import DIM, LOUD, ODD, file_name, styled
from ..answer import Answer, answers
from ..opening import open_table, reading
from ..options import examples, table

MOST_ENTRIES = 200

_COLOURS = {Status.ADDED: "bright_blue", Status.EXISTING: "", Status.DELETED: "red"}


def lines(entries: Entries, name: str, limit: int | None = MOST_ENTRIES) -> Iterator[Text]:
    """The entries, line by line: number stored, an arrow, number as read.

    Args:
        entries: of a snapshot.
        name: the table's.
        limit: at most so many entries; None for all that were read. Manifests without room are counted.
    """
    yield styled(entries_words.title(entries), LOUD)
    yield styled(" · ".join(entries_words.circumstances(entries, name)))
    for contradiction in entries.contradictions:
        yield styled(f"contradiction: {contradiction}", ODD)
    left = entries.entry_count if limit is None else limit
    for manifest in entries.manifests:
        yield styled("")
        yield from _manifest(manifest)
        shown = min(len(manifest.entries), max(left, 0))
        for read in manifest.entries[:shown]:
            yield _entry(read)
        left -= shown
        if not manifest.unreadable and shown < (manifest.entry_count or 0):
            more = formats.count((manifest.entry_count or 0) - shown, "more entry")
            yield styled(f"  {more}; all of them:" if shown else f"  {more}:", ODD)
            for group in manifest.groups:
                yield _group(group)
    yield styled("")
    for sentence in entries_words.closing(entries):
        yield styled(sentence)
    for note in entries.notes:
        yield styled(str(note), DIM)


def _manifest(of: ManifestEntries) -> Iterator[Text]:
    row = of.manifest
    numbers = f"sequence number {formats.count(row.sequence_number)}, smallest {formats.count(row.min_sequence_number)}"
    if row.first_row_id is not None:
        numbers += f", first row id {row.first_row_id:,}"
    head = styled(file_name(row.path), LOUD)
    yield Text.assemble(head, styled(f"  {entries_words.manifest_words(of)}, {numbers}", DIM))
    if of.unreadable:
        yield styled(f"  cannot be read: {of.unreadable}", ODD)


def _entry(read: ReadEntry) -> Text:
    entry, resolved, status = read.entry, read.resolved, Status(read.entry.status)
    data = _arrow(entry.stored_sequence_number, resolved.data_sequence_number)
    file = _arrow(entry.stored_file_sequence_number, resolved.file_sequence_number)
    facts = f"  data {data}, file {file}"
    if resolved.first_row_id.value is not None:
        facts += f", first row id {_arrow(entry.stored_first_row_id, resolved.first_row_id)}"
    path = file_name(entry.file_path, entry.content_offset)
    return Text.assemble(styled(f"  {status.name:<8}  {path}", _COLOURS[status]), styled(facts, DIM))


def _group(group: Group) -> Text:
    shown = f"  {group.status.name:<8}  {formats.count(group.count, 'entry')}, {formats.count(group.rows, 'row')}"
    numbers = f"  data {_read_as(group.data_sequence_number)}, file {_read_as(group.file_sequence_number)}"
    return Text.assemble(styled(shown, _COLOURS[group.status]), styled(numbers, DIM))


def _arrow(stored: int | None, value: Value) -> str:
    if stored is not None and stored == value.value:
        return f"{stored:,}"
    return f"{'null' if stored is None else f'{stored:,}'} → {formats.count(value.value)}"


def _read_as(value: Value) -> str:
    if value.rule == "stored":
        return "various" if value.value is None else f"{value.value:,}"
    return f"null → {formats.count(value.value)}"


@click.command(
    epilog=examples(
        "iceberg-explorer show entries sandbox.lessons.rollback",
        "iceberg-explorer show entries lake.shop.orders audit --format csv",
        "iceberg-explorer show entries lake.shop.orders --file s3://lake/orders/data/00000-1.parquet",
    )
)
@table
@click.argument("snapshot", required=False)
@click.option("--manifest", metavar="LOCATION", help="Only the entries of this manifest.")
@click.option("--file", "file", metavar="LOCATION", help="Only the entries of this data or delete file.")
@answers(text="manifests with their entries", csv="a row per entry", limited="first N entries")
def command(table: str, snapshot: str | None, manifest: str | None, file: str | None, answer: Answer) -> None:
    """The entries of the manifests of SNAPSHOT: the numbers stored, and those that a reader fills in.

    TABLE is a name in a catalog, a metadata file, or a table's folder; SNAPSHOT a number, an id, a branch or a tag,
    else the current one.
    """
    if manifest and file:
        raise click.UsageError("--manifest or --file: one of them")
    with reading(table, "Reading the manifests"):
        opened = open_table(table, snapshot)
        picture = opened.entries(snapshot, manifest=manifest, file=file).read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, answer.limit))
