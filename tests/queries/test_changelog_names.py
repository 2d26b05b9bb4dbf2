from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.queries.changelog.names import TAKEN
from tests.queries.changelog_facts import OpenedChangelog

# No one has a column of these names: Spark reads no such table.
ICEBERGS_OWN = {"_file", "_pos", "_deleted", "_spec_id", "_partition", "_row_id", "_last_updated_sequence_number"}


@pytest.mark.parametrize(
    ("version", "how", "sources"),
    [
        (2, "copy-on-write", {"changelog scan"}),
        (3, "merge-on-read", {"changelog scan", "append scan", "row question"}),
    ],
)
def test_every_column_that_the_sql_makes_is_known_by_name(
    spark: SparkSession, fresh_table: Callable[..., str], version: int, how: str, sources: set[str]
) -> None:
    name = fresh_table("made")
    spark.sql(
        f"CREATE TABLE {name} (id INT, v STRING) USING iceberg TBLPROPERTIES ('format-version'='{version}',"
        f" 'write.update.mode'='{how}')"
    )
    for statement in ("INSERT INTO {} VALUES (1, 'a'), (2, 'b')", "UPDATE {} SET v = 'c' WHERE id = 1") * 2:
        spark.sql(statement.format(name))
    opened = OpenedChangelog(spark, name)
    assert {stretch.source for stretch in opened.query()[0].stretches} == sources
    for mode, identifiers in [*((mode, None) for mode in TAKEN), ("updates", ["id"])]:
        _, query = opened.query(mode, identifiers=identifiers)
        texts = [value for value in vars(query).values() if isinstance(value, str)]
        made = {word for text in texts for word in re.findall(r"\b_[a-z_]+", text)}
        assert made - ICEBERGS_OWN == TAKEN[mode], mode
