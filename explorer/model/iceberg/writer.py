"""Who made a commit, as far as its summary tells. A convention of the engines, not of the format.

Sources: the keys that Iceberg's Flink sink, its Kafka Connect sink and Spark's streaming and batch writers leave in the
summary; an application's id is another one with each run, so it tells commits of one run apart and nothing more.
"""

from __future__ import annotations

from .metadata import Snapshot

_OF_JOBS = (("flink.job-id", "Flink job"), ("kafka.connect.task-id", "Kafka Connect task"))
_OF_STREAMS = ("spark.sql.streaming.queryId", "queryId")
_OF_RUNS = ("app-id", "spark.app.id")


def writer(snapshot: Snapshot) -> str | None:
    """`etl-job (spark)`, `Flink job 8a…`, `spark local-1763…`; None if the summary names nobody."""
    found = snapshot.summary
    for key, kind in _OF_JOBS:
        if key in found:
            return f"{kind} {found[key]}"
    for key in _OF_STREAMS:
        if key in found:
            return f"stream {found[key]}"
    engine = found.get("engine-name")
    if "app-name" in found:
        return f"{found['app-name']} ({engine})" if engine else found["app-name"]
    run = next((found[key] for key in _OF_RUNS if key in found), None)
    return " ".join(filter(None, (engine, run))) or None


def program(snapshot: Snapshot) -> str | None:
    """What wrote it, by a name that stays the same from run to run: `etl-job`, `spark 4.1.4`, `Flink`.

    Falls back to the library, `Apache Iceberg 1.10.0`; None if the summary names nothing.
    """
    found = snapshot.summary
    if "app-name" in found:
        return found["app-name"]
    if "engine-name" in found:
        return " ".join(filter(None, (found["engine-name"], found.get("engine-version"))))
    for key, kind in _OF_JOBS:
        if key in found:
            return kind.removesuffix(" job").removesuffix(" task")
    return found.get("iceberg-version", "").partition(" (")[0] or None
