import json

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from explorer.jupyter.notebooks import lay_out, shipped_notebooks, table_notebook


def notebook(*sources, outputs=(), **metadata):
    cells = [nbformat.v4.new_code_cell(source, outputs=list(outputs), id=f"c{n}") for n, source in enumerate(sources)]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=metadata))


@pytest.fixture
def shipped(tmp_path):
    """The package's notebooks; a test ships a newer version by writing to it."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    (folder / "a.ipynb").write_text(notebook("1 + 1"))
    return folder


@pytest.fixture
def mine(tmp_path):
    return tmp_path / "mine"


def content(folder):
    return {file.name: file.read_text() for file in folder.glob("*.ipynb")}


def test_the_packages_own_notebooks_are_laid_out_and_left_alone(mine):
    before = content(shipped_notebooks())
    assert "00_start.ipynb" in before
    assert lay_out(mine) == []
    assert content(mine) == before == content(shipped_notebooks())
    assert lay_out(mine) == []


def test_a_copy_that_was_only_opened_is_brought_up_to_date(mine, shipped):
    lay_out(mine, shipped)
    (mine / "a.ipynb").write_text(notebook("1 + 1", language_info={"name": "python"}))  # as JupyterLab saves it
    (shipped / "a.ipynb").write_text(notebook("2 + 2"))
    assert lay_out(mine, shipped) == [f"{mine / 'a.ipynb'} was brought up to date."]
    assert content(mine) == content(shipped)


@pytest.mark.parametrize(
    "edited",
    [
        notebook("1 + 1  # mine"),
        notebook("1 + 1", "and more"),
        notebook("1 + 1", outputs=[nbformat.v4.new_output("stream", text="2")]),
        "no notebook any more",
        "{}",
    ],
)
def test_what_a_person_changed_or_ran_is_never_written_over(mine, shipped, edited):
    lay_out(mine, shipped)
    (mine / "a.ipynb").write_text(edited)
    assert lay_out(mine, shipped) == []

    (shipped / "a.ipynb").write_text(newer := notebook("2 + 2"))
    [note] = lay_out(mine, shipped)
    assert note.endswith("the newer version is beside it: a.new.ipynb")
    assert content(mine) == {"a.ipynb": edited, "a.new.ipynb": newer}
    assert lay_out(mine, shipped) == []  # said once

    (mine / "a.new.ipynb").write_text("changed too")
    (shipped / "a.ipynb").write_text(newest := notebook("3 + 3"))
    lay_out(mine, shipped)
    assert content(mine) == {"a.ipynb": edited, "a.new.ipynb": "changed too", "a.new-2.ipynb": newest}


def test_a_file_of_the_same_name_that_was_there_before_stays(mine, shipped):
    mine.mkdir()
    (mine / "a.ipynb").write_text("my own work")
    [note] = lay_out(mine, shipped)
    assert "stays as it is" in note
    assert (mine / "a.ipynb").read_text() == "my own work"


def test_a_missing_or_damaged_record_loses_nothing(mine, shipped):
    lay_out(mine, shipped)
    (mine / "a.ipynb").write_text("mine")
    [record] = [file for file in mine.iterdir() if file.name.startswith(".")]
    for damage in ("", "[]", "{"):
        record.write_text(damage)
        (shipped / "a.ipynb").write_text(notebook(f"new {damage!r}"))
        lay_out(mine, shipped)
        assert (mine / "a.ipynb").read_text() == "mine"


def test_a_copy_that_was_removed_comes_back(mine, shipped):
    lay_out(mine, shipped)
    (mine / "a.ipynb").unlink()
    lay_out(mine, shipped)
    assert content(mine) == content(shipped)


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ExplorerError, match="--folder"):
        lay_out(tmp_path / "file" / "folder")
    with pytest.raises(ExplorerError, match="--folder"):
        table_notebook(tmp_path / "file", "a.b")


ODD = [
    "lake.db.t",
    "cat.`odd.name`.t",
    "a.\"b\".'c'",
    "x\\\n');import os#",
    "表.テーブル",
    "../../etc/passwd",
    "`",
    "\x1b[2J",
]


@given(name=st.one_of(st.sampled_from(ODD), st.text(min_size=1)))
def test_a_notebook_opens_exactly_the_table_named(tmp_path_factory, name):
    folder = tmp_path_factory.getbasetemp() / "opened"
    file = table_notebook(folder, name)
    assert file.parent == folder / "tables"
    read = nbformat.read(file, as_version=4)
    nbformat.validate(read)
    opened = []
    source = read.cells[0].source.replace("import explorer\n", "")
    exec(source, {"explorer": type("Explorer", (), {"open": opened.append})})
    assert opened == [name]


def test_each_table_has_a_notebook_of_its_own_which_stays(mine):
    files = {table_notebook(mine, name) for name in (*ODD, "lake.db.T", "lake_db_t")}
    assert len({file.name.casefold() for file in files}) == len(ODD) + 2
    file = table_notebook(mine, "lake.db.t")
    file.write_text(json.dumps("mine"))
    assert table_notebook(mine, "lake.db.t").read_text() == json.dumps("mine")
