"""Questions about sequence numbers: what entries store, how commits raced, what deletes reach, when files lived."""

from __future__ import annotations

from copy import copy
from functools import cache

from pyspark.sql import SparkSession

from ..figures.deletes import draw as deletes_figure
from ..figures.entries import draw as entries_figure
from ..figures.retries import draw as retries_figure
from ..figures.sequence_timeline import draw as sequence_timeline_figure
from ..figures.why import draw as why_figure
from ..model.deletes import rows as deletes_rows
from ..model.deletes import words as deletes_words
from ..model.deletes.facts import Deletes
from ..model.entries import facts as entries_model
from ..model.entries import words as entries_words
from ..model.entries.facts import Entries
from ..model.evidence import Note
from ..model.iceberg.metadata import Snapshot
from ..model.retries import facts as retries_model
from ..model.retries import words as retries_words
from ..model.retries.facts import Retries
from ..model.sequence_timeline.facts import Timeline, Window
from ..model.why import facts as why_facts
from ..model.why import words as why_words
from ..model.why.facts import RowOutcome
from ..queries import create_views as numbered_relations
from ..queries.entries import entries_query
from ..queries.files.locate import Located
from ..queries.files.metadata_file import MetadataFile
from ..queries.query import sql_of
from ..queries.retries import retries_query
from ..queries.sequence_timeline import sequence_timeline_query
from . import columns
from .opened_table import NO_NAME_FOR_ENTRIES, ROWS_IN_PYTHON, OpenedTable, as_read
from .picture import Picture
from .readers import Readers


class NumberQuestions(OpenedTable):
    """The questions of a table that its manifests answer."""

    def _take(self, spark: SparkSession, located: Located, file: MetadataFile) -> None:
        super()._take(spark, located, file)
        self._of_manifests = Readers(copy(self), located, file)

    @property
    def _readers(self) -> Readers:
        self._require_ids_that_fit()
        return self._of_manifests

    @property
    def _is_partitioned(self) -> bool:
        return any(self.metadata.specs.values())

    @as_read
    def entries(
        self,
        snapshot: int | str | None = None,
        *,
        manifest: str | None = None,
        file: str | None = None,
        content_offset: int | None = None,
    ) -> Picture[Entries]:
        """Every entry of every manifest that a snapshot lists: what is stored beside what a reader makes of it.

        `.data` has a row per entry, in the order of the list and of each manifest: manifest_path;
        manifest_sequence_number (0 in version 1); content (`data`, `position deletes`, `equality deletes`, `deletion
        vector`); status (`EXISTING`, `ADDED`, `DELETED`); file_path; content_offset (bytes, of deletion vectors); for X
        in snapshot_id, sequence_number (of the data), file_sequence_number, first_row_id: stored_X, NA where the
        manifest stores null, X, as read, NA where that is not known, and X_rule, which rule gave it; and what else the
        entry says. `.frame` has the same columns. Where manifests are big together, `.data` has the first entries;
        `.facts` counts them all.

        Args:
            snapshot: id (int or text), branch or tag; the current one if None.
            manifest: location of the one manifest to open; all if None.
            file: location of one data or delete file, whose entries in all manifests are told; all if None.
            content_offset: with `file`, of one deletion vector in it, bytes.

        Cost: the manifest list, and each manifest once.

        Raises:
            UnknownSnapshot: none of that id or name, or a table without any.
            ExplorerError: the snapshot lists no such manifest.
        """
        of = self._current(snapshot)
        with self.asking():
            told = self._readers.manifests.entries(of, manifest, None if file is None else (file, content_offset))
        sql = sql_of(entries_query(self._located, of.snapshot_id, partitioned=self._is_partitioned))
        return Picture(
            name="entries",
            asking=self.asking,
            title=entries_words.title,
            facts=lambda: told,
            data=lambda: columns.ENTRIES.pandas(entries_model.rows(told)),
            frame=lambda: self._readers.manifests.frame(told),
            draw=lambda theme: entries_figure.draw(told, theme, name=self.name),
            sql=sql,
            notes=lambda told: [
                *self._notes("" if sql else NO_NAME_FOR_ENTRIES, told.contradictions),
                *self._refused_sql(sql, [m.manifest for m in told.manifests], lost=told.has_unreadable),
                *self._readers.commits.notes,
                *told.notes,
            ],
            row_count=lambda told: told.entry_count if told.file is None else None,
        )

    @as_read
    def retries(self) -> Picture[Retries]:
        """How often each commit was tried, which manifests an earlier attempt had written, and who was faster.

        `.data` has a row per snapshot in sequence order: snapshot_id (text); sequence_number; attempt (from 1, NA where
        the manifest list's name does not tell); manifests_added and manifests_written_before (lists of locations, None
        where nothing tells); committed_at (UTC); rivals (ids, as text, of the snapshots that were faster).

        Nothing of this is in the format: it is inferred from names and times, and the notes say so.

        Cost: the manifest lists of retried commits, then of the newest others, a thousand at most.
        """
        sql = sql_of(retries_query(self._located))
        return Picture(
            name="retries",
            asking=self.asking,
            title=retries_words.title,
            facts=lambda: self._readers.manifests.retries,
            data=lambda: columns.RETRIES.pandas(retries_model.rows(self._readers.manifests.retries)),
            frame=lambda: columns.RETRIES.spark(self._spark, retries_model.rows(self._readers.manifests.retries)),
            draw=lambda theme: retries_figure.draw(self._readers.manifests.retries, theme, name=self.name),
            sql=sql,
            notes=lambda told: [
                *self._notes("" if sql else NO_NAME_FOR_ENTRIES),
                *self._refused_sql(sql, told.manifests, lost=told.has_unreadable),
                *self._readers.commits.notes,
                *told.notes,
            ],
        )

    @as_read
    def deletes(
        self,
        snapshot: int | str | None = None,
        *,
        partition: tuple[int, str] | None = None,
        ruled_out: bool = False,
    ) -> Picture[Deletes]:
        """Every live delete of a snapshot with every data file in its scope, and the clause that decides.

        `.data` has a row per delete and data file that it applies to, or of which that cannot be told (`applies` is
        NA): delete_path; content_offset (bytes, of deletion vectors); delete_content; delete_sequence_number;
        data_path; data_sequence_number; applies; decided_by (`live`, `spec`, `partition`, `path`, `sequence`, `deletion
        vector`, `statistics`); reason. A delete that reaches nothing has one row without data_path. Where pairs are so
        many that they were only counted, `.data` has those rows alone; `.frame` always has all, with shorter reasons.

        Args:
            snapshot: id (int or text), branch or tag; the current one if None.
            partition: spec id and partition, such as `(0, "region=EU")`: its data files alone, with the deletes that
                can reach them.
            ruled_out: the pairs too in which the delete does not apply.

        Cost: the manifests of the snapshot; no data file.

        Raises:
            UnknownSnapshot: none of that id or name, or a table without any.
        """
        of = self._current(snapshot)
        with self.asking():
            told = self._readers.deletes.deletes(of, partition)
        sql = sql_of(self._readers.deletes.query(of))
        listed, lost = self._readers.deletes.listed(of), self._readers.deletes.has_unreadable(of)
        whole = (
            [] if partition is None else [Note("exact", "The SQL tells of all partitions", "Narrow it as you like.")]
        )
        return Picture(
            name="deletes",
            asking=self.asking,
            title=deletes_words.title,
            facts=lambda: told,
            data=lambda: columns.DELETES.pandas(list(deletes_rows.rows(told, ruled_out=ruled_out))),
            frame=lambda: self._readers.deletes.frame(of, partition, ruled_out=ruled_out),
            draw=lambda theme: deletes_figure.draw(told, theme, name=self.name),
            sql=sql,
            notes=lambda told: [
                *self._notes("" if sql else NO_NAME_FOR_ENTRIES),
                *(whole if sql else []),
                *self._refused_sql(sql, listed, lost=lost),
                *self._readers.commits.notes,
                *told.notes,
            ],
            row_count=lambda told: told.reached_pairs,
        )

    @as_read
    def why(self, condition: str, snapshot: int | str | None = None) -> Picture[RowOutcome]:
        """Why rows are deleted, or are not: those that meet a condition, live and masked, with the deletes in question.

        `.data` has a row per table row and delete in whose scope its file lies: _file, _pos, _deleted (masked), row
        (the values as text), reason (one sentence); of the delete delete_path, content_offset, delete_content,
        delete_sequence_number, data_sequence_number (of the data file), applies, holds_row (its content names the row's
        position or key), masks, verdict (words). The first 50 table rows; `.facts` counts them all.

        The picture also has two what-ifs, each labelled: readers without sequence numbers, and with `≤` for equality
        deletes.

        Args:
            condition: SQL over the columns of the snapshot's schema, as after WHERE: `id = 12345`.
            snapshot: id (int or text), branch or tag; the current one if None.

        Cost: the manifests; the data files that can hold such rows; the content of the deletes in question.

        Raises:
            UnknownSnapshot: none of that id or name, or a table without any.
            ExplorerError: the condition cannot be asked.
        """
        of = self._current(snapshot)
        with self.asking(rows=True):
            told, sql = self._readers.deletes.outcome(of, condition)
        return Picture(
            name="why",
            asking=self.asking,
            title=why_words.title,
            facts=lambda: told,
            data=lambda: columns.WHY.pandas(why_facts.rows(told)),
            frame=lambda: columns.WHY.spark(self._spark, why_facts.rows(told)),
            draw=lambda theme: why_figure.draw(told, theme, name=self.name),
            sql=sql,
            notes=lambda told: [
                *self._notes("" if sql else "SQL cannot name the rows of a table that was opened by its file."),
                *why_words.cut(told),
                *self._readers.commits.notes,
                *told.notes,
            ],
        )

    @as_read
    def sequence_timeline(self, as_of: int | str | None = None, *, window: Window | None = None) -> Picture[Timeline]:
        """Every data and delete file of the whole history, from birth to removal, with both its sequence numbers.

        `.data` has a row per life of a file, in partitions by birth (a file that was added twice has two):
        file_path; content_offset (bytes, of deletion vectors); content; spec_id; partition; record_count;
        data_sequence_number; file_sequence_number; added_snapshot_id (text; NA if only the entry of the removal is
        left), added_sequence_number; removed_snapshot_id, removed_sequence_number, on the line of `as_of`, NA while it
        lives; and sizes, the file that a delete names, is_live at `as_of`. Numbers that are not known are NA.

        Args:
            as_of: the snapshot at which liveness and reach are told: id, branch or tag; the current one if None.
            window: lives that overlap these sequence numbers, or of one partition; all if None.

        Cost: the manifest lists of all listed snapshots, and every manifest once; what was read stays in memory and in
        the cache on this machine, so that a second look, by another kernel too, reads only what is new.

        Raises:
            UnknownSnapshot: none of that id or name.
        """
        at = None if as_of is None else self.snapshot(as_of).snapshot_id
        timelines = self._readers.timelines
        told = cache(lambda: timelines.timeline(at, window))
        sql = sql_of(sequence_timeline_query(self._located, partitioned=self._is_partitioned))
        return Picture(
            name="sequence_timeline",
            asking=self.asking,
            title=sequence_timeline_figure.title,
            facts=told,
            data=lambda: columns.SEQUENCE_TIMELINE.pandas(timelines.table(at, window, most=ROWS_IN_PYTHON).to_pylist()),
            frame=lambda: columns.SEQUENCE_TIMELINE.spark_from_arrow(self._spark, timelines.table(at, window)),
            draw=lambda theme: sequence_timeline_figure.draw(told(), theme, name=self.name),
            sql=sql,
            notes=lambda told: [
                *self._notes("" if sql else NO_NAME_FOR_ENTRIES),
                *self._refused_sql(sql, timelines.listed, lost=timelines.has_unreadable),
                *self._cut(told.file_count),
                *timelines.notes,
                *told.notes,
            ],
            row_count=lambda told: told.file_count,
        )

    @as_read
    def create_views(self, snapshot: int | str | None = None) -> dict[str, str]:
        """Make files and snapshots with their sequence numbers queryable: `explorer_files` and `explorer_snapshots`.

        Iceberg's own `files` and `snapshots` tables have no sequence number. The two are temporary views of this
        session, `spark.sql("SELECT … FROM explorer_files")`; nothing is written to the table.

        Args:
            snapshot: of the files: id, branch or tag; as the table is when they are queried, if None.

        Returns:
            By name of the view the SQL that it stands for; empty where a table opened by its file has none, and where
            Iceberg refuses it: then `explorer_files` has the files of the snapshot from the manifests as stored.

        Cost: the manifest list of the snapshot.
        """
        of = None if snapshot is None else self.snapshot(snapshot)
        with self.asking(rows=True):
            return self._views(of)

    def _views(self, of: Snapshot | None) -> dict[str, str]:
        seen = of or self.metadata.by_id.get(self.metadata.current_snapshot_id or -1)
        stored = None
        if seen and self._refused_sql(numbered_relations.FILES_SQL, self._readers.commits.listed(seen), lost=False):
            stored = self._readers.manifests.frame(self._readers.manifests.entries(seen, None, None))
        return numbered_relations.create_views(
            self._spark, self._located, self._file, of.snapshot_id if of else None, stored=stored
        )
