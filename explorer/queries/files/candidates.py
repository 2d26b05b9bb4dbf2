"""Which data files may hold a row that meets a condition: told by partitions and statistics, before a file is opened.

The condition is read by PyIceberg, projected through each file's own partition spec, and compared with its bounds. What
PyIceberg and Spark might read in two ways rules nothing out: then every file may hold such a row, and Spark decides.

Sources: Iceberg specification, "Scan Planning" (inclusive projection), "Manifests" (bounds, counts), "Schema Evolution"
(a widened column has old bounds).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...model.iceberg.document import PartitionField, Schema, Specs
from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ...model.iceberg.schema import fields as schema_fields
from ...model.iceberg.schema import is_wider
from ...model.iceberg.unreadable import Unreadable
from ..rows import arrow
from ..rows.file_predicates import from_text, partition_texts
from ..source import Source
from . import condition_times
from . import manifests as stored_manifests

_READ_IN_TWO_WAYS = re.compile(r"[\"\\`]|\blike\b", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"`([A-Za-z_][A-Za-z0-9_]*)`")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_WHOLE = ("int", "long")
_OTHERS = ("string", "date", "timestamp", "timestamptz")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_COLUMNS = tuple(field.name for field in fields(StoredEntry) if field.name != "statistics")
_STATISTICS = ("value_counts", "null_value_counts", "lower_bounds", "upper_bounds")  # that a condition is compared with
_AT_ONCE = 10_000  # entries of many that are looked at together

Admits = Callable[[StoredEntry], bool]
"""Whether a data file may hold a row; its entry with statistics."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Data files that may hold a row.

    Attributes:
        entries: theirs; with statistics, or with those of the condition's columns alone.
        unreadable_files: manifests that could not be read.
    """

    entries: tuple[StoredEntry, ...]
    unreadable_files: tuple[Unreadable, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that statistics and partitions can be compared with.

    Attributes:
        admits: whether a file may hold a row that meets it.
        field_ids: of the columns that it names, columns: their names.
        equal: the same, if it says of rows nothing but which values each of these has, by `=` or `IN`; else none.
    """

    admits: Admits
    field_ids: tuple[int, ...]
    columns: tuple[str, ...]
    equal: tuple[str, ...]


def condition_filter(
    condition: str, schema: Schema, specs: Specs, *, zone: str = "", schemas: Iterable[Schema] = ()
) -> Filter | str:
    """What rules files out by a condition; else why nothing does, a phrase.

    Args:
        condition: SQL, as after WHERE.
        schema: in which it is asked, as metadata.json writes it.
        specs: partition fields by spec id.
        zone: of the session, in which texts are times; without it no condition on times rules files out.
        schemas: by which files may have been written. A replaced table gives a column's id another type, and no bound
            says of which type it is.
    """
    from pyiceberg.expressions import parser
    from pyiceberg.schema import Schema as IcebergSchema

    if "'" not in condition:
        condition = _PLAIN_NAME.sub(r"\1", condition)
    condition, typed = condition_times.untyped(condition) if zone else (condition, frozenset[str]())
    if _READ_IN_TWO_WAYS.search(condition):
        return "it is not one that statistics can be compared with"
    try:
        expression = parser.parse(condition)
        known = IcebergSchema.model_validate(dict(schema))
        expression = condition_times.with_times(expression, known, zone) if zone else expression
    except Exception:  # a function, another type of literal, a type that PyIceberg lacks: whatever it raises
        return "it is not one that statistics can be compared with"
    columns: dict[str, int] = {}
    for predicate in _predicates(expression):
        field = _field(known, predicate)
        if field is None or not _is_read_alike(str(field.field_type), predicate, typed):
            return "its values are not of the types of the columns"
        columns[field.name] = field.field_id
    known_as = {known.field_id: known.type for known in schema_fields(schema)}
    for before in (field for written in schemas for field in schema_fields(written)):
        if before.field_id in columns.values() and not _is_same(before.type, known_as[before.field_id]):
            return f"the column {before.path} was of the type {before.type} before"
    if not columns:
        return "it names no column"
    try:
        admits = _Admits(expression, known, specs)
    except Exception:
        return "it is not one that statistics can be compared with"
    return Filter(admits, tuple(columns.values()), tuple(columns), tuple(columns) if _given(expression) else ())


def _is_same(before: str, now: str) -> bool:
    return before == now or is_wider(before, now) or is_wider(now, before)


def candidates(
    source: Source,
    manifests: Sequence[ListedManifest],
    admits: Admits,
    field_ids: Sequence[int],
    *,
    among: Collection[tuple[str, str]] | None = None,
    small_in_bytes: int = stored_manifests.SMALL_IN_BYTES,
) -> Candidates:
    """The data files in these manifests that may hold a row.

    Args:
        source: the table.
        manifests: of data files.
        admits: of `Filter`.
        field_ids: of the columns whose statistics it needs.
        among: manifest and file, by their paths, of the only entries that are asked about; all if None.
        small_in_bytes: manifests larger than this together are decoded in Spark tasks.

    Cost: the bytes of the manifests, once.
    """
    if stored_manifests.size_together(manifests) <= small_in_bytes:
        table, unreadable = stored_manifests.table_here(source, manifests, statistics=True)
        table = _among(table, among)
        admitted = pa.array(map(admits, _entries(_of_columns(table, field_ids), field_ids)), pa.bool_())
        return Candidates(tuple(stored_manifests.of_columns(table.filter(admitted).to_pydict())), unreadable)
    frame = stored_manifests.entries(source, manifests, statistics=True)
    unreadable = stored_manifests.unreadable_files(frame)
    of_columns = [f"try_element_at({name}, {i}) AS {name}_{i}" for name in _STATISTICS for i in field_ids]
    found = arrow.collected(frame.where("unreadable IS NULL").selectExpr(*_COLUMNS, *of_columns))
    entries = _entries(_among(found, among), field_ids)
    return Candidates(tuple(entry for entry in entries if admits(entry)), unreadable)


def _among(found: pa.Table, among: Collection[tuple[str, str]] | None) -> pa.Table:
    """The entries that are asked about: each merged manifest lists the same files again."""
    if among is None:
        return found
    asked = pa.array([f"{manifest}\n{file}" for manifest, file in among], pa.string())
    kept = [
        batch.filter(pc.is_in(pc.binary_join_element_wise(batch["manifest_path"], batch["file_path"], "\n"), asked))
        for batch in found.to_batches(max_chunksize=_AT_ONCE)
    ]
    return pa.Table.from_batches(kept, found.schema)


def _of_columns(found: pa.Table, field_ids: Sequence[int]) -> pa.Table:
    """Entries with the statistics of these columns, each in a column of its own: maps are slow to be read."""
    keys = {i: pa.scalar(i, pa.int32()) for i in field_ids}
    of_each = {f"{name}_{i}": pc.map_lookup(found[name], keys[i], "first") for name in _STATISTICS for i in field_ids}
    return pa.table({name: found[name] for name in _COLUMNS} | of_each)


def _entries(found: Any, field_ids: Sequence[int]) -> Iterator[StoredEntry]:
    for batch in found.to_batches(max_chunksize=_AT_ONCE):
        columns = batch.to_pydict()
        for name in _STATISTICS:
            stored = {i: columns.pop(f"{name}_{i}") for i in field_ids}
            columns[name] = [
                {i: values[row] for i, values in stored.items() if values[row] is not None} for row in range(len(batch))
            ]
        columns["nan_value_counts"] = [None] * len(batch)
        yield from stored_manifests.of_columns(columns)


# --- the condition ----------------------------------------------------------------------------------------------------


def _predicates(expression: Any) -> Iterator[Any]:
    """The comparisons that a condition is made of."""
    match type(expression).__name__:
        case "And" | "Or":
            yield from _predicates(expression.left)
            yield from _predicates(expression.right)
        case "Not":
            yield from _predicates(expression.child)
        case "AlwaysTrue" | "AlwaysFalse":
            return
        case _:
            yield expression


def _given(expression: Any) -> frozenset[str]:
    """The columns of whose values a condition gives all that rows may have, and says nothing else; none otherwise.

    Of two conditions of which one may hold both must give those of the same columns: each row then has such a key.
    """
    match type(expression).__name__:
        case "EqualTo" | "In":
            return frozenset([expression.term.name.lower()])
        case "And" | "Or" as how:
            left, right = _given(expression.left), _given(expression.right)
            if how == "Or":
                return left if left == right else frozenset()
            return left | right if left and right else frozenset()
        case _:
            return frozenset()


def _field(schema: Any, predicate: Any) -> Any:
    """The column of the top level that a comparison names; None if it names none, or one of several."""
    name = predicate.term.name.lower()
    found = [field for field in schema.fields if field.name.lower() == name]
    return found[0] if len(found) == 1 else None


def _is_read_alike(kind: str, predicate: Any, typed: Collection[str]) -> bool:
    """Whether Spark and PyIceberg make the same value of what a column is compared with; `typed` ones were times."""
    if hasattr(predicate, "literals"):
        literals = list(predicate.literals)
    elif hasattr(predicate, "literal"):
        literals = [predicate.literal]
    else:
        return "Nan" not in type(predicate).__name__ and kind not in ("float", "double")
    names = {type(literal).__name__ for literal in literals}
    if kind in _WHOLE or kind.startswith("decimal"):
        return names <= {"LongLiteral"}
    if kind == "date":
        return names <= {"StringLiteral"} and all(_DATE.fullmatch(literal.value) for literal in literals)
    if kind in condition_times.KINDS:
        return hasattr(predicate, "literal") and condition_times.is_told(str(literals[0].value))
    if kind == "string" and any(getattr(literal, "value", None) in typed for literal in literals):
        return False  # Spark compares the column as a date or time then
    return names <= {"string": {"StringLiteral"}, "boolean": {"BooleanLiteral"}}.get(kind, set())


class _Admits:
    """An inclusive filter: a file that it does not admit holds no such row."""

    def __init__(self, expression: Any, schema: Any, specs: Specs) -> None:
        from pyiceberg.expressions import visitors

        self._schema, self._specs = schema, specs
        self._types = {field.field_id: str(field.field_type) for field in schema.fields}
        self._metrics = visitors._InclusiveMetricsEvaluator(schema, expression, case_sensitive=False)
        self._partitions = {spec_id: self._of_spec(expression, spec_id) for spec_id in specs}
        self._known: dict[tuple[int, str], bool] = {}

    def __call__(self, entry: StoredEntry) -> bool:
        place = entry.spec_id, entry.partition
        if place not in self._known:
            self._known[place] = self._admits_partition(entry)
        if not self._known[place]:
            return False
        try:
            file: Any = _Metrics(entry, self._types)
            return bool(self._metrics.eval(file))
        except Exception:  # a bound that PyIceberg cannot read is none
            return True

    def _of_spec(self, expression: Any, spec_id: int) -> tuple[Any, Sequence[str]] | None:
        """What a partition is asked, and the types of its fields; None if nothing can be asked."""
        from pyiceberg.expressions import visitors
        from pyiceberg.partitioning import PartitionSpec
        from pyiceberg.schema import Schema as IcebergSchema

        if not self._specs[spec_id]:
            return None
        try:
            listed = [dict(field) for field in self._specs[spec_id]]
            spec = PartitionSpec.model_validate({"spec-id": spec_id, "fields": listed})
            inside = spec.partition_type(self._schema).fields
            projected = visitors.inclusive_projection(self._schema, spec, case_sensitive=False)(expression)
            asked = visitors.expression_evaluator(IcebergSchema(*inside), projected, case_sensitive=False)
        except Exception:  # a source column that was dropped, a transform that PyIceberg lacks
            return None
        return asked, [str(field.field_type) for field in inside]

    def _admits_partition(self, entry: StoredEntry) -> bool:
        from pyiceberg.typedef import Record

        asked, texts = self._partitions.get(entry.spec_id), partition_texts(entry, self._specs)
        if asked is None or texts is None:
            return True
        of_spec = self._specs[entry.spec_id]
        try:
            values = [_value(*about) for about in zip(of_spec, asked[1], texts, strict=True)]
            return bool(asked[0](Record(*values)))
        except Exception:  # a value that is written in another way, or compares with nothing
            return True


def _value(field: PartitionField, kind: str, shown: str | None) -> Any:
    """A partition value as Iceberg stores it.

    Raises:
        ValueError: it cannot be told from its text.
    """
    transform = str(field.get("transform"))
    if shown is None or transform == "void":
        return None
    if transform == "year":
        return int(shown) - 1970
    if transform == "month":
        year, month = map(int, shown.rsplit("-", 1))
        return (year - 1970) * 12 + month - 1
    if transform == "hour":
        return (datetime.strptime(f"{shown} +0000", "%Y-%m-%d-%H %z") - _EPOCH) // timedelta(hours=1)
    value = from_text("date" if transform == "day" else kind.replace(" ", ""), shown)
    if value is None or not (kind in (*_WHOLE, *_OTHERS) or kind.startswith("decimal")):
        raise ValueError(shown)
    return value


class _Metrics:
    """The statistics of an entry, as PyIceberg asks for them."""

    def __init__(self, entry: StoredEntry, types: Mapping[int, str]) -> None:
        found = entry.statistics
        self.record_count = entry.record_count
        self.value_counts, self.null_value_counts = dict(found.value_counts), dict(found.null_value_counts)
        self.nan_value_counts = dict(found.nan_value_counts)
        of_orc = entry.file_format.upper() == "ORC"
        self.lower_bounds, self.upper_bounds = (
            {
                i: bound
                for i, stored in bounds.items()
                if i in types and (bound := _bound(types[i], bytes(stored), of_orc=of_orc)) is not None
            }
            for bounds in (found.lower_bounds, found.upper_bounds)
        )


def _bound(kind: str, stored: bytes, *, of_orc: bool) -> bytes | None:
    """A bound of the type that the column has now; None if it had a type that tells nothing of that one.

    ORC compares texts by UTF-16 units, Iceberg and Spark by code points.
    """
    if kind == "long" and len(stored) == 4:
        return int.from_bytes(stored, "little", signed=True).to_bytes(8, "little", signed=True)
    if len(stored) != {"int": 4, "long": 8, "date": 4, "timestamp": 8, "timestamptz": 8}.get(kind, len(stored)):
        return None
    if of_orc and kind == "string" and any(sign >= "\ud800" for sign in stored.decode(errors="replace")):
        return None
    return stored
