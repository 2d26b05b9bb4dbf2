"""Figures of health at heads of branches: each as a triage of that branch says it of itself."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import SparkSession

from explorer.table import Table


def test_heads_of_branches_have_the_figures_that_they_say_themselves(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    branches = ("quiet", "dev", "audit", "backfill")
    name = written_table(
        "heads",
        "CREATE TABLE {t} (id BIGINT) USING iceberg",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id FROM range(10)",
        *(f"ALTER TABLE {{t}} CREATE BRANCH {branch}" for branch in branches),
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id FROM range(20)",
    )
    for n, branch in enumerate(branches[1:]):
        spark.sql(f"INSERT INTO {name}.branch_{branch} SELECT /*+ COALESCE(1) */ id FROM range({5 + n})")
    spark.sql(f"REFRESH TABLE {name}")
    table = Table.open(name, spark)
    facts = table.triage().facts
    assert facts.branches == ("backfill", "audit", "dev")
    assert facts.more_branches == 1
    told = {figure.name: figure.at_heads for figure in facts.figures}
    assert told["rows"] == ("17", "16", "15")
    for n, branch in enumerate(facts.branches):
        own = {figure.name: figure.now for figure in table.triage(snapshot=branch).facts.figures}
        for figure in facts.figures:
            if figure.at_heads and figure.name != "age":
                assert figure.at_heads[n] == own[figure.name], (branch, figure.name)
    assert "main" in table.triage(snapshot="dev").facts.branches
