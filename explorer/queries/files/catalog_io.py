"""Files that only the catalog's own FileIO can read: `s3://` where Spark has no file system for that scheme.

A classic session asks the FileIO that Iceberg made for the table, with all its settings and vended credentials. Over
Spark Connect nothing reaches that one; PyIceberg makes its like in this process, from the settings of the catalog. A
Connect server gives no secret away: this process then needs credentials of its own, as `AWS_SECRET_ACCESS_KEY`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from pyspark.sql import SparkSession

from ...engine import is_connect
from .. import identifiers
from . import spark_errors

_BETWEEN = "\0"  # settings as text; it is in none
_AT_ONCE = 8  # files; most of the time of one is waiting for the storage
_MOST_KEPT = 2  # tables of a session: a comparison reads of two
_LATELY = 60  # seconds, which is no time for the credentials that came with a table


class _Loaded(NamedTuple):
    """Iceberg's own value of a table, and when it was loaded: seconds of the monotonic clock."""

    table: Any
    at: float


_tables: WeakKeyDictionary[SparkSession, dict[str, _Loaded]] = WeakKeyDictionary()
_lock = Lock()


def contents(spark: SparkSession, relation: str, locations: Sequence[str]) -> dict[str, bytes | Exception]:
    """The bytes of each file, or what the FileIO raised instead.

    Args:
        spark: the session to ask.
        relation: how SQL names the table whose files they are.
        locations: as the metadata writes them.

    Cost: each file whole, through this process; measured 10 ms for 3 kB and 0.5 s for 8 MB of local S3.
    """
    found = _read(_reader(spark, relation), locations)
    refused = [path for path, error in found.items() if isinstance(error, Exception) and _may_be_refusal(error)]
    if refused and relation in _kept(spark):  # the credentials that came with the table may have run out since
        load(spark, relation)
        found |= _read(_reader(spark, relation), refused)
    return found


def content(spark: SparkSession, relation: str, location: str) -> bytes:
    """The bytes of one file; raises what the FileIO does."""
    found = contents(spark, relation, [location])[location]
    if isinstance(found, Exception):
        raise found
    return found


def load(spark: SparkSession, relation: str) -> Any:
    """Iceberg's own value of a table, of a classic session, as the catalog gives it now; its FileIO reads from then on.

    Loading reads the metadata file whole: too much to ask for each of several readings. The FileIO may end with the
    table, so it is the table that is kept.
    """
    jvm: Any = spark._jvm
    table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, relation)
    kept = _kept(spark)
    with _lock:
        kept.pop(relation, None)
        kept[relation] = _Loaded(table, time.monotonic())
        while len(kept) > _MOST_KEPT:
            del kept[next(iter(kept))]
    return table


def loaded_lately(spark: SparkSession, relation: str, location: str) -> Any:
    """The same as the catalog gave it at most a minute ago: of one question and its answer each load would be one more.

    What was committed since may be missing in it; one that lies elsewhere is another table of that name.
    """
    kept = _kept(spark).get(relation)
    if kept is not None and time.monotonic() - kept.at < _LATELY and str(kept.table.location()) == location:
        return kept.table
    return load(spark, relation)


def _kept(spark: SparkSession) -> dict[str, _Loaded]:
    with _lock:
        return _tables.setdefault(spark, {})


def _may_be_refusal(error: Exception) -> bool:
    """Whether the storage may have refused: each has its own words for credentials that have run out."""
    return not any(known.search(str(error)) for known in (spark_errors.NO_FILE, spark_errors.UNREACHABLE))


def _read(read: Callable[[str], bytes], locations: Sequence[str]) -> dict[str, bytes | Exception]:
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return dict(zip(locations, pool.map(partial(_attempt, read), locations), strict=True))


def _attempt(read: Callable[[str], bytes], location: str) -> bytes | Exception:
    try:
        return read(location)
    except Exception as error:
        return error


def _reader(spark: SparkSession, relation: str) -> Callable[[str], bytes]:
    if is_connect(spark):
        settings = catalog_settings(spark, relation)
        if "s3.secret-access-key" not in settings:  # the id alone would keep PyIceberg from looking elsewhere
            settings.pop("s3.access-key-id", None)
        return partial(_by_pyiceberg, settings)
    kept = _kept(spark).get(relation)
    return partial(_by_gateway, load(spark, relation) if kept is None else kept.table)


def _by_gateway(table: Any, location: str) -> bytes:
    stream = table.io().newInputFile(location).newStream()
    try:
        return bytes(stream.readAllBytes())
    finally:
        stream.close()


def _by_pyiceberg(settings: dict[str, str], location: str) -> bytes:
    from pyiceberg.io import load_file_io

    with load_file_io(settings, location).new_input(location).open() as stream:
        return bytes(stream.read())


def catalog_settings(spark: SparkSession, relation: str, below: str = "") -> dict[str, str]:
    """Settings of the table's catalog, `spark.sql.catalog.NAME.*`; with `below` only those whose name begins so.

    As the catalog gets them. A Connect server denies that it has any secret, so these are missing here.
    """
    return settings_below(spark, f"spark.sql.catalog.{identifiers.split(relation)[0]}.{below}")


def settings_below(spark: SparkSession, prefix: str) -> dict[str, str]:
    """The settings of a session whose names begin so, by the rest of their names; without secrets over Connect."""
    settings = _served_settings(spark, prefix) if is_connect(spark) else _own_settings(spark)
    return {key.removeprefix(prefix): value for key, value in settings.items() if key.startswith(prefix)}


def _own_settings(spark: SparkSession) -> dict[str, str]:
    """All settings of a classic session, in one call: every question asks for them, and a query takes 40 ms."""
    session: Any = spark._jsparkSession
    listed = session.conf().getAll().mkString(_BETWEEN)
    return dict(setting.split(" -> ", 1) for setting in listed.split(_BETWEEN))


def _served_settings(spark: SparkSession, prefix: str) -> dict[str, str]:
    """Those that a Connect server gives away; `SET` names all, and hides the values of secrets."""
    names = [row[0] for row in spark.sql("SET").collect() if row[0].startswith(prefix)]
    settings = {name: spark.conf.get(name, None) for name in names}
    return {key: value for key, value in settings.items() if value is not None}
