"""The biographies of rows: which files may hold them, what reading takes, and what is read of them, line by line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ...engine.memory import read_once
from ...errors import ExplorerError
from ...model.biography import away, chain, follow, notes, visibility, words
from ...model.biography.facts import Biography, Life, Line, Price
from ...model.biography.follow import Lead
from ...model.biography.line_rows import LineRows
from ...model.biography.lines import lines
from ...model.biography.pairs import Trust
from ...model.biography.visibility import ReadRow
from ...model.evidence import Note
from ...model.iceberg import row_lineage
from ...model.iceberg.file_lives import FileLife
from ...model.iceberg.key_candidates import KeyCandidate
from ...model.iceberg.metadata import Snapshot
from ...model.iceberg.unreadable import Unreadable
from ...queries.biography import expired
from ...queries.biography import follow as follow_queries
from ...queries.biography import rows as row_queries
from ...queries.biography.rows import Asked
from ...queries.files.candidates import Filter, condition_filter
from ...queries.rows import chosen_files, schema_mapping
from ...queries.rows.identifier_columns import identifier_columns
from ...queries.rows.schema_mapping import current_schema
from ...queries.source import Source
from .row_files import Entries, LineFiles, RowFiles
from .timelines import Timelines

ROWS_TOLD = 5_000
"""Rows in data files that are told one by one; all are counted."""
_FOLLOWED = 200  # lives, above which rows that do not meet the condition are not looked for
_ROUNDS = 8  # so many times they are
_EXPIRED_TOLD = 20  # expired commits that are looked for in earlier metadata files
_EQUALITY_DELETES = 2  # content of a file


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes:
        of: the snapshot to which the line leads, by the `name` that was given.
        identifiers: names of the columns that tell which row is which, or one; None for those of the table, else those
            of the condition, if it says nothing but which values they have: `a = 1 AND b = 2`, else a guess.
    """

    condition: str
    of: Snapshot
    name: str
    identifiers: Sequence[str] | None = None


class AskedBiography:
    """A biography that was asked for: what is known before a row is read, and the way to read.

    Args:
        source: the table, with the manifests that are kept of it.
        timelines: of it.
        question: what is asked.
        propose: which columns may tell rows apart, the likeliest first; reads manifests, and so it is asked if need be.
        most: rows that are told one by one.

    Attributes:
        sql: a statement that gives the rows; known when they were read.
    """

    def __init__(
        self,
        source: Source,
        timelines: Timelines,
        question: Question,
        propose: Callable[[], Sequence[KeyCandidate]],
        *,
        most: int = ROWS_TOLD,
    ) -> None:
        self._source, self._timelines, self._question, self._most = source, timelines, question, most
        self._propose = propose
        self._metadata, self._schema = source.metadata, current_schema(source.document)
        self._columns = schema_mapping.columns(self._schema)
        self._lines = lines(self._metadata, question.of.snapshot_id, question.name)
        self._read = [_LineRead() for _ in self._lines]
        self._contradicted: set[str] = set()
        self._leads: set[Lead] = set()
        self._expired_commits: dict[int, str] = {}
        self._line_rows: list[LineRows] = []
        self.sql = ""

    def check(self) -> None:
        """Nothing, if it can be asked; reads nothing.

        Raises:
            ExplorerError: the condition is not one over the table's columns; an identifier column that it has not.
        """
        row_queries.check(self._source, self._question.condition)
        identifier_columns(self._source, self._schema, self._question.identifiers)

    @read_once
    def price(self) -> Price:
        """What reading takes.

        Cost: the manifests of the history; large ones twice, where the condition rules files out.
        """
        reason = self._filter if isinstance(self._filter, str) else ""
        return self._files.price(self._entries, self._files.deletes_of(self._entries), not reason, reason)

    @read_once
    def facts(self) -> Biography:
        """What became of the rows. Cost: of `price`, and the bytes that it names.

        Raises:
            ExplorerError: the condition fails on a value, or not one of the files can be read.
        """
        self._ask(self._question.condition, self._entries, meets=True)
        told, rounds = self._told(), 0
        while rounds < _ROUNDS and len(told) <= _FOLLOWED and self._follow(told):
            told, rounds = self._told(), rounds + 1
        absences = away.absences(told, self._lines, self._metadata.snapshot_log)
        return Biography(
            absences=absences,
            condition=self._question.condition,
            ref=self._question.name,
            columns=self._columns,
            key=self._key,
            called_by=self._key or self._of_condition,
            lines=self._lines,
            lives=told,
            rows=self._read[0].total,
            told=sum(row.meets for row in self._read[0].rows),
            price=self.price,
            notes=(*notes.away(absences, len(told)), *self._notes(told)),
            is_partial=self._is_partial,
            key_is_guessed=bool(self._key) and not self._named,
        )

    # --- what is known before

    @read_once
    def _files(self) -> RowFiles:
        if isinstance(self._filter, Filter):
            self._timelines.read_for_rows()
        return RowFiles(self._source, self._timelines, self._lines)

    @read_once
    def _filter(self) -> Filter | str:
        written = schema_mapping.schemas(self._source.document).values()
        by = condition_filter(self._question.condition, self._schema, self._source.specs, schemas=written)
        if isinstance(by, Filter) and not schema_mapping.moved_names(self._source.document).isdisjoint(by.field_ids):
            return "a name that it uses was that of another column, by which files without field ids are read"
        return by

    @read_once
    def _entries(self) -> Entries:
        """The data files that may hold such rows."""
        if isinstance(self._filter, str):
            return self._files.entries(self._files.data.tolist())
        return self._files.admitted(self._filter)

    @read_once
    def _key(self) -> tuple[int, ...]:
        """Indices of the columns that tell which row is which; none where nothing says so."""
        return self._named or self._guessed

    @read_once
    def _named(self) -> tuple[int, ...]:
        """Those that the person, the schema or the condition names."""
        known = identifier_columns(self._source, self._schema, self._question.identifiers)
        names = {column.name.partition(".")[0] for column in known}
        if not names and isinstance(self._filter, Filter):
            names = set(self._filter.equal)
        return self._indices(names)

    @read_once
    def _guessed(self) -> tuple[int, ...]:
        """The likeliest one that may number rows: so the story of a row does not depend on how it is asked for."""
        try:
            proposed = next((one for one in self._propose() if one.numbers_rows), None)
        except ExplorerError:  # who asks for the rows is told why, if they need what cannot be read
            return ()
        return () if proposed is None else self._indices(proposed.columns)

    def _indices(self, names: Collection[str]) -> tuple[int, ...]:
        return tuple(i for i, name in enumerate(self._columns) if name in names)

    @property
    def _of_condition(self) -> tuple[int, ...]:
        """Indices of the columns that the condition names, where it could be understood."""
        names = self._filter.columns if isinstance(self._filter, Filter) else ()
        return tuple(i for i, name in enumerate(self._columns) if name in names)

    @property
    def _is_fixed(self) -> bool:
        """Whether the condition is about the key alone, so that every row of a key meets it or none does."""
        key = {self._columns[i] for i in self._key}
        return isinstance(self._filter, Filter) and bool(key) and key.issuperset(self._filter.columns)

    @read_once
    def _damage(self) -> str:
        """Why row ids tell nothing; empty if they do."""
        formats = {entry.file_format.upper() for entry in self._entries.values()}
        return row_lineage.damage(self._metadata, formats)

    @property
    def _has_row_ids(self) -> bool:
        return self._metadata.format_version >= 3 and not self._damage

    # --- reading

    def _ask(self, condition: str, entries: Entries, *, meets: bool) -> bool:
        """Read what these files hold, on each line where something happened to them; whether any of it is new."""
        is_new = False
        deletes = self._files.deletes_of(entries)
        for number, index in enumerate(sorted(self._files.lines_of([*entries, *deletes]))):
            needed = meets and not number  # without what is asked for first there is nothing to tell
            asked = Asked(condition, self._key, self._has_row_ids, self._most, meets, needed)
            is_new |= self._ask_on(index, asked, self._files.on_line(index, entries, deletes))
        return is_new

    def _ask_on(self, index: int, asked: Asked, files: LineFiles) -> bool:
        history = self._timelines.history
        found = row_queries.rows(
            self._source,
            self._lines[index],
            files.data,
            files.deletes,
            asked,
            unreadable=history.unreadable_lists,
            damaged=history.damaged,
            listed_again=len(files.data) <= chosen_files.MOST and self._files.are_listed_again(files.data),
        )
        read = self._read[index]
        rows = found.rows if found.total == len(found.rows) else _whole_groups(found.rows, self._key)
        if asked.meets:
            read.total = found.total
            self.sql = self.sql or found.sql
        return read.add(files, rows, found.unreadable)

    def _told(self) -> tuple[Life, ...]:
        self._line_rows = [self._rows_of(index) for index in range(len(self._lines))]
        return chain.lives(self._line_rows, self._columns, self._key)

    def _rows_of(self, index: int) -> LineRows:
        line, read = self._lines[index], self._read[index]
        data, deletes = tuple(read.data.values()), tuple(read.deletes.values())
        added_at = self._files.added_at({row.file_path for row in read.rows})
        unreadable = {file.path for file in read.unreadable}
        seen = visibility.versions(read.rows, data, deletes, self._source.specs, added_at, unreadable)
        self._contradicted |= seen.contradicted
        holes = {
            p for life in (*data, *deletes) if life.entry.file_path in unreadable for p in (life.since, life.until)
        }
        holes |= self._lost_with(line)
        upserts = {life.since for life in deletes if life.entry.content == _EQUALITY_DELETES}
        commits = {place: s for place, s in enumerate(line.snapshots) if place and s is not None}
        return LineRows(
            line,
            seen.versions,
            {place: self._trust(line, place, upserts) for place in commits},
            frozenset(place for place, s in commits.items() if self._files.came(s.snapshot_id)),
            frozenset(place for place, s in commits.items() if self._files.takes(s.snapshot_id)),
            frozenset(holes),
            self._expired(line, added_at.values()),
        )

    def _lost_with(self, line: Line) -> set[int]:
        """The places at which commits may have done more than is known: to files of a manifest that cannot be read.

        It comes or goes there, or the commit added deletes, which may mask rows of any file that it lists.
        """
        if not self._timelines.history.stored.unreadable_files:
            return set()  # as nearly always: a long line is not gone along for nothing, in each round
        lost = [(place, found) for place in range(line.end) if (found := self._lost(line, place)) is not None]
        moved = {place for (_, before), (place, after) in pairwise(lost) if before != after}
        within = ((place, line.snapshots[place]) for place, found in lost if found and place)
        return moved | {place for place, s in within if s is not None and self._files.takes(s.snapshot_id)}

    def _lost(self, line: Line, place: int) -> frozenset[int] | None:
        """The manifests that cannot be read of those that are listed at a place of a line; None if none is known."""
        snapshot, history = line.snapshots[place], self._timelines.history
        listed = () if snapshot is None else history.lists.get(snapshot.snapshot_id, ())
        return None if isinstance(listed, str) else frozenset(history.stored.unreadable_files.keys() & set(listed))

    @property
    def _is_partial(self) -> bool:
        first, read = self._lines[0], self._read[0]
        unreadable = {file.path for file in read.unreadable}
        return self._lost(first, first.end - 1) != frozenset() or any(path in unreadable for path, _ in read.data)

    def _expired(self, line: Line, numbers: Iterable[int]) -> dict[int, str]:
        """What is known still of the expired commits that added files, by sequence number."""
        unknown = set(numbers) - {s.sequence_number for s in self._metadata.snapshots} - self._expired_commits.keys()
        if line.begins == "expired" and unknown:
            found = expired.commits(self._source, sorted(unknown)[:_EXPIRED_TOLD])
            self._expired_commits |= {n: words.expired_commit(s) for n, s in found.items()}
            self._expired_commits |= dict.fromkeys(unknown - found.keys(), "")
        return self._expired_commits

    def _trust(self, line: Line, place: int, upserts: Iterable[int]) -> Trust:
        """What row ids tell at a commit; a row that an equality delete replaces gets a new one."""
        before, after = line.snapshots[place - 1], line.snapshots[place]
        if not self._has_row_ids or after is None or after.first_row_id is None:
            return "none"
        if before is not None and before.first_row_id is None:
            return "none"
        return "same" if place in upserts else "all"

    def _follow(self, told: Sequence[Life]) -> bool:
        """Read what these rows were before they met the condition, and what they became; whether there is more."""
        is_new = False
        for lead, snapshot in self._open_leads(told):
            self._leads.add(lead)
            chosen = (self._files.came if lead.came else self._files.went)(snapshot.snapshot_id)
            condition = follow_queries.condition(self._source, self._schema, lead)
            is_new |= self._ask(condition, self._files.entries(chosen), meets=False)
        return is_new

    def _open_leads(self, told: Sequence[Life]) -> list[tuple[Lead, Snapshot]]:
        """The leads that nobody followed, each with the snapshot to which it leads."""
        leads = follow.leads(told, self._line_rows, self._key, fixed=self._is_fixed)
        found = ((lead, self._lines[lead.line].snapshots[lead.place]) for lead in leads if lead not in self._leads)
        return [(lead, snapshot) for lead, snapshot in found if snapshot is not None]

    # --- what is not known

    def _notes(self, told: Sequence[Life]) -> Iterable[Note]:
        history = self._timelines.history
        manifests = history.stored.unreadable_files.values()
        yield from notes.beginning(self._lines[0])
        if any(event.certainty == "inferred" for life in told for event in life.events):
            key = [self._columns[i] for i in self._key]
            yield notes.identity(self._metadata, key, self._damage, guessed=not self._named)
        yield from notes.unreadable_metadata(history.unreadable_lists, manifests, self._lines)
        yield from notes.unreadable_rows(file for read in self._read for file in read.unreadable)
        if self._open_leads(told):
            yield notes.not_followed(len(told), _FOLLOWED, _ROUNDS)
        yield from notes.contradicted(self._contradicted)
        if isinstance(self._filter, Filter):
            yield from notes.younger_columns(self._filter.field_ids, self._metadata.schemas, self._lines[0])


@dataclass
class _LineRead:
    """What was read of one line so far."""

    data: dict[tuple[str, int], FileLife] = field(default_factory=dict)
    deletes: dict[tuple[str, int | None, int], FileLife] = field(default_factory=dict)
    rows: list[ReadRow] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    total: int = 0

    def add(self, files: LineFiles, rows: Iterable[ReadRow], unreadable: Iterable[Unreadable]) -> bool:
        """Add what was read of files; whether a row is new."""
        known = {(row.file_path, row.position) for row in self.rows}
        new = [row for row in rows if (row.file_path, row.position) not in known]
        self.rows += new
        self.data |= {(life.entry.file_path, life.since): life for life in files.data}
        self.deletes |= {(*life.key, life.since): life for life in files.deletes}
        self.unreadable += unreadable
        return bool(new)


def _whole_groups(rows: Sequence[ReadRow], key: Sequence[int]) -> Sequence[ReadRow]:
    """Without the last rows, of whose key there may be more; where all have one key, of whose row id or values."""
    for group in (
        [tuple(row.same[i] for i in key) for row in rows],
        [row.same if row.row_id is None else row.row_id for row in rows],
    ):
        if group and group[0] != group[-1]:
            return [row for row, own in zip(rows, group, strict=True) if own != group[-1]]
    return rows
