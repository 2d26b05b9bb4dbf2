"""Short names of what a picture shows together, by the part that tells them apart.

The tail of each if the tails differ; if they agree, the part that differs; else head and tail. No two that differ
become alike, whatever they are called, and no name is longer than `LONGEST`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import TypeVar

from ...model.iceberg.delete_scope import DeleteKey

Key = TypeVar("Key", bound=Hashable)

LONGEST = 32
"""Letters of a short name at most; of a deletion vector's, before its `·offset`."""

_WHOLE = 8  # letters of a name that is hardly longer than what would be left of it
_TAILS = (4, 5, 6, 8)
_MIDDLES = (1, 2, 3, 4, 6, 8, 11)
_HEADS = (5, 8, 11, 14)  # before a tail of five
_LONG_TAIL = 12
_ENDING = 8
_NUMBERED = 12  # letters that are kept beside a number

Cut = tuple[slice, slice]
"""What is kept of a name, with … for what is not; an empty second part for none."""


def file_names(keys: Iterable[DeleteKey], whole: int = _WHOLE) -> dict[DeleteKey, str]:
    """A short name of each file that is shown, by path and content offset; `…c02-1·4` of a deletion vector.

    Folders are dropped unless several files have one name, and endings (`.parquet`) unless only these differ.

    Args:
        keys: of the files that are shown together.
        whole: letters of names that stay as they are if all are so short.
    """
    shown = list(dict.fromkeys(keys))
    names = {path: path.rsplit("/", 1)[-1] for path, _ in shown}
    endings = {path: "".join(name.rpartition(".")[1:]) if "." in name[1:] else "" for path, name in names.items()}
    if len(set(names.values())) < len(names):
        names = {path: path for path in names}
    stems = {path: name.removesuffix(endings[path]) for path, name in names.items()}
    if len(set(stems.values())) == len(stems):
        endings = dict.fromkeys(endings, "")
    short = short_names(stems.values(), whole)
    at = {key: "" if key[1] is None else f"·{key[1]}" for key in shown}
    return _numbered({key: short[stems[key[0]]] + endings[key[0]][:_ENDING] + at[key] for key in shown})


def short_names(names: Collection[str], whole: int = _WHOLE) -> dict[str, str]:
    """A short name of each, all cut in one way where one way tells them apart. It takes time in line with their number.

    Names that nothing short tells apart are numbered in their own order: `part-00001… (2)`.
    """
    every = sorted(set(names))
    for cut in _cuts(every, whole):
        short = [_kept(name, cut) for name in every]
        if len(set(short)) == len(every):
            return dict(zip(every, short, strict=True))
    return _numbered(_each_among_its_like(every))


def _cuts(names: list[str], whole: int) -> Iterator[Cut]:
    """Ways to cut names, the most wanted first."""
    nothing = slice(0, 0)
    if all(len(name) <= whole for name in names):
        yield slice(None), nothing
    for n in _TAILS:
        yield nothing, slice(-n, None)
    yield from _middles(names)
    for n in _HEADS:
        yield slice(n), slice(-5, None)
    yield nothing, slice(-_LONG_TAIL, None)


def _middles(names: list[str]) -> Iterator[Cut]:
    """From where names begin to differ, or from the beginning of that word, so many letters; numbers stay whole."""
    first, last = (names[0], names[-1]) if names else ("", "")  # between which all others lie, since they are sorted
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    start = alike
    while start and alike - start < _MIDDLES[-1] and first[start - 1].isalnum():
        start -= 1
    for begin in dict.fromkeys((start, alike)):
        for n in _MIDDLES:
            end = alike + n
            while end < len(first) and end - begin < _MIDDLES[-1] and first[end - 1 : end + 1].isdigit():
                end += 1
            if end - begin <= _MIDDLES[-1]:
                yield slice(begin, end), slice(0, 0)


def _kept(name: str, cut: Cut) -> str:
    """What a cut leaves of a name, or the name where that is hardly longer."""
    first, last = cut
    start, end, _ = first.indices(len(name))
    head, tail = name[first], name[last]
    if not head:
        short = f"…{tail or name[-_TAILS[0] :]}"
    else:
        short = ("…" if start else "") + head + ("…" if end < len(name) else "") + tail
    return name if len(name) <= max(len(short), _WHOLE) else short


def _each_among_its_like(names: list[str]) -> dict[str, str]:
    """Head and tail, and for those that are alike so, the part that differs among them and the tail."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[_kept(name, (slice(5), slice(-5, None)))].append(name)
    found: dict[str, str] = {}
    for short, alike in groups.items():
        found |= dict.fromkeys(alike, short) if len(alike) == 1 else _told_apart(alike)
    return found


def _told_apart(alike: list[str]) -> dict[str, str]:
    for first, _ in _middles(alike):
        short = [_kept(name, (first, slice(-5, None))) for name in alike]
        if len(set(short)) == len(alike):
            return dict(zip(alike, short, strict=True))
    return {name: _kept(name, (slice(5), slice(-5, None))) for name in alike}


def _numbered(names: Mapping[Key, str]) -> dict[Key, str]:
    """The same, with numbers for those that are alike; the first of them keeps its name."""
    taken = set(names.values())
    if len(taken) == len(names):
        return dict(names)
    numbers: dict[str, int] = defaultdict(lambda: 1)  # the last one that was given to names that begin alike
    found: dict[Key, str] = {}
    used: set[str] = set()
    for key in sorted(names, key=repr):
        short = name = names[key]
        begins = name[:_NUMBERED]
        while short in used or (short != name and short in taken):
            numbers[begins] += 1
            short = f"{begins}… ({numbers[begins]})"
        used.add(short)
        found[key] = short
    return {key: found[key] for key in names}
