"""The Spark that the explorer starts itself: local, loopback only, with Iceberg and the sandbox in it."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyspark
from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from ..errors import NoSpark
from .conf import is_secret, submit_arguments
from .connect import is_connect
from .folders import explorer_home, sandbox_warehouse
from .interrupt import interrupt_at_once
from .java import find_java
from .java_options import java_options
from .logging import in_one_line, silence_errors
from .runtime import ARTIFACT, EXTENSIONS, runtime_coordinate, runtime_jar
from .storage_tries import count_failed_tries

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from py4j.java_gateway import JavaGateway

SANDBOX_CATALOG = "sandbox"
_SANDBOX = f"spark.sql.catalog.{SANDBOX_CATALOG}"

DRIVER_MEMORY = "2g"

_PYTHON_FILES = "spark.submit.pyFiles"

_context: SparkContext | None = None
_log: Path | None = None


def embedded(settings: Mapping[str, str]) -> SparkSession:
    """Start Spark in this process with the settings of `embedded_conf`.

    Raises:
        NoJava: there is no Java for it.
        NoSpark: it did not start; the message says why and names the log.
    """
    global _context
    if SparkContext._active_spark_context is not None:  # the person has a context and no session yet
        return SparkSession(SparkContext._active_spark_context)
    with launched(settings):
        # What the launch made of the jars is in the defaults of a SparkConf by now.
        mine = [(key, value) for key, value in settings.items() if not key.startswith("spark.jars")]
        conf = SparkConf().setAll(mine)
        conf.set(_PYTHON_FILES, _without_iceberg(conf.get(_PYTHON_FILES) or ""))
        _context = SparkContext(conf=conf)
        spark = SparkSession(_context)
    silence_errors()
    interrupt_at_once(spark)
    count_failed_tries(_context)
    return spark


def _without_iceberg(python_files: str) -> str:
    """Files in which Python looks for modules, less Iceberg's jars, which have none.

    Spark puts every package there. Each Python task would look through the 25,000 names in one of them before it
    begins, which takes a fifth of a second, and this process would hold them.
    """
    files = filter(None, python_files.split(","))
    return ",".join(file for file in files if not file.rpartition("/")[2].startswith("org.apache.iceberg_"))


def is_embedded(spark: SparkSession) -> bool:
    """Whether the explorer started this session."""
    return not is_connect(spark) and spark.sparkContext is _context


def spark_log() -> Path | None:
    """The file that holds what the embedded Spark printed; nothing if none was started."""
    return _log


def has_sandbox(spark: SparkSession) -> bool:
    """Whether the catalog `sandbox` of this session is the explorer's own, in the explorer's own folder.

    A person may have a catalog of that name: nothing may be written to that one.
    """
    warehouse = f"{_SANDBOX}.warehouse"
    return spark.conf.get(warehouse, None) == _sandbox_conf()[warehouse]


def embedded_conf(chosen: Mapping[str, str]) -> dict[str, str]:
    """All settings of an embedded session: what the person chose, and ours where they chose nothing.

    Raises:
        NoRuntime: no Iceberg runtime is known for the installed pyspark, and the person named none.
    """
    conf = {
        "spark.app.name": "Iceberg explorer",
        "spark.master": "local[*]",
        "spark.driver.memory": DRIVER_MEMORY,
        **java_options(chosen),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        # A changelog generates some 90 classes; with Spark's 100 two of them compile all anew in turns.
        "spark.sql.codegen.cache.maxEntries": "1000",
        # Spark would put this folder where the notebook is.
        "spark.sql.warehouse.dir": f"file://{explorer_home() / 'spark-warehouse'}",
    }
    if chosen.get("spark.master", "local").startswith("local"):
        conf |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        # A task that waits for a better place to run is not offered one again in local mode, and Spark waits for ever:
        # seen where rows of a shuffle met those of files on HDFS, whose blocks have places.
        conf["spark.locality.wait"] = "0s"
    if _SANDBOX not in chosen:
        conf |= _sandbox_conf()
    conf |= chosen
    conf["spark.sql.extensions"] = _with(conf.get("spark.sql.extensions", ""), EXTENSIONS)
    return conf | _runtime_conf(conf)


def spark_home() -> Path:
    """The Spark that pyspark starts: `SPARK_HOME`, else the one inside the installed pyspark."""
    return Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent)


def _runtime_conf(conf: Mapping[str, str]) -> dict[str, str]:
    places = ("spark.jars", "spark.jars.packages", "spark.driver.extraClassPath")
    there = any(ARTIFACT in conf.get(key, "") for key in places) or runtime_jar(spark_home() / "jars")
    ours = {}
    if not there:
        ours["spark.jars.packages"] = _with(conf.get("spark.jars.packages", ""), runtime_coordinate())
    # Whoever has their own repository keeps Spark's own way to it.
    own_repository = {"spark.jars.ivySettings", "spark.jars.repositories"} & conf.keys()
    if not own_repository and "DEFAULT_ARTIFACT_REPOSITORY" not in os.environ:
        ours["spark.jars.ivySettings"] = str(Path(__file__).with_name("ivysettings.xml"))
    return ours


def _sandbox_conf() -> dict[str, str]:
    return {
        _SANDBOX: "org.apache.iceberg.spark.SparkCatalog",
        f"{_SANDBOX}.type": "hadoop",
        f"{_SANDBOX}.warehouse": f"file://{sandbox_warehouse()}",
        f"{_SANDBOX}.cache-enabled": "false",
    }


def _with(listed: str, item: str) -> str:
    items = [word.strip() for word in listed.split(",") if word.strip()]
    return ",".join(items if item in items else [*items, item])


@contextmanager
def launched(settings: Mapping[str, str]) -> Iterator[None]:
    """Within the block a JVM runs and Spark can be started in it; what goes wrong there is told as `NoSpark`.

    Everything the JVM prints, for its whole life, goes to `spark_log()`: a notebook sees none of it.

    Raises:
        NoJava: there is no Java for it.
        NoSpark: the JVM, or Spark within the block, did not start.
    """
    with _start_environment(settings.get("spark.master", "local")):
        try:
            # A stopped session leaves its JVM behind, with the jars it had; that one is used again.
            if SparkContext._gateway is None:
                SparkContext._ensure_initialized(gateway=_launch(settings))
            yield
        except Exception as error:
            raise _not_started(error) from error


@contextmanager
def _start_environment(master: str) -> Iterator[None]:
    """Within the block, the environment variables that Spark reads while it starts."""
    start = {
        "JAVA_HOME": str(find_java().home),
        "PYSPARK_SUBMIT_ARGS": submit_arguments()[1],
        # Otherwise tasks run in whatever `python3` is on the path.
        "PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable),
    }
    if master.startswith("local"):
        start["SPARK_LOCAL_IP"] = os.environ.get("SPARK_LOCAL_IP", "127.0.0.1")
    before = {name: os.environ.get(name) for name in [*start, "SPARK_REMOTE"]}
    os.environ.update(start)
    os.environ.pop("SPARK_REMOTE", None)  # with it, spark-submit starts a client and no Spark
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _launch(settings: Mapping[str, str]) -> JavaGateway:
    """Start the JVM. Its settings stand on a command line that everybody on the machine can read: no secrets."""
    global _log
    conf = SparkConf(loadDefaults=False).setAll([(k, v) for k, v in settings.items() if not is_secret(k)])
    handle, name = tempfile.mkstemp(prefix="iceberg-explorer-spark-", suffix=".log")
    _log = Path(name)
    with os.fdopen(handle, "wb") as log:
        return launch_gateway(conf, {"stdout": log, "stderr": log})  # type: ignore[no-untyped-call]


_NETWORK = (
    "The Iceberg runtime could not be downloaded.",
    "The first start needs a network, or a mirror (environment variable DEFAULT_ARTIFACT_REPOSITORY), or the jar"
    " itself: --conf spark.jars=/path/to/iceberg-spark-runtime.jar. Later starts need none.",
)
# What the JVM prints, what it means, and what helps; the first that matches is told.
_CAUSES = (
    (
        "PKIX path building failed",
        "The Iceberg runtime could not be downloaded: Java does not trust the certificate that it was shown,"
        " probably that of a proxy.",
        "Name a trust store that holds it: --conf"
        " spark.driver.extraJavaOptions=-Djavax.net.ssl.trustStore=/etc/ssl/certs/java/cacerts",
    ),
    (r"Host .* not found|Server access [Ee]rror|connect timed out", *_NETWORK),
    (
        r"unresolved dependenc|download failed",
        "A package named in spark.jars.packages could not be downloaded.",
        "Correct its name, or name the repository that has it: --conf spark.jars.repositories=…",
    ),
    (
        "Could not reserve enough space|Invalid maximum heap size|insufficient memory",
        "Java did not get the memory it asked for.",
        "Ask for less: --conf spark.driver.memory=1g",
    ),
    (
        "UnsupportedClassVersionError",
        "This Java is too old for this Spark.",
        "Set JAVA_HOME to a Java 17 or 21.",
    ),
)


def _not_started(error: Exception) -> NoSpark:
    printed = _log.read_text("utf-8", "replace") if _log else ""
    unknown = ("", in_one_line(error), "The log says more, and iceberg-explorer doctor may too.")
    causes = (cause for cause in _CAUSES if re.search(cause[0], f"{printed}\n{error}"))
    _, found, next_step = next(causes, unknown)
    return NoSpark("Spark did not start.", found=f"{found} Its log: {_log}", next_step=next_step)
