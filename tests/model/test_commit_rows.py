from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import pytest

from explorer.model.commit.row_outcomes import MOST_RIBBONS, commit_rows
from explorer.model.commit.rows import Masking, Outcomes, Ribbon
from explorer.model.iceberg.commit import Commit, Kept, PartitionChange
from explorer.model.iceberg.inheritance import StoredEntry
from explorer.model.iceberg.metadata import Snapshot
from explorer.model.iceberg.row_lineage import RowIds
from explorer.model.iceberg.touched_files import cost
from tests.model.made import an_entry


def a_commit(operation: str = "overwrite", parent: str = "present") -> Commit:
    snapshot = Snapshot(2, 1, 2, None, operation, {}, None, 0)
    return Commit(snapshot, parent, (), 0, (), PartitionChange(None, None, {}, {}), Kept(0, 0), None, (), ())  # type: ignore[arg-type]


def entry(path: str, rows: int, *, size: int = 100, **more: Any) -> StoredEntry:
    return an_entry(path, record_count=rows, file_size_in_bytes=size, **more)


@dataclass
class Touched:
    removed: list[StoredEntry] = field(default_factory=list)
    added: list[StoredEntry] = field(default_factory=list)
    kept: list[StoredEntry] = field(default_factory=list)
    deletes_added: list[StoredEntry] = field(default_factory=list)
    complete: bool = True


@dataclass
class Flow:
    source: str | None
    target: str | None
    outcome: str
    rows: int


@dataclass
class Matched:
    flows: list[Flow]
    before_known: bool = True
    by_row_id: bool = False
    row_ids_failed: str = ""
    identifier_columns: tuple[str, ...] = ()
    ambiguous: int = 0
    not_compared: tuple[str, ...] = ()
    masked: list[Any] = field(default_factory=list)
    masks_unknown: str = ""
    listed_again: tuple[str, ...] = ()
    cells: list[Any] = field(default_factory=list)
    flow_count: int = 0
    by_file: dict[tuple[str, bool, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.flow_count = self.flow_count or len(self.flows)
        for flow in self.flows:
            for path, left in ((flow.source, True), (flow.target, False)):
                if path is not None:
                    self.by_file[path, left, flow.outcome] = self.by_file.get((path, left, flow.outcome), 0) + flow.rows


@dataclass
class Mask:
    data_path: str
    delete_path: str
    content_offset: int | None
    rows: int


NO_IDS = RowIds(False, "A table of format version 2 has no row ids.")
# Two files rewritten into one of another partition, with one row updated, one deleted and one inserted; a third masked.
REWRITE = Touched(
    removed=[entry("r1", 4, partition="p=a"), entry("r2", 2, partition="p=a", size=50)],
    added=[entry("n", 6, partition="p=b", size=70)],
    kept=[entry("k", 9, partition="p=b")],
    deletes_added=[entry("v", 2, content=1, file_format="PUFFIN", content_offset=4)],
)
FLOWS = [
    Flow("r1", "n", "carried over", 2),
    Flow("r1", "n", "updated", 1),
    Flow("r2", "n", "carried over", 1),
    Flow("k", "n", "updated", 1),
    Flow("r2", None, "deleted", 1),
    Flow("k", None, "deleted", 1),
    Flow(None, "n", "inserted", 1),
]


def test_outcomes_add_up_in_files_partitions_and_all() -> None:
    rows = commit_rows(a_commit(), REWRITE, Matched(FLOWS, by_row_id=True, masked=[Mask("k", "v", 4, 2)]), NO_IDS)
    assert {file.path: (file.change, file.outcomes) for file in rows.files} == {
        "r1": ("removed", Outcomes(carried_over=2, updated=1, unseen=1)),
        "r2": ("removed", Outcomes(carried_over=1, deleted=1)),
        "k": ("kept", Outcomes(updated=1, deleted=1)),
        "n": ("added", Outcomes(carried_over=3, updated=2, inserted=1)),
    }
    assert rows.files[2].masked_by == (Masking("v", 4, "deletion vector", 2),)
    assert rows.totals == Outcomes(carried_over=3, updated=2, deleted=2, inserted=1, unseen=1)
    assert [(p.partition, p.gone, p.new) for p in rows.by_partition] == [
        ("p=a", Outcomes(carried_over=3, updated=1, deleted=1, unseen=1), Outcomes()),
        ("p=b", Outcomes(updated=1, deleted=1), Outcomes(carried_over=3, updated=2, inserted=1)),
    ]
    assert rows.ribbons[0] == Ribbon("r1", "n", "carried over", 2, "proved")
    assert len(rows.ribbons) == 4
    assert (rows.rows_written, rows.bytes_written, rows.changed, rows.amplification) == (6, 70, 5, 6 / 5)
    assert rows.pairing == "row id"
    assert rows.changed_by_replace == 0


def test_without_row_ids_ribbons_are_inferred_and_a_note_says_so() -> None:
    rows = commit_rows(a_commit(), REWRITE, Matched(FLOWS, identifier_columns=("id",), ambiguous=3), NO_IDS)
    assert {ribbon.certainty for ribbon in rows.ribbons} == {"inferred"}
    assert (rows.pairing, rows.identifier_columns) == ("identifier columns", ("id",))
    assert [(note.certainty, note.about) for note in rows.notes] == [
        ("inferred", "Which rows were carried over"),
        ("inferred", "Which rows were updated"),
        ("unknown", "Updates among 3 rows"),
    ]
    assert "version 2" in rows.notes[0].reason


def test_nothing_needs_a_note_where_no_row_could_have_become_another() -> None:
    rows = commit_rows(
        a_commit("append"), Touched(added=[entry("n", 2)]), Matched([Flow(None, "n", "inserted", 2)]), NO_IDS
    )
    assert (rows.notes, rows.totals, rows.amplification) == ((), Outcomes(inserted=2), 1)


def test_deleted_beside_inserted_without_identifiers_may_be_updates() -> None:
    matched = Matched([Flow("r1", None, "deleted", 4), Flow(None, "n", "inserted", 6)])
    rows = commit_rows(a_commit(), REWRITE, matched, NO_IDS)
    assert rows.pairing == "none"
    assert [note.about for note in rows.notes] == ["Which rows were carried over", "Updates"]


def test_a_compaction_that_changed_rows_is_announced_loudly() -> None:
    rows = commit_rows(a_commit("replace"), REWRITE, Matched(FLOWS), NO_IDS)
    assert rows.changed_by_replace == 5
    assert "must not change rows changed 5 rows" in rows.notes[0].about
    sound = commit_rows(a_commit("replace"), REWRITE, Matched([Flow("r1", "n", "carried over", 4)]), NO_IDS)
    assert sound.changed_by_replace == 0
    assert "must not" not in str(sound.notes)


@pytest.mark.parametrize(("state", "words"), [("expired", "no longer listed"), ("present", "cannot be read")])
def test_an_unknown_before_leaves_the_added_files(state: str, words: str) -> None:
    matched = Matched([Flow(None, "n", "inserted", 6)], before_known=False)
    rows = commit_rows(a_commit("replace", state), REWRITE, matched, NO_IDS)
    assert [(file.path, file.outcomes) for file in rows.files] == [("n", Outcomes(inserted=6))]
    assert (rows.before_known, rows.amplification, rows.changed_by_replace) == (False, None, 0)
    (note,) = rows.notes
    assert note.certainty == "unknown"
    assert words in note.reason


def test_a_file_with_more_rows_than_its_entry_counts_is_reported() -> None:
    rows = commit_rows(a_commit(), Touched(added=[entry("n", 2)]), Matched([Flow(None, "n", "inserted", 3)]), NO_IDS)
    assert rows.files[0].outcomes == Outcomes(inserted=3, unseen=-1)
    assert "counts too few rows in 1 file" in rows.notes[0].about


def test_what_is_left_out_is_counted() -> None:
    many = [Flow(f"r{i}", "n", "carried over", 1) for i in range(MOST_RIBBONS + 5)]
    rows = commit_rows(a_commit(), dataclasses.replace(REWRITE, complete=False), Matched(many), NO_IDS)
    assert len(rows.ribbons) == MOST_RIBBONS
    assert f"{MOST_RIBBONS:,} of {MOST_RIBBONS + 5:,} ribbons listed" in [note.about for note in rows.notes]
    assert "Some touched files" in [note.about for note in rows.notes]
    cut = Matched(many[:3], flow_count=10, not_compared=("g",), masks_unknown="Why.", row_ids_failed="Some have none.")
    notes_ = " ".join(str(note) for note in commit_rows(a_commit(), REWRITE, cut, NO_IDS).notes)
    for words in ("3 of more than 3 ribbons", "Changes in g", "Why.", "Some have none."):
        assert words in notes_


def test_the_cost_is_known_without_reading() -> None:
    found = cost(REWRITE)
    assert (found.files, found.size_in_bytes, found.rows, found.at_least) == (4, 320, 21, False)
    assert cost(dataclasses.replace(REWRITE, complete=False)).at_least
