"""What partitions say, in words: the finding, its circumstances, what is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from .. import formats
from ..arrays import Longs
from ..evidence import Certainty, Note
from ..iceberg.metadata import Snapshot
from ..words import partition_fields, partition_name
from .facts import Partitions, Sums
from .grid import Measure, latest, measured

_NAMED = 5  # unreadable files named one by one; the rest is counted
_ODD = 1.5  # times the usual one, from where on a partition is a finding
_USUAL = 5  # partitions of which one is the usual one
Place = int | tuple[int | slice, ...] | Longs
_UNITS: Mapping[Measure, str] = {"live rows": "row", "data files": "data file", "delete files": "delete file"}


def amount(measure: Measure, n: int) -> str:
    """`31,832 rows`, `421 MB`, `9 data files`."""
    return formats.size(n) if measure == "bytes" else formats.count(n, _UNITS[measure])


def short_amount(measure: Measure, n: int) -> str:
    """`31.8k`, `421 MB`, for marks."""
    return formats.size(n) if measure == "bytes" else formats.compact(n)


def commit_name(facts: Partitions, snapshot: Snapshot) -> str:
    """`241`; the end of its id where all numbers are 0."""
    return f"{snapshot.sequence_number:,}" if facts.numbered else f"…{str(snapshot.snapshot_id)[-6:]}"


def name_of(facts: Partitions, place: int) -> str:
    """A partition in full; its spec too, where there are several."""
    several = len({partition.spec_id for partition in facts.partitions}) > 1
    return partition_name(*facts.partitions[place], with_spec=several)


def live(facts: Partitions, measure: Measure) -> Longs:
    """Places of the partitions that hold a data file after the last known commit; a delete file, where these count."""
    now = latest(facts)
    return np.flatnonzero(now.delete_files if measure == "delete files" else now.data_files)


def spec_name(facts: Partitions, spec_id: int) -> str:
    """`region, day` of the fields of a spec; `unpartitioned` without any."""
    partition = next(partition for spec, partition in facts.partitions if spec == spec_id)
    return ", ".join(name for name, _ in partition_fields(partition)) or "unpartitioned"


# --- the finding -----------------------------------------------------------------------------------------------------


def title(facts: Partitions, measure: Measure = "live rows", every: Partitions | None = None) -> str:
    """The finding: a partition that holds far more than the usual one, else from where to where they go.

    Args:
        facts: of the partitions that are told.
        measure: of what they hold.
        every: the partitions of which one is the usual one; these if None.
    """
    told = _title(facts, measure, every)
    if not facts.partitions or len(facts.commits) - 1 not in facts.unreadable:
        return told
    return f"After the last commit that can be read: {told[0].lower() if told.startswith('No') else told[0]}{told[1:]}"


def _title(facts: Partitions, measure: Measure, every: Partitions | None) -> str:
    if not facts.commits:
        return "No current snapshot, so no partition holds a file"
    if not facts.partitions:
        return "No file is known, but not all could be read" if lacks_parts(facts) else "No partition ever held a file"
    values = measured(latest(facts), measure)
    held = live(facts, measure)
    if not len(held):
        if measure == "delete files" and latest(facts).data_files.any():
            return "No partition holds a delete file"
        return (
            f"No partition holds a data file any more; {formats.count(len(facts.partitions), 'partition')} held a file"
        )
    total, most = int(values[held].sum()), int(held[np.argmax(values[held])])
    upper = bound(latest(facts), held) if measure == "live rows" else ""
    if len(facts.partitions) == 1 and not facts.partitions[0].partition:
        files = formats.count(int(latest(facts).data_files[0]), "data file")
        what = f"{upper}{amount(measure, total)}"
        return f"Not partitioned: {what}" + (f" in {files}" if measure in ("live rows", "bytes") else "")
    if not total:
        return f"{formats.count(len(held), 'live partition')}, and no {_UNITS.get(measure, 'byte')} in any of them"
    odd = finding(facts, measure, every)
    if odd is not None:
        what = amount(measure, int(values[odd.partition]))
        times = f"{odd.times:,.1f}" if odd.times < 10 else f"{odd.times:,.0f}"
        if measure == "live rows":
            what = bound(latest(facts), odd.partition) + what
        if measure == "delete files" and not latest(facts).data_files[odd.partition]:
            what += " and no data file"
        grown = _grown(facts, measure, odd)
        return f"{name_of(facts, odd.partition)} holds {what}, {times}× the usual partition, {grown}"
    if len(held) == 1:
        return f"{name_of(facts, most)} holds {upper}{amount(measure, total)}, and no other partition any"
    least = int(values[held].min())
    each = amount(measure, least) if least == values[most] else f"{least:,} to {int(values[most]):,}"
    if measure == "bytes" and least != values[most]:
        each = f"{formats.size(least)} to {formats.size(int(values[most]))}"
    return f"{formats.count(len(held), 'partition')} hold {upper}{amount(measure, total)}, {each} each"


def _grown(facts: Partitions, measure: Measure, odd: Finding) -> str:
    """`since 241`; where it took several commits, from how much: `grown from 8 in 224–234`."""
    first, last = (commit_name(facts, facts.commits[commit]) for commit in (odd.since, odd.until))
    if first == last:
        return f"since {first}"
    before = short_amount(measure, odd.before) if odd.before else "nothing"
    return f"grown from {before} in {first}–{last}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A partition that holds far more than the usual one, which is the median.

    Attributes:
        partition: index into `Partitions.partitions`.
        times: as much as the usual one.
        before: how much it held before it grew to far more than the usual one.
        since, until: indices of the commit with which it began to grow to that without a fall, and of the first with
            which it held what it does now.
    """

    partition: int
    times: float
    before: int
    since: int
    until: int


def finding(facts: Partitions, measure: Measure, every: Partitions | None = None) -> Finding | None:
    """The one partition that holds most, if that is far more than usual; None also where too few tell what is usual.

    Args:
        facts: of the partitions of which one may.
        measure: of what they hold.
        every: the partitions of which one is the usual one; these if None.
    """
    usual = _usual(every or facts, measure)
    held, values = live(facts, measure), measured(latest(facts), measure)
    if not usual or not len(held):
        return None
    most = int(held[np.argmax(values[held])])
    if values[most] < _ODD * usual or np.count_nonzero(values[held] == values[most]) > 1:
        return None
    rows = np.flatnonzero(facts.partition == most)
    was = measured(facts.sums, measure)[rows]
    below = np.flatnonzero(was < _ODD * usual)
    since = int(below[-1]) + 1 if len(below) else 0
    until = since + int(np.argmax(was[since:] >= values[most]))
    while until > since > 1 and was[since - 2] < was[since - 1]:  # what took several commits began before it was odd
        since -= 1
    before = int(was[since - 1]) if since else 0
    return Finding(
        most, float(values[most]) / usual, before, int(facts.commit[rows[since]]), int(facts.commit[rows[until]])
    )


def _usual(facts: Partitions, measure: Measure) -> float:
    """What the median of the partitions holds; 0 where there are too few."""
    held = live(facts, measure)
    return float(np.median(measured(latest(facts), measure)[held])) if len(held) >= _USUAL else 0.0


def circumstances(facts: Partitions, name: str) -> list[str]:
    """The second line in parts: table, partitions, commits, and how sure it is."""
    line = f" of {facts.line_name}" if facts.line_name else ""
    commits = formats.count(len(facts.commits), "commit")
    held = formats.count(len(facts.partitions), "partition")
    until = f" to {commit_name(facts, facts.commits[-1])}" if facts.commits else ""
    return [name, counted(facts, held), f"{commits}{line}{until}", evidence(facts)[1]]


def counted(facts: Partitions, partitions: str) -> str:
    """What is counted as a partition, after how many there are; that none is known where that is so."""
    if not facts.partitions and lacks_parts(facts):
        return "partitions not known"
    return f"{partitions}, live or emptied"


def evidence(facts: Partitions) -> tuple[Certainty, str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    if facts.unreadable:
        return "unknown", f"unknown after {formats.count(len(facts.unreadable), 'commit')}"
    beside = ", but for rows that equality deletes mask" if latest(facts).equality_delete_files.any() else ""
    by_convention = [
        *(["which rows deletes of whole partitions mask"] if facts.sums.partition_delete_files.any() else []),
        *(["when files went that no entry removes"] if facts.removals_by_absence else []),
    ]
    if by_convention:
        return "inferred", f"inferred {' and '.join(by_convention)}{beside}"
    return "exact", f"exact{beside}"


def lacks_parts(facts: Partitions) -> bool:
    """Whether a part of the line could not be read, or is expired."""
    return bool(facts.unreadable or facts.before)


def bound(sums: Sums, place: Place) -> str:
    """`at most ` before live rows that equality deletes may mask too; `about ` where masks are inferred; else nothing.

    Args:
        sums: of partitions.
        place: indices into its columns, of all that is told together.
    """
    return _bound(sums, place, "at most ")


def masked(sums: Sums, place: tuple[int, ...]) -> str:
    """`27`, `at least 27` where equality deletes may mask more, `about 27` where it is inferred."""
    return f"{_bound(sums, place, 'at least ')}{sums.masked_records[place]:,}"


def _bound(sums: Sums, place: Place, beside_keys: str) -> str:
    if np.any(sums.partition_delete_files[place]):
        return "about "
    return beside_keys if np.any(sums.equality_delete_files[place]) else ""


# --- what is not known -----------------------------------------------------------------------------------------------


def notes(facts: Partitions, *, in_between: int, at_large: int) -> Iterator[Note]:
    """What of the partitions is not known, or inferred, and why.

    Args:
        facts: told of.
        in_between: removals by one of several commits that cannot be read.
        at_large: position delete files that name no single data file.
    """
    for place, reason in list(facts.unreadable.items())[:_NAMED]:
        yield Note("unknown", f"What lives after snapshot {facts.commits[place].snapshot_id}", reason)
    if len(facts.unreadable) > _NAMED:
        more = f"What lives after {len(facts.unreadable) - _NAMED:,} more commits"
        yield Note("unknown", more, "Their manifest lists, or manifests that they name, cannot be read either.")
    if facts.before:
        why = f"{facts.before[:1].upper()}{facts.before[1:]}."
        yield Note("unknown", "What the partitions held before the oldest commit", why)
    if (facts.sums.equality_delete_files > 0).any():
        reason = "Equality deletes name keys, and no metadata says how many rows have them: more may be masked."
        yield Note("unknown", "How many rows equality deletes mask", reason)
    if at_large:
        files = formats.count(at_large, "position delete file")
        reason = "Their positions count as masked while they live, also where a data file is gone by now."
        yield Note("inferred", f"Rows that {files} of whole partitions mask", reason)
    if facts.removals_by_absence:
        reason = "The snapshot before lists these files as live, the next one does not, and no entry says so."
        yield Note("inferred", f"{formats.count(facts.removals_by_absence, 'removal')} by absence", reason)
    if in_between:
        reason = "Of the commits in between not all can be read: they count for the next of which it can."
        yield Note("unknown", f"The commit of {formats.count(in_between, 'removal')}", reason)
