"""Metadata files without credentials: what looks like one in a property is masked, and told."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...engine.conf import MASK, is_secret, without_secrets
from ...errors import ExplorerError
from ...model.bundle import words
from ...model.iceberg.document import Document
from ..files.metadata_file import MetadataFile
from .rewriting import Rewritten

_IN_A_LOCATION = re.compile(r"://[^/\s\"@:]+:[^/\s\"@]+@")


def metadata_file(file: MetadataFile, content: bytes) -> Rewritten:
    """A metadata file as a bundle holds it: the very bytes, unless something in it looks like a credential.

    Masked are values of properties: of the table, of its commits, of its statistics, and encryption keys.

    Raises:
        ExplorerError: a location in it holds a password, which cannot be masked without losing the files.
    """
    document = json.loads(json.dumps(file.document))
    changes = tuple(words.MASKED.format(what=what) for what in dict.fromkeys(_masked(document)))
    text = json.dumps(document)
    if _IN_A_LOCATION.search(text):
        raise ExplorerError(
            "This table cannot be bundled: locations in its metadata hold a user and a password.",
            found=f"They are in {without_secrets(file.location)}.",
            next_step="Such a password is known to all who can read the table: change it.",
        )
    if not changes:
        return Rewritten(content)
    is_gzipped = content[:2] == b"\x1f\x8b"
    return Rewritten(gzip.compress(text.encode()) if is_gzipped else text.encode(), changes)


def _masked(document: Document) -> Iterator[str]:
    """Mask, in place, and say what; a name, never a value."""
    maps = list(_properties(document))
    without = _without_secrets(str(value) for _, properties in maps for value in properties.values())
    for what, properties in maps:
        for key, value in properties.items():
            masked = MASK if is_secret(key) else without[str(value)]
            if value and masked != value:
                properties[key] = masked
                yield f"{what} {key}"
    for key in _of(document, "encryption-keys"):
        key["encrypted-key-metadata"] = MASK
        yield "An encryption key"
    for file in _statistics_files(document):
        if file.get("key-metadata"):
            file["key-metadata"] = MASK
            yield "The key of a statistics file"


def _properties(document: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each map of properties, and what it is of."""
    found = [("Property", document)]
    found += [
        ("Summary property", snapshot | {"properties": snapshot.get("summary")})
        for snapshot in _of(document, "snapshots")
    ]
    found += [
        ("Statistics property", blob) for file in _statistics_files(document) for blob in _of(file, "blob-metadata")
    ]
    found += [("Property of an encryption key", key) for key in _of(document, "encryption-keys")]
    return ((what, of["properties"]) for what, of in found if isinstance(of.get("properties"), dict))


def _statistics_files(document: Document) -> list[Any]:
    return [*_of(document, "statistics"), *_of(document, "partition-statistics")]


def _of(document: Document, key: str) -> Sequence[Any]:
    return document.get(key) or ()


def _without_secrets(values: Iterable[str]) -> dict[str, str]:
    """Each value with every credential in it hidden; all at once, for each time the settings are looked at."""
    many = list(dict.fromkeys(values))
    lines = [value for value in many if "\n" not in value]
    found = dict(zip(lines, without_secrets("\n".join(lines)).split("\n"), strict=True))
    return found | {value: without_secrets(value) for value in many if value not in found}
