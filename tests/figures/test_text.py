from __future__ import annotations

import html

from hypothesis import given
from hypothesis import strategies as st

from explorer.figures.page import text


@given(st.text(max_size=40))
def test_escaped_text_has_no_markup_and_reads_the_same(given_text: str) -> None:
    escaped = text.escape(given_text)
    assert not set(escaped) & set("<>$\n\t\x00\u202e")
    assert html.unescape(escaped).split() == "".join(c if c not in _SPACED else " " for c in given_text).split()


_SPACED = {chr(c) for c in (*range(32), *range(127, 160), *range(0x2028, 0x202F), *range(0x2066, 0x206A))}


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=60), st.floats(20, 300))
def test_shortened_text_fits_and_keeps_both_ends(given_text: str, limit: float) -> None:
    shorter = text.shorten(given_text, 12, limit)
    assert text.width(shorter, 12) <= limit
    if shorter != given_text and len(shorter) > 3:
        assert given_text.startswith(shorter.partition("…")[0])


@given(st.lists(st.text("abc <", min_size=1, max_size=12), max_size=20), st.floats(60, 400))
def test_wrapped_text_fits_its_width_and_its_lines(words: list[str], limit: float) -> None:
    lines = text.wrap(" ".join(words), 12, limit, lines=3)
    assert len(lines) <= 3
    assert all(text.width(line, 12) <= limit for line in lines)


def test_wrapping_loses_nothing_that_fits() -> None:
    assert " ".join(text.wrap("one two three four five", 12, 80, lines=5)) == "one two three four five"
    assert text.wrap_parts(["exact", "15 snapshots"], " · ", 12, 95) == ["exact", "15 snapshots"]


def test_no_number_is_parted_from_what_it_counts() -> None:
    said = "nothing for 67 min, usually 0.1 s between 229 and 230"
    for limit in range(120, 420, 5):
        lines = text.wrap(said, 12, limit, lines=20)
        assert " ".join(lines) == said
        assert not any(line[-1].isdigit() for line in lines[:-1])


def test_only_the_first_line_makes_room_for_what_stands_beside_it() -> None:
    said = "28 of 94 partitions hold 101 of 153 live data files; 18 of 33 live deletes reach nothing"
    first, *others = text.wrap(said, 17, 400, first=200, lines=9)
    assert text.width(first, 17) <= 200 < max(text.width(line, 17) for line in others) <= 400


def test_what_is_long_is_told_whole_on_the_second_line() -> None:
    parts = ["table", "exact: reached by live, spec, partition or path, sequence, vector; statistics not compared"]
    assert "…" not in "".join(text.wrap_parts(parts, " · ", 12.5, 300))


def test_a_row_is_cut_at_its_end() -> None:
    assert text.beginnings("550 jonas south") == ["550 jonas south", "550 jonas …", "550 …", "550"]


def test_wide_letters_count_as_wide() -> None:
    assert text.width("漢字", 10) > text.width("ab", 10) * 1.5
    assert text.width("W", 10) > text.width("i", 10)
    assert text.width("ab", 10, mono=True) == text.width("iW", 10, mono=True)
