from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.queries.changelog.names import TAKEN
from tests.queries.changelog_facts import OpenedChangelog

# No one has a column of these names: Spark reads no such table.
ICEBERGS_OWN = {"_file", "_pos", "_deleted", "_spec_id", "_partition", "_row_id", "_last_updated_sequence_number"}


@pytest.mark.parametrize(("version", "how"), [(2, "copy-on-write"), (2, "merge-on-read"), (3, "merge-on-read")])
def test_every_column_that_the_sql_makes_is_known_by_name(
    spark: SparkSession, fresh_table: Callable[..., str], version: int, how: str
) -> None:
    name = fresh_table("made")
    spark.sql(
        f"CREATE TABLE {name} (id INT, v STRING) USING iceberg TBLPROPERTIES ('format-version'='{version}',"
        f" 'write.update.mode'='{how}')"
    )
    for statement in ("INSERT INTO {} VALUES (1, 'a'), (2, 'b')", "UPDATE {} SET v = 'c' WHERE id = 1") * 2:
        spark.sql(statement.format(name))
    if how == "merge-on-read":  # so that an equality delete's part of the SQL is read too
        delete_equal(spark, name, spark.sql("SELECT 2 AS id"))
    opened = OpenedChangelog(spark, name)
    for mode, identifiers in [*((mode, None) for mode in TAKEN), ("updates", ["id"])]:
        _, query = opened.query(mode, identifiers=identifiers)
        texts = [value for value in vars(query).values() if isinstance(value, str)]
        made = {word for text in texts for word in re.findall(r"\b_[a-z_]+", text)}
        of_masks = {"_masks", "_keys"} if how == "copy-on-write" else set()
        assert made - ICEBERGS_OWN == TAKEN[mode] - of_masks, mode
