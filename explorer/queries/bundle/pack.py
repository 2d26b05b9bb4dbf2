"""A table's metadata put into one file: every list and manifest that its current metadata file leads to, and no data.

Each file is written as soon as it was read, so no more is held than a few files. What leads to something that is no
metadata, whatever its name, is not put in: it may be data.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...errors import ExplorerError
from ...model.bundle import words
from ...model.bundle.facts import Contents, Kind, Member
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.metadata import InvalidMetadata, TableMetadata
from ...model.iceberg.unreadable import Unreadable
from ..files import bundle, metadata_file, storage
from ..files import history as stored_history
from ..files import manifests as stored_manifests
from ..files.avro import decoded
from ..files.avro_file import NotReadable
from ..files.list_rows import ManifestList
from ..files.modification_times import in_milliseconds
from ..files.stored_history import StoredHistory
from ..source import Source
from . import rewriting, secrets
from .footers import NoFooter, footer
from .rewriting import Rewritten

_FOLDERS: Mapping[Kind, str] = {
    "metadata file": "metadata",
    "manifest list": "manifest-lists",
    "manifest": "manifests",
    "footer": "footers",
}


class _Packing:
    """What was put into a bundle so far; see `pack`."""

    def __init__(self, source: Source, archive: zipfile.ZipFile, report: Callable[[str], None], explorer: str) -> None:
        self._source, self._archive, self._report, self._explorer = source, archive, report, explorer
        self._members: list[Member] = []
        self._unreadable: list[Unreadable] = []

    def pack(self, table: str, *, without_bounds: bool) -> Contents:
        """Put everything in, and the manifest of it; arguments, result and errors as of `pack`."""
        self._metadata_files()
        self._report("reading the manifest lists")
        stored, _ = stored_history.read_lists(self._source, StoredHistory())
        lengths = self._manifests(stored.manifests, without_bounds=without_bounds)
        self._manifest_lists(lengths)
        left_out = self._footers(of_parquet=not without_bounds)
        contents = Contents(
            table=table,
            made_at=datetime.now(UTC),
            explorer=self._explorer,
            metadata_location=self._source.file.location,
            without_bounds=without_bounds,
            members=tuple(self._members),
            unreadable=tuple(self._unreadable),
            words=words.of_bundle(without_bounds=without_bounds, leaves_out_footers=left_out),
        )
        self._write(bundle.MANIFEST, contents.to_json().encode())
        listed = self._archive.filelist  # what is written last comes first in it, for whoever lists the members
        listed.insert(0, listed.pop())
        return contents

    def _metadata_files(self) -> None:
        source = self._source
        earlier = [entry.file for entry in source.metadata.metadata_log]
        for location in dict.fromkeys((source.file.location, *earlier)):
            try:
                content, _ = metadata_file.content(
                    source.spark, location, source.located.relation, source.located.bundle
                )
                file = metadata_file.parsed(location, content)
                if location != source.file.location:
                    TableMetadata.from_json(file.document)
            except (ExplorerError, InvalidMetadata) as error:
                if location == source.file.location:
                    raise
                found = error.found if isinstance(error, ExplorerError) else f"{error}."
                is_gone = found == storage.MISSING
                self._unreadable.append(Unreadable(location, "missing" if is_gone else "damaged", found or str(error)))
                continue
            ending = ".gz.metadata.json" if content[:2] == b"\x1f\x8b" else ".metadata.json"
            self._put("metadata file", location, secrets.metadata_file(file, content), ending)

    def _manifests(self, manifests: Sequence[ListedManifest], *, without_bounds: bool) -> dict[str, int]:
        """Put the manifests in; gives the length of each."""
        source, lengths, done = self._source, dict[str, int](), 0
        written_at = in_milliseconds(source, [manifest.path for manifest in manifests])
        by_path = {manifest.path: manifest for manifest in manifests}
        for batch in stored_history.batches(by_path.values(), lambda manifest: manifest.length or 0):
            read = self._read([manifest.path for manifest in batch])
            unreadable = decoded([(by_path[path], content) for path, content in read], source.specs).unreadable
            for place, (path, content) in enumerate(read):
                try:
                    if place in unreadable:
                        raise NotReadable(unreadable[place])
                    rewritten = rewriting.manifest(content, without_bounds=without_bounds)
                except NotReadable as error:
                    self._unreadable.append(Unreadable(path, "damaged", str(error)))
                    continue
                lengths[path] = len(rewritten.content)
                self._put("manifest", path, rewritten, ".avro", written_at.get(path))
            done += len(batch)
            self._report(f"{done:,} of {len(by_path):,} manifests")
        return lengths

    def _manifest_lists(self, lengths: Mapping[str, int]) -> None:
        located, _ = stored_manifests.lists_of(self._source.document)
        owners = {path: snapshot_id for snapshot_id, path in located.items()}
        done = 0
        for batch in stored_history.batches(owners):
            for path, content in self._read(batch):
                try:
                    ManifestList.of(content, owners[path])
                    self._put("manifest list", path, rewriting.manifest_list(content, lengths), ".avro")
                except NotReadable as error:
                    self._unreadable.append(Unreadable(path, "damaged", str(error)))
            done += len(batch)
            self._report(f"{done:,} of {len(owners):,} manifest lists")

    def _footers(self, *, of_parquet: bool) -> bool:
        """Put the ends of statistics files in; whether some were left out since they are of Parquet files."""
        left_out = False
        for location, is_puffin in dict.fromkeys(_statistics_files(self._source.document)):
            if not is_puffin and not of_parquet:
                left_out = True
                continue
            file = storage.opened(self._source.spark, location, self._source.options, fetch=True)
            if file is None:
                self._unreadable.append(Unreadable(location, "missing", "It does not exist, or may not be read."))
                continue
            with file:
                try:
                    found = footer(file, of_parquet=not is_puffin)
                except (NoFooter, OSError) as error:
                    self._unreadable.append(Unreadable(location, "damaged", str(error)))
                    continue
            self._put("footer", location, Rewritten(found), ".footer")
        return left_out

    def _read(self, paths: Sequence[str]) -> list[tuple[str, bytes]]:
        """Those of these files that can be read."""
        read, unreadable_files = storage.contents(self._source.spark, paths, replace(self._source.options, cache=None))
        self._unreadable += unreadable_files.values()
        return list(read.items())

    def _put(self, kind: Kind, location: str, file: Rewritten, ending: str, modified_at_ms: int | None = None) -> None:
        name = f"{_FOLDERS[kind]}/{len(self._members)}{ending}"
        digest = hashlib.sha256(file.content).hexdigest()
        self._members.append(
            Member(name, kind, location, len(file.content), digest, modified_at_ms, file.changes),
        )
        self._write(name, file.content)

    def _write(self, name: str, content: bytes) -> None:
        """Avro files are packed already; and what packs so well that nobody would open it is left as it is."""
        is_packed = name.endswith(".avro") or len(content) > bundle.MOST_RATIO * len(zlib.compress(content, 1))
        self._archive.writestr(name, content, zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED)


def pack(
    source: Source,
    table: str,
    path: Path,
    *,
    explorer: str,
    without_bounds: bool,
    report: Callable[[str], None],
) -> Contents:
    """Make a bundle of a table.

    Args:
        source: the table.
        table: what to call it.
        path: of the file; nothing of it is there unless it is whole.
        explorer: version of the explorer.
        without_bounds: take lowest and highest values out of the manifests.
        report: called with what was done so far, in a few words.

    Raises:
        UnreadableMetadata: the current metadata file cannot be read any more.
        ExplorerError: a location in the metadata holds a password; the file cannot be written.

    Cost: every metadata file, manifest list and manifest once, the lists twice; of statistics files the ends, or all of
    those that this process cannot open itself.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with zipfile.ZipFile(unfinished, "w", compresslevel=6) as archive:
            contents = _Packing(source, archive, report, explorer).pack(table, without_bounds=without_bounds)
        unfinished.replace(path)
    except OSError as error:
        raise ExplorerError(f"{path} cannot be written.", found=f"{error.strerror or error}.") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return contents


def _statistics_files(document: Any) -> Iterator[tuple[str, bool]]:
    """Location of each statistics file, and whether it is a Puffin file, as those of a snapshot are."""
    for key in ("statistics", "partition-statistics"):
        for file in document.get(key) or ():
            if isinstance(location := file.get("statistics-path"), str):
                yield location, key == "statistics"
