"""A query is a value: text a person can paste into their own Spark, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class Query:
    """One SQL statement.

    Attributes:
        name: what it answers, in a few words; the first comment line of the text repeats it.
        sql: the text, complete: every name quoted where it must be, nothing left to fill in.
    """

    name: str
    sql: str

    def run(self, spark: SparkSession) -> DataFrame:
        """Return the lazy DataFrame; Spark reads nothing yet but what analysis needs."""
        return spark.sql(self.sql)


def sql_of(query: Query | None) -> str:
    """The text of a query; empty where SQL cannot ask, as of a table that was opened by its file."""
    return query.sql if query else ""
