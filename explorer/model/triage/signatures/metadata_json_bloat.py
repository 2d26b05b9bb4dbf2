"""A metadata file that has grown so large that every open and every commit pays for it.

Source: specification, "Table Metadata": each commit writes the whole file; snapshots, schemas and logs only grow.
"""

from __future__ import annotations

from datetime import timedelta

from ... import formats
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known
from ..repairs import not_expired, with_properties
from ..since import Since

_WARN, _CRITICAL = 5 * 10**6, 50 * 10**6
_SNAPSHOTS, _SCHEMAS = 1_000, 100
_KEEPS, _FALSE = "write.metadata.delete-after-commit.enabled", "false"


def examine(known: Known) -> Outcome:
    """By the file's size and what is listed in it."""
    metadata = known.metadata
    snapshots, schemas = len(metadata.snapshots), len(metadata.schemas)
    size = known.metadata_size
    reasons = []
    if size > _WARN:
        reasons.append(f"the metadata file has {formats.size(size)}")
    if snapshots > _SNAPSHOTS:
        reasons.append(f"{formats.count(snapshots, 'snapshot')} are listed")
    if schemas > _SCHEMAS:
        reasons.append(f"{formats.count(schemas, 'schema')} are listed")
    if not reasons:
        looked_at = f"{formats.size(size)}, {formats.count(snapshots, 'snapshot')}, {formats.count(schemas, 'schema')}"
        return Clean(looked_at)
    title = "; ".join(reasons)
    place = min(_SNAPSHOTS, len(known.line) - 1)
    keeps = metadata.properties.get(_KEEPS, _FALSE) != "true"
    cut_off = formats.instant(known.now - timedelta(days=5)).removesuffix(" UTC")
    deleting, as_before = with_properties(known, **{_KEEPS: "true"})
    return Finding(
        f"{title[0].upper()}{title[1:]}",
        "slow" if size > _CRITICAL else "hygiene",
        "exact",
        "The file was read.",
        title,
        f"{formats.size(_WARN)}, {_SNAPSHOTS:,} snapshots, {_SCHEMAS} schemas; {formats.size(_CRITICAL)} is grave",
        "Every commit writes the whole file and every open parses it; some catalogs refuse more than 5 MB.",
        Since(known.line[place], "T") if known.line else Since(None, "T"),
        Evidence(
            ("what", "how much"),
            (
                ("size as stored", formats.size(size)),
                ("snapshots", f"{snapshots:,}"),
                ("schemas", f"{schemas:,}"),
                ("partition specs", f"{len(metadata.specs):,}"),
                ("earlier metadata files in the log", f"{len(metadata.metadata_log):,}"),
                (_KEEPS, metadata.properties.get(_KEEPS, f"{_FALSE} (default)")),
            ),
            6,
            sql=f"SELECT\n  count(*)\nFROM {known.named.table}.snapshots",
        ),
        not_ruled_out=("a history that is kept on purpose",),
        fixes=(
            Fix(
                known.named.call_by_name(
                    "expire_snapshots", older_than=f"TIMESTAMP '{cut_off}'", clean_expired_metadata="true"
                ),
                "Old snapshots, and the files that only they hold, are gone; unused schemas and specs too.",
                "Time travel and incremental readers before the cut are cut off, for good.",
                "none",
                not_expired(known, cut_off),
            ),
            *(
                (
                    Fix(
                        deleting,
                        "Old metadata files are deleted as new ones are written.",
                        "Only those that the log still names.",
                        as_before,
                        "the metadata folder holds no file that the log does not name",
                    ),
                )
                if keeps
                else ()
            ),
        ),
        question="t.snapshot_graph()",
    )


SIGNATURE = Signature(
    "metadata-json-bloat", "metadata hygiene", "a metadata file that is too large", "metadata.json", examine
)
