from __future__ import annotations

from typing import Any

from pyspark.sql import Row, SparkSession

from explorer.queries.identifiers import quoted
from explorer.queries.rows.schema_mapping import columns, select, spark_type


def struct(*fields: tuple[int, str, Any]) -> dict[str, Any]:
    return {"type": "struct", "fields": [{"id": i, "name": name, "type": kind} for i, name, kind in fields]}


def list_of(element: Any) -> dict[str, Any]:
    return {"type": "list", "element-id": 90, "element": element}


def map_of(key: Any, value: Any) -> dict[str, Any]:
    return {"type": "map", "key-id": 91, "key": key, "value-id": 92, "value": value}


def test_columns_are_their_ids_at_every_depth(spark: SparkSession) -> None:
    old = struct(
        (1, "id", "int"),
        (2, "gone", "string"),
        (3, "s", struct((4, "a", "int"), (5, "odd.name", "string"))),
        (6, "l", list_of(struct((7, "x", "float")))),
        (8, "m", map_of("string", struct((9, "d", "decimal(9, 2)")))),
        (10, "same", list_of("string")),
        (11, "swap", "int"),
    )
    new = struct(
        (3, "S", struct((5, "b", "string"), (4, "a", "long"), (20, "added", "int"))),
        (1, "odd `name`", "long"),
        (6, "l", list_of(struct((7, "y", "double")))),
        (8, "m", map_of("string", struct((9, "d", "decimal(12, 2)")))),
        (10, "same", list_of("string")),
        (21, "gone", "string"),
        (11, "id", "int"),
    )
    rows = spark.sql(
        "SELECT 7 AS id, 'x' AS gone, named_struct('a', 1, 'odd.name', 'n') AS s,"
        " array(named_struct('x', float('NaN')), NULL) AS l, map('k', named_struct('d', 1.50BD)) AS m,"
        " array('same') AS same, 5 AS swap"
        " UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL"
    )
    mapped = rows.selectExpr(*select(old, new))
    assert mapped.columns == list(columns(new))
    assert [field.dataType.simpleString() for field in mapped.schema.fields] == [
        "struct<b:string,a:bigint,added:int>",
        "bigint",
        "array<struct<y:double>>",
        "map<string,struct<d:decimal(12,2)>>",
        "array<string>",
        "string",
        "int",
    ]
    first, empty = mapped.collect()
    assert first[0] == Row(b="n", a=1, added=None)
    assert (first[1], first[5], first[6]) == (7, None, 5)
    assert first[2][0].y != first[2][0].y
    assert first[2][1] is None
    assert str(first[3]["k"].d) == "1.50"
    assert tuple(empty) == (None,) * 7


def test_a_column_added_later_has_its_initial_default(spark: SparkSession) -> None:
    defaults = {
        "int": (5, 5),
        "string": ("it's", "it's"),
        "boolean": (True, True),
        "date": ("2026-11-20", "2026-11-20"),
        "decimal(9, 2)": ("1.50", "1.50"),
        "binary": ("00ff", "b'\\x00\\xff'"),
        "timestamp": ("2026-11-20T01:02:03.000004", "2026-11-20 01:02:03.000004"),
        "timestamptz": ("2026-11-20T01:02:03.000004+00:00", "2026-11-20 01:02:03.000004"),
    }
    target = {
        "fields": [
            {"id": i, "name": f"c{i}", "type": kind, "initial-default": value}
            for i, (kind, (value, _)) in enumerate(defaults.items())
        ]
    }
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "UTC")
    row = session.range(1).selectExpr(*select({"fields": []}, target)).collect()[0]
    shown = [bytes(v) if isinstance(v, bytearray) else v for v in row]
    if row[7].astimezone().utcoffset():
        shown[7] = defaults["timestamptz"][1]
    assert [str(v) for v in shown] == [str(text) for _, text in defaults.values()]


def test_types_as_spark_writes_them() -> None:
    nested = struct((1, "a", "fixed[16]"), (2, "odd.b", map_of("uuid", list_of("timestamp"))), (3, "v", "variant"))
    assert spark_type(nested) == "STRUCT<a: BINARY, `odd.b`: MAP<STRING, ARRAY<TIMESTAMP_NTZ>>, v: VARIANT>"
    assert spark_type("decimal(9, 2)") == "DECIMAL(9,2)"
    assert spark_type("unknown") == "VOID"


def test_a_column_may_be_called_like_any_word_of_the_language(spark: SparkSession) -> None:
    session = spark.newSession()
    words = [row.keyword.lower() for row in session.sql("SELECT keyword FROM sql_keywords()").collect()]
    source = struct(*((i, word, "long") for i, word in enumerate(words)), (-1, "a struct", struct((-2, "null", "int"))))
    target = struct(
        *((i, word, "string") for i, word in enumerate(words)), (-1, "a struct", struct((-2, "true", "long")))
    )
    for setting in ("spark.sql.ansi.enabled", "spark.sql.ansi.enforceReservedKeywords"):
        session.conf.set(setting, "true")
    values = ", ".join(f"{i}L" for i, _ in enumerate(words))
    rows = session.sql(
        f"VALUES ({values}, named_struct('null', 7)) AS t({', '.join(quoted([word]) for word in words)}, `a struct`)"
    )
    (mapped,) = rows.selectExpr(*select(source, target)).collect()
    assert tuple(mapped) == (*map(str, range(len(words))), Row(true=7))
