"""An example condition is one that Spark can ask of the columns it is made for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

import explorer
from explorer.errors import ExplorerError
from explorer.model.iceberg.document import Schema
from explorer.queries.rows.conditions import advice, example, plain
from explorer.queries.rows.local_rows import local_rows
from explorer.queries.rows.schema_mapping import spark_schema
from tests.queries.sources import source_of_files


def schema_of(*columns: tuple[str, Any]) -> Schema:
    return {"fields": [{"id": i, "name": name, "type": kind} for i, (name, kind) in enumerate(columns, start=1)]}


def struct_of(*columns: tuple[str, Any]) -> Any:
    return {"type": "struct", **schema_of(*columns)}


LIST = {"type": "list", "element-id": 90, "element": "int"}
MAP = {"type": "map", "key-id": 91, "key": "string", "value-id": 92, "value": "int"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (schema_of(("order_id", "long"), ("v", "string")), "order_id = 42"),
        (schema_of(("amount", "decimal(9, 2)")), "amount = 42"),
        (schema_of(("v", "string"), ("order_id", "long")), "v = 'some text'"),
        (schema_of(("day", "date")), "day = '2026-01-31'"),
        (schema_of(("key", "fixed[16]")), "key = X'2A'"),
        (schema_of(("tags", LIST), ("more", MAP), ("id", "int")), "id = 42"),
        (schema_of(("who", struct_of(("tags", LIST), ("a.b", "string")))), "who.`a.b` = 'some text'"),
        (schema_of(("unit price", "double")), "`unit price` = 4.2"),
        (schema_of(("where", "boolean")), "`where` = true"),
        (schema_of(("nothing", "unknown"), ("tags", LIST), ("empty", struct_of())), "_pos = 42"),
        (schema_of(), "_pos = 42"),
    ],
)
def test_the_first_column_that_can_be_compared_is_compared(schema: Schema, expected: str) -> None:
    assert example(schema) == expected
    assert advice(schema).endswith(f"for example {expected}.")


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("WHERE id = 5;", "id = 5"),
        (" where (a = 1) OR b ; ", "(a = 1) OR b"),
        ("where `where` = 1", "`where` = 1"),
        ("v = 'where a;'", "v = 'where a;'"),
        ("where = 5", "where = 5"),
        ("where IS NULL", "where IS NULL"),
        ("whereabouts = 5", "whereabouts = 5"),
        (" ; ", ""),
    ],
)
def test_a_condition_may_be_pasted_out_of_a_statement(written: str, asked: str) -> None:
    assert plain(written) == asked


@pytest.mark.parametrize(
    "kind",
    [
        *("boolean", "int", "long", "float", "double", "decimal(38, 10)", "decimal(2, 2)", "string", "uuid"),
        *("date", "timestamp", "timestamptz", "fixed[4]", "binary"),
    ],
)
def test_spark_asks_it_of_every_type(spark: SparkSession, kind: str) -> None:
    schema = schema_of(("a", LIST), ("b", struct_of(("`order`", kind))))
    assert example(schema).startswith("b.```order``` = ")
    frame = local_rows(spark, [], spark_schema(source_of_files(spark), schema))
    assert frame.where(example(schema)).collect() == []
    asked = schema_of(("plain", kind))
    values = {"int": 42, "long": 42, "string": "some text", "boolean": True}
    if kind in values:
        rows = local_rows(spark, [(values[kind],), (None,)], spark_schema(source_of_files(spark), asked))
        assert rows.where(example(asked)).count() == 1


def test_a_condition_that_cannot_be_asked_is_refused_with_one_that_can(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("asked")
    spark.sql(f"CREATE TABLE {name} (tags ARRAY<INT>, `of what` STRUCT<code: STRING>) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (array(1), struct('some text'))")
    table = explorer.table(name)
    for ask in (table.why, table.biography):
        with pytest.raises(ExplorerError) as refused:
            ask("id = 1").read()
        good = "`of what`.code = 'some text'"
        assert refused.value.next_step.endswith(f"for example {good}.")
        assert len(ask(good).data) == 1
    assert table.example_condition == good
