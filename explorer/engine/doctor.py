"""What the explorer finds on this machine, and what is wrong with it."""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pyspark

from ..errors import ExplorerError
from .conf import chosen_conf, conf_from_env, spark_defaults_file, submit_arguments, without_secrets
from .connect import is_connect
from .embedded import DRIVER_MEMORY, SANDBOX_CATALOG, has_sandbox, is_embedded, spark_home, spark_log
from .folders import config_folder, sandbox_warehouse
from .java import find_java
from .logging import in_one_line, silenced_errors
from .machine import memory
from .runtime import runtime_coordinate, runtime_jar, runtime_version
from .session import session
from .worker import Worker

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_CATALOG_TIMEOUT = 20.0  # seconds
_SILENCE = "No answer"
_GB = 1 << 30


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        name: what was looked at, such as `Java` or `catalog lake`.
        state: `ok`; `warning`: it works, but not as the person may think; `problem`: it does not work.
        found: what was found. No credential is in it.
        way_out: what to do about it; empty if nothing needs to be done.
    """

    name: str
    state: Literal["ok", "warning", "problem"]
    found: str
    way_out: str = ""


def examine(spark_factory: Callable[[], SparkSession] = session) -> list[Finding]:
    """Look at everything the explorer needs, in the order in which it needs it.

    Starts Spark (or uses the session that is there) and asks each configured catalog for its namespaces, 20
    seconds at most. Raises nothing: what goes wrong is a finding.

    Args:
        spark_factory: where the session comes from.
    """
    findings = [
        *_examined("Python", _python),
        *_examined("Java", _java),
        *_examined("pyspark", _pyspark),
        *_examined("libraries", _libraries),
        *_examined("memory", _memory),
        *_examined("settings", _settings),
    ]
    spark: list[SparkSession] = []
    findings += _examined("Spark", lambda: _spark(spark_factory, spark))
    if spark:
        findings += _examined("catalogs", lambda: _catalogs(spark[0]))
    return findings + list(_examined("sandbox", lambda: _sandbox(spark[0] if spark else None)))


def _examined(name: str, look: Callable[[], Iterator[Finding]]) -> list[Finding]:
    findings: list[Finding] = []
    try:
        with silenced_errors():
            findings.extend(look())
    except ExplorerError as error:
        findings.append(Finding(name, "problem", f"{error.what} {error.found}".strip(), error.next_step))
    except Exception as error:
        findings.append(Finding(name, "problem", in_one_line(error), "The message is all that is known."))
    return [Finding(f.name, f.state, without_secrets(f.found), without_secrets(f.way_out)) for f in findings]


def _python() -> Iterator[Finding]:
    yield Finding("Python", "ok", f"{platform.python_version()} on {platform.platform(terse=True)}")


def _java() -> Iterator[Finding]:
    if remote := os.environ.get("SPARK_REMOTE", ""):
        yield Finding("Java", "ok", f"Not needed: SPARK_REMOTE names a server ({remote.partition('/;')[0]}).")
        return
    java = find_java()
    found = f"Java {java.version} from {java.source} ({java.home})."
    if java.skipped:
        way_out = "Nothing, if this is meant; else let JAVA_HOME name the Java that you want."
        yield Finding("Java", "warning", f"{found} Passed over: {'; '.join(java.skipped)}.", way_out)
    else:
        yield Finding("Java", "ok", found)


def _pyspark() -> Iterator[Finding]:
    found = f"pyspark {pyspark.__version__}"
    jars = spark_home() / "jars"
    cores = [path.name for path in jars.glob("spark-core_*.jar")]
    if not any(core.endswith(f"-{pyspark.__version__}.jar") for core in cores):
        yield Finding(
            "pyspark",
            "warning",
            f"{found}, but the Spark in {spark_home()} is another one ({', '.join(cores) or 'no spark-core'}).",
            "Unset SPARK_HOME, or install the pyspark of that version.",
        )
        return
    if there := runtime_jar(jars):
        yield Finding("pyspark", "ok", f"{found} with {there.name} among its jars.")
        return
    coordinate = runtime_coordinate()
    name = coordinate.replace(":", "_", 1).replace(":", "-") + ".jar"
    cached = next(iter(sorted(Path.home().glob(f".ivy2*/jars/{name}"))), None)
    where = f"downloaded already ({cached})" if cached else "to be downloaded by the first start"
    yield Finding("pyspark", "ok", f"{found}; the Iceberg runtime that fits is {coordinate}, {where}.")


def _libraries() -> Iterator[Finding]:
    for library in ("jupyterlab", "plotly", "ipywidgets", "anywidget"):
        try:
            yield Finding(library, "ok", version(library))
        except PackageNotFoundError:
            yield Finding(library, "problem", "Not installed.", "pip install iceberg-table-explorer")


def _memory() -> Iterator[Finding]:
    machine = memory()
    asked = chosen_conf().get("spark.driver.memory", DRIVER_MEMORY)
    found = f"{machine / _GB:.1f} GB on this machine, {asked} for Spark's driver when the explorer starts it."
    if _bytes(asked) > 0.75 * machine:
        yield Finding("memory", "warning", found, "Ask for less: --conf spark.driver.memory=1g")
    else:
        yield Finding("memory", "ok", found)


def _bytes(size: str) -> float:
    """A size as Spark writes it: 512m, 2g, 2gb; without a unit, mebibytes."""
    match = re.fullmatch(r"(\d+)([kmgt]?)b?", size.strip().lower())
    if not match:
        raise ExplorerError(
            "spark.driver.memory cannot be read.",
            found=f"It is {size!r}.",
            next_step="Write it like 2g or 1500m.",
        )
    return int(match[1]) * 1024.0 ** " kmgt".index(match[2] or "m")


def _settings() -> Iterator[Finding]:
    file = spark_defaults_file()
    places = [f"{file}"] if file else []
    if submit_arguments()[0]:
        places.append("PYSPARK_SUBMIT_ARGS")
    if conf_from_env():
        places.append("--conf (ICEBERG_EXPLORER_CONF)")
    if places:
        yield Finding("settings", "ok", f"From {', then '.join(places)}.")
    else:
        yield Finding("settings", "ok", f"None. They would be read from {config_folder() / 'spark-defaults.conf'}.")


def _spark(spark_factory: Callable[[], SparkSession], started: list[SparkSession]) -> Iterator[Finding]:
    began = time.monotonic()
    spark = spark_factory()
    iceberg = runtime_version(spark)
    seconds = time.monotonic() - began
    started.append(spark)
    if is_connect(spark):
        kind = "a Spark Connect session"
    elif is_embedded(spark):
        kind = f"started by the explorer, log {spark_log()}"
    else:
        kind = "a session that was there already"
    yield Finding("Spark", "ok", f"Spark {spark.version}, {kind}; Iceberg {iceberg} answered after {seconds:.1f} s.")


def _catalogs(spark: SparkSession) -> Iterator[Finding]:
    keys = (re.fullmatch(r"spark\.sql\.catalog\.([^.]+)", row["key"]) for row in spark.sql("SET").collect())
    # Iceberg's Spark source adds default_iceberg to any session that opens a table by its path.
    names = sorted({match[1] for match in keys if match} - {"default_iceberg"})
    silent = ""
    for name in names:
        if name == SANDBOX_CATALOG and has_sandbox(spark):
            continue  # it has its own finding
        if silent:  # Spark sets up one catalog at a time
            yield Finding(f"catalog {name}", "warning", f"Not asked: Spark still waits for catalog {silent}.")
            continue
        finding = _catalog(spark, name)
        silent = name if finding.found.startswith(_SILENCE) else ""
        yield finding
    if names == [SANDBOX_CATALOG]:
        yield Finding(
            "catalogs",
            "ok",
            "None but the sandbox.",
            f"To explore tables of your own, write your catalogs into {config_folder() / 'spark-defaults.conf'}"
            " or give them as --conf spark.sql.catalog.NAME=org.apache.iceberg.spark.SparkCatalog and so on.",
        )


def _catalog(spark: SparkSession, name: str) -> Finding:
    began = time.monotonic()
    worker = Worker(spark)  # one each: a catalog that hangs must not hold up the next
    quoted = name.replace("`", "``")
    question = worker.ask(lambda: spark.sql(f"SHOW NAMESPACES IN `{quoted}`").collect(), label=f"Namespaces of {name}")
    way_out = f"Check the settings spark.sql.catalog.{name}.* (address, warehouse, credentials) and that it runs."
    try:
        count = len(question.result(_CATALOG_TIMEOUT))
    except TimeoutError:
        return Finding(f"catalog {name}", "problem", f"{_SILENCE} within {_CATALOG_TIMEOUT:.0f} s.", way_out)
    except Exception as error:
        return Finding(f"catalog {name}", "problem", in_one_line(error), way_out)
    finally:
        worker.close()
    seconds = time.monotonic() - began
    namespaces = "1 namespace" if count == 1 else f"{count} namespaces"
    return Finding(f"catalog {name}", "ok", f"{namespaces}, answered after {seconds:.1f} s.")


def _sandbox(spark: SparkSession | None) -> Iterator[Finding]:
    warehouse = sandbox_warehouse()
    tables = sum(1 for _ in warehouse.glob("*/*/metadata"))
    found = f"{tables} tables in {warehouse}." if tables else f"Not built yet ({warehouse})."
    if spark and not has_sandbox(spark):
        found += f" This session has no catalog {SANDBOX_CATALOG} for it."
        way_out = "Without that session (restart the kernel) the explorer starts one that has it."
        yield Finding("sandbox", "warning", found, way_out)
    else:
        yield Finding("sandbox", "ok", found, "" if tables else "iceberg-explorer sandbox builds it.")
