"""A comparison in a terminal: the finding first, every partition as git's stat does, what is not known as such."""

from __future__ import annotations

import pytest

from explorer.model.compare import words
from explorer.terminal.pictures.compare import lines
from tests.figures.compare_stories import STORIES
from tests.terminal.printed import row_of, rows


@pytest.mark.parametrize("story", STORIES)
def test_every_part_that_differs_is_printed(story: str) -> None:
    facts = STORIES[story]()
    printed = rows(lines(facts, limit=None))
    if story == "hostile":
        return  # its names are printed with other signs, which `rows` has looked at
    assert printed[0] == words.title(facts)
    assert words.verdict(facts) in printed
    for field in facts.fields:
        assert any(row.startswith(f"  {field.field_id}  ") for row in printed)
    for setting in facts.settings:
        assert any(row.startswith(f"  {setting.area} {setting.name}: ") for row in printed)
    stat = printed[printed.index("files by partition") + 1 :] if facts.files.partitions else []
    assert [row for row in stat[: len(facts.files.partitions)] if "together" in row] == []
    for figure in facts.figures:
        row_of(printed, f"  {figure.name} ")
    for note in facts.notes:
        assert str(note) in printed


def test_files_are_summed_as_git_does() -> None:
    printed = rows(lines(STORIES["mock"]()))
    assert row_of(printed, "2026-03-15").endswith(
        "+14 data files +18,200 rows | −5 data files −6,500 rows, −2 deletion vectors −40 positions"
        " | 2 shared files under other deletes"
    )
    assert "5 shared files listed otherwise" in row_of(printed, "2026-03-13")
    assert row_of(printed, "together").count("+46 data files") == 1


def test_rows_that_differ_are_signed_and_counted() -> None:
    printed = rows(lines(STORIES["mock"]()))
    assert row_of(printed, "rows, net") == (
        "rows, net: 58,220 rows inserted, 5,978 updated, 1 deleted, 244,170 carried over"
    )
    assert row_of(printed, "~ id = 11") == "  ~ id = 11, status: paid → shipped"
    assert row_of(printed, "− id") == "  − id = 7, customer_name = null, amount = 1.00, status = open"
    assert row_of(printed, "in which they differ").strip() == "15 of 64,199 rows in which they differ"
    assert not [row for row in rows(lines(STORIES["not read"]())) if row.startswith("rows, net")]


def test_a_limit_cuts_every_area_and_says_so() -> None:
    printed = rows(lines(STORIES["many"](), limit=2))
    for words_ in ("and 98 more fields", "and 38 more settings", "and 398 more partitions"):
        row_of(printed, words_)
    assert len([row for row in printed if row.startswith("  + id")]) == 2


def test_what_a_table_was_and_nobody_knows_is_said() -> None:
    printed = rows(lines(STORIES["not read"]()))
    assert len([row for row in printed if row.startswith(("  unknown at A", "  unknown at B"))]) == 2
