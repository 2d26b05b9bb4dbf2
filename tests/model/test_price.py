"""An upper bound of what is read, against sets of files commit by commit; none where a summary does not tell."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from explorer.model import words
from explorer.model.changelog.price import most_bytes
from explorer.model.iceberg.commit_range import commit_range
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.iceberg.most_read import MostRead, most_read
from tests.figures.snapshot_graph_stories import Story

File = tuple[str, int, bool]  # name, bytes, whether it is of deletes


@dataclass
class Made:
    """A line of commits with the files that each added and removed."""

    pick: random.Random
    story: Story = field(default_factory=Story)
    live: list[set[File]] = field(default_factory=lambda: [set()])
    changes: list[tuple[set[File], set[File]]] = field(default_factory=list)

    def commit(self, *, deletes: bool) -> None:
        before, n = self.live[-1], len(self.live)
        removed = {f for f in before if self.pick.random() < 0.25}
        added = {(f"{n}-{i}", self.pick.randint(1, 999), deletes and self.pick.random() < 0.4) for i in range(3)}
        after = before - removed | added

        def count(files: set[File], *, of: bool) -> int:
            return sum(f[2] == of for f in files)

        counters = {
            "added_data_files": count(added, of=False),
            "deleted_data_files": count(removed, of=False),
            "added_delete_files": count(added, of=True),
            "removed_delete_files": count(removed, of=True),
            "added_files_size": sum(f[1] for f in added),
            "removed_files_size": sum(f[1] for f in removed),
        }
        totals = {
            "total_data_files": count(after, of=False),
            "total_delete_files": count(after, of=True),
            "total_files_size": sum(f[1] for f in after),
        }
        kind = self.pick.choice(["append", "overwrite", "delete", "replace"])
        self.story.commit(kind, parent=n - 1 or None, **{k: v for k, v in counters.items() if v}, **totals)
        self.live.append(after)
        self.changes.append((added, removed))

    def read(self, first: int, last: int) -> set[File]:
        """The most that can be read of the commits from one number to another."""
        metadata = TableMetadata.from_json(self.story.document())
        asked = [n for n in range(first, last + 1) if metadata.by_id[self.story.ids[n]].operation != "replace"]
        files = {f for n in asked for side in self.changes[n - 1] for f in side}
        around = set().union(*self.live[first - 1 : last + 1])
        return around if asked and any(f[2] for f in around) else files


@pytest.mark.parametrize("seed", range(80))
def test_the_bound_holds_whatever_the_commits_do(seed: int) -> None:
    pick = random.Random(seed)
    made, deletes = Made(pick), pick.random() < 0.6
    for _ in range(6):
        made.commit(deletes=deletes)
    metadata = TableMetadata.from_json(made.story.document())
    for first in range(1, 7):
        for last in range(first, 7):
            start = made.story.ids.get(first - 1)
            bound = most_bytes(metadata, commit_range(metadata, start, made.story.ids[last]))
            files = made.read(first, last)
            assert bound.files is not None
            assert bound.size_in_bytes is not None
            assert bound.files >= len(files)
            assert bound.size_in_bytes >= sum(f[1] for f in files)
            if not deletes:  # what comes and goes within is counted twice
                assert bound.size_in_bytes <= 2 * sum(f[1] for f in files)


@pytest.mark.parametrize("seed", range(40))
def test_the_bound_of_ownership_is_of_the_live_rows_and_of_what_their_owners_replaced(seed: int) -> None:
    made, deletes = Made(random.Random(seed)), bool(seed % 2)
    for _ in range(6):
        made.commit(deletes=deletes)
    metadata = TableMetadata.from_json(made.story.document())
    for last in range(1, 7):
        bound = most_bytes(metadata, commit_range(metadata, None, made.story.ids[last]), "ownership")
        live, replaced = made.live[last], set[File]()
        for added, removed in made.changes[:last]:
            masks = any(file[2] for file in added)
            if any(not file[2] for file in live & added) and (masks or any(not file[2] for file in removed)):
                replaced |= added | removed
        assert bound.files is not None
        assert bound.size_in_bytes is not None
        assert bound.files >= len(live) + len(replaced)
        assert bound.size_in_bytes >= sum(f[1] for f in live) + sum(f[1] for f in replaced)
        if not deletes:
            moved = sum(f[1] for added, removed in made.changes[:last] if removed for f in added | removed)
            assert bound.size_in_bytes == sum(f[1] for f in live) + moved


@pytest.mark.parametrize("seed", range(20))
def test_it_holds_where_what_was_before_has_expired(seed: int) -> None:
    made = Made(random.Random(seed))
    for _ in range(5):
        made.commit(deletes=bool(seed % 2))
    made.story.expire(1, 2)
    metadata = TableMetadata.from_json(made.story.document())
    bound = most_bytes(metadata, commit_range(metadata, None, made.story.ids[5]))
    asked = [n for n in (3, 4, 5) if metadata.by_id[made.story.ids[n]].operation != "replace"]
    files = {f for n in asked for f in made.changes[n - 1][0] | made.changes[n - 1][1]}
    if asked and any(f[2] for live in made.live[3:] for f in live):
        files |= set().union(*made.live[3:])
    assert bound.size_in_bytes is not None
    assert bound.size_in_bytes >= sum(f[1] for f in files)


def test_without_bytes_in_a_summary_there_is_no_bound() -> None:
    s = Story()
    s.commit(added_data_files=2, total_data_files=2, total_delete_files=0, total_files_size=9)
    metadata = TableMetadata.from_json(s.document())
    first = metadata.snapshots[0]
    bound = most_read([first], [first], None)
    assert bound == MostRead(None, None, f"The summary of {s.id(1)} does not tell how many bytes it changed.")
    assert words.most(bound) == f"unknown: {bound.reason}"
    owned = most_bytes(metadata, commit_range(metadata, None, None), "ownership")  # an append replaces nothing
    assert owned.size_in_bytes == 9
    s.commit(parent=1, added_data_files=1, added_files_size=5, added_delete_files=1)
    s.snapshots[s.ids[1]]["summary"] = {"operation": "append"}
    metadata = TableMetadata.from_json(s.document())
    second = metadata.by_id[s.ids[2]]
    bound = most_read([second], [second], metadata.by_id[s.ids[1]])
    assert bound.reason == f"The summary of {s.id(1)} does not tell what the table held."
    owned = most_bytes(metadata, commit_range(metadata, None, None), "ownership")
    assert (owned.files, owned.size_in_bytes) == (None, None)


def test_nothing_is_read_of_no_commit_and_of_those_that_only_move_rows() -> None:
    s = Story()
    s.commit("append")
    s.commit("replace", parent=1)
    metadata = TableMetadata.from_json(s.document())
    for start in (1, 2):
        bound = most_bytes(metadata, commit_range(metadata, s.ids[start], s.ids[2]))
        assert (bound.files, bound.size_in_bytes) == (0, 0)
        assert words.most(bound) == "0 files, 0 B"


def test_a_price_is_said_in_one_way() -> None:
    assert words.price("3 files", 2_400_000) == "3 files, 2.4 MB"
    assert words.price("12 data files", 84_000_000, bound="at least") == "at least 12 data files, 84 MB"
    assert words.most(MostRead(1, 930, "")) == "at most 1 file, 930 B"
