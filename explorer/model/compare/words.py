"""What a comparison says, in words: the finding, its circumstances, the relation, and what follows.

Used by the picture, the panel and the terminal alike, so that they tell the same story.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from .. import formats
from ..iceberg.metadata import Snapshot
from ..words import enumerated
from ..words import price as price_of
from .facts import Comparison, Point
from .fields import Change, FieldChange
from .rows import KINDS, NetRows, RowPair
from .settings import Setting
from .ways import Way, Works


def short_ids(facts: Comparison) -> Mapping[int, str]:
    """`…9118` of every snapshot that is told of."""
    relation = facts.relation
    ids = {facts.left.snapshot.snapshot_id, facts.right.snapshot.snapshot_id}
    if relation is not None:
        ids |= {s.snapshot_id for s in (*relation.left_commits, *relation.right_commits)}
        ids |= {relation.base} if relation.base is not None else set()
    return formats.short_ids(ids)


def label(snapshot: Snapshot, ids: Mapping[int, str]) -> str:
    """The sequence number, or the short id where version 1 left every number 0."""
    return f"{snapshot.sequence_number:,}" if snapshot.sequence_number else ids[snapshot.snapshot_id]


def name(snapshot: Snapshot, ids: Mapping[int, str]) -> str:
    """`6 …9118`; only the id where there is no number."""
    number = f"{snapshot.sequence_number:,} " if snapshot.sequence_number else ""
    return number + ids[snapshot.snapshot_id]


WORKS: Mapping[Works, str] = {"yes": "✓ yes", "perhaps": "? perhaps", "no": "✕ no", "loses": "! loses"}


def call(way: Way, ids: Mapping[int, str]) -> tuple[str, str]:
    """What a way would call, and for which commits, in a long and a short wording."""
    if not way.commits:
        return f"{way.procedure}({way.argument})", way.procedure
    listed = ", ".join(label(commit, ids) for commit in way.commits)
    return f"{way.procedure} {listed}", f"{way.procedure} of {formats.count(len(way.commits), 'commit')}"


def left_behind(facts: Comparison) -> str:
    """The side that is not main, as it is called."""
    is_left = facts.relation is not None and any(
        way.commits and way.commits[-1] in facts.relation.left_commits for way in facts.ways
    )
    return point(facts.left if is_left else facts.right, facts)


def point(of: Point, facts: Comparison) -> str:
    """How a point is called in a title: `audit`, `125`; of two tables by their names."""
    if facts.relation is None:
        return of.table.rsplit(".", 1)[-1]
    return of.asked if of.named in ("branch", "tag") else label(of.snapshot, short_ids(facts))


def found(of: Point) -> str:
    """How the snapshot was found: `branch audit`, `current on main at 2026-03-14 00:00:00 UTC, since …`."""
    match of.named:
        case "time":
            since = f", since {of.since:%Y-%m-%d %H:%M:%S} UTC" if of.since is not None else ""
            return f"current on main at {of.at:%Y-%m-%d %H:%M:%S} UTC{since}"
        case "table":
            return f"current in {of.table}"
        case "id":
            at = of.snapshot.committed_at
            return f"committed {formats.day(at)} {at:%Y %H:%M} UTC" if at is not None else "of a time not recorded"
        case _:
            return f"{of.named} {of.asked}"


# --- the relation ----------------------------------------------------------------------------------------------------


def relation(facts: Comparison) -> str:
    """How the two are related, a sentence without its full stop."""
    of = facts.relation
    left, right = point(facts.left, facts), point(facts.right, facts)
    if of is None:
        return f"Two tables: {facts.left.table} and {facts.right.table}, each at its snapshot"
    n, m = len(of.left_commits), len(of.right_commits)
    match of.kind:
        case "same":
            return f"{left} and {right} are one snapshot" if left != right else f"{left} is compared with itself"
        case "ancestor" if of.reversed:
            return f"The way back: {left} descends from {right} by {formats.count(n, 'commit')}"
        case "ancestor":
            return f"{left} is an ancestor of {right}, {formats.count(m, 'commit')} before it"
        case "diverged":
            sides = f"{left} has {formats.count(n, 'commit')} of its own, {right} has {m:,}"
            return f"{left} and {right} diverged at {base(facts)}: {sides}"
        case "unrelated":
            return f"{left} and {right} have no common ancestor: each line begins with a root of its own"
        case "unknown":
            return f"Whether {left} and {right} have a common ancestor is not known: ancestors have expired"


def base(facts: Comparison) -> str:
    """The last common commit; empty without one."""
    of = facts.relation
    if of is None or of.base is None:
        return ""
    return label(of.common, short_ids(facts)) if of.common is not None else f"{short_ids(facts)[of.base]}, expired"


# --- the finding -----------------------------------------------------------------------------------------------------


def title(facts: Comparison) -> str:
    """The finding."""
    of = facts.relation
    if of is not None and of.kind == "same":
        return f"{_head(facts)}: nothing differs"
    if of is not None and of.kind == "diverged" and facts.verdict == "not read":
        return relation(facts)
    return f"{_head(facts)}: {_finding(facts)}"


def _head(facts: Comparison) -> str:
    left, right = point(facts.left, facts), point(facts.right, facts)
    of = facts.relation
    if of is None:
        return f"{left} and {right}"
    if of.kind == "same":
        return left if left == right else f"{left} and {right} are one snapshot"
    return f"{left} and {right}, diverged at {base(facts)}" if of.kind == "diverged" else f"{left} → {right}"


def _finding(facts: Comparison) -> str:
    match facts.verdict:
        case "equal":
            return "the same files under the same deletes"
        case "other layout":
            return f"equal rows in other files, {_briefly(facts)}"
        case "not read":
            return _not_compared(facts)
    parts = []
    if facts.rows is not None and facts.rows.differing:
        parts.append(net(facts.rows))
    elif not facts.files.are_equal:
        parts.append(_briefly(facts) if facts.rows is not None else _not_compared(facts))
    if facts.fields:
        parts.append("1 column differs" if len(facts.fields) == 1 else f"{len(facts.fields):,} columns differ")
    return ", ".join(parts)


def _not_compared(facts: Comparison) -> str:
    return _briefly(facts) if facts.files.why_unknown else f"{_briefly(facts)}; rows were not compared"


def files(facts: Comparison) -> list[str]:
    """`12 data files only in 134`, `3 only in 125`, `4 shared files under other deletes`; what matters most first."""
    if facts.files.why_unknown:
        return ["which files differ is not known"]
    totals = facts.files.totals
    parts: list[str] = []
    for unit in ("data file", "delete file"):
        told = 0
        for tallies, of in ((totals.right, facts.right), (totals.left, facts.left)):
            n = sum(tally.files for kind, tally in tallies.items() if (kind == "data") == (unit == "data file"))
            if n:
                parts.append(f"{f'{n:,}' if told else formats.count(n, unit)} only in {point(of, facts)}")
            told += n
    if totals.touched:
        parts.append(f"{formats.count(totals.touched, 'shared file')} under other deletes")
    if totals.relisted:
        parts.append(f"{formats.count(totals.relisted, 'shared file')} listed otherwise")
    return parts or ["no file differs"]


def _briefly(facts: Comparison) -> str:
    """What there is room for in a title."""
    return ", ".join(files(facts)[:2])


def net(rows: NetRows) -> str:
    """`58,220 rows inserted, 5,978 updated`."""
    told = [(rows.count(kind), kind) for kind in KINDS if rows.count(kind)]
    if not told:
        return "all rows are equal"
    (first, kind), *rest = told
    return ", ".join([f"{formats.count(first, 'row')} {kind}", *(f"{n:,} {word}" for n, word in rest)])


# --- what a change means ---------------------------------------------------------------------------------------------

_MEANS: dict[Change, str] = {
    "added": "added, null in older files",
    "dropped": "dropped, still stored in older files",
    "renamed": "renamed, same id: values kept",
    "widened": "widened, old files stay readable",
    "narrowed": "narrowed: only of two lines of history",
    "another type": "another type: values cannot be compared",
    "made optional": "may be null now",
    "made required": "must not be null any more",
    "moved": "moved, same id",
    "another default": "another default",
    "another comment": "another comment",
    "identifier field now": "tells rows apart now",
    "identifier field no more": "tells rows apart no more",
}


_MEANS_OF_TABLES: dict[Change, str] = {
    "added": "only in B",
    "dropped": "only in A",
    "renamed": "same id, another name",
    "widened": "wider type",
    "narrowed": "narrower type",
    "made optional": "may be null in B alone",
    "made required": "may be null in A alone",
    "moved": "at another place",
    "identifier field now": "tells rows apart in B alone",
    "identifier field no more": "tells rows apart in A alone",
}
"""Of two tables, of which neither became the other."""


def meaning(field: FieldChange, facts: Comparison) -> str:
    """What the change of a field means for readers; of two tables, how their fields differ."""
    if field.reborn:
        return "new column, old name: null in older files"
    means = _MEANS if facts.relation is not None else _MEANS | _MEANS_OF_TABLES
    return "; ".join(means[change] for change in field.changes)


def effect(setting: Setting) -> str:
    """What the change of a setting does."""
    if setting.area == "ref":
        return {"added": "new", "dropped": "gone", "changed": "moved"}[setting.change]
    return "changes behaviour" if setting.changes_behaviour else "text only"


def cells(pair: RowPair, columns: Sequence[str]) -> list[tuple[str, str | None, str | None]]:
    """Of an update the columns whose values differ, with both; of other rows none."""
    if pair.left is None or pair.right is None:
        return []
    sides = zip(columns, pair.left, pair.right, strict=True)
    return [(column, left, right) for column, left, right in sides if left != right]


def row(pair: RowPair, rows: NetRows) -> str:
    """`id = 7, status: paid → shipped` of an update; of another row all its values."""
    changed = {
        column: f"{column}: {_value(left)} → {_value(right)}" for column, left, right in cells(pair, rows.columns)
    }
    values = dict(zip(rows.columns, pair.right or pair.left or (), strict=True))
    if pair.kind != "updated":
        return ", ".join(f"{column} = {_value(value)}" for column, value in values.items())
    same = [
        column for column in rows.identifier_columns or rows.columns[:1] if column in values and column not in changed
    ]
    return ", ".join([*(f"{column} = {_value(values[column])}" for column in same), *changed.values()])


def _value(value: str | None) -> str:
    return "null" if value is None else value


# --- around it -------------------------------------------------------------------------------------------------------


def circumstances(facts: Comparison) -> list[str]:
    """The second line in parts: table, both points, and how sure it is."""
    ids = short_ids(facts)
    points = [
        f"{letter} {name(of.snapshot, ids)} {found(of)}"
        for letter, of in zip("AB", (facts.left, facts.right), strict=True)
    ]
    return [*([facts.left.table] if facts.relation is not None else []), *points, evidence(facts)[1]]


def evidence(facts: Comparison) -> tuple[Literal["exact", "inferred", "unknown"], str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    if facts.rows is None:
        return "unknown", "unknown: files and rows" if facts.files.why_unknown else "unknown: rows"
    if facts.relation is None:
        return "inferred", "inferred: files of both by path, length and rows"
    if facts.rows.read and facts.rows.pairing == "identifier columns" and facts.rows.updated:
        return "inferred", f"inferred: updates by {', '.join(facts.rows.identifier_columns)}"
    if not facts.rows.knows_updates:
        return "exact", "exact, but an update is told as a row deleted and one inserted"
    return "exact", "exact"


def price(facts: Comparison) -> str:
    """What must be read to compare the rows: `12 data files, 8.4 MB, 1,200 rows`."""
    cost = facts.files.price
    files = formats.count(cost.files, "data file")
    read = price_of(files, cost.size_in_bytes, bound="at least" if cost.at_least else "")
    return f"{read}, {formats.count(cost.rows, 'row')}"


def verdict(facts: Comparison) -> str:
    """The verdict, a sentence."""
    match facts.verdict:
        case "equal":
            return "Equal: the same files under the same deletes, read in the same columns."
        case "other layout":
            return "Equal rows, other layout: no reader gets another answer, only at another price."
        case "not read" if facts.files.why_unknown:
            return "Not known: a file of the metadata that tells which files the two have cannot be read."
        case "not read":
            return f"Not known yet: files differ, and their rows were not compared ({price(facts)})."
    if facts.rows is not None and facts.rows.differing:
        return f"Different: {net(facts.rows)}."
    return "Different: a reader gets other columns."


def closing(facts: Comparison) -> list[str]:
    """What follows."""
    sentences = [verdict(facts)]
    of = facts.relation
    if of is not None and of.kind == "diverged":
        a, b = point(facts.left, facts), point(facts.right, facts)
        sentences.append(
            f"Neither is an ancestor of the other: what only {a} has is told as of the left side, what only {b} has as"
            f" of the right one; each began at {base(facts)}."
        )
    if of is not None and of.reversed:
        sentences.append("Told against the ancestry: this is what going back would do.")
    reborn = [field.path for field in facts.fields if field.reborn]
    if reborn:
        sentences.append(
            f"{enumerated(reborn)} {'is a new column' if len(reborn) == 1 else 'are new columns'} with an old name:"
            " files written before hold nothing for it."
        )
    return sentences
