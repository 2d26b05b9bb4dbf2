"""Triage: reach in columns beside the rule for each pair, beginnings beside a search, what no live table shows."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from explorer.model.iceberg.delete_scope import DataFile, DeleteFile, verdict
from explorer.model.iceberg.inheritance import StoredEntry, Value
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.snapshot_graph.facts import snapshot_graph
from explorer.model.triage import words
from explorer.model.triage.checks import triage
from explorer.model.triage.facts import COSTS, Check, Clean, Finding
from explorer.model.triage.files import Files
from explorer.model.triage.known import History, Known, Named
from explorer.model.triage.live import LiveFiles
from explorer.model.triage.registry import BY_NAME, SIGNATURES, SYMPTOMS, ordered
from explorer.model.triage.scope import UNKNOWN, reached
from explorer.model.triage.since import Since
from explorer.queries.files import avro
from tests.figures import triage_stories
from tests.model.file_histories import File, FileHistory
from tests.model.histories import random_history
from tests.model.made import a_manifest, an_entry, as_read

NOW = datetime(2026, 11, 25, tzinfo=UTC)
SPECS = {0: ({"name": "day", "transform": "identity", "source-id": 1},), 1: (), 2: ({"transform": "identity"},)}


def known(history: FileHistory, **more: Any) -> Known:
    document = history.document(version=more.pop("version", 2)) | more.pop("document", {})
    document["snapshots"] = sorted(document["snapshots"], key=lambda s: s["sequence-number"])
    metadata = TableMetadata.from_json(document)
    head = metadata.by_id.get(metadata.current_snapshot_id or 0)
    return Known(
        graph=snapshot_graph(metadata),
        document=document,
        metadata_size=1,
        metadata_location="file:/tmp/t/metadata/v1.metadata.json",
        named=Named("lake.shop.orders", "lake", "shop.orders"),
        head=head,
        ref="main",
        good=None,
        asked=None,
        now=NOW,
        **{"history": History(history.lists, history.manifests, history.lifetimes(), {}), "head_list": (), **more},
    )


def file_history(seed: int, commits: int = 12) -> FileHistory:
    history = FileHistory(seed)
    for _ in range(commits):
        history.point_main(history.commit(history.main))
    return history


def _pair(delete: File, data: File) -> bool | None:
    return verdict(_delete(delete), _data(data), vectors=()).applies


def _delete(file: File) -> DeleteFile:
    kinds = {1: "position deletes" if file.offset is None else "deletion vector", 2: "equality deletes"}
    target = file.target or file.bounds
    return DeleteFile(
        file.path,
        file.offset,
        kinds[file.content],  # type: ignore[arg-type]
        file.place[0],
        file.place[1],
        file.records,
        file.size,
        Value(file.number, "stored"),
        "every file" if file.content == 2 and file.place[0] == 1 else "path" if target else "partition",
        target,
    )


def _data(file: File) -> DataFile:
    return DataFile(file.path, *file.place, file.records, file.size, Value(file.number, "stored"))


@pytest.mark.parametrize("seed", range(12))
def test_what_deletes_reach_is_what_the_rule_says_of_each_pair(seed: int) -> None:
    history = file_history(seed)
    lifetimes = history.lifetimes()
    head = lifetimes.place[history.main or 0]
    files = Files(lifetimes, head)
    found = reached(files, files.live, SPECS)
    own = history.live[history.main or 0]
    data, deletes = [f for f in own if f.content == 0], [f for f in own if f.content]
    by_key = {
        (files.name(n), lifetimes.column("content_offset")[n].as_py()): n
        for n in range(lifetimes.count)
        if files.live[n]
    }
    for delete in deletes:
        n = by_key[delete.path, delete.offset]
        # Of one that names a file in another place the pair says that it is not known: a damaged entry.
        if found[n] != UNKNOWN and delete.target is None and delete.bounds is None:
            assert int(found[n]) == sum(_pair(delete, f) is True for f in data), delete


@pytest.mark.parametrize("seed", range(10))
def test_a_beginning_is_the_first_commit_from_which_on_it_holds(seed: int) -> None:
    history = file_history(seed)
    of = known(history)
    for at in range(len(of.line)):
        since = of.always_since(lambda place, at=at: place >= at)  # type: ignore[misc]
        assert since.snapshot is of.line[at]
        assert since.at_or_before == (at == 0 and of.is_cut)


def test_a_trend_begins_where_the_median_of_twenty_stays_over() -> None:
    of = known(file_history(1, 60))
    values = [0.0] * 30 + [10.0] * 30
    assert of.trend(values, 5).snapshot is of.line[40]  # at ten of each the median is between them
    assert of.trend([10.0] * 60, 5) == Since(of.line[0], "T")


@pytest.mark.parametrize("seed", range(30))
def test_no_random_history_is_beyond_any_check(seed: int) -> None:
    """Branches, rollbacks, expiry, clocks that run backwards: every check has an answer, at every price."""
    history = random_history(seed, 25)
    metadata = TableMetadata.from_json(history.document())
    of = replace(
        known(FileHistory(seed)),
        graph=snapshot_graph(metadata),
        document=history.document(),
        head=metadata.by_id.get(metadata.current_snapshot_id or 0),
        history=None,
        head_list=None,
    )
    facts = triage(of)
    assert len(facts.checks) == len(SIGNATURES)
    assert {c.state for c in facts.checks if c.signature.cost == "manifests"} <= {"not asked"}
    assert words.counts(facts)
    deeper = triage(known(file_history(seed)))
    assert all(check.words or check.finding for check in deeper.checks)
    assert not [c for c in deeper.checks if c.state == "not asked" and c.signature.cost != "listing"]


def test_the_title_counts_the_findings_of_each_kind() -> None:
    told = triage_stories.triage(count=292)
    assert words.counts(told).startswith("Wrong answers: 1 (since 241), slow: 1 (")
    twice = replace(told, checks=(*told.checks, told.checks[0]))
    assert words.counts(twice).startswith("Wrong answers: 2 (since 241)")


def test_a_check_beyond_its_price_is_never_clean() -> None:
    of = replace(known(file_history(3)), history=None, head_list=None)
    for check in triage(of).checks:
        if COSTS.index(check.signature.cost) > 0:
            assert check.state == "not asked"


def test_what_was_not_asked_for_one_reason_is_one_note_that_names_every_check() -> None:
    facts = triage(replace(known(file_history(3)), history=None, head_list=None))
    told = words.notes(facts)
    assert len({note.reason for note in told}) == len(told)
    named = [about for note in told for about in note.about.removeprefix("Not answered: ").split("; ")]
    assert sorted(named) == sorted(c.signature.about for c in facts.checks if c.state in ("not asked", "cannot say"))


def test_a_long_reason_of_several_checks_is_said_of_the_first() -> None:
    long = "The history of this table does not fit into the memory of this process, of which 3 MB are free."
    checks = [Check(signature, "not asked", words=long) for signature in SIGNATURES[:4]]
    assert [said for _, said in words.one_by_one(checks)] == [long] + ["As the one above."] * (len(checks) - 1)
    short = [replace(check, words="No deletes.") for check in checks]
    assert {said for _, said in words.one_by_one(short)} == {"No deletes."}


def test_what_could_not_be_read_is_never_clean() -> None:
    history = file_history(4)
    read = known(history).history
    assert read is not None
    lost = {**history.lists, next(iter(history.lists)): "The manifest list was not found."}
    holed = replace(known(history), history=replace(read, lists=lost))
    states = {c.state for c in triage(holed).checks if c.signature.cost == "manifests"}
    assert "clean" not in states


def test_a_symptom_has_its_checks_first_and_leaves_none_out() -> None:
    for symptom, first in SYMPTOMS.items():
        asked = [signature.name for signature in ordered(symptom)]
        assert tuple(asked[: len(first)]) == first
        assert sorted(asked) == sorted(BY_NAME)


def test_the_title_answers_the_symptom_before_what_else_was_found() -> None:
    found = triage_stories.triage()
    own = next(check for check in found.checks if check.signature.name == "file-listed-twice")
    slow = next(check for check in found.checks if check.finding and check.finding.severity == "slow")
    assert words.title(found).startswith("6 files are listed twice: 18,204 rows doubled (since 241); 1 more finding")
    clean = replace(own, state="clean", finding=None, words="96 manifests")
    without = replace(found, checks=(clean, *(check for check in found.checks if check is not own)))
    nothing = "Nothing found for “rows doubled”: 1 of 2 checks clean, 1 not answered"
    assert words.title(without) == f"{nothing}; beside that: 27 equality deletes pile up (trend from 292)"
    alone = replace(without, checks=tuple(check for check in without.checks if check is not slow))
    assert words.title(alone) == nothing
    assert words.title(replace(without, symptom=None)) == "27 equality deletes pile up (trend from 292)"


def _live(*entries: StoredEntry, first_row_id: int | None = 0) -> LiveFiles:
    listed = a_manifest("m", first_row_id=first_row_id)
    columns = [asdict(e) | asdict(e.statistics) | as_read(listed, e) for e in entries]
    table = pa.Table.from_pylist(columns, schema=pa.schema([*avro.ENTRY, *avro.STATISTICS]))
    return LiveFiles(table, len(entries))


def test_row_ids_that_overlap_or_are_missing_are_found() -> None:
    history = file_history(5)
    document = {"format-version": 3, "next-row-id": 30}
    of = known(
        history,
        document=document,
        live=_live(*(an_entry(str(n), record_count=10, stored_first_row_id=n * 10) for n in range(3))),
    )
    examine = BY_NAME["row-ids-damaged"].examine
    assert isinstance(examine(of), Clean)
    doubled = _live(*(an_entry(name, record_count=10, stored_first_row_id=n) for name, n in (("a", 0), ("b", 5))))
    found = examine(replace(of, live=doubled))
    assert isinstance(found, Finding)
    assert "within those of another file" in found.title
    beyond = examine(replace(of, live=_live(an_entry("a", record_count=10, stored_first_row_id=25))))
    assert isinstance(beyond, Finding)
    assert "run past" in beyond.title


def test_of_more_files_than_were_looked_at_nothing_is_clean() -> None:
    history = file_history(6)
    whole, part = _live(an_entry("file:/tmp/t/data/x.parquet")), _live(an_entry("file:/tmp/t/data/x.parquet"))
    part.data_files = 2
    for live, expected in ((whole, "clean"), (part, "cannot say")):
        checks = triage(known(history, live=live)).checks
        assert next(c.state for c in checks if c.signature.name == "unmapped-columns") == expected


def test_two_vectors_of_one_file_block_reading() -> None:
    history = FileHistory(0)
    first = history.commit(None)
    history.point_main(first)
    data = File("data", (1, ""), 0, 1, 10, 100)
    one, two = (File(f"v{n}", (1, ""), 1, 1, 2, 50, 4, 40, "data") for n in range(2))
    for vectors, expected in (([one], Clean), ([one, two], Finding)):
        made = FileHistory(0)
        own = made.commit(None)
        made.point_main(own)
        made.lists[own] = (made._manifest(own, [(1, None, data)]), made._manifest(own, [(1, None, v) for v in vectors]))
        assert isinstance(BY_NAME["dv-broken"].examine(known(made)), expected)


def test_imported_files_without_a_mapping_are_found_and_mapped_ones_are_not() -> None:
    history = file_history(6)
    schema = {
        "schemas": [
            {"schema-id": 0, "type": "struct", "fields": [{"id": 1, "name": "id", "type": "long", "required": False}]}
        ]
    }
    imported = _live(an_entry("file:/elsewhere/x.parquet"))
    of = known(history, document=schema, live=imported)
    examine = BY_NAME["unmapped-columns"].examine
    assert isinstance(examine(of), Finding)
    mapped = schema | {"properties": {"schema.name-mapping.default": '[{"field-id": 1, "names": ["id"]}]'}}
    assert isinstance(examine(known(history, document=mapped, live=imported)), Clean)
    home = _live(an_entry("file:/tmp/t/data/x.parquet"))
    assert isinstance(examine(replace(of, live=home)), Clean)


def test_statements_that_keep_the_evidence_name_the_last_good_and_the_first_bad_commit() -> None:
    history = file_history(7)
    of = known(history)
    facts = triage(of)
    bad = replace(facts, checks=(Check(BY_NAME["file-listed-twice"], "found", _wrong(of)),))
    pinned = words.pin(bad, of.named)
    assert str(of.line[5].snapshot_id) in pinned
    assert str(of.line[4].snapshot_id) in pinned
    assert pinned.count("CREATE TAG") == 3


def _wrong(of: Known) -> Finding:
    from tests.figures.triage_stories import finding

    return finding(of.line[5])
