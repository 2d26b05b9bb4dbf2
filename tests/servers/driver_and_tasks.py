"""What Spark's tasks did for an answer, and how much of it reached the driver.

As a program, `python -m tests.servers.driver_and_tasks HISTORY TABLE…` prints one JSON document, by table and question,
of whichever session `explorer.session()` finds there.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from pyspark.sql import SparkSession

from explorer.table import Table
from explorer.table.export import to_json
from explorer.table.picture import Picture

Ask = Callable[[], Picture[Any]]


@dataclass(frozen=True)
class Work:
    """What was done for one answer.

    Attributes:
        tasks: of each stage that ran, in their order.
        executors: those that ran tasks, the driver among them if it did.
        read: by tasks from files, bytes.
        sent: by tasks to the driver, bytes.
        read_by_driver: by its Java from files, bytes.
        opened_by_driver: Avro files that its Python opened.
    """

    tasks: list[int]
    executors: list[str]
    read: int
    sent: int
    read_by_driver: int
    opened_by_driver: list[str]


class Watch:
    """Watches a classic session."""

    def __init__(self, spark: SparkSession) -> None:
        self._context: Any = spark.sparkContext._jsc.sc()  # type: ignore[attr-defined]
        self._jvm: Any = spark._jvm
        self._no_quantiles = spark.sparkContext._gateway.new_array(self._jvm.double, 0)
        self._opened: list[str] = []
        sys.addaudithook(self._heard)

    def work(self, ask: Callable[[], object]) -> Work:
        """What asking this takes; nobody else may ask meanwhile."""
        stages, done, read, opened = set(self._stages()), self._done(), self._read_by_driver(), len(self._opened)
        ask()
        found = [stage for stage_id, stage in sorted(self._stages().items()) if stage_id not in stages]
        ran = [stage for stage in found if stage.numCompleteTasks()]
        return Work(
            tasks=[stage.numCompleteTasks() for stage in ran],
            executors=[name for name, count in sorted(self._done().items()) if count > done.get(name, 0)],
            read=sum(stage.inputBytes() for stage in ran),
            sent=sum(stage.resultSize() for stage in ran),
            read_by_driver=self._read_by_driver() - read,
            opened_by_driver=self._opened[opened:],
        )

    def _stages(self) -> dict[int, Any]:
        self._context.listenerBus().waitUntilEmpty()
        every = self._jvm.java.util.ArrayList()
        listed = self._context.statusStore().stageList(None, False, False, self._no_quantiles, every)
        return {stage.stageId(): stage for stage in map(listed.apply, range(listed.size()))}

    def _done(self) -> dict[str, int]:
        listed = self._context.statusStore().executorList(True)
        return {e.id(): e.completedTasks() for e in map(listed.apply, range(listed.size()))}

    def _read_by_driver(self) -> int:
        return sum(found.getBytesRead() for found in self._jvm.org.apache.hadoop.fs.FileSystem.getAllStatistics())

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and str(arguments[0]).endswith(".avro"):
            self._opened.append(str(arguments[0]))


def of_history(table: Table) -> dict[str, Ask]:
    """What reads every manifest."""
    return {"timeline": table.sequence_timeline}


def of_rows(table: Table) -> dict[str, Ask]:
    """What reads rows: of all commits, and of the last but one."""
    commit = sorted(table.metadata.snapshots, key=lambda s: s.sequence_number)[-2]
    return {
        "changelog": lambda: table.changelog(mode="changes"),
        "commit": lambda: table.commit(str(commit.snapshot_id), rows=True),
    }


def answered(table: Table, picture: Picture[Any]) -> list[str]:
    """An answer in short: its title, and a digest of its rows."""
    document = json.loads(to_json(table, picture))
    return [picture.title, hashlib.sha256(json.dumps(document["rows"]).encode()).hexdigest()]


def main() -> None:
    """Answer about the history of the first table, and about the rows of the others."""
    import explorer
    from explorer.engine import session

    history, *rows = map(explorer.table, sys.argv[1:])
    asked = [(history, of_history(history)), *((table, of_rows(table)) for table in rows)]
    watch, found = Watch(session()), {}
    for table, questions in asked:
        for question, ask in questions.items():
            picture = ask()
            work = watch.work(picture.read)
            found[f"{table.name} {question}"] = {"work": asdict(work), "answered": answered(table, picture)}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
