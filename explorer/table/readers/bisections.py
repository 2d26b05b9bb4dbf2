"""Bisections: which commits of a line can have changed an answer, what reading takes, and the answers themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...engine.memory import read_once
from ...errors import ExplorerError
from ...model.arrays import Flags, Longs, numbers
from ...model.bisect import facts as model
from ...model.bisect import words
from ...model.bisect.facts import Answer, Beginning, Bisection, Candidate, Cause, Price
from ...model.bisect.statement import condition, metadata_tables
from ...model.iceberg.document import Schema
from ...model.iceberg.metadata import Snapshot
from ...queries import bisect as queries
from ...queries.bisect import Statement
from ...queries.files.candidates import Filter, condition_filter
from ...queries.rows import schema_mapping
from ...queries.source import Source
from .row_files import RowFiles
from .timelines import ReadHistory, Timelines

Answers = dict[tuple[int, str], Answer]
"""What was answered before, by snapshot id and statement: a snapshot never changes."""


@dataclass(frozen=True)
class BisectQuestion:
    """What is asked.

    Attributes:
        line: snapshots from the good end to the bad one, each the parent of the next.
        begins: whether the good end was asked for, and if not what was before it.
        every: whether every candidate is to be read.
    """

    sql: str
    line: tuple[Snapshot, ...]
    begins: Beginning
    every: bool


class AskedBisection:
    """A bisection that was asked for: what is known before an answer is read, and the way to read.

    Args:
        source: the table, with the manifests that are kept of it.
        timelines: of it.
        question: what is asked.
        answers: what was answered before; more is added.
    """

    def __init__(self, source: Source, timelines: Timelines, question: BisectQuestion, answers: Answers) -> None:
        self._source, self._timelines, self._question, self._answers = source, timelines, question, answers

    @read_once
    def statement(self) -> Statement:
        """The statement, as Spark analyses it at the bad end; no file of data is read.

        Raises:
            ExplorerError: it cannot be asked.
        """
        return queries.statement(self._source, self._question.sql, self._question.line[-1].snapshot_id)

    @read_once
    def price(self) -> Price:
        """What reading takes at most.

        Cost: the manifests of the history; large ones twice, where a condition rules files out.
        """
        return model.price(self._candidates, self._admitted_bytes, every=self._question.every)

    @read_once
    def facts(self) -> Bisection:
        """Where the answer changed. Cost: of `price`.

        Raises:
            ExplorerError: an end cannot be asked, or the good end answers false and the bad one true.
        """
        question, asked = self._question, self.statement
        ends = [self._ask(0), self._ask(len(question.line) - 1)]
        for snapshot, answer in zip((question.line[0], question.line[-1]), ends, strict=True):
            _refuse_end(snapshot, answer)
        if asked.is_boolean and [answer.value for answer in ends] == ["false", "true"]:
            raise ExplorerError(
                "The good end answers false, and the bad end answers true.",
                found="Of a statement that gives true or false, true is good.",
                next_step="Negate the statement to find the commit that made it true.",
            )
        reads = model.bisected(
            self._ask, len(question.line) - 1, self._candidates, every=question.every, is_boolean=asked.is_boolean
        )
        return Bisection(
            sql=asked.sql,
            snapshots=question.line,
            begins=question.begins,
            is_boolean=asked.is_boolean,
            candidates=self._candidates,
            pruned="" if self._why_not_pruned else self._condition[0],
            why_not_pruned=self._why_not_pruned,
            reads=reads,
            every=question.every,
            price=self.price,
            notes=tuple(words.floating(asked.kind.typeName())),
        )

    def _ask(self, place: int) -> Answer:
        key = self._question.line[place].snapshot_id, self.statement.sql
        known = self._answers.get(key)
        if known is None:
            known = queries.answer(self._source, self.statement, key[0])
            if not known.why_not:  # what cannot be read now may be there again when it is asked the next time
                self._answers[key] = known
        return known

    # --- which commits can have changed the answer

    @read_once
    def _history(self) -> ReadHistory:
        if isinstance(self._filter, Filter):
            self._timelines.read_for_rows()
        return self._timelines.history

    @property
    def _condition(self) -> tuple[str, str]:
        return condition(self.statement.sql)

    @read_once
    def _filter(self) -> Filter | str:
        """What rules files out, in whatever schema of the line the condition is read; else why nothing does."""
        asked, why_not = self._condition
        if why_not:
            return why_not
        ids = dict.fromkeys(snapshot.schema_id for snapshot in reversed(self._question.line))
        schemas = [schema_mapping.schema_at(self._source.document, {"schema-id": i}) for i in ids]
        found = _in_any(asked, schemas, self._source)
        return found if isinstance(found, Filter) else f"the condition rules no file out: {found}"

    @property
    def _why_not_pruned(self) -> str:
        return self._filter if isinstance(self._filter, str) else ""

    @read_once
    def _wanted(self) -> Flags:
        """By lifetime, whether it is a data file that may hold rows that are asked about, or a delete near one."""
        lifetimes = self._history.lifetimes
        if isinstance(self._filter, str):
            return np.ones(lifetimes.count, dtype=bool)
        files = RowFiles(self._source, self._timelines, ())
        data = files.admitted(self._filter)
        wanted: Flags = np.zeros(lifetimes.count, dtype=bool)
        wanted[[*data, *files.deletes_of(data)]] = True
        return wanted

    @read_once
    def _line(self) -> Longs:
        """By place in the order of commits, the place on the line; -1 for snapshots beside it."""
        lifetimes = self._history.lifetimes
        found: Longs = np.full(len(lifetimes.order), -1, dtype=np.int64)
        for place, snapshot in enumerate(self._question.line):
            found[lifetimes.place[snapshot.snapshot_id]] = place
        return found

    @read_once
    def _candidates(self) -> tuple[Candidate, ...]:
        lifetimes, line = self._history.lifetimes, self._question.line
        if metadata_tables(self.statement.sql):
            return tuple(Candidate(place, "metadata", late=False) for place in range(1, len(line)))
        causes = dict[int, Cause]()
        for events in (lifetimes.begins, lifetimes.ends):
            places = self._line[events.place[self._wanted[events.lifetime]]]
            causes |= dict.fromkeys(np.unique(places[places > 0]).tolist(), "files")
        causes |= {i: "schema" for i in range(1, len(line)) if line[i].schema_id != line[i - 1].schema_id}
        causes |= dict.fromkeys(self._unknown, "unknown")
        return tuple(
            Candidate(place, cause, cause == "files" and line[place].operation == "replace")
            for place, cause in sorted(causes.items())
        )

    @property
    def _unknown(self) -> Iterable[int]:
        """Places of commits of which it is not known what they did: their list, or a manifest, cannot be read."""
        lifetimes, unread = self._history.lifetimes, self._history.stored.unreadable_files.keys()
        for place, snapshot in enumerate(self._question.line[1:], 1):
            step = lifetimes.steps.get(lifetimes.place[snapshot.snapshot_id])
            if step is None or step.skipped or step.why_unknown or unread & (step.new | step.dropped):
                yield place

    @read_once
    def _admitted_bytes(self) -> tuple[int, ...]:
        """By place on the line, bytes of the files that may be read for the answer."""
        lifetimes = self._history.lifetimes
        if metadata_tables(self.statement.sql):
            return self._bytes_of_manifests
        parts = numbers(lifetimes.column("content_size_in_bytes"))
        sizes = np.where(parts > 0, parts, numbers(lifetimes.column("file_size_in_bytes"))) * self._wanted
        grown = np.zeros(len(self._question.line), dtype=np.int64)
        live = lifetimes.live_at(lifetimes.place[self._question.line[0].snapshot_id])
        grown[0] = sizes[live].sum()
        for sign, events in ((1, lifetimes.begins), (-1, lifetimes.ends)):
            places = self._line[events.place]
            after = places > 0
            np.add.at(grown, places[after], sign * sizes[events.lifetime[after]])
        return tuple(np.maximum(np.cumsum(grown), 0).tolist())

    @property
    def _bytes_of_manifests(self) -> tuple[int, ...]:
        """By place on the line; 0 where the list cannot be read."""
        lists, manifests = self._history.lists, self._history.stored.manifests
        listed = (lists.get(snapshot.snapshot_id, "") for snapshot in self._question.line)
        return tuple(0 if isinstance(one, str) else sum(manifests[i].length or 0 for i in one) for one in listed)


def _in_any(asked: str, schemas: list[Schema], source: Source) -> Filter | str:
    """A filter that admits what the condition admits in one of the schemas; the first is that of the bad end.

    A schema that lacks a column of the condition cannot be asked, and admits nothing.
    """
    filters: list[Filter] = []
    zone = source.spark.conf.get("spark.sql.session.timeZone") or ""
    for schema in schemas:
        found = condition_filter(asked, schema, source.specs, zone=zone)
        if isinstance(found, Filter):
            filters.append(found)
        elif not filters or _has(schema, filters[0].columns):
            return found
    by_ids: Mapping[Any, Filter] = {filter_.field_ids: filter_ for filter_ in filters}
    if len(by_ids) == 1:
        return filters[0]
    ids = tuple(dict.fromkeys(i for key in by_ids for i in key))
    return Filter(lambda entry: any(f.admits(entry) for f in by_ids.values()), ids, filters[0].columns, ())


def _has(schema: Schema, names: Iterable[str]) -> bool:
    own = {name.lower() for name in schema_mapping.columns(schema)}
    return own.issuperset(name.lower() for name in names)


def _refuse_end(snapshot: Snapshot, answer: Answer) -> None:
    if answer.why_not:
        raise ExplorerError(
            f"The statement cannot be asked at an end of the line, {words.named(snapshot)}, {snapshot.snapshot_id}.",
            found=answer.why_not,
            next_step="Name another snapshot as good or as bad, at which it can be asked.",
        )
