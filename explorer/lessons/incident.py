"""An incident to play through: a load whose files were registered a second time; built anew whenever it is played."""

from __future__ import annotations

from typing import Any

from ..engine import session
from .lesson import Lesson, LiveTable
from .sandbox import build_sandbox

_DAYS = 6
_TWICE = 3  # the day whose load is tried again


def _build(table: LiveTable) -> None:
    """A load a day; the loader of one of them lost its connection, and tried again with the files it had."""
    table.sql(
        "CREATE TABLE {table} (order_id BIGINT, city STRING, amount DECIMAL(8, 2), day INT) USING iceberg "
        "TBLPROPERTIES ('format-version' = '2', 'write.distribution-mode' = 'none')"
    )
    for day in range(1, _DAYS + 1):
        if day == _TWICE + 2:  # the retry comes a day late, when others have committed
            _append_again(table, _TWICE)
        table.sql(
            "INSERT INTO {table} SELECT /*+ COALESCE(1) */ {day} * 100 + id, "
            "element_at(array('Ulm', 'Vaduz', 'Basel'), CAST(id % 3 + 1 AS INT)), "
            "CAST(id * 3.5 AS DECIMAL(8, 2)), {day} FROM range(20)",
            day=day,
        )
    table.sql("DELETE FROM {table} WHERE order_id = 105")


def _append_again(table: LiveTable, number: int) -> None:
    """Append the data files of one commit again, as a writer does that does not know that it succeeded."""
    jvm: Any = table.spark._jvm
    loaded = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(table.spark._jsparkSession, table.name)
    snapshot = next(s for s in loaded.snapshots() if s.sequenceNumber() == number)
    change = loaded.newAppend()
    for file in snapshot.addedDataFiles(loaded.io()):
        change.appendFile(file)
    change.commit()
    table.spark.sql(f"REFRESH TABLE {table.name}")


DOUBLED = Lesson(
    "incidents.doubled",
    "An incident: the orders of one day count twice",
    "A load a day, and a day later one load again: its writer had lost the connection after its commit, took it for "
    "lost, and appended the same files once more. Iceberg compares no paths, so that each of these rows is read twice.",
    _build,
    working_days=8,
)


def again() -> str:
    """Build the table of the incident anew, whatever was done to it; its name.

    Raises:
        ExplorerError: as of `build_sandbox`.
    """
    (built,) = build_sandbox(session(), lessons=[DOUBLED], anew=True)
    return built.name
