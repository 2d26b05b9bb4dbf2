"""Find a Spark session that can read Iceberg tables, or start one."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, cast
from weakref import WeakSet

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from ..errors import NoSpark
from .conf import chosen_conf, conf_from_env, conf_to_env
from .connect import check_client, connect_server_conf, connected, is_connect
from .deferred import DeferredSession, reads_this_disk
from .embedded import SANDBOX_CATALOG, embedded, embedded_conf, has_sandbox, is_embedded, launched
from .folders import sandbox_warehouse
from .logging import silenced_errors
from .recovery import answering, forget, why_ended
from .runtime import check_runtime

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "SANDBOX_CATALOG",
    "conf_from_env",
    "conf_to_env",
    "has_sandbox",
    "is_connect",
    "is_embedded",
    "is_running",
    "sandbox_warehouse",
    "session",
    "session_again",
    "session_when_asked",
]

_CONNECT_TIMEOUT = 60.0  # seconds

_one_at_a_time = threading.Lock()
_checked: WeakSet[SparkSession] = WeakSet()
_made: WeakSet[SparkSession] = WeakSet()
_settings: Mapping[str, str] | None = None  # of the last start


def session(spark: SparkSession | None = None, conf: Mapping[str, str] | None = None) -> SparkSession:
    """A Spark session that can read Iceberg tables.

    The given one; else the active one, classic or Connect; else the server that `SPARK_REMOTE` names; else an
    embedded Spark, started here. A session that was not started here is used as it is: none of its settings
    is changed and it is never stopped.

    Args:
        spark: the session to use, if the person has one.
        conf: Spark settings, which count only where a session is started here. They win over those of
            `ICEBERG_EXPLORER_CONF`, `PYSPARK_SUBMIT_ARGS` and `spark-defaults.conf`, in this order.

    Raises:
        NoRuntime: the session has no Iceberg runtime, or none is known for the installed pyspark.
        NoJava: a session must be started here and there is no Java for it.
        NoSpark: it did not start, or the Connect server does not answer, or the client for it is too old.
    """
    if isinstance(spark, DeferredSession):
        return spark
    with _one_at_a_time:
        spark = spark or _active() or _started(conf)
        if spark not in _checked:
            if is_connect(spark):
                check_client()
                _check_and_retry(spark)
            else:
                with silenced_errors():
                    check_runtime(spark)
            _checked.add(spark)
        return spark


def session_when_asked() -> SparkSession:
    """The same, for a command that may need no Spark: one that would be started here starts when it is first asked.

    Raises:
        ExplorerError: a setting cannot be read. What `session` raises comes when it starts, from whatever asked.
    """
    if is_running() or os.environ.get("SPARK_REMOTE") or not reads_this_disk(chosen_conf()):
        return session()
    return cast("SparkSession", DeferredSession(session))


def session_again(spark: SparkSession) -> SparkSession:
    """The session, if it answers; if it was lost the one that runs now, else one started here, as the lost one was.

    Raises:
        NoSpark: it was lost, no other one runs, and it was not started here, so it cannot be made again.
        NoJava, NoRuntime: of `session`.
    """
    try:
        with answering(spark):
            spark.conf.get("spark.sql.session.timeZone")  # a server that was started anew knows no session
        return spark
    except NoSpark as ended:
        if spark in _made or is_embedded(spark):
            forget(spark)
        elif not is_running():
            raise NoSpark(
                ended.what,
                found=f"{ended.found} You made that session yourself, so the explorer cannot make it again.",
                next_step="Make a new one, as SparkSession.builder.…getOrCreate(); then reload the table.",
            ) from None
    return session(conf=_settings)


def is_running() -> bool:
    """Whether there is a session already, so that `session()` answers at once."""
    return _active() is not None


def _active() -> SparkSession | None:
    classic = SparkSession._instantiatedSession
    if classic is not None and why_ended(classic):
        forget(classic)  # before pyspark asks a Java process that is gone
    try:
        return SparkSession.active()
    except PySparkException:
        return None


def _started(conf: Mapping[str, str] | None) -> SparkSession:
    global _settings
    _settings = conf
    remote = os.environ.get("SPARK_REMOTE", "")
    if remote and not remote.startswith("local"):
        spark = connected(remote)
        _made.add(spark)
        return spark
    settings = embedded_conf(chosen_conf(conf))
    if not remote:
        return embedded(settings)
    settings = connect_server_conf(settings)
    with launched(settings):
        return connected(remote, settings)


def _check_and_retry(spark: SparkSession) -> None:
    """Check the runtime of a server, which may have died: its client goes on trying for 20 minutes."""
    answer: Future[None] = Future()

    def ask() -> None:
        try:
            with silenced_errors():
                check_runtime(spark)
            answer.set_result(None)
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=ask, name="iceberg-explorer-check", daemon=True).start()
    try:
        answer.result(_CONNECT_TIMEOUT)
    except TimeoutError:
        raise NoSpark(
            "The Spark Connect server does not answer.",
            found=f"It was asked a small question and said nothing for {_CONNECT_TIMEOUT:.0f} seconds.",
            next_step="See whether the server still runs, then ask again.",
        ) from None
