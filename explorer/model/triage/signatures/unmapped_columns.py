"""Imported files without field ids, and no mapping of names that says which column is which.

Source: specification, "Column Projection" (`schema.name-mapping.default`).
"""

from __future__ import annotations

from ... import formats
from ...arrays import NULL
from ...iceberg.schema import NAME_MAPPING, name_mapping
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known
from ..paths import outside
from ..repairs import with_properties


def examine(known: Known) -> Outcome:
    """By where live files lie, and by the names that the mapping knows; a file's footer alone decides."""
    if known.live is None:
        return CannotSay("It needs the live files.", "manifests")
    home = known.metadata.location.rstrip("/")
    data = known.metadata.properties.get("write.data.path", f"{home}/data").rstrip("/")
    live = known.live
    foreign = outside(live.paths, (data, f"{home}/data"))
    imported = foreign[~live.has_any("value_counts")[foreign] | (live.sort_order_ids[foreign] == NULL)]
    if not len(foreign):
        return Clean(f"{live.looked_at}, all in the table's own data folder", is_part=not live.is_whole)
    names = name_mapping(known.metadata.properties).keys()
    wanted = {f.path for fields in known.metadata.schemas.values() for f in fields if "." not in f.path}
    lacking = sorted(wanted - names)
    if names and not lacking:
        return Clean(f"{formats.count(len(foreign), 'imported file')}; the mapping knows every name that a column had")
    if not len(imported):
        return CannotSay(
            f"{formats.count(len(foreign), 'file')} elsewhere; whether they hold field ids, a footer tells.",
            "the footer of one data file",
        )
    chosen = imported
    snapshots = live.commits(chosen)
    first = known.earliest(map(known.metadata.by_id.get, snapshots))
    missing = "no mapping of names" if not names else f"a mapping without {', '.join(lacking[:5])}"
    mapped, as_before = with_properties(known, **{NAME_MAPPING: "<all names, former ones too>"})
    return Finding(
        f"{formats.count(len(chosen), 'imported file')} and {missing}: columns may read as null",
        "information",
        "inferred",
        "They lie outside the table's data folder; that they hold no field ids only a footer tells.",
        missing,
        "a name that a column has or had, and the mapping has not",
        "A file without field ids is read by the mapping; what it does not name is null.",
        known.first(first),
        Evidence(
            ("file", "rows"),
            tuple((f.path, f"{f.record_count:,}") for f in live.files(chosen[:50])),
            len(chosen),
            snapshots[:50],
            tuple(f.path for f in live.files(chosen[:200])),
            sql=f"SHOW TBLPROPERTIES {known.named.table} ('{NAME_MAPPING}')",
        ),
        next_certainty="the footer of one of these files",
        fixes=(
            Fix(
                mapped,
                "Files without field ids are read by these names.",
                "A name under two ids reads another column's values: check with the old schemas.",
                as_before,
                f"SELECT\n  *\nFROM {known.named.table}\nWHERE <column> IS NULL",
            ),
        ),
        question="t.entries()",
    )


SIGNATURE = Signature("unmapped-columns", "wrong values", "imported files without field ids", "manifests", examine)
