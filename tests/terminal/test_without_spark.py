"""What small files on this disk tell is told without Spark: no JVM is started, and the answers are the same."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

from explorer import cli

REPOSITORY = Path(__file__).resolve().parents[2]
IN_A_PYTHON_OF_ITS_OWN = """
import json, sys
from click.testing import CliRunner
from explorer.engine import embedded

def launch_gateway(*_):
    raise RuntimeError("a JVM is started")

embedded.launch_gateway = launch_gateway
from explorer import cli
results = [CliRunner().invoke(cli.main, ["show", *command]) for command in json.loads(sys.argv[1])]
print(json.dumps([[result.exit_code, result.stdout, result.stderr] for result in results]))
"""
READ_AT = re.compile(r'"read_at": "[^"]*"')
NO_TABLE = "/there/is/nothing/here"


@pytest.fixture(scope="module")
def folder(spark: SparkSession, written_table: Callable[..., str]) -> str:
    """The folder of a table with a branch, masked rows and a compaction."""
    name = written_table(
        "local",
        "CREATE TABLE {t} (id BIGINT, day STRING) USING iceberg PARTITIONED BY (day)"
        " TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')",
        "INSERT INTO {t} VALUES (1, 'a'), (2, 'a'), (3, 'b')",
        "ALTER TABLE {t} CREATE BRANCH audit",
        "INSERT INTO {t}.branch_audit VALUES (9, 'c')",
        "INSERT INTO {t} VALUES (4, 'b')",
        "DELETE FROM {t} WHERE id = 1",
    )
    file = spark.sql(f"SELECT file FROM {name}.metadata_log_entries").collect()[-1].file
    return str(Path(urlsplit(file).path).parents[1])


def commands(folder: str) -> list[list[str]]:
    newest = str(max(Path(folder, "metadata").glob("*.metadata.json"), key=lambda file: file.stat().st_mtime))
    return [
        *([name, folder] for name in ("snapshot-graph", "timeline", "entries", "retries", "deletes", "partitions")),
        ["snapshot-graph", newest, "--format", "json"],
        ["timeline", folder, "--from", "2", "--to", "main"],
        ["timeline", folder, "--from", "2000-01-01", "--to", "2000-01-02"],
        ["sequence-timeline", folder],
        ["commit", folder, "main"],
        ["boundary", folder, "1", "main"],
        ["compare", folder, "audit", "main"],
        ["commit", folder, "nowhere"],
        ["snapshot-graph", NO_TABLE],
        ["snapshot-graph", f"{NO_TABLE}/v1.metadata.json"],
    ]


def test_questions_of_the_metadata_start_no_jvm_and_are_answered_as_with_one(spark: SparkSession, folder: str) -> None:
    asked = commands(folder)
    own = ("SPARK", "PYSPARK", "JAVA", "PYTEST", "HADOOP", "ICEBERG_EXPLORER_CONF")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    rows = ["why", folder, "id = 1"]  # of data files, which Spark reads
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PYTHON_OF_ITS_OWN, json.dumps([*asked, rows])],
        env=environment | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    *without, (exit_code, _, told) = json.loads(done.stdout)
    assert exit_code == 1
    assert "Spark did not start." in told
    assert "a JVM is started" in told
    for command, found in zip(asked, without, strict=True):
        result = CliRunner().invoke(cli.main, ["show", *command])
        printed = [READ_AT.sub("", text) for text in (found[1], result.stdout)]
        assert printed[0] == printed[1], command
        assert (found[0], found[2]) == (result.exit_code, result.stderr), command
    assert [exit_code for exit_code, *_ in without].count(0) == len(asked) - 4
