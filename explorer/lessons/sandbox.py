"""Building the lessons' tables below the sandbox warehouse, and telling which are there."""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from ..engine import SANDBOX_CATALOG, has_sandbox, is_connect, is_embedded, sandbox_warehouse
from ..errors import ExplorerError
from . import times
from .lesson import Lesson, LiveTable
from .registry import lessons as all_lessons

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession

_MARK = "explorer.lesson"  # a table property, set by the last metadata file: the version of the story that was built
_WRITERS = 2  # lessons built at once
_TIMEOUT = 600  # seconds to wait for another process that builds the sandbox
_BUILD_SETTINGS = {
    # These tables have a few rows: what makes big jobs fast makes small ones slow.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # One task, so one file per INSERT, as one writer of a few rows would make it.
    "spark.sql.leafNodeDefaultParallelism": "1",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.iceberg.distribution-mode": "none",
    "spark.sql.iceberg.compression-codec": "uncompressed",
    # The timestamps in the stories are the same instants everywhere.
    "spark.sql.session.timeZone": "UTC",
}


@dataclass(frozen=True)
class Step:
    """A lesson was built, the `done`th of the `total` that had to be; it took `seconds`."""

    done: int
    total: int
    lesson: Lesson
    seconds: float


@dataclass(frozen=True)
class Built:
    """A lesson whose table `name` (catalog first) is complete. `seconds` is None where it was so before."""

    lesson: Lesson
    name: str
    seconds: float | None


@dataclass(frozen=True)
class Shelved:
    """A lesson of the sandbox, and whether its table `name` (catalog first) is complete."""

    lesson: Lesson
    name: str
    is_built: bool


def sandbox_tables(lessons: Sequence[Lesson] | None = None) -> list[Shelved]:
    """Every lesson in order, or these, and whether its table is there. Looks at the folder; needs no Spark."""
    return [
        Shelved(lesson, _name(lesson), is_built(lesson)) for lesson in (all_lessons() if lessons is None else lessons)
    ]


def is_built(lesson: Lesson) -> bool:
    """Whether the lesson's table is complete, and tells the story as it is told today."""
    versions = {
        int(found[1]): file
        for file in (_folder(lesson) / "metadata").glob("v*.metadata.json")
        if (found := re.fullmatch(r"v(\d+)\.metadata\.json", file.name))
    }
    if not versions:
        return False
    try:
        metadata = json.loads(versions[max(versions)].read_bytes())
    except ValueError:  # the machine stopped while it was written
        return False
    return bool(metadata.get("properties", {}).get(_MARK) == lesson.version)


def build_sandbox(
    spark: SparkSession,
    *,
    lessons: Sequence[Lesson] | None = None,
    anew: bool = False,
    report: Callable[[Step], None] | None = None,
) -> list[Built]:
    """Build the table of every lesson where it is not complete; leave alone those that are.

    A table that an interrupted build left behind, or that an older version of its story made, is removed and
    built anew. If another process builds the sandbox, this one waits for it.

    Args:
        spark: a classic session with the explorer's own sandbox catalog. None of its settings is changed.
        lessons: what to build, two at a time; so name the longest first. All if None.
        anew: remove the tables that are complete, and build all of them again.
        report: called on the calling thread after each table that was built.

    Raises:
        ExplorerError: the session has not the sandbox catalog, or another process does not finish building.
    """
    _refuse_outside_sandbox(spark)
    lessons = all_lessons() if lessons is None else lessons
    seconds: dict[str, float] = {}
    if anew or not all(is_built(lesson) for lesson in lessons):
        with _alone(), _without_checksum_files(spark), _with_eager_locks(spark):
            missing = [lesson for lesson in lessons if anew or not is_built(lesson)]
            for lesson, took in _build_each(spark, missing):
                seconds[lesson.name] = took
                if report:
                    report(Step(len(seconds), len(missing), lesson, took))
    return [Built(lesson, _name(lesson), seconds.get(lesson.name)) for lesson in lessons]


def lesson_session(spark: SparkSession) -> SparkSession:
    """A new session beside the person's, with the settings under which lessons are written."""
    made = spark.newSession()
    for key, value in _BUILD_SETTINGS.items():
        made.conf.set(key, value)
    return made


def _build_each(spark: SparkSession, lessons: Sequence[Lesson]) -> Iterator[tuple[Lesson, float]]:
    given_up = threading.Event()

    def build(lesson: Lesson) -> float:
        started = time.monotonic()
        if _folder(lesson).exists():
            shutil.rmtree(_folder(lesson))
        # A session of its own for each: the person's settings, and those of the other lesson, stay as they are.
        table = LiveTable(lesson_session(spark), _name(lesson), given_up.is_set)
        lesson.build(table)
        _finish(table, lesson)
        return time.monotonic() - started

    with ThreadPoolExecutor(_WRITERS, thread_name_prefix="iceberg-explorer-lesson") as pool:
        running = {pool.submit(build, lesson): lesson for lesson in lessons}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        finally:  # after an error or Ctrl-C: the other writer stops at its next statement, and is waited for
            given_up.set()
            pool.shutdown(cancel_futures=True)


def _finish(table: LiveTable, lesson: Lesson) -> None:
    """Write the metadata once more, with the story's times and writers and the mark that it is complete: at once."""
    jvm: Any = table.spark._jvm
    parser = jvm.org.apache.iceberg.TableMetadataParser
    operations = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(
        table.spark._jsparkSession, table.name
    ).operations()
    written = operations.refresh()
    document = json.loads(parser.toJson(written))
    earlier = {"timestamp-ms": document["last-updated-ms"], "metadata-file": written.metadataFileLocation()}
    document.setdefault("metadata-log", []).append(earlier)
    document["properties"] = document.get("properties", {}) | {_MARK: lesson.version}
    if lesson.working_days is not None:
        table.clock.spread(times.moments(document), lesson.working_days, lesson.name)
    document = times.retold(document, table.clock)
    times.date_files(_folder(lesson), table.clock)
    document["last-updated-ms"] += 1
    operations.commit(written, parser.fromJson(json.dumps(document)))


def remove_tables(lessons: Sequence[Lesson]) -> None:
    """Remove the tables of these lessons, those that are there."""
    with _alone():
        for lesson in lessons:
            if _folder(lesson).exists():
                shutil.rmtree(_folder(lesson))


@contextmanager
def _alone() -> Iterator[None]:
    """Within the block no other process builds this sandbox. The lock of a process that died is free."""
    warehouse = sandbox_warehouse()
    warehouse.mkdir(parents=True, exist_ok=True)
    lock = FileLock(warehouse.with_name(f"{warehouse.name}.lock"))
    try:
        lock.acquire(timeout=_TIMEOUT)
    except Timeout:
        raise ExplorerError(
            f"The sandbox in {warehouse} cannot be built now.",
            found=f"Another process has been building it for more than {_TIMEOUT // 60} minutes.",
            next_step=f"Wait for it or end it; it holds the lock {lock.lock_file}.",
        ) from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _without_checksum_files(spark: SparkSession) -> Iterator[None]:
    """Within the block Hadoop writes no `.crc` file beside each local file.

    For each of them it starts a `chmod` process, which takes a fifth of the time of a small commit. The switch is one
    for all of the JVM, so it is left alone where the JVM is not the explorer's own.
    """
    context = spark.sparkContext
    if not is_embedded(spark) or context._jvm is None:
        yield
        return
    local = context._jvm.org.apache.hadoop.fs.FileSystem.getLocal(context._jsc.hadoopConfiguration())
    local.setWriteChecksum(False)
    try:
        yield
    finally:
        local.setWriteChecksum(True)


@contextmanager
def _with_eager_locks(spark: SparkSession) -> Iterator[None]:
    """Within the block a writer that finds a Hadoop table locked looks again after milliseconds.

    Iceberg's own pause is five seconds, many times what the other writer's commit takes; a lesson whose writers fight
    would spend most of its time asleep. The lock is one for all of the JVM, so it is left alone where the JVM is not
    the explorer's own.
    """
    jvm = spark.sparkContext._jvm
    if not is_embedded(spark) or jvm is None:
        yield
        return
    locks = jvm.org.apache.iceberg.util.LockManagers.defaultLockManager()
    locks.initialize({"lock.acquire-interval-ms": "5"})
    try:
        yield
    finally:
        locks.initialize({})  # Iceberg's defaults


def _refuse_outside_sandbox(spark: SparkSession) -> None:
    way_out = "Run `iceberg-explorer sandbox` in a terminal: it starts a Spark of its own for it."
    if is_connect(spark):
        raise ExplorerError(
            "The sandbox cannot be built over Spark Connect: it lies on this machine.",
            found="The session writes where its server is.",
            next_step=way_out + " SPARK_REMOTE must not be set there.",
        )
    if not has_sandbox(spark.newSession()):
        warehouse = spark.conf.get(f"spark.sql.catalog.{SANDBOX_CATALOG}.warehouse", None)
        raise ExplorerError(
            f"The sandbox cannot be built in this Spark session: lessons write only below {sandbox_warehouse()}.",
            found=f"The session's catalog {SANDBOX_CATALOG} is in {warehouse}."
            if warehouse
            else f"The session has no catalog {SANDBOX_CATALOG}.",
            next_step=way_out,
        )


def _name(lesson: Lesson) -> str:
    return f"{SANDBOX_CATALOG}.{lesson.name}"


def _folder(lesson: Lesson) -> Path:
    return sandbox_warehouse().joinpath(*lesson.name.split("."))
