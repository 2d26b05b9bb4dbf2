"""Which tables a catalog holds, told namespace by namespace, as its answers arrive."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from pyspark.sql import SparkSession

from ...engine import is_connect
from ...engine.logging import silenced_errors
from ...model.namespaces import Name, Namespace
from .. import identifiers
from . import spark_errors
from .catalog_io import catalog_settings
from .locate import catalogs, refused

__all__ = ["catalogs", "namespaces"]


def namespaces(spark: SparkSession, catalog: str) -> Iterator[Namespace]:
    """Every namespace of a catalog with its tables, level by level.

    A namespace that may not be listed is told with the reason; what lies below it is missing.

    Cost: two small requests to the catalog for each namespace.

    Raises:
        AccessDenied, Unreachable, UnreadableMetadata: the catalog itself may not be listed, or does not answer.
    """
    try:
        with silenced_errors():
            spark = _apart(spark, catalog)
            waiting = deque(_below(spark, (catalog,)))
    except Exception as error:
        raise refused(f"The catalog {catalog}", error) from error
    while waiting:
        name = waiting.popleft()
        with silenced_errors():
            try:
                shown = spark.sql(f"SHOW TABLES IN {identifiers.quoted(name)}").collect()
            except Exception as error:
                yield Namespace(name, (), spark_errors.reason(error))
                continue
            # Spark lists the temporary views of the session in every namespace of its own catalog.
            tables = sorted(table for _, table, is_temporary in shown if not is_temporary)
            try:
                waiting.extend(_below(spark, name))
            except Exception as error:
                # Not every catalog can hold a namespace in a namespace; one that can may still refuse to say.
                denied = spark_errors.refused(identifiers.quoted(name), error)
                yield Namespace(name, tuple(tables), denied.found if denied else "")
                continue
        yield Namespace(name, tuple(tables))


def _below(spark: SparkSession, name: Name) -> list[Name]:
    shown = spark.sql(f"SHOW NAMESPACES IN {identifiers.quoted(name)}").collect()
    below = ((name[0], *identifiers.split(row[0])) for row in shown)
    return sorted(found for found in below if len(found) > len(name))


def _apart(spark: SparkSession, catalog: str) -> SparkSession:
    """A session of its own for the catalog: Spark makes a catalog while it locks all others of the session.

    Through Spark Connect it is the session itself, where one that hangs holds up the others.
    """
    if is_connect(spark):
        return spark
    apart = spark.newSession()
    key = f"spark.sql.catalog.{catalog}"
    settings = catalog_settings(spark, identifiers.quoted((catalog,)))
    for name, value in {
        key: str(spark.conf.get(key)),
        **{f"{key}.{name}": value for name, value in settings.items()},
    }.items():
        apart.conf.set(name, value)
    return apart
