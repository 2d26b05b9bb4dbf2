"""What the entries of a manifest say that they must not, or that their row in the manifest list says otherwise.

Sources: Iceberg specification, "Sequence Number Inheritance" (only ADDED entries may have null numbers), "Manifest
Lists" (counts, `min_sequence_number`), "Scan Planning" (what readers skip by it).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import formats
from ..iceberg.commit_checks import Contradiction
from ..iceberg.inheritance import ListedManifest, Status
from ..iceberg.metadata import Snapshot
from .group import Group


def contradictions(
    snapshot: Snapshot, manifest: ListedManifest, groups: Sequence[Group], *, complete: bool
) -> Iterator[str]:
    """A sentence for each contradiction.

    Args:
        snapshot: that lists the manifest.
        manifest: its row of the list.
        groups: its entries, counted.
        complete: whether these are all; else counts are not compared.
    """
    name = manifest.path.rsplit("/", 1)[-1]
    if complete:
        for claim in _counts(manifest, groups):
            if claim.recorded != claim.counted:
                yield f"{name}: {claim}."
    nulls = sum(
        g.count for g in groups if "not inherited" in (g.data_sequence_number.rule, g.file_sequence_number.rule)
    )
    if nulls:
        yield (
            f"{name}: {formats.count(nulls, 'EXISTING or DELETED entry')} without a sequence number. "
            "Only ADDED entries may leave it out, so it stays unknown."
        )
    swapped = sum(
        g.count
        for g in groups
        if (data := g.data_sequence_number.value) is not None
        and (file := g.file_sequence_number.value) is not None
        and data > file
    )
    if swapped:
        yield (
            f"{name}: {formats.count(swapped, 'entry')} with a data sequence number above its file sequence number, "
            "as if its rows were younger than the file."
        )
    numbers = [g.data_sequence_number.value for g in groups if g.data_sequence_number.value is not None]
    if numbers and max(numbers) > snapshot.sequence_number:
        yield (
            f"{name}: data sequence number {max(numbers):,} is above {snapshot.sequence_number:,}, "
            "the number of the snapshot that lists it."
        )
    live = [
        g.data_sequence_number.value
        for g in groups
        if g.status != Status.DELETED and g.data_sequence_number.value is not None
    ]
    least = manifest.min_sequence_number
    if live and least is not None and least > min(live):
        yield (
            f"{name}: its row gives {least:,} as the smallest data sequence number of its live files, but one has "
            f"{min(live):,}. Who trusts the row may overlook deletes."
        )


def _counts(manifest: ListedManifest, groups: Sequence[Group]) -> Iterator[Contradiction]:
    listed = {
        Status.ADDED: (manifest.added_files_count, manifest.added_rows_count),
        Status.EXISTING: (manifest.existing_files_count, manifest.existing_rows_count),
        Status.DELETED: (manifest.deleted_files_count, manifest.deleted_rows_count),
    }
    for status, (files, rows) in listed.items():
        of_status = [g for g in groups if g.status == status]
        if files is not None:
            yield Contradiction(f"The list's count of {status.name} files", files, sum(g.count for g in of_status))
        if rows is not None:
            yield Contradiction(
                f"The list's count of rows in {status.name} files", rows, sum(g.rows for g in of_status)
            )
