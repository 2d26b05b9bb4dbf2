"""Metadata files without credentials: what looks like one in a property is masked, and told."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
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
    yield from _properties(document.get("properties"), "Property")
    for snapshot in document.get("snapshots") or ():
        yield from _properties(snapshot.get("summary"), "Summary property")
    for file in (*(document.get("statistics") or ()), *(document.get("partition-statistics") or ())):
        for blob in file.get("blob-metadata") or ():
            yield from _properties(blob.get("properties"), "Statistics property")
        if file.get("key-metadata"):
            file["key-metadata"] = MASK
            yield "The key of a statistics file"
    for key in document.get("encryption-keys") or ():
        key["encrypted-key-metadata"] = MASK
        yield "An encryption key"
        yield from _properties(key.get("properties"), "Property of an encryption key")


def _properties(properties: Any, what: str) -> Iterator[str]:
    for key, value in properties.items() if isinstance(properties, dict) else ():
        masked = MASK if is_secret(key) else without_secrets(str(value))
        if value and masked != value:
            properties[key] = masked
            yield f"{what} {key}"
