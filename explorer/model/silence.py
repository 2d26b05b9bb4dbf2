"""What is said while a question waits for a catalog or a storage: whom it may wait for, and for how long."""

from __future__ import annotations

from dataclasses import dataclass

from . import formats

PATIENCE = 15.0
"""Seconds without news after which it is said."""


@dataclass(frozen=True)
class Remote:
    """What a table needs that is not on this machine, each named without any credential; empty where nothing is known.

    Attributes:
        files: where its files lie: `127.0.0.1:9000`, `s3://lake`.
        catalog: the address of its catalog: `rest.example.com`.
    """

    files: str = ""
    catalog: str = ""


def words(seconds: float, remote: Remote, failed_tries: int | None) -> str:
    """Whom a question may wait for that nothing was heard of for so long; empty while that is no wonder.

    Nothing is claimed that is not known: it may also be Spark that takes its time.

    Args:
        seconds: since anything was heard.
        remote: whom it may wait for. Of a table of this machine nothing is said.
        failed_tries: requests to the storage that failed in that time and were tried again; None if not counted.
    """
    places = [f"the files lie at {remote.files}"] if remote.files else []
    places += [f"the catalog is at {remote.catalog}"] if remote.catalog else []
    if seconds < PATIENCE or not places:
        return ""
    if failed_tries is None:
        tries = "tries are not counted here"
    else:
        tries = f"{formats.count(failed_tries, 'try') if failed_tries else 'no try'} failed so far"
    return f"nothing has come for {formats.duration(seconds)}; {', '.join(places)}; {tries}"
