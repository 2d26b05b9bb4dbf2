"""Repairs of refs and manifests, whose tables need no rows, by their counts; `test_every_fix` runs all others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.model.triage.facts import Finding
from explorer.table import Table
from tests.oracle.incident_tables import INCIDENTS, Maker

# By signature: the rows that main holds before the repair and after it, and whether the finding is gone then.
REPAIRED = {
    "abandoned-commits": (20, 40, True),
    "broken-chain": (10, 30, False),  # the commit without parent is listed still
    "unpublished-stage": (20, 32, True),
    "manifest-fragmentation": (120, 120, True),
}


@pytest.fixture
def made(spark: SparkSession, fresh_table: Callable[..., str]) -> Callable[[str], Maker]:
    def make(name: str) -> Maker:
        incident = INCIDENTS[name]
        maker = Maker(spark, fresh_table("fixed"), incident.columns, incident.more)
        incident.build(maker)
        return maker

    return make


def found(spark: SparkSession, table: str, name: str) -> Finding | None:
    checks = Table.open(table, spark).triage().facts.checks
    return next(c.finding for c in checks if c.signature.name == name)


def rows(spark: SparkSession, table: str) -> int:
    """By the counts in the manifests: nothing is in the files."""
    spark.sql(f"REFRESH TABLE {table}")
    return int(spark.sql(f"SELECT sum(record_count) FROM {table}.data_files").collect()[0][0])


def run(spark: SparkSession, statements: str) -> None:
    for statement in statements.split(";\n"):
        spark.sql(statement)


@pytest.mark.parametrize("name", REPAIRED)
def test_a_repair_mends_it_and_its_undo_gives_the_table_back(
    spark: SparkSession, made: Callable[[str], Maker], name: str
) -> None:
    maker = made(name)
    before, after, is_gone = REPAIRED[name]
    finding = found(spark, maker.name, name)
    assert finding is not None
    fix = finding.fixes[0]
    assert rows(spark, maker.name) == before
    run(spark, fix.statement)
    assert rows(spark, maker.name) == after
    assert (found(spark, maker.name, name) is None) == is_gone
    spark.sql(fix.undo)
    assert rows(spark, maker.name) == before


def test_tags_that_keep_the_evidence_are_made_as_they_are_printed(
    spark: SparkSession, made: Callable[[str], Maker]
) -> None:
    maker = made("file-listed-twice")
    picture = Table.open(maker.name, spark).triage()
    run(spark, picture.pin)
    refs = Table.open(maker.name, spark).metadata.refs
    assert len([ref for ref in refs.values() if ref.kind == "tag"]) == picture.pin.count("CREATE TAG") >= 2


def test_several_staged_commits_are_published_one_after_the_other(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    maker = Maker(spark, fresh_table("fixed"))
    maker.append()
    for wap_id in ("w1", "w2"):
        staged = maker.table.newAppend().appendFile(maker.data(12))
        staged.set("wap.id", wap_id).stageOnly().commit()
        maker.table.refresh()
    finding = found(spark, maker.name, "unpublished-stage")
    assert finding is not None
    (fix,) = finding.fixes
    assert spark.sql(fix.verify).count() == 2
    for left, statement in zip((1, 0), fix.statement.split(";\n"), strict=True):
        spark.sql(statement)
        assert spark.sql(fix.verify).count() == left
