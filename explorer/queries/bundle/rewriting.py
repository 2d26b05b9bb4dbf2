"""Manifests and manifest lists without what a bundle must not hold; all else in them stays as it was written.

Source: Iceberg specification, "Manifests" (lower_bounds, upper_bounds, key_metadata), "Manifest Lists"
(manifest_length, key_metadata), "Reserved Field IDs".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...model.bundle import words
from ..files.avro_fields import field_of, names_of, parsed
from ..files.avro_file import AvroFile

_Record = dict[str, Any]
_DATA_FILE_ID = 2
_BOUNDS = {"lower_bounds": 125, "upper_bounds": 128}
_KEY_OF_FILE, _KEY_OF_MANIFEST = {"key_metadata": 131}, {"key_metadata": 519}
_OF_LIST = {"path": 500, "length": 501}
_NO_VALUES_OF_ROWS = {2147483546, 2147483545}  # `file_path` and `pos` of position delete files


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A file as a bundle holds it.

    Attributes:
        changes: in what it is another one than the table has, sentences.
    """

    content: bytes
    changes: tuple[str, ...] = ()


def manifest(content: bytes, *, without_bounds: bool) -> Rewritten:
    """A manifest without keys of files, and without bounds if that is asked.

    Raises:
        NotReadable: it is damaged.
    """
    avro = AvroFile(content)
    entry = field_of(parsed(avro.schema_text), "data_file", _DATA_FILE_ID)
    names = names_of(entry["type"], _BOUNDS | _KEY_OF_FILE)
    key = names.get("key_metadata")
    bounds = [names[name] for name in _BOUNDS if without_bounds and name in names]
    if not bounds and (key is None or not _has_keys(avro, entry["name"], key)):
        return Rewritten(content)
    records = avro.records()
    files: list[_Record] = [record[entry["name"]] for record in records]
    changes = _taken_out(files, key)
    taken = [_without_bounds(file, name) for file in files for name in bounds]
    if any(taken):
        changes += (words.NO_BOUNDS,)
    return Rewritten(avro.with_records(records), changes) if changes else Rewritten(content)


def manifest_list(content: bytes, lengths: Mapping[str, int]) -> Rewritten:
    """A manifest list without keys, and with these lengths (bytes, by location) of manifests that have others now.

    Raises:
        NotReadable: it is damaged.
    """
    avro = AvroFile(content)
    names = names_of(parsed(avro.schema_text), _OF_LIST | _KEY_OF_MANIFEST)
    path, length, key = (names.get(name) for name in ("path", "length", "key_metadata"))
    frame = avro.frame()
    has_keys = key is not None and frame.get_column(key).null_count() < len(frame)
    rows = frame.select(path, length).iter_rows() if path is not None and length is not None else iter(())
    has_others = any(lengths.get(path, own) != own for path, own in rows)
    if not has_keys and not has_others:
        return Rewritten(content)
    records = avro.records()
    for record in records if has_others else ():
        record[length] = lengths.get(record[path], record[length])
    changes = _taken_out(records, key if has_keys else None)
    return Rewritten(avro.with_records(records), (*changes, words.NEW_LENGTHS) if has_others else changes)


def _has_keys(avro: AvroFile, of_file: str, key: str) -> bool:
    """Whether a file of a manifest has a key, told by its columns, which takes a tenth of the time of its records."""
    keys = avro.frame().get_column(of_file).struct.field(key)
    return keys.null_count() < len(keys)


def _taken_out(records: Iterable[_Record], key: str | None) -> tuple[str, ...]:
    """Take the key out of each record; says so if there was one."""
    if key is None:
        return ()
    found = False
    for record in records:
        found = found or record[key] is not None
        record[key] = None
    return (words.NO_KEYS,) if found else ()


def _without_bounds(file: _Record, name: str) -> bool:
    """Take the bounds of columns out of a file's entry; whether there were any."""
    if not file[name]:
        return False
    left = [bound for bound in file[name] if next(iter(bound.values())) in _NO_VALUES_OF_ROWS]
    is_less = len(left) < len(file[name])
    file[name] = left
    return is_less
