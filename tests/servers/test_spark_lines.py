"""Every picture on the older lines of Spark that the package allows, each in a virtual environment of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from explorer.engine import conf_to_env
from tests.servers.components import EMBEDDED, ran
from tests.servers.conftest import Answers, assert_same

# By line the tables it is asked for; the runtime of 4.0 is an older Iceberg, which matters most to version 3.
LINES = {"3.5": ["people", "vectors"], "4.0": ["vectors"]}
RUNTIMES = {"3.5": "1.12.0", "4.0": "1.11.0"}
SCAN_WITH_OPTIONS = re.compile(r" WITH \('(start|end)-snapshot-id'")
ASKED = """
import json, sys
import explorer, pyspark
from explorer.engine import session
from explorer.engine.runtime import runtime_version
from tests.servers.every_picture import answers
told = {name: answers(explorer.table(f"lake.t.{name}")) for name in sys.argv[1:]}
spark = session()
versions = [pyspark.__version__, spark.version, runtime_version(spark)]
json.dump({"answers": told, "versions": versions}, sys.stdout)
"""


@pytest.fixture(scope="module")
def told(
    plain: dict[str, Answers], lake_conf: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """By line what a process with that pyspark answers, and the versions it has; the lines are asked side by side."""

    def ask(line: str) -> Any:
        folder = tmp_path_factory.mktemp("line")
        python = environment(line, folder / "environment")
        settings = conf_to_env(EMBEDDED | lake_conf)
        return json.loads(ran(["-c", ASKED, *LINES[line]], folder, python=python, ICEBERG_EXPLORER_CONF=settings))

    with ThreadPoolExecutor() as lines:
        return dict(zip(LINES, lines.map(ask, LINES), strict=True))


def environment(line: str, folder: Path) -> Path:
    """The Python of a new environment with this line of pyspark, and all else from the one that runs the tests."""
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", f"pyspark=={line}.*"]
    subprocess.run(install, check=True, timeout=300)
    [packages] = folder.glob("lib/python*/site-packages")
    # After the install, which would see the pyspark of this environment; Python looks into it after its own folder.
    (packages / "environment_of_the_tests.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    return python


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_asked_with_the_runtime_made_for_it(line: str, told: dict[str, Any]) -> None:
    client, server, runtime = told[line]["versions"]
    assert client == server
    assert client.startswith(f"{line}.")
    assert runtime == RUNTIMES[line]


@pytest.mark.parametrize("name", LINES["4.0"])
def test_every_picture_is_the_same_on_spark_4_0(name: str, told: dict[str, Any], plain: dict[str, Answers]) -> None:
    assert_same(told["4.0"]["answers"][name], plain[name])


@pytest.mark.parametrize("name", LINES["3.5"])
def test_every_picture_is_the_same_on_spark_3_5_but_for_sql_that_it_has_no_words_for(
    name: str, told: dict[str, Any], plain: dict[str, Answers]
) -> None:
    answers, expected = told["3.5"]["answers"][name], dict(plain[name])
    for picture, answer in plain[name].items():
        if SCAN_WITH_OPTIONS.search(answer.get("sql", "")):
            note = answers[picture]["notes"][0]
            assert "from Spark 4 on" in note["reason"]
            without_sql = {"sql": "", "sql_rows": None} if "sql_rows" in answer else {"sql": ""}
            expected[picture] = answer | without_sql | {"notes": [note, *answer["notes"]]}
    assert expected != plain[name]
    assert_same(answers, expected)
