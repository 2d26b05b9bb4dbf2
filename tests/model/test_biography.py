"""The lives of rows, against histories in which it is known which row is which."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from explorer.model.biography import finding
from explorer.model.biography.chain import lives
from explorer.model.biography.facts import Event, Life, Line, Mask, RowVersion
from explorer.model.biography.line_rows import LineRows
from explorer.model.iceberg.lineage import MainMove
from explorer.model.iceberg.metadata import Snapshot
from tests.model.biographies import COLUMNS, START, line, snapshot, told, version


@dataclass(frozen=True)
class Row:
    """A row as the simulation knows it: `identity` is what the chain has to find out."""

    identity: int
    values: tuple[str, ...]
    last_updated: int


@dataclass
class Files:
    """Data files and deletes on one line, with the places at which they came and went."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    lives: dict[str, list[list[int]]] = field(default_factory=lambda: defaultdict(list))
    deletes: dict[str, tuple[str, frozenset[int]]] = field(default_factory=dict)
    delete_lives: dict[str, list[list[int]]] = field(default_factory=lambda: defaultdict(list))

    def live(self) -> list[str]:
        return [path for path, spans in self.lives.items() if len(spans[-1]) == 1]

    def live_deletes(self) -> list[str]:
        return [path for path, spans in self.delete_lives.items() if len(spans[-1]) == 1]

    def visible(self) -> dict[tuple[str, int], Row]:
        masked = {(self.deletes[d][0], pos) for d in self.live_deletes() for pos in self.deletes[d][1]}
        return {
            (path, pos): row
            for path in self.live()
            for pos, row in enumerate(self.rows[path])
            if (path, pos) not in masked
        }


class Simulation:
    """A random history of files and rows; `seen[place]` is what a reader sees, with each row's identity."""

    def __init__(self, seed: int, *, keys: int, number: int = 0) -> None:
        self.pick, self.keys = random.Random(seed), keys
        self.files, self.number, self.identities, self.names = Files(), number, 0, 0
        self.snapshots: list[Snapshot | None] = [None]
        self.seen: list[dict[tuple[str, int], Row]] = [{}]
        self.writes: set[int] = set()
        self.takes: set[int] = set()

    def fork(self, at: int) -> Simulation:
        """Another line that leaves this one after a place, which has not gone on yet."""
        other = Simulation(self.pick.randint(0, 10**9), keys=self.keys, number=self.number + 100)
        files = self.files
        other.files = Files(
            dict(files.rows),
            defaultdict(list, {p: [[0]] for p in files.live()}),
            dict(files.deletes),
            defaultdict(list, {d: [[0]] for d in files.live_deletes()}),
        )
        other.identities, other.names = self.identities, self.names + 1000
        other.snapshots, other.seen = [self.snapshots[at]], [self.seen[at]]
        return other

    @property
    def place(self) -> int:
        return len(self.snapshots)

    def commit(self) -> None:
        ids = self.identities
        operation = self.pick.choice(
            [
                *(self.append, self.append, self.mask, self.update, self.update, self.rewrite, self.compact),
                *(self.race, self.unmask, self.take_out, self.put_back, self.drop, self.write_equal),
            ]
        )()
        self.number += 1
        self.snapshots.append(snapshot(self.number, operation, first_row_id=ids))
        self.seen.append(self.files.visible())

    # --- what happens, each gives its operation

    def values(self) -> tuple[str, ...]:
        pick = self.pick.choice
        return str(self.pick.randrange(self.keys)), pick(["paid", "shipped", "null"]), pick(["1", "2"])

    def new(self) -> Row:
        self.identities += 1
        return Row(self.identities - 1, self.values(), self.number + 1)

    def add(self, rows: list[Row]) -> None:
        if rows:
            self.names += 1
            self.files.rows[f"f{self.names}"] = rows
            self.files.lives[f"f{self.names}"].append([self.place])
            self.writes.add(self.place)

    def remove(self, path: str) -> None:
        self.files.lives[path][-1].append(self.place)
        self.takes.add(self.place)
        for delete in self.files.live_deletes():
            if self.files.deletes[delete][0] == path:
                self.files.delete_lives[delete][-1].append(self.place)

    def hide(self, places: list[tuple[str, int]]) -> None:
        for path in {path for path, _ in places}:
            self.names += 1
            self.files.deletes[f"d{self.names}"] = path, frozenset(pos for p, pos in places if p == path)
            self.files.delete_lives[f"d{self.names}"].append([self.place])
            self.takes.add(self.place)

    def some(self) -> list[tuple[tuple[str, int], Row]]:
        seen = sorted(self.files.visible().items(), key=lambda item: item[0])
        return self.pick.sample(seen, min(len(seen), self.pick.randint(1, 3)))

    def changed(self, row: Row) -> Row:
        cell = self.pick.choice([0, 1, 1, 2])
        values = tuple(
            new if i == cell else old for i, (old, new) in enumerate(zip(row.values, self.values(), strict=True))
        )
        return replace(row, values=values, last_updated=self.number + 1)

    def append(self) -> str:
        self.add([self.new() for _ in range(self.pick.randint(1, 3))])
        return "append"

    def mask(self) -> str:
        self.hide([place for place, _ in self.some()])
        return "delete"

    def update(self) -> str:
        """Merge-on-read: rows are masked and written anew; now and then a new one with them."""
        some = self.some()
        self.hide([place for place, _ in some])
        more = [self.new()] if self.pick.random() < 0.3 else []
        self.add([self.changed(row) if self.pick.random() < 0.8 else row for _, row in some] + more)
        return "overwrite"

    def rewrite(self) -> str:
        """Copy-on-write: one file is written again with rows changed and rows left out."""
        if not (live := self.files.live()):
            return "overwrite"
        path = self.pick.choice(live)
        rows = [row for (p, _), row in self.files.visible().items() if p == path]
        self.remove(path)
        kept = [row for row in rows if self.pick.random() < 0.8]
        self.add([self.changed(row) if self.pick.random() < 0.4 else row for row in kept])
        return "overwrite"

    def compact(self) -> str:
        paths = self.pick.sample(live, min(2, len(live))) if (live := self.files.live()) else []
        rows = [row for (p, _), row in self.files.visible().items() if p in paths]
        for path in paths:
            self.remove(path)
        self.pick.shuffle(rows)
        self.add(rows)
        return "replace"

    def race(self) -> str:
        """A compaction that saw no delete: rows that were masked are there again."""
        live = [path for path in self.files.live() if not self.is_elsewhere(path)]
        if live:
            path = self.pick.choice(live)
            self.remove(path)
            self.add(list(self.files.rows[path]))
        return "replace"

    def unmask(self) -> str:
        files = self.files
        if deletes := [d for d in files.live_deletes() if not self.is_elsewhere(files.deletes[d][0])]:
            files.delete_lives[self.pick.choice(deletes)][-1].append(self.place)
        return "overwrite"

    def is_elsewhere(self, path: str) -> bool:
        """Whether a row of this file is seen in another one: it would be there twice."""
        here = {row.identity for (other, _), row in self.files.visible().items() if other != path}
        return bool(here & {row.identity for row in self.files.rows[path]})

    def take_out(self) -> str:
        if live := self.files.live():
            self.remove(self.pick.choice(live))
        return "delete"

    def put_back(self) -> str:
        files = self.files
        gone = [path for path, spans in files.lives.items() if len(spans[-1]) == 2 and not self.is_elsewhere(path)]
        if gone:
            files.lives[self.pick.choice(gone)].append([self.place])
            self.writes.add(self.place)
        return "append"

    def drop(self) -> str:
        """An overwrite: a file goes, and other rows come."""
        self.take_out()
        self.add([self.new() for _ in range(self.pick.randint(0, 2))])
        return "overwrite"

    def write_equal(self) -> str:
        """Rows equal to some that are seen, or were."""
        known = [row for rows in self.files.rows.values() for row in rows]
        if known:
            self.add([replace(self.new(), values=self.pick.choice(known).values)])
        return "append"

    # --- what the chain is given

    def versions(self, *, row_ids: bool) -> tuple[RowVersion, ...]:
        end, files = self.place, self.files
        found = []
        for path, spans in files.lives.items():
            for since, until in ((span[0], span[1] if len(span) == 2 else end) for span in spans):
                for pos, row in enumerate(files.rows[path]):
                    masks = [
                        Mask(
                            max(span[0], since),
                            min(span[1] if len(span) == 2 else end, until),
                            d,
                            None,
                            "deletion vector",
                        )
                        for d, (target, positions) in files.deletes.items()
                        if target == path and pos in positions
                        for span in files.delete_lives[d]
                    ]
                    masks = sorted((m for m in masks if m.since < m.until), key=lambda m: m.since)
                    places = [p for p in range(since, until) if not any(mask.since <= p < mask.until for mask in masks)]
                    shown = tuple(
                        (p, next(q for q in range(p, end + 1) if q not in places))
                        for p in places
                        if p - 1 not in places
                    )
                    ids = (row.identity, row.last_updated) if row_ids else (None, None)
                    same = tuple(None if value == "null" else value for value in row.values)
                    found.append(RowVersion(path, pos, 1, row.values, same, *ids, (since, until), shown, tuple(masks)))
        self.pick.shuffle(found)
        return tuple(found)

    def told(self, *, row_ids: bool, **line: Any) -> LineRows:
        about = Line(**{"name": "main", "kind": "branch", "begins": "root", "snapshots": tuple(self.snapshots)} | line)
        trust: Any = dict.fromkeys(range(self.place), "all" if row_ids else "none")
        return LineRows(about, self.versions(row_ids=row_ids), trust, frozenset(self.writes), frozenset(self.takes))


def played(seed: int, *, keys: int = 3, steps: int = 12) -> Simulation:
    simulation = Simulation(seed, keys=keys)
    for _ in range(steps):
        simulation.commit()
    return simulation


def by_identity(simulation: Simulation) -> list[dict[int, tuple[tuple[str, int], Row]]]:
    return [{row.identity: (place, row) for place, row in seen.items()} for seen in simulation.seen]


def expected(simulation: Simulation, known: set[int]) -> Counter[tuple[Any, ...]]:
    """What happened to each row, told by its identity, place by place."""
    states, found, ever = by_identity(simulation), Counter[tuple[Any, ...]](), set(known)
    for place in range(1, simulation.place):
        before, after = states[place - 1], states[place]
        for identity in before.keys() | after.keys():
            was, now = before.get(identity), after.get(identity)
            if was == now:
                continue
            if was is None and now is not None:
                found["RETURNED" if identity in ever else "CREATED", place, identity] += 1
            elif now is None:
                found["DELETED", place, identity] += 1
            elif was is not None:
                is_moved = was[1].last_updated == now[1].last_updated
                found["MOVED" if is_moved else "UPDATED", place, identity] += 1
            ever.add(identity)
    return found


def seen_by(found: tuple[Life, ...], line: int, place: int) -> Counter[tuple[str, ...]]:
    shown = (life.at(line, place) for life in found)
    return Counter(stretch.row.values for stretch in shown if stretch is not None and stretch.shown)


def check_seen(found: tuple[Life, ...], line: int, simulation: Simulation) -> None:
    for place in range(simulation.place):
        assert seen_by(found, line, place) == Counter(row.values for row in simulation.seen[place].values())


@pytest.mark.parametrize("seed", range(150))
def test_row_ids_tell_every_event_of_every_row(seed: int) -> None:
    simulation = played(seed)
    found = lives([simulation.told(row_ids=True)], COLUMNS, [0])
    check_seen(found, 0, simulation)
    events = [event for life in found for event in life.events if event.how != "inserted again"]
    again = [event for life in found for event in life.events if event.how == "inserted again"]
    told = Counter((event.kind, event.place, event.row.row_id) for event in events)
    told += Counter(("CREATED", event.place, event.row.row_id) for event in again)
    assert told == expected(simulation, set())
    assert {event.certainty for event in events} <= {"exact"}
    for life in found:
        assert len(life.row_ids) == 1


@pytest.mark.parametrize("seed", range(150))
def test_without_row_ids_what_is_called_exact_is_true(seed: int) -> None:
    simulation = played(seed, keys=4)
    found = lives([simulation.told(row_ids=False)], COLUMNS, [0])
    check_seen(found, 0, simulation)
    truth = expected(simulation, set())
    at = {(place, *where): row.identity for place, seen in enumerate(simulation.seen) for where, row in seen.items()}
    for event in (event for life in found for event in life.events if event.certainty == "exact"):
        place = event.place - 1 if event.kind == "DELETED" else event.place
        identity = at[place, event.row.file_path, event.row.position]
        kind = "CREATED" if event.how == "inserted again" else event.kind
        true = truth[kind, event.place, identity]
        # a row that was written again equal, and one that changed and changed back, look alike without row ids
        moved = event.kind == "MOVED" and truth["UPDATED", event.place, identity]
        assert true or moved, event


@pytest.mark.parametrize("seed", range(100))
def test_a_line_that_main_left_is_told_apart_and_what_was_taken_back_with_it(seed: int) -> None:
    simulation = played(seed, steps=6)
    at = simulation.place - 1
    other = simulation.fork(at)
    versions = simulation.told(row_ids=True)
    for _ in range(4):
        other.commit()
    for _ in range(3):
        simulation.commit()
    head = other.snapshots[-1]
    base = simulation.snapshots[at]
    assert head is not None
    assert base is not None
    assert versions.line.end == at + 1
    move = MainMove(START, head.snapshot_id, base.snapshot_id, "rollback")
    aside = other.told(row_ids=True, name="rolled back", kind="rolled back", begins="fork", left=move)
    found = lives([simulation.told(row_ids=True), aside], COLUMNS, [0])
    check_seen(found, 0, simulation)
    check_seen(found, 1, other)
    own = [event for life in found for event in life.events if event.line == 1 and event.move is None]
    known = {row.identity for seen in simulation.seen[: at + 1] for row in seen.values()}
    told = Counter(
        ("CREATED" if event.how == "inserted again" else event.kind, event.place, event.row.row_id) for event in own
    )
    assert told == expected(other, known)
    before, after = by_identity(other)[-1], by_identity(simulation)[at]
    taken_back = {event.row.row_id: event for life in found for event in life.events if event.move is not None}
    for identity in before.keys() | after.keys():
        was, now = before.get(identity), after.get(identity)
        wanted = None
        if was is not None and now is None:
            wanted = "DELETED"
        elif now is not None and (was is None or was[1].values != now[1].values):
            wanted = "RETURNED"
        told_event = taken_back.pop(identity, None)
        assert (told_event.kind if told_event else None) == wanted
    assert not taken_back


# --- one by one


def story(found: tuple[Life, ...]) -> list[tuple[Any, ...]]:
    def told(event: Event) -> tuple[Any, ...]:
        return event.life, event.place, event.kind, event.how, ", ".join(map(str, event.changed)), event.certainty

    return [told(event) for life in found for event in life.events]


def test_an_update_is_told_cell_by_cell_with_the_delete_that_made_room_for_it() -> None:
    mask = Mask(2, 3, "dv", 4, "deletion vector")
    rows = (
        version("a", "10 paid 5", (1, 2), listed=(1, 3), masks=(mask,)),
        version("b", "10 shipped 5", (2, 3)),
    )
    found = lives(
        [LineRows(line("append", "overwrite"), rows, writes=frozenset({1, 2}), takes=frozenset({2}))], COLUMNS, [0]
    )
    assert story(found) == [
        (1, 1, "CREATED", "file added", "", "exact"),
        (1, 2, "UPDATED", "masked by deletion vector, written anew", "status: paid → shipped", "inferred"),
    ]
    assert found[0].events[1].mask == mask


def test_equal_rows_are_lives_of_their_own_and_which_is_which_is_inferred() -> None:
    rows = (
        version("a", "1 x y", (1, 2), position=0),
        version("a", "1 x y", (1, 2), position=1),
        version("b", "1 x y", (2, 3), position=0),
        version("b", "1 x y", (2, 3), position=1),
    )
    found = lives(
        [LineRows(line("append", "replace"), rows, writes=frozenset({1, 2}), takes=frozenset({2}))], COLUMNS, [0]
    )
    assert [life.number for life in found] == [1, 2]
    assert [(e.kind, e.certainty) for life in found for e in life.events if e.place == 2] == [("MOVED", "inferred")] * 2


def test_one_row_that_a_replace_moved_is_known() -> None:
    rows = version("a", "1 x y", (1, 2)), version("b", "1 x y", (2, 3))
    found = lives(
        [LineRows(line("append", "replace"), rows, writes=frozenset({1, 2}), takes=frozenset({2}))], COLUMNS, [0]
    )
    assert story(found)[1] == (1, 2, "MOVED", "file rewritten", "", "exact")


def test_a_null_key_is_a_key() -> None:
    before = version("a", "null paid 5", (1, 2))
    after = version("b", "null shipped 5", (2, 3))
    rows = tuple(replace(row, same=(None, *row.same[1:])) for row in (before, after))
    found = lives(
        [LineRows(line("append", "overwrite"), rows, writes=frozenset({1, 2}), takes=frozenset({2}))], COLUMNS, [0]
    )
    assert story(found)[1][2:5] == ("UPDATED", "file rewritten", "status: paid → shipped")


def test_a_changed_key_is_followed_where_the_rest_is_equal() -> None:
    rows = version("a", "1 paid 5", (1, 2)), version("b", "2 paid 5", (2, 3))
    found = lives(
        [LineRows(line("append", "overwrite"), rows, writes=frozenset({1, 2}), takes=frozenset({2}))], COLUMNS, [0]
    )
    assert story(found)[1] == (1, 2, "UPDATED", "file rewritten", "id: 1 → 2", "inferred")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (("1 new sami", "3 new sami"), ("1 paid sami", "3 paid sami"), ["UPDATED", "UPDATED"]),
        (("1 new sami", "3 new sami"), ("3 paid sami", "9 new2 sami"), ["DELETED", "UPDATED"]),
        # as much like the one as like the other
        (("1 new sami", "1 old sami"), ("1 paid sami", "1 sent sami"), ["DELETED", "DELETED"]),
    ],
)
def test_rows_of_one_key_are_one_where_half_of_their_cells_tell_them_from_all_others(
    before: tuple[str, ...], after: tuple[str, ...], expected: list[str]
) -> None:
    rows = [version("a", values, (1, 2), position=n) for n, values in enumerate(before)]
    rows += [version("b", values, (2, 3), position=n) for n, values in enumerate(after)]
    both = frozenset({1, 2})
    found = lives([LineRows(line("append", "overwrite"), tuple(rows), {}, both, both)], COLUMNS, [2])
    assert [life.events[-1].kind for life in found[:2]] == expected


def test_a_file_that_is_listed_again_is_a_copy_of_its_rows() -> None:
    rows = version("a", "1 paid 5", (1, 3)), version("a", "1 paid 5", (2, 3), copy=2)
    found = lives([LineRows(line("append", "append"), rows, writes=frozenset({1, 2}))], COLUMNS, [0])
    assert story(found)[1] == (2, 2, "CREATED", "file listed again", "", "exact")


def test_a_row_that_is_written_anew_with_the_key_of_a_deleted_one_is_another_life() -> None:
    rows = version("a", "1 paid 5", (1, 2)), version("b", "1 new 7", (3, 4))
    found = lives([LineRows(line("append", "delete", "append"), rows, writes=frozenset({1, 3}))], COLUMNS, [0])
    assert story(found) == [
        (1, 1, "CREATED", "file added", "", "exact"),
        (1, 2, "DELETED", "removed with its file", "", "exact"),
        (2, 3, "RETURNED", "inserted again", "", "exact"),
    ]
    assert "row 1" in found[1].events[0].reason


def test_a_compaction_that_did_not_see_the_delete_brings_the_row_back() -> None:
    mask = Mask(2, 3, "dv", 4, "deletion vector")
    rows = version("a", "1 x y", (1, 2), listed=(1, 3), masks=(mask,)), version("b", "1 x y", (3, 4))
    found = lives([LineRows(line("append", "delete", "replace"), rows, writes=frozenset({1, 3}))], COLUMNS, [0])
    assert story(found)[1:] == [
        (1, 2, "DELETED", "masked by deletion vector", "", "exact"),
        (1, 3, "RETURNED", "file rewritten", "", "inferred"),
    ]
    assert [(s.since, s.until, s.shown) for s in found[0].stretches] == [(1, 2, True), (2, 3, False), (3, 4, True)]


def test_what_was_there_before_the_oldest_listed_snapshot_is_said_so() -> None:
    first = snapshot(7, "append", parent=6)
    about = Line("main", "branch", (first, snapshot(8, "delete")), "expired")
    found = lives([LineRows(about, (version("a", "1 x y", (0, 1)),))], COLUMNS, [0])
    assert story(found)[0] == (1, 0, "CREATED", "existed at or before", "", "unknown")


def test_a_published_row_is_one_life_on_both_lines() -> None:
    main = line("append", "append")
    base = main.snapshots[1]
    staged = Line("staged w1", "staged", (base, snapshot(9, "append")), "fork")
    there, new = version("a", "1 x y", (1, 3)), version("b", "2 x y", (2, 3))
    found = lives(
        [
            LineRows(main, (there, new), writes=frozenset({1, 2}), takes=frozenset({2})),
            LineRows(staged, (replace(new, listed=(1, 2), shown=((1, 2),)),), writes=frozenset({1})),
        ],
        COLUMNS,
        [0],
    )
    assert [(e.line, e.kind) for e in found[1].events] == [(0, "CREATED"), (1, "CREATED")]


LIVES = version("a", "1 paid 5", (1, 6))
GOES = version("a", "2 paid 5", (1, 3), position=1)
BY = (Mask(2, 6, "pos", None, "position deletes"),)  # of which another delete that cannot be read took over at 4
MASKED = version("a", "3 paid 5", (1, 2), position=2, listed=(1, 6), masks=BY, open=((4, 6),))
SEEN = version("a", "4 paid 5", (1, 6), position=3, open=((3, 6),))
OTHERWISE = version("a", "5 paid 5", (1, 6), position=4, open=((3, 5),))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([LIVES, GOES], "1 of 2 rows with amount = 5 lives at 5; 1 is gone"),
        ([LIVES, OTHERWISE], "All 2 rows with amount = 5 live at 5"),
        (
            [LIVES, GOES, MASKED],
            "1 of 3 rows with amount = 5 lives at 5; 1 is gone; whether 1 is masked now is not known",
        ),
        ([LIVES, SEEN], "1 of 2 rows with amount = 5 lives at 5; whether 1 is masked now is not known"),
        (
            [GOES, MASKED, SEEN],
            "None of 3 rows with amount = 5 is known to live at 5; 1 is gone; whether 2 are masked now is not known",
        ),
        ([MASKED, SEEN], "2 rows with amount = 5; whether they are masked now is not known"),
        ([SEEN], "The row with amount = 5: created at 1; whether it is masked now is not known"),
        ([MASKED], "The row with amount = 5: created at 1, deleted at 2; whether it is masked now is not known"),
        ([GOES], "No row with amount = 5 is left: last seen at 2, removed with its file at 3"),
    ],
)
def test_a_row_of_which_it_is_not_known_neither_lives_nor_is_gone(rows: list[RowVersion], expected: str) -> None:
    operations = ("append", "delete", "delete", "append", "append")
    assert finding.title(told("amount = 5", [LineRows(line(*operations), tuple(rows), {}, frozenset({1}))])) == expected
