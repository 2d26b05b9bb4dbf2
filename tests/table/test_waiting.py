"""A catalog that takes a connection and says nothing: told while the opening waits, which ends with the answer."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

import explorer
from explorer import cli, engine
from explorer.errors import TableNotFound
from explorer.model import silence
from explorer.table import Table
from explorer.table.waiting import telling_silence


@dataclass
class SilentCatalog:
    """A REST catalog without tables, which answers nothing until it `may_answer`."""

    address: str
    spark: SparkSession
    is_asked: threading.Event = field(default_factory=threading.Event)
    may_answer: threading.Event = field(default_factory=threading.Event)

    def interrupt(self) -> None:
        """Press Ctrl-C once somebody waits for the answer."""

        def press() -> None:
            assert self.is_asked.wait(120)
            time.sleep(1)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press).start()


@pytest.fixture
def catalog(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[SilentCatalog]:
    monkeypatch.setattr(silence, "PATIENCE", 1.0)
    no_table = {"error": {"message": "no such table", "type": "NoSuchTableException", "code": 404}}

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.is_asked.set()
            found.may_answer.wait(300)
            is_config = self.path.startswith("/v1/config")
            body = json.dumps({"defaults": {}, "overrides": {}} if is_config else no_table).encode()
            self.send_response(200 if is_config else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    address = f"127.0.0.1:{server.server_port}"
    beside = spark.newSession()
    beside.conf.set("spark.sql.catalog.mute", "org.apache.iceberg.spark.SparkCatalog")
    beside.conf.set("spark.sql.catalog.mute.type", "rest")
    beside.conf.set("spark.sql.catalog.mute.uri", f"http://{address}")
    found = SilentCatalog(address, beside)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield found
    found.may_answer.set()
    server.shutdown()
    server.server_close()


def test_the_opening_tells_whom_it_waits_for_until_the_answer_comes(catalog: SilentCatalog) -> None:
    said: list[str] = []

    def say(words: str) -> None:
        said.append(words)
        if len({*said}) > 3:
            catalog.may_answer.set()

    with pytest.raises(TableNotFound), telling_silence(catalog.spark, "mute.t.people", "Opening", say):
        Table.open("mute.t.people", catalog.spark)
    [first, *_] = filter(None, said)
    seconds = re.match(r"nothing has come for ([\d.]+) s; ", first)
    assert seconds is not None
    assert float(seconds[1]) >= 1, "not before its time"
    assert first.endswith(f"; the catalog is at {catalog.address}; no try failed so far")


def test_a_command_tells_it_too(catalog: SilentCatalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "session", lambda *_: catalog.spark)
    words = silence.words

    def answered_then(*silent: Any) -> str:
        if said := words(*silent):
            catalog.may_answer.set()
        return said

    monkeypatch.setattr(silence, "words", answered_then)
    result = CliRunner().invoke(cli.main, ["show", "snapshot-graph", "mute.t.people"])
    first, *_ = result.stderr.splitlines()
    assert first.startswith("Reading the table: nothing has come for")
    assert first.endswith(f"; the catalog is at {catalog.address}; no try failed so far.")
    assert "No table mute.t.people" in result.stderr


def test_an_interrupt_ends_an_opening_at_once_and_the_session_answers_on(catalog: SilentCatalog) -> None:
    catalog.interrupt()
    with pytest.raises(KeyboardInterrupt):
        explorer.table("mute.t.people", catalog.spark)
    assert not catalog.may_answer.is_set()
    assert catalog.spark.range(3).count() == 3


def test_an_interrupt_ends_a_command_at_once_too(catalog: SilentCatalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "session", lambda *_: catalog.spark)
    catalog.interrupt()
    result = CliRunner().invoke(cli.main, ["show", "snapshot-graph", "mute.t.people"])
    assert not catalog.may_answer.is_set()
    assert (result.exit_code, "Aborted!" in result.stderr) == (1, True)
    assert "Traceback" not in result.stderr
    assert catalog.spark.range(3).count() == 3
