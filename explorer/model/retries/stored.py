"""What tells of the attempts of commits, as it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ..iceberg.inheritance import ListedManifest


@dataclass(frozen=True, slots=True)
class StoredRetries:
    """What was read of commits.

    Attributes:
        added: by snapshot, the rows of its manifest list that it added itself, or why there are none, a sentence. A
            snapshot whose list was not read is missing.
        newest: by location of a manifest that a retried commit wrote over from older ones, the largest file sequence
            number stored in it; a manifest that was not or could not be read is missing.
        written_at: by location of a manifest that a retried commit added, when it was last written, UTC, as the
            storage says, cut to milliseconds; missing where it does not say.
    """

    added: Mapping[int, tuple[ListedManifest, ...] | str]
    newest: Mapping[str, int]
    written_at: Mapping[str, datetime]
