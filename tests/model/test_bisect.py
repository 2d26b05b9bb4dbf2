"""The search for a change, against asking every state in a row; its words; what the text of a statement tells."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, datetime, timedelta

import pytest

from explorer.model.bisect import words
from explorer.model.bisect.facts import Answer, Beginning, Bisection, Candidate, Read, bisected, price, rows
from explorer.model.bisect.search import Search
from explorer.model.bisect.statement import condition
from explorer.model.iceberg.metadata import Snapshot

histories = pytest.mark.parametrize("random_", [pytest.param(random.Random(seed), id=str(seed)) for seed in range(20)])
START = datetime(2026, 3, 1, tzinfo=UTC)


def line(n: int) -> tuple[Snapshot, ...]:
    return tuple(
        Snapshot(10**15 + i, 10**15 + i - 1, i + 1, START + timedelta(hours=i), "append", {}, None, 0) for i in range(n)
    )


def asked(
    answers: list[str | None],
    candidates: list[int],
    *,
    lost: frozenset[int] = frozenset(),
    late: frozenset[int] = frozenset(),
    every: bool = False,
    is_boolean: bool = False,
    begins: Beginning = "expired",
) -> Bisection:
    """A bisection of a line with these answers, by place; those that are `lost` cannot be asked."""
    known = tuple(Candidate(place, "files", place in late) for place in candidates)
    sizes = [100] * len(answers)

    def ask(place: int) -> Answer:
        return Answer(None, "Its file is gone.") if place in lost else Answer(answers[place])

    reads = bisected(ask, len(answers) - 1, known, every=every, is_boolean=is_boolean)
    cost = price(known, sizes, every=every)
    return Bisection(
        "SELECT 1 FROM {t}", line(len(answers)), begins, is_boolean, known, "id = 1", "", reads, every, cost
    )


def made(random_: random.Random, *, monotone: bool) -> tuple[list[str | None], list[int]]:
    """Answers by place that change at candidates alone, and the places of these."""
    n = random_.randint(2, 60)
    candidates = sorted(random_.sample(range(1, n), random_.randint(1, n - 1)))
    changes = [random_.choice(candidates)] if monotone else random_.sample(candidates, min(len(candidates), 7))
    answers: list[str | None] = ["0"]
    for place in range(1, n):
        values = ["1"] if monotone else [v for v in ("0", "1", "2", None) if v != answers[-1]]
        answers.append(random_.choice(values) if place in changes else answers[-1])
    return answers, candidates


@histories
def test_the_one_change_is_found_as_by_asking_every_snapshot(random_: random.Random) -> None:
    for _ in range(20):
        answers, candidates = made(random_, monotone=True)
        late = frozenset(p for p in candidates if random_.random() < 0.3)
        found = asked(answers, candidates, late=late)
        assert found.first_bad == found.snapshots[answers.index("1")]
        assert found.between is None
        assert len(found.reads) <= found.price.reads
        if not late:
            assert len(found.reads) <= 2 + (len(candidates) - 1).bit_length()
        table = {row["snapshot_id"] - 10**15: row for row in rows(found)}
        for place, answer in enumerate(answers):  # what is told is true, whether it was read or inherited
            assert table[place]["answer"] in (None, answer)
            verdict = {"0": "good", "1": "bad"}[str(answer)]
            own = "inherited" if place and place != len(answers) - 1 and place not in candidates else verdict
            assert table[place]["verdict"] in (own, "not asked")


@histories
def test_neighbours_that_differ_are_found_whatever_lies_between(random_: random.Random) -> None:
    for _ in range(20):
        answers, candidates = made(random_, monotone=False)
        found = asked(answers, candidates)
        if answers[0] == answers[-1]:
            assert found.change is None
            assert len(found.reads) == 2
            continue
        assert found.first_bad is not None
        at = found.snapshots.index(found.first_bad)
        assert answers[at] != answers[0]
        assert answers[at - 1] == answers[0]


@histories
def test_all_read_tells_every_change(random_: random.Random) -> None:
    for _ in range(20):
        answers, candidates = made(random_, monotone=False)
        found = asked(answers, candidates, every=True)
        changes = [(answers[i - 1], answers[i], i) for i in range(1, len(answers)) if answers[i] != answers[i - 1]]
        told = [(c.before.answer.value, c.after.answer.value, c.after.place) for c in found.changes]
        assert told == changes
        first = next((place for _, value, place in changes if value != answers[0]), None)
        assert found.first_bad == (None if first is None else found.snapshots[first])
        assert len(found.reads) == found.price.reads == len(candidates) + 1
        assert found.is_complete
        assert found.not_asked == 0


@histories
def test_snapshots_that_cannot_be_asked_widen_the_answer_to_a_range(random_: random.Random) -> None:
    for _ in range(20):
        answers, candidates = made(random_, monotone=True)
        lost = frozenset(p for p in candidates if random_.random() < 0.4 and p != len(answers) - 1)
        found = asked(answers, candidates, lost=lost)
        truth = answers.index("1")
        # By asking every candidate but the lost ones in a row; the last one holds at the bad end, which was asked.
        known = [p for p in (0, *candidates) if p not in lost or p == candidates[-1]]
        before, after = next(pair for pair in itertools.pairwise(known) if answers[pair[0]] != answers[pair[1]])
        change = found.change
        assert change is not None
        assert (change.before.place, change.after.place) == (before, after)
        if any(before < p < after for p in candidates):
            assert found.first_bad is None
            assert found.between == (found.snapshots[before], found.snapshots[after])
            assert before < truth <= after
        else:
            assert found.between is None
            assert found.first_bad == found.snapshots[truth]
        assert all(rows(found)[p]["verdict"] in ("skipped", "not asked", "bad") for p in lost)


def test_forty_commits_of_four_thousand_are_asked_nine_times_at_most() -> None:
    candidates = [100 * i for i in range(1, 41)]
    reads = []
    for first in candidates:
        answers: list[str | None] = ["0" if place < first else "1" for place in range(4_001)]
        found = asked(answers, candidates)
        assert found.first_bad == found.snapshots[first]
        reads.append(len(found.reads))
    assert max(reads) == found.price.reads == 8


def test_replaces_are_asked_last_and_still_found() -> None:
    late = frozenset({3, 4, 5})
    answers: list[str | None] = ["0", "0", "0", "0", "0", "0", "1", "1"]
    innocent = asked(answers, [1, 2, 3, 4, 5, 6, 7], late=late)
    assert [read.place for read in innocent.reads if read.place in late] == [5]
    guilty = asked(["0", "0", "0", "0", "1", "1", "1", "1"], [1, 2, 3, 4, 5, 6, 7], late=late)
    assert guilty.first_bad == guilty.snapshots[4]
    assert words.why(guilty.candidates[2]).endswith("a replace promises to change no row")


def test_true_is_good() -> None:
    found = asked(["true", "true", "false"], [1, 2], is_boolean=True)
    assert found.first_bad == found.snapshots[2]
    assert words.title(found) == "3 is the first bad commit: true before it, false at it, and the only change"


@pytest.mark.parametrize(
    ("begins", "said"),
    [
        ("expired", "Bad at or before 1, the oldest snapshot that is left: it answers false, and so does 3"),
        ("root", "Bad since the first commit, 1: it answers false, and so does 3"),
        ("asked", "Bad at the good end already, 1: it answers false, and so does 3"),
    ],
)
def test_a_bad_good_end_is_said(begins: Beginning, said: str) -> None:
    found = asked(["false"] * 3, [1, 2], is_boolean=True, begins=begins)
    assert words.title(found) == said
    assert [row["verdict"] for row in rows(found)] == ["bad", "not asked", "bad"]
    notes = [note.about for note in words.notes(found)]
    assert ("What was before snapshot 1000000000000000" in notes) == (begins == "expired")


def test_equal_ends_are_said_to_leave_nothing_to_find_and_all_that_was_not_read() -> None:
    found = asked(["7"] * 5, [1, 2, 4])
    nothing = "Nothing to find between 1 and 5: both answer 7"
    older = "; if it changed, that was at or before 1, the oldest snapshot that is left"
    assert words.title(found) == nothing + older
    assert words.title(asked(["7"] * 5, [1, 2, 4], begins="asked")) == nothing
    assert "every=True" in words.only_ends(found)
    assert any(note.certainty == "unknown" and "between the ends" in note.about for note in words.notes(found))


def test_a_change_that_went_back_is_found_where_all_is_read() -> None:
    found = asked(["0", "0", "5", "5", "0"], [1, 2, 3, 4], every=True)
    assert words.title(found) == "3 is the first bad commit: 0 before it, 5 at it; the answer changes 1 more time"
    assert words.changes(found) == ["3: 0 → 5", "5: 5 → 0"]


def test_ends_that_differ_though_nothing_can_have_changed_them_are_no_finding() -> None:
    found = asked(["1", "2"], [])
    assert found.contradicts
    assert found.first_bad is None
    assert [row["verdict"] for row in rows(found)] == ["good", "bad"]
    assert "though no commit between them can have changed it" in words.title(found)
    assert any(note.about == "What changed the answer" for note in words.notes(found))


def test_a_range_names_what_could_not_be_asked() -> None:
    found = asked(["0", "0", "0", "0", "18204"], [1, 2, 3, 4], lost=frozenset({2, 3}))
    assert words.title(found) == (
        "A first bad commit lies between 2 and 5, it is one of 3, 4 and 5: 0 at 2, 18,204 at 5"
    )
    assert words.closing(found) == ["3 and 4 cannot be asked: Its file is gone."]
    assert [note.about for note in words.notes(found) if note.certainty == "unknown"][:2] == [
        "The answer at 3",
        "The answer at 4",
    ]


@pytest.mark.parametrize("states", [2, 3, 17, 64, 65])
def test_no_search_takes_more_than_it_says(states: int) -> None:
    for late in (frozenset[int](), frozenset({1}), frozenset(range(2, states - 1))):
        said, worst = Search.between(states, late).most, 0
        for first in range(1, states):
            search, n = Search.between(states, late), 0
            while (state := search.next) is not None:
                search, n = search.told(state, "good" if state < first else "bad"), n + 1
            assert (search.good, search.bad) == (first - 1, first)
            worst = max(worst, n)
        assert worst <= said


def test_the_price_is_of_the_largest_reads() -> None:
    known = tuple(Candidate(place, "files", late=False) for place in (1, 2, 3, 4))
    cost = price(known, [1, 10, 1000, 100, 7], every=False)
    assert (cost.reads, cost.size_in_bytes) == (4, 1 + 7 + 1000 + 100)
    assert (cost.every, cost.every_size_in_bytes) == (5, 1 + 7 + 1110)
    assert words.price(cost) == "at most 4 snapshots, 1.11 kB"
    assert price((), [3, 4], every=False) == price((), [3, 4], every=True)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT count(*) FROM {t} WHERE id = 42", "id = 42"),
        ("select max(x) from {t} as o where region = 'EU' group by y order by 1", "region = 'EU'"),
        ("SELECT 'where' FROM {t} o WHERE a = 'it''s' OR b IN (1, 2) LIMIT 1", "a = 'it''s' OR b IN (1, 2)"),
        ("SELECT count(*)\nFROM {t}\nWHERE id = 42\n", "id = 42"),
        ("SELECT (SELECT max(a) FROM other WHERE b = 1) FROM {t} WHERE id = 4", "id = 4"),
        ("SELECT count(`where`) FROM {t} WHERE (a = 1 AND b = 2)", "(a = 1 AND b = 2)"),
    ],
)
def test_the_condition_of_a_plain_statement_is_told(sql: str, told: str) -> None:
    assert condition(sql) == (told, "")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM {t}",
        "SELECT count(*) FROM {t} HAVING count(*) > 1",
        "SELECT count(*) FROM {t} GROUP BY x",
        "SELECT count(*) FROM {t} JOIN u ON a = b WHERE id = 42",
        "SELECT count(*) FROM {t}, u WHERE id = 42",
        "SELECT count(*) FROM u, {t} WHERE id = 42",
        "SELECT count(*) FROM {t} LEFT JOIN u USING (id) WHERE id = 42",
        "SELECT count(*) FROM {t} WHERE id = 42 UNION ALL SELECT 1",
        "SELECT (SELECT count(*) FROM {t}) FROM {t} WHERE id = 42",
        "SELECT (SELECT count(*) FROM {t} WHERE id = 42)",
        "SELECT count(*) FROM (SELECT * FROM {t} WHERE id = 42)",
        "WITH x AS (SELECT * FROM {t} WHERE id = 1) SELECT count(*) FROM x",
        "SELECT count(*) FROM {t} -- WHERE id = 42",
        "SELECT count(*) /* FROM {t} WHERE id = 42 */ FROM u WHERE {t}",
        'SELECT "x" FROM {t} WHERE id = 42',
        "SELECT 'a\\' FROM {t} WHERE id = 42'",
        "SELECT count(*) FROM {t} TABLESAMPLE (5 ROWS) WHERE id = 42",
        "FROM {t} SELECT count(*) WHERE id = 42",
        "SELECT count(*) FROM {t} WHERE id = 42 |> SELECT 1",
        "{t}",
    ],
)
def test_what_is_not_plain_tells_no_condition(sql: str) -> None:
    found, why_not = condition(sql)
    assert not found
    assert why_not


def test_reads_of_a_bisection_are_those_that_were_made() -> None:
    found = asked(["0", "0", "1", "1"], [1, 2, 3])
    assert found.reads == (Read(0, Answer("0")), Read(3, Answer("1")), Read(1, Answer("0")), Read(2, Answer("1")))
