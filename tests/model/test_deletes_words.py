from __future__ import annotations

from dataclasses import replace

import pytest

from explorer.model.deletes import words as deletes_words
from explorer.model.iceberg.delete_scope import verdict
from tests.figures.deletes_stories import STORIES, Work, mock


@pytest.mark.parametrize(("kind", "data", "delete", "expected"), [
    ("eq", 2, 7, "2 < 7"), ("eq", 7, 7, "7 ≥ 7"), ("eq", 1_000, 7, "1,000 ≥ 7"), ("pos", 7, 7, "7 ≤ 7"),
    ("pos", 8, 7, "8 > 7"), ("dv", 7, 9, "7 ≤ 9"), ("eq", None, 7, "?"), ("pos", 3, None, "?"),
])  # fmt: skip
def test_two_numbers_are_written_as_they_compare(
    kind: str, data: int | None, delete: int | None, expected: str
) -> None:
    work = Work()
    assert deletes_words.comparison(work.delete(kind, delete), work.file(data)) == expected


def test_each_pair_of_the_mock_comes_to_what_its_clause_says() -> None:
    deletes = mock().all()
    files = {live.file.file_path: live.file for live in deletes.data_files}
    lifetimes = {live.file.key: live.file for live in deletes.deletes}
    outcomes = [deletes_words.outcome(lifetimes[p.delete], files[p.data_path], p.verdict) for p in deletes.pairs]
    assert {word: outcomes.count(word) for word in set(outcomes)} == {
        "reached": 18,
        "too new": 3 + 3 + 1 + 1 + 1,  # of the five equality deletes
        "ruled out": 3,
        "out of scope": 70,
    }


def test_a_corrupt_pair_is_not_called_unknown_and_an_unknown_number_not_corrupt() -> None:
    work = Work()
    file, unnumbered = work.file(3, "region=EU"), work.file(None, "region=EU")
    older = work.delete("dv", 2, "region=EU", of=file.file_path, content_offset=4)
    elsewhere = work.delete("dv", 9, "region=US", of=file.file_path, content_offset=44)
    keyless = work.delete("eq", 9, "region=EU", lost_keys=(99,), keys=())
    plain = work.delete("eq", 9, "region=EU")
    for delete, data, word in (
        (older, file, "corrupt"), (elsewhere, file, "corrupt"), (keyless, file, "corrupt"),
        (plain, unnumbered, "unknown"), (plain, file, "reached"),
    ):  # fmt: skip
        assert deletes_words.outcome(delete, data, verdict(delete, data)) == word
    assert deletes_words.answer("corrupt") == "corrupt, readers refuse it"
    assert deletes_words.answer("too new") == "not reached"


@pytest.mark.parametrize(("name", "expected"), [
    ("mock", "2 of 10 deletes reach nothing; one delete is global and reaches 8 of 10 data files"),
    ("one and one", "The one delete reaches the one data file"),
    ("two vectors", "5 of 5 deletes are corrupt: readers refuse the file"),
    ("no deletes", "No live delete: a reader takes every row of 12 data files"),
    ("shared puffin", "12 deletes to apply to 12 of 12 data files"),
    ("unreadable", "What is deleted at …7741 cannot be told"),
])  # fmt: skip
def test_the_title_is_the_finding(name: str, expected: str) -> None:
    assert deletes_words.title(STORIES[name]()) == expected


def test_a_count_says_whether_it_can_be_more_or_less() -> None:
    deletes = STORIES["mock"]()
    most = replace(deletes, statistics_evaluated=False)
    assert [deletes_words.bound(d, unknown) for d in (deletes, most) for unknown in (False, True)] == [
        "", "≥ ", "≤ ", "≈ ",
    ]  # fmt: skip
    assert deletes_words.pairs_words(most) == "at most 18 of 100 pairs"


def test_how_sure_an_answer_is() -> None:
    found = {
        name: deletes_words.evidence(STORIES[name]()) for name in ("mock", "30 x 20", "unknown", "many", "unreadable")
    }
    assert found == {
        "mock": ("inferred", "inferred from column bounds: 2 pairs, all else exact"),
        "30 x 20": ("exact", "exact"),
        "unknown": ("unknown", "unknown: 6 pairs"),
        "many": ("unknown", "unknown: 8 pairs, column statistics not compared"),
        "unreadable": ("unknown", "unknown: every delete"),
    }
