"""What the deletes in question hold: which of some rows they name by position or by key; each read once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from pyspark.sql import Row
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.types import StructType

from ...engine.logging import silenced_errors
from ...model.iceberg.file_lives import FileLife
from ...model.iceberg.unreadable import Unreadable
from ..files import spark_errors
from ..rows import delete_content, equality_keys
from ..rows.equality_keys import Keys
from ..rows.local_rows import local_rows
from ..rows.matching import exact_text
from ..rows.schema_mapping import current_schema, schemas
from ..source import Source

_KEYS = 2  # content of a delete file
NO_KEY = "CAST(NULL AS ARRAY<STRING>)"


class Contents:
    """What delete files hold, those that can be read; each read once.

    Attributes:
        keys: of equality deletes, those of equal key columns together.
        unreadable: delete files that cannot be read.
    """

    def __init__(self, source: Source, deletes: Iterable[FileLife]) -> None:
        self._source = source
        self._deletes = {life.key: life.entry for life in deletes}
        self.unreadable: list[Unreadable] = []
        self.keys: list[Keys] = []
        known = [*schemas(source.document).values(), current_schema(source.document)]
        equality = [entry for entry in self._deletes.values() if entry.content == _KEYS]
        try:
            with silenced_errors():
                self.keys += equality_keys.keys(source, equality, known)
        except Exception:  # one of them cannot be read: each for itself
            for entry in equality:
                try:
                    with silenced_errors():
                        self.keys += equality_keys.keys(source, [entry], known)
                except Exception as error:
                    self.unreadable.append(Unreadable(entry.file_path, "damaged", spark_errors.reason(error)))

    def holding(self, found: Sequence[Row]) -> Mapping[tuple[str, int], set[str]]:
        """By place of a row, the delete files that name its position or hold its key."""
        held: dict[tuple[str, int], set[str]] = defaultdict(set)
        if not found:
            return held
        for path, pos, delete in self._positions({(row._file, row._pos) for row in found}):
            held[path, pos].add(delete)
        for number, keys in enumerate(self.keys):
            by_key: dict[tuple[str | None, ...], list[Row]] = defaultdict(list)
            for row in found:
                if row["keys"][number] is not None:
                    by_key[tuple(row["keys"][number])].append(row)
            for key, delete in self._keyed(keys, by_key):
                for row in by_key[key]:
                    held[row._file, row._pos].add(delete)
        return held

    def _positions(self, places: Collection[tuple[str, int]]) -> Iterator[tuple[str, int, str]]:
        entries = [entry for entry in self._deletes.values() if entry.content != _KEYS]
        if not entries:
            return
        wanted = local_rows(self._source.spark, sorted(places), "file_path STRING, pos BIGINT")

        def read(some: Sequence[object]) -> list[Row]:
            chosen = [entry for entry in entries if entry in some]
            positions = delete_content.positions(self._source, chosen)
            return positions.join(F.broadcast(wanted), ["file_path", "pos"], "left_semi").distinct().collect()

        try:
            with silenced_errors():
                found = read(entries)
        except Exception:  # one of them cannot be read: each for itself
            found = []
            for entry in entries:
                try:
                    with silenced_errors():
                        found += read([entry])
                except Exception as error:
                    self.unreadable.append(Unreadable(entry.file_path, "damaged", spark_errors.reason(error)))
        for row in found:
            yield row.file_path, row.pos, row.delete_file_path

    def _keyed(
        self, keys: Keys, wanted: Collection[tuple[str | None, ...]]
    ) -> Iterator[tuple[tuple[str | None, ...], str]]:
        asked = local_rows(self._source.spark, [(list(key),) for key in wanted], "wanted ARRAY<STRING>")
        held = keys.frame.selectExpr(f"{key_text('key', keys.frame.schema)} AS held", "delete_file_path")
        same = F.expr("held <=> wanted")
        try:
            with silenced_errors():
                for row in held.join(F.broadcast(asked), same, "left_semi").distinct().collect():
                    yield tuple(row.held), row.delete_file_path
        except Exception as error:
            paths = [entry.file_path for entry in self._deletes.values() if entry.equality_ids == keys.field_ids]
            why = spark_errors.reason(error)
            self.unreadable += [Unreadable(path, "damaged", why) for path in paths]


def key_text(name: str, schema: StructType) -> str:
    """SQL of the key of a row, or of a delete file, as texts that are equal where the keys are; null without one."""
    kind = schema[name].dataType
    if not isinstance(kind, StructType):
        return NO_KEY
    return f"array({', '.join(exact_text(f'{name}.{field.name}', field.dataType) for field in kind.fields)})"
