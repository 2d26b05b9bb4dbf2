import re
import time
import unicodedata
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.snapshot_graph.facts import snapshot_graph
from explorer.terminal.pictures.snapshot_graph import lines
from tests.model.histories import ID, random_history
from tests.terminal.drawn import RAILS, SYMBOLS, parents


def log(document, *, width=None, limit=None):
    graph = snapshot_graph(TableMetadata.from_json(document))
    return [line.plain for line in lines(graph, width=width, limit=limit)]


def snapshot(number, parent=None, operation="append", **summary):
    return {
        "snapshot-id": ID + number,
        "sequence-number": number,
        "timestamp-ms": 1_760_000_000_000 + number,
        "manifest-list": f"snap-{ID + number}-1-a.avro",
        "summary": {"operation": operation, **summary},
    } | ({"parent-snapshot-id": ID + parent} if parent is not None else {})


def table(*snapshots, current, refs=(), log=()):
    return random_history(0, 0).document() | {
        "snapshots": list(snapshots),
        "current-snapshot-id": ID + current,
        "last-sequence-number": max(s["sequence-number"] for s in snapshots),
        "refs": {"main": {"snapshot-id": ID + current, "type": "branch"}, **dict(refs)},
        "snapshot-log": [{"timestamp-ms": 1_760_000_000_000 + number, "snapshot-id": ID + number} for number in log],
    }


def branch(number):
    return {"snapshot-id": ID + number, "type": "branch"}


@given(seed=st.integers(0, 10**6), steps=st.integers(0, 40))
@settings(max_examples=100)
def test_the_lines_lead_every_snapshot_to_its_parent(seed, steps):
    history = random_history(seed, steps)
    drawn = parents(log(history.document()))
    ids = [int(re.search(r"\d{19}", row)[0]) for row, _ in drawn]
    assert sorted(ids) == sorted(history.snapshots)
    followed = {at: ids[parent] if parent is not None else None for at, (_, parent) in zip(ids, drawn, strict=True)}
    recorded = {at: s.get("parent-snapshot-id") for at, s in history.snapshots.items()}
    assert followed == {at: parent if parent in history.snapshots else None for at, parent in recorded.items()}


def words_of(rows):
    text = " ".join(rows)
    for rail in SYMBOLS | RAILS:
        text = text.replace(rail, " ")
    return [word for word in text.split() if not word.isdigit()]  # a narrow terminal has short ids


@given(seed=st.integers(0, 10**6), width=st.integers(40, 130))
@settings(max_examples=30)
def test_no_line_is_wider_than_the_terminal_and_no_word_is_lost(seed, width):
    document = random_history(seed, 25).document()
    rows = log(document, width=width)
    assert max(cell_len(row.rstrip()) for row in rows) <= width
    wide = log(document)
    assert not Counter(words_of(wide)) - Counter(words_of(rows))


def test_newest_first_with_what_each_commit_did():
    rows = log(
        table(
            snapshot(1, **{"added-data-files": "2", "added-records": "700"}),
            snapshot(2, 1, "delete", **{"added-delete-files": "1", "added-position-delete-files": "1"}),
            snapshot(3, 2, "replace", **{"added-data-files": "1", "deleted-data-files": "2"}),
            current=3,
        )
    )
    assert rows[0] == "1 append, 1 delete, 1 replace"
    assert rows[1] == "3 snapshots, 1 branch · format version 2"
    assert [row[:16] for row in rows[4::2]] == ["◆ 3  replace    ", "▼ 2  delete     ", "● 1  append     "]
    assert f"2025-10-09 08:53:20  {ID + 3}  (main: current)" in rows[4]
    assert rows[7] == "│    Added 1 position delete file."
    assert rows[9] == "     Added 2 data files with 700 rows."


def test_staged_published_rolled_back_and_expired_are_shown():
    rows = log(
        table(
            snapshot(2, 1),
            snapshot(3, 2, **{"wap.id": "w"}),
            snapshot(4, 2),
            snapshot(7, 2, **{"published-wap-id": "w", "source-snapshot-id": str(ID + 3)}),
            current=7,
            refs=[("evidence", {"snapshot-id": ID + 4, "type": "tag"})],
            log=[2, 4, 2, 7],
        )
    )
    text = "\n".join(rows)
    assert "○ 3  append" in text
    assert "Publishes 3 …0004: the same changes under a new number." in text
    assert "published as 7 …0008" in text
    assert "(tag evidence)  kept by a tag" in text
    assert "main rolled back to 2 …0003" in text
    assert "┆ 5–6 have expired" in text
    assert f"its parent {ID + 1} has expired" in text


def test_more_lines_than_there_is_room_for_are_put_into_words():
    staged = [snapshot(number, 1, **{"wap.id": str(number)}) for number in range(2, 42)]
    rows = log(table(snapshot(1), *staged, current=1), width=100)
    assert max(row.index("append") for row in rows if "append  " in row) <= 2 * 17 + len("41  ")
    assert sum("Its parent is 1 …0002." in row for row in rows) > 0
    assert sum(any(sign in row[:40] for sign in "○") for row in rows[4:]) == 40


def test_a_cut_is_noted_and_costs_nothing_of_the_rest():
    document = table(*(snapshot(n, n - 1 or None) for n in range(1, 10_001)), current=10_000)
    graph = snapshot_graph(TableMetadata.from_json(document))
    start = time.thread_time()
    rows = [line.plain for line in lines(graph, width=100, limit=50)]
    cut = time.thread_time() - start
    assert "10,000 snapshots, 1 branch · format version 2 · showing 50 of 10,000" in rows
    assert sum("append   " in row for row in rows) == 50
    start = time.thread_time()
    assert sum(1 for line in lines(graph, width=100) if "append   " in line.plain) == 10_000
    assert cut < (time.thread_time() - start) / 5


def test_metadata_that_contradicts_itself_is_reported():
    document = random_history(1, 20).document()
    document["refs"]["lost\x1b"] = {"snapshot-id": 5, "type": "tag"}
    assert "The metadata contradicts itself: tag lost� points at snapshot 5, which is not listed." in log(document)


def test_version_1_has_no_numbers_and_an_empty_table_no_rows():
    rows = log(random_history(1, 0).document() | {"snapshots": []})
    assert rows[:2] == ["No snapshot yet", "0 snapshots · format version 2"]
    first = {k: v for k, v in snapshot(1).items() if k != "sequence-number"}
    rows = log(random_history(1, 0).document(version=1) | {"snapshots": [first], "current-snapshot-id": ID + 1})
    assert rows[4].startswith("● append     2025")


@given(evil=st.text(st.characters(categories=["Cc", "Cf", "Cs", "Lu", "Zl", "Zp"]), min_size=1, max_size=8))
def test_nothing_of_a_table_reaches_the_terminal_as_an_order(evil):
    staged = snapshot(2, 1, f"x{evil}\x1b[2J", **{"wap.id": f"\x1b]0;{evil}\x07"})
    document = table(snapshot(1), staged, current=1, refs=[(f"\x1b[31m{evil}\u202e", branch(1))])
    for width in (None, 80):
        for row in log(document, width=width):
            assert not [sign for sign in row if unicodedata.category(sign)[0] == "C" or sign in "\u2028\u2029"]


@pytest.mark.parametrize("operation", ["append", "overwrite", "delete", "replace", "vacuum"])
def test_an_operation_has_a_colour_and_a_symbol_of_its_own(operation):
    graph = snapshot_graph(TableMetadata.from_json(table(snapshot(1, None, operation), current=1)))
    row = list(lines(graph, width=None))[4]
    styles = {str(span.style) for span in row.spans if operation in row.plain[span.start : span.end]}
    expected = {
        "append": "bright_blue",
        "overwrite": "magenta",
        "delete": "red",
        "replace": "cyan",
        "vacuum": "default",
    }
    assert styles == {expected[operation]}


def test_the_lines_are_dim_and_the_words_are_not():
    document = table(snapshot(1), snapshot(2, 1), current=2)
    for row in lines(snapshot_graph(TableMetadata.from_json(document)), width=80):
        assert not row.style
        words = row.plain.find("What it changed")
        assert not [span for span in row.spans if span.start <= words < span.end and "dim" in str(span.style)]
