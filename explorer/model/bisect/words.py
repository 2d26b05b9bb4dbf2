"""A bisection in words."""

from __future__ import annotations

import re

from .. import formats
from ..evidence import Note
from ..iceberg.metadata import Snapshot
from ..iceberg.writer import writer
from ..words import account, enumerated
from .facts import Answer, Bisection, Candidate, Change, Price

_MOST_NAMED = 4
_LONGEST_ANSWER = 40
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,30}")
_FLOATING = ("float", "double")
_CAUSES = {
    "files": "its files may hold rows that are asked about",
    "schema": "it reads by another schema",
    "metadata": "it wrote metadata, which is asked about",
    "unknown": "what it did is not known",
}


def named(snapshot: Snapshot) -> str:
    """`249`, or `…9118` where there are no sequence numbers."""
    return f"{snapshot.sequence_number:,}" if snapshot.sequence_number else f"…{str(snapshot.snapshot_id)[-4:]}"


def value(answer: Answer) -> str:
    """`18,204`, `true`, `NULL`; `none` where it could not be asked."""
    if answer.why_not:
        return "none"
    if answer.value is None:
        return "NULL"
    if _WHOLE_NUMBER.fullmatch(answer.value):
        return f"{int(answer.value):,}"
    return answer.value if len(answer.value) <= _LONGEST_ANSWER else f"{answer.value[:_LONGEST_ANSWER]}…"


def title(bisection: Bisection) -> str:
    """The finding, one line."""
    change = bisection.change
    if change is None:
        return _nothing_found(bisection)
    skipped = bisection.skipped_in(change)
    before, after = (bisection.snapshots[read.place] for read in (change.before, change.after))
    answers = f"{value(change.before.answer)} before it, {value(change.after.answer)} at it"
    if skipped:
        names = _names([*skipped, after])
        return (
            f"A first bad commit lies between {named(before)} and {named(after)}, it is one of {names}:"
            f" {value(change.before.answer)} at {named(before)}, {value(change.after.answer)} at {named(after)}"
        )
    if not bisection.is_complete:
        return f"{named(after)} is a first bad commit: {answers}"
    others = len(bisection.changes) - 1
    more = f"; the answer changes {formats.count(others, 'more time')}" if others else ", and the only change"
    return f"{named(after)} is the first bad commit: {answers}{more}"


def _nothing_found(bisection: Bisection) -> str:
    good, bad = (bisection.snapshots[read.place] for read in (bisection.good, bisection.bad))
    answer = value(bisection.good.answer)
    if bisection.contradicts:
        return (
            f"The answer is {answer} at {named(good)} and {value(bisection.bad.answer)} at {named(bad)},"
            " though no commit between them can have changed it"
        )
    if bisection.known(bisection.good.answer) == "bad":
        since = {
            "root": f"since the first commit, {named(good)}",
            "expired": f"at or before {named(good)}, the oldest snapshot that is left",
            "asked": f"at the good end already, {named(good)}",
        }
        return f"Bad {since[bisection.begins]}: it answers {answer}, and so does {named(bad)}"
    # Of true and false, what is good is known; of other values a change may lie before all that is left.
    may_be_older = bisection.begins == "expired" and not bisection.is_boolean
    older = f"; if it changed, that was at or before {named(good)}, the oldest snapshot that is left"
    return (
        f"Nothing to find between {named(good)} and {named(bad)}: both answer {answer}{older if may_be_older else ''}"
    )


def circumstances(bisection: Bisection, name: str) -> list[str]:
    """What was asked and read: the parts of the second line."""
    commits, candidates = len(bisection.snapshots) - 1, len(bisection.candidates)
    read = len(bisection.reads) - 2
    can = f"{candidates:,} of {formats.count(commits, 'commit')} can have changed the answer"
    ends = f"{formats.count(len(bisection.reads), 'read')}: both ends and {read:,} of these"
    return [name, can, ends, *_assumed(bisection), "answers exact"]


def _assumed(bisection: Bisection) -> list[str]:
    change = bisection.change
    if change is None or bisection.is_complete:
        return []
    return [f"up to {named(bisection.snapshots[change.before.place])} assumed good"]


def closing(bisection: Bisection) -> list[str]:
    """What follows: the commit that is named, and what to ask next."""
    commit = bisection.first_bad
    change = bisection.change
    if change is None:
        return [only_ends(bisection)] if bisection.not_asked else []
    if commit is None:
        skipped = bisection.skipped_in(change)
        reason = bisection.answers[bisection.state(change.before.place) + 1].why_not
        return [f"{_names(skipped)} cannot be asked: {reason}"]
    return [f"{who(commit)}: {account(commit)}", f"Its rows: {next_question(bisection)}"]


def who(snapshot: Snapshot) -> str:
    """`241, append by spark-etl, 14 Mar 11:42 UTC`."""
    by = writer(snapshot)
    kind = snapshot.operation or "operation not recorded"
    return f"{named(snapshot)}, {kind}{f' by {by}' if by else ''}, {formats.moment(snapshot.committed_at)} UTC"


def next_question(bisection: Bisection) -> str:
    """The call that tells what the first bad commit did to rows; empty where none is named."""
    commit = bisection.first_bad
    return "" if commit is None else f"commit({commit.snapshot_id}, rows=True)"


def is_it_the_only_one(bisection: Bisection) -> str:
    """What a search does not prove, and the way that does; empty where all was read."""
    price, told = bisection.price, not_proved(bisection)
    whole = f"{formats.count(price.every, 'read')} in all, at most {formats.size(price.every_size_in_bytes)}"
    return told and f"{told} To read them all (every=True) takes {whole}."


def not_proved(bisection: Bisection) -> str:
    """What a search does not prove; empty where all was read."""
    left = bisection.not_asked
    if not left or bisection.change is None:
        return ""
    unread = f"{formats.count(left, 'candidate')} {'was' if left == 1 else 'were'} not read."
    return f"Bisecting proves one change from good to bad, not that there is no other. {unread}"


def only_ends(bisection: Bisection) -> str:
    """What equal ends do not say."""
    candidates = formats.count(bisection.not_asked, "commit")
    return f"{candidates} between the ends can have changed the answer and changed it back: every=True reads them too."


def changes(bisection: Bisection) -> list[str]:
    """Every change of the answer that is known, a phrase each: `249: 18,204 → 17,549`."""
    return [change_words(bisection, change) for change in bisection.changes]


def change_words(bisection: Bisection, change: Change) -> str:
    """`249: 18,204 → 17,549`; of commits that could not be asked `239–241: …`."""
    after = bisection.snapshots[change.after.place]
    skipped = bisection.skipped_in(change)
    at = f"{named(skipped[0])}–{named(after)}" if skipped else named(after)
    return f"{at}: {value(change.before.answer)} → {value(change.after.answer)}"


def why(candidate: Candidate) -> str:
    """Why a commit can have changed the answer, a phrase."""
    late = ", asked last, since a replace promises to change no row" if candidate.late else ""
    return f"{_CAUSES[candidate.cause]}{late}"


def price(price: Price) -> str:
    """`at most 7 snapshots, 4 MB`."""
    return f"at most {formats.count(price.reads, 'snapshot')}, {formats.size(price.size_in_bytes)}"


def pruned(bisection: Bisection) -> str:
    """What ruled commits out, or why nothing did: a sentence."""
    others = len(bisection.snapshots) - 1 - len(bisection.candidates)
    if bisection.pruned and not others:
        return "Every commit after the good end has files that may hold rows that meet the condition."
    if bisection.pruned:
        return (
            f"{formats.count(others, 'commit')} cannot have changed the answer: no file that they added, removed or"
            " masked rows of can hold a row that meets the condition, by partition and bounds."
        )
    if any(candidate.cause == "metadata" for candidate in bisection.candidates):
        return f"Every commit can have changed the answer, since {bisection.why_not_pruned}."
    return (
        f"Every commit that changed data or delete files can have changed the answer, since {bisection.why_not_pruned}."
    )


def notes(bisection: Bisection) -> list[Note]:
    """What is exact, assumed and not known."""
    found = [Note("exact", f"{formats.count(len(bisection.candidates), 'candidate')}", pruned(bisection))]
    change = bisection.change
    if change is not None and bisection.not_asked:
        found.append(Note("inferred", "It is a first bad commit", is_it_the_only_one(bisection)))
    elif bisection.not_asked:
        found.append(Note("unknown", "What the answer was between the ends", only_ends(bisection)))
    if bisection.contradicts:
        reason = "The statement may ask for more than the rows of the table: the time, chance, or another table."
        found.append(Note("unknown", "What changed the answer", reason))
    if change is not None and bisection.is_complete and len(bisection.changes) > 1:
        told = "; ".join(changes(bisection)[:_MOST_NAMED])
        more = len(bisection.changes) - _MOST_NAMED
        about = f"The answer changed {len(bisection.changes):,} times"
        found.append(Note("exact", about, f"{told}{f'; and {more:,} more' if more > 0 else ''}."))
    found += _skipped(bisection)
    if bisection.begins == "expired":
        first = bisection.snapshots[0]
        about = f"What was before snapshot {first.snapshot_id}"
        found.append(Note("unknown", about, f"Its parent {first.parent_id} is no longer listed."))
    return [*found, *bisection.notes]


def _skipped(bisection: Bisection) -> list[Note]:
    skipped = [read for read in bisection.reads if read.answer.why_not]
    found = [
        Note("unknown", f"The answer at {named(bisection.snapshots[read.place])}", read.answer.why_not)
        for read in skipped[:_MOST_NAMED]
    ]
    if len(skipped) > _MOST_NAMED:
        about = f"The answer at {formats.count(len(skipped) - _MOST_NAMED, 'more snapshot')}"
        found.append(Note("unknown", about, "They cannot be asked either."))
    return found


def floating(kind: str) -> list[Note]:
    """What to say of answers whose last digits depend on the order of rows."""
    if kind not in _FLOATING:
        return []
    reason = "A sum of floating point numbers depends on their order, so files written anew may change its last digits."
    return [Note("inferred", "Answers that differ a little", f"{reason} round(…) in the statement leaves them out.")]


def _names(snapshots: list[Snapshot] | tuple[Snapshot, ...]) -> str:
    """`239, 240 and 241`; of many the first and the last."""
    names = [named(snapshot) for snapshot in snapshots]
    if len(names) > _MOST_NAMED:
        return f"{names[0]} to {names[-1]} ({len(names):,} commits)"
    return enumerated(names)
