"""The person's own copy of the notebooks: kept up to date, and never written over once they changed it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from ..errors import ExplorerError

START = "00_start.ipynb"
_RECORD = ".iceberg-explorer.json"  # file name -> hash of the version last laid down, or put beside


def shipped_notebooks() -> Path:
    """The folder of the package's own notebooks, which nobody edits: in the wheel, else in the source tree."""
    package = Path(__file__).parents[1]
    return next(folder for folder in (package / "notebooks", package.parent / "notebooks") if folder.is_dir())


def lay_out(folder: Path, shipped: Path | None = None, *, present: bool = False) -> list[str]:
    """Copy the notebooks into a folder, or bring an earlier copy up to date.

    A notebook whose cells and outputs are still the package's is replaced when the package has a newer one. One that
    the person changed or ran stays as it is: the newer one is put beside it, once.

    Args:
        folder: the person's folder; made if it is absent.
        shipped: the folder to copy from, else the package's own.
        present: whether code is folded away in the copies, for a class to look at.

    Returns:
        What was done with notebooks that were there before, a sentence each.

    Raises:
        ExplorerError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return list(_laid_out(folder, shipped or shipped_notebooks(), present=present))
    except OSError as error:
        raise ExplorerError(
            f"The notebooks cannot be copied to {folder}.",
            found=f"{error.strerror or error}: {error.filename or folder}.",
            next_step="Name a folder of your own: --folder ~/some-folder.",
        ) from error


def table_notebook(folder: Path, table: str) -> Path:
    """A small notebook that opens one table; the one that is there, if it was made before.

    Raises:
        ExplorerError: the folder cannot be written.
    """
    readable = re.sub(r"[^\w.-]+", "_", table).strip("._")[-80:]
    # Two names that differ in odd characters only, or in capitals, must not share a file.
    unique = hashlib.sha256(table.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    file = folder / "tables" / f"{readable or 'table'}-{unique}.ipynb"
    return _small_notebook(file, [_code("open", f"import explorer\n\nexplorer.open({table!r})")], table)


def drill_notebook(folder: Path, seed: int, level: int) -> Path:
    """A small notebook with one drill; the one that is there, if it was made before.

    Raises:
        ExplorerError: the folder cannot be written.
    """
    file = folder / "drills" / f"level-{level}-seed-{seed}.ipynb"
    cells = [
        _words(
            "start",
            "# A drill\n\nSomething went wrong with a table. Run the cell below with **Shift+Enter**: it says what"
            " people noticed. Which commit did it, why, and what is to be done?",
        ),
        _code("drill", f"import explorer\n\nd = explorer.drill(seed={seed}, level={level})\nd"),
        _words(
            "how",
            "Name the first commit from which on it is so, why, and what you would do about it; then *Check*: a wrong"
            " answer is told what is so, and you may try again. Look at the table with *Open in the explorer*, or ask"
            " `d.table` in code, below. The fields can be left alone:"
            ' `d.check(commit=12, cause="mass-removal", repair="roll-back")`.',
        ),
        _code("ask", 't = d.table  # ask it here: t.commit(12), t.bisect("SELECT … FROM {t}"), t.spark.sql("…")'),
    ]
    return _small_notebook(file, cells, f"drill {seed}")


def exercise_notebook(folder: Path, name: str) -> Path:
    """A small notebook with one exercise; the one that is there, if it was made before.

    Raises:
        ExplorerError: the folder cannot be written.
    """
    cells = [_code("exercise", f"import explorer\n\nexplorer.exercise({name!r})")]
    return _small_notebook(folder / "exercises" / f"{name}.ipynb", cells, name)


def _code(name: str, source: str) -> dict[str, object]:
    return {
        "cell_type": "code",
        "id": name,
        "source": source,
        "metadata": {},
        "execution_count": None,
        "outputs": [],
    }


def _words(name: str, source: str) -> dict[str, object]:
    return {"cell_type": "markdown", "id": name, "source": source, "metadata": {}}


def _small_notebook(file: Path, cells: list[dict[str, object]], of: str) -> Path:
    """Write a notebook of these cells, unless it is there."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            _write_new(file, json.dumps(notebook, indent=1).encode())
    except OSError as error:
        raise ExplorerError(
            f"No notebook for {of} can be made in {file.parents[1]}.",
            found=f"{error.strerror or error}: {error.filename or file}.",
            next_step="Name a folder of your own: --folder ~/some-folder.",
        ) from error
    return file


def _laid_out(folder: Path, shipped: Path, *, present: bool) -> Iterator[str]:
    record = _recorded(folder)
    for source in sorted(shipped.glob("*.ipynb")):
        target, content = folder / source.name, source.read_bytes()
        content = _folded(content) if present else content
        ours = _hash(content)
        if not target.exists():
            _write_new(target, content)
        elif _hash(target.read_bytes()) == record.get(source.name, ours):
            if record.get(source.name, ours) != ours:
                _replace(target, content)
                yield f"{target} was brought up to date."
        elif record.get(source.name) != ours:
            beside = _free_name(target)
            _write_new(beside, content)
            yield f"{target} is yours and stays as it is; the newer version is beside it: {beside.name}"
        record[source.name] = ours
    _replace(folder / _RECORD, json.dumps(record, indent=1).encode())


def _folded(content: bytes) -> bytes:
    """A notebook whose code is folded away; a click on the bar beside a cell unfolds it."""
    notebook = json.loads(content)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["metadata"]["jupyter"] = {"source_hidden": True}
    return json.dumps(notebook, indent=1).encode()


def _recorded(folder: Path) -> dict[str, str]:
    try:
        record = json.loads((folder / _RECORD).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _free_name(target: Path) -> Path:
    numbered = (f".new-{number}" if number > 1 else ".new" for number in count(1))
    names = (target.with_name(f"{target.stem}{mark}{target.suffix}") for mark in numbered)
    return next(name for name in names if not name.exists())


def _write_new(file: Path, content: bytes) -> None:
    with file.open("xb") as new:  # fails rather than writes over what appeared meanwhile
        new.write(content)


def _replace(file: Path, content: bytes) -> None:
    half = file.with_name(f"{file.name}.{os.getpid()}.part")
    half.write_bytes(content)
    half.replace(file)


def _hash(content: bytes) -> str:
    """Of the cells and their outputs: JupyterLab adds metadata of its own to a notebook that is merely opened."""
    try:
        cells = json.loads(content)["cells"]
        seen = [["".join(cell["source"]), cell["cell_type"], cell.get("outputs")] for cell in cells]
    except (ValueError, KeyError, TypeError):  # no notebook any more, so certainly not ours
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()
