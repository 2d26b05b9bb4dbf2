"""What is wrong with the deletes of a snapshot, or worth knowing, most urgent first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .. import formats
from ..iceberg.delete_scope import DeleteFile
from .facts import Finding, FindingKind, LiveDelete

_NAMED = 100  # deletes that a finding names
_NULLS_ONLY = re.compile(r'((?:"(?:[^"\\]|\\.)*"|[^"=/]*)=null(?:/|$))+')


def findings(deletes: Sequence[LiveDelete], data_file_count: int) -> tuple[Finding, ...]:
    """The findings about all live deletes of a snapshot with so many live data files."""
    return tuple(_findings(deletes, data_file_count))


def _findings(deletes: Sequence[LiveDelete], data_file_count: int) -> Iterator[Finding]:
    total = formats.count(len(deletes), "delete")

    def about(kind: FindingKind, found: Sequence[LiveDelete], one: str, several: str) -> Iterator[Finding]:
        if found:
            words = f"{len(found):,} of {total} {one if len(found) == 1 else several}"
            yield Finding(kind, words, tuple(d.file.key for d in found[:_NAMED]))

    corrupt = [d for d in deletes if d.state == "corrupt"]
    for reason in sorted({d.reason for d in corrupt})[:_NAMED]:
        of_reason = [d for d in corrupt if d.reason == reason]
        yield from about("corrupt", of_reason, f"is corrupt: {reason}", f"are corrupt: {reason}")
    misplaced = [d for d in deletes if d.state == "dangling" and is_misplaced(d.file)]
    global_one = "if meant for every file: written under a partitioned spec (#14678)"
    yield from about("never applied", misplaced, f"never applies {global_one}", f"never apply {global_one}")
    yield from about("dangling", [d for d in deletes if d.state == "dangling"], "reaches nothing", "reach nothing")
    everything = [d for d in deletes if d.state == "reaches everything"]
    files = formats.count(data_file_count, "data file")
    yield from about("reaches everything", everything, f"reaches all {files}", f"reach all {files}")


def is_misplaced(delete: DeleteFile) -> bool:
    """An equality delete of a partitioned spec whose partition values are all null.

    So lies a delete that a writer made with the constant `PartitionSpec.unpartitioned()`, spec id 0, in a table whose
    spec 0 is partitioned: meant for every file, it is compared with the partition of nulls alone (Iceberg issue 14678).
    """
    if delete.kind != "equality deletes" or delete.scope != "partition":
        return False
    return _NULLS_ONLY.fullmatch(delete.partition) is not None
