"""A session on a Spark Connect server."""

from __future__ import annotations

import atexit
import importlib.util
import socket
import threading
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pyspark
from pyspark.sql import SparkSession

from ..errors import NoSpark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_TIMEOUT = 10.0  # seconds
_DEFAULT_PORT = 15002


def is_connect(spark: SparkSession) -> bool:
    """Whether a session talks to a Spark Connect server, and so has no JVM gateway."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def check_client() -> None:
    """Raise if the client of the installed pyspark cannot ask what the explorer asks.

    Raises:
        NoSpark: it is that of Spark 3.5, which takes no frames in SQL and has no checkpoints.
    """
    if pyspark.__version__ < "4":
        raise NoSpark(
            f"The Spark Connect client of pyspark {pyspark.__version__} cannot ask what the explorer asks.",
            found="It takes no DataFrames in SQL and has the server keep no results; both came with Spark 4.",
            next_step="Install a newer client: pip install 'pyspark>=4.0,<4.2'. Or unset SPARK_REMOTE:"
            " the explorer then starts its own Spark.",
        )


def connected(remote: str, conf: Mapping[str, str] | None = None) -> SparkSession:
    """A session on the server of a Connect address such as `sc://host:15002/;token=…`.

    Args:
        remote: the address, or `local[…]` for a server that Spark starts in this process.
        conf: settings for that server; a server elsewhere has its own.

    Raises:
        NoSpark: the `[connect]` extra is missing, its client is too old, or nothing answers at that address. pyspark
            alone would go on trying for 20 minutes.
    """
    check_client()
    if importlib.util.find_spec("grpc") is None:
        raise NoSpark(
            f"SPARK_REMOTE names a Spark Connect server ({_place(remote)}), but its client is not installed.",
            next_step="Install it: pip install 'iceberg-table-explorer[connect]'. Or unset SPARK_REMOTE:"
            " the explorer then starts its own Spark.",
        )
    builder = SparkSession.builder
    if not remote.startswith("local"):
        _try(remote)
        spark = builder.remote(remote).getOrCreate()
        atexit.register(_part_from, spark)  # before what pyspark does then, which was registered earlier
        return spark
    for key, value in (conf or {}).items():
        builder = builder.config(key, value)
    with warnings.catch_warnings():
        # The client sets them all once more, and warns of those that only a start can set.
        warnings.filterwarnings("ignore", "Failed to set", UserWarning)
        return builder.remote(remote).getOrCreate()


def _part_from(spark: SparkSession) -> None:
    """Of a server that is gone, pyspark would go on taking its leave for 20 minutes at the end of the process."""
    if not is_served(spark):
        connect: Any = spark
        connect.client.set_retry_policies([])


def is_served(spark: SparkSession) -> bool:
    """Whether somebody listens where a Connect session sends its questions."""
    connect: Any = spark
    host, _, port = connect.client._builder.endpoint.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_TIMEOUT).close()
    except OSError:
        return False
    return True


@contextmanager
def retry_while(answers: Callable[[], bool], spark: SparkSession) -> Iterator[None]:
    """Within the block a Connect session tries a question again only while `answers()`: else for 10 minutes and more.

    Blocks of one session may lie within each other and overlap, on any threads: each holds until it is left, and the
    last one to be left gives the session its own retry policies back.

    Args:
        answers: whether the server is there.
        spark: the session; it keeps its own retry policies afterwards, unless the server is gone: what pyspark still
            wants to tell it, in threads of its own, would hold up the end of this process.
    """
    connect: Any = spark
    client = connect.client
    _enter(client, answers)
    try:
        yield
    except BaseException:
        _leave(client, answers, is_gone=not answers())
        raise
    _leave(client, answers, is_gone=False)


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of one session that are open: the policies from before the first, and what each of them asks."""

    own: list[Any]
    answers: list[Callable[[], bool]]


_open_blocks: dict[Any, _Blocks] = {}  # by client
_entering_or_leaving = threading.Lock()


def _enter(client: Any, answers: Callable[[], bool]) -> None:
    with _entering_or_leaving:
        blocks = _open_blocks.get(client)
        if blocks is None:
            # Policies that a block without its server left behind know what was before it.
            own = [getattr(policy, "own", policy) for policy in client.get_retry_policies()]
            blocks = _open_blocks[client] = _Blocks(own, [])
            client.set_retry_policies([_while_all_answer(policy, blocks.answers) for policy in own])
        blocks.answers.append(answers)


def _leave(client: Any, answers: Callable[[], bool], *, is_gone: bool) -> None:
    with _entering_or_leaving:
        blocks = _open_blocks[client]
        if len(blocks.answers) == 1:
            del _open_blocks[client]
            if is_gone:
                return
            client.set_retry_policies(blocks.own)
        blocks.answers.remove(answers)


def _while_all_answer(own: Any, answers: list[Callable[[], bool]]) -> Any:
    """A retry policy like a session's own, that gives up once one of `answers` says no."""
    from pyspark.sql.connect.client.retries import RetryPolicy

    class WhileAllAnswer(RetryPolicy):
        def __init__(self) -> None:
            self.__dict__.update(own.__dict__)
            self.own = own

        def can_retry(self, exception: BaseException) -> bool:
            return bool(own.can_retry(exception)) and all(answer() for answer in tuple(answers))

    return WhileAllAnswer()


def close_unserved(spark: SparkSession) -> None:
    """Close a session whose server knows it no more; its own `stop` would tell the server, for 10 minutes and more."""
    connect: Any = spark
    connect.client._channel.close()
    connect.client._closed = True
    sessions = type(connect)
    if sessions._default_session is spark:
        sessions._default_session = None
    if getattr(sessions._active_session, "session", None) is spark:
        sessions._active_session.session = None


def connect_server_conf(conf: Mapping[str, str]) -> dict[str, str]:
    """The settings of an embedded session, for a Connect server in this process: its address names the master."""
    server = {key: value for key, value in conf.items() if key != "spark.master"}
    return server | {
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.address": "127.0.0.1",
    }


def _try(remote: str) -> None:
    """Make sure that a Connect server answers before a session exists, which would hold up even the kernel's end."""
    try:
        address = urlsplit(remote)
        host, port = address.hostname, address.port or _DEFAULT_PORT
        if address.scheme != "sc" or not host:
            raise ValueError("it must begin with sc://host")
        # A port that refuses says so at once; gRPC would try it again and again.
        socket.create_connection((host, port), timeout=_TIMEOUT).close()
        _speak(remote)
    except (OSError, ValueError) as error:
        raise NoSpark(
            f"SPARK_REMOTE names the Spark Connect server {_place(remote)}, and it cannot be reached.",
            found=f"{error}.",
            next_step="Start that server or correct the address (sc://host:port). Or unset SPARK_REMOTE:"
            " the explorer then starts its own Spark.",
        ) from None


def _speak(remote: str) -> None:
    import grpc  # type: ignore[import-untyped]
    from pyspark.sql.connect.client import DefaultChannelBuilder

    channel = DefaultChannelBuilder(remote).toChannel()
    try:
        grpc.channel_ready_future(channel).result(timeout=_TIMEOUT)
    except grpc.FutureTimeoutError:
        raise TimeoutError(f"the port is open, but no gRPC server spoke within {_TIMEOUT:.0f} seconds") from None
    finally:
        channel.close()


def _place(remote: str) -> str:
    """The address without its parameters, one of which may be a token."""
    return remote.partition("/;")[0]
