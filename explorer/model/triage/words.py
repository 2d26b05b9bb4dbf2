"""What a triage says: its title, what to do before anything else, and what was not looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .. import formats
from ..evidence import Note
from .facts import SEVERITIES, Check, Triage
from .known import Named
from .registry import SYMPTOMS

_SHORT = 60  # signs, that are read faster again than looked up


def title(facts: Triage) -> str:
    """The gravest finding of all and how many more there are; how many of which kind where none is grave.

    Of a symptom its own findings come first; where it has none, that is said before whatever else was found.
    """
    of_symptom = SYMPTOMS.get(facts.symptom or "", ())
    own = [check for check in facts.checks if check.signature.name in of_symptom]
    if any(_is_grave(check) for check in own):
        others = [check for check in facts.found if check not in own]
        return headline(facts, [*(check for check in facts.found if check in own), *others])
    if not own:
        return headline(facts, facts.found)
    clean = sum(check.state == "clean" for check in own)
    unanswered = sum(check.state in ("not asked", "cannot say") for check in own)
    answered = f"{clean:,} of {formats.count(len(own), 'check')} clean"
    answered += f", {unanswered:,} not answered" if unanswered else ""
    beside = f"; beside that: {headline(facts, facts.found)}" if any(map(_is_grave, facts.found)) else ""
    return f"Nothing found for “{facts.symptom}”: {answered}{beside}"


def headline(facts: Triage, checks: Sequence[Check]) -> str:
    """The gravest of some findings and how many more there are; the counts where none is more than worth knowing."""
    grave = [c.finding for c in checks if c.finding and _is_grave(c)]
    if not grave:
        return counts(facts)
    more = f"; {formats.count(len(grave) - 1, 'more finding')}" if len(grave) > 1 else ""
    return f"{grave[0].title} ({grave[0].since.words}){more}"


def _is_grave(check: Check) -> bool:
    return check.finding is not None and check.finding.severity != "information"


def counts(facts: Triage) -> str:
    """`Wrong answers: 2 (since 241), slow: 1; 23 checks clean, 5 not answered`."""
    parts = []
    for severity in SEVERITIES:
        found = [c.finding for c in facts.found if c.finding and c.finding.severity == severity]
        if found and severity == "information":
            parts.append(f"worth knowing: {len(found)}")
        elif found:
            parts.append(f"{severity}: {len(found)} ({found[0].since.words})")
    clean = len(facts.of_state("clean"))
    rest = len(facts.of_state("not asked")) + len(facts.of_state("cannot say"))
    head = ", ".join(parts) or "nothing found"
    answered = f"{formats.count(clean, 'check')} clean" + (f", {rest} not answered" if rest else "")
    return f"{head[0].upper()}{head[1:]}; {answered}"


def pin(facts: Triage, named: Named) -> str:
    """Statements that keep the evidence from being cleaned away, to run before any repair; empty without findings."""
    bad = next((c.finding for c in facts.found if c.finding and c.finding.severity != "information"), None)
    if bad is None or bad.since.snapshot is None:
        return ""
    day = f"{facts.examined_at:%Y%m%d}"
    first = bad.since.snapshot
    good = next((s for s in facts.line if s.snapshot_id == first.parent_id), None)
    tags = [(f"incident_{day}_bad", first.snapshot_id)]
    if good is not None:
        tags.insert(0, (f"incident_{day}_good", good.snapshot_id))
    if facts.head is not None and facts.head.snapshot_id != first.snapshot_id:
        tags.append((f"incident_{day}_now", facts.head.snapshot_id))
    return ";\n".join(
        f"ALTER TABLE {named.table} CREATE TAG `{name}` AS OF VERSION {snapshot_id} RETAIN 30 DAYS"
        for name, snapshot_id in tags
    )


PIN = "Before anything else: pin the evidence. A tag keeps the files of a snapshot; pause expiry and compaction."


def notes(facts: Triage) -> list[Note]:
    """What could not be answered, and why; what has one reason is told together."""
    found = []
    unanswered: dict[str, list[str]] = {}
    if facts.head is None:
        found.append(Note("exact", "Nothing to examine", "The table has no snapshot."))
    for check in (*facts.of_state("cannot say"), *facts.of_state("not asked")):
        price = f" It would take: {check.price}." if check.price else ""
        unanswered.setdefault(f"{check.words}{price}", []).append(check.signature.about)
    for reason, abouts in unanswered.items():
        each = "For each of them: " if len(abouts) > 1 else ""
        found.append(Note("unknown", f"Not answered: {'; '.join(abouts)}", f"{each}{reason}"))
    return found


def one_line(check: Check) -> str:
    """A check as one line: the finding's title with since, or the signature with what was looked at."""
    if check.finding is not None:
        return f"{check.finding.title} ({check.finding.since.words})"
    return f"{check.signature.name}: {check.words}"


_FOOT = "Nothing is run from here: statements are for you to read, copy and try on a branch first."


def foot(facts: Triage) -> str:
    """What is to be known of the statements."""
    if not facts.stand_in:
        return _FOOT
    return f"{_FOOT} {facts.stand_in} stands for the name of this table, which was opened by its path."


def circumstances(facts: Triage, name: str) -> list[str]:
    """The second line in parts: table, point, symptom, counts that the title has not, what was read, how sure it is."""
    head = facts.head
    at = f"{facts.ref} at {head.sequence_number:,}" if head and head.sequence_number else facts.ref
    good = [f"known good at {facts.good.sequence_number:,}"] if facts.good else []
    symptom = [f"for “{facts.symptom}”"] if facts.symptom else []
    counted = counts(facts)
    told = [] if title(facts) == counted else [counted[0].lower() + counted[1:]]
    return [name, at, *symptom, *good, *told, f"read: {facts.paid}", evidence(facts)[1]]


def evidence(facts: Triage) -> tuple[str, str]:
    """The weakest certainty of what was found, and the phrase that says so."""
    inferred = sum(c.finding.certainty != "exact" for c in facts.found if c.finding)
    if inferred:
        return "inferred", f"inferred: {formats.count(inferred, 'finding')} of {len(facts.found)}"
    return "exact", "exact: what was looked at; not what could not be asked"


def is_serious(facts: Triage) -> bool:
    """Whether anything was found of which the evidence should be kept."""
    return bool(facts.worse_than("wrong answers"))


def one_by_one(checks: Iterable[Check]) -> Iterator[tuple[Check, str]]:
    """Each check with what was seen or is lacking; what takes a line of its own is said of the first of several."""
    before = ""
    for check in checks:
        yield check, "As the one above." if check.words == before and len(before) > _SHORT else check.words
        before = check.words
