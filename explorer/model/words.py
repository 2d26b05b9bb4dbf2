"""What several pictures say, in words: kinds of files and what they hold, partitions, what a summary counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from . import formats
from .iceberg.inheritance import ContentKind
from .iceberg.metadata import Snapshot
from .iceberg.most_read import MostRead

UNITS: Mapping[ContentKind, str] = {
    "data": "data file",
    "position deletes": "position delete file",
    "deletion vector": "deletion vector",
    "equality deletes": "equality delete file",
}
_HOLDS: Mapping[ContentKind, str] = {
    "data": "row",
    "position deletes": "position",
    "deletion vector": "position",
    "equality deletes": "key",
}
_PARTITION_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[/=]|[^/="]+')  # odd names and values stand in quotes
_COUNTERS = (
    ("data-files", "data file", "deleted-data-files", "records", "deleted-records"),
    ("dvs", "deletion vector", "removed-dvs", "", ""),
    ("position-delete-files", "position delete file", "removed-position-delete-files", "", ""),
    ("equality-delete-files", "equality delete file", "removed-equality-delete-files", "", ""),
)


def holds(kind: ContentKind, records: int) -> str:
    """`2,700 positions`, `12 keys`, `1,234 rows`: what files of a kind hold."""
    return formats.count(records, _HOLDS[kind])


def partition_name(spec_id: int, partition: str, *, with_spec: bool = False) -> str:
    """`region = EU, day = 2026-11-20` of `region=EU/day=2026-11-20`; the spec too, where specs differ."""
    tokens = _PARTITION_TOKEN.findall(partition)
    name = "".join({"/": ", ", "=": " = "}.get(token, token) for token in tokens) or "unpartitioned"
    return f"{name} (spec {spec_id})" if with_spec else name


def partition_values(partition: str) -> str:
    """`EU, 2026-11-20` of `region=EU/day=2026-11-20`, for places where the names of the fields have no room."""
    return ", ".join(value for _, value in partition_fields(partition)) or "unpartitioned"


def partition_fields(partition: str) -> list[tuple[str, str]]:
    """Names and values of `region=EU/day=2026-11-20`, as they are written there."""
    tokens = _PARTITION_TOKEN.findall(partition)
    return [(tokens[i - 1], tokens[i + 1]) for i, sign in enumerate(tokens[:-1]) if i and sign == "="]


def price(files: str, size_in_bytes: int | None, *, bound: Literal["", "at least", "at most"] = "") -> str:
    """`3 data files, 2.4 MB`, `at most 12 files, 84 MB`: what must be read, the same wherever it is told.

    Args:
        files: in words, from `formats.count`.
        size_in_bytes: of them.
        bound: whether both are bounds.
    """
    return f"{bound} {files}, {formats.size(size_in_bytes)}".lstrip()


def most(bound: MostRead) -> str:
    """`at most 12 files, 84 MB`; without a bound, that it is unknown and why."""
    if bound.files is None:
        return f"unknown: {bound.reason}"
    return price(formats.count(bound.files, "file"), bound.size_in_bytes, bound="at most" if bound.files else "")


def account(snapshot: Snapshot) -> str:
    """What the commit did, in one sentence, from the counters that its summary records."""
    added, removed = _counted(snapshot, "added"), _counted(snapshot, "removed")
    match snapshot.operation:
        case None:
            return "The operation is not recorded."
        case "replace" if not added and not removed:
            return "Reorganized metadata only: no file was added or removed, no row changed."
        case "replace":
            before, after = enumerated(removed) or "nothing", enumerated(added) or "nothing"
            return f"Rewrote files without changing a row: {before} became {after}."
        case _ if not added and not removed:
            counts = any(k.startswith("total-") for k in snapshot.summary)
            return "Changed nothing: no file was added or removed." if counts else "What it changed is not recorded."
        case _:
            sentences = [f"added {enumerated(added)}"] if added else []
            sentences += [f"removed {enumerated(removed)}"] if removed else []
            text = "; ".join(sentences)
            return text[0].upper() + text[1:] + "."


def enumerated(words: Sequence[str]) -> str:
    """`a, b and c`; empty of none."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _counted(snapshot: Snapshot, side: str) -> list[str]:
    """`3 data files with 318,204 rows` for each counter above zero; `side` is added or removed."""
    words = []
    for key, unit, removed_key, rows_key, removed_rows_key in _COUNTERS:
        n = snapshot.count(f"added-{key}" if side == "added" else removed_key)
        if not n:
            continue
        rows = snapshot.count(f"added-{rows_key}" if side == "added" else removed_rows_key) if rows_key else None
        words.append(formats.count(n, unit) + (f" with {formats.count(rows, 'row')}" if rows is not None else ""))
    masked = snapshot.count("added-position-deletes") if side == "added" else None
    if masked:
        words.append(f"{formats.count(masked, 'row position')} masked")
    return words
