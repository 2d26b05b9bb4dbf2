"""The shipped notebooks: thin, stripped, and every cell of them runs."""

import ast
import json
import re
from functools import cache

import nbformat
import pytest
from nbclient import NotebookClient

from explorer.engine import conf_to_env
from explorer.lessons import LESSONS
from explorer.lessons.exercises import EXERCISES
from tests.conftest import REPOSITORY
from tests.ownership_story import Cell, assert_story
from tests.sequence_story import assert_compaction, assert_delete_scope, assert_inheritance

NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
MOST_BYTES = 3_000_000  # of a notebook that was run: a person saves it, sends it, commits it

each_notebook = pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.name)


@pytest.fixture(scope="module")
def run(sandbox, spark_conf, learner, tmp_path_factory):
    """A function that runs a shipped notebook, once for all tests, and gives it with its outputs."""

    @cache
    def run(file):
        notebook, folder = nbformat.read(file, as_version=4), tmp_path_factory.mktemp(file.stem)
        client = NotebookClient(
            notebook, timeout=300, store_widget_state=False, resources={"metadata": {"path": folder}}
        )
        with learner, pytest.MonkeyPatch.context() as patch:
            patch.setenv("ICEBERG_EXPLORER_CONF", conf_to_env(spark_conf))
            patch.setenv("IPYTHONDIR", str(folder / "ipython"))
            client.execute()
        return notebook

    return run


@each_notebook
def test_a_notebook_is_stripped_and_thin(file):
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
            assert lines_of_python(cell.source) <= 2, cell.source
            assert max(map(len, cell.source.splitlines())) <= 120, cell.source


def lines_of_python(source):
    """Lines that are not blank; a text of several lines, which is SQL, counts as the one that it begins on."""
    texts = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return len([line for line in source.splitlines() if line]) - sum(t.end_lineno - t.lineno for t in texts)


@each_notebook
def test_a_notebook_runs_from_top_to_bottom(file, run):
    notebook = run(file)
    printed = [o for cell in notebook.cells for o in cell.get("outputs", []) if o.output_type == "stream"]
    assert not [o.text for o in printed if o.name == "stderr"]
    assert len(json.dumps(notebook)) < MOST_BYTES
    for cell in notebook.cells:
        if cell.cell_type == "code" and shows_something(cell.source):
            assert [o for o in cell.outputs if "text/html" in o.get("data", {})], cell.source


def shows_something(source):
    """More than printed lines."""
    return isinstance(ast.parse(source).body[-1], ast.Expr) and "print" not in source


def test_the_start_notebook_names_every_lesson():
    start = (REPOSITORY / "notebooks" / "00_start.ipynb").read_text()
    for lesson in LESSONS:
        assert f"sandbox.{lesson.name}" in start


@pytest.mark.parametrize(
    ("notebook", "assert_its_story"),
    [
        ("01_ownership", assert_story),
        ("02_inheritance", assert_inheritance),
        ("03_delete_scope", assert_delete_scope),
        ("04_compaction", assert_compaction),
    ],
)
def test_a_notebook_prints_the_tables_of_its_story(run, notebook, assert_its_story):
    code = [cell for cell in run(REPOSITORY / "notebooks" / f"{notebook}.ipynb").cells if cell.cell_type == "code"]
    assert_its_story([Cell(cell.source, html_of(cell), printed_by(cell)) for cell in code])


def test_the_deletes_that_maintenance_speaks_of_are_there(run):
    cells = run(REPOSITORY / "notebooks" / "07_maintenance.ipynb").cells
    deletes, chosen = (html_of(cell) for cell in cells if "delete" in cell.source and cell.cell_type == "code")
    assert re.search(r"\d+ of \d+ deletes reach nothing", deletes)
    assert re.search(r"[1-9]\d* position delete files live", chosen)


def test_the_incident_is_found_then_repaired_on_a_branch_and_verified(run):
    code = [cell for cell in run(REPOSITORY / "notebooks" / "05_incident.ipynb").cells if cell.cell_type == "code"]
    shown = [html_of(cell) for cell in code if html_of(cell) and "explorer.exercise" not in cell.source]
    counted, board, found, commit, bisected, rolled_back, repaired, compared, after = shown
    assert "<td>40</td>" in counted
    assert "Nothing found" in board
    assert "wrong answers: 1 (since 5)" in found
    assert "listed twice: 20 rows doubled" in found
    assert "Added 1 file, 20 rows" in commit
    assert "5 is a first bad commit" in bisected
    assert "would lose 4 commits and 59 net rows" in rolled_back
    for sound in (repaired, after):
        assert not re.search(r"[Ww]rong answers: \d", sound)
    assert "20 rows deleted" in compared
    assert any("CREATE TAG" in printed_by(cell) for cell in code)


def test_the_start_notebook_leads_to_every_other_one():
    start, *others = NOTEBOOKS
    for other in others:
        assert f"]({other.name})" in start.read_text(), other.name


def test_every_exercise_stands_once_in_the_notebook_that_it_names_in_the_order_of_the_course():
    cells = [(file.stem, cell.source) for file in NOTEBOOKS for cell in nbformat.read(file, as_version=4).cells]
    opened = [(name, source) for name, source in cells if source.startswith("explorer.exercise(")]
    assert opened == [(one.notebook, f'explorer.exercise("{one.name}")') for one in EXERCISES]


SHOWN_BY = {
    "an `INSERT` of three rows makes three files": "files-of-an-insert",
    "changelog tables print owners": "owner-and-last-change",
    "a null sequence number inherits": "stored-numbers",
    "a retry writes its data and manifests again": "lost-race",
    "failed commits appear in the history": "lost-race",
    "tables of format version 1 had phantom deletions": "deletes-of-version-1",
    "a delete applies to data with a sequence number `≤` its own": "delete-and-add",
    "the file sequence number scopes deletes": "numbers-of-a-compaction",
    "compacted files get the sequence number of the current snapshot": "numbers-of-a-compaction",
    "the two numbers differ when a file is inherited by later snapshots": "older-than-its-file",
    "commits are atomic, so a load cannot be in the table twice": "load-once",
    "a branch is a copy of the table": "branch-without-copy",
    "publishing copies the staged data": "publish-staged",
    "after a rollback the bad rows are gone": "undo-rollback",
    "compaction frees space": "what-expiry-removes",
    "expiry deletes data older than the date": "what-expiry-removes",
}
"""By what articles get wrong, the exercise whose table shows that it is."""


def test_every_mistake_of_articles_that_a_notebook_names_is_shown_by_an_exercise():
    named = []
    for file in NOTEBOOKS:
        for cell in nbformat.read(file, as_version=4).cells:
            for line in cell.source.splitlines():
                if line.startswith("> **What articles get wrong:**"):
                    named += re.findall(r'"([^"]+)"', line)
    assert sorted(named) == sorted(SHOWN_BY)
    assert set(SHOWN_BY.values()) <= {one.name for one in EXERCISES}


def test_every_lesson_says_in_one_line_what_articles_get_wrong():
    for file in NOTEBOOKS[2:]:
        if file.stem == "syllabus":
            continue
        lines = [line for cell in nbformat.read(file, as_version=4).cells for line in cell.source.splitlines()]
        assert [line for line in lines if line.startswith("> **What articles get wrong:**")], file.name


def html_of(cell):
    return "".join(output.data.get("text/html", "") for output in cell.outputs if "data" in output)


def printed_by(cell):
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")
