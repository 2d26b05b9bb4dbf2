"""Spark is lost in the middle: it is said in words, and the same kernel goes on."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.connect.client.retries import RetryPolicy

from explorer.engine.connect import retry_while
from explorer.errors import NoSpark

recovery, session = map(importlib.import_module, ("explorer.engine.recovery", "explorer.engine.session"))

SESSION_LOST = r"""
import signal, time, warnings
import psutil
from pyspark import SparkContext
import explorer
from explorer.engine import is_embedded, session
from explorer.errors import NoSpark
from explorer.widgets import TableExplorer
from tests.servers.components import EMBEDDED

def until(met):
    end = time.monotonic() + 60
    while not met():
        assert time.monotonic() < end
        time.sleep(0.05)

def refused(*questions):
    for ask in questions:
        try:
            answer = ask()
            if isinstance(answer, explorer.Picture):
                answer.read()
            print("answered")
        except NoSpark as error:
            found = error.found
    print(found, flush=True)

spark = session(conf=EMBEDDED | {"spark.driver.memory": "512m", "spark.app.name": "mine"})
spark.sql("CREATE TABLE sandbox.d.t (id INT) USING iceberg")
spark.sql("INSERT INTO sandbox.d.t VALUES (1)")
table = explorer.table("sandbox.d.t")
other = explorer.table("sandbox.d.t")
shown = TableExplorer(table)
shown.state.snapshot = selected = str(table.metadata.current_snapshot_id)
lazy, kept = table.entries(), table.entries().data

def kill():
    java = SparkContext._gateway.proc
    for process in psutil.Process(java.pid).children(recursive=True):
        process.kill()
    java.kill()
    java.wait()

for lose in (spark.stop, kill):
    lose()
    refused(table.entries, lambda: table.commit("main", rows=True), table.changelog, lambda: table.why("id = 1"),
            table.create_views, lambda: lazy.frame, lambda: table.retries().facts)
    assert len(table.snapshot_graph().data) == 1, "what was read stays"
    shown._tabs.value = "Manifests"
    until(lambda: "Spark was lost" in shown._errors._text.value)
    shown._errors.clear()
    shown.reload()
    until(lambda: is_embedded(table.spark) and shown._views["Manifests"]._is_answered)
    assert (shown.state.snapshot, shown._errors._text.value) == (selected, "")
    assert table.entries().data.equals(kept) and table.spark.sparkContext.appName == "mine"
    refused(other.entries)
    assert not other.reload() and other.spark is table.spark is session()
    shown._tabs.value = "History"
    shown._views["Manifests"].refresh()
"""


def test_a_session_stopped_or_its_java_killed_is_reported_and_a_reload_goes_on(python) -> None:
    ran = python(SESSION_LOST)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.splitlines() == [
        *["The session was stopped, or its Java process has ended."] * 2,
        *["The session was stopped, or its Java process has ended."] * 2,
    ]


def test_a_session_that_the_person_made_is_theirs_to_make_again(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = spark.newSession()
    assert session.session_again(theirs) is theirs, "it answers"
    monkeypatch.setattr(session, "is_embedded", lambda _: False)
    monkeypatch.setattr(recovery, "why_ended", lambda session, _=None: "It was stopped." if session is theirs else "")
    monkeypatch.setattr(recovery, "forget", lambda _: None)
    assert session.session_again(theirs) is spark, "one that runs is taken"
    monkeypatch.setattr(session, "is_running", lambda: False)
    with pytest.raises(NoSpark, match=r"It was stopped. You made that session yourself.*\n.*SparkSession.builder"):
        session.session_again(theirs)


class Client:
    """As much of a Connect client as its retry policies need."""

    def __init__(self, *policies: RetryPolicy) -> None:
        self.policies = list(policies)

    def get_retry_policies(self) -> list[RetryPolicy]:
        return self.policies

    def set_retry_policies(self, policies: Iterable[RetryPolicy]) -> None:
        self.policies = list(policies)


class Willing(RetryPolicy):
    """Tries again whatever went wrong."""

    def can_retry(self, exception: BaseException) -> bool:
        return True


def asked_within(session: Any) -> None:
    """A question within another one, while the server is gone."""
    with retry_while(lambda: True, session):
        pass
    assert not session.client.policies[0].can_retry(ConnectionError()), "the block around it still holds"
    with retry_while(lambda: False, session):
        raise ConnectionError


def test_a_session_has_its_own_retry_policies_again_once_its_server_is_back() -> None:
    policy = Willing()
    session: Any = SimpleNamespace(client=Client(policy))
    for _ in range(3):
        with pytest.raises(ConnectionError), retry_while(lambda: False, session):
            raise ConnectionError
        (left,) = session.client.policies
        assert not left.can_retry(ConnectionError()), "what pyspark still wants to tell the server is not tried again"
    with retry_while(lambda: True, session):
        assert session.client.policies[0].can_retry(ConnectionError())
    assert session.client.policies == [policy]
    with pytest.raises(ConnectionError), retry_while(lambda: False, session):
        asked_within(session)
    with retry_while(lambda: True, session):
        assert session.client.policies[0].can_retry(ConnectionError())
    assert session.client.policies == [policy]
    with pytest.raises(ValueError, match="wrong"), retry_while(lambda: True, session):
        raise ValueError("wrong")
    assert session.client.policies == [policy]


def test_blocks_of_two_threads_that_overlap_leave_a_session_its_own_retry_policies() -> None:
    policy = Willing()
    session: Any = SimpleNamespace(client=Client(policy))
    first_is_in, second_is_in, first_is_out = threading.Event(), threading.Event(), threading.Event()
    within: list[bool] = []

    def first() -> None:
        with retry_while(lambda: True, session):
            first_is_in.set()
            second_is_in.wait(20)

    def second() -> None:
        first_is_in.wait(20)
        with retry_while(lambda: False, session):
            within.append(session.client.policies[0].can_retry(ConnectionError()))
            second_is_in.set()
            first_is_out.wait(20)
            within.append(session.client.policies[0].can_retry(ConnectionError()))

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    for thread in threads:
        thread.start()
    threads[0].join(20)
    first_is_out.set()
    threads[1].join(20)
    assert within == [False, False], "the block that is open holds, whichever other one was left"
    assert session.client.policies == [policy]


def test_the_first_block_to_lose_its_server_leaves_the_others_as_they_are() -> None:
    policy = Willing()
    session: Any = SimpleNamespace(client=Client(policy))
    with retry_while(lambda: True, session):
        with pytest.raises(ConnectionError), retry_while(lambda: False, session):
            raise ConnectionError
        assert session.client.policies[0].can_retry(ConnectionError())
    assert session.client.policies == [policy]
