"""The ground that every test stands on: one Spark for each process, throw-away folders, and no silent skips.

A test skips with `pytest.skip("what is absent")` where a component is not on the machine. Under `CI=true` the machine
is promised to have them all, so the hooks below turn every skip, of a test or of a whole module, into a failure.
"""

from __future__ import annotations

import faulthandler
import itertools
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import hypothesis
import pytest
from filelock import BaseFileLock, FileLock
from xdist.scheduler import LoadScopeScheduling

from tests.benchmarks.generate import generate
from tests.gate import Gate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPOSITORY = Path(__file__).resolve().parents[1]
REAL_TABLES = REPOSITORY.parent / "shared" / "tables"
if REAL_TABLES.is_dir():  # `table_paths`, by whose name PyIceberg also loads the FileIO of these tables
    sys.path.append(str(REAL_TABLES))

# A busy machine is slow, which says nothing about the code; and a run leaves no examples in the repository.
hypothesis.settings.register_profile("house", deadline=None, database=None)
hypothesis.settings.load_profile("house")


@pytest.fixture(autouse=True, scope="session")
def no_screen() -> None:
    """Forget how wide xdist says the screen is: what is printed into a pipe has lines of any length."""
    os.environ.pop("COLUMNS", None)


def fail_if_skipped_under_ci(report: pytest.TestReport | pytest.CollectReport) -> None:
    if os.environ.get("CI") == "true" and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason} (under CI=true nothing may be skipped)"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    fail_if_skipped_under_ci(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    fail_if_skipped_under_ci(report)
    return report


GRACE = 300
"""Seconds that a test may take beyond its time-out to come to an end. The time-out raises an error in the test, once:
what then waits for a thread or a session that is stuck, in a fixture or a `with`, would wait for ever."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """End the process of a test that does not come to an end, and say where each of its threads is.

    Other workers go on, and one more takes up what this one had left.
    """
    marker = item.get_closest_marker("timeout")
    seconds = float(marker.args[0] if marker else item.config.getini("timeout")) + GRACE
    why = f"{item.nodeid} did not end within {seconds:.0f} seconds"
    watchdog = threading.Timer(seconds, end_process, [why, item.config.stash[STANDARD_ERROR]])
    watchdog.daemon = True
    watchdog.start()
    try:
        return (yield)
    finally:
        watchdog.cancel()


def end_process(why: str, standard_error: int) -> None:
    """End this process at once, with what its threads are doing on the standard error."""
    os.write(standard_error, f"\n{why}:\n".encode())
    faulthandler.dump_traceback(standard_error, all_threads=True)
    os._exit(70)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Under CI tell a failure when it happens: a run that is cut off never comes to its summary."""
    if report.failed and os.environ.get("CI") == "true" and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\n{report.nodeid} ({report.when}, {report.duration:.0f} s)\n{report.longreprtext}", flush=True)


TOGETHER = ("tests/ui", "tests/servers")
"""Folders whose tests share what takes long to make, a browser or a lake: each is one group, and they come first."""


class Groups(LoadScopeScheduling):
    """A worker takes a group at a time: a folder of `TOGETHER`, or a file. A test that ends its worker runs once."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)

    def remove_node(self, node: Any) -> str | None:
        groups = self.assigned_work[node].values()
        unit, ended = next(((tests, test) for tests in groups for test, done in tests.items() if not done), ({}, None))
        if ended is not None:
            unit[ended] = True  # else the next worker would be given it again, and end too
        super().remove_node(node)
        return ended


def group(nodeid: str) -> str:
    """The group of a test: what runs in one worker, one test after the other."""
    file = nodeid.partition("::")[0]
    return next((folder for folder in TOGETHER if file.startswith(f"{folder}/")), file)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough",
        action="store_true",
        help="run what is long by nature too, of which a smaller share always runs: a thousand random histories of rows"
        " instead of twenty, and all tables on all older lines of Spark",
    )


STANDARD_ERROR = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[STANDARD_ERROR] = os.dup(2)  # now, while pytest does not capture it
    config.addinivalue_line("markers", "thorough: long by nature, and only run with --thorough")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Groups:
    return Groups(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is thorough unless it is asked for; in several workers, let what takes longest come first.

    So no worker is left alone with it at the end.
    """
    if not config.getoption("thorough"):
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: (group(item.nodeid) not in TOGETHER, "spark" not in item.fixturenames))


def shared_folder(folders: pytest.TempPathFactory) -> Path:
    """The temporary folder that all workers of this run have in common."""
    own = folders.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session", autouse=True)
def explorer_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The user's data folder for this run (the sandbox lies below it), never the person's own; one for all workers."""
    home = shared_folder(tmp_path_factory) / "explorer_home"
    home.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ICEBERG_EXPLORER_HOME", str(home))
        patch.setenv("ICEBERG_EXPLORER_CONFIG_DIR", str(home / "config"))
        patch.setenv("ICEBERG_EXPLORER_CACHE_MB", "0")  # what one test reads another one must not know
        for name in ("ICEBERG_EXPLORER_CONF", "PYSPARK_SUBMIT_ARGS", "SPARK_CONF_DIR", "SPARK_REMOTE"):
            patch.delenv(name, raising=False)  # a person's own settings are no part of a test
        yield home


@pytest.fixture(scope="session")
def spark_conf(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the one session is made with; a browser test gives its kernels the same."""
    conf = {
        "spark.master": "local[2]",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        # A busy machine resets a connection over TCP now and then: its far end waits only 10 s for the first word.
        "spark.python.unix.domain.socket.enabled": "true",
        "spark.sql.catalog.lab": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lab.type": "hadoop",
        "spark.sql.catalog.lab.warehouse": tmp_path_factory.mktemp("lab").as_uri(),
        "spark.sql.catalog.lab.cache-enabled": "false",
    }
    if REAL_TABLES.is_dir():
        import table_paths

        conf |= table_paths.spark_settings(warehouse=str(tmp_path_factory.mktemp("real")))
    return conf


@pytest.fixture(scope="session")
def spark(
    spark_conf: dict[str, str], explorer_home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparkSession]:
    """The embedded Spark of this process, with the catalogs `sandbox`, `lab` (throw-away) and `real` (of others)."""
    from explorer.engine import session

    with FileLock(shared_folder(tmp_path_factory) / "spark.lock"):  # two first downloads into Ivy's cache break it
        spark = session(conf=spark_conf)
    yield spark
    spark.stop()


@pytest.fixture
def active_session(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> SparkSession:
    """The same as the active session: tests before may have left another, as `createDataFrame` of it does."""
    from pyspark.sql import SparkSession

    monkeypatch.setattr(SparkSession, "_activeSession", spark)
    return spark


@pytest.fixture(scope="session")
def sandbox(spark: SparkSession) -> SparkSession:
    """The session, once the lessons' tables are built in its catalog `sandbox`."""
    from explorer.lessons import build_sandbox

    build_sandbox(spark)
    return spark


@pytest.fixture(scope="session")
def learner(tmp_path_factory: pytest.TempPathFactory) -> BaseFileLock:
    """The one who runs the course's notebooks as they are: their exercises and their incident write the same tables.

    Use it in a `with`, and meanwhile no other worker does them.
    """
    return FileLock(shared_folder(tmp_path_factory) / "learner.lock")


@pytest.fixture(scope="module")
def own_course(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Exercises whose tables and progress are a module's own: other workers may do the same ones meanwhile."""
    from explorer.lessons.exercises import Exercise, progress

    namespace = "course_of_" + request.module.__name__.rpartition(".")[2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Exercise, "table", property(lambda one: f"{namespace}.{one.name.replace('-', '_')}"))
        patch.setattr(progress, "progress_file", lambda: tmp_path_factory.getbasetemp() / f"{namespace}.json")
        yield


@pytest.fixture(scope="session")
def real_tables() -> dict[str, dict[str, Any]]:
    """The index, by name, of the real tables that this project did not write: `real.t.<name>` in Spark."""
    if not REAL_TABLES.is_dir():
        pytest.skip(f"the real tables are absent: no folder {REAL_TABLES}")
    import table_paths

    return table_paths.index()


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    """What tasks of Spark wait for until the test opens it."""
    return Gate(tmp_path / "open")


@pytest.fixture(scope="session")
def fresh_table(spark: SparkSession) -> Callable[..., str]:
    """A function giving, each time, the name of a table that does not exist yet: `fresh_table("orders")`."""
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lab.t")
    numbers = itertools.count(1)
    return lambda hint="table": f"lab.t.{hint}_{next(numbers)}"


@pytest.fixture(scope="session")
def written_table(spark: SparkSession, fresh_table: Callable[..., str]) -> Callable[..., str]:
    """A function making a fresh table by statements that name it `{t}`: `written_table("orders", "CREATE …", …)`."""

    def write(hint: str, *statements: str) -> str:
        name = fresh_table(hint)
        for statement in statements:
            spark.sql(statement.replace("{t}", name))
        return name

    return write


@pytest.fixture(scope="session")
def big_table(spark_conf: dict[str, str]) -> Path:
    """The folder of a table of 10,000 snapshots without manifests, which is `lab.t.big` as well."""
    folder = Path(urlsplit(spark_conf["spark.sql.catalog.lab.warehouse"]).path) / "t" / "big"
    generate(folder)
    return folder
