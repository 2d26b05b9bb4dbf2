"""From what a person typed to the table's current metadata file.

Cost: one small query against the catalog for a name, a listing of one folder for a table folder, nothing for a file;
a bundle is unpacked.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from ...engine import SANDBOX_CATALOG, has_sandbox, is_connect
from ...engine.logging import silenced_errors
from ...errors import ExplorerError, NotAnIcebergTable, TableNotFound, UnreadableMetadata
from ...model.bundle.facts import ENDING
from .. import identifiers
from . import bundle, catalog_io, local_files, metadata_file, spark_errors
from .bundle import Bundle
from .metadata_file import MetadataFile

_FILE = (".json", ".json.gz")  # no table's folder ends so; old Java writers put .gz last
_METADATA_FILE = re.compile(r"[^\s\"',;()]+\.metadata\.json(?:\.gz)?")
_VERSION = re.compile(r"^v?(\d+)[-.]")


@dataclass(frozen=True, slots=True)
class Located:
    """A table that was found.

    Attributes:
        asked: what the person typed.
        relation: how SQL names the table (``cat.db.`odd name` ``); None if it was opened by file or folder.
        metadata_file: location of the current metadata file, as the catalog gives it.
        chosen_from: number of metadata files in the folder that the newest was chosen from; None unless by folder.
        bundle: what was opened, and holds the files that the metadata names; None if they lie in a storage.
    """

    asked: str
    relation: str | None
    metadata_file: str
    chosen_from: int | None = None
    bundle: Bundle | None = None

    def metadata_table(self, name: str) -> str:
        """How SQL names one of the table's metadata tables (`snapshots`, `entries`); None has no name in SQL.

        Raises:
            ExplorerError: the table was opened by its file, which SQL cannot name.
        """
        if self.relation is None:
            raise ExplorerError(f"SQL cannot name {name} of a table that was opened by its file.")
        return f"{self.relation}.{name}"


def locate(spark: SparkSession, asked: str) -> Located:
    """Find the table and its current metadata file.

    Raises:
        TableNotFound: no such table, file or folder; says what is there instead.
        ExplorerError: a bundle that cannot be opened.
        NotAnIcebergTable: a view, or a table of another format.
        AccessDenied, Unreachable: the catalog or the storage refused, or does not answer.
        UnreadableMetadata: the catalog knows the table but cannot read its metadata.
    """
    if identifiers.is_path(asked):
        return _locate_path(spark, asked)
    parts = _complete(spark, identifiers.split(asked))
    relation = identifiers.quoted(parts)
    try:
        with silenced_errors():
            file = file_by_gateway(spark, relation) or file_by_sql(spark, relation)
    except Exception as error:
        raise _explained(spark, asked, parts, error) from error
    return Located(asked, relation, file)


def newest(spark: SparkSession, located: Located, file: MetadataFile) -> MetadataFile | None:
    """The metadata file that the table has now; None if it is still the one that was read.

    Cost: one look at the catalog, past Iceberg's cache in a classic session; a newer file is read. Of a table that was
    opened by its file or folder, that file, or the newest of the folder, is read.

    Raises:
        TableNotFound, NotAnIcebergTable, AccessDenied, Unreachable, UnreadableMetadata: as `locate`, and the name may
            be that of no table any more.
    """
    if located.relation is None:
        found = locate(spark, located.asked)
        location, in_bundle = found.metadata_file, found.bundle
    else:
        in_bundle = None
        location, updated = _stands_for(spark, located.asked, located.relation)
        # The location alone tells nothing: a table made anew may begin with `v1` again.
        if location == file.location and updated == file.document.get("last-updated-ms"):
            return None
    now = metadata_file.read(spark, location, located.relation, in_bundle)
    return None if now == file else now


def _stands_for(spark: SparkSession, asked: str, relation: str) -> tuple[str, int]:
    """Location and time (epoch milliseconds) of the metadata file that a name stands for."""
    if not is_connect(spark):
        with suppress(Exception):
            jvm: Any = spark._jvm
            found = jvm.org.apache.iceberg.spark.Spark3Util.catalogAndIdentifier(spark._jsparkSession, relation)
            found.catalog().invalidateTable(found.identifier())
    current = _current_by_gateway(spark, relation)
    if current is not None:
        return str(current.metadataFileLocation()), int(current.lastUpdatedMillis())
    try:
        with silenced_errors():
            log = spark.sql(
                f"SELECT file, unix_millis(timestamp) AS updated FROM {relation}.metadata_log_entries"  # noqa: S608 - quoted
            ).collect()
    except Exception as error:
        raise _explained(spark, asked, identifiers.split(relation), error) from error
    return str(log[-1].file), int(log[-1].updated)


def file_by_sql(spark: SparkSession, relation: str) -> str:
    """Location of the current metadata file: the last entry of the log, on any session."""
    log = spark.sql(f"SELECT file FROM {relation}.metadata_log_entries").collect()  # noqa: S608 - quoted
    return str(log[-1].file)


def file_by_gateway(spark: SparkSession, relation: str) -> str:
    """The same without a query, which is several times faster; empty where there is no gateway, or it does not know.

    A failure here is not told: SQL is asked next, and says what is wrong in words that can be told apart.
    """
    current = _current_by_gateway(spark, relation)
    return "" if current is None else str(current.metadataFileLocation())


def _current_by_gateway(spark: SparkSession, relation: str) -> Any:
    """Iceberg's own value of the current metadata; None where there is no gateway, or it does not know."""
    if is_connect(spark):
        return None
    jvm: Any = spark._jvm
    with suppress(Exception):
        active = jvm.org.apache.spark.sql.SparkSession.getActiveSession()
        if active.isDefined() and not active.get().equals(spark._jsparkSession):
            return None  # Spark would make the catalog by the settings of the active session, and keep it for this one
        return catalog_io.load(spark, relation).operations().current()
    return None


def refresh(spark: SparkSession, located: Located) -> Located:
    """Look again, past the catalog's cache: what other sessions committed meanwhile is seen after this."""
    if located.relation is not None:
        with silenced_errors():
            try:
                spark.sql(f"REFRESH TABLE {located.relation}")
            except Exception as error:
                raise _explained(spark, located.asked, identifiers.split(located.relation), error) from error
    return locate(spark, located.relation or located.asked)


def _complete(spark: SparkSession, parts: tuple[str, ...]) -> tuple[str, ...]:
    """Put the catalog (and for a bare table name the namespace) in front, so that a later USE changes nothing."""
    if len(parts) > 1 and _is_catalog(spark, parts[0]):
        return parts
    catalog, namespace = spark.sql("SELECT current_catalog(), current_schema()").collect()[0]
    return (catalog, *(identifiers.split(namespace) if len(parts) == 1 else ()), *parts)


def _is_catalog(spark: SparkSession, name: str) -> bool:
    return name == "spark_catalog" or spark.conf.get(f"spark.sql.catalog.{name}", None) is not None


def _locate_path(spark: SparkSession, asked: str) -> Located:
    path = asked
    if "://" not in path and not path.startswith("file:"):
        path = str(Path(path).expanduser().absolute())
    path = path.rstrip("/")
    if path.endswith(_FILE):
        return Located(asked, None, path)
    if path.endswith(ENDING):
        return _of_bundle(asked, path)
    folder = path if path.endswith("/metadata") else path + "/metadata"
    here = _listed_here(spark, folder)
    if here is not None and not here:
        raise _no_folder(asked, folder)
    if here:
        return Located(asked, None, max(here, key=lambda file: (_version(file), here[file])), chosen_from=len(here))
    try:
        with silenced_errors():
            found = (
                spark.read.format("binaryFile")
                .option("pathGlobFilter", "*.metadata.json{,.gz}")
                .load(identifiers.glob_escaped(folder))
                .select("path", "modificationTime")
                .collect()
            )
    except Exception as error:
        if spark_errors.NOT_FOUND.search(str(error)):
            raise _no_folder(asked, folder) from error
        raise refused(asked, error) from error
    if not found:
        raise _no_folder(asked, folder)
    newest = max(found, key=lambda row: (_version(row.path), row.modificationTime))
    return Located(asked, None, newest.path, chosen_from=len(found))


def _of_bundle(asked: str, path: str) -> Located:
    here = local_files.finder_here()(path)
    if here is None:
        raise TableNotFound(
            f"The bundle {asked} is not on this disk.",
            found="A bundle is read as a file of this machine.",
            next_step="Copy it here, and open the copy.",
        )
    opened = bundle.opened(Path(here))
    return Located(asked, None, opened.contents.metadata_location, bundle=opened)


def _listed_here(spark: SparkSession, folder: str) -> dict[str, float] | None:
    """Metadata files of a folder on this disk with their times; None where Spark is to be asked.

    Spark would pass over a file that is empty.
    """
    here = local_files.finder(spark)(folder)
    if here is None:
        return None
    try:
        files = [file for file in Path(here).iterdir() if file.name.endswith((".metadata.json", ".metadata.json.gz"))]
        return {f"{folder}/{file.name}": file.stat().st_mtime for file in files}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError):
        return None


def _version(path: str) -> int:
    match = _VERSION.match(path.rsplit("/", 1)[-1])
    return int(match[1]) if match else -1


def _no_folder(asked: str, folder: str) -> TableNotFound:
    return TableNotFound(
        f"No Iceberg table in the folder {asked}.",
        found=f"{folder} holds no *.metadata.json, or does not exist.",
        next_step="Give the table's folder (the one that holds metadata/), or one metadata file.",
    )


def refused(asked: str, error: Exception) -> ExplorerError:
    """The error in words where a catalog, a folder or the storage did not give the table `asked` for."""
    explained = spark_errors.refused(asked, error) or spark_errors.unknown_scheme(asked, error)
    return explained or UnreadableMetadata(
        f"{asked} could not be read.",
        found=spark_errors.reason(error) + _too_large(str(error)),
        next_step=_by_path(str(error)),
    )


def _by_path(text: str) -> str:
    before = "to see the state before."
    if "Cannot parse" not in text:  # what Iceberg says of a value that it refuses, in a file that it could read
        return f"Open an earlier metadata file of the table by its path {before}"
    named = _METADATA_FILE.search(text)
    file = named[0] if named else "its current metadata file"
    return f"Open {file} by its path to see its snapshots as they are stored, or an earlier one {before}"


def _too_large(text: str) -> str:
    number = re.search(r"Cannot parse to a long value: [^\n]*?(\d{19,})", text)
    too_large = number is not None and int(number[1]) > 2**63 - 1
    return " It is above 2^63-1, the largest number the format can hold; every engine refuses it." if too_large else ""


def _explained(spark: SparkSession, asked: str, parts: Sequence[str], error: Exception) -> ExplorerError:
    """The error in words: what the name really is, or what the catalog holds instead."""
    with silenced_errors():
        if not spark_errors.NOT_FOUND.search(str(error)) and not _describable(spark, parts):
            return refused(asked, error)
        kind = _kind(spark, parts)
        if kind == "iceberg" and spark_errors.NOT_FOUND.search(str(error)):
            return NotAnIcebergTable(
                f"{asked} is not a table of its own.",
                found=f"It is the metadata table {parts[-1]} of {identifiers.quoted(parts[:-1])}.",
                next_step=f"Open {identifiers.quoted(parts[:-1])}.",
            )
        if kind == "iceberg":
            return refused(asked, error)
        if kind:
            return NotAnIcebergTable(
                f"{asked} is not an Iceberg table.",
                found=f"It is {kind}.",
                next_step="Name an Iceberg table: for a view, one of the tables it reads.",
            )
        return _not_found(spark, asked, parts)


def _describable(spark: SparkSession, parts: Sequence[str]) -> bool:
    return bool(_rows(spark, f"DESCRIBE TABLE {identifiers.quoted(parts)}"))


def _kind(spark: SparkSession, parts: Sequence[str]) -> str:
    """`a view`, `a table in parquet format`, `iceberg`; empty if nothing has that name."""
    candidates = [parts, parts[-1:]] if len(parts) > 1 else [parts]  # a temporary view has no namespace
    for candidate in candidates:
        rows = _rows(spark, f"DESCRIBE TABLE EXTENDED {identifiers.quoted(candidate)}")
        if not rows and len(candidate) > 1:
            views = _rows(spark, f"SHOW VIEWS IN {identifiers.quoted(candidate[:-1])}")
            if any(view[1] == candidate[-1] for view in views):
                return "a view"
        if not rows:
            continue
        about = {row[0]: row[1] for row in rows}
        provider = str(about.get("Provider", "")).lower()
        if provider == "iceberg":
            return "iceberg"
        return f"a table in {provider} format" if provider and about.get("Type") != "VIEW" else "a view"
    return ""


def _rows(spark: SparkSession, statement: str) -> list[tuple[Any, ...]]:
    """Rows of a statement that only helps to explain; nothing if the catalog refuses it."""
    try:
        return [tuple(row) for row in spark.sql(statement).collect()]
    except Exception:
        return []


def _not_found(spark: SparkSession, asked: str, parts: Sequence[str]) -> TableNotFound:
    catalog, namespace, table = parts[0], parts[1:-1], parts[-1]
    if not _is_catalog(spark, catalog) or (catalog == "spark_catalog" and len(namespace) > 1):
        configured = catalogs(spark)
        wrong = namespace[0] if catalog == "spark_catalog" and namespace else catalog
        return TableNotFound(
            f"No table {asked}: there is no catalog {wrong}.",
            found=f"Configured catalogs: {', '.join(configured)}." if configured else "No catalog is configured.",
            next_step=_did_you_mean(wrong, configured, parts if wrong == catalog else parts[1:], 0)
            or "Set spark.sql.catalog.NAME in spark-defaults.conf or with --conf (README, “Your own tables”).",
        )
    where = identifiers.quoted((catalog, *namespace))
    # Spark lists the temporary views of the session in every namespace of its own catalog.
    tables = sorted({name for _, name, temporary in _rows(spark, f"SHOW TABLES IN {where}") if not temporary})
    without_catalog = len(identifiers.split(asked)) < len(parts)
    if not tables:
        spaces = [".".join(row) for row in _rows(spark, f"SHOW NAMESPACES IN {identifiers.quoted((catalog,))}")]
        listed = f"{catalog} holds the namespaces {_listed(spaces)}." if spaces else f"{catalog} holds no namespace."
        return TableNotFound(
            f"No table {asked}: {where} holds no table, or does not exist.",
            found=listed,
            next_step=_did_you_mean(".".join(namespace), spaces, parts, 1)
            or (_with_catalog(spark, asked) if without_catalog else _to_build(spark, catalog)),
        )
    return TableNotFound(
        f"No table {asked}.",
        found=f"{where} holds {_listed(tables)}.",
        next_step=_did_you_mean(table, tables, parts, len(parts) - 1)
        or (_with_catalog(spark, asked) if without_catalog else ""),
    )


def _to_build(spark: SparkSession, catalog: str) -> str:
    is_sandbox = catalog == SANDBOX_CATALOG and has_sandbox(spark)
    return "Its tables are built by `iceberg-explorer sandbox`, in about a minute." if is_sandbox else ""


def catalogs(spark: SparkSession) -> list[str]:
    """Names of the configured catalogs, whether or not they have been used yet."""
    keys = (row[0] for row in _rows(spark, "SET"))
    return sorted({m[1] for key in keys if (m := re.fullmatch(r"spark\.sql\.catalog\.([^.]+)", key))})


def _with_catalog(spark: SparkSession, asked: str) -> str:
    others = [name for name in catalogs(spark) if name != "spark_catalog"]
    return (
        f"Write the catalog in front, as in {others[-1]}.{asked.strip()}; there is {_listed(others)}." if others else ""
    )


def _did_you_mean(wrong: str, there: Sequence[str], parts: Sequence[str], place: int) -> str:
    close = difflib.get_close_matches(wrong, there, n=1, cutoff=0.5)
    if not close or close[0] == wrong:
        return ""
    return f"Did you mean {identifiers.quoted((*parts[:place], close[0], *parts[place + 1 :]))}?"


def _listed(names: Sequence[str], most: int = 20) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} ({most} of {len(names):,})" if len(names) > most else shown
