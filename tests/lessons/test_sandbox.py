"""How the sandbox is built: once, again after an interruption, by one process at a time, and nowhere else."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from explorer.engine import sandbox_warehouse
from explorer.errors import ExplorerError
from explorer.lessons import LESSONS, Built, Lesson, Step, build_sandbox, sandbox_tables
from explorer.lessons import sandbox as building
from explorer.lessons.lesson import LiveTable


def fingerprint(folder: Path) -> dict[str, tuple[int, str]]:
    """Every file below the folder, with its time and content."""
    return {
        str(file.relative_to(folder)): (file.stat().st_mtime_ns, hashlib.sha256(file.read_bytes()).hexdigest())
        for file in folder.rglob("*")
        if file.is_file()
    }


class Trial:
    """A lesson of two commits that can be made to break after the first. `builds` counts how often it was begun."""

    def __init__(self, name: str) -> None:
        self.lesson = Lesson(f"trial.{name}", "A trial", "Two commits.", self.build)
        self.folder = sandbox_warehouse() / "trial" / name
        self.breaks = False
        self.builds = 0

    def build(self, table: LiveTable) -> None:
        self.builds += 1
        table.sql("CREATE TABLE {table} (id BIGINT) USING iceberg")
        table.sql("INSERT INTO {table} VALUES (1)")
        if self.breaks:
            raise RuntimeError("the machine lost its power")
        table.sql("INSERT INTO {table} VALUES (2)")

    def is_built(self) -> bool:
        (listed,) = sandbox_tables([self.lesson])
        return listed.is_built


@pytest.fixture
def trial(request: pytest.FixtureRequest) -> Iterator[Trial]:
    yield Trial(request.node.name)
    shutil.rmtree(sandbox_warehouse() / "trial", ignore_errors=True)


def rows(spark: SparkSession, trial: Trial) -> list[int]:
    return sorted(row.id for row in spark.table(f"sandbox.{trial.lesson.name}").collect())


def test_a_second_run_changes_nothing(sandbox: SparkSession) -> None:
    folders = [sandbox_warehouse().joinpath(*lesson.name.split(".")) for lesson in LESSONS]  # others write beside them
    before = [fingerprint(folder) for folder in folders]
    steps: list[Step] = []
    built = build_sandbox(sandbox, report=steps.append)
    assert [fingerprint(folder) for folder in folders] == before
    assert sum(map(len, before)) > 1000
    assert built == [Built(lesson, f"sandbox.{lesson.name}", None) for lesson in LESSONS]
    assert steps == []
    assert all(listed.is_built for listed in sandbox_tables())


def test_each_step_is_reported_and_what_is_there_is_listed(spark: SparkSession, trial: Trial) -> None:
    assert not trial.is_built()
    steps: list[Step] = []
    (built,) = build_sandbox(spark, lessons=[trial.lesson], report=steps.append)
    assert built.name == f"sandbox.{trial.lesson.name}"
    assert built.seconds is not None
    assert [(step.done, step.total, step.lesson, step.seconds) for step in steps] == [
        (1, 1, trial.lesson, built.seconds)
    ]
    assert trial.is_built()
    assert not list(trial.folder.rglob("*.crc")), "they would cost a fifth of the time"


def test_hadoop_writes_checksum_files_again_after_the_build(
    spark: SparkSession, trial: Trial, fresh_table: Callable[..., str]
) -> None:
    build_sandbox(spark, lessons=[trial.lesson])
    name = fresh_table("after_the_build")
    spark.sql(f"CREATE TABLE {name} (id BIGINT) USING iceberg")
    location = spark.sql(f"DESCRIBE TABLE EXTENDED {name}").where("col_name = 'Location'").collect()[0].data_type
    assert list(Path(location.removeprefix("file:")).rglob("*.crc"))


def test_an_interrupted_build_is_mended(spark: SparkSession, trial: Trial) -> None:
    trial.breaks = True
    with pytest.raises(RuntimeError, match="lost its power"):
        build_sandbox(spark, lessons=[trial.lesson])
    assert rows(spark, trial) == [1]
    assert not trial.is_built()

    trial.breaks = False
    build_sandbox(spark, lessons=[trial.lesson])
    assert rows(spark, trial) == [1, 2]
    assert trial.is_built()


def test_a_torn_metadata_file_is_mended(spark: SparkSession, trial: Trial) -> None:
    build_sandbox(spark, lessons=[trial.lesson])
    newest = max((trial.folder / "metadata").glob("v*.metadata.json"), key=lambda file: file.stat().st_mtime_ns)
    newest.write_bytes(newest.read_bytes()[:100])
    assert not trial.is_built()
    build_sandbox(spark, lessons=[trial.lesson])
    assert rows(spark, trial) == [1, 2]


def test_a_table_of_an_older_version_of_its_story_is_built_anew(
    spark: SparkSession, trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(Lesson, "version", "as it was told last year")
        build_sandbox(spark, lessons=[trial.lesson])
    assert not trial.is_built()
    build_sandbox(spark, lessons=[trial.lesson])
    assert trial.is_built()
    assert trial.builds == 2
    assert rows(spark, trial) == [1, 2]


def test_what_a_person_did_to_a_table_stays_until_it_is_built_anew(spark: SparkSession, trial: Trial) -> None:
    build_sandbox(spark, lessons=[trial.lesson])
    spark.sql(f"CREATE OR REPLACE TABLE sandbox.{trial.lesson.name} USING iceberg AS SELECT 7L AS id")
    build_sandbox(spark, lessons=[trial.lesson])
    assert rows(spark, trial) == [7]
    build_sandbox(spark, lessons=[trial.lesson], anew=True)
    assert rows(spark, trial) == [1, 2]


def test_no_setting_of_the_session_changes(active_session: SparkSession, trial: Trial) -> None:
    spark = active_session
    before = spark.sql("SET").collect()
    build_sandbox(spark, lessons=[trial.lesson])
    assert spark.sql("SET").collect() == before
    assert SparkSession.getActiveSession() is spark


@pytest.mark.parametrize("before", [None, "audit"])
def test_a_setting_of_a_story_ends_with_its_block_even_when_it_breaks(spark: SparkSession, before: str | None) -> None:
    table = LiveTable(spark.newSession(), "sandbox.trial.none")
    if before:
        table.spark.conf.set("spark.wap.branch", before)

    def load() -> None:
        with table.setting("spark.wap.branch", "within"):
            raise RuntimeError(table.spark.conf.get("spark.wap.branch"))

    with pytest.raises(RuntimeError, match=r"^within$"):
        load()
    assert table.spark.conf.get("spark.wap.branch", None) == before


def test_who_gives_up_leaves_no_writer_behind(spark: SparkSession, trial: Trial) -> None:
    other = Trial("other")

    def give_up(_: Step) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_sandbox(spark, lessons=[trial.lesson, other.lesson], report=give_up)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("iceberg-explorer-lesson")]
    build_sandbox(spark, lessons=[trial.lesson, other.lesson])
    assert rows(spark, trial) == rows(spark, other) == [1, 2]


def test_two_builders_at_once_build_once(spark: SparkSession, trial: Trial) -> None:
    builders = [
        threading.Thread(target=build_sandbox, args=(spark,), kwargs={"lessons": [trial.lesson]}) for _ in range(2)
    ]
    for builder in builders:
        builder.start()
    for builder in builders:
        builder.join()
    assert trial.builds == 1
    assert rows(spark, trial) == [1, 2]


HOLD_THE_LOCK = """
import sys, filelock
lock = filelock.FileLock(sys.argv[1])
lock.acquire()
print("held", flush=True)
sys.stdin.read()
"""


def test_another_process_is_waited_for_and_a_dead_one_is_not(
    spark: SparkSession, trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = sandbox_warehouse().with_name("sandbox.lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD_THE_LOCK, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with monkeypatch.context() as impatient:
            impatient.setattr(building, "_TIMEOUT", 0.3)
            with pytest.raises(ExplorerError, match=r"Another process(.|\n)*sandbox\.lock"):
                build_sandbox(spark, lessons=[trial.lesson])
        assert trial.builds == 0
        other.kill()
        other.communicate()
        monkeypatch.setattr(building, "_TIMEOUT", 120)  # other tests build in this sandbox too, from other processes
        build_sandbox(spark, lessons=[trial.lesson])
    assert rows(spark, trial) == [1, 2]


def test_a_catalog_that_is_not_the_explorers_own_is_refused(
    spark: SparkSession, trial: Trial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICEBERG_EXPLORER_HOME", str(tmp_path / "elsewhere"))
    with pytest.raises(ExplorerError, match=r"cannot be built in this Spark session(.|\n)*iceberg-explorer sandbox"):
        build_sandbox(spark, lessons=[trial.lesson])
    assert trial.builds == 0
    assert list(tmp_path.iterdir()) == []


def test_spark_connect_is_refused(trial: Trial) -> None:
    remote = type("SparkSession", (), {"__module__": "pyspark.sql.connect.session"})()
    with pytest.raises(ExplorerError, match=r"over Spark Connect(.|\n)*iceberg-explorer sandbox"):
        build_sandbox(remote, lessons=[trial.lesson])
    assert trial.builds == 0
