"""What tells of a commit's attempts: its manifest list, the times of its manifests, the newest older file in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from ..model.iceberg.inheritance import ListedManifest
from ..model.retries.stored import StoredRetries
from .files import manifests as stored_manifests
from .files.commits import manifest_lists
from .files.locate import Located
from .files.modification_times import modification_times
from .query import Query
from .source import Source

MOST_LISTS = 1_000
_AT_ONCE = 200  # lists decoded together; of each only the rows of the commit's own manifests are kept
_ADDED = 1  # status of an entry

_ATTEMPTS = """\
-- Attempts of commits, from the names of their manifest lists (snap-ID-ATTEMPT-UUID.avro), a habit of Java writers. A
-- manifest of added files alone was written in the first attempt and used again in the others. Sequence numbers are in
-- no metadata table
SELECT
  s.snapshot_id,
  s.committed_at,
  nullif(try_cast(regexp_extract(s.manifest_list, 'snap-[0-9]+-([0-9]+)-', 1) AS INT), 0) AS attempt,
  collect_list(m.path) AS manifests_added,
  CASE
    WHEN attempt = 1 THEN array()
    WHEN attempt > 1 THEN
      collect_list(m.path) FILTER (
        WHERE m.existing_data_files_count + m.deleted_data_files_count
          + m.existing_delete_files_count + m.deleted_delete_files_count = 0)
  END AS manifests_written_before
FROM {name}.snapshots AS s
LEFT JOIN {name}.all_manifests AS m
  ON m.reference_snapshot_id = s.snapshot_id AND m.added_snapshot_id = s.snapshot_id
GROUP BY ALL
ORDER BY committed_at
"""


def read(
    source: Source,
    snapshot_ids: Iterable[int],
    retried: Collection[int],
    *,
    most: int = MOST_LISTS,
) -> StoredRetries:
    """Read what tells of the attempts of commits.

    Args:
        source: the table.
        snapshot_ids: commits, the most interesting first.
        retried: those of them that were tried more than once; more is read of them.
        most: manifest lists that are read; of the commits after so many nothing is told.

    Cost: a Spark job for each 200 lists. Of retried commits a look at the folder of their manifests, and the bytes of
    those that they wrote over from older ones, as long as these are small together.
    """
    left = iter(list(dict.fromkeys(snapshot_ids))[:most])
    added: dict[int, tuple[ListedManifest, ...] | str] = {}
    while batch := list(islice(left, _AT_ONCE)):
        for snapshot_id, listed in manifest_lists(source, batch).items():
            added[snapshot_id] = listed if isinstance(listed, str) else _own(snapshot_id, listed)
    manifests = [m for i in retried if not isinstance(own := added.get(i, ()), str) for m in own]
    return StoredRetries(
        added,
        newest=_newest(source, manifests),
        written_at=modification_times(source, [m.path for m in manifests]),
    )


def _own(snapshot_id: int, listed: Sequence[ListedManifest]) -> tuple[ListedManifest, ...] | str:
    if listed and all(m.added_snapshot_id is None for m in listed):
        return "Nothing says which of its manifests it added: the metadata file only names them."
    return tuple(m for m in listed if m.added_snapshot_id == snapshot_id)


def _newest(source: Source, manifests: Sequence[ListedManifest]) -> dict[str, int]:
    written_over, size = [], 0
    for manifest in manifests:
        if manifest.existing_files_count or manifest.deleted_files_count:
            size += stored_manifests.size_together([manifest])
            if size <= stored_manifests.SMALL_IN_BYTES:
                written_over.append(manifest)
    found: dict[str, int] = {}
    for entry in stored_manifests.entries_here(source, written_over).entries:
        number = entry.stored_file_sequence_number
        if entry.status != _ADDED and number is not None:
            found[entry.manifest_path] = max(number, found.get(entry.manifest_path, number))
    return found


def retries_query(located: Located) -> Query | None:
    """One row per snapshot that the metadata lists.

    Columns: snapshot_id bigint; committed_at timestamp; attempt int, null where the manifest list's name does not tell;
    manifests_added array<string>; manifests_written_before array<string>, null where nothing tells: of an attempt
    after the first the manifests of added files alone, which the Java library does not write again.

    Cost: Iceberg reads the manifest list of every snapshot, and fails if one is missing. None if the table has no name.
    """
    return None if located.relation is None else Query("retries", _ATTEMPTS.format(name=located.relation))
