"""What a command does not wait for: libraries that take seconds to import are loaded where they are used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = ("pyiceberg", "pandas", "plotly", "ipywidgets", "IPython")
WATCHED = f"""
import json, sys
def slow():
    return [name for name in {SLOW!r} if name in sys.modules]
"""


def run(program: str, *arguments: str) -> list[str]:
    """The slow libraries that a fresh Python loaded, told in the last line of what it prints."""
    script = f"{WATCHED}\n{program}\nprint(json.dumps(slow()))"
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True, timeout=600
    )
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("program", ["import explorer", "import explorer.cli", "import explorer; explorer.table"])
def test_importing_the_explorer_loads_none_of_them(program: str) -> None:
    assert run(program) == []


def test_the_watch_sees_what_is_loaded() -> None:
    assert run("import pandas") == ["pandas"]


def test_a_graph_is_shown_without_those_that_only_pictures_and_manifests_need(tmp_path: Path) -> None:
    file = tmp_path / "metadata" / "v1.metadata.json"
    file.parent.mkdir()
    snapshot = {"snapshot-id": 61, "sequence-number": 1, "timestamp-ms": 1_700_000_000_000}
    document = {
        "format-version": 2,
        "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
        "location": str(tmp_path),
        "last-sequence-number": 1,
        "last-updated-ms": 1_700_000_000_000,
        "last-column-id": 0,
        "current-schema-id": 0,
        "schemas": [{"type": "struct", "schema-id": 0, "fields": []}],
        "default-spec-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": []}],
        "last-partition-id": 999,
        "default-sort-order-id": 0,
        "sort-orders": [{"order-id": 0, "fields": []}],
        "current-snapshot-id": 61,
        "snapshots": [snapshot | {"manifest-list": f"{tmp_path}/list.avro", "summary": {"operation": "append"}}],
        "refs": {"main": {"snapshot-id": 61, "type": "branch"}},
    }
    file.write_text(json.dumps(document))
    shown = "from explorer.cli import main\nmain(['show', 'graph', sys.argv[1]], standalone_mode=False)"
    assert set(run(shown, str(file))) <= {"pandas"}, "which Spark itself loads when it starts"
