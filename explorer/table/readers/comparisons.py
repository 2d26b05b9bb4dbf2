"""Two points compared: queries and model put together, of one table or of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...errors import ExplorerError, UnreadableMetadata
from ...model import formats
from ...model.compare import evidence, fields
from ...model.compare.columns import ColumnFigures, column_figures
from ...model.compare.facts import Comparison, Point
from ...model.compare.figures import Listed, figures
from ...model.compare.files import FileDifference, StoredDifference, difference, file_changes, touched_files
from ...model.compare.rows import NetRows
from ...model.compare.settings import NoState, TableState, settings
from ...model.compare.ways import ways
from ...model.iceberg.document import Schema
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.relation import Relation
from ...model.iceberg.row_lineage import RowIds, row_ids_between
from ...model.iceberg.schema import fields as schema_fields
from ...queries.compare import columns as stored_columns
from ...queries.compare import files as stored_files
from ...queries.compare import rows as net_rows
from ...queries.compare import states
from ...queries.compare.files import End
from ...queries.files import storage
from ...queries.files.commits import manifest_lists
from ...queries.files.decoded_manifests import DecodedManifests
from ...queries.files.manifests import size_together
from ...queries.rows import schema_mapping
from ...queries.rows.identifier_columns import IdentifierColumn, identifier_columns
from ...queries.rows.reading import refusing
from ...queries.rows.trial import around_lost_files
from ...queries.source import Source

_REFUSED = "The rows of these two points cannot be compared."
_MOST_FOR_COLUMNS = 2_000_000  # bytes of manifests; each file's bounds are decoded one by one
_FILES_ALONE = "What they do not share of files is told without them, by compare(…)."


@dataclass(frozen=True, slots=True)
class Asked:
    """One of the two points, and the table that is asked about it."""

    source: Source
    point: Point

    @property
    def schema(self) -> Schema:
        """In which a reader sees it."""
        document = self.source.document
        known = schema_mapping.schemas(document)
        schema_id = self.point.schema_id
        if schema_id is None or schema_id not in known:
            return schema_mapping.current_schema(document)
        return known[schema_id]


@dataclass(frozen=True, slots=True)
class Read:
    """A comparison, and the manifests that the two points list."""

    facts: Comparison
    listed: tuple[ListedManifest, ...]


def compare(left: Asked, right: Asked, relation: Relation | None) -> Read:
    """Everything but rows; without the files, where one that tells of them cannot be read.

    Args:
        left: as they are told.
        right: the other.
        relation: None of two tables.
    """
    ends = _end(left), _end(right)
    lists = [end.listed if isinstance(end, End) else None for end in ends]
    found, columns = _of_files(ends, (left, right))
    every = [*schema_mapping.schemas(right.source.document).items()]
    changes = fields.field_changes(left.schema, right.schema, [schema for _, schema in every])
    earlier = [
        schema for schema_id, schema in every if relation is not None and schema_id < left.schema.get("schema-id", 0)
    ]
    known = _state(left), _state(right)
    rows = None if found.certain is None else NetRows(found.certain[1], 0, found.certain[0], read=False)
    facts = Comparison(
        left=left.point,
        right=right.point,
        relation=relation,
        fields=changes,
        field_count=fields.field_count(right.schema),
        hidden=fields.hidden(changes, earlier),
        states=known,
        settings=settings(known[0], known[1])
        if isinstance(known[0], TableState) and isinstance(known[1], TableState)
        else (),
        specs=_specs(lists),
        files=found,
        figures=figures(left.point.snapshot, right.point.snapshot, (lists[0], lists[1])),
        columns=columns,
        rows=rows,
        ways=ways(right.source.metadata, relation),
    )
    listed = tuple({m.path: m for listed in lists for m in listed or ()}.values())
    return Read(replace(facts, notes=evidence.notes(facts, None)), listed)


def with_rows(read: Read, left: Asked, right: Asked, identifiers: Sequence[str] | None) -> Read:
    """The same with its rows compared.

    Raises:
        UnreadableMetadata: a manifest list, or a manifest that is needed, cannot be read.
        ExplorerError: an identifier column that the right side has not; a field that is of types of which neither can
            become the other; a data file that cannot be read; tables of two sessions.
    """
    facts = read.facts
    if facts.files.are_equal:
        return read
    apart = [field for field in facts.fields if not field.keeps_values]
    if apart:
        found = "; ".join(f"field {f.field_id} is {f.left} on the left side and {f.right} on the right" for f in apart)
        raise ExplorerError(_REFUSED, found=f"{found}.", next_step=_FILES_ALONE)
    if left.source.spark is not right.source.spark:
        raise ExplorerError(
            _REFUSED, found="The two tables are asked through two sessions.", next_step="Open both with one session."
        )
    ends = _opened_once((_readable(_end(left)), _readable(_end(right))))
    try:
        stored = stored_files.read(*ends, for_rows=True)
    except UnreadableMetadata as error:
        step = error.next_step if facts.files.why_unknown else f"{error.next_step} {_FILES_ALONE}".lstrip()
        raise UnreadableMetadata(_REFUSED, found=error.found, next_step=step) from error
    with refusing(_REFUSED, _FILES_ALONE):
        lineage = _row_ids(facts, stored, right.source)
        files = touched_files(stored)
        identity = identity_of(right, identifiers, lineage)
        rows = around_lost_files(
            right.source,
            lambda source: net_rows.read(
                _asked_as(source, ends[0]),
                _asked_as(source, ends[1]),
                files,
                right.schema,
                row_ids=lineage.usable,
                identity=identity,
            ),
        )
    facts = replace(facts, rows=rows, files=replace(difference(stored), certain=facts.files.certain))
    return replace(read, facts=replace(facts, notes=evidence.notes(facts, lineage)))


def identity_of(
    right: Asked, identifiers: Sequence[str] | None, lineage: RowIds | None = None
) -> tuple[IdentifierColumn, ...]:
    """The columns that tell rows apart: those that were given; else, where row ids do not, those of the schema.

    Raises:
        ExplorerError: a column that the right side has not.
    """
    if identifiers is None and lineage is not None and lineage.usable:
        return ()
    return identifier_columns(right.source, right.schema, identifiers)


def _end(of: Asked) -> End | UnreadableMetadata:
    snapshot_id = of.point.snapshot.snapshot_id
    rows = manifest_lists(of.source, [snapshot_id])[snapshot_id]
    if isinstance(rows, str):
        found = f"The manifest list of {snapshot_id}: {rows}"
        return UnreadableMetadata(_REFUSED, found=found, next_step=storage.next_step(rows))
    return End(of.source, snapshot_id, rows)


def _readable(end: End | UnreadableMetadata) -> End:
    if isinstance(end, UnreadableMetadata):
        raise end
    return end


def _of_files(
    ends: tuple[End | UnreadableMetadata, End | UnreadableMetadata], sides: tuple[Asked, Asked]
) -> tuple[FileDifference, tuple[ColumnFigures, ...] | str]:
    """In which files the two differ, and what their statistics say; or why that is not told."""
    try:
        readable = _readable(ends[0]), _readable(ends[1])
        size = _size_of_data(readable)
        if size > _MOST_FOR_COLUMNS:
            unread = f"the data manifests of the two take {formats.size(size)}, and all would be read"
            return difference(stored_files.read(*readable)), unread
        readable = _opened_once(readable)
        return difference(stored_files.read(*readable)), _columns(readable, sides)
    except UnreadableMetadata as error:
        return FileDifference.unknown(error.found), "a file of the metadata that tells of them cannot be read"


def _asked_as(source: Source, end: End) -> End:
    """The same, its files read by themselves if those of a table shall be."""
    return replace(end, source=replace(end.source, alone=source.alone))


def _opened_once(ends: tuple[End, End]) -> tuple[End, End]:
    """The same, of which each small manifest is decoded once, however often it is asked for."""
    left, right = ends
    source, other = (replace(end.source, decoded=DecodedManifests()) for end in ends)
    return replace(left, source=source), replace(right, source=source if left.source is right.source else other)


def _size_of_data(ends: tuple[End, End]) -> int:
    return size_together({m.path: m for end in ends for m in end.manifests(of_data=True)}.values())


def _state(of: Asked) -> TableState | NoState:
    if of.point.at is not None:
        return states.at_time(of.source, of.point.at, of.point.snapshot)
    return states.now(of.source) if of.point.is_head else states.at_commit(of.source, of.point.snapshot)


def _specs(lists: Sequence[Listed]) -> tuple[frozenset[int], frozenset[int]]:
    """Of the manifests of each side that hold a live file, as far as lists count them; none if one is not known."""
    known = [listed for listed in lists if listed is not None]
    left, right = known if len(known) == len(lists) else ((), ())
    return _in_use(left), _in_use(right)


def _in_use(listed: Sequence[ListedManifest]) -> frozenset[int]:
    return frozenset(
        m.partition_spec_id
        for m in listed
        if m.partition_spec_id is not None and (m.added_files_count, m.existing_files_count) != (0, 0)
    )


def _columns(ends: tuple[End, End], sides: tuple[Asked, Asked]) -> tuple[ColumnFigures, ...] | str:
    """What the statistics of both say of each column; or why that is not told."""
    one, other = (stored_columns.valued([*schema_fields(side.schema)]) for side in sides)
    found = stored_columns.column_sides((ends[0], one), (ends[1], other))
    return found if isinstance(found, str) else column_figures((one, found[0]), (other, found[1]))


def _row_ids(facts: Comparison, stored: StoredDifference, source: Source) -> RowIds:
    relation = facts.relation
    if relation is None:
        return RowIds(False, "Row ids of two tables have nothing to do with each other.")
    if relation.base is None:
        return RowIds(False, "The two have no common ancestor whose row ids both could have.")
    path = (*relation.left_commits, *relation.right_commits)
    ends = (relation.left, relation.right)
    return row_ids_between(source.metadata, ends, path, file_changes(stored))
