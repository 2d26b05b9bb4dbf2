"""A changelog, put together as the face of the house will: range, sources, rows, counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame

from explorer.errors import UnreadableMetadata
from explorer.model.changelog import Changelog, Mode, Unread, pairing, stretches
from explorer.model.commit import from_stored
from explorer.model.commit_range import commit_range
from explorer.model.inheritance import ListedManifest
from explorer.model.row_lineage import row_ids
from explorer.model.touched_files import reach
from explorer.queries import changelog_rows, commits, touched_files
from explorer.queries.changelog import ChangelogQuery, Numbered, changelog_query
from explorer.queries.identifier_columns import identifier_columns
from explorer.queries.ownership import live_files, ownership_query
from explorer.queries.row_question import row_question
from tests.queries.row_facts import OpenedRows


class OpenedChangelog(OpenedRows):
    """A table whose changelog is asked for."""

    def query(
        self,
        mode: Mode = "changes",
        start: int | None = None,
        end: int | None = None,
        identifiers: Sequence[str] | None = None,
    ) -> tuple[Changelog, ChangelogQuery]:
        metadata, document = self.metadata, self.document
        commits_asked = commit_range(metadata, start, end)
        schema = next(s for s in document["schemas"] if s["schema-id"] == document["current-schema-id"])
        identity = identifier_columns(self.spark, schema, identifiers)
        names = tuple(column.name for column in identity)
        numbered = [Numbered(c.snapshot.snapshot_id, c.snapshot.sequence_number) for c in commits_asked.numbered]
        columns = tuple(field["name"] for field in schema["fields"])
        if mode == "ownership":
            keys = [column.sql for column in identity]
            end = commits_asked.end
            listed = commits.manifest_lists(self.spark, document, [end], self.options)[end]
            assert not isinstance(listed, str)
            files = live_files(self.spark, listed, metadata.specs, self.options)
            query = ownership_query(self.spark, self.located, document, end, files, numbered, keys)
            return Changelog(commits_asked, mode, columns, "none", names), query
        with_parents = {i for c in commits_asked.numbered for i in (c.snapshot.snapshot_id, c.snapshot.parent_id) if i}
        lists = commits.manifest_lists(self.spark, document, with_parents, self.options)
        readable = [c.snapshot_id for c in numbered if not isinstance(lists.get(c.snapshot_id, ""), str)]
        stored, decoded = commits.stored_commits(self.spark, document, lists, readable, metadata.specs, self.options)
        facts = {i: from_stored(metadata, i, stored[i]) for i in readable}
        pairs = pairing(mode, names, (row_ids(metadata, fact) for fact in facts.values()))
        contradicted = {i for i, fact in facts.items() if fact.contradictions}
        found, unread = stretches(
            commits_asked,
            {
                i: rows if isinstance(rows, str) else [ListedManifest(**row) for row in rows]
                for i, rows in lists.items()
            },
            metadata.by_id,
            by_row_id=pairs == "row id",
            contradicted=contradicted,
        )
        selected = changelog_rows.columns(self.spark, schema)
        parts = []
        for stretch in found:
            if stretch.source == "changelog scan":
                parts.append(
                    changelog_rows.scanned(
                        self.spark,
                        self.located,
                        selected,
                        parent_id=stretch.parent_id,
                        end=stretch.end,
                        first_ordinal=stretch.first_ordinal,
                    )
                )
                continue
            for commit in stretch.commits:
                snapshot_id = commit.snapshot.snapshot_id
                try:
                    files = touched_files.read(
                        self.spark,
                        stored[snapshot_id],
                        snapshot_id,
                        metadata.specs,
                        self.options,
                        reach=reach,
                        trusted=snapshot_id not in contradicted,
                        decoded=decoded,
                    )
                except UnreadableMetadata as error:
                    unread = (*unread, Unread(commit, error.found))
                    continue
                question = row_question(
                    self.spark,
                    self.located,
                    document,
                    snapshot_id,
                    files,
                    schema_id=schema["schema-id"],
                    row_ids=pairs == "row id",
                )
                parts += changelog_rows.asked(
                    selected, question, files, snapshot_id=snapshot_id, ordinal=commit.ordinal or 0
                )
        parts = parts or [changelog_rows.nothing(self.spark, schema)]
        keys = ["_row_id"] if pairs == "row id" else [column.sql for column in identity]
        facts_of = Changelog(commits_asked, mode, columns, pairs, names, found, unread)
        return facts_of, changelog_query(mode, parts, selected, numbered, keys)

    def rows(self, mode: Mode = "changes", *range_: int | None, **how: Any) -> DataFrame:
        return self.query(mode, *range_, **how)[1].rows(self.spark)
