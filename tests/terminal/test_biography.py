"""What became of rows, in a terminal."""

from __future__ import annotations

from dataclasses import replace

from explorer.model.biography import words
from explorer.model.evidence import Note
from explorer.terminal.pictures.biography import lines
from tests.figures import biography_stories as stories
from tests.terminal.printed import row_of, rows


def test_each_row_has_its_events_with_file_and_how_they_are_known() -> None:
    printed = rows(lines(stories.twice(), "t"))
    assert printed[0] == "id = 10 is there twice at 8, though it was deleted at 6"
    at = printed.index("row 1  id = 10  row id 900")
    assert printed[at + 1].startswith("  ● 1 created, file added  14 Mar 00:01")
    assert printed[at + 2] == "    a17-00001-5.parquet : 312  exact: its row id is new"
    updated = "  ■ 5 updated, masked by deletion vector, written anew: status: paid → shipped"
    assert sum(row.startswith(updated) for row in printed) == 2
    assert "    c02-00007-1.parquet : 9,020, dv-2.puffin·4  exact: no row that came has its row id" in printed
    assert printed.count("  now: id = 10, status = shipped, amount = 73.62") == 2


def test_what_happened_beside_the_line_says_so() -> None:
    printed = rows(lines(stories.beside(), "t"))
    at = next(i for i, row in enumerate(printed) if row.startswith("  Beside main since 1: rolled back"))
    assert "updated" in printed[at + 1]
    assert any("main to 1 came back, rollback: status: bad → paid" in row for row in printed[at + 1 :])


def test_how_a_move_took_a_row_away_is_told_unless_the_word_says_so() -> None:
    moved = next(event for life in stories.beside().lives for event in life.events if event.move is not None)
    for how, sentence in (
        ("rollback", "rolled back"),
        ("table replaced", "replaced"),
        ("another snapshot made current", "rolled back, another snapshot made current"),
    ):
        assert words.sentence(replace(moved, kind="DELETED", how=how)) == sentence


def test_a_cut_is_noted() -> None:
    printed = rows(lines(stories.fates(), "t", limit=2))
    assert sum(row.startswith("row ") for row in printed) == 2
    assert row_of(printed, "and 299 more rows")
    assert any("321 of 12,311 row versions are told" in row for row in printed)


def test_values_and_reasons_of_a_table_steer_no_terminal() -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202e\r\n"
    odd = replace(stories.hostile(), condition=evil, columns=(evil, evil, evil), notes=(Note("unknown", evil, evil),))
    printed = rows(lines(odd, evil))
    assert sum("owned" in row for row in printed) >= 4
