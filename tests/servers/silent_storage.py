"""An explorer of a table on S3 that stops answering, and then is gone; prints what its status line says meanwhile."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from explorer.engine import session
from explorer.model import silence
from explorer.table import Table
from explorer.widgets import TableExplorer
from tests.servers.components import EMBEDDED
from tests.servers.s3 import PACKAGES, bucket, s3_catalog

TABLE = "s3.t.people"


def main(folder: Path) -> None:
    """Print a JSON object: the line by what happened when it was seen."""
    silence.PATIENCE = 1.0
    seen: dict[str, str] = {}
    with bucket() as s3:
        # The SDK gives one try half a minute otherwise.
        quick = {"spark.sql.catalog.s3.http-client.apache.socket-timeout-ms": "2000"}
        jars = {"spark.jars.packages": ",".join(PACKAGES)}
        spark = session(conf=EMBEDDED | jars | s3_catalog(s3.client, folder) | quick)
        spark.sql("CREATE NAMESPACE s3.t")
        spark.sql(f"CREATE TABLE {TABLE} USING iceberg AS SELECT 1 AS id")
        table = Table.open(TABLE, spark)
        explorer = TableExplorer(table)
        activity: Any = explorer._activity
        line, _, cancel = activity.children
        seen["endpoint"] = s3.client.meta.endpoint_url
        _until(lambda: line.value == "")

        spark.sql(f"INSERT INTO {TABLE} VALUES (2)")
        s3.answers.clear()
        explorer.reload()
        _until(lambda: "nothing has come" in line.value)
        seen["silent"] = line.value
        _until(lambda: re.search(r"([2-9]|\d\d) tries failed so far", line.value))
        seen["tried"] = line.value
        cancel.click()
        seen["cancelled"] = line.value + explorer._errors.children[0].value
        explorer.reload()
        _until(lambda: "waits for" in line.value)
        seen["behind"] = line.value
        threading.Timer(1, s3.answers.set).start()
        _until(lambda: line.value == "" and len(table.metadata.snapshots) == 2)
        seen["answered"] = line.value
    explorer.reload()
    _until(lambda: "tries failed so far" in line.value)
    seen["refused"] = line.value
    json.dump(seen, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # what still tries in the JVM would be waited for


def _until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 300
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("it never came true")
        time.sleep(0.02)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
