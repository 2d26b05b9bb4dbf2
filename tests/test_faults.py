"""Broken tables: a right answer, a part that names what is missing and why, or one refusal in words; never a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from explorer.errors import RESTORE_FILE, UnreadableMetadata
from explorer.table import Table
from tests import faults
from tests.asked import Ask, Outcome, outcome
from tests.faults import FAULTS, Stored
from tests.queries.changelog_histories import quick

Tables = Mapping[int, Stored]
JUDGED_ANEW = {"reason", "decided_by", "manifests_written_before", "rivals"}  # what follows from all that is known


@pytest.fixture(scope="module")
def fast(spark: SparkSession) -> SparkSession:
    return quick(spark)


@pytest.fixture(scope="module")
def tables(fast: SparkSession, fresh_table: Callable[..., str]) -> Tables:
    return {version: faults.make(fast, fresh_table(f"broken_{version}"), version) for version in (2, 3)}


@pytest.fixture(scope="module")
def others(fast: SparkSession, fresh_table: Callable[..., str]) -> Tables:
    """Tables with the same history, whose files are put in the place of others."""
    return {version: faults.make(fast, fresh_table(f"other_{version}"), version) for version in (2, 3)}


def about_files(table: Table) -> Iterator[tuple[str, Ask]]:
    """Every question that metadata alone answers."""
    yield "graph", table.snapshot_graph
    ids = [snapshot.snapshot_id for snapshot in table.metadata.snapshots]
    for place, snapshot_id in enumerate(ids):
        yield f"commit {place}", partial(table.commit, snapshot_id)
        yield f"entries {place}", partial(table.entries, snapshot_id)
        yield f"deletes {place}", partial(table.deletes, snapshot_id)
    yield "boundary", partial(table.boundary, ids[0], ids[-1])
    yield "compare", partial(table.compare, ids[0], ids[-1])
    yield "retries", table.retries
    yield "timeline", table.sequence_timeline
    yield "partitions", table.partitions


def about_rows(table: Table) -> Iterator[tuple[str, Ask]]:
    """Questions whose answer is in data files and deletes."""
    yield "rows", partial(table.commit, table.metadata.snapshots[-2].snapshot_id, rows=True)
    yield "compare rows", partial(table.compare, *(table.metadata.snapshots[i].snapshot_id for i in (0, -1)), rows=True)
    yield "changes", table.changelog
    yield "ownership", partial(table.changelog, mode="ownership")
    yield "why", partial(table.why, "id < 4")
    yield "biography", partial(table.biography, "id < 4")


Questions = Callable[[Table], Iterator[tuple[str, Ask]]]


def answers_of(spark: SparkSession, table: Stored, questions: Questions) -> dict[str, Outcome]:
    jvm: Any = spark._jvm
    cache = jvm.org.apache.iceberg.spark.SparkExecutorCache.getOrCreate()
    if cache is not None:  # it remembers deletes of a file that is gone by now, until a collection of garbage
        cache.invalidate("")  # whatever begins with this
    return {name: outcome(ask) for name, ask in questions(Table.open(str(table.folder), spark))}


@pytest.fixture(scope="module")
def whole(fast: SparkSession, tables: Tables) -> dict[int, dict[str, Outcome]]:
    """What the unbroken tables answer."""
    found = {v: answers_of(fast, t, about_files) | answers_of(fast, t, about_rows) for v, t in tables.items()}
    assert {o.kind for answers in found.values() for o in answers.values()} == {"answered"}
    return found


def rows_of(data: pd.DataFrame) -> list[dict[str, str]]:
    kept = [c for c in data.columns if c not in JUDGED_ANEW and not c.endswith("_rule")]
    return [dict(zip(kept, row, strict=True)) for row in data[kept].itertuples(index=False, name=None)]


def assert_nothing_wrong(broken: Mapping[str, Outcome], whole: Mapping[str, Outcome], about: object) -> None:
    """An answer is the answer of the unbroken table; of a part every row is, but for what is said to be unknown."""
    for question, now in broken.items():
        if now.data is None or now.contradicted:  # then the notes say that two things are recorded
            continue
        right = whole[question].data
        assert right is not None
        if now.kind == "answered":
            assert Counter(map(str, rows_of(now.data))) == Counter(map(str, rows_of(right))), (about, question)
            continue
        assert now.reason
        wanted = rows_of(right)
        for row in rows_of(now.data):
            like = any(all(v == right_row[c] or v in ("", "unknown") for c, v in row.items()) for right_row in wanted)
            assert like, (about, question, row, wanted)


def assert_only_of_gone_files_is_said_how_they_come_back(broken: Mapping[str, Outcome], name: str) -> None:
    refused = {question: now.reason for question, now in broken.items() if now.kind == "refused"}
    assert {question for question, reason in refused.items() if RESTORE_FILE in reason} == (
        set(refused) if name == "missing" else set()
    ), refused


@pytest.mark.parametrize(
    ("version", "kind"),
    [(2, "manifest list"), (3, "data manifest"), (2, "delete manifest"), (3, "delete manifest")],
)
@pytest.mark.parametrize("name", FAULTS)
def test_a_file_of_metadata_that_is_broken(
    fast: SparkSession,
    tables: Tables,
    others: Tables,
    whole: Mapping[int, Mapping[str, Outcome]],
    version: int,
    kind: str,
    name: str,
) -> None:
    with faults.fault(tables[version], kind, name, others[version]) as file:
        broken = answers_of(fast, tables[version], about_files)
    assert_only_of_gone_files_is_said_how_they_come_back(broken, name)
    kinds = {question: now.kind for question, now in broken.items()}
    if name == "of another table" and kind != "manifest list":
        assert any(now.contradicted for now in broken.values())
        # Which do not compare who wrote the entries.
        for question in ("boundary", "compare", "timeline", "partitions"):
            broken.pop(question)
        assert_nothing_wrong(broken, whole[version], (kind, name))
        return
    assert_nothing_wrong(broken, whole[version], (kind, name))
    assert kinds["graph"] == "answered"
    assert {"part", "refused"} & set(kinds.values()), kinds
    assert any(file.name in now.reason or "manifest list" in now.reason for now in broken.values()), broken


def told(table: Stored, spark: SparkSession, condition: str) -> tuple[str, set[tuple[str, int | None, str]]]:
    """The title of a biography, and its events with their commits and how sure they are."""
    picture = Table.open(str(table.folder), spark).biography(condition)
    return picture.title, {(e.kind, e.sequence_number, e.certainty) for e in picture.facts.events}


def test_a_row_of_whose_now_not_all_can_be_read_is_told_as_far_as_it_can(
    fast: SparkSession, tables: Tables, others: Tables
) -> None:
    with faults.fault(tables[2], "delete manifest", "missing", others[2]):
        partitions = Table.open(str(tables[2].folder), fast).partitions().title
        title, events = told(tables[2], fast, "id = 1")
    assert title == "As far as can be read: the row with id = 1 is there: created at 1"
    assert events == {("CREATED", 1, "exact")}
    assert partitions == "After the last commit that can be read: not partitioned: 6 rows in 1 data file"
    with faults.fault(tables[2], "manifest list", "missing", others[2]):
        title, events = told(tables[2], fast, "id = 2")
    assert title.startswith("No row with id = 2 is left"), "what lives at the head is known"
    assert events == {("CREATED", 1, "exact"), ("DELETED", 3, "exact")}, "the entry of the delete names its commit"


@pytest.mark.parametrize(("kind", "points"), [("manifest list", (-2, -1)), ("delete manifest", (0, -1))])
def test_two_points_are_compared_around_a_file_that_is_gone(
    fast: SparkSession, tables: Tables, others: Tables, kind: str, points: tuple[int, int]
) -> None:
    table = Table.open(str(tables[2].folder), fast)
    left, right = (table.metadata.snapshots[place].snapshot_id for place in points)
    whole = table.compare(left, right).facts
    with faults.fault(tables[2], kind, "missing", others[2]) as file:
        picture = Table.open(str(tables[2].folder), fast).compare(left, right)
        found = picture.facts
        with pytest.raises(UnreadableMetadata) as refused:
            Table.open(str(tables[2].folder), fast).compare(left, right, rows=True).read()
    assert (found.relation, found.fields, found.settings) == (whole.relation, whole.fields, whole.settings)
    known = {figure.name: figure for figure in found.figures}
    for figure in whole.figures:
        lost = kind == "manifest list" and not figure.recorded
        assert known[figure.name] == (replace(figure, left=None) if lost else figure)
    name = str(left) if kind == "manifest list" else file.name
    assert name in found.files.why_unknown
    assert not found.files.are_equal
    assert (found.verdict, found.rows) == ("not read", None)
    assert picture.title.endswith("which files differ is not known")
    assert any(name in note.reason for note in picture.notes)
    assert set(picture.data[picture.data["area"] == "files"]["change"]) == {"unknown"}
    assert name in refused.value.found
    assert refused.value.next_step == RESTORE_FILE


@pytest.mark.parametrize("name", FAULTS)
def test_a_metadata_file_that_is_broken(
    fast: SparkSession, tables: Tables, others: Tables, whole: Mapping[int, Mapping[str, Outcome]], name: str
) -> None:
    with faults.fault(tables[2], "metadata file", name, others[2]) as file:
        if name in ("cut short", "empty", "no such format", "not to be read"):
            for asked in (file, tables[2].folder):
                with pytest.raises(UnreadableMetadata, match=file.name) as refused:
                    Table.open(str(asked), fast)
                assert refused.value.found
            return
        if name == "missing":
            with pytest.raises(UnreadableMetadata, match=f"{file.name} could not be read"):
                Table.open(str(file), fast)
        opened = Table.open(str(tables[2].folder), fast)
        graph = outcome(opened.snapshot_graph)
    if name == "zipped":
        assert_nothing_wrong({"graph": graph}, whole[2], name)
        assert graph.kind == "answered"
        return
    listed = {str(s.snapshot_id) for s in opened.metadata.snapshots}
    known = set(whole[2]["graph"].data["snapshot_id"])  # type: ignore[index]
    if name == "of another table":  # no path says whose a file is: it is that table, and says so by its ids
        assert not listed & known
        return
    assert listed < known  # the file before it, which is said to be chosen by its name
    assert any("is the current metadata file" in note.about for note in opened.snapshot_graph().notes)


def the_parent_is_missing(document: dict[str, Any]) -> None:
    document["snapshots"][1]["parent-snapshot-id"] = 123


def parents_go_in_a_circle(document: dict[str, Any]) -> None:
    document["snapshots"][0]["parent-snapshot-id"] = document["snapshots"][-1]["snapshot-id"]


def a_snapshot_is_listed_twice(document: dict[str, Any]) -> None:
    document["snapshots"].append(dict(document["snapshots"][1]))


def a_ref_points_to_nowhere(document: dict[str, Any]) -> None:
    document["refs"]["lost"] = {"snapshot-id": 123, "type": "tag"}


def there_are_unknown_fields(document: dict[str, Any]) -> None:
    document["of-tomorrow"] = {"deep": [{"er": None}]}
    for snapshot in document["snapshots"]:
        snapshot["of-tomorrow"] = 1


def summaries_have_only_an_operation(document: dict[str, Any]) -> None:
    for snapshot in document["snapshots"]:
        snapshot["summary"] = {"operation": snapshot["summary"]["operation"]}


def there_are_no_summaries(document: dict[str, Any]) -> None:
    for snapshot in document["snapshots"]:
        del snapshot["summary"]


def summaries_are_absurd(document: dict[str, Any]) -> None:
    for snapshot in document["snapshots"]:
        snapshot["summary"] |= {
            "added-data-files": "9" * 400,
            "added-records": "-1",
            "total-data-files": "1e3",
            "deleted-records": "many",
            "": "\u202e<script>alert(1)</script>",
        }


def summaries_are_wrong(document: dict[str, Any]) -> None:
    for snapshot in document["snapshots"]:
        snapshot["summary"] |= {"added-data-files": "41", "added-delete-files": "42", "total-data-files": "43"}


# What the file says, what the notes of the graph say about it (nothing: it is as good as before), and what else of the
# graph is then told as the file has it.
ODD: Mapping[Callable[[dict[str, Any]], None], tuple[str, set[str]]] = {
    there_are_unknown_fields: ("", set()),
    faults.numbers_as_text: ("", set()),
    the_parent_is_missing: ("parents have expired", {"parent_id", "parent_state", "state"}),
    parents_go_in_a_circle: ("among its own ancestors", {"parent_id", "parent_state", "state"}),
    a_snapshot_is_listed_twice: ("listed twice", set()),
    a_ref_points_to_nowhere: ("points at snapshot 123, which is not listed", set()),
    there_are_no_summaries: ("", {"*"}),
    summaries_have_only_an_operation: ("", {"*"}),
    summaries_are_absurd: ("", {"*"}),
    summaries_are_wrong: ("", {"*"}),
}
COUNTERS = {f"{what}_{kind}_files" for what in ("added", "removed") for kind in ("data", "delete")} | {
    "added_records",
    "deleted_records",
    "operation",
}


@pytest.mark.parametrize("change", ODD, ids=lambda change: change.__name__)
def test_a_metadata_file_that_says_odd_things(
    fast: SparkSession,
    tables: Tables,
    whole: Mapping[int, Mapping[str, Outcome]],
    change: Callable[[dict[str, Any]], None],
) -> None:
    expected, differs = ODD[change]
    with faults.metadata(tables[3], change):
        broken = answers_of(fast, tables[3], about_files)
        table = Table.open(str(tables[3].folder), fast)
        notes = [str(note) for note in table.snapshot_graph().notes]
        rows = {name: outcome(ask) for name, ask in about_rows(table) if name in ("changes", "why")}
    assert any(expected in note for note in notes), notes
    dropped = list(COUNTERS if "*" in differs else differs)
    right = dict(whole[3])
    for answers in (broken, right):
        graph = answers["graph"]
        assert graph.data is not None
        answers["graph"] = replace(graph, data=graph.data.drop(columns=dropped))
    if change is parents_go_in_a_circle:  # said by all of them; what came before a snapshot is then another question
        assert all(now.contradicted for now in broken.values() if now.data is not None)
        rows.pop("changes")
    if change is the_parent_is_missing:  # all rows of its files count as inserted, as the notes say
        assert rows.pop("changes").kind == "part"
    assert_nothing_wrong(broken, right, change)
    assert_nothing_wrong(rows, right, change)


def test_a_format_version_of_the_future_is_refused_with_its_number(fast: SparkSession, tables: Tables) -> None:
    with (
        faults.metadata(tables[2], lambda document: document.update({"format-version": 99})),
        pytest.raises(UnreadableMetadata, match="format version 99; versions 1 to 3 are read here"),
    ):
        Table.open(str(tables[2].folder), fast)


@pytest.mark.parametrize("name", ["missing", "cut short", "no such format", "of another table"])
@pytest.mark.parametrize(
    ("version", "kind"),
    [(2, "data file"), (2, "position delete file"), (2, "equality delete file"), (3, "puffin file")],
)
def test_a_file_of_rows_that_is_broken(
    fast: SparkSession,
    tables: Tables,
    others: Tables,
    whole: Mapping[int, Mapping[str, Outcome]],
    version: int,
    kind: str,
    name: str,
) -> None:
    table = tables[version]
    with faults.fault(table, kind, name, others[version]):
        files = answers_of(fast, table, about_files)
        rows = answers_of(fast, table, about_rows) if name != "cut short" else {}
    assert {now.kind for now in files.values()} == {"answered"}  # metadata tells of files without them
    assert_only_of_gone_files_is_said_how_they_come_back(rows, name)
    assert_nothing_wrong(files, whole[version], (kind, name))
    if name != "of another table":  # rows are then what every reader gives; nothing of the format tells
        assert_nothing_wrong(rows, whole[version], (kind, name))
    if name in ("missing", "no such format"):
        assert rows["why"].kind == "refused"
        assert rows["changes"].kind == "part", rows["changes"]  # the other commits are told


def test_a_biography_does_not_say_that_rows_live_which_an_unreadable_delete_may_mask(
    fast: SparkSession, tables: Tables, others: Tables
) -> None:
    table = tables[3]
    with faults.fault(table, "puffin file", "missing", others[3]) as file:
        picture = Table.open(str(table.folder), fast).biography("id < 4")
        facts = picture.facts
    assert picture.title.endswith("; whether they are masked now is not known")
    assert any(file.name in note.about for note in picture.notes)
    assert [event.kind for event in facts.events if event.kind != "CREATED"] == ["DELETED"]  # no RETURNED
