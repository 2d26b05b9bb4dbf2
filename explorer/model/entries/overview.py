"""A long manifest list at a glance: where data sequence numbers come from, and which manifests have something to tell.

Source: Iceberg specification, "Sequence Number Inheritance".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..iceberg.inheritance import ListedManifest, Rule, Status, Value
from .facts import Entries, ManifestEntries

Origin = Literal["inherited", "stored", "written", "version 1", "forbidden", "removed"]
ORIGINS: tuple[Origin, ...] = ("inherited", "version 1", "stored", "written", "forbidden", "removed")
"""Where an entry has its data sequence number from, from the usual to what is worth a look; removed ones at the end.

`inherited`: null, so it is the number in the list. `version 1`: null, read as 0. `stored`: in an EXISTING entry, as it
must be; or in an ADDED one as it would be inherited. `written`: stored in an ADDED entry by a writer that chose another
number than its commit's, as a compaction may. `forbidden`: null where it must not be. `removed`: DELETED, which no scan
reads.
"""

Kind = tuple[int, str, frozenset[tuple[Status, Origin]]]


def origin(status: int, number: Value, manifest: ListedManifest) -> Origin:
    """Where entries have this data sequence number from; a null that is forbidden counts in DELETED too."""
    if number.rule == "not inherited":
        return "forbidden"
    if status == Status.DELETED:
        return "removed"
    if number.rule == "version 1":
        return "version 1"
    if number.rule != "stored":
        return "inherited"
    return "written" if status == Status.ADDED and number.value != manifest.sequence_number else "stored"


def origins(manifests: Iterable[ManifestEntries]) -> Counter[Origin]:
    """Entries by where they have their data sequence number from."""
    counted: Counter[Origin] = Counter()
    for m in manifests:
        for group in m.groups:
            counted[origin(group.status, group.data_sequence_number, m.manifest)] += group.count
    return counted


def kind(manifest: ManifestEntries) -> Kind:
    """What manifests have in common that say the same: content, who wrote them, status and origin of their entries."""
    m = manifest.manifest
    said = frozenset((g.status, origin(g.status, g.data_sequence_number, m)) for g in manifest.groups)
    return m.content, manifest.state, said


def telling(entries: Entries) -> tuple[ManifestEntries, ...]:
    """The manifests with something to tell, in the order of the list.

    Those that this snapshot wrote; those that cannot be read or contradict the list; those with a number that a writer
    chose or that is forbidden to be null; and of all others, which are kept as they were, the first of each kind.
    """
    kinds: set[Kind] = set()
    told: list[ManifestEntries] = []
    for m in entries.manifests:
        odd = m.unreadable or m.contradictions or not origins([m]).keys().isdisjoint({"written", "forbidden"})
        if odd or m.state != "kept" or kind(m) not in kinds:
            told.append(m)
            kinds.add(kind(m))
    return tuple(told)


@dataclass(frozen=True, slots=True)
class RuleLine:
    """Entries of one status, with a data sequence number stored or null, and what a reader makes of it.

    Attributes:
        is_null: whether the entries store no data sequence number.
        read_as: what it is read as.
        is_error: whether the format forbids it.
    """

    status: Status
    is_null: bool
    read_as: str
    count: int
    is_error: bool = False


def rule_lines(manifests: Iterable[ManifestEntries]) -> list[RuleLine]:
    """What the format says of each status, and how many entries there are; also of what it forbids."""
    counted: Counter[tuple[Status, Rule]] = Counter()
    for m in manifests:
        for group in m.groups:
            counted[group.status, group.data_sequence_number.rule] += group.count
    lines = [
        RuleLine(Status.ADDED, True, "the list's", counted[Status.ADDED, "inherited"]),
        RuleLine(Status.ADDED, False, "as stored", counted[Status.ADDED, "stored"]),
        RuleLine(Status.EXISTING, False, "as stored", counted[Status.EXISTING, "stored"]),
    ]
    version_1 = [(status, counted[status, "version 1"]) for status in Status]
    lines += [RuleLine(status, True, "0 (version 1)", count) for status, count in version_1 if count]
    forbidden = [(status, counted[status, "not inherited"]) for status in (Status.EXISTING, Status.DELETED)]
    lines += [RuleLine(s, True, "an error", count, True) for s, count in forbidden if count or s == Status.EXISTING]
    return [*lines, RuleLine(Status.DELETED, False, "not read", counted[Status.DELETED, "stored"])]
