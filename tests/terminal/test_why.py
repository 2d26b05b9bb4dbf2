"""Why rows are deleted or not, in a terminal: Alice is masked, Bob is not, and a wrong reader would mask him."""

from __future__ import annotations

from dataclasses import replace

from explorer.model.evidence import Note
from explorer.terminal.pictures.why import lines
from tests.figures.why_stories import outcome
from tests.terminal.printed import row_of, rows


def test_a_masked_row_and_a_live_one_say_what_decides() -> None:
    printed = rows(lines(outcome(), "t"))
    assert printed[3:6] == [
        "− id = 12345, name = Alice  data-alice, row 0",
        "  Masked by equality delete eq: 1 < 2.",
        "  eq  equality deletes, masks it: 1 < 2",
    ]
    assert printed[7:10] == [
        "● id = 12345, name = Bob  data-bob, row 0",
        "  Live: equality delete eq holds its key, but 3 < 2 is false.",
        "  eq  equality deletes, holds its key, but 3 < 2 is false",
    ]


def test_only_the_what_ifs_that_differ_are_marked_as_such() -> None:
    printed = rows(lines(outcome(), "t"))
    [at] = [i for i, row in enumerate(printed) if row.startswith("What if")]
    assert "took no notice of sequence numbers" in printed[at]
    assert printed[at + 1] == "  data-bob, row 0  masked by eq"
    same_commit = rows(lines(outcome(number_of_bob=2), "t"))
    assert sum(row.startswith("What if") for row in same_commit) == 2


def test_a_cut_is_noted() -> None:
    many = outcome(count=5)
    printed = rows(lines(many, "t", limit=2))
    assert sum(row.startswith(("− ", "● ")) for row in printed) == 2
    assert row_of(printed, "and 4 more rows")
    bounded = replace(many, rows=many.rows[:3])
    assert row_of(rows(lines(bounded, "t")), "and 3 more rows")


def test_values_and_reasons_of_a_table_steer_no_terminal() -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202e\r\n"
    odd = replace(outcome(name=evil), condition=evil, notes=(Note("unknown", evil, evil),))
    printed = rows(lines(odd, evil))
    assert sum("owned" in row for row in printed) == 4
