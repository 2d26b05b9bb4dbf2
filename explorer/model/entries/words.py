"""What the entries of a snapshot say, in words: how many store no number, what they are read as, and by which rule.

Used by the picture, the panel and the terminal alike. Source: Iceberg specification, "Sequence Number Inheritance".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from .. import formats
from ..iceberg.inheritance import Resolved, Rule, Status, Value
from .facts import Entries, ManifestEntries
from .group import Group
from .overview import Origin, origin, origins

_NULL: frozenset[Rule] = frozenset({"inherited", "version 1", "not inherited"})
_NUMBERS = 2  # inherited numbers that the title tells one by one


@dataclass(frozen=True, slots=True)
class Span:
    """One of the two sequence numbers of several entries, by one rule.

    Attributes:
        least: smallest value as read; `most` the largest; both None where they are not known, or by the rule `stored`
            where the model did not tell various numbers apart.
    """

    rule: Rule
    least: int | None
    most: int | None

    @property
    def text(self) -> str:
        """`10`, `4–412`, `various` or `unknown`."""
        if self.least is None or self.most is None:
            return "various" if self.rule == "stored" else "unknown"
        return formats.span(self.least, self.most)


@dataclass(frozen=True, slots=True)
class Band:
    """Entries of one status whose numbers come by the same rules: one line for many.

    Attributes:
        count: entries; rows: rows (of deletion vectors: positions) in their files together.
    """

    status: Status
    count: int
    rows: int
    data_sequence_number: Span
    file_sequence_number: Span


def bands(groups: Iterable[Group]) -> tuple[Band, ...]:
    """Groups put together by status and rules, in the order in which they first occur."""
    found: dict[tuple[Status, Rule, Rule], list[Group]] = {}
    for group in groups:
        key = group.status, group.data_sequence_number.rule, group.file_sequence_number.rule
        found.setdefault(key, []).append(group)
    return tuple(
        Band(
            status,
            sum(g.count for g in alike),
            sum(g.rows for g in alike),
            _span(data_rule, [g.data_sequence_number for g in alike]),
            _span(file_rule, [g.file_sequence_number for g in alike]),
        )
        for (status, data_rule, file_rule), alike in found.items()
    )


def _span(rule: Rule, values: Sequence[Value]) -> Span:
    known = [v.value for v in values if v.value is not None]
    return Span(rule, min(known), max(known)) if len(known) == len(values) else Span(rule, None, None)


def is_null(rule: Rule) -> bool:
    """Whether a sequence number that came by this rule is null in the entry."""
    return rule in _NULL


def title(entries: Entries) -> str:
    """The finding."""
    unreadable = sum(bool(m.unreadable) for m in entries.manifests)
    if entries.unreadable:
        return "The manifest list cannot be read: its entries are unknown"
    if not entries.manifests:
        return "This snapshot lists no manifest: it has no entry at all"
    if unreadable == len(entries.manifests):
        return f"{formats.count(unreadable, 'manifest')} cannot be read: the entries are unknown"
    finding = _written(entries) or _finding([g for m in entries.manifests for g in m.groups])
    return f"{finding}; {formats.count(unreadable, 'manifest')} cannot be read" if unreadable else finding


def _finding(groups: Sequence[Group]) -> str:
    n = sum(g.count for g in groups)
    if not n:
        return "No manifest of this snapshot has an entry"
    forbidden = sum(g.count for g in groups if "not inherited" in _rules(g))
    if forbidden:
        lack = "lacks" if forbidden == 1 else "lack"
        return f"{forbidden:,} of {formats.count(n, 'entry')} {lack} a number that only ADDED entries may leave out"
    nulls = [[is_null(rule) for rule in _rules(g)] for g in groups]
    neither = [g for g, of in zip(groups, nulls, strict=True) if all(of)]
    one = [g for g, of in zip(groups, nulls, strict=True) if any(of) and not all(of)]
    if not neither and not one:
        head = "The one entry stores" if n == 1 else f"All {n:,} entries store"
        return f"{head} both numbers: nothing is inherited"
    if not neither:
        return _half(sum(g.count for g in one), n, one)
    return f"{_no_number(sum(g.count for g in neither), n)}: {_read_as(neither)}"


def _written(entries: Entries) -> str:
    """Who chose a data number, where all others inherit theirs: nobody finds these few among many; empty if none is."""
    found = origins(entries.manifests)
    if not found["written"] or not found["inherited"] or found["forbidden"]:
        return ""
    chosen = [
        (m.manifest.sequence_number, g.data_sequence_number.value)
        for m in entries.manifests
        for g in m.groups
        if origin(g.status, g.data_sequence_number, m.manifest) == "written"
    ]
    writers, numbers = ({pair[i] for pair in chosen} for i in (0, 1))
    into = f"into {found['written']:,} of {formats.count(entries.entry_count, 'entry')}"
    if len(writers) > 1:
        return f"{len(writers):,} commits wrote data numbers of their own choice {into}"
    (writer,), number = writers, numbers.pop() if len(numbers) == 1 else None
    who = f"Only {writer:,}" if writer is not None else "Only one commit"
    return f"{who} wrote {'data numbers' if number is None else f'the data number {number:,}'} itself, {into}"


ORIGIN_WORDS: Mapping[Origin, str] = MappingProxyType(
    {
        "inherited": "null, inherited",
        "version 1": "null, read as 0",
        "stored": "stored, carried along",
        "written": "chosen by the writer",
        "forbidden": "null, which is forbidden",
        "removed": "removed, not read",
    }
)


def _no_number(without: int, n: int) -> str:
    if n == 1:
        return "The one entry stores no number"
    if without == n:
        return f"None of {n:,} entries stores a number"
    return f"{without:,} of {n:,} entries {'stores' if without == 1 else 'store'} no number"


def _read_as(groups: Sequence[Group]) -> str:
    """`3 inherit 10 from the manifest list, 1 inherits 6`."""
    inherited: Counter[int] = Counter()
    zero = 0
    for g in groups:
        value = g.data_sequence_number
        if value.rule == "version 1":
            zero += g.count
        elif value.value is not None:
            inherited[value.value] += g.count
    sentences = []
    alone = len(inherited) == 1 and not zero
    if len(inherited) > _NUMBERS:
        numbers = f"{len(inherited):,} numbers from {min(inherited):,} to {max(inherited):,}"
        sentences.append(f"{'they' if not zero else f'{inherited.total():,}'} inherit {numbers} from the manifest list")
    else:
        for i, (number, count) in enumerate(sorted(inherited.items(), reverse=True)):
            verb = "inherits" if count == 1 else "inherit"
            who = ("it" if count == 1 else "they") if alone else f"{count:,}"
            sentences.append(f"{who} {verb} {number:,}{'' if i else ' from the manifest list'}")
    if zero:
        who = "each" if zero == sum(g.count for g in groups) > 1 else "it" if not inherited else f"{zero:,}"
        sentences.append(
            f"{who} {'reads' if who != f'{zero:,}' or zero == 1 else 'read'} as 0, as all of format version 1"
        )
    return ", ".join(sentences)


def _half(count: int, n: int, groups: Sequence[Group]) -> str:
    data = all(not is_null(g.data_sequence_number.rule) for g in groups)
    which, other = ("data", "file") if data else ("file", "data")
    store = "stores" if count == 1 else "store"
    of = "The one entry" if n == 1 else f"{count:,} of {n:,} entries"
    return f"{of} {store} the {which} sequence number alone and inherit{'s' if count == 1 else ''} the {other} one"


def _rules(group: Group) -> tuple[Rule, Rule]:
    return group.data_sequence_number.rule, group.file_sequence_number.rule


def circumstances(entries: Entries, name: str) -> list[str]:
    """The second line in parts: table, snapshot, time, counts, and how sure it is."""
    s = entries.snapshot
    number = f", sequence number {s.sequence_number:,}" if s.sequence_number else ""
    when = f"{formats.day(s.committed_at)} {s.committed_at:%Y %H:%M:%S} UTC" if s.committed_at else "time not recorded"
    parts = [name, f"snapshot {formats.short_ids({s.snapshot_id})[s.snapshot_id]}{number}", when]
    if not entries.unreadable:
        parts.append(formats.count(len(entries.manifests), "manifest"))
        parts.append(formats.count(entries.entry_count, "entry"))
        parts += ["stored values as they are in the Avro files"] if entries.entry_count else []
    return [*parts, evidence(entries)[1]]


def evidence(entries: Entries) -> tuple[Literal["exact", "unknown"], str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    unreadable = sum(bool(m.unreadable) for m in entries.manifests)
    if entries.unreadable:
        return "unknown", "unknown: every entry"
    if unreadable:
        return "unknown", f"unknown: entries of {formats.count(unreadable, 'manifest')}"
    return "exact", "exact"


def manifest_words(of: ManifestEntries) -> str:
    """`data, new`; `deletes, rewritten`; `data, kept since 6`."""
    number = of.manifest.sequence_number
    return kind_words(of) + (f" since {number:,}" if of.state == "kept" and number else "")


def kind_words(of: ManifestEntries) -> str:
    """`data, new`: what several manifests have in common."""
    return f"{'deletes' if of.manifest.content else 'data'}, {of.state}"


def reason(
    status: int, data: Value | Span, file: Value | Span, of: ManifestEntries, entries: Entries, removed_by: int | None
) -> tuple[str, ...]:
    """Which rule gave an entry its two numbers, from a long wording to a short one.

    Args:
        status: of the entry.
        data: its data sequence number as read.
        file: its file sequence number as read.
        of: the manifest that holds it.
        entries: of the snapshot that lists the manifest.
        removed_by: snapshot id of a DELETED entry; None where several are told together.
    """
    rules = data.rule, file.rule
    if "not inherited" in rules:
        return f"error: null in {Status(status).name}", "null: an error"
    if status == Status.DELETED:
        other = of.state == "kept" if removed_by is None else removed_by != entries.snapshot.snapshot_id
        return ("removed by an earlier commit", "removed") if other else ("removed by this commit", "removed")
    if "version 1" in rules:
        return "format version 1: read as 0", "version 1"
    nulls = [is_null(rule) for rule in rules]
    if all(nulls):
        own, number = entries.snapshot.sequence_number, of.manifest.sequence_number
        if number is not None and number != own:
            return f"inherited: {number:,}, not {own:,}", "inherited"
        return "inherited from the list row", "inherited"
    if any(nulls):
        return ("file number inherited", "half") if nulls[1] else ("data number inherited", "half")
    if isinstance(data, Value) and isinstance(file, Value) and data.value != file.value:
        return f"data of {data.value:,} in a file of {file.value:,}", "two numbers"
    return "written in the entry", "written"


def resolved_reason(status: int, resolved: Resolved, of: ManifestEntries, entries: Entries) -> tuple[str, ...]:
    """The same for one entry."""
    numbers = resolved.data_sequence_number, resolved.file_sequence_number
    return reason(status, *numbers, of, entries, resolved.snapshot_id.value)


def closing(entries: Entries) -> list[str]:
    """What to learn from it: at most three sentences, the most telling first."""
    groups = [(m, g) for m in entries.manifests for g in m.groups]
    sentences = []
    reused = [
        m
        for m, g in groups
        if m.state == "kept" and g.status == Status.ADDED and g.data_sequence_number.rule == "inherited"
    ]
    if reused:
        numbers = sorted({m.manifest.sequence_number for m in reused if m.manifest.sequence_number is not None})
        since = f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"
        whose = "A manifest" if len({m.manifest.path for m in reused}) == 1 else "Manifests"
        say, was, its = ("says", "it was", "its") if whose == "A manifest" else ("say", "they were", "their")
        sentences.append(
            f"{whose} of {since} still {say} ADDED although the files came before this commit: {was} reused as "
            f"written, so {its} null is read as the number in the list row, not as that of this snapshot."
        )
    if any(g.file_sequence_number.rule == "inherited" and g.data_sequence_number.rule == "stored" for _, g in groups):
        sentences.append(
            "A stored data sequence number beside a null file sequence number: the rows are older than their file, as "
            "after a compaction, so deletes between the two still reach them."
        )
    if any(g.status != Status.ADDED for _, g in groups):
        sentences.append(
            "EXISTING and DELETED entries must carry both numbers; a null there is an error and is flagged."
            if not any(g.data_sequence_number.rule == "version 1" for _, g in groups)
            else "What was written as format version 1 stores no number: everything of it is read as 0."
        )
    if not sentences and any(is_null(g.data_sequence_number.rule) for _, g in groups):
        sentences.append(
            "A writer does not know its number before it has won the commit, so it stores null; the list row, written "
            "last, carries the number."
        )
    return sentences[:3]
