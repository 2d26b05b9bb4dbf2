"""Which files a rewrite chooses by their sizes, and why not the others: the planner that both rewrites of files share.

Files outside the desired range of sizes are chosen; the files of a partition are packed into groups in the order in
which they come; a group is rewritten if it has files enough, or bytes enough.

Source: the Java library's `SizeBasedFileRewritePlanner` and `BinPacking` (1.12).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .. import formats
from ..iceberg.inheritance import StoredEntry
from ..iceberg.metadata import LARGEST_LONG, long_from_text

LEAST_RATIO, LARGEST_RATIO = 0.75, 1.8
_GROUP_BYTES = 100 * 1024**3
OPTIONS = frozenset(
    {
        "target-file-size-bytes",
        "min-file-size-bytes",
        "max-file-size-bytes",
        "min-input-files",
        "rewrite-all",
        "max-file-group-size-bytes",
        "max-file-group-input-files",
        "rewrite-job-order",
        "max-concurrent-file-group-rewrites",
        "partial-progress.enabled",
        "partial-progress.max-commits",
    }
)
"""Those that both rewrites take."""


class Refused(ValueError):
    """Iceberg would refuse; the message has its words."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The thresholds of one call.

    Attributes:
        target, least, largest: bytes of a file: desired, and the range that is left alone.
        input_files: so many files of a group are enough.
        every: whether all files are rewritten whatever their sizes.
        group_bytes, group_files: what a group holds at most.
    """

    target: int
    least: int
    largest: int
    input_files: int
    every: bool
    group_bytes: int
    group_files: int

    @classmethod
    def of(cls, options: Mapping[str, str], default_target: int) -> Sizes:
        """The thresholds by the options.

        Raises:
            Refused: a value that is none, or that contradicts another.
        """
        target = whole(options, "target-file-size-bytes", default_target)
        least = whole(options, "min-file-size-bytes", int(target * LEAST_RATIO))
        largest = whole(options, "max-file-size-bytes", int(target * LARGEST_RATIO))
        _check(target > 0, f"'target-file-size-bytes' is set to {target} but must be > 0")
        _check(least >= 0, f"'min-file-size-bytes' is set to {least} but must be >= 0")
        _check(
            target > least,
            f"'target-file-size-bytes' ({target}) must be > 'min-file-size-bytes' ({least}),"
            " all new files will be smaller than the min threshold",
        )
        _check(
            target < largest,
            f"'target-file-size-bytes' ({target}) must be < 'max-file-size-bytes' ({largest}),"
            " all new files will be larger than the max threshold",
        )
        input_files = whole(options, "min-input-files", 5)
        _check(input_files > 0, f"'min-input-files' is set to {input_files} but must be > 0")
        group_bytes = whole(options, "max-file-group-size-bytes", _GROUP_BYTES)
        _check(group_bytes > 0, f"'max-file-group-size-bytes' is set to {group_bytes} but must be > 0")
        group_files = whole(options, "max-file-group-input-files", LARGEST_LONG)
        _check(group_files > 0, f"'max-file-group-input-files' is set to {group_files} but must be > 0")
        return cls(target, least, largest, input_files, is_true(options, "rewrite-all"), group_bytes, group_files)

    def odd_size(self, size: int) -> str:
        """Why a file of this size is chosen; empty if it is not."""
        if size < self.least:
            return f"smaller than {formats.size(self.least)}"
        return f"larger than {formats.size(self.largest)}" if size > self.largest else ""

    @property
    def left_alone(self) -> str:
        """Why a file of a size within the range is not chosen."""
        return f"of a size that is left alone, {formats.size(self.least)} to {formats.size(self.largest)}"

    def worthwhile(self, sizes: Sequence[int]) -> bool:
        """Whether a group of files of these sizes is rewritten."""
        several, together = len(sizes) > 1, sum(sizes)
        return (
            (several and len(sizes) >= self.input_files)
            or (several and together > self.target)
            or together > self.largest
        )

    def too_little(self, sizes: Sequence[int]) -> str:
        """Why a group is not rewritten."""
        files = formats.count(len(sizes), "file")
        return (
            f"its group of {files}, {formats.size(sum(sizes))}, is fewer than {self.input_files:,} files and less than"
            f" {formats.size(self.target)}"
        )

    def output_files(self, size: int) -> int:
        """Files that a group of so many bytes is written into."""
        if size < self.target:
            return 1
        whole_files, rest = divmod(size, self.target)
        longest = int(self.target + (self.largest - self.target) * 0.5)
        if rest > self.least or (rest and size // whole_files >= min(1.1 * self.target, longest)):
            return whole_files + 1
        return whole_files

    def packed(self, files: Iterable[StoredEntry]) -> Iterator[list[StoredEntry]]:
        """Files in groups, in their order: a group is closed by the first file that it cannot take."""
        group: list[StoredEntry] = []
        weight = 0
        for file in files:
            if group and (weight + file.file_size_in_bytes > self.group_bytes or len(group) >= self.group_files):
                yield group
                group, weight = [], 0
            group.append(file)
            weight += file.file_size_in_bytes
        if group:
            yield group


def by_place(files: Iterable[tuple[Hashable, StoredEntry]]) -> list[list[StoredEntry]]:
    """Files by what they are grouped by, in the order in which each comes first."""
    found: dict[Hashable, list[StoredEntry]] = {}
    for place, file in files:
        found.setdefault(place, []).append(file)
    return list(found.values())


def check_options(options: Mapping[str, str], known: Iterable[str], rewriter: str) -> None:
    """Nothing, if all are known.

    Raises:
        Refused: some are not.
    """
    unknown = sorted(options.keys() - set(known))
    names = ", ".join(unknown)
    _check(
        not unknown, f"Cannot use options [{names}], they are not supported by the action or the rewriter {rewriter}"
    )


def whole(options: Mapping[str, str], name: str, default: int) -> int:
    """A whole number of an option.

    Raises:
        Refused: it is none.
    """
    text = options.get(name)
    if text is None:
        return default
    value = long_from_text(text)
    _check(value is not None, f'For input string: "{text}"')
    return value or 0


def fraction(options: Mapping[str, str], name: str, default: float) -> float:
    """A number of an option.

    Raises:
        Refused: it is none.
    """
    text = options.get(name)
    try:
        return default if text is None else float(text)
    except ValueError:
        raise Refused(f'For input string: "{text}"') from None


def is_true(options: Mapping[str, str], name: str) -> bool:
    """Whether an option is set."""
    return options.get(name, "false").lower() == "true"


def _check(holds: bool, words: str) -> None:
    if not holds:
        raise Refused(words)
