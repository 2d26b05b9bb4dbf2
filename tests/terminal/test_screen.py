"""Lines that are too long for a terminal, and caveats that are said once."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from explorer.terminal import screen
from explorer.terminal.once import Once

WORDS = st.lists(st.text("abcdefgh-./…·─日本", min_size=1, max_size=60), min_size=1, max_size=12)


@given(words=WORDS, indent=st.integers(0, 12), width=st.integers(20, 120))
def test_no_row_is_wider_than_the_terminal_and_no_letter_is_lost(words: list[str], indent: int, width: int) -> None:
    line = Text(" " * indent + " ".join(words))
    rows = [row.plain for row in screen.wrapped([line], width)]
    assert max(cell_len(row) for row in rows) <= width
    assert "".join("".join(rows).split()) == "".join(words)
    assert all(row.startswith(" " * min(indent, width // 2)) for row in rows)


def test_a_line_that_fits_stays_and_what_goes_on_below_is_indented_more() -> None:
    rows = [row.plain for row in screen.wrapped([Text("  one two"), Text("  one two three four")], 12)]
    assert rows == ["  one two", "  one two", "    three", "    four"]


def test_a_name_that_is_longer_than_a_row_is_parted_at_its_signs() -> None:
    name = "00025-611-61f1471f-2f50-4785-8459-53176df783ae-00001-deletes.puffin"
    rows = [row.plain.strip() for row in screen.wrapped([Text(f"  {name}  3 rows", "red")], 60)]
    assert rows == ["00025-611-61f1471f-2f50-4785-8459-53176df783ae-00001-", "deletes.puffin  3 rows"]
    assert [row.plain for row in screen.wrapped([Text("abc " + "x" * 25)], 20)] == [
        "abc",
        "  " + "x" * 18,
        "  " + "x" * 7,
    ]


def test_colours_stay_with_their_words() -> None:
    first, second = screen.wrapped([Text.assemble("plain plain", (" loud", "bold red"))], 14)
    assert (first.plain, second.plain) == ("plain plain", "  loud")
    assert not first.spans
    assert [span.style for span in second.spans] == ["bold red"]


@pytest.mark.parametrize(("columns", "width"), [("72", 72), ("", None)])
def test_a_pipe_takes_long_lines_unless_columns_says_how_wide(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int | None
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert screen.width_of(Console(force_terminal=False)) == width


def test_messages_and_errors_are_wrapped_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    screen.print_message("a message of many words that is told beside the answer")
    screen.print_error(["what went wrong here is told in a long line", "what was found", "what to do next"])
    printed = capsys.readouterr().err.splitlines()
    assert len(printed) >= 6
    assert max(map(len, printed)) <= 40


def test_where_nobody_looks_on_what_is_waited_for_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    with screen.waiting("Reading the table") as say:
        for words in ("", "nothing has come for 15 s", "nothing has come for 16 s"):
            say(words)
    assert capsys.readouterr().err == "Reading the table: nothing has come for 15 s.\n"


def test_on_a_terminal_it_stands_beside_what_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = io.StringIO()
    terminal = Console(file=printed, force_terminal=True, width=120, color_system=None)
    monkeypatch.setattr(screen, "console", lambda **_: terminal)
    with screen.waiting("Reading the table") as say:
        say("nothing has come for 15 s; the files lie at [::1]:9000")
    assert "Reading the table … nothing has come for 15 s; the files lie at [::1]:9000" in printed.getvalue()


def test_a_caveat_is_said_once_and_the_facts_of_a_row_each_time() -> None:
    once = Once()
    caveat = "Each was lost to a commit made meanwhile, unless something else happened too."
    assert once.say(f"It lost 1 attempt. {caveat}") == f"It lost 1 attempt. {caveat}"
    assert once.say(f"It lost 1 attempt. {caveat}") == "It lost 1 attempt."
    assert once.say(caveat) == ""
