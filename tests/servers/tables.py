"""Two tables that have what is hard to read through a server: deletes of every kind, branches, row ids."""

from __future__ import annotations

from pyspark.sql import SparkSession

from explorer.lessons.stories.equality_deletes import delete_equal

_MERGE_ON_READ = (
    "'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read', 'write.merge.mode'='merge-on-read'"
)


def merge_on_read(spark: SparkSession, name: str) -> None:
    """Create a partitioned table of version 2, with position and equality deletes, a key used again, a tag."""
    spark.sql(
        f"CREATE TABLE {name} (id INT, name STRING, region STRING) USING iceberg PARTITIONED BY (region)"
        f" TBLPROPERTIES ('format-version'='2', {_MERGE_ON_READ})"
    )
    spark.sql(f"INSERT INTO {name} VALUES (1, 'Ada', 'EU'), (2, 'Bob', 'EU'), (3, 'Cy', 'US'), (4, 'Dan', 'US')")
    spark.sql(f"DELETE FROM {name} WHERE id = 1")
    spark.sql(f"ALTER TABLE {name} CREATE TAG before_keys")
    delete_equal(spark, name, spark.sql("SELECT 2 AS id"), partition="region=EU", statistics=True)
    spark.sql(f"ALTER TABLE {name} CREATE BRANCH audit")
    spark.sql(f"INSERT INTO {name} VALUES (2, 'Bea', 'EU'), (5, 'Eve', 'US')")
    spark.sql(f"UPDATE {name} SET name = 'Cleo' WHERE id = 3")


def version_3(spark: SparkSession, name: str) -> None:
    """Create a table of version 3, with row ids and deletion vectors."""
    spark.sql(
        f"CREATE TABLE {name} (id INT, name STRING) USING iceberg"
        f" TBLPROPERTIES ('format-version'='3', {_MERGE_ON_READ})"
    )
    spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ CAST(id AS INT), concat('n', id) FROM range(6)")
    spark.sql(f"DELETE FROM {name} WHERE id = 2")
    spark.sql(f"UPDATE {name} SET name = 'new' WHERE id = 4")


BUILT = {"people": merge_on_read, "vectors": version_3}
