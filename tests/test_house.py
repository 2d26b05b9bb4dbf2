"""The house rules of the design, read from the source: who may import what, how long a module is, what lies on top.

Each rule is a function from a tree of files to complaints, so that it is also shown a tree that breaks it.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]

# What each part of `explorer/` may import of the others. The face, `explorer/__init__.py`, may import anything.
TABLE = {"figures", "queries", "model", "engine", "errors"}
SCREEN = TABLE | {"table"}
BELOW = {
    "errors": set(),
    "model": set(),
    "engine": {"errors"},
    "figures": {"model"},
    "queries": {"model", "engine", "errors"},
    "lessons": {"engine", "errors"},
    "table": TABLE,
    "terminal": SCREEN,
    "widgets": SCREEN,
    "jupyter": SCREEN | {"widgets"},
    "cli": SCREEN | {"widgets", "terminal", "jupyter", "lessons"},
}
FACE = "the face"
MAY_IMPORT_FACE = {"cli", "jupyter", FACE}

# The rooms of a floor that belong to one picture; a picture's room imports no other picture's.
PICTURES = {
    "snapshot_graph",
    "commit",
    "changelog",
    "sequence_timeline",
    "deletes",
    "entries",
    "retries",
    "why",
}

IN_A_NOTEBOOK = {"widgets", "jupyter", FACE}
LIBRARIES = {
    "pyspark": {"engine", "queries", "lessons", "table", "cli", FACE},
    "plotly": {"figures", "table", *IN_A_NOTEBOOK},
    "ipywidgets": IN_A_NOTEBOOK,
    "anywidget": IN_A_NOTEBOOK,
}

# About 300 lines hold one thing; what is longer than this certainly holds two.
LONGEST_MODULE = 400

TOP_LEVEL = {"pyproject.toml", "README.md", "LICENSE", "explorer", "notebooks", "tests"}


def modules(package: Path) -> Iterator[tuple[str, Path]]:
    """Every module of the package with the part of the house it belongs to."""
    for file in sorted(package.rglob("*.py")):
        first = file.relative_to(package).parts[0].removesuffix(".py")
        yield FACE if first == "__init__" else first, file


def imported(package: Path, file: Path) -> Iterator[str]:
    """The dotted name of everything a module imports, wherever in it the import stands."""
    here = [package.name, *file.relative_to(package).parts[:-1]]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            # `from . import engine` names a part of the house only in what it takes
            yield from (f"{source}.{alias.name}" for alias in node.names)


def part_named(package: Path, name: str) -> str | None:
    """The part of the house that a dotted name lies in; None if it is not of the house."""
    root, *rest = name.split(".")
    if root != package.name:
        return None
    if not rest or not (rest[0] in BELOW or (package / rest[0]).is_dir() or (package / f"{rest[0]}.py").is_file()):
        return FACE
    return rest[0]


def imports_that_point_up(package: Path) -> list[str]:
    complaints = []
    for part, file in modules(package):
        if part != FACE and part not in BELOW:
            complaints.append(f"{file}: the house has no part {part!r}; give it its place in {Path(__file__).name}")
            continue
        for name in imported(package, file):
            source = part_named(package, name)
            if source is None or part == FACE or source == part:
                continue
            if part not in MAY_IMPORT_FACE if source == FACE else source not in BELOW[part]:
                complaints.append(f"{file}: {part} may not import {name}")
    return complaints


def picture_of(package: Path, name: str) -> tuple[str, str] | None:
    """Floor and picture of the room that a dotted name lies in; None if it lies in no picture's room."""
    root, floor, *rest = [*name.split("."), "", ""][:5]
    if root != package.name:
        return None
    rest = [part for part in rest if part not in ("pictures", "answers")]
    room = next((picture for picture in PICTURES if rest[0] in (picture, f"{picture}_panel")), None)
    return (floor, room) if room and floor in BELOW else None


def pictures_that_import_each_other(package: Path) -> list[str]:
    complaints = []
    for _, file in modules(package):
        here = ".".join([package.name, *file.relative_to(package).with_suffix("").parts])
        room = picture_of(package, here)
        if room is None:
            continue
        for name in imported(package, file):
            other = picture_of(package, name)
            if other is not None and other[0] == room[0] and other != room:
                complaints.append(f"{file}: the picture {room[1]} may not import {name}")
    return complaints


def circles(package: Path) -> list[str]:
    """Modules that import each other in a loop, wherever in them the import stands."""
    names = {".".join([package.name, *f.relative_to(package).with_suffix("").parts]): f for _, f in modules(package)}
    names = {name.removesuffix(".__init__"): file for name, file in names.items()}
    taken = {
        name: {
            source
            for full in imported(package, file)
            for source in [full if full in names else full.rpartition(".")[0]]
            if source in names and source != name
        }
        for name, file in names.items()
    }
    left = {name: set(sources) for name, sources in taken.items() if name != package.name}
    while ready := [name for name, sources in left.items() if not sources & left.keys()]:
        for name in ready:
            del left[name]
    # what is left is a loop, or stands above one
    while above := [name for name in left if not any(name in sources for sources in left.values())]:
        for name in above:
            del left[name]
    return [f"{name} imports {', '.join(sorted(left[name] & left.keys()))}" for name in sorted(left)]


def libraries_out_of_place(package: Path) -> list[str]:
    return [
        f"{file}: {part} may not import {name}"
        for part, file in modules(package)
        for name in imported(package, file)
        if part not in LIBRARIES.get(name.split(".")[0], {part})
    ]


def modules_too_long(package: Path) -> list[str]:
    lengths = {file: len(file.read_text().splitlines()) for _, file in modules(package)}
    return [f"{file}: {length} lines" for file, length in lengths.items() if length > LONGEST_MODULE]


def strangers_on_top(repository: Path) -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=repository, check=True, capture_output=True, text=True).stdout
    names = {line.strip('"').split("/")[0] for line in listed.splitlines()}
    return sorted(name for name in names - TOP_LEVEL if not name.startswith("."))


@pytest.mark.parametrize(
    "rule",
    [
        imports_that_point_up,
        libraries_out_of_place,
        modules_too_long,
        pictures_that_import_each_other,
        circles,
    ],
)
def test_the_package_keeps_the_rule(rule):
    assert rule(REPOSITORY / "explorer") == []


def test_nothing_strange_lies_on_top_of_the_repository():
    assert strangers_on_top(REPOSITORY) == []


@pytest.fixture
def house(tmp_path):
    """A function that builds a small package of the given files, with one file in each part besides."""
    package = tmp_path / "explorer"
    for part in ("engine", "queries", "model", "figures", "table", "widgets", "lessons"):
        (package / part).mkdir(parents=True)
        (package / part / "__init__.py").touch()
    for part in ("__init__", "errors", "cli"):
        (package / f"{part}.py").touch()

    def build(files: dict[str, str]) -> Path:
        for name, source in files.items():
            (package / name).parent.mkdir(parents=True, exist_ok=True)
            (package / name).write_text(source)
        return package

    return build


def test_imports_that_point_down_are_fine(house):
    package = house(
        {
            "__init__.py": "from .widgets import explorer\nimport pyspark",
            "cli.py": "import explorer\nfrom .lessons import sandbox",
            "table/version.py": "from .. import engine\nfrom ..queries.graph import ask\nfrom .picture import Picture",
            "queries/graph.py": "from ..engine import session\nfrom . import calls\nimport pyspark.sql",
            "model/graph.py": "from __future__ import annotations\nimport json\nfrom . import lanes",
            "widgets/graph.py": "import ipywidgets\nfrom explorer.figures import graph",
        }
    )
    assert imports_that_point_up(package) == libraries_out_of_place(package) == []


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("model/graph.py", "from explorer.errors import ExplorerError"),
        ("model/graph.py", "import explorer.queries.graph"),
        ("model/graph.py", "def later():\n    from ..figures import graph"),
        ("figures/graph.py", "from .. import errors"),
        ("queries/graph.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..figures import graph"),
        ("engine/session.py", "from explorer import queries"),
        ("engine/session.py", "from explorer import __version__"),
        ("lessons/stories/replaced.py", "from ...queries import graph"),
        ("table/picture.py", "from ..terminal import screen"),
        ("table/picture.py", "from ..widgets import graph"),
        ("widgets/graph.py", "from ..cli import main"),
        ("utils.py", "import json"),
    ],
)
def test_an_import_that_points_up_is_found(house, file, source):
    [complaint] = imports_that_point_up(house({file: source}))
    assert file in complaint


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("figures/commit/draw.py", "from ..deletes import draw"),
        ("figures/commit/draw.py", "def later():\n    from ..deletes.draw import draw"),
        ("widgets/pictures/commit_panel.py", "from .deletes import DeletesView"),
        ("queries/why.py", "from .deletes.pairs import pairs"),
        ("table/answers/entries.py", "from explorer.table.answers.commit import read"),
    ],
)
def test_a_picture_that_imports_another_is_found(house, file, source):
    [complaint] = pictures_that_import_each_other(house({file: source}))
    assert file in complaint


def test_pictures_share_what_lies_in_the_common_rooms_of_their_floor(house):
    package = house(
        {
            "figures/commit/draw.py": "from ..page.text import wrap\nfrom . import layout\nfrom ...model import words",
            "widgets/pictures/deletes.py": "from .deletes_panel import panel\nfrom ..view import PictureView",
        }
    )
    assert pictures_that_import_each_other(package) == []


def test_modules_that_import_each_other_are_found(house):
    package = house(
        {
            "model/graph.py": "from . import lanes",
            "model/lanes.py": "from .facts import Graph",
            "model/facts.py": "def later():\n    from .graph import draw",
            "model/words.py": "from . import graph",
        }
    )
    assert [complaint.split(" imports ")[0] for complaint in circles(package)] == [
        "explorer.model.facts",
        "explorer.model.graph",
        "explorer.model.lanes",
    ]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("model/graph.py", "import pyspark"),
        ("figures/graph.py", "from pyspark.sql import DataFrame"),
        ("widgets/graph.py", "import pyspark.sql.functions as F"),
        ("table/picture.py", "import ipywidgets"),
        ("queries/graph.py", "import plotly"),
        ("figures/graph.py", "from ipywidgets import HTML"),
        ("cli.py", "def show():\n    import anywidget"),
    ],
)
def test_a_library_out_of_place_is_found(house, file, source):
    [complaint] = libraries_out_of_place(house({file: source}))
    assert file in complaint


def test_a_module_too_long_is_found(house):
    package = house({"model/short.py": "\n" * LONGEST_MODULE, "model/long.py": "\n" * (LONGEST_MODULE + 1)})
    [complaint] = modules_too_long(package)
    assert "long.py" in complaint


def test_a_stranger_on_top_is_found(tmp_path):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / ".gitignore").write_text("build/\n")
    for folder in ("explorer", "build", "scratch"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").touch()
    (tmp_path / "notes.md").touch()
    assert strangers_on_top(tmp_path) == ["notes.md", "scratch"]
