"""Bisections: of the mock, of many commits, with lost snapshots, all read, with nothing to find, and hostile ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from explorer.model.bisect.facts import Answer, Beginning, Bisection, Candidate, bisected, price
from explorer.model.iceberg.metadata import Snapshot

START = datetime(2026, 2, 22, tzinfo=UTC)
SQL = (
    "SELECT count(*) - count(DISTINCT order_id) FROM {t}\n"
    "WHERE ordered_at >= '2026-03-13' AND ordered_at < '2026-03-15'"
)
_OPERATIONS = ("append", "append", "overwrite", "delete", "overwrite", "append")


def line(n: int, first: int, writer: str = "spark-etl", replaces: Collection[int] = ()) -> tuple[Snapshot, ...]:
    summary = {"app-name": writer, "added-data-files": "6", "added-records": "18204"}
    return tuple(
        Snapshot(
            6_241_558_020_771_000_000 + i,
            6_241_558_020_771_000_000 + i - 1,
            first + i,
            START + timedelta(hours=4 * i),
            "replace" if i in replaces else _OPERATIONS[i % len(_OPERATIONS)],
            summary,
            None,
            0,
        )
        for i in range(n)
    )


def bisection(
    answers: Mapping[int, str | None],
    candidates: Collection[int],
    n: int,
    *,
    first: int = 1,
    lost: Collection[int] = (),
    replaces: Collection[int] = (),
    every: bool = False,
    is_boolean: bool = False,
    begins: Beginning = "expired",
    size: int = 400_000,
    writer: str = "spark-etl",
) -> Bisection:
    """Of a line of so many snapshots; `answers` by the place from which each holds."""
    known = tuple(Candidate(place, "files", place in replaces) for place in sorted(candidates))

    def ask(place: int) -> Answer:
        if place in lost:
            return Answer(None, "part-00007.parquet is gone from storage.")
        return Answer(answers[max(at for at in answers if at <= place)])

    reads = bisected(ask, n - 1, known, every=every, is_boolean=is_boolean)
    cost = price(known, [size] * n, every=every)
    snapshots = line(n, first, writer, replaces)
    return Bisection(SQL, snapshots, begins, is_boolean, known, "x", "", reads, every, cost)


_CANDIDATES = (62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 76, 77, 78, 90)


def mock(*, every: bool = False) -> Bisection:
    answers = {0: "0", 68: "18204"}
    if every:
        answers |= {76: "17549", 78: "18204"}
    return bisection(
        answers, _CANDIDATES, 120, first=173, lost=() if every else {66}, replaces={71, 78}, begins="asked", every=every
    )


def in_between() -> Bisection:
    return bisection({0: "true", 9: "false"}, range(1, 14), 15, lost={7, 8}, is_boolean=True)


def thousands() -> Bisection:
    found = random.Random(7).sample(range(1, 1_000), 40)
    return bisection({0: "12", sorted(found)[23]: "13"}, found, 1_001, first=12_000)


def not_understood() -> Bisection:
    found = bisection({0: "0.5", 70: "0.75"}, range(1, 100), 101)
    return replace(
        found,
        sql="WITH a AS (SELECT * FROM {t}) SELECT avg(x) FROM a",
        pruned="",
        why_not_pruned="the statement has no WHERE",
    )


def many_answers() -> Bisection:
    return bisection({i: str(i * i) for i in range(40)}, range(1, 40), 40, every=True)


def hostile() -> Bisection:
    evil = "<b onclick=x>&'\"$\u202e\n" * 4
    found = bisection({0: evil, 3: None}, [1, 2, 3, 5], 7, lost={2}, writer=evil)
    return replace(found, sql=f"SELECT '{evil}' FROM {{t}}")


STORIES: dict[str, Callable[[], Bisection]] = {
    "mock": mock,
    "mock, all read": lambda: mock(every=True),
    "in between": in_between,
    "thousands": thousands,
    "not understood": not_understood,
    "many answers": many_answers,
    "equal ends": lambda: bisection({0: "7"}, [2, 3, 4], 9),
    "bad from the start": lambda: bisection({0: "false"}, [1], 3, is_boolean=True, begins="root"),
    "contradiction": lambda: bisection({0: "7", 1: "8"}, [], 2),
    "numberless": lambda: replace(
        mock(), snapshots=tuple(replace(snapshot, sequence_number=0) for snapshot in mock().snapshots)
    ),
    "hostile": hostile,
}
