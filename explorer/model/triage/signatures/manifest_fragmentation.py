"""So many small manifests that planning a query opens hundreds of files.

Sources: specification, "Manifest Lists"; the Java library's `commit.manifest.min-count-to-merge` [100] and
`commit.manifest.target-size-bytes` [8 MB].
"""

from __future__ import annotations

from collections import defaultdict

from ... import formats
from ...iceberg.inheritance import ListedManifest
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known
from ..repairs import as_many
from ..since import Since

_MERGE, _TARGET = "commit.manifest.min-count-to-merge", "commit.manifest.target-size-bytes"


def examine(known: Known) -> Outcome:
    """By the manifest list of the head, for each spec and content by itself."""
    listed = known.head_list
    if listed is None or isinstance(listed, str):
        return CannotSay(listed or "There is no snapshot.")
    most, target = known.setting(_MERGE, 100), known.setting(_TARGET, 8 * 1024 * 1024)
    groups: dict[tuple[int | None, int], list[ListedManifest]] = defaultdict(list)
    for manifest in listed:
        groups[manifest.partition_spec_id, manifest.content].append(manifest)
    many = {
        key: those
        for key, those in groups.items()
        if len(those) > most and sum(m.length or 0 for m in those) < target * len(those)
    }
    if not many:
        return Clean(f"{formats.count(len(listed), 'manifest')} of the head")
    spec_id, content = max(many, key=lambda key: len(many[key]))
    those = many[spec_id, content]
    size = sum(m.length or 0 for m in those)
    return Finding(
        f"A query must open {len(listed):,} manifests: {len(those):,} of {'deletes' if content else 'data'} have"
        f" {formats.size(size // len(those))} each",
        "slow",
        "exact",
        "The manifest list of the head was read.",
        f"{len(those):,} manifests, {formats.size(size)}",
        f"{most:,} manifests below {formats.size(target)} each",
        "Iceberg merges manifests when it finds that many, unless it is told not to.",
        _since(known, most),
        Evidence(
            ("spec", "content", "manifests", "bytes", "mean"),
            tuple(
                (
                    str(spec),
                    "deletes" if kind else "data",
                    f"{len(found):,}",
                    formats.size(total := sum(m.length or 0 for m in found)),
                    formats.size(total // len(found)),
                )
                for (spec, kind), found in groups.items()
            ),
            len(groups),
            sql="SELECT\n  content,\n  partition_spec_id,\n  count(*) AS manifests,\n  avg(length) AS mean_length\n"
            f"FROM {known.named.table}.manifests\nGROUP BY content, partition_spec_id",
        ),
        not_ruled_out=("many commits that merge at the next one",),
        fixes=(
            Fix(
                known.named.call("rewrite_manifests"),
                "Manifests are written anew, grouped by partition; no data file is touched.",
                "Up to Iceberg 1.11.0 it gave rows of version 3 new ids. Only manifests of the default spec.",
                known.undo,
                as_many(known, "manifests", len(listed)),
            ),
        ),
        question="t.entries()",
    )


def _since(known: Known, most: int) -> Since:
    if known.history is None:
        return Since(known.head, "M", at_or_before=True)
    lists = known.history.lists
    counts = [None if isinstance(found := lists[s.snapshot_id], str) else float(len(found)) for s in known.line]
    return known.trend(counts, most)


SIGNATURE = Signature("manifest-fragmentation", "slow reads", "too many small manifests", "manifest lists", examine)
