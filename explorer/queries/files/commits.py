"""What many commits wrote into the metadata: their manifest lists and their manifests, many at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ...model.iceberg.stored_commit import StoredCommit
from ...model.iceberg.unreadable import Unreadable
from ..pieces import pieces
from ..source import Source
from . import manifests as stored_manifests
from . import storage
from .commit import added_by, read
from .list_rows import ManifestList

# Lists of one job: they are held in Python together, and may be a megabyte each.
_AT_ONCE = 500


def manifest_lists(source: Source, snapshot_ids: Iterable[int]) -> dict[int, tuple[ListedManifest, ...] | str]:
    """The rows of each snapshot's manifest list, in its order, or why there are none: a sentence.

    Args:
        source: the table.
        snapshot_ids: any; one that the document does not list is passed over.

    Cost: one Spark job for each 500 lists; no manifest is opened.
    """
    located, others = stored_manifests.lists_of(source.document)
    wanted = set(snapshot_ids)
    found = {i: rows for i, rows in others.items() if i in wanted}
    locations = {i: path for i, path in located.items() if i in wanted}
    for batch in map(dict, pieces(locations.items(), number=_AT_ONCE)):
        contents, unreadable_files = storage.contents(source.spark, list(batch.values()), source.options)
        found |= {i: unreadable_files[path].reason for i, path in batch.items() if path in unreadable_files}
        there = {i: contents[path] for i, path in batch.items() if path not in unreadable_files}
        lists = ManifestList.of_each([(content, snapshot_id) for snapshot_id, content in there.items()])
        found |= {
            i: tuple(one.rows()) if isinstance(one, ManifestList) else str(one)
            for i, one in zip(there, lists, strict=True)
        }
    return found


def stored_commits(
    source: Source,
    lists: Mapping[int, Sequence[ListedManifest] | str],
    snapshot_ids: Sequence[int],
    *,
    statistics: bool = True,
) -> tuple[dict[int, StoredCommit], dict[str, list[StoredEntry]]]:
    """What `commit.read` gives, for many commits, and the manifests decoded with statistics, for `changed_entries`.

    Args:
        source: the table.
        lists: of `manifest_lists`; of each commit and, where they are known, of their parents.
        snapshot_ids: of commits whose list could be read.
        statistics: whether the rows of most of these commits are read too, for which entries need them; else they have
            them where all manifests are small together.

    Returns:
        By snapshot id what its commit wrote; and by location the entries of manifests, those with statistics alone.

    Cost: the manifests that these commits added, many small ones at once; those of a commit that are large together are
        read by themselves. Where this process cannot open them, one Spark job for some 8 MB.
    """
    parents = {item["snapshot-id"]: item.get("parent-snapshot-id") for item in source.document.get("snapshots") or ()}
    own: dict[int, list[ListedManifest]] = {}
    large: list[int] = []
    for snapshot_id in snapshot_ids:
        before = {m.path for m in _readable(lists.get(parents[snapshot_id])) or ()}
        added = [m for m in _readable(lists[snapshot_id]) or () if added_by(snapshot_id, m, before)]
        if stored_manifests.size_together(added) > stored_manifests.SMALL_IN_BYTES:
            large.append(snapshot_id)
        else:
            own[snapshot_id] = added
    manifests = {m.path: m for listed in own.values() for m in listed}
    statistics = statistics or stored_manifests.size_together(manifests.values()) <= stored_manifests.SMALL_IN_BYTES
    unreadable: dict[str, Unreadable] = {}
    decoded: dict[str, list[StoredEntry]] = {}
    for piece in pieces(manifests.values(), size=_size, in_bytes=stored_manifests.SMALL_IN_BYTES):
        stored = stored_manifests.entries_here(source, piece, statistics=statistics)
        unreadable |= {file.path: file for file in stored.unreadable_files}
        decoded |= {m.path: [] for m in piece if m.path not in unreadable}
        for entry in stored.entries:
            decoded[entry.manifest_path].append(entry)
    return {i: read(source, i, parents[i]) for i in large} | {
        snapshot_id: StoredCommit(
            listed=_readable(lists[snapshot_id]),
            parent_listed=_readable(lists.get(parents[snapshot_id])),
            entries=tuple(entry for m in listed for entry in decoded.get(m.path, ())),
            existing_left_out=False,
            groups=None,
            unreadable_files=tuple(unreadable[m.path] for m in listed if m.path in unreadable),
            opened=tuple(m.path for m in listed),
        )
        for snapshot_id, listed in own.items()
    }, decoded if statistics else {}


def _size(manifest: ListedManifest) -> int:
    return stored_manifests.size_together([manifest])


def _readable(listed: Sequence[ListedManifest] | str | None) -> tuple[ListedManifest, ...] | None:
    return None if listed is None or isinstance(listed, str) else tuple(listed)
