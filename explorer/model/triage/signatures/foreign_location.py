"""Files that lie outside the table's own folders.

Source: specification, "Table Metadata" (location); `write.data.path`, `write.metadata.path`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile

import numpy as np
import pyarrow as pa

from ... import formats
from ...arrays import Longs
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known
from ..paths import outside
from ..repairs import partitions_of, still_listed

_PATHS = ("write.data.path", "write.metadata.path", "write.folder-storage.path", "write.object-storage.path")


def examine(known: Known) -> Outcome:
    """By the folders of the metadata file and of live files."""
    files = known.files
    metadata = known.metadata
    homes = [metadata.location, *(metadata.properties[k] for k in _PATHS if k in metadata.properties)]
    homes = [home for home in homes if home]
    live = np.flatnonzero(files.live) if files else np.empty(0, np.int64)
    paths = files.lifetimes.paths(live) if files else pa.array([], pa.string())
    elsewhere = outside(paths, homes)
    foreign = live[elsewhere].tolist()
    moved = len(outside(pa.array([known.metadata_location]), homes)) > 0
    if not foreign and not moved:
        return Clean(f"{formats.count(len(live), 'live file')} and the metadata file")
    folders = Counter(path.rsplit("/", 1)[0] for path in paths.take(pa.array(elsewhere)).to_pylist())
    born = [s for n in foreign[:1000] if files and (s := files.born_at(n))]
    first = min(born, key=lambda s: s.sequence_number, default=None)
    title = (
        f"{formats.count(len(foreign), 'live file')} outside {metadata.location}"
        if foreign
        else f"The metadata file lies outside the table's location, {metadata.location}"
    )
    gc = metadata.properties.get("gc.enabled", "true")
    return Finding(
        title,
        "information",
        "exact",
        "Paths were compared without their scheme.",
        f"{formats.count(len(foreign), 'file')} in {formats.count(len(folders), 'folder')}",
        "one",
        "What lies elsewhere may belong to another table, and is not moved with this one.",
        known.first(first),
        Evidence(
            ("folder", "files"),
            tuple((folder, f"{n:,}") for folder, n in folders.most_common(50)),
            len(folders),
            tuple(dict.fromkeys(s.snapshot_id for s in born[:50])),
            files.names(live[elsewhere]) if files else (),
            sql=f"SELECT\n  file_path\nFROM {known.named.table}.files",
        ),
        not_ruled_out=("files that were imported with add_files, snapshot or migrate", f"gc.enabled = {gc}"),
        fixes=(
            *((_fetched(known, files, live[elsewhere]),) if foreign and files else ()),
            *_copied(known, folders),
        ),
        question="t.entries()",
    )


def _fetched(known: Known, files: Files, foreign: Longs) -> Fix:
    """The rows of files that lie elsewhere, written into the table's own folder."""
    every = "" if known.is_partitioned else "Every file of the table is written anew. "
    where = {"where": f'"{partitions_of(known, files, foreign)}"'} if known.is_partitioned else {}
    return Fix(
        known.named.call_by_name("rewrite_data_files", options="map('rewrite-all', 'true')", **where),
        "The rows lie in the table's own folder.",
        f"{every}What lies elsewhere stays there, for older snapshots and for whomever else it belongs to.",
        known.undo,
        still_listed(known, files, foreign),
    )


def _copied(known: Known, folders: Iterable[str]) -> Iterator[Fix]:
    """The whole table under other paths; none where its paths do not begin alike, as the procedure demands."""
    places = (known.metadata.location.rstrip("/"), known.metadata_location, *folders)
    in_parts = zip(*(place.split("/") for place in places), strict=False)
    shared = [same[0] for same in takewhile(lambda parts: len(set(parts)) == 1, in_parts)]
    if not any(part and not part.endswith(":") for part in shared):
        return
    old, new = "/".join(shared), "<the place of the copy>"
    yield Fix(
        known.named.call_by_name("rewrite_table_path", source_prefix=f"'{old}'", target_prefix=f"'{new}'"),
        "Writes a copy of the metadata with the new paths; copy the files of the list that it names, then register the"
        " metadata file that it names.",
        "Statistics of partitions are not supported; the old table goes on beside it.",
        "drop the registered copy, without PURGE",
        "this check is clean for the copy",
    )


SIGNATURE = Signature("foreign-location", "cannot be read", "files outside the table's folders", "manifests", examine)
