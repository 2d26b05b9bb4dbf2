"""What is found on tables with which nothing is wrong: each is listed, with why a second look justifies it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.lessons import sandbox_tables
from explorer.table import Table

# Above information. By table: signature and why it is right.
JUSTIFIED: Mapping[str, Mapping[str, str]] = {
    "sandbox.shop.orders": {"unpublished-stage": "a staged commit of the story that nobody published"},
    "sandbox.lessons.rollback": {"abandoned-commits": "main jumped to a snapshot that is no ancestor"},
    "sandbox.lessons.write_audit_publish": {"unpublished-stage": "the commit that failed its audit"},
    "sandbox.lessons.concurrent_writers": {"mass-removal": "an overwrite that replaced every row"},
    "trino_conflict": {"partition-layout": "half of its rows lie in the spec of before"},
    "lithium_1000_snapshots": {
        "small-files": "a thousand files of a row each",
        "commit-pressure": "a thousand commits within minutes",
        "missing-file": "only its newest manifest list was kept",
    },
    "duckdb_eq_deletes_hole": {"missing-file": "a manifest list that its makers left out"},
    "pglake_expired": {"missing-file": "the lists of its first snapshots were not kept"},
}


def _grave(table: Table) -> set[str]:
    facts = table.triage().facts
    return {check.signature.name for check in facts.found if check.finding and check.finding.severity != "information"}


@pytest.mark.parametrize("name", [shelved.name for shelved in sandbox_tables()])
def test_of_the_sandbox(sandbox: SparkSession, name: str) -> None:
    assert _grave(Table.open(name, sandbox)) == set(JUSTIFIED.get(name, ()))


def test_of_the_tables_of_others(spark: SparkSession, real_tables: Mapping[str, Any]) -> None:
    import table_paths

    found = {}
    for name in real_tables:
        try:
            table = Table.open(f"real.t.{name}", spark)
        except Exception:  # its catalog refuses it: by its file
            table = Table.open(table_paths.metadata_path(name), spark)
        found[name] = _grave(table)
    assert {n: s for n, s in found.items() if s} == {n: set(s) for n, s in JUSTIFIED.items() if n in real_tables}


def test_masking_rows_that_another_delete_hides_is_not_told_as_rows_that_left(
    spark: SparkSession, real_tables: Mapping[str, Any]
) -> None:
    name = "real.t.impala_eq_and_pos"
    ids = [
        row.snapshot_id
        for row in spark.sql(f"SELECT snapshot_id FROM {name}.snapshots ORDER BY committed_at").collect()
    ]
    counts = [spark.sql(f"SELECT * FROM {name} VERSION AS OF {of}").count() for of in ids[-2:]]
    assert counts[0] == counts[1], "the position that the last commit deletes is of a row that a key hides already"
    checks = Table.open(name, spark).triage().facts.found
    [finding] = [c.finding for c in checks if c.signature.name == "mass-removal" and c.finding]
    assert finding.certainty == "inferred"
    assert finding.title == "Commit 3 removed at most 25% of the table: 1 row"
