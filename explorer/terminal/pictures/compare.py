"""Two points compared in a terminal: relation, columns, settings, files by partition as `git diff --stat`, rows net."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

import click
from rich.text import Text

from ...model import formats
from ...model.compare import words
from ...model.compare.columns import change_words, side_words
from ...model.compare.facts import Comparison
from ...model.compare.figures import Figure
from ...model.compare.files import PartitionDifference
from ...model.compare.rows import KINDS, Kind, NetRows
from ...model.compare.settings import NoState
from ...model.iceberg.inheritance import ContentKind
from ...model.iceberg.partition_changes import Tally
from ...model.iceberg.touched_files import Cost
from ...model.printable import DIM, LOUD, ODD, styled
from ...model.words import UNITS, holds, partition_name
from .. import screen
from ..answer import Answer, answers
from ..opening import open_table, reading
from ..options import examples, identifiers, table

MOST_LINES = 200

_SIGNS: dict[Kind, tuple[str, str]] = {
    "inserted": ("+", "bright_blue"), "updated": ("~", "magenta"), "deleted": ("−", "red"),
}  # fmt: skip


def lines(facts: Comparison, limit: int | None = MOST_LINES) -> Iterator[Text]:
    """The comparison, line by line.

    Args:
        facts: of the two points.
        limit: at most so many partitions, fields, columns, settings and rows each; None for all. A cut is said.
    """
    yield styled(words.title(facts), LOUD)
    yield styled(" · ".join(words.circumstances(facts)))
    yield styled(words.relation(facts))
    yield styled(words.verdict(facts), ODD if facts.verdict == "not read" else "")
    yield from _ways(facts)
    yield from _schema(facts, limit)
    yield from _columns(facts, limit)
    yield from _settings(facts, limit)
    yield from _files(facts, limit)
    if facts.rows is not None:
        yield from _rows(facts.rows, limit)
    yield styled("")
    yield styled("figures", LOUD)
    width = max(len(figure.name) for figure in facts.figures)
    for figure in facts.figures:
        yield styled(f"  {figure.name:<{width}}  {_figure(figure)}")
    yield styled("")
    for note in facts.notes:
        yield styled(str(note), DIM)


def _cut(shown: int, total: int, unit: str) -> Iterator[Text]:
    if shown < total:
        yield styled(f"  and {formats.count(total - shown, f'more {unit}')}", ODD)


def _ways(facts: Comparison) -> Iterator[Text]:
    if not facts.ways:
        return
    yield styled("")
    yield styled(f"to bring {words.left_behind(facts)} to main", LOUD)
    ids = words.short_ids(facts)
    for way in facts.ways:
        yield styled(f"  {words.WORKS[way.works]}  {words.call(way, ids)[0]}: {way.why}")


def _schema(facts: Comparison, limit: int | None) -> Iterator[Text]:
    if not facts.fields:
        return
    yield styled("")
    yield styled("schema, by field id", LOUD)
    shown = facts.fields[:limit]
    for field in shown:
        sides = " → ".join("none" if side is None else side for side in (field.left, field.right))
        yield Text.assemble(
            styled(f"  {field.field_id}  {sides}  "), styled(words.meaning(field, facts), ODD if field.reborn else DIM)
        )
    yield from _cut(len(shown), len(facts.fields), "field")


def _columns(facts: Comparison, limit: int | None) -> Iterator[Text]:
    columns = facts.columns
    if isinstance(columns, str):
        yield styled("")
        yield styled(f"columns, by the statistics of files: not told, {columns}", DIM)
        return
    changed = [column for column in columns if column.differs]
    if not changed:
        return
    yield styled("")
    yield styled("columns, by the statistics of files", LOUD)
    shown = changed[:limit]
    for column in shown:
        sides = " → ".join(side_words(side, column.field) for side in (column.left, column.right))
        yield Text.assemble(styled(f"  {column.field.path}  {sides}  "), styled(change_words(column), DIM))
    yield from _cut(len(shown), len(changed), "column")


def _settings(facts: Comparison, limit: int | None) -> Iterator[Text]:
    holes = [
        f"  unknown at {letter}: {state.reason}"
        for letter, state in zip("AB", facts.states, strict=True)
        if isinstance(state, NoState)
    ]
    if not facts.settings and not holes:
        return
    yield styled("")
    yield styled("spec, sort order, properties, refs", LOUD)
    for hole in holes:
        yield styled(hole, ODD)
    shown = facts.settings[:limit]
    for setting in shown:
        sides = " → ".join("none" if side is None else side or "empty" for side in (setting.left, setting.right))
        style = ODD if setting.changes_behaviour else DIM
        yield Text.assemble(styled(f"  {setting.area} {setting.name}: {sides}  "), styled(words.effect(setting), style))
    yield from _cut(len(shown), len(facts.settings), "setting")


def _files(facts: Comparison, limit: int | None) -> Iterator[Text]:
    partitions = facts.files.partitions
    yield styled("")
    yield styled("files by partition" if partitions else words.files(facts)[0], LOUD)
    if facts.files.why_unknown:
        yield styled(f"  {facts.files.why_unknown}", ODD)
    several = len({of.spec_id for of in partitions}) > 1
    shown = partitions[:limit]
    names = [partition_name(of.spec_id or 0, of.partition or "", with_spec=several) for of in shown]
    width = min(max(map(len, names), default=0), 60)
    for of, name in zip(shown, names, strict=True):
        yield Text.assemble(styled(f"  {name:<{width}}  "), *_stat(of))
    yield from _cut(len(shown), len(partitions), "partition")
    if len(partitions) > 1:
        yield Text.assemble(styled(f"  {'together':<{width}}  "), *_stat(facts.files.totals))


def _stat(of: PartitionDifference) -> Iterator[Text]:
    """`+12 data files +1,200,000 rows | −3 data files −400,000 rows`."""
    sides = [("+", of.right, "bright_blue"), ("−", of.left, "red")]
    told = [styled(", ".join(_sums(sign, side)), colour) for sign, side, colour in sides if side]
    for words_, files in (("under other deletes", of.touched), ("listed otherwise", of.relisted)):
        if files:
            told.append(styled(f"{formats.count(files, 'shared file')} {words_}", ODD))
    for place, part in enumerate(told):
        yield from ([styled(" | ")] if place else [])
        yield part


def _sums(sign: str, tallies: Mapping[ContentKind, Tally]) -> Iterator[str]:
    for kind, unit in UNITS.items():
        if kind in tallies:
            tally = tallies[kind]
            yield f"{sign}{formats.count(tally.files, unit)} {sign}{holds(kind, tally.records)}"


def _rows(rows: NetRows, limit: int | None) -> Iterator[Text]:
    yield styled("")
    carried = f", {rows.carried_over:,} carried over" if rows.carried_over else ""
    yield styled(f"rows, net: {words.net(rows)}{carried}", LOUD)
    by_kind = [pair for kind in KINDS for pair in islice((p for p in rows.sample if p.kind == kind), limit)]
    for pair in by_kind:
        sign, colour = _SIGNS[pair.kind]
        yield styled(f"  {sign} {words.row(pair, rows)}", colour)
    if rows.read and rows.differing:
        yield styled(f"  {len(by_kind):,} of {formats.count(rows.differing, 'row')} in which they differ", DIM)


def _figure(figure: Figure) -> str:
    write = formats.size if figure.unit == "bytes" else formats.count
    change = figure.change
    signed = (
        "unknown" if change is None else "±0" if not change else f"{'+' if change > 0 else '−'}{write(abs(change))}"
    )
    return f"{write(figure.left)} → {write(figure.right)}  {signed}{' (recorded)' if figure.recorded else ''}"


@click.command(
    epilog=examples(
        "iceberg-explorer show compare lake.shop.orders eom-2026-02 main",
        "iceberg-explorer show compare lake.shop.orders '2026-03-14 02:10' main --rows --identifier order_id",
        "iceberg-explorer show compare lake.shop.orders main lake.backup.orders --rows --exit-code",
    )
)
@table
@click.argument("left")
@click.argument("right")
@click.option("--rows", is_flag=True, help="Read the data files that the two do not share: which rows differ.")
@identifiers
@click.option("--swap", is_flag=True, help="Tell it the other way: what going back would do.")
@click.option("--exit-code", is_flag=True, help="End with 0 if the two are equal, with 1 if layout or rows differ.")
@answers(text="what differs, area by area", csv="a row per thing that differs", limited="first N of each area")
def command(
    table: str,
    left: str,
    right: str,
    rows: bool,
    identifiers: tuple[str, ...],
    swap: bool,
    exit_code: bool,
    answer: Answer,
) -> None:
    """What differs between two points of TABLE, LEFT and RIGHT, or between TABLE at LEFT and another table.

    Told along the ancestry, whichever is named first. TABLE is a name in a catalog, a metadata file, or a table's
    folder; LEFT and RIGHT a sequence number, an id, a branch, a tag or a time each; RIGHT may be another table.
    """
    if identifiers and not rows:
        raise click.UsageError("--identifier tells rows apart, so it needs --rows")
    with reading(table, "Reading the manifests of two points"):
        opened = open_table(table, left, right)
        picture = opened.compare(left, right, rows=rows, identifier_columns=identifiers or None, swap=swap)
        cost = picture.cost
    if isinstance(cost, Cost) and cost.files:
        files, size = formats.count(cost.files, "data file"), formats.size(cost.size_in_bytes)
        screen.print_message(f"Reading the rows of {files}, {size}.")
    with reading(opened.name, "Reading what differs"):
        picture.read()
    answer.show(opened, picture, lambda _: lines(picture.facts, answer.limit or MOST_LINES))
    if exit_code and picture.facts.verdict != "equal":
        click.get_current_context().exit(1)
