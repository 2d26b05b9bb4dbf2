"""Writers that fight for the same table, so that commits lose and are tried again."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

from ..lesson import Lesson, LiveTable
from ..times import SIGNATURE

_TILLS = ("front door", "back door", "online")
_DAYS_AT_LEAST, _DAYS_AT_MOST = 2, 20


def build(table: LiveTable) -> None:
    """Three tills append a day's sales while the office removes the day before; again until a till had to try twice."""
    table.sql(
        "CREATE TABLE {table} (day INT, till STRING, amount INT) USING iceberg PARTITIONED BY (day) TBLPROPERTIES "
        "('format-version' = '2', 'commit.retry.num-retries' = '20', 'commit.retry.min-wait-ms' = '10')"
    )
    table.sql("INSERT INTO {table} VALUES (0, 'opening', 100)")
    with ThreadPoolExecutor(len(_TILLS) + 1) as writers:
        for day in range(1, _DAYS_AT_MOST + 1):
            office = writers.submit(table.sql, "DELETE FROM {table} WHERE day = {before}", before=day - 1)
            tills = [
                writers.submit(_sell, table, day, till, amount=10 * day + place) for place, till in enumerate(_TILLS)
            ]
            for writer in (office, *tills):
                writer.result()
            if day >= _DAYS_AT_LEAST and _a_till_tried_twice(table):
                return


def _sell(table: LiveTable, day: int, till: str, amount: int) -> None:
    """One sale, signed by the till: the writers share a session, so the name goes with the write."""
    sale = table.query("SELECT {day} AS day, '{till}' AS till, {amount} AS amount", day=day, till=till, amount=amount)
    sale.writeTo(table.name).option(f"snapshot-property.{SIGNATURE}", till).append()


def _a_till_tried_twice(table: LiveTable) -> bool:
    lists = table.rows("SELECT manifest_list FROM {table}.snapshots WHERE operation = 'append'")
    attempts = [int(found[1]) for row in lists if (found := re.search(r"/snap-\d+-(\d+)-[^/]*$", row[0]))]
    return max(attempts, default=0) > 1


LESSON = Lesson(
    name="lessons.concurrent_writers",
    title="Concurrent writers: who lost a race tried again",
    story=(
        "Each day three tills append a sale at the same moment, and the office removes the sales of the day before. "
        "Only one can be first. Who lost took the new table as its base and tried again: it wrote its manifest list "
        "anew, with the next sequence number, and used its manifest again as it was, for the number in it is null. "
        "The manifest list's name tells the attempt, the summary's `app-name` the till. Who fought whom is another "
        "story at every building; no sale is lost in any."
    ),
    build=build,
)
