"""A table and the questions it answers. One method per question; each puts query, model and figure together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from pyspark.sql import DataFrame

from ..figures.changelog import draw as changelog_figure
from ..figures.commit import draw as commit_figure
from ..figures.snapshot_graph import draw as snapshot_graph_figure
from ..model.changelog import words as changelog_words
from ..model.changelog.facts import Changelog, Mode
from ..model.commit import facts as commit_facts
from ..model.commit import findings as commit_findings
from ..model.commit import words as commit_words
from ..model.commit.facts import CommitFacts
from ..model.commit.row_outcomes import Cost
from ..model.evidence import Note
from ..model.snapshot_graph import evidence as snapshot_graph_evidence
from ..model.snapshot_graph import facts as snapshot_graph_facts
from ..model.snapshot_graph import words as snapshot_graph_words
from ..model.snapshot_graph.facts import SnapshotGraph
from ..queries.commit.sql import boundary_query, commit_query
from ..queries.files.snapshots import snapshots_query
from ..queries.query import sql_of
from . import columns
from .answers.changelog import AskedChangelog, Page
from .number_questions import NumberQuestions
from .opened_table import NO_NAME_FOR_ENTRIES, ROWS_IN_PYTHON, as_read
from .picture import Picture


class ChangelogPicture(Picture[Changelog]):
    """A changelog; `page` reads some of its rows at a time."""

    def __init__(self, asked: AskedChangelog, **answers: Any) -> None:
        super().__init__(**answers)
        self.known = asked.known
        self._page = asked.page

    def page(self, **asked: Any) -> Page:
        """Some of the rows; arguments and errors of `AskedChangelog.page`."""
        with self._asking():
            return self._page(**asked)


class Table(NumberQuestions):
    """One Iceberg table as it was when its metadata was read; `reload()` looks again.

    Every answer is of the table as it was read, whatever was committed since. Every question, and every picture of one
    when it is looked at, may raise `TableChanged` where that is not possible any more, and `NoSpark` where the session
    was lost; both are mended by `reload()`.
    """

    @as_read
    def snapshot_graph(self) -> Picture[SnapshotGraph]:
        """Every snapshot the metadata lists: parents, refs, states, numbers, counters.

        `.data` has a row per snapshot in commit order. snapshot_id, parent_id (NA for a root), copied_from and
        published_as (NA if none) are text; sequence_number (0 for version 1), attempt, schema_id, the six counters
        (added_data_files … deleted_records; from the summary, NA where it does not count) and first_row_id are `Int64`;
        committed_at is UTC; refs and made_current_at are lists; state and parent_state as in the design.

        A file that Iceberg refuses is told too, as it is stored, and a note says why Iceberg does. An id that is beyond
        64 bits makes all ids of `.frame` and of the SQL decimal(38,0).

        Cost: nothing beyond the metadata already read; where Iceberg may refuse the file, the notes have it try once.
        Source: specification, "Snapshots", "Snapshot References".
        """
        graph = self.graph
        sql = sql_of(snapshots_query(self._located, self._file, wide_ids=not self._ids_fit))
        return Picture(
            name="snapshot_graph",
            title=snapshot_graph_words.title,
            facts=lambda: graph,
            data=lambda: columns.SNAPSHOT_GRAPH.pandas(snapshot_graph_facts.rows(graph)[-ROWS_IN_PYTHON:]),
            frame=self._frame_of_graph,
            draw=lambda theme: snapshot_graph_figure.draw(graph, theme, name=self.name, read_at=self.read_at),
            sql=sql,
            notes=lambda told: [
                *self._notes("" if sql else self._file.hidden_from_sql),
                *self._cut(len(self.metadata.snapshots), "the newest "),
                *snapshot_graph_evidence.notes(told),
            ],
            first="bottom",
            row_count=lambda _: len(self.metadata.snapshots),
        )

    def _frame_of_graph(self) -> DataFrame:
        with self.asking():  # of this picture alone the facts need no Spark
            return columns.SNAPSHOT_GRAPH.spark(self._spark, snapshot_graph_facts.rows(self.graph))

    @as_read
    def commit(
        self, snapshot: int | str, *, rows: bool = False, identifier_columns: Sequence[str] | None = None
    ) -> Picture[CommitFacts]:
        """What a commit did to files: those it added and removed, manifests it kept, dropped and wrote. To rows too.

        `.data` has a row per added or removed file: file_path; content_offset (bytes, of deletion vectors); content
        (`data`, `position deletes`, `equality deletes`, `deletion vector`); change (`added`, `removed`); spec_id;
        partition (`region=EU`, empty if unpartitioned); record_count; file_size_in_bytes; data_sequence_number and
        file_sequence_number (as a reader sees them); the rows_* columns, NA unless rows were read; and what else the
        entry says. `.facts` counts the files kept.

        Cost: two manifest lists, and the manifests that the commit added. With `rows` also what `commit_cost` says.

        Args:
            snapshot: id (int or text), branch or tag.
            rows: read the data files that the commit touched, and tell what became of each row: carried over, inserted,
                updated, deleted, and from which file to which.
            identifier_columns: names, or one: what makes an update of a row gone and a row new where row ids cannot;
                the table's own if None.

        Raises:
            UnknownSnapshot: none of that id or name.
            UnreadableMetadata: with `rows`, a manifest of the commit cannot be read.
            ExplorerError: an identifier column that the table has not.
        """
        of = self.snapshot(snapshot)
        with self.asking(rows=rows):
            facts = (
                self._readers.commits.with_rows(of, identifier_columns)
                if rows
                else CommitFacts(self._readers.commits.commit(of))
            )
        sql = sql_of(commit_query(self._located, of.snapshot_id, partitioned=self._is_partitioned))
        notes = []
        if facts.rows is None and facts.commit.file_count:
            notes.append(Note("unknown", "What became of rows", "They were not read; commit(…, rows=True) reads them."))
        return self._commit_picture("commit", facts, sql, notes)

    def _commit_picture(self, name: str, facts: CommitFacts, sql: str, notes: list[Note]) -> Picture[CommitFacts]:
        hidden = "" if sql else NO_NAME_FOR_ENTRIES
        return Picture(
            name=name,
            asking=self.asking,
            title=lambda told: commit_words.title(told.commit, told.rows),
            facts=lambda: facts,
            data=lambda: columns.COMMIT.pandas(commit_facts.rows(facts)),
            frame=lambda: columns.COMMIT.spark(self._spark, commit_facts.rows(facts)),
            draw=lambda theme: commit_figure.draw(facts.commit, facts.rows, theme, name=self.name),
            sql=sql,
            notes=lambda told: [
                *self._notes(hidden, told.commit.contradictions),
                *self._refused_sql(
                    sql,
                    commit_findings.listed(told.commit, before=name == "boundary"),
                    lost=commit_findings.has_unreadable(told.commit),
                ),
                *notes,
                *self._readers.commits.notes,
                *told.commit.notes,
                *(told.rows.notes if told.rows else ()),
            ],
            row_count=lambda told: told.commit.file_count,
        )

    @as_read
    def boundary(self, start: int | str, end: int | str) -> Picture[CommitFacts]:
        """The net boundary between two snapshots: files that only one of them has, told as if one commit had done it.

        Neither need be an ancestor of the other. What was added and removed again in between is in neither of them.
        `.data` has the columns of `commit`. For the rows in between ask `changelog(start, end, "net")`.

        Cost: two manifest lists, and the manifests that only one of them lists.

        Raises:
            UnknownSnapshot: no snapshot of that name.
            UnreadableMetadata: a manifest list or a manifest cannot be read.
        """
        since, until = self.snapshot(start), self.snapshot(end)
        with self.asking():
            facts = CommitFacts(self._readers.commits.between(since, until))
        sql = sql_of(
            boundary_query(self._located, since.snapshot_id, until.snapshot_id, partitioned=self._is_partitioned)
        )
        return self._commit_picture("boundary", facts, sql, [])

    @as_read
    def changelog(
        self,
        start: int | str | None = None,
        end: int | str | None = None,
        mode: Mode = "changes",
        *,
        identifier_columns: Sequence[str] | None = None,
    ) -> ChangelogPicture:
        """The rows that the commits after `start` up to and with `end` changed, for every table format and write mode.

        `.data` has the columns of the table's current schema; _change_type (`INSERT`, `DELETE`, `UPDATE_BEFORE`,
        `UPDATE_AFTER`); _change_ordinal, from 0 in the range as Iceberg counts, without `replace` commits;
        _commit_snapshot_id, text; _commit_sequence_number, 0 in version 1. By commit, then identifier columns or all.
        A variant is its JSON text. A column with dates or times before year 1 or after 9999, which Python has not, is
        exact text: `+10000-01-01 04:59:59Z` where its times have a zone. `.frame` keeps the types of Spark.

        Args:
            start: exclusive, an ancestor of `end`: id, branch or tag, or the id of an expired snapshot whose child is
                listed. None: everything known.
            end: inclusive: id, branch or tag. None: the current snapshot.
            mode: `raw`, as Iceberg's `.changes`; `changes`, without rows that were only carried over; `updates`, with
                pairs by identifier columns, else by row ids; `net`, less what later commits took back; `ownership`, the
                rows live at `end`, each with the commit that added its file.
            identifier_columns: names, or one; the table's own if None.

        Cost: the manifests of the commits now; data files of the range when rows are looked at.

        Raises:
            UnknownSnapshot: no snapshot of that name.
            ExplorerError: `start` is no ancestor of `end` (names the common one); no such mode or column; nothing has
                been committed; the table has a column named as one of the changelog's (`queries/changelog/names.py`).
            UnreadableMetadata: in `ownership`, a manifest cannot be read.
        """
        first = None if start is None else self._id(start)
        last = None if end is None else self.snapshot(end).snapshot_id
        with self.asking(rows=True):
            asked = self._readers.changelogs.ask(mode, first, last, identifier_columns)
        notes = self._notes("" if asked.sql else self._hidden_changelog())
        return ChangelogPicture(
            asked,
            name="changelog",
            asking=partial(self.asking, rows=True),
            title=changelog_words.title,
            facts=lambda: asked.facts,
            data=lambda: asked.data(ROWS_IN_PYTHON),
            frame=lambda: asked.frame,
            draw=lambda theme: changelog_figure.draw(asked.facts, theme, name=self.name),
            sql=asked.sql,
            notes=lambda told: [
                *notes,
                *self._refused_sql(asked.sql, asked.listed, lost=bool(told.unread)),
                *self._cut(told.row_count or 0),
                *self._readers.commits.notes,
                *told.notes,
            ],
            row_count=lambda told: told.row_count,
        )

    def _hidden_changelog(self) -> str:
        if self._located.relation is None:
            return "SQL cannot name the rows of a table that was opened by its file."
        return (
            f"Some are read by a scan with options, which SQL has from Spark 4 on; this is Spark {self.spark.version}."
        )

    @as_read
    def commit_cost(self, snapshot: int | str) -> Cost:
        """How many data files, and how big, must be read for the rows of a commit; told from manifests alone.

        Raises:
            UnknownSnapshot: none of that id or name.
            UnreadableMetadata: a manifest of the commit cannot be read.
        """
        of = self.snapshot(snapshot)
        with self.asking():
            return self._readers.commits.cost(of)
