"""The shipped notebooks: thin, stripped, and every cell of them runs."""

import json

import nbformat
import pytest
from nbclient import NotebookClient

from explorer.engine import conf_to_env
from explorer.lessons import LESSONS
from tests.conftest import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
MOST_BYTES = 3_000_000  # of a notebook that was run: a person saves it, sends it, commits it


@pytest.fixture(params=NOTEBOOKS, ids=lambda file: file.name)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def test_a_notebook_is_stripped_and_thin(notebook):
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
            assert len([line for line in cell.source.splitlines() if line]) <= 2


def test_a_notebook_runs_from_top_to_bottom(notebook, sandbox, spark_conf, tmp_path, monkeypatch):
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", conf_to_env(spark_conf))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    client = NotebookClient(notebook, timeout=300, store_widget_state=False, resources={"metadata": {"path": tmp_path}})
    client.execute()
    printed = [o for cell in notebook.cells for o in cell.get("outputs", []) if o.output_type == "stream"]
    assert not [o.text for o in printed if o.name == "stderr"]
    assert len(json.dumps(notebook)) < MOST_BYTES
    for cell in notebook.cells:
        if cell.cell_type == "code" and "import" not in cell.source.splitlines()[-1] and "print" not in cell.source:
            assert [o for o in cell.outputs if "text/html" in o.get("data", {})], cell.source


def test_the_start_notebook_names_every_lesson():
    start = (REPOSITORY / "notebooks" / "00_start.ipynb").read_text()
    for lesson in LESSONS:
        assert f"sandbox.{lesson.name}" in start
