"""A table and the questions it answers. One method per question; each puts query, model and figure together."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from pyspark.sql import SparkSession

from . import columns, engine
from .commits import Commits
from .errors import UnknownSnapshot, UnreadableMetadata
from .figures import commit as commit_figure
from .figures import snapshot_graph as snapshot_graph_figure
from .model import commit_facts, commit_story, snapshot_evidence, snapshot_graph, snapshot_story
from .model.commit_facts import CommitFacts
from .model.evidence import Note
from .model.row_fates import Cost
from .model.snapshot_graph import SnapshotGraph
from .model.table_metadata import InvalidMetadata, Snapshot, TableMetadata, long_from_text
from .picture import Picture
from .queries import find_table, metadata_file
from .queries.commit_sql import commit_query
from .queries.find_table import Located
from .queries.metadata_file import MetadataFile
from .queries.snapshot_graph import snapshots_query

ROWS_IN_PYTHON = 100_000


@contextmanager
def _collector_resting() -> Iterator[None]:
    """Within the block Python looks for no garbage: hundreds of thousands of values are made there and none dropped.

    With 10,000 snapshots the search through all of the process's objects took a third of the time.
    """
    resting = not gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not resting:
            gc.enable()


class Table:
    """One Iceberg table as it was when its metadata was read; `reload()` looks again.

    Attributes:
        name: how SQL names it, or the path it was opened by.
        metadata: the metadata file as a value.
        read_at: when the metadata was read (UTC).
    """

    def __init__(self, spark: SparkSession, located: Located) -> None:
        self._spark = spark
        self._located: Located
        self._file: MetadataFile
        self._graph: SnapshotGraph | None = None
        self._commits: Commits
        with _collector_resting():
            self._take(located, self._read(located))

    @classmethod
    def open(cls, name: str, spark: SparkSession | None = None) -> Table:
        """Find a table by catalog name, metadata file or folder, and read its metadata.

        Args:
            name: `catalog.namespace.table` with any number of namespace levels and backquotes where needed, or the
                path of a metadata file or of the table's folder.
            spark: the session to ask; else the active one, `SPARK_REMOTE`, or one started here.

        Raises:
            TableNotFound, NotAnIcebergTable, AccessDenied, UnreadableMetadata: each says what was found instead.
        """
        session = engine.session(spark)
        return cls(session, find_table.locate(session, name))

    @property
    def name(self) -> str:
        """How SQL names the table, or the path it was opened by."""
        return self._located.relation or self._located.asked

    @property
    def spark(self) -> SparkSession:
        """The session that answers."""
        return self._spark

    @property
    def metadata_location(self) -> str:
        """Location of the metadata file that was read."""
        return self._file.location

    @property
    def graph(self) -> SnapshotGraph:
        """The graph of the metadata that was read; laid out once."""
        if self._graph is None:
            with _collector_resting():
                self._graph = snapshot_graph.snapshot_graph(self.metadata)
        return self._graph

    def reload(self) -> bool:
        """Look again past the catalog's cache; True if the metadata is another.

        A failure raises as `open` does and leaves the table as it was.
        """
        located = find_table.refresh(self._spark, self._located)
        with _collector_resting():
            file = self._read(located)
        if file == self._file:  # its name alone tells nothing: a table made anew may begin with `v1` again
            self._located, self.read_at = located, datetime.now(UTC)
            return False
        self._take(located, file)
        return True

    def snapshot(self, which: int | str) -> Snapshot:
        """A snapshot by id (int or text), branch or tag.

        Raises:
            UnknownSnapshot: none of that id or name; says which names there are.
        """
        ref = self.metadata.refs.get(str(which))
        snapshot_id = ref.snapshot_id if ref else long_from_text(str(which))
        if snapshot_id is not None and snapshot_id in self.metadata.by_id:
            return self.metadata.by_id[snapshot_id]
        names = ", ".join(sorted(self.metadata.refs)[:20]) or "none"
        raise UnknownSnapshot(
            f"{self.name} has no snapshot {which}.",
            found=f"It lists {len(self.metadata.snapshots):,} snapshots; its branches and tags: {names}.",
            next_step="An expired snapshot is listed no more; an earlier metadata file may still list it."
            if snapshot_id is not None
            else "",
        )

    def snapshot_graph(self) -> Picture[SnapshotGraph]:
        """Every snapshot the metadata lists: parents, refs, states, numbers, counters.

        `.data` has a row per snapshot in commit order. snapshot_id, parent_id (NA for a root), copied_from and
        published_as (NA if none) are text; sequence_number (0 for version 1), attempt, schema_id, the six counters
        (added_data_files … deleted_records; from the summary, NA where it does not count) and first_row_id are `Int64`;
        committed_at is UTC; refs and made_current_at are lists; state and parent_state as in the design.

        Cost: nothing beyond the metadata already read. Source: specification, "Snapshots", "Snapshot References".
        """
        graph = self.graph
        query = snapshots_query(self._located, self._file)
        return Picture(
            name="snapshot_graph",
            title=snapshot_story.title(graph),
            facts=graph,
            data=lambda: columns.SNAPSHOT_GRAPH.pandas(snapshot_graph.rows(graph)[:ROWS_IN_PYTHON]),
            frame=lambda: columns.SNAPSHOT_GRAPH.spark(self._spark, snapshot_graph.rows(graph)),
            draw=lambda theme: snapshot_graph_figure.draw(graph, theme, name=self.name, read_at=self.read_at),
            sql=query.sql if query else "",
            notes=[*self._notes("" if query else self._file.hidden_from_sql), *snapshot_evidence.notes(graph)],
            first="bottom",
        )

    def commit(
        self, snapshot: int | str, *, rows: bool = False, identifier_columns: Sequence[str] | None = None
    ) -> Picture[CommitFacts]:
        """What a commit did to files: those it added and removed, the manifests it kept, dropped and wrote. To rows too.

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
            identifier_columns: what makes an update of a row gone and a row new where row ids cannot; the table's own
                if None.

        Raises:
            UnknownSnapshot: none of that id or name.
            UnreadableMetadata: with `rows`, a manifest of the commit cannot be read.
            ExplorerError: an identifier column that the table has not.
        """
        of = self.snapshot(snapshot)
        facts = self._commits.with_rows(of, identifier_columns) if rows else CommitFacts(self._commits.commit(of))
        query = commit_query(self._located, of.snapshot_id, partitioned=any(self.metadata.specs.values()))
        notes = self._notes("" if query else "SQL cannot name the entries of a table that was opened by its file.")
        if facts.rows is None and facts.commit.file_count:
            notes.append(Note("unknown", "What became of rows", "They were not read; commit(…, rows=True) reads them."))
        return Picture(
            name="commit",
            title=commit_story.title(facts.commit, facts.rows),
            facts=facts,
            data=lambda: columns.COMMIT.pandas(commit_facts.rows(facts)),
            frame=lambda: columns.COMMIT.spark(self._spark, commit_facts.rows(facts)),
            draw=lambda theme: commit_figure.draw(facts.commit, facts.rows, theme, name=self.name),
            sql=query.sql if query else "",
            notes=[*notes, *facts.commit.notes, *(facts.rows.notes if facts.rows else ())],
        )

    def commit_cost(self, snapshot: int | str) -> Cost:
        """How many data files, and how big, must be read for the rows of a commit; told from manifests alone.

        Raises:
            UnknownSnapshot: none of that id or name.
            UnreadableMetadata: a manifest of the commit cannot be read.
        """
        return self._commits.cost(self.snapshot(snapshot))

    def _notes(self, hidden_from_sql: str) -> list[Note]:
        notes = []
        if self._located.chosen_from is not None and self._located.chosen_from > 1:
            notes.append(
                Note(
                    "inferred",
                    f"{self._file.location.rsplit('/', 1)[-1]} is the current metadata file",
                    f"It has the highest number of the {self._located.chosen_from:,} there; only a catalog knows.",
                )
            )
        if hidden_from_sql:
            notes.append(Note("unknown", "SQL for these rows", hidden_from_sql))
        if len(self.metadata.snapshots) > ROWS_IN_PYTHON:
            total = len(self.metadata.snapshots)
            notes.append(Note("exact", f"Data shows {ROWS_IN_PYTHON:,} of {total:,} rows", "The frame has them all."))
        return notes

    def _read(self, located: Located) -> MetadataFile:
        return metadata_file.read(self._spark, located.metadata_file, located.relation)

    def _take(self, located: Located, file: MetadataFile) -> None:
        try:
            metadata = TableMetadata.from_json(file.document)
        except InvalidMetadata as error:
            raise UnreadableMetadata(
                f"{located.asked} cannot be shown.",
                found=f"{file.location}: {error}.",
                next_step="Open an earlier metadata file of the table by its path to see the state before.",
            ) from error
        self._located, self._file, self.metadata = located, file, metadata
        self._graph = None
        self._commits = Commits(self._spark, located, file, metadata)
        self.read_at = datetime.now(UTC)

    def __repr__(self) -> str:
        return f"<Table {self.name}: format version {self.metadata.format_version}>"
