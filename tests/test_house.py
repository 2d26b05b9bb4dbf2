"""The house rules of the design, read from the source: who may import what, how long a module is, what lies on top.

Each rule is a function from a tree of files to complaints, so that it is also shown a tree that breaks it.
"""

from __future__ import annotations

import ast
import re
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
    "table": TABLE,
    "lessons": {"table", "model", "engine", "errors"},
    "terminal": SCREEN | {"lessons"},
    "widgets": SCREEN | {"lessons"},
    "jupyter": SCREEN | {"widgets"},
    "cli": SCREEN | {"widgets", "terminal", "jupyter", "lessons"},
}
FACE = "the face"
MAY_IMPORT_FACE = {"cli", "jupyter", FACE}

# The rooms of a floor that belong to one picture; a picture's room imports no other picture's. `triage` is none of
# them: it asks what others tell, the graph of snapshots first.
PICTURES = {
    "snapshot_graph",
    "commit",
    "compare",
    "changelog",
    "sequence_timeline",
    "deletes",
    "entries",
    "retries",
    "partitions",
    "why",
    "biography",
    "bisect",
    "dry_run",
}

IN_A_NOTEBOOK = {"widgets", "jupyter", FACE}
LIBRARIES = {
    "pyspark": {"engine", "queries", "lessons", "table", "cli", FACE},
    "plotly": {"figures", "table", *IN_A_NOTEBOOK},
    "ipywidgets": IN_A_NOTEBOOK,
    "anywidget": IN_A_NOTEBOOK,
}

# A dictionary of anything says nothing of what it holds. Iceberg's own JSON is handed on as it stands, by these names.
UNTYPED = re.compile(r"(dict|Mapping)\[str, Any\]")
ICEBERGS_JSON = "model/iceberg/document.py"

# About 300 lines hold one thing; what is longer than this certainly holds two.
LONGEST_MODULE = 400

# A path, or a module by its floor, in backquotes. What begins with `lessons.` is a table, and `NAME` is any picture.
QUOTED = re.compile(r"`([a-z.][\w.-]*[./][\w./-]*)`")
FLOORS = BELOW.keys() - {"lessons"}
ANY_PICTURE = "entries"

# A person who wants to change how a picture looks reads its room in `figures/`.
FULLEST_ROOM = 6

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


def untyped_names(package: Path) -> dict[Path, set[str]]:
    """By module, its names for dictionaries of anything, defined or imported there."""
    trees = {file: ast.parse(file.read_text()) for _, file in modules(package) if file != package / ICEBERGS_JSON}
    names: dict[Path, set[str]] = {file: set() for file in trees}
    known = -1
    while known < (known := sum(map(len, names.values()))):  # one name may be defined by another
        for file, tree in trees.items():
            for node in tree.body:
                if isinstance(node, ast.Assign) and is_untyped(node.value, names[file]):
                    names[file] |= {target.id for target in node.targets if isinstance(target, ast.Name)}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    above = file.parents[node.level - 1] if node.level else package.parent
                    source = names.get(above.joinpath(*node.module.split(".")).with_suffix(".py"), set())
                    names[file] |= {alias.asname or alias.name for alias in node.names if alias.name in source}
    return names


def is_untyped(annotation: ast.expr | None, names: set[str]) -> bool:
    """Whether an annotation says, by itself or by one of these names, that a dictionary of anything is there."""
    if annotation is None:
        return False
    parts = (part.id for part in ast.walk(annotation) if isinstance(part, ast.Name))
    return bool(UNTYPED.search(ast.unparse(annotation))) or not names.isdisjoint(parts)


def dictionaries_that_cross_the_seam(package: Path) -> list[str]:
    """Those of anything that public functions of `queries` give, or public classes there and in `model` hold."""
    names, complaints = untyped_names(package), []
    for part, file in modules(package):
        if part not in ("queries", "model") or file not in names:
            continue
        for node in ast.parse(file.read_text()).body:
            held = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else [node]
            for own in held:
                name, annotation = "", None
                if isinstance(own, ast.FunctionDef) and part == "queries":
                    name, annotation = own.name, own.returns
                elif isinstance(own, ast.AnnAssign) and isinstance(own.target, ast.Name) and own is not node:
                    name, annotation = own.target.id, own.annotation
                if not name.startswith("_") and is_untyped(annotation, names[file]):
                    complaints.append(f"{file}: {name} may not be {ast.unparse(annotation)}")
    return complaints


def modules_too_long(package: Path) -> list[str]:
    lengths = {file: len(file.read_text().splitlines()) for _, file in modules(package)}
    return [f"{file}: {length} lines" for file, length in lengths.items() if length > LONGEST_MODULE]


def is_module(package: Path, dotted: str) -> bool:
    """Whether it is a module of the package, or a name in one: `queries.files.live_files.read`."""
    place, parts = package, dotted.split(".")
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    module = place / f"{parts[0]}.py" if parts else place / "__init__.py"
    source = (module if module.is_file() else place / "__init__.py").read_text()
    return all(re.search(rf"\b{part}\b", source) for part in (parts[1:] if module.is_file() else parts))


def words_about_what_is_not_there(repository: Path) -> list[str]:
    """Paths and modules that a docstring, a comment or the README names, and that were moved or deleted."""
    package, tests = repository / "explorer", repository / "tests"
    known = [path for top in TOP_LEVEL for path in (repository / top, *(repository / top).rglob("*"))]
    places = {f"/{path.relative_to(repository).as_posix()}" for path in known if path.exists()}
    files = {repository / "README.md", *package.rglob("*.py"), *tests.rglob("*.py")}
    complaints = []
    for file in sorted(files - {Path(__file__).resolve()}):  # which makes names up
        for name in QUOTED.findall(file.read_text()):
            wanted = name.replace("NAME", ANY_PICTURE).removesuffix("/")
            if "/" in name or name.endswith(".py"):
                is_there = wanted.startswith(".") or any(place.endswith(f"/{wanted}") for place in places)
            else:
                is_there = wanted.split(".")[0] not in FLOORS or is_module(package, wanted)
            if not is_there:
                complaints.append(f"{file}: there is no {name}")
    return complaints


def rooms_too_full(package: Path) -> list[str]:
    rooms = {file.parent for part, file in modules(package) if part == "figures" and file.parent.name in PICTURES}
    found = {room: [file.name for file in sorted(room.glob("*.py")) if file.name != "__init__.py"] for room in rooms}
    return [f"{room}: {', '.join(names)}" for room, names in sorted(found.items()) if len(names) > FULLEST_ROOM]


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
        rooms_too_full,
        pictures_that_import_each_other,
        circles,
        dictionaries_that_cross_the_seam,
    ],
)
def test_the_package_keeps_the_rule(rule):
    assert rule(REPOSITORY / "explorer") == []


def test_what_words_name_is_there():
    assert words_about_what_is_not_there(REPOSITORY) == []


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


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("queries/graph.py", "def ask() -> list[dict[str, Any]]: ..."),
        ("queries/graph.py", "Row = dict[str, Any]\ndef ask() -> tuple[Row, ...]: ..."),
        ("queries/graph.py", "from .rows import Row\ndef ask() -> Row: ..."),
        ("queries/graph.py", "from explorer.queries.rows import Rows as Found\nclass Graph:\n    rows: Found"),
        ("queries/graph.py", "class Graph:\n    def ask(self) -> Mapping[str, Any]: ..."),
        ("model/graph.py", "@dataclass(frozen=True)\nclass Graph:\n    rows: Sequence[Mapping[str, Any]]"),
    ],
)
def test_a_dictionary_that_crosses_the_seam_is_found(house, file, source):
    rows = "Row = dict[str, Any]\nRows = MutableMapping[str, list[Row]]"
    [complaint] = dictionaries_that_cross_the_seam(house({"queries/rows.py": rows, file: source}))
    assert file in complaint


def test_values_columns_and_icebergs_own_json_cross_the_seam(house):
    package = house(
        {
            "model/iceberg/document.py": "Schema = Mapping[str, Any]",
            "model/graph.py": "def rows(graph) -> list[dict[str, Any]]: ...\nclass _Kept:\n    rows: dict[str, Any]",
            "queries/graph.py": "from pyspark.sql import Row\nfrom ..model.iceberg.document import Schema\n"
            "Type = str | Schema\nclass Graph:\n    schema: Schema\n    _parts: dict[str, Any]\n"
            "def ask() -> dict[str, list[Any]]: ...\ndef types() -> list[Type]: ...\ndef rows() -> list[Row]: ...\n"
            "def _asked() -> dict[str, Any]: ...",
        }
    )
    assert dictionaries_that_cross_the_seam(package) == []


def test_a_module_too_long_is_found(house):
    package = house({"model/short.py": "\n" * LONGEST_MODULE, "model/long.py": "\n" * (LONGEST_MODULE + 1)})
    [complaint] = modules_too_long(package)
    assert "long.py" in complaint


@pytest.mark.parametrize("gone", ["model/lanes.py", "lanes.py", "widgets/views/", "model.lanes", "model.graph.lanes"])
def test_a_word_about_what_is_not_there_is_found(house, tmp_path, gone):
    there = "`model/graph.py`, `graph.py`, `model/`, `model.graph.Node`, `model.graph`, `spark.sql.x`, `figures/NAME`"
    words = f'"""As {there} and `{gone}`."""'
    package = house({"model/words.py": words, "model/graph.py": "class Node: ...", "figures/entries/draw.py": ""})
    (tmp_path / "README.md").write_text(there)
    [complaint] = words_about_what_is_not_there(package.parent)
    assert complaint.endswith(f"words.py: there is no {gone}")


def test_a_room_too_full_is_found(house):
    package = house(
        {f"figures/commit/part_{n}.py": "" for n in range(FULLEST_ROOM)} | {"figures/commit/__init__.py": ""}
    )
    assert rooms_too_full(package) == []
    house({"figures/commit/one_more.py": ""})
    [complaint] = rooms_too_full(package)
    assert "one_more.py" in complaint


def test_a_stranger_on_top_is_found(tmp_path):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / ".gitignore").write_text("build/\n")
    for folder in ("explorer", "build", "scratch"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").touch()
    (tmp_path / "notes.md").touch()
    assert strangers_on_top(tmp_path) == ["notes.md", "scratch"]
