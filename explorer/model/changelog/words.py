"""What a changelog says, in words: the finding, its circumstances, and what follows from it.

Used by the picture, the panel and the terminal alike, so that they tell the same story. Counts are of all rows that
the mode prints, never of those at hand alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from .. import formats
from .facts import ChangedRow, Changelog, CommitCounts, Mode

OwnerState = Literal["numbered", "replace", "start", "before the range", "expired", "not recorded"]


@dataclass(frozen=True, slots=True)
class Totals:
    """Rows by what became of them: an update once, a copied row once and in no other count.

    Attributes:
        carried_over: None where the mode does not tell.
    """

    inserted: int = 0
    updated: int = 0
    deleted: int = 0
    carried_over: int | None = None


def totals(mode: Mode, counts: Iterable[CommitCounts]) -> Totals:
    """The sum over some commits."""
    inserted = updated = deleted = copied = 0
    knows_copies = mode in ("raw", "changes", "updates")
    for one in counts:
        carried = one.carried_over or 0
        printed_twice = carried if mode == "raw" else 0
        inserted += one.rows.get("INSERT", 0) - printed_twice
        deleted += one.rows.get("DELETE", 0) - printed_twice
        updated += one.rows.get("UPDATE_AFTER", 0)
        copied += carried
    return Totals(inserted, updated, deleted, copied if knows_copies else None)


def short_ids(changelog: Changelog) -> dict[int | None, str]:
    """`…9118` of every snapshot that the changelog names; `not recorded` for an owner without id."""
    span = changelog.range
    ids = {span.end, *(commit.snapshot.snapshot_id for commit in span.commits)}
    ids |= {span.start} if span.start is not None else set()
    ids |= {i for i in changelog.counts or () if i is not None} | {
        r.snapshot_id for r in changelog.rows if r.snapshot_id
    }
    short: dict[int | None, str] = {None: "not recorded"}
    return short | formats.short_ids(ids)


def names(changelog: Changelog) -> dict[int | None, str]:
    """`6 …9118` of every snapshot that the changelog names: its sequence number, where it is known, and short id."""
    span = changelog.range
    numbers = {c.snapshot.snapshot_id: c.snapshot.sequence_number for c in span.commits}
    if span.start is not None and span.start_number:
        numbers[span.start] = span.start_number
    return {
        i: f"{number:,} {short}" if i is not None and (number := numbers.get(i)) else short
        for i, short in short_ids(changelog).items()
    }


def owner_states(changelog: Changelog) -> dict[int | None, OwnerState]:
    """Why each owner of rows has an ordinal or none.

    An owner is an ancestor of the end. Without a start the range has all that are listed, so that one which is not in
    it has expired; with a start that cannot be told from lying before it.
    """
    span = changelog.range
    away: OwnerState = "expired" if span.start is None else "before the range"
    owners: set[int | None] = {*(changelog.counts or ()), *(row.snapshot_id for row in changelog.rows)}
    states: dict[int | None, OwnerState] = dict.fromkeys(owners, away)
    if span.start in owners and span.start is not None:
        states[span.start] = "start"
    for commit in span.commits:
        if commit.snapshot.snapshot_id in owners:
            states[commit.snapshot.snapshot_id] = "replace" if commit.ordinal is None else "numbered"
    return states | ({None: "not recorded"} if None in owners else {})


def title(changelog: Changelog) -> str:
    """The finding."""
    span = changelog.range
    if not span.commits and changelog.mode != "ownership":
        return f"Nothing lies in this range: it begins and ends at {names(changelog)[span.end]}"
    if changelog.counts is None:
        end = names(changelog)[span.end]
        of = f"at {end}" if changelog.mode == "ownership" else f"of {formats.count(len(span.numbered), 'commit')}"
        return f"{'Owners of the rows' if changelog.mode == 'ownership' else 'Changed rows'} {of}: not read yet"
    unread = len(changelog.unread)
    if unread and unread == len(span.commits) and changelog.mode != "ownership":
        return f"The rows of {'all ' if unread > 1 else ''}{formats.count(unread, 'commit')} are unknown"
    found = _FINDINGS[changelog.mode](changelog)
    return f"{found}; the rows of {formats.count(unread, 'commit')} are unknown" if unread else found


def circumstances(changelog: Changelog, name: str) -> list[str]:
    """The second line in parts: table, range, commits, times, mode, what a row is known by, and how sure it is."""
    span, ids = changelog.range, names(changelog)
    replaced = f", {len(span.replaced):,} of them replace" if span.replaced else ""
    parts = [name, _range_words(changelog, ids), formats.count(len(span.commits), "commit") + replaced]
    times = [commit.snapshot.committed_at for commit in span.commits]
    known = [at for at in times if at is not None]
    if known:
        parts.append(_period(min(known), max(known)))
    keys = ", ".join(changelog.keys)
    parts += [f"mode {changelog.mode}", f"rows known by {keys}" if keys else "rows known by all their values"]
    return [*parts, evidence(changelog)[1]]


def _period(first: datetime, last: datetime) -> str:
    """`18 Nov 2026 07:07 to 16:03 UTC`; the year once where it is one."""
    until = f"{formats.day(last)} {last.year} {formats.clock(last)} UTC"
    if first == last:
        return until
    if first.date() == last.date():
        return f"{formats.day(first)} {first.year} {formats.clock(first)} to {formats.clock(last)} UTC"
    year = "" if first.year == last.year else f"{first.year} "
    return f"{formats.day(first)} {year}{formats.clock(first)} to {until}"


def evidence(changelog: Changelog) -> tuple[Literal["exact", "inferred", "unknown"], str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    if changelog.unread:
        return "unknown", f"unknown: rows of {formats.count(len(changelog.unread), 'commit')}"
    if changelog.counts is None:
        return "exact", "exact (commits; rows not read)"
    if changelog.mode == "updates" and changelog.pairing == "identifier columns":
        return "inferred", f"inferred: updates by {', '.join(changelog.identifier_columns)}"
    if changelog.mode == "updates" and changelog.pairing == "none":
        return "unknown", "unknown: which DELETE and INSERT are one row"
    return "exact", "exact (updates by _row_id)" if changelog.mode == "updates" else "exact"


def closing(changelog: Changelog) -> list[str]:
    """What follows, most important first."""
    if changelog.counts is None or (not changelog.range.commits and changelog.mode != "ownership"):
        return []
    copied = totals(changelog.mode, changelog.counts.values()).carried_over
    match changelog.mode:
        case "raw" if copied:
            return [
                "A row that was only copied into another file is printed as a DELETE and an INSERT: the commit owns it "
                "now, its values did not change. Mode changes leaves it out."
            ]
        case "changes" | "updates" if copied:
            were = "row was" if copied == 1 else "rows were"
            return [f"{copied:,} {were} only copied into other files, with equal values: left out here, told in raw."]
        case "net":
            return [
                "Each row stands at the last commit that wrote it in this range; what later commits took back is gone."
            ]
        case "ownership":
            return [
                "The owner of a row is the commit that added its file, not the one that last changed its values.",
                "Ordinals count the commits of the asked range from 0, without replace commits.",
            ]
        case _:
            return []


def beside_title(left: Changelog, right: Changelog, names: tuple[str, str]) -> str:
    """The finding about two tables side by side."""
    if left.counts is None or right.counts is None:
        return f"{names[0]} beside {names[1]}: not read yet"
    if left.mode != right.mode:
        return f"{names[0]} in mode {left.mode}, {names[1]} in mode {right.mode}"
    if left.mode == "ownership":
        return _beside_owners(left, right, names)
    both = [totals(left.mode, (side.counts or {}).values()) for side in (left, right)]
    copied = [one.carried_over or 0 for one in both]
    changed = [(one.inserted, one.updated, one.deleted) for one in both]
    apart = abs(copied[0] - copied[1])
    extra = ""
    if apart:
        more = names[0] if copied[0] > copied[1] else names[1]
        extra = f", but {more} copied {formats.count(apart, 'row')} more without changing them"
    if left.mode == "raw" and changed[0] == changed[1] and extra:
        return f"As many changes in both{extra}"
    printed = [side.row_count or 0 for side in (left, right)]
    if _at_hand(left) is not None and _at_hand(left) == _at_hand(right):
        moved = sum(a.ordinal != b.ordinal for a, b in zip(_in_order(left), _in_order(right), strict=True))
        elsewhere = f", {moved:,} of them at other commits" if moved else ""
        return f"The same {formats.count(printed[0], 'change')} in both{elsewhere}{extra}"
    return f"{names[0]} prints {formats.count(printed[0], 'change')}, {names[1]} {printed[1]:,}"


def differing(left: Changelog, right: Changelog) -> dict[str, tuple[int | None, int | None]]:
    """Ordinals of the owners of rows that both have at hand once, by key, where they differ."""
    sides = [_ordinals(left), _ordinals(right)]
    return {key: (n, sides[1][key]) for key, n in sides[0].items() if key in sides[1] and n != sides[1][key]}


def _ordinals(changelog: Changelog) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    twice = set()
    for row in changelog.rows:
        twice |= {row.key} & found.keys()
        found[row.key] = row.ordinal
    return {key: ordinal for key, ordinal in found.items() if key not in twice}


def _in_order(changelog: Changelog) -> list[ChangedRow]:
    return sorted(changelog.rows, key=lambda row: (row.text, row.change_type, bool(row.carried_over)))


def _at_hand(changelog: Changelog) -> list[tuple[str, str]] | None:
    """What the rows say, whatever their commits; None if not all are at hand."""
    if len(changelog.rows) != changelog.row_count:
        return None
    return [(row.text, row.change_type) for row in _in_order(changelog)]


def _beside_owners(left: Changelog, right: Changelog, names: tuple[str, str]) -> str:
    counts = [formats.count(side.row_count, "live row") for side in (left, right)]
    if _at_hand(left) is None or _at_hand(left) != _at_hand(right):
        return f"{names[0]} has {counts[0]}, {names[1]} {counts[1]}"
    same, apart = counts[0], differing(left, right)
    if not apart:
        return f"The same {same} in both, with the same ordinals"
    return f"The same {same} in both, but {formats.count(len(apart), 'row')} of other owners"


def _range_words(changelog: Changelog, ids: dict[int | None, str]) -> str:
    span = changelog.range
    begins = {
        "start": f"after {ids[span.start]}",
        "root": "from the first snapshot",
        "expired": "from the oldest listed ancestor",
    }[span.begins]
    if changelog.mode == "ownership":
        return f"rows live at {ids[span.end]}, ordinals {begins}"
    return f"{begins} up to {ids[span.end]}"


def _changes(changelog: Changelog) -> str:
    counts = changelog.counts or {}
    found = totals(changelog.mode, counts.values())
    numbered = len(changelog.range.numbered)
    parts = [(found.inserted, "inserted"), (found.updated, "updated"), (found.deleted, "deleted")]
    did = [(n, verb) for n, verb in parts if n]
    if not numbered:
        return f"No row changed: {formats.count(len(changelog.range.replaced), 'replace commit')} and no other"
    if not did:
        copied = f"; {formats.count(found.carried_over, 'row')} only copied" if found.carried_over else ""
        return f"No row changed in {formats.count(numbered, 'commit')}{copied}"
    changing = sum(1 for one in counts.values() if one.printed)
    who = formats.count(numbered, "commit")
    who = who if changing == numbered else f"{changing:,} of {who}"
    n, verb = did[0]
    return f"{who} " + _and([f"{verb} {formats.count(n, 'row')}", *(f"{verb} {n:,}" for n, verb in did[1:])])


def _raw(changelog: Changelog) -> str:
    found = totals("raw", (changelog.counts or {}).values())
    printed = formats.count(changelog.row_count or 0, "raw change")
    if not found.carried_over:
        return f"{printed} in {formats.count(len(changelog.range.numbered), 'commit')}, and no row was only copied"
    were = "was" if found.carried_over == 1 else "were"
    copies = f"{formats.count(found.carried_over, 'row')} that {were} only copied"
    return f"{printed}, but {found.carried_over * 2:,} of them are {copies}"


def _net(changelog: Changelog) -> str:
    found = totals("net", (changelog.counts or {}).values())
    of = f"Net of {formats.count(len(changelog.range.numbered), 'commit')}"
    did = [f"{n:,} {verb}" for n, verb in ((found.inserted, "inserted"), (found.deleted, "deleted")) if n]
    return f"{of}: {_and(did)}" if did else f"{of}: no row changed"


def _ownership(changelog: Changelog) -> str:
    counts, ids = changelog.counts or {}, names(changelog)
    rows = {owner: one.printed for owner, one in counts.items() if one.printed}
    live = formats.count(sum(rows.values()), "live row")
    if not rows:
        return f"No row is live at {ids[changelog.range.end]}"
    place = {commit.snapshot.snapshot_id: n for n, commit in enumerate(changelog.range.commits)}
    ordered = sorted(rows, key=lambda owner: (-rows[owner], place.get(owner or 0, -1)))
    largest = ordered[:2]
    if len(rows) == 1:
        return f"{'All ' if rows[largest[0]] > 1 else ''}{live} owned by one commit, {ids[largest[0]]}"
    if len(rows) > 2 and rows[largest[0]] == rows[largest[1]]:
        return f"{live}, {formats.count(len(rows), 'owner')}"
    if len(rows) > 2 and rows[ordered[1]] == rows[ordered[2]]:
        largest = ordered[:1]  # none of the others stands out
    owns = ", ".join(f"{ids[owner]} owns {rows[owner]:,}" for owner in largest)
    return f"{live}, {formats.count(len(rows), 'owner')}: {owns}"


_FINDINGS = {"raw": _raw, "changes": _changes, "updates": _changes, "net": _net, "ownership": _ownership}


def _and(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
