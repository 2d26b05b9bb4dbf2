"""Where a table's files and its catalog are: what a question waits for, should they not answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress

from pyspark.sql import SparkSession

from ...model.silence import Remote
from .. import identifiers
from . import catalog_io

_S3 = ("s3", "s3a", "s3n")
_HOST = re.compile(r"([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d+)?")


def of_name(spark: SparkSession, asked: str) -> Remote:
    """Of a table that is to be opened, by what a person typed; as far as settings tell. Asks no catalog, never fails.

    Cost: the settings of the session.
    """
    with suppress(Exception):  # no name, or a session that is lost: whoever opens it says so
        if identifiers.is_path(asked):
            return Remote(files=_files(asked, {}, _s3a_settings(spark)))
        catalog, *rest = identifiers.split(asked)
        if not rest or spark.conf.get(f"spark.sql.catalog.{catalog}", None) is None:
            catalog = str(spark.conf.get("spark.sql.defaultCatalog", None) or "spark_catalog")
        settings = catalog_io.settings_below(spark, f"spark.sql.catalog.{catalog}.")
        # An endpoint tells of the storage even where the catalog alone knows the bucket.
        warehouse = settings.get("warehouse") or ("s3://" if "s3.endpoint" in settings else "")
        return Remote(_files(warehouse, settings, _s3a_settings(spark)), _catalog(settings))
    return Remote()


def of_table(spark: SparkSession, relation: str | None, metadata_file: str) -> Remote:
    """Of a table that was found; arguments as of `Located`. Asks no catalog, never fails.

    Cost: the settings of the session.
    """
    with suppress(Exception):  # a session that is lost: the question that waits says so
        settings = {} if relation is None else catalog_io.catalog_settings(spark, relation)
        return Remote(_files(metadata_file, settings, _s3a_settings(spark)), _catalog(settings))
    return Remote()


def _s3a_settings(spark: SparkSession) -> Mapping[str, str]:
    return catalog_io.settings_below(spark, "spark.hadoop.fs.s3a.")


def _files(location: str, catalog: Mapping[str, str], s3a: Mapping[str, str]) -> str:
    scheme, separator, rest = location.partition("://")
    if not separator or scheme == "file":
        return ""
    host = _host(rest)
    if scheme not in _S3:
        return f"gs://{host}" if scheme == "gs" and host else host
    endpoint = (
        catalog.get("s3.endpoint")
        or catalog.get(f"hadoop.fs.s3a.bucket.{host}.endpoint")
        or catalog.get("hadoop.fs.s3a.endpoint")
        or s3a.get(f"bucket.{host}.endpoint")
        or s3a.get("endpoint", "")
    )
    return _host_of_address(endpoint) or (f"{scheme}://{host}" if host else "")


def _catalog(settings: Mapping[str, str]) -> str:
    """From `https://host/api`, `thrift://host:9083`, `jdbc:postgresql://host:5432/lake?password=…`."""
    return _host_of_address(settings.get("uri") or settings.get("glue.endpoint", ""))


def _host_of_address(address: str) -> str:
    rest = address.partition("://")[2] or address
    return _host(rest.partition("?")[0].rpartition("@")[2])  # a password may hold a slash


def _host(rest: str) -> str:
    """Host and port at the beginning of a location without its scheme; empty if there is none. Never a credential.

    What stands before an `@` is a name and a password, or the container of an Azure storage account.
    """
    host = re.split(r"[/?#;,]", rest, maxsplit=1)[0].rpartition("@")[2]
    return host if _HOST.fullmatch(host) else ""
