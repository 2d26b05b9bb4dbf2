"""A table and the questions it answers: one method each. How it is answered is in `answers`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..model.changelog.facts import Mode
from ..model.commit.facts import CommitFacts
from ..model.compare.facts import Comparison
from ..model.deletes.facts import Deletes
from ..model.entries.facts import Entries
from ..model.iceberg.touched_files import Cost
from ..model.partitions.facts import Partitions
from ..model.retries.facts import Retries
from ..model.sequence_timeline.facts import Timeline, Window
from ..model.snapshot_graph.facts import SnapshotGraph
from . import points
from .answers.biography import BiographyPicture
from .answers.changelog import ChangelogPicture
from .answers.commit import BoundaryPicture, CommitPicture
from .answers.compare import ComparePicture
from .answers.deletes import DeletesPicture
from .answers.entries import EntriesPicture
from .answers.partitions import PartitionsPicture
from .answers.retries import RetriesPicture
from .answers.sequence_timeline import SequenceTimelinePicture
from .answers.snapshot_graph import SnapshotGraphPicture
from .answers.views import create_views
from .answers.why import WhyPicture
from .incidents import IncidentQuestions
from .picture import Picture


class Table(IncidentQuestions):
    """One Iceberg table as it was when its metadata was read; `reload()` looks again.

    Every answer is of the table as it was read, whatever was committed or reloaded since. Asking checks what was asked
    against the metadata and reads nothing; a picture reads when it is looked at, or told to `read()`, and what a
    question raises beyond a wrong argument is raised then. That may be `TableChanged`, where the table cannot be read
    as it was any more, and `NoSpark`, where the session was lost; both are mended by `reload()`.
    """

    # questions: each takes the version once, for a reload replaces it

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
        return SnapshotGraphPicture(self._version)

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
            snapshot: id (int or text), branch, tag or sequence number.
            rows: read the data files that the commit touched, and tell what became of each row: carried over, inserted,
                updated, deleted, and from which file to which.
            identifier_columns: names, or one: what makes an update of a row gone and a row new where row ids cannot;
                the table's own if None.

        Raises:
            UnknownSnapshot: none of that id or name.
            UnreadableMetadata: with `rows`, a manifest of the commit cannot be read.
            ExplorerError: an identifier column that the table has not.
        """
        version = self._version
        of = version.snapshot(snapshot)
        return CommitPicture(version, of, rows=rows, identifier_columns=identifier_columns)

    def commit_cost(self, snapshot: int | str) -> Cost:
        """How many data files, and how big, must be read for the rows of a commit; told from manifests alone.

        Raises:
            UnknownSnapshot: none of that id or name.
            UnreadableMetadata: a manifest of the commit cannot be read.
        """
        version = self._version
        of = version.snapshot(snapshot)
        with version.asking():
            return version.readers.commits.cost(of)

    def boundary(self, start: int | str, end: int | str) -> Picture[CommitFacts]:
        """The net boundary between two snapshots: files that only one of them has, told as if one commit had done it.

        Neither need be an ancestor of the other. What was added and removed again in between is in neither of them.
        `.data` has the columns of `commit`. For the rows in between ask `changelog(start, end, "net")`.

        Cost: two manifest lists, and the manifests that only one of them lists.

        Raises:
            UnknownSnapshot: no snapshot of that name.
            UnreadableMetadata: a manifest list or a manifest cannot be read.
        """
        version = self._version
        return BoundaryPicture(version, version.snapshot(start), version.snapshot(end))

    def compare(
        self,
        left: int | str | datetime,
        right: int | str | datetime | Table,
        *,
        rows: bool = False,
        identifier_columns: Sequence[str] | None = None,
        swap: bool = False,
    ) -> Picture[Comparison]:
        """Two points of this table, or this table and another one: what differs in columns, settings, files and rows.

        Told along the ancestry whatever was named first: the left side is the ancestor, of two that are none the one
        with the lower sequence number. What both have needs no reading, and which rows differ is read only with `rows`.

        `.data` has a row for each thing that differs: area (`schema`, `partition spec`, `sort order`, `property`,
        `ref`, `files`, `rows`, `figure`); name; partition (of files); left, right and change, all text, NA where a side
        has nothing; spec_id; field_id. Files are summed by partition and content: left and right are those that only
        this side has. `.facts` has the relation of the two points and the verdict: `equal`, `other layout` (equal
        rows), `different`, or `not read`.

        Args:
            left: a snapshot by any name, or a time: the one that was current on main then. A time is a `datetime` or
                text, `2026-03-14 02:10:00`, in UTC if it names no zone; of a day or minute alone it is the end.
            right: the same; or another table, by its name or path too, at its current snapshot. Its files are matched
                by their path below its location, its fields by id.
            rows: read the data files that the two do not share, or share under other deletes, and count the rows
                inserted, updated and deleted, net; with some of them.
            identifier_columns: names, or one: what makes an update of a row of each side; row ids if None, or the
                table's own where row ids cannot tell.
            swap: tell it the other way: what going back would do.

        Cost: two manifest lists, and the manifests that only one of them lists; the data manifests of one where deletes
        differ, of two tables those of both; of a point that is no head the metadata file of its time. With `rows` also
        what `cost` of the picture says.

        Raises:
            UnknownSnapshot: none of that id or name, or no table; main was nowhere at that time.
            UnreadableMetadata: with `rows`, a manifest list or a manifest cannot be read; without, its place says so.
            ExplorerError: with `rows`, an identifier column that there is not; columns that cannot be compared.
        """
        version = self._version
        one = points.standpoint(version, left)
        if isinstance(right, Table):
            other: points.Standpoint | points.OtherTable = points.current(right._version, right.name)
        else:
            other = points.other(version, right)
        return ComparePicture(version, one, other, rows=rows, identifier_columns=identifier_columns, swap=swap)

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
            start: exclusive, an ancestor of `end`: by any name, or the id of an expired snapshot whose child is
                listed. None: everything known.
            end: inclusive: id, branch, tag or sequence number. None: the current snapshot.
            mode: `raw`, as Iceberg's `.changes`; `changes`, without rows that were only carried over; `updates`, with
                pairs by identifier columns, else by row ids; `net`, less what later commits took back; `ownership`, the
                rows live at `end`, each with the commit that added its file, and a column more: _carried_over, whether
                that commit removed an equal row, and so only copied this one; false if it inserted or updated it; null
                where that is not known.
            identifier_columns: names, or one; the table's own if None.

        Cost: the manifests of the commits, and data files of the range.

        Raises:
            UnknownSnapshot: no snapshot of that name.
            ExplorerError: `start` is no ancestor of `end` (names the common one); no such mode or column; nothing has
                been committed; the table has a column named as one of the changelog's (`queries/changelog/names.py`).
            UnreadableMetadata: in `ownership`, a manifest cannot be read.
        """
        version = self._version
        first = None if start is None else version.snapshot_id(start)
        last = None if end is None else version.snapshot(end).snapshot_id
        return ChangelogPicture(version, first, last, mode, identifier_columns)

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
            snapshot: id (int or text), branch, tag or sequence number; the current one if None.
            manifest: location of the one manifest to open; all if None.
            file: location of one data or delete file, whose entries in all manifests are told; all if None.
            content_offset: with `file`, of one deletion vector in it, bytes.

        Cost: the manifest list, and each manifest once.

        Raises:
            UnknownSnapshot: none of that id or name, or a table without any.
            ExplorerError: the snapshot lists no such manifest.
        """
        version = self._version
        of = version.snapshot_or_current(snapshot)
        return EntriesPicture(version, of, manifest, None if file is None else (file, content_offset))

    def retries(self) -> Picture[Retries]:
        """How often each commit was tried, which manifests an earlier attempt had written, and who was faster.

        `.data` has a row per snapshot in sequence order: snapshot_id (text); sequence_number; attempt (from 1, NA where
        the manifest list's name does not tell); manifests_added and manifests_written_before (lists of locations, None
        where nothing tells); committed_at (UTC); rivals (ids, as text, of the snapshots that were faster).

        Nothing of this is in the format: it is inferred from names and times, and the notes say so.

        Cost: the manifest lists of retried commits, then of the newest others, a thousand at most.
        """
        return RetriesPicture(self._version)

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
            snapshot: id (int or text), branch, tag or sequence number; the current one if None.
            partition: spec id and partition, such as `(0, "region=EU")`: its data files alone, with the deletes that
                can reach them.
            ruled_out: the pairs too in which the delete does not apply.

        Cost: the manifests of the snapshot; no data file.

        Raises:
            UnknownSnapshot: none of that id or name, or a table without any.
        """
        version = self._version
        of = version.snapshot_or_current(snapshot)
        return DeletesPicture(version, of, partition, ruled_out=ruled_out)

    def why(self, condition: str, snapshot: int | str | None = None) -> WhyPicture:
        """Why rows are deleted, or are not: those that meet a condition, live and masked, with the deletes in question.

        `.data` has a row per table row and delete in whose scope its file lies, or that holds its key in another
        partition: _file, _pos, _deleted (masked), row (the values as text), reason; of the delete delete_path,
        content_offset, delete_content, delete_sequence_number, data_sequence_number (of the data file), applies,
        holds_row (its content has the row's position or key), masks, verdict. The first 50 rows; `.facts` counts all.

        The picture also has two what-ifs, each labelled: readers without sequence numbers, and with `≤` for equality
        deletes.

        Args:
            condition: SQL over the snapshot's columns, of the current one the table's, from version 3 on `_row_id` too.
            snapshot: id (int or text), branch, tag or sequence number; the current one if None.

        Cost: the manifests; the data files that can hold such rows; the content of the deletes in question.

        Raises:
            UnknownSnapshot: none of that id or name, or a table without any.
            ExplorerError: the condition cannot be asked.
        """
        version = self._version
        return WhyPicture(version, version.snapshot_or_current(snapshot), condition)

    def biography(
        self,
        condition: str,
        ref: int | str = "main",
        *,
        identifier_columns: Sequence[str] | None = None,
    ) -> BiographyPicture:
        """What became of the rows that meet a condition, from birth to now, over the whole history.

        `.data` has a row per event in commit order, those on the line of `ref` first: event (`CREATED`, `UPDATED`,
        `MOVED`, `DELETED`, `RETURNED`); how (`file added`, `masked by deletion vector`, `rollback` …); snapshot_id,
        text; sequence_number (NA in version 1, and of a move of main); committed_at, UTC; writer; file_path and pos;
        delete_path and content_offset of the delete in question; version (1, 2 …: rows that nothing tells to be one,
        equal ones too); changed (`status: paid → shipped`); certainty, reason; line (`main`, `staged w1`); row_id; and
        the columns of the key, else of the condition: whole numbers `Int64`, all others text.

        Args:
            condition: SQL over the table's current columns, from version 3 on `_row_id` too; as after WHERE.
            ref: branch, tag, id or sequence number whose line is told first.
            identifier_columns: names, or one, of the columns that tell which row is which where row ids do not; the
                table's own if None, else those of the condition if it says nothing but which values they have, else
                the first of `key_candidates()` that may number rows.

        Cost: the manifests of the history, then what `.price` says of the data files that they do not rule out.

        Raises:
            UnknownSnapshot: none of that id or name.
            ExplorerError, when it reads: the condition or a column cannot be asked; not one of the files can be read.
        """
        version = self._version
        return BiographyPicture(version, version.snapshot(ref), condition, str(ref), identifier_columns)

    def sequence_timeline(self, as_of: int | str | None = None, *, window: Window | None = None) -> Picture[Timeline]:
        """Every data and delete file of the whole history, from birth to removal, with both its sequence numbers.

        `.data` has a row per life of a file, in partitions by birth (a file that was added twice has two):
        file_path; content_offset (bytes, of deletion vectors); content; spec_id; partition; record_count;
        data_sequence_number; file_sequence_number; added_snapshot_id (text; NA if only the entry of the removal is
        left), added_sequence_number; removed_snapshot_id, removed_sequence_number, on the line of `as_of`, NA while it
        lives; and sizes, the file that a delete names, is_live at `as_of`. Numbers that are not known are NA.

        Args:
            as_of: the snapshot at which liveness and reach are told, by any name; the current one if None.
            window: lifetimes that overlap these sequence numbers, or of one partition; all if None.

        Cost: the manifest lists of all listed snapshots, and every manifest once; what was read stays in memory and in
        the cache on this machine, so that a second look, by another kernel too, reads only what is new.

        Raises:
            UnknownSnapshot: none of that id or name.
        """
        version = self._version
        at = None if as_of is None else version.snapshot(as_of).snapshot_id
        return SequenceTimelinePicture(version, at, window)

    def partitions(self) -> Picture[Partitions]:
        """Every partition after each commit that changed it: along the current snapshot and its listed ancestors.

        `.data` has a row per partition and commit that changed it, by commit: partition (`region=EU`, empty if
        unpartitioned); spec_id; snapshot_id (text); sequence_number (0 in version 1); after that commit data_files,
        delete_files (deletion vectors too), record_count (rows of the data files, masked or not), masked_records,
        size_in_bytes (of the data files); and committed_at (UTC), equality_delete_files (of the delete files),
        delete_size_in_bytes (of a deletion vector its own part). The oldest commit that is listed has a row for each
        partition that it holds, whoever wrote it. What other branches did, and what was rolled back, is not in it.

        masked_records counts the positions that live deletion vectors and position delete files name, if the data file
        that they name is live too, and no younger. Equality deletes may mask more, which no metadata tells: it is a
        lower bound, unless a position delete file of a whole partition names rows of files that are gone. A global
        equality delete, of a spec without fields, is a row of that spec.

        A commit whose manifest list cannot be read has no row; what it changed is in the row of the next one that can.

        Cost: as of `sequence_timeline`; what one of the two has read, the other does not read again.
        Source: specification, "Partition Specs", "Scan Planning", "Deletion Vectors".
        """
        return PartitionsPicture(self._version)

    def create_views(self, snapshot: int | str | None = None) -> dict[str, str]:
        """Make files and snapshots with their sequence numbers queryable: `explorer_files` and `explorer_snapshots`.

        Iceberg's own `files` and `snapshots` tables have no sequence number. The two are temporary views of this
        session, `spark.sql("SELECT … FROM explorer_files")`; nothing is written to the table.

        Args:
            snapshot: of the files: id, branch, tag or sequence number; as the table is when they are queried, if None.

        Returns:
            By name of the view the SQL that it stands for; empty where a table opened by its file has none, and where
            Iceberg refuses it: then `explorer_files` has the files of the snapshot from the manifests as stored.

        Cost: the manifest list of the snapshot.
        """
        version = self._version
        return create_views(version, None if snapshot is None else version.snapshot(snapshot))
