"""The partitions and files that a text may name, among all of a table's history."""

from __future__ import annotations

import difflib

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .. import formats
from ..arrays import NULL, Flags, Longs, codes, distinct, numbers
from ..iceberg.inheritance import ContentKind
from ..iceberg.lifetimes import Lifetimes
from ..words import UNITS, partition_name
from .facts import MOST_OTHERS, Found, Missed, preferred

_KINDS: tuple[ContentKind, ...] = (
    "data",
    "position deletes",
    "equality deletes",
    "deletion vector",
)  # by `Lifetimes.kinds`
_NEAREST = 5
_SIMILAR = 0.5  # of `difflib`
_COMPARED = 2_000  # partitions, of which the nearest are looked for


def find(lifetimes: Lifetimes, text: str, *, parts: bool = True) -> Found | None:
    """What a text means of the files of a history; None if nothing.

    A whole partition, as entries have it (`day=2026-03-14`) or as pictures write it (`day = 2026-03-14`); a whole path,
    or the name of a file at its end; a part of a partition's text; a part of a path. Without regard to case. Of files
    the one that was added last comes first.

    Args:
        lifetimes: of all files of the history.
        text: as a person wrote it.
        parts: whether a part will do; else only what is whole, and a partition of which it is a value.
    """
    asked = text.strip()
    if not asked or not lifetimes.count:
        return None
    partitions, files = _Partitions(lifetimes), _Files(lifetimes)
    whole = partitions.whole(asked)
    part = partitions.part(asked) if parts else partitions.valued(asked)
    found: list[tuple[_Partitions | _Files, Longs]] = [
        (partitions, np.flatnonzero(whole)),
        (files, files.distinct(files.whole(asked))),
        (partitions, np.flatnonzero(part & ~whole)),
    ]
    if parts and not any(
        len(chosen) for _, chosen in found
    ):  # else their paths mostly hold the text of the partition too
        found = [(files, files.distinct(files.part(asked)))]
    meanings = [told for of, chosen in found for told in of.told(chosen[: MOST_OTHERS + 1])]
    return preferred(meanings, more=sum(len(chosen) for _, chosen in found) - len(meanings))


def nearest(lifetimes: Lifetimes, text: str) -> Missed:
    """What of partitions is like a text that names none."""
    partitions = _Partitions(lifetimes)
    like = difflib.get_close_matches(text.strip(), partitions.texts[:_COMPARED], _NEAREST, _SIMILAR)
    chosen = np.array([partitions.texts.index(each) for each in dict.fromkeys(like)], dtype=np.int64)
    told = f"{formats.count(len(partitions.texts), 'partition')} and {formats.count(lifetimes.count, 'file')}"
    return Missed(f"It is no part of the names of {told} of the history.", tuple(partitions.told(chosen)))


class _Partitions:
    """Each partition that ever had a file, newest first."""

    def __init__(self, lifetimes: Lifetimes) -> None:
        partition, names = codes(lifetimes.column("partition"))
        spec = numbers(lifetimes.column("spec_id"))
        keys, of = distinct(spec, partition)
        newest = np.full(len(keys), NULL)
        np.maximum.at(newest, of, lifetimes.added_number)
        keys = keys[np.argsort(newest, kind="stable")[::-1]]
        texts = names.to_pylist()
        self.texts: list[str] = [texts[i] or "" for i in keys[:, 1].tolist()]
        self._specs: list[int] = keys[:, 0].tolist()
        self._folded = pa.array([text.casefold() for text in self.texts], pa.string())
        self._shown = pa.array([partition_name(0, text).casefold() for text in self.texts], pa.string())

    def whole(self, asked: str) -> Flags:
        """Those whose text it is."""
        return _either(pc.equal(self._folded, asked.casefold()), pc.equal(self._shown, _spaced(asked)))

    def part(self, asked: str) -> Flags:
        """Those of whose text it is a part."""
        return _either(
            pc.match_substring(self._folded, asked.casefold()),
            pc.match_substring(self._shown, _spaced(asked)),
        )

    def valued(self, asked: str) -> Flags:
        """Those of which it is a value."""
        ended = pc.binary_join_element_wise(self._shown, "", ",")
        return np.asarray(pc.match_substring(ended, f" = {asked.casefold()},"), dtype=bool)

    def told(self, chosen: Longs) -> list[Found]:
        """Of these indices."""
        several = len(set(self._specs)) > 1
        return [
            Found(
                "partition",
                f"partition {partition_name(self._specs[i], self.texts[i], with_spec=several)}",
                partition=(self._specs[i], self.texts[i]),
            )
            for i in chosen.tolist()
        ]


class _Files:
    """Each data and delete file of the history; indices count from the one that was added last."""

    def __init__(self, lifetimes: Lifetimes) -> None:
        order = np.argsort(lifetimes.added_number, kind="stable")[::-1]
        names = pc.utf8_lower(lifetimes.paths(order))
        self._lifetimes, self._order, self._paths = lifetimes, order, names

    def whole(self, asked: str) -> Flags:
        """Those whose path it is, or whose name at its end."""
        lower = asked.lower()
        return _either(pc.equal(self._paths, lower), pc.ends_with(self._paths, f"/{lower.lstrip('/')}"))

    def part(self, asked: str) -> Flags:
        """Those of whose path it is a part."""
        return np.asarray(pc.match_substring(self._paths, asked.lower()), dtype=bool)

    def distinct(self, flags: Flags) -> Longs:
        """Indices of those that are flagged; a file that was added several times once."""
        chosen: Longs = np.flatnonzero(flags)
        path, _ = codes(self._paths.take(pa.array(chosen)))
        offset = numbers(self._lifetimes.column("content_offset", self._order[chosen]))
        _, of = distinct(path, offset)
        first: Longs = np.sort(np.unique(of, return_index=True)[1])
        return chosen[first]

    def told(self, chosen: Longs) -> list[Found]:
        """Of these indices."""
        lifetimes = self._lifetimes
        rows = self._order[chosen]
        paths = lifetimes.paths(rows).to_pylist()
        offsets = lifetimes.column("content_offset", rows).to_pylist()
        found = []
        for row, path, offset in zip(rows.tolist(), paths, offsets, strict=True):
            place = "" if offset is None else f"·{offset:,}"
            kind = UNITS[_KINDS[lifetimes.kinds[row]]]
            words = f"{kind} {path.rpartition('/')[2]}{place}"
            found.append(Found("file", words, file_path=path, content_offset=offset))
        return found


def _spaced(asked: str) -> str:
    """`day = 2026-03-14, region = eu` of any spelling with other spaces."""
    return ", ".join(" = ".join(s.strip() for s in part.split("=")) for part in asked.casefold().split(","))


def _either(one: pa.Array, other: pa.Array) -> Flags:
    return np.asarray(pc.or_(one, other), dtype=bool)
