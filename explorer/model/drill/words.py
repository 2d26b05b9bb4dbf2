"""A drill in words: what is to be done, how right an answer is, and the hints, each computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .. import formats
from ..iceberg.writer import program
from ..triage.facts import Triage
from ..triage.registry import BY_NAME, SYMPTOMS
from .facts import Case, Verdict

MARKS = {"right": "✓", "partly right": "~", "not this": "!", "not answered": "·"}


def title(verdict: Verdict) -> str:
    """`Solved at the second try`, `Not yet: the commit is right, the cause is not`."""
    if verdict.is_solved:
        return f"Solved, {_ordinal(verdict.tries)} try"
    right = [j.part for j in verdict.parts if j.state == "right"]
    partly = [j.part for j in verdict.parts if j.state == "partly right"]
    rest = [j.part for j in verdict.parts if j.state == "not this"]
    missing = [j.part for j in verdict.parts if j.state == "not answered"]
    said = [
        f"{_listed(right)} {_are(right)} right" if right else "",
        f"{_listed(partly)} {_are(partly)} partly right" if partly else "",
        f"{_listed(rest)} {_are(rest)} not" if rest and (right or partly) else "",
        f"not {_listed(rest, 'nor')}" if rest and not (right or partly) else "",
        f"{_listed(missing)} {_are(missing)} not answered" if missing else "",
    ]
    return f"Not yet: {', '.join(filter(None, said))}"


def plain(case: Case, verdict: Verdict) -> str:
    """The verdict for a terminal."""
    lines = [title(verdict)]
    lines += [f"  {MARKS[j.state]} {j.part}: {j.state}. {j.words}" for j in verdict.parts]
    lines.append(f"  asked so far: {asked(verdict.questions, verdict.bytes_read)}")
    if verdict.path:
        lines.append(f"  the path that a practised person takes (level {case.level}):")
        for n, step in enumerate(verdict.path, 1):
            lines += [f"    {n}. {step.call}".replace("\n", "\n       "), f"       {step.told}"]
    return "\n".join(lines)


def asked(questions: Sequence[str], bytes_read: int) -> str:
    """`6 questions: triage ×2, commit ×3, bisect; 84.2 kB of metadata and data read for them`."""
    if not questions:
        return "no question"
    counted = Counter(questions)
    names = ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in counted.items())
    read = f"{formats.size(bytes_read)} of metadata and data read for {'it' if len(questions) == 1 else 'them'}"
    return f"{formats.count(len(questions), 'question')}: {names}; {read}"


def allowed(case: Case) -> str:
    """What the learner may use."""
    if case.allows_health:
        return "every tab, Health too, SQL and Python"
    return "every tab but Health, SQL and Python"


def hints(case: Case, facts: Triage) -> tuple[str, ...]:
    """Three, each telling more than the one before."""
    snapshot = next((s for s in facts.line if s.snapshot_id == case.snapshot_id), None)
    line = [s.sequence_number for s in facts.line]
    width = max(4, len(line) // 8)
    place = min(range(len(line)), key=lambda n: abs(line[n] - case.number))
    start = max(0, place - 1 - case.seed % (width - 1))  # not always in the middle
    end = min(len(line) - 1, start + width)
    by = f" Its writer is {program(snapshot)}." if snapshot is not None and program(snapshot) else ""
    first = [BY_NAME[name].about for name in SYMPTOMS[case.symptom]]
    checks = formats.count(len(first), "check")
    choose = f"Choose the symptom “{case.symptom}” in Health: {checks} come first, the likeliest at the top."
    return (
        choose if case.allows_health else f"This is one of: {'; '.join(first)}.",
        f"The commit is one of {line[start]:,} to {line[end]:,}.{by}",
        f"Look for {BY_NAME[case.cause].about}.",
    )


def _ordinal(n: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(n, f"{n}th")


def _listed(parts: Sequence[str], word: str = "and") -> str:
    *early, last = [f"the {part}" for part in parts]
    return f"{', '.join(early)} {word} {last}" if early else last


def _are(parts: Sequence[str]) -> str:
    return "is" if len(parts) == 1 else "are"
