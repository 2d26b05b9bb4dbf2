"""The changelogs of one metadata file: which commits, where their rows are read, and the SQL that tells them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from pyspark.sql import DataFrame

from ...engine.memory import read_once
from ...errors import ExplorerError, UnreadableMetadata
from ...model.changelog import facts as model
from ...model.changelog.facts import Changelog, Mode, Pairing, Stretch, Unread
from ...model.iceberg.commit import Commit
from ...model.iceberg.commit_range import CommitRange, NoSuchRange, NumberedCommit, commit_range
from ...model.iceberg.document import Schema
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.row_lineage import row_ids
from ...queries.changelog import names as changelog_names
from ...queries.changelog.ownership import live_files, ownership_query
from ...queries.changelog.rows import ChangelogQuery, Numbered, changelog_query
from ...queries.files import commits as many_commits
from ...queries.rows import changelog_rows, paging, python_values, schema_mapping
from ...queries.rows.changelog_rows import Column, RawRows
from ...queries.rows.identifier_columns import IdentifierColumn, identifier_columns
from ...queries.rows.question import Loaded
from ...queries.rows.reading import refuse_reserved, refusing
from ...queries.source import Source
from ..columns import Columns
from .commits import Commits, ReadCommit

_REFUSED = "The rows of this changelog cannot be read."
_FILES_ALONE = "What each commit did to files is told without them, by commit(…)."
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

    Attributes:
        known: everything but counts and rows.
        listed: rows of the manifest lists that were read.
    """

    def __init__(
        self, source: Source, known: Changelog, query: ChangelogQuery, listed: Sequence[ListedManifest]
    ) -> None:
        self._source, self.known, self._query, self.listed = source, known, query, listed

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
        return self.known.read(counts, model.with_distinct_keys(rows))

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
        """Read once, whatever is asked first: facts, data or pages."""
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
            return AskedChangelog(self._source, *ask(mode, commits, identity))

    def _ownership(
        self, mode: Mode, commits: CommitRange, identity: Sequence[IdentifierColumn]
    ) -> tuple[Changelog, ChangelogQuery, list[ListedManifest]]:
        listed = many_commits.manifest_lists(self._source, [commits.end])[commits.end]
        if isinstance(listed, str):
            raise UnreadableMetadata(
                f"The owners of the rows at {commits.end} cannot be told.", found=f"Its manifest list: {listed}"
            )
        files = live_files(self._source, listed)
        keys = [column.sql for column in identity]
        query = ownership_query(self._source, commits.end, files, _numbered(commits), keys)
        known = Changelog(commits, mode, self._columns, "none", _names(identity))
        return known, query, list(listed)

    def _changes(
        self, mode: Mode, commits: CommitRange, identity: Sequence[IdentifierColumn]
    ) -> tuple[Changelog, ChangelogQuery, list[ListedManifest]]:
        wanted = {i for c in commits.numbered for i in (c.snapshot.snapshot_id, c.snapshot.parent_id) if i is not None}
        lists = many_commits.manifest_lists(self._source, wanted)
        readable = [
            c.snapshot.snapshot_id
            for c in commits.numbered
            if not isinstance(lists.get(c.snapshot.snapshot_id, ""), str)
        ]
        stored, decoded = many_commits.stored_commits(self._source, lists, readable)
        read = {i: self._commits.understood(i, stored[i], decoded) for i in readable}
        facts = {i: one.commit for i, one in read.items()}
        pairing = model.pairing(mode, _names(identity), (row_ids(self._metadata, fact) for fact in facts.values()))
        contradicted = {i for i, fact in facts.items() if fact.contradictions}
        found, unread = model.stretches(
            commits,
            lists,
            self._metadata.by_id,
            by_row_id=pairing == "row id",
            contradicted=contradicted,
            appends={i for i, fact in facts.items() if model.only_appends(fact)},
        )
        columns = changelog_rows.columns(self._source, self._schema)
        parts: list[RawRows] = []
        loaded: Loaded = {}
        for stretch in found:
            if stretch.source == "changelog scan":
                parts.append(self._scanned(stretch, columns))
            for commit in stretch.commits if stretch.source == "row question" else ():
                try:
                    parts += self._asked(commit, read[commit.snapshot.snapshot_id], columns, pairing, loaded)
                except UnreadableMetadata as error:
                    unread = (*unread, Unread(commit, error.found))
        for together in model.append_scans(found, unread):
            parts += self._appended(together, facts, columns, row_ids=pairing == "row id")
        keys = ["_row_id"] if pairing == "row id" else [column.sql for column in identity]
        known = Changelog(commits, mode, self._columns, pairing, _names(identity), found, unread)
        changes = [t for fact in facts.values() for t in (*fact.totals.added.values(), *fact.totals.removed.values())]
        query = changelog_query(
            mode,
            parts or [changelog_rows.nothing(self._source, self._schema)],
            columns,
            _numbered(commits),
            keys,
            rows=sum(tally.records for tally in changes),
            size_in_bytes=sum(tally.size_in_bytes for tally in changes),
        )
        return known, query, [m for rows in lists.values() if not isinstance(rows, str) for m in rows]

    def _asked(
        self, commit: NumberedCommit, read: ReadCommit, columns: Sequence[Column], pairing: Pairing, loaded: Loaded
    ) -> list[RawRows]:
        files, question = self._commits.asked(
            read, row_ids=pairing == "row id", schema_id=self._schema.get("schema-id", 0), loaded=loaded
        )
        return changelog_rows.asked(
            columns, question, files, snapshot_id=commit.snapshot.snapshot_id, ordinal=commit.ordinal or 0
        )

    def _appended(
        self,
        commits: Sequence[NumberedCommit],
        facts: Mapping[int, Commit],
        columns: Sequence[Column],
        *,
        row_ids: bool,
    ) -> list[RawRows]:
        added = [
            (file.entry.file_path, commit.ordinal or 0, commit.snapshot.snapshot_id)
            for commit in commits
            for file in facts[commit.snapshot.snapshot_id].files
        ]
        parent_id, end = commits[0].snapshot.parent_id, commits[-1].snapshot.snapshot_id
        if not added or parent_id is None:
            return []
        return [changelog_rows.appended(self._source, columns, added, parent_id=parent_id, end=end, row_ids=row_ids)]

    def _scanned(self, stretch: Stretch, columns: Sequence[Column]) -> RawRows:
        return changelog_rows.scanned(
            self._source,
            columns,
            parent_id=stretch.parent_id,
            end=stretch.end,
            first_ordinal=stretch.first_ordinal,
        )

    @read_once
    def _schema(self) -> Schema:
        return schema_mapping.current_schema(self._source.document)

    @property
    def _columns(self) -> tuple[str, ...]:
        return schema_mapping.columns(self._schema)


def _numbered(commits: CommitRange) -> list[Numbered]:
    return [Numbered(c.snapshot.snapshot_id, c.snapshot.sequence_number) for c in commits.numbered]


def _names(identity: Sequence[IdentifierColumn]) -> tuple[str, ...]:
    return tuple(column.name for column in identity)


def _pandas(frame: DataFrame) -> pd.DataFrame:
    """Exact: numbers that may be missing stay whole, ids are text."""
    schema, values = python_values.read(frame)
    return Columns(schema, ("_commit_snapshot_id",)).pandas_of(values)
