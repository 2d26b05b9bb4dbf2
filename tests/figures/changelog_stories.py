"""Changelogs to draw, each from commits written down row by row, so that a picture can be judged by eye and by test.

What each mode prints of them is told here anew, plainly, from the rows that each commit removed, added and copied.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from explorer.model.changed_cells import ChangedCell
from explorer.model.changelog.facts import ChangedRow, Changelog, CommitCounts, Mode, Pairing, Stretch, Unread
from explorer.model.iceberg.commit_range import commit_range
from explorer.model.iceberg.metadata import TableMetadata
from tests.figures.snapshot_graph_stories import Story

Row = tuple[str, ...]  # key, and the other values
ORDER = ("DELETE", "UPDATE_BEFORE", "UPDATE_AFTER", "INSERT")


@dataclass
class Work:
    """What one commit did to rows."""

    gone: Sequence[Row] = ()
    came: Sequence[Row] = ()
    copied: Sequence[Row] = ()

    @cached_property
    def by_key(self) -> tuple[dict[str, list[Row]], dict[str, list[Row]]]:
        """The rows that are gone, and those that came."""
        gone: dict[str, list[Row]] = {}
        came: dict[str, list[Row]] = {}
        for rows, found in ((self.gone, gone), (self.came, came)):
            for row in rows:
                found.setdefault(row[0], []).append(row)
        return gone, came


@dataclass
class Log:
    """A table's commits in the making."""

    identifiers: tuple[str, ...] = ("id",)
    columns: tuple[str, ...] = ("id", "value")
    story: Story = field(default_factory=Story)
    work: dict[int, Work] = field(default_factory=dict)

    def commit(
        self,
        operation: str | None,
        gone: Sequence[Row] = (),
        came: Sequence[Row] = (),
        copied: Sequence[Row] = (),
        tail: int | None = None,
        at: str | None = None,
    ) -> int:
        number = self.story.commit(operation, parent=self.story.sequence or None, tail=tail, at=at)
        self.work[self.story.ids[number]] = Work(gone, came, copied)
        return number

    def changelog(
        self,
        mode: Mode,
        start: int | None = None,
        end: int | None = None,
        *,
        read: bool = True,
        at_hand: int | None = None,
        unread: dict[int, str] | None = None,
        pairing: Pairing | None = None,
    ) -> Changelog:
        ids = self.story.ids
        metadata = TableMetadata.from_json(self.story.document())
        asked = commit_range(metadata, None if start is None else ids[start], None if end is None else ids[end])
        unread_ids = {ids[number]: reason for number, reason in (unread or {}).items()}
        unreadable_files = tuple(
            Unread(c, unread_ids[c.snapshot.snapshot_id]) for c in asked.commits if c.snapshot.snapshot_id in unread_ids
        )
        readable = tuple(c for c in asked.numbered if c.snapshot.snapshot_id not in unread_ids)
        how: Pairing = pairing or ("identifier columns" if mode == "updates" and self.identifiers else "none")
        bare = Changelog(
            asked,
            mode,
            self.columns,
            how,
            self.identifiers,
            (Stretch(asked.start, readable),) if readable and mode != "ownership" else (),
            unreadable_files,
        )
        if not read:
            return bare
        ordinals = {c.snapshot.snapshot_id: c.ordinal for c in asked.commits}
        rows = self._owned(ordinals, ids[end] if end else None) if mode == "ownership" else [
            row for c in readable for row in self._printed(mode, how, c.snapshot.snapshot_id, c.ordinal)
        ]  # fmt: skip
        if mode == "net":
            rows = _net(rows)
        copied = {c.snapshot.snapshot_id: len(self.work[c.snapshot.snapshot_id].copied) for c in readable}
        tells = mode not in ("net", "ownership")
        counts: dict[int, CommitCounts] = {}
        for owner in [*dict.fromkeys(row.snapshot_id for row in rows), *(i for i, n in copied.items() if n and tells)]:
            types = [row.change_type for row in rows if row.snapshot_id == owner]
            carried = [row.carried_over for row in rows if row.snapshot_id == owner]
            owned = (carried.count(True), carried.count(None)) if mode == "ownership" else (None, 0)
            counts[owner] = CommitCounts(
                {kind: types.count(kind) for kind in ORDER if kind in types}, *((copied[owner], 0) if tells else owned)
            )
        places = {key: i for i, key in enumerate(dict.fromkeys(sorted((row.key for row in rows), key=_by_number)))}
        if mode == "net":
            rows = [row for row in rows if row.change_type in ("INSERT", "DELETE")]
        rows.sort(
            key=lambda row: (places[row.key], -1 if row.ordinal is None else row.ordinal, ORDER.index(row.change_type))
        )
        return bare.read(counts, rows if at_hand is None else rows[:at_hand])

    def _row(
        self,
        mode: str,
        row: Row,
        kind: str,
        ordinal: int | None,
        of: int,
        carried: bool | None = False,
        pairing: Pairing = "none",
    ) -> ChangedRow:
        """Where row ids pair updates, the first value stands for the row's id."""
        text = " ".join(row).strip()
        is_keyed = bool(self.identifiers) or pairing == "row id"
        key = row[0] if is_keyed else text
        changed = self._changed(of, row[0]) if kind.startswith("UPDATE") and is_keyed else ()
        condition = f"{self.identifiers[0]} = '{row[0]}'" if self.identifiers else ""
        return ChangedRow(key, text, kind, ordinal, of, carried, changed, condition)  # type: ignore[arg-type]

    def _changed(self, of: int, key: str) -> tuple[ChangedCell, ...]:
        gone, came = self.work[of].by_key
        [(_, *before)], [(_, *after)] = gone[key], came[key]
        sides = zip(self.columns[1:], before, after, strict=True)
        return tuple(ChangedCell(name, was, now) for name, was, now in sides if was != now)

    def _printed(self, mode: Mode, pairing: Pairing, of: int, ordinal: int | None) -> list[ChangedRow]:
        work = self.work[of]
        paired = {row[0] for row in work.gone} & {row[0] for row in work.came} if pairing != "none" else set()
        rows = []
        for given, plain, update in ((work.gone, "DELETE", "UPDATE_BEFORE"), (work.came, "INSERT", "UPDATE_AFTER")):
            for row in given:
                kind = update if row[0] in paired else plain
                rows.append(self._row(mode, row, kind, ordinal, of, pairing=pairing))
        for row in work.copied if mode in ("raw", "net") else ():
            rows += [self._row(mode, row, kind, ordinal, of, True) for kind in ("DELETE", "INSERT")]
        return rows

    def _owned(self, ordinals: dict[int, int | None], end: int | None) -> list[ChangedRow]:
        owners: dict[Row, list[tuple[int, bool]]] = {}
        for of, work in self.work.items():
            for row in (*work.gone, *work.copied):
                owners[row].pop()
            for rows, carried in ((work.came, False), (work.copied, True)):
                for row in rows:
                    owners.setdefault(row, []).append((of, carried))
            if of == end:
                break
        return [
            self._row("ownership", row, "INSERT", ordinals.get(of), of, carried if of in ordinals else None)
            for row, them in owners.items()
            for of, carried in them
        ]


def _net(rows: list[ChangedRow]) -> list[ChangedRow]:
    """What is left of equal rows when opposite changes cancel; at the last commit that wrote them."""
    left = []
    for text in dict.fromkeys(row.text for row in rows):
        equal = [row for row in rows if row.text == text]
        more = sum({"INSERT": 1, "DELETE": -1}[row.change_type] for row in equal)
        kind = "INSERT" if more > 0 else "DELETE"
        last = max((row for row in equal if row.change_type == kind), key=lambda row: row.ordinal or 0)
        left += [ChangedRow(last.key, last.text, kind, last.ordinal, last.snapshot_id)] * abs(more)  # type: ignore[arg-type]
    return left


def _by_number(key: str) -> tuple[int, str]:
    return (int(key), "") if key.isdigit() else (10**9, key)


def sequence_a() -> Log:
    log = Log()
    log.commit("append", came=[("1", "a"), ("2", "b"), ("3", "c")], tail=7366, at="11-20 12:05")
    log.commit("overwrite", [("1", "a")], [("1", "d"), ("5", "e"), ("6", "f")], tail=2081, at="11-20 12:06")
    return log


def sequence_b() -> Log:
    log = Log()
    log.commit("append", came=[("1", "a"), ("2", "b"), ("3", "c")], tail=6158, at="11-20 12:07")
    log.commit(
        "overwrite", [("1", "a")], [("1", "d"), ("5", "e"), ("6", "f")], [("2", "b"), ("3", "c")], 1414, "11-20 12:08"
    )
    return log


def week() -> Log:
    """Nine commits with everything: two replaces, an update, a delete, a row that comes back, an empty commit."""
    log = Log()
    names = ("Ada Wien", "Bo Oslo", "Cem Bonn", "Dee Rom", "Eli Genf", "Fay Turin")
    people = [(str(i), name) for i, name in enumerate(names, 1)]
    log.commit("append", came=people[:4])
    log.commit("append", came=people[4:])
    log.commit("replace", copied=people)
    log.commit("overwrite", [people[1]], [("2", "Bo Bergen")], [people[0], people[2], people[3]])
    log.commit("append")
    log.commit("delete", [people[2]])
    log.commit("overwrite", [people[4]], [("5", "Eli Bern"), ("7", "Gus Graz")], [people[5]])
    log.commit("replace", copied=[people[0], ("2", "Bo Bergen")])
    log.commit("append", came=[people[2]])
    return log


def numbers(commits: int, per_commit: int, seed: int = 7, keys: int = 10**9) -> Log:
    """A longer history: appends, overwrites that change and copy, deletes, replaces, empty commits."""
    rng = random.Random(seed)
    log, last = Log(), 0
    live: dict[str, str] = {}
    for _ in range(commits):
        operation = rng.choice(["append", "append", "overwrite", "overwrite", "delete", "replace", "append"])
        few = rng.sample(sorted(live), min(len(live), per_commit)) if live else []
        if operation == "append" or not few:
            added = [(str(last + i + 1), f"v{rng.randrange(1000)}") for i in range(rng.randrange(per_commit + 1))]
            added = [row for row in added if last < keys]
            last += len(added)
            live.update(added)
            log.commit("append", came=added)
        elif operation == "overwrite":
            half = len(few) // 2 + 1
            gone = [(key, live[key]) for key in few[:half]]
            came = [(key, f"w{rng.randrange(1000)}") for key in few[:half]]
            came = [(k, v) for (k, v), (_, old) in zip(came, gone, strict=True)]
            log.commit("overwrite", gone, came, [(key, live[key]) for key in few[half:]])
            live.update(came)
        elif operation == "delete":
            gone = [(key, live.pop(key)) for key in few[: per_commit // 2]]
            log.commit("delete", gone)
        else:
            log.commit("replace", copied=[(key, live[key]) for key in few])
    return log


def thousand_commits() -> Log:
    return numbers(1_000, 3)


def many_rows() -> Log:
    """100,000 rows in three commits."""
    log = Log()
    first = [(str(i), f"v{i % 7}") for i in range(60_000)]
    log.commit("append", came=first)
    log.commit("overwrite", first[:20_000], [(key, "new") for key, _ in first[:20_000]])
    log.commit("delete", first[59_997:])
    return log


def hostile(identifiers: bool = True) -> Log:
    log = Log(identifiers=("<b>id</b>", "$x$ \n\u202e") if identifiers else ())
    nasty = [
        "<script>alert(1)</script>",
        "&lt;b&gt;",
        "$\\frac{1}{2}$",
        "a\x00\tb\nc",
        "\u202edcba",
        "",
        "{0} %s",
        "日本語" * 40,
    ]
    log.commit("append", came=[(key, f"<i>{key}</i>") for key in nasty])
    log.commit(
        "<img src=x>",
        [(nasty[0], f"<i>{nasty[0]}</i>")],
        [(nasty[0], "</span><b>")],
        [(nasty[2], f"<i>{nasty[2]}</i>")],
    )
    return log


def long_values() -> Log:
    log = Log(identifiers=("order_reference_of_the_customer_portal", "line"))
    keys = [f"portal-eu-central-{i:012d}-{'x' * 120} {i}" for i in range(4)]
    log.commit("append", came=[(key, "Lorem ipsum dolor sit amet " * 6) for key in keys])
    log.commit("overwrite", [(keys[1], "Lorem ipsum dolor sit amet " * 6)], [(keys[1], "consectetur adipiscing " * 7)])
    return log


def no_keys() -> Log:
    log = Log(identifiers=())
    log.commit("append", came=[("1", "a"), ("1", "a"), ("2", "b"), ("3", "c")])
    log.commit("overwrite", [("1", "a"), ("2", "b")], [("2", "B"), ("3", "c"), ("3", "c")], [("1", "a"), ("3", "c")])
    return log


def orders() -> Log:
    """Orders that are paid, shipped and corrected: updates of one cell, of several, of null, and of long texts."""
    log = Log(("order_id",), ("order_id", "customer", "region", "amount", "status"))
    first = [
        ("10", "jonas", "south", "73.62", "paid"), ("11", "quentin", "west", "110.75", "paid"),
        ("1204", "ada", "north", "19.90", "paid"), ("2060", "fatima", "north", "105.40", "paid"),
        ("2114", "tara", "east", "179.66", "null"),
    ]  # fmt: skip
    log.commit("append", came=first, at="03-15 16:05")
    shipped = [(*row[:4], "shipped") for row in first[:3]]
    corrected = [("2060", "fatima", "north", "99.40", "shipped"), ("2114", "tara", "east", "179.66", "paid")]
    log.commit("overwrite", first, [*shipped, *corrected, ("2115", "dora", "west", "8.00", "paid")], at="03-16 02:12")
    moved = ("11", "Quentin de la Tour, care of the " + "harbour master " * 6, "west", "110.75", "shipped")
    log.commit("overwrite", [shipped[1]], [moved], at="03-16 08:00")
    log.commit("delete", [shipped[0]], at="03-16 13:20")
    return log


def one_commit() -> Log:
    log = Log()
    log.commit("append", came=[("1", "a")])
    return log


def nothing_changed() -> Log:
    log = Log()
    log.commit("append", came=[("1", "a")])
    for _ in range(3):
        log.commit("overwrite", copied=[("1", "a")])
    return log


def months_without_rows() -> Log:
    """40 commits of which few print rows: runs are folded."""
    log = Log()
    live = [(str(i), f"v{i}") for i in range(1, 9)]
    log.commit("append", came=list(live))
    for i in range(39):
        if i % 13 == 6:
            key, value = live[i % 8]
            log.commit("overwrite", [(key, value)], [(key, f"{value}'")])
            live[i % 8] = (key, f"{value}'")
        else:
            log.commit("append" if i % 3 else "replace")
    return log


def without_numbers() -> Log:
    """Format version 1 has no sequence numbers."""
    log = sequence_b()
    log.story.version = 1
    for snapshot in log.story.snapshots.values():
        snapshot.pop("sequence-number")
    return log


def expired(keep: int = 4) -> tuple[Log, int]:
    log = week()
    log.story.expire(*range(1, keep))
    return log, keep


GONE = (
    "Its parent 3471902266518430000 has expired, and it removed or masked rows: which ones, and which of its own rows"
    " it only copied, cannot be told any more."
)

_A, _B, _WEEK = sequence_a(), sequence_b(), week()
_THOUSAND, _MANY, _THIRTY, _FIFTY = thousand_commits(), many_rows(), numbers(30, 4), numbers(59, 9, seed=3, keys=90)

STORIES: dict[str, Callable[[], Changelog]] = {
    "sequence a raw": lambda: _A.changelog("raw"),
    "sequence b raw": lambda: _B.changelog("raw"),
    "sequence b changes": lambda: _B.changelog("changes"),
    "sequence b updates": lambda: _B.changelog("updates"),
    "sequence b net": lambda: _B.changelog("net"),
    "sequence a ownership": lambda: _A.changelog("ownership"),
    "sequence b ownership": lambda: _B.changelog("ownership"),
    "week raw": lambda: _WEEK.changelog("raw"),
    "week changes": lambda: _WEEK.changelog("changes"),
    "week updates": lambda: _WEEK.changelog("updates"),
    "week net": lambda: _WEEK.changelog("net", start=2),
    "week ownership": lambda: _WEEK.changelog("ownership"),
    "week ownership of the end": lambda: _WEEK.changelog("ownership", start=6),
    "expired parent": lambda: expired()[0].changelog("updates", unread={4: GONE}),
    "expired ownership": lambda: expired()[0].changelog("ownership"),
    "lost lists": lambda: _THIRTY.changelog(
        "changes", unread=dict.fromkeys((3, 9, 10), "The list is gone: <b>404</b>")
    ),
    "lost lists of thousand": lambda: _THOUSAND.changelog("changes", unread={50: GONE, 700: GONE}, at_hand=400),
    "not read": lambda: _WEEK.changelog("changes", read=False),
    "not read, ownership": lambda: _WEEK.changelog("ownership", read=False),
    "counted only": lambda: _WEEK.changelog("changes", at_hand=0),
    "empty range": lambda: _WEEK.changelog("changes", start=5, end=5),
    "empty range, ownership": lambda: _WEEK.changelog("ownership", start=9, end=9),
    "empty range, not read": lambda: _WEEK.changelog("changes", start=5, end=5, read=False),
    "nothing changed": lambda: nothing_changed().changelog("changes", start=1),
    "nothing changed, raw": lambda: nothing_changed().changelog("raw", start=1),
    "one commit": lambda: one_commit().changelog("updates"),
    "replace only": lambda: _WEEK.changelog("changes", start=2, end=3),
    "no keys": lambda: no_keys().changelog("raw"),
    "no keys, updates": lambda: no_keys().changelog("updates"),
    "no keys, row ids": lambda: Log((), ("id", "value"), _B.story, _B.work).changelog("updates", pairing="row id"),
    "no keys, ownership": lambda: no_keys().changelog("ownership"),
    "version 1": lambda: without_numbers().changelog("changes"),
    "months without rows": lambda: months_without_rows().changelog("changes"),
    "thirty commits": lambda: _THIRTY.changelog("raw"),
    "fifty-nine commits": lambda: _FIFTY.changelog("updates"),
    "fifty-nine ownership": lambda: _FIFTY.changelog("ownership", start=20),
    "thousand commits": lambda: _THOUSAND.changelog("changes"),
    "thousand commits raw": lambda: _THOUSAND.changelog("raw", at_hand=500),
    "thousand ownership": lambda: _THOUSAND.changelog("ownership"),
    "many rows": lambda: _MANY.changelog("updates", at_hand=500),
    "many rows, ownership": lambda: _MANY.changelog("ownership", at_hand=500),
    "hostile": lambda: hostile().changelog("raw"),
    "hostile, no keys": lambda: hostile(identifiers=False).changelog("raw"),
    "hostile, ownership": lambda: hostile().changelog("ownership"),
    "orders": lambda: orders().changelog("updates", start=1),
    "long values": lambda: long_values().changelog("updates"),
    "long values, no keys": lambda: _keyless_long(),
}


def _keyless_long() -> Changelog:
    log = long_values()
    return Log((), ("reference", "text"), log.story, log.work).changelog("changes")
