"""Comparisons to draw, each written down by what differs, so that a picture can be judged by eye and by test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from explorer.model.compare.columns import ColumnFigures, ColumnSide
from explorer.model.compare.evidence import notes
from explorer.model.compare.facts import Comparison, Named, Point
from explorer.model.compare.fields import FieldChange
from explorer.model.compare.figures import Figure
from explorer.model.compare.files import FileDifference, PartitionDifference
from explorer.model.compare.rows import NetRows, RowPair
from explorer.model.compare.settings import NoState, Setting, TableState
from explorer.model.compare.ways import ways
from explorer.model.iceberg.inheritance import ContentKind
from explorer.model.iceberg.metadata import Ref, Snapshot, TableMetadata
from explorer.model.iceberg.partition_changes import Tally
from explorer.model.iceberg.relation import Relation
from explorer.model.iceberg.schema import SchemaField
from explorer.model.iceberg.touched_files import Cost
from tests.figures.snapshot_graph_stories import BIG_ID

START = datetime(2026, 1, 1, 3, tzinfo=UTC)
EMPTY = TableMetadata.from_json({"format-version": 2, "location": "s3://lake/shop/orders"})
OPERATIONS = "append append append overwrite overwrite replace append append overwrite append delete overwrite replace"


def snapshot(number: int, operation: str = "append", *, v1: bool = False) -> Snapshot:
    at = START + timedelta(hours=7.3 * number)
    own = BIG_ID + number * 9_173
    return Snapshot(own, own - 9_173, 0 if v1 else number, at, operation, MappingProxyType({}), None, 2)


def line(first: int, last: int, operations: str = OPERATIONS) -> tuple[Snapshot, ...]:
    """Commits after `first` up to and with `last`."""
    words = operations.split()
    return tuple(snapshot(n, words[(n - first - 1) % len(words)]) for n in range(first + 1, last + 1))


def point(of: Snapshot, asked: str = "", named: Named = "id", table: str = "lake.shop.orders", **more: Any) -> Point:
    return Point(table, asked or str(of.snapshot_id), named, of, 2, **more)


def ancestor(first: int, last: int, operations: str = OPERATIONS) -> Relation:
    left, commits = snapshot(first), line(first, last, operations)
    return Relation("ancestor", left, commits[-1], left.snapshot_id, left, (), commits)


def data(files: int, rows: int | None = None) -> dict[ContentKind, Tally]:
    return {"data": Tally(files, files * 1_300 if rows is None else rows, files * 400_000)} if files else {}


def day(
    name: str,
    left: int,
    right: int,
    touched: int = 0,
    relisted: int = 0,
    left_deletes: dict[ContentKind, Tally] | None = None,
    right_deletes: dict[ContentKind, Tally] | None = None,
    spec_id: int = 0,
) -> PartitionDifference:
    return PartitionDifference(
        spec_id, name, data(left) | (left_deletes or {}), data(right) | (right_deletes or {}), touched, relisted
    )


def files(partitions: Sequence[PartitionDifference] = (), *, at_least: bool = False, **more: Any) -> FileDifference:
    def summed(sides: Sequence[dict[ContentKind, Tally]]) -> dict[ContentKind, Tally]:
        found: dict[ContentKind, Tally] = {}
        for side in sides:
            for kind, tally in side.items():
                found[kind] = found.get(kind, Tally()) + tally
        return found

    left, right = (summed([dict(getattr(p, side)) for p in partitions]) for side in ("left", "right"))
    touched, relisted = (sum(getattr(p, what) for p in partitions) for what in ("touched", "relisted"))
    differing = [side["data"] for side in (left, right) if "data" in side]
    price = Cost(sum(t.files for t in differing) + touched, sum(t.size_in_bytes for t in differing), 18_204, at_least)
    known = {"shared_data_files": 133, "shared_delete_files": 12, "certain": None} | more
    return FileDifference(
        tuple(partitions), PartitionDifference(None, None, left, right, touched, relisted), price=price, **known
    )


def figures(left: Sequence[int | None], right: Sequence[int | None]) -> tuple[Figure, ...]:
    names = (
        "rows in data files", "data files", "delete files", "positions and keys in delete files", "bytes of files",
        "data manifests", "delete manifests", "bytes of manifests",
    )  # fmt: skip
    sides = zip(names, left, right, strict=True)
    return tuple(Figure(name, a, b, "bytes" if name.startswith("bytes") else "") for name, a, b in sides)


ONE = (1_493_141, 234, 56, 4_300, 92_000_000, 70, 18, 900_000)
OTHER = (1_546_925, 184, 41, 3_900, 95_100_000, 76, 18, 1_030_000)
KNOWN = TableState("s3://lake/shop/orders/metadata/00238.metadata.json", EMPTY, "")

WEEK = [
    day("ordered_at_day=2026-03-14", 19, 13, 3, right_deletes={"deletion vector": Tally(3, 1_310, 900)}),
    day("ordered_at_day=2026-03-13", 12, 3, 1, 5, right_deletes={"deletion vector": Tally(1, 12, 300)}),
    day("ordered_at_day=2026-03-15", 5, 14, 2, left_deletes={"deletion vector": Tally(2, 40, 600)}),
    day("ordered_at_day=2026-03-11", 14, 1),
    day("ordered_at_day=2026-03-12", 13, 2, 2, right_deletes={"equality deletes": Tally(2, 77, 600)}),
    day("ordered_at_day=2026-03-09", 13, 1),
    day("ordered_at_day=2026-03-10", 12, 1, 1, right_deletes={"position deletes": Tally(1, 9, 300)}),
    day("ordered_at_day=2026-03-08", 13, 0),
    day("ordered_at_day=2026-03-16", 0, 11),
]
FIELDS = (
    FieldChange(4, "amount", "amount decimal(8,2)", "amount decimal(10,2)", ("widened",)),
    FieldChange(2, "customer_name", "customer string", "customer_name string", ("renamed", "moved")),
    FieldChange(8, "channel", None, "channel string", ("added",)),
    FieldChange(9, "status", None, "status string", ("added",), reborn=True),
    FieldChange(5, "note", "note string", None, ("dropped",)),
)
SETTINGS = (
    Setting("partition spec", "default", "spec 0: day(ordered_at)", "spec 1: day(ordered_at), bucket(4, id)"),
    Setting("sort order", "default", "", "ordered_at DESC NULLS LAST"),
    Setting("property", "write.delete.mode", "copy-on-write", "merge-on-read"),
    Setting("property", "comment", None, "owned by shop-data"),
    Setting("ref", "eom-2026-02", None, f"tag at {BIG_ID}"),
)
COLUMNS = ("id", "customer_name", "amount", "status")
SAMPLE = (
    *(RowPair("inserted", None, (str(n), "Zoë", "12.50", "new")) for n in range(900, 908)),
    *(
        RowPair("updated", (str(n), "Ann", "3.00", "paid"), (str(n), "Ann", "3.00" if n % 2 else "4.00", "shipped"))
        for n in range(10, 16)
    ),
    RowPair("deleted", ("7", None, "1.00", "open"), None),
)
ROWS = NetRows(58_220, 5_978, 1, 244_170, "row id", columns=COLUMNS, sample=SAMPLE)


STATISTICS = (
    ColumnFigures(
        SchemaField(4, "status", "string", False), *(ColumnSide(9, 9, 9, 900, n, "new", "void") for n in (0, 300))
    ),
    ColumnFigures(
        SchemaField(3, "amount", "decimal(8, 2)", False),
        ColumnSide(9, 9, 9, 900, 1, Decimal("0.00"), Decimal("999.99")),
        ColumnSide(9, 7, 7, 700, 1, Decimal("-5.00"), Decimal("123456.78")),
    ),
    ColumnFigures(
        SchemaField(9, "a_rather_long_name_of_a_column_that_was_added", "string", False),
        None,
        ColumnSide(9, 9, 9, 900, 900, "x" * 40, "y" * 40),
    ),
    ColumnFigures(SchemaField(1, "id", "long", True), *(ColumnSide(9, 9, 9, 900, 0, 1, 59) for _ in range(2))),
)


def told(relation: Relation | None = None, /, **known: Any) -> Comparison:
    """The comparison of the mock, with what is known otherwise."""
    relation = ancestor(238, 251) if relation is None else relation
    facts: dict[str, Any] = {
        "left": point(relation.left),
        "right": point(relation.right),
        "relation": relation,
        "fields": FIELDS,
        "field_count": 8,
        "hidden": (),
        "states": (KNOWN, KNOWN),
        "settings": SETTINGS,
        "specs": (frozenset({0}), frozenset({0, 1})),
        "files": files(WEEK),
        "figures": figures(ONE, OTHER),
        "columns": STATISTICS,
        "rows": ROWS,
    } | known
    comparison = Comparison(**facts)
    return replace(comparison, notes=notes(comparison, None))


def diverged() -> Comparison:
    base, left, right = snapshot(128), line(128, 141)[::4], line(141, 292)
    relation = Relation("diverged", left[-1], right[-1], base.snapshot_id, base, left, right)
    sides = point(left[-1], "audit", "branch", is_head=True), point(right[-1], "main", "branch", is_head=True)
    main = right[-1].snapshot_id
    refs = {"main": Ref("main", "branch", main), "audit": Ref("audit", "branch", left[-1].snapshot_id)}
    of_main = ways(replace(EMPTY, snapshots=(base, *left, *right), refs=refs, current_snapshot_id=main), relation)
    return told(relation, left=sides[0], right=sides[1], rows=None, fields=(), settings=(), ways=of_main)


def base_expired() -> Comparison:
    left, right = line(128, 130), line(130, 133)
    relation = Relation("diverged", left[-1], right[-1], BIG_ID + 77, None, left, right)
    return told(relation, fields=(), settings=(), states=(NoState("The log goes back to 2026-03-01."), KNOWN))


def same() -> Comparison:
    one = snapshot(7)
    relation = Relation("same", one, one, one.snapshot_id, one, (), ())
    return told(
        relation,
        left=point(one, "main", "branch", is_head=True),
        right=point(one, "2026-03-14 02:10", "time", at=START, since=one.committed_at),
        files=files(), fields=(), settings=(), rows=NetRows(0, 0, 0, read=False), figures=figures(ONE, ONE),
    )  # fmt: skip


def apart(kind: Any) -> Comparison:
    left, right = snapshot(3), snapshot(9)
    return told(Relation(kind, left, right, None, None, (), ()), fields=(), settings=(), rows=None)


def layout() -> Comparison:
    """A compaction: equal rows in fewer files, of a version 1 table without numbers."""
    left, right = snapshot(4, v1=True), snapshot(5, "replace", v1=True)
    relation = Relation("ancestor", left, right, left.snapshot_id, left, (), (right,))
    rows = NetRows(0, 0, 0, 128_700, "none", columns=COLUMNS)
    days = [day(f"day=2026-03-{n:02d}", 11, 1) for n in range(1, 10)]
    return told(relation, files=files(days), rows=rows, fields=(), settings=())


def two_tables() -> Comparison:
    facts = told(files=files([day("", 3, 2)], shared_delete_files=None))
    copy = replace(facts.right, table="lake.backup.orders_copy", asked="lake.backup.orders_copy", named="table")
    found = replace(facts, relation=None, right=copy, rows=NetRows(0, 0, 12, 400, columns=COLUMNS))
    return replace(found, notes=notes(found, None))


def way_back() -> Comparison:
    return told(ancestor(238, 251).turned())


def unread() -> Comparison:
    hole = NoState("Properties have no versions by snapshot, and the log of metadata files names no earlier file.")
    return told(rows=None, states=(hole, hole), settings=(), files=files(WEEK, at_least=True))


def files_unknown() -> Comparison:
    why = "The manifest list of 4711: The file does not exist."
    unread = "a file of the metadata that tells of them cannot be read"
    known = figures((None,) * 4 + ONE[4:5] + (None,) * 3, OTHER)
    return told(rows=None, files=FileDifference.unknown(why), figures=known, columns=unread)


def appended() -> Comparison:
    certain = NetRows(7_800, 0, 0, read=False)
    return told(
        ancestor(3, 4), rows=certain, fields=(), settings=(), files=files([day("region=EU", 0, 6)], certain=(0, 7_800))
    )


def many() -> Comparison:
    """Four hundred partitions of two specs, a hundred fields, a thousand commits, of which little is counted."""
    days = [
        day(f"day=2025-{n % 12 + 1:02d}-{n % 28 + 1:02d}/region={'EUUSAP'[n % 3 * 2 :][:2]}", n % 7 + 1, n % 19, n % 3,
            right_deletes={"equality deletes": Tally(n % 5 + 1, 99, 5), "deletion vector": Tally(1_204, 99, 5)},
            left_deletes={"position deletes": Tally(12, 5, 5)}, spec_id=n % 2)
        for n in range(400)
    ]  # fmt: skip
    fields = tuple(FieldChange(n, f"c{n}.inside", None, f"c{n}.inside string", ("added",)) for n in range(100))
    settings = tuple(Setting("property", f"write.some.property.{n}", "a" * n, "b" * n) for n in range(40))
    unknown = (None,) * 8
    return told(
        ancestor(1, 1_001), files=files(days, shared_data_files=None), fields=fields, settings=settings,
        field_count=103, figures=figures(unknown, OTHER),
        rows=replace(ROWS, inserted=12_345_678_901, carried_over=99, pairing="none"),
    )  # fmt: skip


def hostile() -> Comparison:
    odd = "<b>50%</b> $x$ \x1b[2J\u202e\r\n\"'" * 6
    fields = (FieldChange(1, odd, f"{odd} string", f"{odd}! string", ("renamed",)),)
    rows = NetRows(1, 1, 0, 0, "identifier columns", (odd,), 3, (odd,), (odd, "b"), (
        RowPair("updated", (odd, None), (odd, odd)), RowPair("inserted", None, (odd, "1"))
    ))  # fmt: skip
    found = told(
        ancestor(3, 4), fields=fields, rows=rows, files=files([day(f'"{odd}"=1', 1, 1)]),
        settings=(Setting("property", odd, odd, None), Setting("ref", odd, None, odd)),
    )  # fmt: skip
    left = replace(found.left, asked=odd, named="tag", table=odd)
    found = replace(found, left=left, right=replace(found.right, table=odd), hidden=(odd,))
    return replace(found, notes=notes(found, None))


STORIES: dict[str, Callable[[], Comparison]] = {
    "mock": told,
    "not read": unread,
    "files unknown": files_unknown,
    "diverged": diverged,
    "base expired": base_expired,
    "same": same,
    "unrelated": lambda: apart("unrelated"),
    "unknown": lambda: apart("unknown"),
    "other layout": layout,
    "two tables": two_tables,
    "way back": way_back,
    "appended": appended,
    "many": many,
    "hostile": hostile,
}
