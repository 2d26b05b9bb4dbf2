from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from explorer.errors import ExplorerError
from explorer.model.changelog.facts import Mode, counts
from explorer.model.iceberg.commit_range import commit_range
from explorer.queries.files.locate import locate
from explorer.queries.rows.paging import filtered, page
from tests.queries.changelog_facts import OpenedChangelog
from tests.queries.changelog_histories import (
    LiveHistory,
    append_last_file_again,
    differences,
    plain,
    printed,
    quick,
    snapshot_rows,
)
from tests.queries.row_facts import OpenedRows

REWRITES = ["insert", "delete", "update", "move", "merge", "overwrite", "put_back", "compact", "rewrite_manifests"]
HISTORIES = [
    (2, "copy-on-write", 1),
    (3, "copy-on-write", 4),
    (2, "merge-on-read", 5),
    (3, "merge-on-read", 6),
]


@pytest.fixture(scope="module")
def fast(spark: SparkSession) -> SparkSession:
    return quick(spark)


@pytest.fixture(scope="module")
def lived(fast: SparkSession, fresh_table: Callable[..., str]) -> Callable[..., OpenedChangelog]:
    """Tables with a random past, each made once."""
    made: dict[Any, OpenedChangelog] = {}

    def make(version: int, mode: str, seed: int) -> OpenedChangelog:
        if (version, mode, seed) not in made:
            past = LiveHistory(fast, fresh_table("lived"), seed, version=version, mode=mode)
            past.play(4, REWRITES)
            past.evolve()
            past.play(2, REWRITES)
            made[version, mode, seed] = OpenedChangelog(fast, past.name)
        return made[version, mode, seed]

    return make


@pytest.fixture(scope="module")
def table(fast: SparkSession, fresh_table: Callable[..., str]) -> Callable[..., OpenedChangelog]:
    """A table of the given columns, to which the given statements were done."""

    def make(columns: str, *statements: str, version: int = 2, mode: str = "copy-on-write") -> OpenedChangelog:
        name = fresh_table("changed")
        modes = ", ".join(f"'write.{what}.mode'='{mode}'" for what in ("delete", "update", "merge"))
        fast.sql(f"CREATE TABLE {name} ({columns}) USING iceberg TBLPROPERTIES ('format-version'='{version}', {modes})")
        for statement in statements:
            fast.sql(statement.replace("{t}", name)).collect()
        return OpenedChangelog(fast, name)

    return make


def exact(rows: Sequence[Row]) -> Counter[Any]:
    return Counter(tuple(plain(value) for value in row) for row in rows)


def by_iceberg(table: OpenedChangelog, start: int | None, end: int, **arguments: str) -> Counter[Any]:
    """The rows of `create_changelog_view`."""
    options = ("" if start is None else f"'start-snapshot-id', '{start}', ") + f"'end-snapshot-id', '{end}'"
    more = "".join(f", {name} => {value}" for name, value in arguments.items())
    table.spark.sql(
        f"CALL lab.system.create_changelog_view(table => '{table.name}', changelog_view => 'seen',"
        f" options => map({options}){more})"
    )
    return exact(table.spark.table("seen").collect())


def ours(table: OpenedChangelog, mode: Any, start: int | None, end: int, **how: Any) -> Counter[Any]:
    frame = table.rows(mode, start, end, **how)
    assert frame.columns[-1] == "_commit_sequence_number"
    return exact(frame.drop("_commit_sequence_number").collect())


def ranges(table: OpenedChangelog, seed: int) -> list[tuple[int | None, int]]:
    line = [commit.snapshot.snapshot_id for commit in commit_range(table.metadata, None, None).commits]
    start, end = sorted(random.Random(seed).sample(range(len(line)), 2))
    return [(None, line[-1]), (line[start], line[end])]


@pytest.mark.parametrize(("version", "mode", "seed"), HISTORIES)
def test_changes_of_each_commit_are_the_difference_of_two_whole_snapshots(
    lived: Callable[..., OpenedChangelog], version: int, mode: str, seed: int
) -> None:
    table = lived(version, mode, seed)
    facts, query = table.query("changes")
    columns = list(facts.columns)
    commits = [(c.snapshot.parent_id, c.snapshot.snapshot_id) for c in facts.range.numbered]
    rows = query.rows(table.source).collect()
    assert printed(rows, columns) == differences(table.spark, table.name, commits, columns)
    places = {c.snapshot.snapshot_id: (c.ordinal, c.snapshot.sequence_number) for c in facts.range.numbered}
    assert all(places[r._commit_snapshot_id] == (r._change_ordinal, r._commit_sequence_number) for r in rows)
    assert facts.range.replaced or seed != 5
    assert len(facts.stretches) == 1  # the whole history in one piece
    assert facts.unread == ()


@pytest.mark.parametrize(("version", "mode", "seed"), [h for h in HISTORIES if h[1] == "copy-on-write"])
def test_every_mode_agrees_with_icebergs_own_procedure(
    lived: Callable[..., OpenedChangelog], version: int, mode: str, seed: int
) -> None:
    table = lived(version, mode, seed)
    for start, end in ranges(table, seed):
        assert ours(table, "changes", start, end) == by_iceberg(table, start, end)
        assert ours(table, "net", start, end) == by_iceberg(table, start, end, net_changes="true")
        assert ours(table, "updates", start, end, identifiers=["ID"]) == by_iceberg(
            table, start, end, identifier_columns="array('id')"
        )
        options = {"end-snapshot-id": str(end)} | ({} if start is None else {"start-snapshot-id": str(start)})
        scan = table.spark.read.format("iceberg").options(**options).table(f"{table.name}.changes")
        assert ours(table, "raw", start, end) == exact(scan.collect())


def changed_rows(rows: Sequence[Row]) -> list[tuple[Any, ...]]:
    """(type, ordinal, values…) in order."""
    return sorted(((r._change_type, r._change_ordinal, *(plain(value) for value in r[:-4])) for r in rows), key=str)


@pytest.mark.parametrize(("version", "mode", "seed"), HISTORIES)
def test_net_changes_plan_each_scan_once(
    lived: Callable[..., OpenedChangelog], version: int, mode: str, seed: int
) -> None:
    def scans(told: Mode) -> list[str]:
        """The columns of each scan; a scan that is planned anew gives them other numbers."""
        plan: Any = lived(version, mode, seed).rows(told)._jdf.queryExecution().optimizedPlan()
        return re.findall(r"RelationV2\[(.*?)\]", plan.toString())

    assert len(scans("net")) > len(scans("changes"))  # several ask, and Spark writes them down for each
    assert len(set(scans("net"))) == len(set(scans("changes"))) == len(scans("changes"))


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_without_compaction_owners_are_those_of_net_changes(
    fast: SparkSession, fresh_table: Callable[..., str], mode: str
) -> None:
    past = LiveHistory(fast, fresh_table("owned"), 7, version=2, mode=mode)
    past.play(5, ["insert", "delete", "update", "move", "merge", "overwrite", "put_back"])
    owned = OpenedChangelog(fast, past.name)
    owners = owned.rows("ownership").drop("_carried_over")
    assert exact(owners.collect()) == exact(owned.rows("net").collect()) != Counter()


@pytest.mark.parametrize(("version", "mode", "seed"), HISTORIES)
def test_what_an_owner_carried_over_was_there_before_it(
    lived: Callable[..., OpenedChangelog], version: int, mode: str, seed: int
) -> None:
    """By whole snapshots: ids are unique, so a row that was there before the commit of its file was copied by it."""
    table, seen = lived(version, mode, seed), set[bool]()
    line = [commit.snapshot.snapshot_id for commit in commit_range(table.metadata, None, None).commits]
    for end in (line[0], line[len(line) // 2], line[-1]):
        facts, query = table.query("ownership", None, end)
        columns = list(facts.columns)
        entries = table.spark.sql(f"SELECT * FROM {table.name}.entries VERSION AS OF {end}").where("status < 2")
        added_by = {entry.data_file.file_path: entry.snapshot_id for entry in entries.collect()}
        live = table.spark.read.format("iceberg").option("versionAsOf", str(end)).table(table.name)
        files = live.select("*", "_file").collect()
        before = {
            owner: snapshot_rows(table.spark, table.name, table.metadata.by_id[owner].parent_id, columns)
            for owner in {added_by[row["_file"]] for row in files}
        }
        wanted = Counter[Any]()
        for row in files:
            values = tuple(plain(row[c]) if c in live.columns else None for c in columns)
            owner = added_by[row["_file"]]
            wanted[values, owner, values in before[owner]] += 1
        rows = query.rows(table.source).collect()
        found = Counter((tuple(plain(r[c]) for c in columns), r._commit_snapshot_id, r._carried_over) for r in rows)
        assert found == wanted
        seen |= {carried for _, _, carried in found}
    assert seen == {False, True}


def test_owners_are_the_same_where_their_files_are_told_in_tasks(
    lived: Callable[..., OpenedChangelog], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = lived(*HISTORIES[1])
    wanted = exact(table.rows("ownership").collect())
    monkeypatch.setattr("explorer.queries.files.manifests.SMALL_IN_BYTES", -1)
    assert exact(table.rows("ownership").collect()) == wanted != Counter()


FIRST_ROWS = "INSERT INTO {t} VALUES (1, 'a'), (2, 'b'), (3, 'c')"
MERGE = (
    "MERGE INTO {t} AS t USING (VALUES (1, 'd'), (5, 'e'), (6, 'f') AS s (id, v)) AS s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *"
)


def test_the_articles_two_tables(fast: SparkSession, table: Callable[..., OpenedChangelog]) -> None:
    fast.conf.set("spark.sql.leafNodeDefaultParallelism", "3")
    three_files = table("id INT, v STRING", FIRST_ROWS)
    fast.conf.set("spark.sql.leafNodeDefaultParallelism", "1")
    fast.sql(MERGE.replace("{t}", three_files.name))
    a, b = OpenedChangelog(fast, three_files.name), table("id INT, v STRING", FIRST_ROWS, MERGE)
    new = [(1, "d", 1), (5, "e", 1), (6, "f", 1)]
    for mode in ("ownership", "net"):
        owners_a, owners_b = (
            sorted((r.id, r.v, r._change_ordinal) for r in sequence.rows(mode).collect()) for sequence in (a, b)
        )
        assert owners_a == sorted([*new, (2, "b", 0), (3, "c", 0)])
        assert owners_b == sorted([*new, (2, "b", 1), (3, "c", 1)])
    assert changed_rows(a.rows("updates", identifiers=["id"]).collect()) == changed_rows(
        b.rows("updates", identifiers=["id"]).collect()
    )
    assert {r.id for r in b.rows("ownership").collect() if r._carried_over} == {2, 3}
    assert {r._carried_over for r in a.rows("ownership").collect()} == {False}
    raw = [sum(r._change_ordinal == 1 for r in sequence.rows("raw").collect()) for sequence in (a, b)]
    assert raw == [4, 8]
    _, query = b.query("raw")
    counted = counts("raw", query.counts(b.source))[b.metadata.current_snapshot_id or 0]
    assert (dict(counted.rows), counted.carried_over) == ({"DELETE": 3, "INSERT": 5}, 2)


NESTED = (
    "id INT, b BINARY, m MAP<STRING, STRUCT<x: INT, y: BINARY>>, l ARRAY<DOUBLE>, s STRUCT<a: DECIMAL(9, 2), t: DATE>"
)
VALUES = (
    "X'00FF', map('k', named_struct('x', 1, 'y', X'01'), 'j', null), array(double('NaN'), -0.0D),"
    " named_struct('a', 1.50, 't', DATE'2026-11-20')"
)


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_rows_of_any_type_are_equal_by_value_and_duplicates_are_counted(
    table: Callable[..., OpenedChangelog], mode: str
) -> None:
    """Where Iceberg's procedure is wrong (binary, #18211) or refuses (maps)."""
    same = ", ".join(f"({i}, {VALUES})" for i in "1112")
    odd = table(
        NESTED,
        f"INSERT INTO {{t}} VALUES {same}, (3, null, null, null, null), (3, null, null, null, null)",
        "DELETE FROM {t} WHERE id = 2",
        # the same entries in another order
        "UPDATE {t} SET m = map('j', null, 'k', named_struct('x', int(id), 'y', X'01')) WHERE id = 1",
        "UPDATE {t} SET b = X'00FE' WHERE id = 3",
        "INSERT INTO {t} SELECT * FROM {t} WHERE id = 1",
        mode=mode,
    )
    facts, query = odd.query("changes")
    rows = query.rows(odd.source).collect()
    assert [(t, o, i) for t, o, i, *_ in changed_rows(rows)] == [
        ("DELETE", 1, 2),
        ("DELETE", 3, 3),
        ("DELETE", 3, 3),
        *[("INSERT", 0, i) for i in (1, 1, 1, 2, 3, 3)],
        ("INSERT", 3, 3),
        ("INSERT", 3, 3),
        *[("INSERT", 4, 1)] * 3,
    ]
    commits = [(c.snapshot.parent_id, c.snapshot.snapshot_id) for c in facts.range.numbered]
    columns = list(facts.columns)
    assert printed(rows, columns) == differences(odd.spark, odd.name, commits, columns)
    net = Counter(r.id for r in odd.rows("net").collect())
    assert net == {1: 6, 3: 2}
    assert query.drawn(odd.source, 1)[0].text.startswith("1 00FF {")


@pytest.mark.parametrize("mode", ["raw", "changes", "updates", "net"])
def test_the_columns_have_the_same_types_whether_or_not_there_are_commits(
    table: Callable[..., OpenedChangelog], mode: Any
) -> None:
    two = table("id INT", "INSERT INTO {t} VALUES (1), (1)", "INSERT INTO {t} VALUES (2)")
    last = two.metadata.current_snapshot_id
    for start, rows in ((None, 3), (last, 0)):
        frame = two.rows(mode, start, last, identifiers=["id"] if mode == "updates" else None)
        assert [kind for _, kind in frame.dtypes] == ["int", "string", "int", "bigint", "bigint"]
        assert frame.count() == rows


def test_a_row_taken_out_and_put_back_equal_by_one_commit_did_not_change(
    table: Callable[..., OpenedChangelog],
) -> None:
    """It is gone and new at once, as a carried-over row is; nothing tells the two apart."""
    back = table(
        "id INT, p STRING",
        "INSERT INTO {t} VALUES (1, 'x'), (2, 'x')",
        "INSERT OVERWRITE {t} VALUES (1, 'x'), (3, 'x')",
        "ALTER TABLE {t} ADD PARTITION FIELD p",
        "UPDATE {t} SET p = 'y' WHERE id = 3",  # moves to another partition
    )
    assert changed_rows(back.rows("changes", back.metadata.snapshots[0].snapshot_id).collect()) == [
        ("DELETE", 0, 2, "x"),
        ("DELETE", 1, 3, "x"),
        ("INSERT", 0, 3, "x"),
        ("INSERT", 1, 3, "y"),
    ]


def test_updates_by_row_id_where_nothing_else_tells_and_by_identifiers_where_they_are_unique(
    table: Callable[..., OpenedChangelog],
) -> None:
    statements = (
        "INSERT INTO {t} VALUES (1, 'a'), (2, 'b'), (2, 'b'), (3, 'c')",
        "UPDATE {t} SET v = 'z' WHERE id < 3",
        "DELETE FROM {t} WHERE id = 3",
    )
    changed = {"UPDATE_AFTER": 3, "UPDATE_BEFORE": 3, "INSERT": 4, "DELETE": 1}
    for mode in ("copy-on-write", "merge-on-read"):
        by_id = table("id INT, v STRING", *statements, version=3, mode=mode)
        facts, query = by_id.query("updates")
        assert (facts.pairing, facts.identifier_columns) == ("row id", ())
        assert query.rows(by_id.source).columns[:2] == ["id", "v"]
        assert Counter(r._change_type for r in query.rows(by_id.source).collect()) == changed
        merged = Counter[str]()
        for counted in counts("updates", query.counts(by_id.source)).values():
            merged.update(counted.rows)
        assert merged == changed
    doubled = table("id INT, v STRING", *statements)
    found = changed_rows(doubled.rows("updates", identifiers=["id"]).collect())
    # Of two rows of one identifier none is told to be the other's successor, where Iceberg's procedure gives up.
    assert [row for row in found if row[1] == 1] == [
        *[("DELETE", 1, 2, "b")] * 2,
        *[("INSERT", 1, 2, "z")] * 2,
        ("UPDATE_AFTER", 1, 1, "z"),
        ("UPDATE_BEFORE", 1, 1, "a"),
    ]
    facts, query = doubled.query("updates")
    assert facts.pairing == "none"
    assert any(note.certainty == "unknown" and "one row" in note.about for note in facts.notes)
    assert {r._change_type for r in query.rows(doubled.source).collect()} == {"INSERT", "DELETE"}


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_a_file_that_is_listed_several_times_has_its_rows_once_for_each_entry(
    fast: SparkSession, table: Callable[..., OpenedChangelog], mode: str
) -> None:
    """By whole snapshots compared as multisets, whatever the range begins with."""
    opened = table("id INT, v STRING", "INSERT INTO {t} VALUES (1, 'a'), (2, 'b')", mode=mode)
    append_last_file_again(fast, opened.name, times=2)
    for statement in (
        "DELETE FROM {t} WHERE id = 1",
        "INSERT INTO {t} VALUES (3, 'c')",
        "DELETE FROM {t} WHERE id < 3",
    ):
        fast.sql(statement.format(t=opened.name))
    opened = OpenedChangelog(fast, opened.name)
    ids = [snapshot.snapshot_id for snapshot in opened.metadata.snapshots]
    assert max(snapshot_rows(fast, opened.name, ids[2], ["id", "v"]).values()) == 3
    pairs = list(zip([None, *ids], ids, strict=False))
    for start, end in ((None, ids[-1]), *pairs, (ids[1], ids[-1])):
        stretch = pairs[0 if start is None else ids.index(start) + 1 : ids.index(end) + 1]
        rows = opened.rows("changes", start, end).collect()
        assert printed(rows, ["id", "v"]) == differences(fast, opened.name, stretch, ["id", "v"])


def test_of_equal_rows_of_which_an_owner_brought_more_than_it_removed_nothing_says_which_is_the_old_one(
    table: Callable[..., OpenedChangelog],
) -> None:
    doubled = table(
        "id INT, v STRING",
        "INSERT INTO {t} VALUES (1, 'a'), (2, 'b'), (3, NULL), (3, NULL)",
        "UPDATE {t} SET id = 1, v = 'a' WHERE id = 2",
    )
    facts, query = doubled.query("ownership")
    found = Counter((r.id, r._carried_over) for r in query.rows(doubled.source).collect())
    assert found == {(1, None): 2, (3, True): 2}
    tallies = query.counts(doubled.source)
    (owner,) = counts("ownership", tallies).values()
    assert (owner.rows, owner.carried_over, owner.not_known) == ({"INSERT": 4}, 2, 2)
    drawn = Counter(row.carried_over for row in query.drawn(doubled.source, 9))
    assert drawn == {None: 2, True: 2}
    notes = facts.read(counts("ownership", tallies), ()).notes
    assert [note.about for note in notes if note.certainty == "unknown"] == [
        "Whether 2 rows were written or only carried over by the owner"
    ]
    start = doubled.metadata.current_snapshot_id  # of what came before the range nothing is read
    (outside,) = counts("ownership", doubled.query("ownership", start)[1].counts(doubled.source)).values()
    assert (outside.carried_over, outside.not_known) == (None, 4)


def test_the_tables_own_identifiers_and_those_inside_a_struct(table: Callable[..., OpenedChangelog]) -> None:
    own = table(
        "id INT NOT NULL, s STRUCT<k: STRING, n: INT>", "INSERT INTO {t} VALUES (1, named_struct('k', 'a', 'n', 1))"
    )
    own.spark.sql(f"ALTER TABLE {own.name} SET IDENTIFIER FIELDS id")
    own.spark.sql(f"UPDATE {own.name} SET s = named_struct('k', 'a', 'n', 2)").collect()
    own = OpenedChangelog(own.spark, own.name)
    assert own.query("updates")[0].identifier_columns == ("id",)
    for identifiers in (None, ["S.K"], ["id", "s.k"]):
        found = [r._change_type for r in own.rows("updates", identifiers=identifiers).collect()]
        assert sorted(found) == ["INSERT", "UPDATE_AFTER", "UPDATE_BEFORE"]
    assert "UPDATE_AFTER" not in [r._change_type for r in own.rows("updates", identifiers=["s.n"]).collect()]
    with pytest.raises(ExplorerError) as refused:
        own.query("updates", identifiers=["ident"])
    assert "it has id, s, s.k, s.n" in refused.value.found


def test_any_columns_and_any_filter_can_be_asked_of_the_rows(table: Callable[..., OpenedChangelog]) -> None:
    """Iceberg's own scan swaps columns that are asked one by one, and fails on filters of its own three."""
    asked = table("id BIGINT, v STRING", *([f"INSERT INTO {{t}} VALUES ({i}, 'v{i}')" for i in range(3)]))
    last = asked.metadata.current_snapshot_id
    for mode in ("raw", "changes"):
        frame = asked.rows(mode)
        rows = frame.collect()
        assert len(rows) == 3
        for name in frame.columns:
            assert sorted(r[0] for r in frame.select(name).collect()) == sorted(r[name] for r in rows)
        for name, value in (("_change_ordinal", 2), ("_commit_snapshot_id", last), ("_commit_sequence_number", 3)):
            assert [r.id for r in frame.where(F.col(name) == value).select("id").collect()] == [2]
        assert frame.where("_change_type = 'INSERT' AND id > 0").select("_commit_snapshot_id", "v").count() == 2
        assert frame.groupBy("_change_type").count().collect() == [Row(_change_type="INSERT", count=3)]


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_the_text_gives_the_rows_and_a_table_without_a_name_has_them_too(
    table: Callable[..., OpenedChangelog], mode: str
) -> None:
    made = table("id INT, `od{d} ``na'me` STRING", FIRST_ROWS, "DELETE FROM {t} WHERE id = 2", mode=mode)
    nameless = OpenedChangelog(made.spark, locate(made.spark, made.name).metadata_file)
    for kind in ("updates", "net", "ownership"):  # the steps of `updates` are those of `changes` and more
        _, query = made.query(kind, identifiers=["id"])
        rows = exact(query.rows(made.source).collect())
        assert exact(made.spark.sql(query.sql).collect()) == rows != Counter()
        _, by_path = nameless.query(kind, identifiers=["id"])
        assert exact(by_path.rows(made.source).collect()) == rows
        assert by_path.sql == ""


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_columns_may_be_called_like_literals_and_functions(table: Callable[..., OpenedChangelog], mode: str) -> None:
    made = table(
        "`null` INT, `true` STRING, `current_date` INT, `user` STRUCT<`false`: INT>",
        "INSERT INTO {t} SELECT /*+ REPARTITION(1) */ * FROM VALUES"
        " (1, 'a', 10, struct(1)), (2, 'b', 20, struct(2)), (3, 'c', 30, NULL) AS t(a, b, c, d)",
        "UPDATE {t} SET `true` = 'B' WHERE `null` = 2",
        "DELETE FROM {t} WHERE `current_date` = 30",
        mode=mode,
    )
    wanted = Counter(
        [(2, "b", 20, (2,), "UPDATE_BEFORE"), (2, "B", 20, (2,), "UPDATE_AFTER"), (3, "c", 30, None, "DELETE")]
    )
    first = made.metadata.snapshots[0].snapshot_id
    _, query = made.query("updates", first, identifiers=["null", "user.false"])
    assert Counter(row[:5] for row in exact(query.rows(made.source).collect())) == wanted
    assert Counter(row[:5] for row in exact(made.spark.sql(query.sql).collect())) == wanted
    pages = page(filtered(query.rows(made.source), predicate="`null` = 2"), query.order, offset=0, limit=9).collect()
    assert [row["true"] for row in pages] == ["b", "B"]
    commits = OpenedRows(made.spark, made.name)
    for snapshot in made.metadata.snapshots[1:]:
        question = commits.question(snapshot.snapshot_id)
        assert "`null`" in question.sql
        changed = commits.rows(snapshot.snapshot_id, ["current_date"]).totals
        assert (changed.updated, changed.deleted, changed.inserted) in {(1, 0, 0), (0, 1, 0)}


def test_ranges_along_branches_abandoned_and_staged_commits_and_in_the_columns_of_today(
    table: Callable[..., OpenedChangelog],
) -> None:
    forked = table(
        "id INT, v STRING",
        "INSERT INTO {t} VALUES (1, 'a')",
        "ALTER TABLE {t} CREATE BRANCH side",
        "INSERT INTO {t}.branch_side VALUES (2, 'b')",
        "INSERT INTO {t} VALUES (3, 'c')",
        "ALTER TABLE {t} DROP COLUMN v",
        "ALTER TABLE {t} ADD COLUMN v INT",
        "ALTER TABLE {t} RENAME COLUMN id TO key",
        "INSERT INTO {t} VALUES (4, 4)",
        "DELETE FROM {t}.branch_side WHERE key = 1",
    )
    first, on_side, third, fourth, side = [s.snapshot_id for s in forked.metadata.snapshots]
    assert changed_rows(forked.rows("changes", first, side).collect()) == [
        ("DELETE", 1, 1, None),
        ("INSERT", 0, 2, None),
    ]
    assert changed_rows(forked.rows("changes", first, fourth).collect()) == [
        ("INSERT", 0, 3, None),
        ("INSERT", 1, 4, 4),
    ]
    assert changed_rows(forked.rows("net", None, side).collect()) == [("INSERT", 1, 2, None)]
    owners = forked.rows("ownership", first, side).drop("_carried_over")
    assert changed_rows(owners.collect()) == [("INSERT", 0, 2, None)]
    assert forked.rows("changes", third, third).collect() == []
    forked.spark.sql(f"CALL lab.system.rollback_to_snapshot('{forked.name}', {first})")
    forked.spark.sql(f"ALTER TABLE {forked.name} SET TBLPROPERTIES ('write.wap.enabled'='true')")
    forked.spark.conf.set("spark.wap.id", "w")
    forked.spark.sql(f"INSERT INTO {forked.name} VALUES (5, 5)")
    forked.spark.conf.unset("spark.wap.id")
    later = OpenedChangelog(forked.spark, forked.name)
    staged = later.metadata.snapshots[-1].snapshot_id
    assert changed_rows(later.rows("changes", first, staged).collect()) == [("INSERT", 0, 5, 5)]
    assert changed_rows(later.rows("changes", third, fourth).collect()) == [("INSERT", 0, 4, 4)]
    assert changed_rows(later.rows("changes").collect()) == [("INSERT", 0, 1, None)]
    with pytest.raises(ExplorerError) as refused:
        later.rows("changes", on_side, fourth)
    assert f"the youngest common ancestor is {first}" in refused.value.found


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_after_an_expired_parent_only_what_was_added_can_be_known(
    table: Callable[..., OpenedChangelog], mode: str
) -> None:
    whole = table(
        "id INT, v STRING",
        FIRST_ROWS,
        "DELETE FROM {t} WHERE id = 1",
        "INSERT INTO {t} VALUES (4, 'd')",
        "DELETE FROM {t} WHERE id = 2",
        mode=mode,
    )
    ids = [s.snapshot_id for s in whole.metadata.snapshots]

    def without(*expired: int) -> OpenedChangelog:
        listed = ", ".join(map(str, expired))
        whole.spark.sql(
            f"CALL lab.system.expire_snapshots(table => '{whole.name}', snapshot_ids => array({listed}))"
        ).collect()
        return OpenedChangelog(whole.spark, whole.name)

    after_delete = without(ids[0])
    facts, query = after_delete.query("changes")
    assert [u.commit.snapshot.snapshot_id for u in facts.unread] == [ids[1]]
    assert f"parent {ids[0]} has expired" in facts.unread[0].reason
    expected = [("DELETE", 2, 2, "b"), ("INSERT", 1, 4, "d")]
    assert changed_rows(query.rows(whole.source).collect()) == expected
    assert [note.certainty for note in facts.notes[:2]] == ["unknown", "unknown"]
    owners = {r.id: (r._change_ordinal, r._carried_over) for r in after_delete.rows("ownership").collect()}
    assert owners == {3: (2, True) if mode == "copy-on-write" else (None, None), 4: (1, False)}
    after_append = without(ids[1])
    facts, query = after_append.query("changes")  # an append needs no parent
    assert (facts.unread, facts.range.begins) == ((), "expired")
    assert changed_rows(query.rows(whole.source).collect()) == [(t, o - 1, *row) for t, o, *row in expected]
    assert exact(after_append.rows("changes", ids[1]).collect()) == exact(query.rows(whole.source).collect())


def test_a_commit_whose_manifests_are_unreadable_is_left_out_and_named(
    table: Callable[..., OpenedChangelog], tmp_path: Path
) -> None:
    made = table("id INT", *[f"INSERT INTO {{t}} VALUES ({i})" for i in range(4)])
    unreadable = made.metadata.snapshots[1]
    Path(str(unreadable.manifest_list).removeprefix("file:")).rename(tmp_path / "lost")
    facts, query = made.query("changes")
    ids = [snapshot.snapshot_id for snapshot in made.metadata.snapshots]
    assert [(s.before, len(s.commits)) for s in facts.stretches] == [(None, 1), (None, 2)]
    assert [one.commit.snapshot.snapshot_id for one in facts.unread] == [ids[1]]
    assert "does not exist" in facts.unread[0].reason
    assert changed_rows(query.rows(made.source).collect()) == [("INSERT", 0, 0), ("INSERT", 2, 2), ("INSERT", 3, 3)]


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_commits_that_touch_no_row_have_none(table: Callable[..., OpenedChangelog], mode: str) -> None:
    nothing = "INSERT INTO {t} SELECT 1 AS id WHERE false"
    made = table(
        "id INT", nothing, "INSERT INTO {t} VALUES (1), (2)", "DELETE FROM {t} WHERE id = 2", nothing, mode=mode
    )
    ids = [snapshot.snapshot_id for snapshot in made.metadata.snapshots]
    assert len(ids) == 4
    assert made.rows("raw", None, ids[0]).collect() == made.rows("changes", ids[2], ids[3]).collect() == []
    assert changed_rows(made.rows("changes").collect()) == [("DELETE", 2, 2), ("INSERT", 1, 1), ("INSERT", 1, 2)]


def test_counts_and_drawn_rows_are_those_of_the_frame(lived: Callable[..., OpenedChangelog]) -> None:
    opened, copied = lived(*HISTORIES[1]), {}
    for mode in ("raw", "changes", "updates", "net", "ownership"):
        _, query = opened.query(mode, identifiers=["id"])
        rows = query.rows(opened.source).collect()
        found = counts(mode, query.counts(opened.source))
        by_type = Counter((r._commit_snapshot_id, r._change_type) for r in rows)
        assert {(i, t): n for i, c in found.items() for t, n in c.rows.items()} == by_type
        drawn = query.drawn(opened.source, 10_000)
        assert Counter((d.snapshot_id, d.change_type) for d in drawn) == by_type
        assert {(d.ordinal, d.snapshot_id) for d in drawn} == {(r._change_ordinal, r._commit_snapshot_id) for r in rows}
        assert {d.key for d in drawn} == {str(r.id) for r in rows}
        assert [int(d.key) for d in drawn] == sorted(int(d.key) for d in drawn)
        assert query.drawn(opened.source, 3) == drawn[:3]
        copied[mode] = {i: c.carried_over for i, c in found.items()}
        if mode == "raw":
            halves = Counter(d.snapshot_id for d in drawn if d.carried_over)
            assert {i: 2 * (c or 0) for i, c in copied["raw"].items() if c} == halves
        if mode == "ownership":
            by_owner = Counter(r._commit_snapshot_id for r in rows if r._carried_over)
            assert {i: c for i, c in copied[mode].items() if c} == by_owner != Counter()
    assert {i: c for i, c in copied["raw"].items() if c} == {i: c for i, c in copied["changes"].items() if c}
    assert set(copied["net"].values()) == {None}


def test_on_the_tables_of_other_writers(fast: SparkSession, real_tables: dict[str, dict[str, Any]]) -> None:
    """One of them names the wrong snapshot in its entries, so that Iceberg's own scan finds nothing there."""
    names = ("impala_eq_and_pos", "duckdb_v1_to_v3", "trino_conflict", "duckdb_eq_deletes_hole")
    for name in names:
        assert name in real_tables
        opened = OpenedChangelog(fast, f"real.t.{name}")
        facts, query = opened.query("changes")
        unread_ids = {unread.commit.snapshot.snapshot_id for unread in facts.unread}
        assert bool(unread_ids) == (name == "duckdb_eq_deletes_hole")
        commits = [(c.snapshot.parent_id, c.snapshot.snapshot_id) for c in facts.range.numbered if not unread_ids]
        columns = list(facts.columns)
        rows = query.rows(opened.source).collect() if not unread_ids else []
        assert printed(rows, columns) == differences(fast, opened.name, commits, columns), name
        owners = opened.rows("ownership").collect()
        live = snapshot_rows(fast, opened.name, facts.range.end, columns)
        assert Counter(tuple(plain(r[c]) for c in columns) for r in owners) == live != Counter()
        assert {r._commit_snapshot_id for r in owners} <= {s.snapshot_id for s in opened.metadata.snapshots}
