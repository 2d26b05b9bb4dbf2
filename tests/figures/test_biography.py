"""The picture of what became of rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explorer.figures.biography import draw as figure
from explorer.figures.page import as_plotly
from explorer.figures.page.scene import Scene
from explorer.figures.page.theme import DARK, LIGHT, Theme
from explorer.model.biography import finding, words
from explorer.model.biography.facts import Biography, LineKind
from explorer.model.biography.fates import fates
from explorer.model.biography.line_rows import LineRows
from explorer.model.evidence import Note
from tests.figures import biography_stories as stories
from tests.figures import pages
from tests.figures.drawings import BIOGRAPHY
from tests.model.biographies import line, told, version


def words_of(facts: Biography, **how: object) -> list[str]:
    return pages.words(as_plotly.figure(figure.draw(facts, LIGHT, name="t", **how)))  # type: ignore[arg-type]


@pytest.mark.parametrize("width", [720, 1100, 1380])
def test_each_copy_has_a_lane_with_its_events_files_deletes_and_cells(width: int) -> None:
    facts = stories.twice()
    found = words_of(facts, width=width)
    assert found.count("row 1") == found.count("row 2") == 1
    # where columns are left out, what happened there is too
    assert found.count("updated") == found.count("deleted") == found.count("came back") == 2
    assert found.count("listed again") == 1
    assert found.count("created") == (width > 720)
    assert found.count("DV") == 4
    assert found.count("≤ 5") == found.count("≤ 6") == 2
    assert found.count("shipped") == 4
    assert found.count("2: doubled") == 2
    assert any("312" in word for word in found)


def test_columns_that_do_not_fit_are_a_click_away() -> None:
    facts = stories.twice()
    drawn = figure.draw(facts, LIGHT, name="t", width=720)
    assert "◂ 1 earlier" in pages.words(as_plotly.figure(drawn))
    [view] = {click.view for click in BIOGRAPHY.clicks(drawn) if click.view}
    before = words_of(facts, width=720, view=view)
    assert "created" in before
    assert any(word.endswith("later ▸") for word in before)
    assert "now" not in before


def test_rows_of_one_fate_are_one_line_and_a_click_opens_them() -> None:
    facts = stories.fates()
    every = fates(facts)
    assert sum(len(fate.lives) for fate in every) == len(facts.lives)
    drawn = figure.draw(facts, LIGHT, name="t", width=1100)
    found = pages.words(as_plotly.figure(drawn))
    assert sum(word.startswith("5 rows since 1") for word in found) == 12
    ended = [fate.example.on(0)[-1].kind == "DELETED" for fate in every]
    assert ended == sorted(ended, reverse=True), "what is gone is what is looked for"
    more = len(every) - 12
    assert any(word.startswith(f"and {more} more fates") for word in found)
    views = {click.view for click in BIOGRAPHY.clicks(drawn) if click.view}
    assert "from 0 in fate 5" in views
    assert "from 12" in views
    opened = words_of(facts, view="from 0 in fate 5")
    assert sum(word.startswith("row ") for word in opened) == 4
    assert "1 more row of this fate ▸" in opened
    assert sum(word.startswith("row ") for word in words_of(facts, view="from 4 in fate 5")) == 1
    whole = words_of(facts)
    for nonsense in ("from 0 in fate 9999", "from 99999", "fate", "from 3 in 1 region=EU"):
        assert len(words_of(facts, view=nonsense)) >= len(whole) - 9


def test_other_lines_are_told_apart_and_below() -> None:
    drawn = figure.draw(stories.beside(), LIGHT, name="t")
    found = {plain: top for plain, _, top, *_ in pages.texts(as_plotly.figure(drawn))}
    main = found["created"] if isinstance(found["created"], float) else 0
    staged = next(top for plain, top in found.items() if plain.startswith("Beside main since 1: staged w1"))
    left = next(top for plain, top in found.items() if plain.startswith("Beside main since 1: rolled back"))
    assert staged < left
    assert found["came back"] > left
    assert found["main to 1"] < staged
    assert main


def test_a_click_on_a_mark_is_its_commit_on_a_strip_its_file_and_on_a_pill_its_delete() -> None:
    clicks = BIOGRAPHY.clicks(figure.draw(stories.twice(), LIGHT, name="t"))
    assert figure.Clicked(snapshot="5") in clicks
    assert figure.Clicked(file=stories.A) in clicks
    assert figure.Clicked(file="s3://t/data/dv-1.puffin", content_offset=4) in clicks


def test_the_selected_commit_has_a_band_and_the_selected_file_a_ring() -> None:
    drawn = figure.draw(stories.twice(), DARK, name="t")

    def ring(scene: Scene) -> int:
        return len(as_plotly.figure(scene).data[figure.LAYERS.index("ring")].x)

    assert ring(drawn) == 0
    assert not drawn.selection.halo.visible
    marked = drawn.selecting(figure.selection(drawn, selected="5", selected_file=stories.A))
    assert marked.selection.halo.visible
    assert ring(marked) > 0
    assert marked == figure.draw(stories.twice(), DARK, name="t", selected="5", selected_file=stories.A)
    absent = drawn.selecting(figure.selection(drawn, selected="4"))
    assert not absent.selection.halo.visible
    assert "selected 4: no event here" in [plain for plain, *_ in pages.texts(as_plotly.figure(absent))]


@pytest.mark.parametrize(
    ("story", "title"),
    [
        (stories.twice, "id = 10 is there twice at 8, though it was deleted at 6"),
        (stories.fates, "12,311 row versions with id >= 0; 321 are told"),
        (stories.beside, "The row with id = 1 is there: created at 1; 1 more is on staged w1"),
        (stories.expired, "No row with id = 1 is left: last seen at 18, removed with its file at 19"),
        (stories.doubtful, "2 rows with id < 3; whether they are masked now is not known"),
        (stories.nothing, "No row with id = 99999 in the known history"),
    ],
)
def test_the_title_is_the_finding(story: object, title: str) -> None:
    assert callable(story)
    assert finding.title(story()) == title


def test_what_is_inferred_is_marked_and_what_is_not_known_said() -> None:
    inferred = words_of(stories.hostile())
    assert "≈ updated" in inferred
    assert "inferred: 2 of 2 events" in " ".join(inferred)
    gone = words_of(stories.expired())
    assert "here before" in gone
    assert any("Its parent 16 is no longer listed" in word for word in gone)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_time_of_which_nobody_knows_whether_the_row_was_masked_is_drawn_otherwise(theme: Theme) -> None:
    drawn = figure.draw(stories.doubtful(), theme, name="t")
    dotted = [shape for shape in drawn.shapes if shape.ink.dash != "solid" and shape.ink.width == 5]
    masked = [shape for shape in drawn.shapes if shape.ink.dash != "solid" and shape.ink.width == 2]
    assert {shape.ink.stroke for shape in dotted} == {theme.added.fill, theme.removed.fill}
    assert masked
    places = drawn.meta["places"]
    column = {n: (places[f"commit {n}"][0][0] + places[f"commit {n}"][0][2]) / 2 for n in range(1, 5)}
    [seen] = [shape for shape in dotted if shape.ink.stroke == theme.added.fill]
    assert column[3] in {round(xy[0], 6) for _, xy in seen.steps}, "known until the delete that cannot be read"
    assert pages.hovers(as_plotly.figure(drawn)).count(words.DOUBT) == 2
    found = words_of(stories.doubtful())
    assert "not known whether masked" in found
    assert found[found.index("rows a reader gets") :][1:5] == ["2", "1", "0 to 1", "0 to 2"]


def test_a_row_of_the_known_history_is_exact_whatever_expired_before() -> None:
    late = replace(stories.expired(), lives=())
    assert words.evidence(late) == ("exact", "exact since 17, where the known history begins")
    assert words.evidence(stories.expired()) == ("unknown", "unknown: 1 of 2 events")
    missing = Note("unknown", "What snapshot 18 did", "The file does not exist.")
    assert words.evidence(replace(late, notes=(*late.notes, missing)))[0] == "unknown"
    assert words.nothing(late) == (
        "3 data files of the known history, which begins at 17, may hold such a row, and none does."
    )


def test_rows_that_the_condition_does_not_tell_apart_are_called_by_what_does() -> None:
    rows = [version(stories.A, f"{n} vera {n % 2}", (1, 2), position=n) for n in range(6)]
    about = told("status = 'vera'", [LineRows(line("append"), tuple(rows))], key=(1,))
    found = words_of(about)
    assert "6 rows since 1 ▸" in found
    assert "such as id = 0" in found
    assert found[0] == "All 6 rows with status = 'vera' live at 1", "none of them is there twice"
    assert not any("times" in word or "doubled" in word for word in found)
    assert "id = 1" in words_of(replace(about, key=(0,), called_by=(0,)), view="from 0 in fate 0")
    assert words_of(stories.twice()).count("id = 10") == 2, "equal rows have no better name"


def test_on_each_line_a_row_is_called_by_what_it_was_there() -> None:
    found = words_of(stories.beside())
    at = [found.index(word) for word in ("status = paid", "status = staged", "status = bad")]
    assert at == sorted(at), "main has it as it was paid, the line that was rolled back as it went bad"


@pytest.mark.parametrize(("kind", "word"), [("branch", "now"), ("tag", "the tag"), ("snapshot", "the snapshot")])
def test_only_the_end_of_a_branch_is_called_now(kind: LineKind, word: str) -> None:
    twice = stories.twice()
    found = words_of(replace(twice, lines=(replace(twice.lines[0], kind=kind), *twice.lines[1:])))
    assert [plain for plain in found if plain in ("now", "the tag", "the snapshot")] == [word]
