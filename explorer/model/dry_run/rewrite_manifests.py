"""`rewrite_manifests`: the manifests of one spec that it would write anew, and why not the others.

All data manifests of the spec are rewritten, and all of its delete manifests, each kind for itself, unless a kind has a
single one that is no larger than the target.

Source: Spark's `RewriteManifestsSparkAction` (1.12).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from .. import formats
from ..evidence import Note
from ..iceberg.inheritance import ListedManifest
from ..iceberg.metadata import TableMetadata
from .facts import Call, DryRun, Effect
from .planner import Refused
from .rewrite_data import long_property

_TARGET = 8 * 1024 * 1024
_DANGER = "It fails if a commit meanwhile rewrites the same manifests; no data file is touched."
_UNDO = "Roll main back to the snapshot it has now, as long as nothing else was committed since."


def check(
    metadata: TableMetadata, spec_id: int | None, listed: Sequence[ListedManifest], sort_by: Sequence[str] | None
) -> int:
    """The spec whose manifests are asked for.

    Raises:
        Refused: the table has no such spec, the spec no such field, or a manifest does not say how many files it has.
    """
    if sort_by is not None and not sort_by:
        raise Refused("sort_by must not be empty when provided")
    of = (metadata.default_spec_id or 0) if spec_id is None else spec_id
    if of not in metadata.specs:
        raise Refused(f"Invalid spec id {of}")
    fields = {str(field["name"]) for field in metadata.specs[of]}
    lacking = [name for name in sort_by or () if name not in fields]
    if lacking:
        named = ", ".join(lacking)
        raise Refused(
            f"Cannot set manifest sorting because specified field(s) [{named}] were not found in current partition spec"
        )
    for m in listed:
        if m.partition_spec_id == of and None in (m.added_files_count, m.existing_files_count, m.deleted_files_count):
            raise Refused(f"No file counts in manifest: {m.path}")
    return of


def rewrite(
    metadata: TableMetadata, call: Call, spec_id: int, listed: Sequence[ListedManifest], at: datetime
) -> DryRun:
    """What rewriting would replace.

    Args:
        metadata: the table's.
        call: as it is asked.
        spec_id: whose manifests are rewritten.
        listed: manifests of the current snapshot.
        at: now.
    """
    target = long_property(metadata, "commit.manifest.target-size-bytes", _TARGET)
    effects, expected = [], 0
    for content, name in ((0, "data"), (1, "delete")):
        of_kind = [m for m in listed if m.content == content]
        mine = [m for m in of_kind if m.partition_spec_id == spec_id]
        others = [m for m in of_kind if m.partition_spec_id != spec_id]
        effects += [_effect("kept", m, f"of spec {m.partition_spec_id}, not {spec_id}") for m in others]
        size = sum(m.length or 0 for m in mine)
        count = -(-size // target)
        if len(mine) == 1 and count == 1:
            why = f"the only {name} manifest of the spec, and no larger than {formats.size(target)}"
            effects.append(_effect("kept", mine[0], why))
        elif mine:
            effects += [_effect("rewritten", m, f"a {name} manifest of spec {spec_id}") for m in mine]
            expected += count
    is_rewritten = any(effect.what == "rewritten" for effect in effects)
    return DryRun(
        call,
        at,
        effects=tuple(sorted(effects, key=lambda effect: effect.what != "rewritten")),
        net_rows=0,
        expected_files=expected if is_rewritten else None,
        consequences=("No row and no file changes; entries of removed files are dropped.",) if is_rewritten else (),
        danger=_DANGER if is_rewritten else "",
        undo=Call.of("rollback_to_snapshot", snapshot_id=metadata.current_snapshot_id) if is_rewritten else None,
        undo_words=_UNDO if is_rewritten else "",
        notes=tuple(_notes(expected)),
    )


def _effect(what: str, manifest: ListedManifest, why: str) -> Effect:
    return Effect(
        what,  # type: ignore[arg-type]
        "manifest",
        why,
        file_path=manifest.path,
        spec_id=manifest.partition_spec_id,
        size_in_bytes=manifest.length,
        record_count=manifest.entry_count,
    )


def _notes(expected: int) -> Iterator[Note]:
    yield Note("exact", "which manifests", "From the manifest list.")
    if expected > 1:
        reason = "By their size; entries are spread by ranges of partitions, of which there may be fewer."
        yield Note("inferred", "manifests afterwards", reason)
