"""How the Java of an embedded Spark runs: for questions that are many and small, and are asked once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_PERSONS = "spark.driver.extraJavaOptions"
_PERSONS_VARIABLES = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
_LATER = 20

# Asking a question of a table runs tens of thousands of methods a few thousand times each. Java's second compiler takes
# all of these, and with two cores it took 16 s of them during the first answer of 12 s. It gets those that run twenty
# times as often as Java would wait for: the loops that read rows reach that within milliseconds.
_COMPILING = (
    f"-XX:Tier4InvocationThreshold={5_000 * _LATER}",
    f"-XX:Tier4MinInvocationThreshold={600 * _LATER}",
    f"-XX:Tier4CompileThreshold={15_000 * _LATER}",
    f"-XX:Tier4BackEdgeThreshold={40_000 * _LATER}",
)
_METASPACE = "-XX:MetaspaceSize=256m"  # Spark's classes; less makes Java collect garbage each time that they outgrow it
_COLLECTOR = "-XX:+UseParallelGC"  # more is computed in the same time; its pauses are no longer than a click
# Planning a scan, Iceberg hands out two manifests for each thread, and looks for what was found every 10 ms: with two
# cores four manifests take as long as that, though each is read in one.
_PLANNING, _PLANNING_VARIABLE = "-Diceberg.worker.num-threads=16", "ICEBERG_WORKER_NUM_THREADS"


def java_options(chosen: Mapping[str, str]) -> dict[str, str]:
    """A setting with options of the driver's Java, less those that do not go with what the person chose.

    Spark puts them before those of `spark.driver.extraJavaOptions`, which win over them. Executors elsewhere keep
    Java's own: with these a cluster was no faster.

    Args:
        chosen: the person's Spark settings.
    """
    theirs = " ".join([chosen.get(_PERSONS, ""), *(os.environ.get(name, "") for name in _PERSONS_VARIABLES)])
    options = ["-XX:+IgnoreUnrecognizedVMOptions", *_COMPILING, _METASPACE]
    if "GC" not in theirs:  # Java does not start with two collectors
        options.append(_COLLECTOR)
    if _PLANNING_VARIABLE not in os.environ:
        options.append(_PLANNING)
    return {"spark.driver.defaultJavaOptions": " ".join(options)}
