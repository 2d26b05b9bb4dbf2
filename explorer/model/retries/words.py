"""What the attempts of commits say, in words: who lost how often and to whom, and what a retry writes again.

Used by the picture, the panel and the terminal alike. Attempts are counted by a habit of Java writers, so what is told
of them is inferred; the sources are those of `retries`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from .. import formats
from ..iceberg.metadata import Snapshot
from .facts import Attempt, Origin, Retries


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt of a commit, as inferred.

    Attributes:
        number: from 1; the last one succeeded.
        wanted: sequence number that it wrote; None where not known (version 1, or rivals that are not known).
        rival: who took that number; None of the last one, or where not known.
        manifest_list: file name of its manifest list; None where the snapshot has none.
    """

    number: int
    wanted: int | None
    rival: Snapshot | None
    manifest_list: str | None


def tries(attempt: Attempt) -> tuple[Try, ...]:
    """Every attempt, the successful one last; empty where the name does not tell how many there were.

    A lost attempt is laid to one rival only where they are as many as the lost attempts and their numbers leave no gap:
    then each refresh found exactly one new commit.
    """
    if attempt.attempt is None:
        return ()
    s, lists = attempt.snapshot, attempt.lost_lists
    own = s.sequence_number or None
    last = Try(attempt.attempt, own, None, s.manifest_list.rsplit("/", 1)[-1] if s.manifest_list else None)
    matched = own is not None and [r.sequence_number for r in attempt.rivals] == list(
        range(own - attempt.attempt + 1, own)
    )
    lost = [
        Try(
            number,
            attempt.rivals[number - 1].sequence_number if matched else None,
            attempt.rivals[number - 1] if matched else None,
            lists[number - 1] if lists else None,
        )
        for number in range(1, attempt.attempt)
    ]
    return (*lost, last)


def title(retries: Retries) -> str:
    """The finding."""
    n, retried = len(retries.attempts), retries.retried
    silent = sum(a.attempt is None for a in retries.attempts)
    if not n:
        return "The table has no commit yet"
    if silent == n:
        return f"How often {'the commit was' if n == 1 else f'these {n:,} commits were'} tried is not recorded"
    rest = f"; how often {silent:,} {'was' if silent == 1 else 'were'} tried is not recorded" if silent else ""
    if not retried:
        if silent:
            return f"{n - silent:,} of {n:,} commits succeeded at the first attempt{rest}"
        return "The one commit succeeded at once" if n == 1 else f"Each of {n:,} commits succeeded at its first attempt"
    lost = sum((a.attempt or 1) - 1 for a in retried)
    most = max(reversed(retried), key=lambda a: a.attempt or 0)
    head = f"{len(retried):,} of {formats.count(n, 'commit')} lost {formats.count(lost, 'attempt')}"
    short = short_ids(retries)[most.snapshot.snapshot_id]
    only = "" if len(retried) == 1 else " only"
    return f"{head}: {short} succeeded{only} at its {attempt_of(most.attempt or 1)}{rest}"


def circumstances(retries: Retries, name: str) -> list[str]:
    """The second line in parts: table, commits, time, and how sure it is."""
    parts = [name, formats.count(len(retries.attempts), "commit")]
    times = [a.snapshot.committed_at for a in retries.attempts if a.snapshot.committed_at]
    if times:
        first, last = min(times), max(times)
        end = "" if first.date() == last.date() else f" to {formats.day(last)} {last:%Y}"
        parts.append(f"{formats.day(first)} {first:%Y}{end}, UTC by the clocks of the writers")
    return [*parts, evidence(retries)[1]]


def evidence(retries: Retries) -> tuple[Literal["exact", "inferred", "unknown"], str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    if not retries.attempts:
        return "exact", "exact"
    if all(a.attempt is None for a in retries.attempts):
        return "unknown", "unknown: attempts"
    return "inferred", "inferred from the names of manifest lists"


def short_ids(retries: Retries) -> Mapping[int, str]:
    """`…9118` of every snapshot that is told of."""
    ids = {s.snapshot_id for a in retries.attempts for s in (a.snapshot, *a.rivals)}
    return formats.short_ids(ids)


def attempt_of(number: int) -> str:
    """`2nd attempt`, `11th attempt`."""
    return f"{formats.ordinal(number)} attempt"


def named(snapshot: Snapshot, ids: Mapping[int, str]) -> str:
    """`9 …5508`; the id alone where all numbers are 0."""
    number = f"{snapshot.sequence_number:,} " if snapshot.sequence_number else ""
    return number + ids[snapshot.snapshot_id]


def outcome(attempt: Attempt, ids: Mapping[int, str]) -> tuple[str, ...]:
    """How a commit came about, from a long wording to a short one."""
    if attempt.attempt is None:
        return "attempts not recorded", "not recorded"
    if not attempt.was_retried:
        return ("first attempt", "1st")
    won, lost = attempt_of(attempt.attempt), attempt.attempt - 1
    if not attempt.rivals:
        return f"{won}, lost to unknown writers", won
    rivals = [named(r, ids) for r in attempt.rivals]
    numbers = [r.sequence_number for r in attempt.rivals]
    brief = f"{won}, lost to {formats.ranges(numbers)}" if all(numbers) else f"{won}, {len(rivals):,} rivals"
    missing = f" and {lost - len(rivals):,} unknown" if lost > len(rivals) else ""
    return f"{won}, lost to {', '.join(rivals)}{missing}", brief + missing, won


def moment(at: datetime | None) -> str:
    """`12:05:01.218`: of commits that race, the milliseconds count."""
    return f"{at:%H:%M:%S}.{at.microsecond // 1000:03d}" if at else "time not recorded"


def race_title(attempt: Attempt, ids: Mapping[int, str]) -> str:
    """The finding about one commit."""
    own = ids[attempt.snapshot.snapshot_id]
    if attempt.attempt is None:
        return f"How often {own} was tried is not recorded"
    number = attempt.snapshot.sequence_number
    written = f" with {number:,}" if number else ""
    if not attempt.was_retried:
        return f"First attempt: {own} succeeded at once{written}"
    head = f"{attempt_of(attempt.attempt).capitalize()}: the manifest list was written again{written}"
    origins = attempt.origins
    if origins is None:
        return head
    reused, again = sum(o.before is True for o in origins), sum(o.before is False for o in origins)
    if reused == len(origins) > 0:
        return f"{head}, {'the manifest was' if reused == 1 else f'all {reused:,} manifests were'} reused"
    parts = [f"{reused:,} of {formats.count(len(origins), 'manifest')} reused"] if reused else []
    parts += [f"{again:,} written again"] if again else []
    return ", ".join([head, *parts])


def based_on(attempt: Try) -> tuple[str, ...]:
    """What an attempt set out to write, from a long wording to a short one; of a version 1 table nothing is known."""
    if attempt.wanted is None:
        return (f"attempt {attempt.number:,}",)
    base = "the empty table" if attempt.wanted == 1 else f"{attempt.wanted - 1:,}"
    return (
        f"attempt {attempt.number:,} · based on {base}, so it writes {attempt.wanted:,}",
        f"attempt {attempt.number:,}",
    )


def origin_words(origin: Origin, attempt: Attempt) -> tuple[str, ...]:
    """Which attempt wrote a manifest, from a long wording to a short one."""
    if origin.before:
        return ("reused",)
    if origin.before is None:
        return "reused or written again", "either"
    last = attempt.attempt or 1
    return ("written once",) if last == 1 else (f"written by attempt {last:,}", f"attempt {last:,}")


def winners(attempt: Attempt, ids: Mapping[int, str]) -> tuple[str, ...]:
    """Who came first, of all races of a commit together, from a long wording to a short one."""
    missing = (attempt.attempt or 1) - 1 - len(attempt.rivals)
    unknown = f" and {formats.count(missing, 'unknown writer')}" if missing > 0 else ""
    names = [named(r, ids) for r in attempt.rivals]
    if not names:
        return ("unknown who came first", "unknown")
    span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return f"{', '.join(names)}{unknown} came first", f"{span}{unknown} came first", span + unknown, span


def closing(attempt: Attempt | None) -> list[str]:
    """What to learn from a race."""
    if attempt is None or not attempt.was_retried:
        return []
    sentences = [
        "A commit succeeds by swapping the metadata file. Who comes second finds the number taken, reads the table "
        "again and writes a new manifest list; the lists of lost attempts are deleted after the success."
    ]
    if any(o.before for o in attempt.origins or ()):
        sentences.append(
            "Manifests of added files hold null where the sequence number belongs, so a retry can use them as they "
            "are: the null is read as the number of the list that won."
        )
    return sentences
