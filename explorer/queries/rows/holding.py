"""Which rows deletes hold: whose position they name, or whose key. The one way in which every picture asks it.

Whether a delete also applies to the file of a row is another question, of sequence numbers, partitions and paths
(`model.iceberg.delete_scope`): a delete may hold a row that it does not mask.

Positions are asked in the delete files themselves, so that deletes of any snapshot can be asked together. Keys are
compared by the field ids of their columns, as `equality_keys` says.

Sources: Iceberg specification, "Position Delete Files", "Deletion Vectors", "Equality Delete Files".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.types import StructType

from ...engine.logging import silenced_errors
from ...model.iceberg.delete_scope import DeleteKey
from ...model.iceberg.document import Schema
from ...model.iceberg.inheritance import StoredEntry
from ..files import spark_errors
from ..source import Source
from . import delete_content, equality_keys
from .equal_values import exact_text
from .equality_keys import Keys, NoKeyColumn
from .local_rows import local_rows
from .schema_mapping import current_schema, schemas

_KEYS = 2  # content of a delete file
_NO_KEY = "CAST(NULL AS ARRAY<STRING>)"
_PLACE = ("_file AS data_path", "_pos AS pos")
_HELD = ("data_path", "pos", "delete_path", "content_offset")

Place = tuple[str, int]
"""Of a row: its file, and its position in it."""

Held = tuple[Place, DeleteKey]
"""Place of a row, and the delete (file, content offset) that holds it."""


class ReadKeys:
    """The keys of equality deletes, those that can be read, and the keys of rows that are compared with them.

    Args:
        source: the table.
        deletes: entries with content 2.

    Attributes:
        unreadable: why the keys of some are not known, or those of the rows that they are compared with; by location.

    Cost: as `equality_keys.keys`; of a file that cannot be read, of each alone.
    """

    def __init__(self, source: Source, deletes: Sequence[StoredEntry]) -> None:
        self.unreadable: dict[str, str] = {}
        known = [*schemas(source.document).values(), current_schema(source.document)]
        try:
            with silenced_errors():
                self._groups: list[Keys] = list(equality_keys.keys(source, deletes, known))
        except Exception:  # one of them cannot be read: each for itself
            self._groups = []
            for delete in deletes:
                try:
                    with silenced_errors():
                        self._groups += equality_keys.keys(source, [delete], known)
                except Exception as error:
                    self.unreadable[delete.file_path] = spark_errors.reason(error)

    @property
    def has_some(self) -> bool:
        """Whether there are keys."""
        return bool(self._groups)

    def of_rows(self, schema: Schema) -> str:
        """SQL of these keys of a row that has the columns of a schema, as a metadata file writes it: `_keys`.

        An array of arrays of text; the texts of two keys are equal where the keys are. Where the rows lack a key column
        their key is null, and it is noted in `unreadable`.
        """
        found = []
        for keys in self._groups:
            try:
                found.append(_text(keys, keys.of_rows(schema)))
            except NoKeyColumn as error:
                self.unreadable |= dict.fromkeys(keys.paths, str(error))
                found.append(_NO_KEY)
        return f"array({', '.join(found) or _NO_KEY}) AS _keys"

    def frames(self, rows: DataFrame) -> list[tuple[tuple[str, ...], DataFrame]]:
        """Locations of deletes, and which rows they hold: columns data_path, pos, delete_path, content_offset.

        Args:
            rows: with `_file`, `_pos`, and `_keys` of `of_rows`.
        """
        found = []
        for number, keys in enumerate(self._groups):
            own = rows.selectExpr(*_PLACE, f"_keys[{number}] AS key").where("key IS NOT NULL")
            held = keys.frame.selectExpr(f"{_text(keys, 'key')} AS key", "delete_file_path AS delete_path")
            joined = held.distinct().join(own, "key").selectExpr(*_HELD[:3], f"CAST(NULL AS BIGINT) AS {_HELD[3]}")
            found.append((keys.paths, joined))
        return found


def _text(keys: Keys, key: str) -> str:
    kind = keys.frame.schema["key"].dataType
    assert isinstance(kind, StructType)  # noqa: S101 - of `Keys.frame`
    return f"array({', '.join(exact_text(f'{key}.{field.name}', field.dataType) for field in kind.fields)})"


class DeleteContents:
    """What deletes hold.

    Args:
        source: the table.
        deletes: entries of delete files and vectors, of any snapshots.

    Attributes:
        keys: of the equality deletes, by which rows are asked for.
        unreadable: why the content of some deletes is not known.
    """

    def __init__(self, source: Source, deletes: Iterable[StoredEntry]) -> None:
        self._source = source
        self._deletes = {(entry.file_path, entry.content_offset): entry for entry in deletes}
        self.keys = ReadKeys(source, [entry for entry in self._deletes.values() if entry.content == _KEYS])
        self._unread: dict[DeleteKey, str] = {}

    @property
    def unreadable(self) -> dict[DeleteKey, str]:  # noqa: D102 - told above
        by_key = {key: self.keys.unreadable[key[0]] for key in self._deletes if key[0] in self.keys.unreadable}
        return by_key | self._unread

    def positions(self) -> DataFrame:
        """What position deletes and vectors hold, of rows that exist or not; columns of `frame`, each position once.

        Cost: the bytes of the files, now if they are small together. One that cannot be read then is left out, and
        noted in `unreadable`; what cannot be read in Spark's tasks fails the frame.
        """
        return self._union(frame for _, frame in self._positions())

    def frame(self, rows: DataFrame) -> DataFrame:
        """Which of these deletes hold which rows, each once, whether they apply or not.

        Columns: data_path string and pos bigint, of the row; delete_path string; content_offset bigint, of a vector.

        Args:
            rows: as of `ReadKeys.frames`; broadcast where they are few.

        Cost: as `positions`, and a join with each group of equality deletes that have equal key columns.
        """
        return self._union(frame for _, frame in self._parts(rows))

    def holding(self, places: Collection[Place], rows: Callable[[], DataFrame]) -> frozenset[Held]:
        """The same, of few rows. What cannot be read is noted in `unreadable`, and the others are told.

        Args:
            places: of the rows.
            rows: gives what `frame` takes; called where there are keys, or positions that this process does not read.
        """
        held = self._held_here(places)
        if held is not None and not self.keys.has_some:
            return held
        asked = rows()
        parts = self._parts(asked) if held is None else self._parts_of_keys(asked)
        if not parts:
            return held or frozenset()
        try:
            with silenced_errors():
                found = self._union(frame for _, frame in parts).collect()
        except Exception:  # one of them cannot be read: each for itself
            found = []
            for keys, frame in self._parts(asked, apart=True) if held is None else parts:
                try:
                    with silenced_errors():
                        found += frame.collect()
                except Exception as error:
                    self._unread |= dict.fromkeys(keys, spark_errors.reason(error))
        return (held or frozenset()) | {((r.data_path, r.pos), (r.delete_path, r.content_offset)) for r in found}

    def _held_here(self, places: Collection[Place]) -> frozenset[Held] | None:
        """Which positions hold which rows, without a Spark job; None where that takes one, or one cannot be read."""
        wanted = self._of_positions
        if not delete_content.are_small(wanted.values()):
            return None
        try:
            with silenced_errors():
                inside = delete_content.positions_here(self._source, wanted.values())
        except Exception:
            return None
        paths = pa.array(sorted({path for path, _ in places}), pa.string())
        numbers = pa.array(sorted({pos for _, pos in places}), pa.int64())
        there = inside.filter(pc.and_(pc.is_in(inside["file_path"], paths), pc.is_in(inside["pos"], numbers)))
        columns = (there[name].to_pylist() for name in ("file_path", "pos", "delete_file_path", "content_offset"))
        found = (((path, pos), (delete, offset)) for path, pos, delete, offset in zip(*columns, strict=True))
        asked = frozenset(places)
        return frozenset((place, key) for place, key in found if place in asked and key in wanted)

    @property
    def _of_positions(self) -> dict[DeleteKey, StoredEntry]:
        return {key: entry for key, entry in self._deletes.items() if entry.content != _KEYS}

    def _parts(self, rows: DataFrame, *, apart: bool = False) -> list[tuple[list[DeleteKey], DataFrame]]:
        places = rows.selectExpr(*_PLACE)
        found = [
            (keys, frame.join(places, ["data_path", "pos"], "left_semi").select(*_HELD))
            for keys, frame in self._positions(apart=apart)
        ]
        return found + self._parts_of_keys(rows)

    def _parts_of_keys(self, rows: DataFrame) -> list[tuple[list[DeleteKey], DataFrame]]:
        return [([(path, None) for path in paths], frame) for paths, frame in self.keys.frames(rows)]

    def _positions(self, *, apart: bool = False) -> list[tuple[list[DeleteKey], DataFrame]]:
        """Deletes, and what they hold: all together, or each for itself, as where one cannot be read."""
        wanted = list(self._of_positions)
        if not wanted:
            return []
        if not apart:
            try:
                with silenced_errors():
                    return [(wanted, self._read(wanted))]
            except Exception:  # noqa: S110 - told of the one that is at fault
                pass
        found = []
        for key in wanted:
            try:
                with silenced_errors():
                    found.append(([key], self._read([key])))
            except Exception as error:
                self._unread[key] = spark_errors.reason(error)
        return found

    def _read(self, wanted: Sequence[DeleteKey]) -> DataFrame:
        """The positions of these alone: a Puffin file has vectors of others."""
        inside = delete_content.positions(self._source, (self._deletes[key] for key in wanted))
        asked = local_rows(self._source.spark, wanted, "path STRING, offset BIGINT")
        shown = ("file_path AS data_path", "pos", "delete_file_path AS delete_path", "content_offset")
        same = F.expr("path = delete_path AND offset <=> content_offset")
        return inside.selectExpr(*shown).join(F.broadcast(asked), same, "left_semi").distinct()

    def _union(self, frames: Iterable[DataFrame]) -> DataFrame:
        found = list(frames)
        nothing = self._source.spark.sql(
            "SELECT '' AS data_path, 0L AS pos, '' AS delete_path, 0L AS content_offset WHERE false"
        )
        return reduce(DataFrame.unionAll, found or [nothing])
