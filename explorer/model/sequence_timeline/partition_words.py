"""Partitions of a timeline in words: what they come to, and what the rows below a page are that make it the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .. import formats
from ..partition_rows import Shown, Sort, shown
from .facts import Band, Timeline

_FEW = 2  # data files, as `Band.tells` has it
TOLD = "with deletes or more than 2 files"
"""What partitions have that are listed without a search."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What some partitions come to, each number with what stands before it where it is a bound; `?` if not known."""

    files: str
    deletes: str
    nothing: str

    @property
    def all(self) -> tuple[str, ...]:
        """In the order of the columns."""
        return self.files, self.deletes, self.nothing


@dataclass(frozen=True, slots=True)
class Sum:
    """Some rows together: `this page`, `+ 85 days`; words: what these have in common."""

    name: str
    words: str
    counts: Counts
    any_nothing: bool


def page(
    timeline: Timeline,
    most: int,
    *,
    first: int = 0,
    search: str = "",
    sort: Sort = "worst",
    everything: bool = False,
) -> Shown[Band]:
    """At most so many partitions of the window; see `partition_rows.shown`. One alone is always told."""
    rows = timeline.in_window
    everything = everything or len(rows) == 1 or bool(timeline.unreadable)
    return shown(rows, most, first=first, search=search, sort=sort, everything=everything)


def where_files_are(timeline: Timeline) -> str:
    """In which few partitions files pile up: `9 of 94 days hold 79 of 214 live data files`; empty where they do not."""
    live = [band.live_data_files for band in timeline.in_window if band.live_data_files]
    most = [files for files in live if files > _FEW]
    if timeline.unreadable or timeline.lacks_data_files or not most or len(most) == len(live):
        return ""
    some = f"{len(most):,} of {formats.count(len(timeline.in_window), timeline.naming.unit)}"
    verb = "holds" if len(most) == 1 else "hold"
    return f"{some} {verb} {sum(most):,} of {formats.count(sum(live), 'live data file')}"


def counts(timeline: Timeline, bands: Sequence[Band]) -> Counts:
    """Live data files, live deletes, and those that reach nothing, of some partitions.

    Where a manifest could not be read they are no bounds: it may have said that files came, or that others went.
    """
    if timeline.unreadable:
        return Counts("?", "?", "?")
    files = sum(band.live_data_files for band in bands)
    deletes = sum(band.live_delete_files for band in bands)
    dangling, unknown = (sum(getattr(band, name) for band in bands) for name in ("dangling", "unknown"))
    nothing = f"{'≈ ' if timeline.lacks_deletes else '≥ ' if unknown else ''}{dangling:,}"
    return Counts(
        f"{'≈ ' if timeline.lacks_data_files else ''}{files:,}",
        f"{'≈ ' if timeline.lacks_deletes else ''}{deletes:,}",
        "?" if unknown and not dangling else nothing,
    )


def sums(timeline: Timeline, shown: Shown[Band]) -> list[Sum]:
    """The rows below a page that make it the whole; the last one is of all of them: those before it sum up to it."""
    bands = (*shown.page, *shown.elsewhere, *shown.others)
    units = timeline.naming.unit
    found = [_sum(timeline, shown.page, "this page", "")]
    for rows, found_words, words in (
        (shown.elsewhere, "found by “{}”, on other pages", "on other pages"),
        (shown.others, "not found by “{}”", _nothing_to_tell(shown.others)),
    ):
        if rows:
            common = found_words.format(shown.search) if shown.search else words
            found.append(_sum(timeline, rows, f"+ {formats.count(len(rows), units)}", common))
    every, ever = formats.count(len(bands), units), "that ever held a file, on any line"
    if len(found) == 1:
        return [replace(found[0], name=f"all {every}" if len(bands) > 1 else every, words=ever)]
    return [*found, _sum(timeline, bands, every, ever)]


def _nothing_to_tell(bands: Sequence[Band]) -> str:
    """What those have in common that are not listed."""
    counted = {band.live_data_files for band in bands}
    if not counted:
        return ""
    most = "without a live file" if counted == {0} else f"of at most {formats.count(max(counted), 'file')} each"
    return f"{most}, no delete"


def _sum(timeline: Timeline, bands: Sequence[Band], name: str, words: str) -> Sum:
    return Sum(name, words, counts(timeline, bands), any(band.dangling for band in bands))
