"""How long the changelog of all commits of the sandbox's `shop.orders` takes: first asked of a session, and later.

    python -m tests.benchmarks.orders [--rounds 3]

Every way of telling is asked in a process of its own, so that nothing is warm: from the table's name to the counts and
the rows that a picture draws. Later is the same question of a table that is opened again in that session.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path
from typing import get_args

import click
from rich.console import Console
from rich.table import Table

from explorer.model.changelog.facts import Mode
from tests.servers.components import ran

FIRST_AIM, LATER_AIM = 12, 4  # seconds
BUILT = """
import sys
from explorer.engine import session
from explorer.lessons.registry import LESSONS
from explorer.lessons.sandbox import build_sandbox
(built,) = build_sandbox(session(), lessons=[lesson for lesson in LESSONS if lesson.name == "shop.orders"])
print(built.name)
"""
ASKED = """
import json, sys, time
import explorer
from explorer.engine import session
spark = session()
seconds = []
for turn in range(int(sys.argv[3]) + 1):
    before = time.perf_counter()
    facts = explorer.table(sys.argv[1], spark).changelog(mode=sys.argv[2]).facts
    seconds.append(time.perf_counter() - before)
json.dump({"seconds": seconds, "commits": len(facts.range.commits)}, sys.stdout)
"""


@click.command()
@click.option("--rounds", default=3, show_default=True, help="later questions in each process")
def main(rounds: int) -> None:
    """Time the changelog of a table of the sandbox."""
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as folder:
        name = ran(["-c", BUILT], Path(folder)).split()[-1]
        table = Table("mode", "commits", "first s", "aim", "later s", "aim", title=f"changelog of {name}")
        for mode in get_args(Mode):
            found = json.loads(ran(["-c", ASKED, name, mode, str(rounds)], Path(folder)).splitlines()[-1])
            first, later = found["seconds"][0], statistics.median(found["seconds"][1:])
            aims = (
                f"≤ {aim} {'met' if own <= aim else 'MISSED'}" for own, aim in ((first, FIRST_AIM), (later, LATER_AIM))
            )
            table.add_row(mode, str(found["commits"]), f"{first:.1f}", next(aims), f"{later:.1f}", next(aims))
        Console(width=100).print(table)


if __name__ == "__main__":
    main()
