"""The lives of files as lines of signs over sequence numbers, or over commits where none has a number."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ...model.printable import DIM, styled
from ...model.sequence_timeline.facts import Band, FileLifetime, Timeline

KEY = "● data sequence number, ├ file sequence number where it is another, ┤ removed, ▸ live, ? unknown"
STEPS_KEY = "▁ to █ live data files, by the most of that partition; · none"
_STEPS = "▁▂▃▄▅▆▇█"


class Axis:
    """The sequence numbers of a timeline on so many signs, the oldest left; of version 1 the commits in their order.

    Args:
        timeline: whose files are drawn.
        width: signs of a line.
    """

    def __init__(self, timeline: Timeline, width: int) -> None:
        self._order = {commit.snapshot.snapshot_id: place for place, commit in enumerate(timeline.commits, 1)}
        self._numbered = timeline.numbered
        self._width = width
        found = [number for number in self._all(timeline) if number is not None]
        self._first, self._last = min(found, default=1), max(found, default=1)

    def scale(self) -> Text:
        """The first and the last number, at the ends."""
        first, last = f"{self._first:,}", f"{self._last:,}"
        ends = f"{first}{last:>{max(self._width - len(first), len(last) + 1)}}" if self._last > self._first else first
        return styled(ends if self._numbered else "commits in order", DIM)

    def life(self, file: FileLifetime) -> str:
        """From its data sequence number, by its commit, to its removal or the right edge."""
        line = "━" if file.kind != "data" else "─"
        born = self._column(self._at(file.added_sequence_number, file.added_snapshot_id))
        counts_as = self._column(file.data_sequence_number.value if self._numbered else None)
        counts_as = born if counts_as is None else counts_as
        if counts_as is None:
            return "?".ljust(self._width)
        born = counts_as if born is None else born
        end, sign = self._end(file)
        signs = [" "] * self._width
        signs[born:end] = line * (end - born)
        signs[min(counts_as, born) : born] = "╌" * max(born - counts_as, 0)
        signs[max(end, born)] = sign
        if born != counts_as:
            signs[born] = "├" if end > born else sign
        if end > counts_as or sign != "┤":
            signs[counts_as] = "●"
        return "".join(signs)

    def steps(self, band: Band) -> str:
        """The live data files of a partition after each commit, as heights; `?` where a removal is not known."""
        moments = [(m, 1) for m in band.births if m.kind == "data"] + [(m, -1) for m in band.deaths if m.kind == "data"]
        if band.live and not moments:
            return "?" * self._width
        changes = [0] * self._width
        for moment, sign in moments:
            column = self._column(self._at(moment.sequence_number, moment.snapshot_id))
            if column is None:
                return "?" * self._width
            changes[column] += sign * moment.files
        live, heights = 0, []
        for change in changes:
            live += change
            heights.append(live)
        most = max(heights)
        return "".join(_STEPS[(files * len(_STEPS) - 1) // most] if files > 0 else "·" for files in heights)

    def _end(self, file: FileLifetime) -> tuple[int, str]:
        if file.removal is None:
            return self._width - 1, "?" if file.is_live is None else "▸"
        column = self._column(self._at(file.removal.sequence_number, file.removal.snapshot_id))
        return (self._width - 1, "?") if column is None else (column, "┤")

    def _at(self, number: int | None, snapshot_id: int | None) -> int | None:
        if self._numbered:
            return number
        return None if snapshot_id is None else self._order.get(snapshot_id)

    def _column(self, number: int | None) -> int | None:
        if number is None:
            return None
        length = max(self._last - self._first, 1)
        return min(max((number - self._first) * (self._width - 1) // length, 0), self._width - 1)

    def _all(self, timeline: Timeline) -> Iterator[int | None]:
        for commit in timeline.commits:
            yield self._at(commit.snapshot.sequence_number, commit.snapshot.snapshot_id)
        for file in timeline.files:
            yield self._at(file.added_sequence_number, file.added_snapshot_id)
            yield file.data_sequence_number.value if self._numbered else None
        for band in timeline.bands:
            for moment in band.births:
                yield self._at(moment.sequence_number, moment.snapshot_id)
