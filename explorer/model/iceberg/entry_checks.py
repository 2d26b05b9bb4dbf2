"""Whether the entries of a manifest are those that its row in the manifest list is about.

Source: Iceberg specification, "Manifest Lists" (`added_snapshot_id`), "Sequence Number Inheritance".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .inheritance import Status


def foreign(added_by: Mapping[str, int | None], entries: Iterable[tuple[str, int, int | None]]) -> Iterator[str]:
    """A sentence for each manifest that seems to be another file than its row of the list is about.

    An ADDED entry is of the commit that wrote the manifest.

    Args:
        added_by: by location of a manifest, the snapshot that wrote it, as its row says; None if that does not say.
        entries: location of the manifest, status and snapshot id, as stored.
    """
    others: dict[str, set[int]] = {}
    for path, status, own in entries:
        by = added_by.get(path)
        if status == Status.ADDED and own is not None and by is not None and own != by:
            others.setdefault(path, set()).add(own)
    for path, ids in others.items():
        named = ", ".join(map(str, sorted(ids)))
        yield f"{path.rsplit('/', 1)[-1]}: its list says that {added_by[path]} wrote it, its ADDED entries say {named}."
