"""One list of pictures: the methods of a table, tabs, commands and the README all have what it has."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, get_type_hints

import click
from click.testing import CliRunner

from explorer.cli import main
from explorer.table import Table
from explorer.table.incidents import IncidentQuestions
from explorer.table.picture import Picture
from explorer.table.pictures import PICTURES
from explorer.terminal.show import COMMANDS, show
from explorer.widgets.explorer import TABS, VIEWS

README = (Path(__file__).resolve().parents[2] / "README.md").read_text()
BY_PROCEDURE = {"dry_run"}  # asked by the name of a procedure: `t.dry_run.rollback_to_snapshot(…)`
NAMES = [kind.name for kind in PICTURES]


def test_every_question_of_a_table_whose_answer_is_a_picture_is_in_the_list() -> None:
    def answer(question: Any) -> Any:
        returned = get_type_hints(question, vars(sys.modules[question.__module__])).get("return")
        return getattr(returned, "__origin__", returned)

    own = vars(IncidentQuestions) | vars(Table)
    methods = {name: value for name, value in own.items() if callable(value) and not name.startswith("_")}
    answers = {name: answer(question) for name, question in methods.items()}
    pictures = {name for name, kind in answers.items() if isinstance(kind, type) and issubclass(kind, Picture)}
    assert pictures | BY_PROCEDURE == set(NAMES)
    assert len(NAMES) == len(set(NAMES))


def test_every_picture_has_a_tab_and_a_command() -> None:
    assert set(VIEWS) == set(COMMANDS) == set(NAMES)
    assert list(TABS) == [
        "History",
        "Commit",
        "Compare",
        "Changes",
        "Row",
        "Files",
        "Deletes",
        "Manifests",
        "Partitions",
        "Health",
        "Bisect",
        "Dry run",
    ]
    for kind in PICTURES:
        assert TABS[kind.tab] is VIEWS[kind.name]


def test_a_command_is_called_as_the_method_and_as_it_was_called_before() -> None:
    assert list(show.commands) == [*(name.replace("_", "-") for name in NAMES), "timeline"]
    context = click.Context(show)
    before = ("graph", "commit", "changelog", "entries", "retries", "deletes", "why")
    found = {name: show.get_command(context, name) for name in before}
    assert None not in found.values()
    assert found["graph"] is show.commands["snapshot-graph"]
    assert "timeline" not in COMMANDS  # it draws the facts of the snapshot graph, and is no picture of its own
    listed = CliRunner().invoke(main, ["show", "--help"]).output
    for kind in PICTURES:
        assert re.search(rf"^  {kind.command} ", listed, re.MULTILINE), kind.command
    assert not re.search(r"^  graph ", listed, re.MULTILINE)


def test_the_readme_has_every_question_and_every_command() -> None:
    code = re.search(r"```python\nimport explorer\n(.*?)```", README, re.DOTALL)
    assert code
    asked = re.findall(r"^t\.(\w+)\(", code[1], re.MULTILINE)
    assert sorted(asked) == sorted({*NAMES, "create_views"} - BY_PROCEDURE)
    assert "\nt.dry_run." in code[1]
    commands = re.findall(r"^\| `iceberg-explorer show (\S+) TABLE", README, re.MULTILINE)
    assert sorted(commands) == sorted([*(kind.command for kind in PICTURES), "timeline"])
