"""Which manifests of a snapshot one picture draws, and in what detail: entries, one line per manifest, or sums.

A long list is drawn by those of its manifests that have something to tell; others like them are summed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ...model.entries import overview
from ...model.entries import words as entries_words
from ...model.entries.facts import Entries, ManifestEntries, ReadEntry
from ...model.entries.group import Group
from ...model.entries.words import Band
from ..page.fold import Part

MOST_ENTRIES = 40  # drawn one by one
MOST_MANIFESTS = 24  # drawn with a line of their own
_FEW = 2  # manifests that are not worth a sum
ALL = "all manifests"  # the part of a picture that has one after the other, whatever it has to tell


@dataclass(frozen=True, slots=True)
class Block:
    """A box of the list with its lines: a manifest, or several told together.

    Attributes:
        manifests: one, or those that are told together.
        entries: drawn one by one.
        bands: all others, counted.
        opens: view that a click opens; empty if it is open already.
        more: words about entries of this manifest that are not in this picture, and the view that has them, if any.
    """

    manifests: tuple[ManifestEntries, ...]
    entries: tuple[ReadEntry, ...] = ()
    bands: tuple[Band, ...] = ()
    opens: str = ""
    more: tuple[tuple[str, str], ...] = ()

    @property
    def single(self) -> ManifestEntries | None:
        """The manifest; None if several are told together."""
        return self.manifests[0] if len(self.manifests) == 1 else None


@dataclass(frozen=True, slots=True)
class Contents:
    """The blocks of a view from top to bottom.

    Attributes:
        kind: `entries`: every block has its entries; `telling`: a line or a few per manifest with something to tell,
            the others summed; `manifests`: one after the other; `opened`: one manifest.
        telling: manifests with something to tell; all, where summing the others would save nothing.
    """

    part: Part
    kind: Literal["entries", "telling", "manifests", "opened"]
    blocks: tuple[Block, ...]
    telling: int

    @classmethod
    def of(cls, entries: Entries, part: Part) -> Contents:
        """The blocks of a view; of the whole, if the view is of another snapshot."""
        listed = entries.manifests
        opened = next((m for m in listed if m.manifest.path == part.opened), None)
        if opened is None and len(listed) == 1 and _count(listed[0]) > MOST_ENTRIES:
            opened, part = listed[0], Part(0, listed[0].manifest.path)
        told = overview.telling(entries)
        told = told if len(told) + _FEW < len(listed) else listed
        if opened is not None:
            first = part.first if part.first < len(opened.entries) else 0
            return cls(Part(first, part.opened), "opened", (_opened(opened, first),), len(told))
        complete = all(m.unreadable or len(m.entries) == m.entry_count for m in listed)
        if complete and len(listed) <= MOST_ENTRIES and sum(map(_count, listed)) <= MOST_ENTRIES:
            blocks = tuple(Block((m,), m.entries, opens=opens_manifest(m)) for m in listed)
            return cls(Part(), "entries", blocks, len(listed))
        if len(told) < len(listed) and part.opened != ALL:
            return cls(Part(), "telling", tuple(_telling(listed, told)), len(told))
        first = part.first if part.opened in ("", ALL) and part.first < len(listed) else 0
        return cls(all_from(first), "manifests", tuple(_window(listed, first)), len(told))


def all_from(first: int) -> Part:
    """One manifest after the other, from this place in the list on."""
    return Part(first, ALL)


def _count(of: ManifestEntries) -> int:
    return 0 if of.unreadable else of.entry_count or 0


def opens_manifest(of: ManifestEntries) -> str:
    """The view of its entries alone; empty if they cannot be read."""
    return "" if of.unreadable else str(Part(0, of.manifest.path))


def _opened(of: ManifestEntries, first: int) -> Block:
    drawn = of.entries[first : first + MOST_ENTRIES]
    after, n = first + len(drawn), of.entry_count or 0
    more = (
        [(f"◂ entries before, from {max(first - MOST_ENTRIES, 0) + 1:,}", max(first - MOST_ENTRIES, 0))]
        if first
        else []
    )
    if after < len(of.entries):
        more.append((f"entries from {after + 1:,} of {n:,} ▸", after))
    links = [(words, str(Part(at, of.manifest.path))) for words, at in more]
    if after >= len(of.entries) and n > after:
        links.append((f"{n - after:,} more entries are counted, not listed here", ""))
    bands = entries_words.bands(of.groups) if len(drawn) < n else ()
    return Block((of,), drawn, bands, more=tuple(links))


def _alone(of: ManifestEntries) -> Block:
    return Block((of,), bands=entries_words.bands(of.groups), opens=opens_manifest(of))


def _telling(listed: Sequence[ManifestEntries], told: Sequence[ManifestEntries]) -> list[Block]:
    """Lines of those with something to tell, as many as have room; all others summed by what they say."""
    shown = {m.manifest.path for m in told[:MOST_MANIFESTS]}
    others: dict[overview.Kind, list[ManifestEntries]] = {}
    for m in listed:
        if m.manifest.path not in shown:
            others.setdefault(overview.kind(m), []).append(m)
    place = {m.manifest.path: i for i, m in enumerate(listed)}
    summed = [
        _alone(alike[0]) if len(alike) == 1 else _summed(alike, place[alike[0].manifest.path])
        for alike in others.values()
    ]
    return [*map(_alone, told[:MOST_MANIFESTS]), *summed]


def _window(listed: Sequence[ManifestEntries], first: int) -> list[Block]:
    """Lines of some manifests; those before and after are summed, by what they hold and where they come from."""
    last = first + MOST_MANIFESTS if len(listed) - first > MOST_MANIFESTS + _FEW else len(listed)
    before = [_summed(listed[:first], max(first - MOST_MANIFESTS, 0))] if first else []
    return [*before, *map(_alone, listed[first:last]), *_by_kind(listed[last:], last)]


def _by_kind(listed: Sequence[ManifestEntries], first: int) -> list[Block]:
    kinds: dict[tuple[int, str], list[ManifestEntries]] = {}
    for m in listed:
        kinds.setdefault((m.manifest.content, m.state), []).append(m)
    return [_summed(kinds[kind], first) for kind in sorted(kinds)]


def _summed(listed: Sequence[ManifestEntries], opens: int) -> Block:
    groups: list[Group] = [g for m in listed for g in m.groups]
    return Block(tuple(listed), bands=entries_words.bands(groups), opens=str(all_from(opens)))
