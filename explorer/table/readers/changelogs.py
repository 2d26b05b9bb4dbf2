"""The changelogs of one metadata file: which commits, where their rows are read, and the SQL that tells them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...engine.memory import read_once
from ...errors import ExplorerError, UnreadableMetadata
from ...model.changelog import facts as model
from ...model.changelog.counted import RowDetails
from ...model.changelog.facts import Changelog, Mode, Stretch, Unread
from ...model.commit import findings as commit_findings
from ...model.iceberg.commit_range import CommitRange, NoSuchRange, NumberedCommit, commit_range
from ...model.iceberg.document import Schema
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.row_lineage import row_ids
from ...model.iceberg.stored_commit import StoredCommit
from ...queries.changelog import names as changelog_names
from ...queries.changelog.ownership import RangeCommit, live_files, ownership_query
from ...queries.changelog.rows import ChangelogQuery, Numbered, changelog_query
from ...queries.files import commits as many_commits
from ...queries.files import storage
from ...queries.rows import changelog_rows, line_files, paging, python_values, schema_mapping
from ...queries.rows.changed_entries import Manifests
from ...queries.rows.changelog_rows import RawRows
from ...queries.rows.equality_keys import NoKeyColumn
from ...queries.rows.identifier_columns import IdentifierColumn, identifier_columns
from ...queries.rows.line_files import LineCommit
from ...queries.rows.reading import refuse_reserved, refusing
from ...queries.rows.row_lifetimes import row_lifetimes
from ...queries.rows.trial import Trial, is_of_a_file
from ...queries.source import Source
from ..columns import Columns
from .commits import Commits, ReadCommit
from .row_details import row_details

if TYPE_CHECKING:
    import pandas as pd

_REFUSED = "The rows of this changelog cannot be read."
_FILES_ALONE = "What each commit did to files is told without them, by commit(…)."
_Known = tuple[Changelog, ChangelogQuery, Sequence[ListedManifest]]
ROWS_DRAWN = 2_000
"""Rows that a picture of a changelog may hold; its counts are of all of them."""


@dataclass(frozen=True)
class Page:
    """Some of the rows that pass a filter; `total` of them do."""

    rows: pd.DataFrame
    offset: int
    total: int


class AskedChangelog:
    """A changelog that was asked for: what is known before a row is read, and the ways to read.

    Args:
        source: the table.
        ask: what is known before a row is read, and the way to read; with a trial around what cannot be read.

    Attributes:
        known: everything but counts and rows; which commits are told is settled when these are read.
        listed: rows of the manifest lists that were read.
    """

    def __init__(self, source: Source, ask: Callable[[Trial], _Known]) -> None:
        self._source, self._ask = source, ask
        self.known, self._query, self.listed = ask(Trial())

    @property
    def sql(self) -> str:
        """Text to paste; empty where SQL cannot name the table, or one of the scans."""
        return self._query.sql

    @read_once
    def facts(self) -> Changelog:
        """With the counts of all rows, and the first rows. Cost: reads everything once."""
        with refusing(_REFUSED, _FILES_ALONE):
            rows = self._read.drawn(self._source, ROWS_DRAWN)
            counts = model.counts(self.known.mode, self._read.counts(self._source))
            details = self._details
        return self.known.read(counts, model.with_distinct_keys(rows, details))

    @property
    def _details(self) -> list[RowDetails]:
        if not self._query.keys:
            return []
        columns = changelog_rows.columns(self._source, schema_mapping.current_schema(self._source.document))
        named = dict(zip(self.known.columns, columns, strict=True))
        return row_details(self._read.keyed(self._source), named, self._query.keys, ROWS_DRAWN)

    @read_once
    def frame(self) -> DataFrame:
        """All rows, lazy and in no order."""
        return self._query.rows(self._source)

    def data(self, limit: int) -> pd.DataFrame:
        """The first rows, by commit. Cost: reads everything once."""
        with refusing(_REFUSED, _FILES_ALONE):
            return _pandas(paging.page(self._read.rows(self._source), self._query.order, offset=0, limit=limit))

    @read_once
    def _read(self) -> ChangelogQuery:
        """Read once, whatever is asked first: facts, data or pages; without commits that need a broken file."""
        try:
            return self._query.read(self._source)
        except Exception as error:
            if not is_of_a_file(error):
                raise
            self.known, self._query, self.listed = self._ask(Trial(is_on=True))
            if self.known.unread and len(self.known.unread) == len(self.known.range.numbered):
                raise  # there is nothing to tell
            return self._query.read(self._source)

    def page(
        self,
        *,
        offset: int = 0,
        limit: int = 50,
        change_types: str | Collection[str] = (),
        snapshot_ids: int | Collection[int] = (),
        where: str = "",
    ) -> Page:
        """Some rows, by commit, of those that pass every filter; an empty one lets all pass.

        Args:
            offset: rows to pass over.
            limit: rows to give at most.
            change_types: any of these, or this one.
            snapshot_ids: any of these, or this one.
            where: SQL, true or false over the columns of the rows.

        Raises:
            ExplorerError: `where` cannot be asked of these columns or of a row, or `offset` or `limit` is below 0.

        Cost: reads everything once, unless facts or data did.
        """
        with refusing(_REFUSED, _FILES_ALONE):
            read = self._read.rows(self._source)
        rows = paging.filtered(read, change_types=change_types, snapshot_ids=snapshot_ids, predicate=where)
        page = paging.page(rows, self._query.order, offset=offset, limit=limit)
        total = paging.count(rows, where)
        return Page(_pandas(page), offset, total)


class Changelogs:
    """Answers what changed between two snapshots."""

    def __init__(self, commits: Commits) -> None:
        self._commits, self._source, self._metadata = commits, commits.source, commits.source.metadata

    def check(
        self, mode: Mode, start: int | None, end: int | None, identifiers: Sequence[str] | None
    ) -> tuple[CommitRange, tuple[IdentifierColumn, ...]]:
        """The commits and identifier columns of a question, told from the metadata alone.

        Raises:
            ExplorerError: the mode is none, the table has a column that the changelog has, nothing has been committed,
                or there is no such range or identifier column; a type or name of a column of which Spark or Iceberg
                reads no rows.
        """
        if mode not in model.MODES:
            raise ExplorerError(f"{mode!r} is no mode of a changelog.", next_step=f"Ask for {', '.join(model.MODES)}.")
        changelog_names.refuse_taken(mode, self._columns)
        if end is None and not self._metadata.snapshots:
            raise ExplorerError(
                "The table has no changelog yet.",
                found="Nothing has been committed to it: its metadata lists no snapshot.",
                next_step="Reload the table once something is committed.",
            )
        try:
            commits = commit_range(self._metadata, start, end)
        except NoSuchRange as error:
            raise ExplorerError(error.what, found=error.found, next_step=error.next_step) from error
        refuse_reserved(self._columns, _REFUSED)
        with refusing(_REFUSED, _FILES_ALONE):
            return commits, identifier_columns(self._source, self._schema, identifiers)

    def ask(self, mode: Mode, start: int | None, end: int | None, identifiers: Sequence[str] | None) -> AskedChangelog:
        """The changelog of the commits after `start` up to and with `end`.

        Raises:
            ExplorerError: as `check`.
            UnreadableMetadata: in `ownership`, a manifest of the end cannot be read.
        """
        commits, identity = self.check(mode, start, end, identifiers)
        with refusing(_REFUSED, _FILES_ALONE):
            ask = self._ownership if mode == "ownership" else self._changes
            return AskedChangelog(self._source, lambda trial: ask(mode, commits, identity, trial))

    def _ownership(
        self, mode: Mode, commits: CommitRange, identity: Sequence[IdentifierColumn], trial: Trial
    ) -> _Known:
        listed = many_commits.manifest_lists(self._source, [commits.end])[commits.end]
        if isinstance(listed, str):
            raise UnreadableMetadata(
                f"The owners of the rows at {commits.end} cannot be told.",
                found=f"Its manifest list: {listed}",
                next_step=storage.next_step(listed),
            )
        files, owners = live_files(self._source, listed)
        read = self._read(commits, statistics=False)
        removing = {
            i
            for i, one in read.commits.items()
            if i in owners and commit_findings.certain_outcome(one.commit) != "inserted"
        }
        asked = [
            NumberedCommit(c.snapshot, place if c.snapshot.snapshot_id in removing else None)
            for place, c in enumerate(commits.commits)
        ]
        _, parts, unread = self._rows_of(replace(commits, commits=tuple(asked)), read, trial)
        told = read.commits.keys() - {one.commit.snapshot.snapshot_id for one in unread}
        of_range = [RangeCommit(i := c.snapshot.snapshot_id, c.ordinal, i in told) for c in commits.commits]
        keys = [column.sql for column in identity]
        query = ownership_query(self._source, commits.end, files, of_range, parts, keys)
        known = Changelog(commits, mode, self._columns, "none", _names(identity))
        return known, query, [*listed, *read.listed]

    def _changes(self, mode: Mode, commits: CommitRange, identity: Sequence[IdentifierColumn], trial: Trial) -> _Known:
        read = self._read(commits)
        ids = [c.snapshot.snapshot_id for c in commits.numbered]
        numbered = [read.commits[i].commit for i in ids if i in read.commits]
        pairing = model.pairing(mode, _names(identity), (row_ids(self._metadata, fact) for fact in numbered))
        by_id = pairing == "row id"
        found, parts, unread = self._rows_of(commits, read, trial, row_ids=by_id)
        keys = ["_row_id"] if by_id else [column.sql for column in identity]
        known = Changelog(commits, mode, self._columns, pairing, _names(identity), found, unread)
        changes = [t for fact in numbered for t in (*fact.totals.added.values(), *fact.totals.removed.values())]
        query = changelog_query(
            mode,
            parts or [changelog_rows.nothing(self._source, self._schema, row_ids=by_id)],
            changelog_rows.columns(self._source, self._schema),
            _numbered(commits),
            keys,
            rows=sum(tally.records for tally in changes),
            size_in_bytes=sum(tally.size_in_bytes for tally in changes),
        )
        return known, query, read.listed

    def _read(self, commits: CommitRange, *, statistics: bool = True) -> _ReadRange:
        ids = [c.snapshot.snapshot_id for c in commits.commits]
        parents = [c.snapshot.parent_id for c in commits.commits if c.snapshot.parent_id is not None]
        lists = many_commits.manifest_lists(self._source, {*ids, *parents})
        readable = [i for i in ids if not isinstance(lists.get(i, ""), str)]
        stored, decoded = many_commits.stored_commits(self._source, lists, readable, statistics=statistics)
        return _ReadRange(lists, {i: self._commits.understood(i, stored[i], decoded) for i in readable})

    def _rows_of(
        self, commits: CommitRange, read: _ReadRange, trial: Trial, *, row_ids: bool = False
    ) -> tuple[tuple[Stretch, ...], list[RawRows], tuple[Unread, ...]]:
        """What is read together, the raw rows of commits that have an ordinal, and which of these cannot be told."""
        unreadable = {i: _lost(one.stored) for i, one in read.commits.items()}
        found, unread = model.stretches(commits, read.lists, unreadable)
        reading = _Rows(self._commits, read, trial, self._schema, row_ids=row_ids)
        parts: list[RawRows] = []
        for stretch in found:
            told, lost = reading.of_stretch(stretch)
            parts += told
            unread = (*unread, *lost)
        return found, parts, unread

    @read_once
    def _schema(self) -> Schema:
        return schema_mapping.current_schema(self._source.document)

    @property
    def _columns(self) -> tuple[str, ...]:
        return schema_mapping.columns(self._schema)


@dataclass(frozen=True)
class _ReadRange:
    """The metadata of a range.

    Attributes:
        lists: by snapshot id, of the commits and of their parents, the rows of the manifest list, or why it cannot be
            read; without those that are not listed.
        commits: by snapshot id, those whose list can be read.
    """

    lists: Mapping[int, Sequence[ListedManifest] | str]
    commits: Mapping[int, ReadCommit]

    @property
    def listed(self) -> list[ListedManifest]:
        """The rows of all lists."""
        return [m for rows in self.lists.values() if not isinstance(rows, str) for m in rows]


class _Rows:
    """Reads the rows of stretches, by row lifetimes, told in one schema."""

    def __init__(self, commits: Commits, read: _ReadRange, trial: Trial, schema: Schema, *, row_ids: bool) -> None:
        # What is tried is read by itself, where it can be: a scan fails for files beside those of a commit.
        self._commits, self._source, self._trial = commits, replace(commits.source, alone=trial.is_on), trial
        self._lists, self._read = read.lists, read.commits
        self._schema, self._row_ids = schema, row_ids
        self._columns = changelog_rows.columns(self._source, schema)

    def of_stretch(self, stretch: Stretch) -> tuple[list[RawRows], list[Unread]]:
        """The rows of its numbered commits; and those of which a file cannot be read."""
        numbered = [commit for commit in stretch.commits if commit.ordinal is not None]
        if not numbered:
            return [], []
        try:
            together = self._together(stretch)
        except UnreadableMetadata as error:
            if len(stretch.commits) == 1 or self._trial.is_given_up:
                return [], [Unread(commit, error.found) for commit in numbered]
            return self._in_halves(stretch)
        except NoKeyColumn:
            together = None
        return self._by_question(stretch) if together is None else (together, [])

    def _together(self, stretch: Stretch) -> list[RawRows] | None:
        """By row lifetimes; None if there are too many files for them."""
        of_line = [
            LineCommit(
                commit.snapshot.snapshot_id,
                (read := self._read[commit.snapshot.snapshot_id]).stored,
                changes_rows=commit.ordinal is not None,
                contradicted=bool(read.commit.contradictions),
                listed_twice=commit_findings.lists_twice(read.commit),
            )
            for commit in stretch.commits
        ]
        there = self._lists[of_line[0].snapshot_id if stretch.before is None else stretch.before]
        decoded = self._read[of_line[0].snapshot_id].decoded
        manifests = Manifests(self._source, decoded)
        line = line_files.read(
            self._source, stretch.before, () if isinstance(there, str) else there, of_line, manifests
        )
        if not manifests.complete:
            return None
        if not line.read_at:  # no commit touched a row
            return []
        name = next(f"_{commit.ordinal}" for commit in stretch.commits if commit.ordinal is not None)
        source = replace(self._source, alone=self._source.alone or bool(manifests.passed_over))
        lifetimes = row_lifetimes(source, line, self._schema, row_ids=self._row_ids, name=name)
        if lifetimes.scans:
            manifests.refuse_scans()
        if manifests.passed_over:
            lifetimes = replace(lifetimes, shown="")  # which are scans
        places = [None, *(None if c.ordinal is None else (c.ordinal, c.snapshot.snapshot_id) for c in stretch.commits)]
        rows = changelog_rows.of_line(self._columns, lifetimes, places, row_ids=self._row_ids, odd=line.odd)
        self._trial.read(self._source, rows)
        return [rows]

    def _in_halves(self, stretch: Stretch) -> tuple[list[RawRows], list[Unread]]:
        middle = len(stretch.commits) // 2
        first, last = stretch.commits[:middle], stretch.commits[middle:]
        halves = Stretch(stretch.before, first), Stretch(first[-1].snapshot.snapshot_id, last)
        (parts, unread), (more, lost) = map(self.of_stretch, halves)
        return [*parts, *more], [*unread, *lost]

    def _by_question(self, stretch: Stretch) -> tuple[list[RawRows], list[Unread]]:
        parts: list[RawRows] = []
        unread: list[Unread] = []
        for commit in stretch.commits:
            if commit.ordinal is None:
                continue
            snapshot_id = commit.snapshot.snapshot_id
            try:
                _, question = self._commits.asked(
                    self._read[snapshot_id], row_ids=self._row_ids, schema_id=self._schema.get("schema-id", 0)
                )
                rows = changelog_rows.asked(self._columns, question, snapshot_id=snapshot_id, ordinal=commit.ordinal)
                self._trial.read(self._source, rows)
            except UnreadableMetadata as error:
                unread.append(Unread(commit, error.found))
                continue
            parts.append(rows)
        return parts, unread


def _lost(stored: StoredCommit) -> str:
    """Why a manifest that the commit wrote cannot be read; empty if all can."""
    wanted = {manifest.path for manifest in stored.listed or ()}
    return " ".join(f"{one.path}: {one.reason}" for one in stored.unreadable_files if one.path in wanted)


def _numbered(commits: CommitRange) -> list[Numbered]:
    return [Numbered(c.snapshot.snapshot_id, c.snapshot.sequence_number) for c in commits.numbered]


def _names(identity: Sequence[IdentifierColumn]) -> tuple[str, ...]:
    return tuple(column.name for column in identity)


def _pandas(frame: DataFrame) -> pd.DataFrame:
    """Exact: numbers that may be missing stay whole, ids are text."""
    schema, values = python_values.read(frame)
    return Columns(schema, ("_commit_snapshot_id",)).pandas_of(values)
