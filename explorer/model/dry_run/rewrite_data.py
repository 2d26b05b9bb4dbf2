"""`rewrite_data_files`: the data files that it would choose with these options, and why not the others.

Beside sizes, deletes count: a file with so many of them, or with such a share of its rows masked by deletes that name
it alone, is chosen whatever its size, and its group is rewritten however small.

Source: the Java library's `BinPackRewriteFilePlanner` and Spark's `RewriteDataFilesSparkAction` (1.12).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from .. import formats
from ..evidence import Note
from ..iceberg.delete_scope import DataFile, DeleteFile, data_file, delete_file, verdict
from ..iceberg.inheritance import ListedManifest, StoredEntry
from ..iceberg.lineage import Forest
from ..iceberg.metadata import LARGEST_LONG, Snapshot, TableMetadata
from ..iceberg.unreadable import Unreadable
from ..words import partition_fields
from . import planner
from .facts import Call, DryRun, Effect
from .move import refused
from .planner import Refused, Sizes

_TARGET = 512 * 1024 * 1024
_INT = 2**31 - 1
_OPTIONS = planner.OPTIONS | {
    "delete-file-threshold",
    "delete-ratio-threshold",
    "max-files-to-rewrite",
    "partial-progress.max-failed-commits",
    "use-starting-sequence-number",
    "output-spec-id",
    "remove-dangling-deletes",
}
_SORT_OPTIONS = frozenset({"compression-factor", "shuffle-partitions-per-file"})
_DANGER = (
    "It reads and writes all that it rewrites, and fails if a commit meanwhile deletes from a chosen file; the files"
    " that it replaces stay stored until the snapshots that have them expire."
)
_UNDO = "Roll main back to the snapshot it has now, as long as nothing else was committed since."


@dataclass(frozen=True, slots=True)
class Asked:
    """What is given to `rewrite_data_files`; None and empty for what is left to Iceberg."""

    where: str | None = None
    options: Mapping[str, str] | None = None
    strategy: str | None = None
    sort_order: str | None = None
    branch: str | None = None

    @property
    def call(self) -> Call:
        """The call with what is given."""
        return Call.of(
            "rewrite_data_files",
            strategy=self.strategy,
            sort_order=self.sort_order,
            options=self.options or None,
            where=self.where,
            branch=self.branch,
        )

    @property
    def sorts(self) -> bool:
        """Whether rows are sorted; else files are only put together."""
        return self.sort_order is not None or (self.strategy or "").lower() == "sort"

    @property
    def counts_deletes(self) -> bool:
        """Whether the number of deletes of a file matters, and not only of those that name it alone."""
        return "delete-file-threshold" in (self.options or {})


@dataclass(frozen=True, slots=True)
class Live:
    """What is live at the current snapshot.

    Attributes:
        listed: the manifests.
        data: data files that may hold a row that is asked for; deletes: all, with statistics.
        left_out: data files that cannot hold such a row.
        unreadable: manifests that cannot be read.
        doubt: why files could not be ruled out by the condition, a phrase; empty if they could, or there is none.
    """

    listed: Sequence[ListedManifest]
    data: Sequence[StoredEntry]
    deletes: Sequence[StoredEntry]
    left_out: int = 0
    unreadable: tuple[Unreadable, ...] = ()
    doubt: str = ""


def head(metadata: TableMetadata, branch: str | None) -> Snapshot | None:
    """The snapshot whose files are compacted: that of main, or of the branch or tag; None of a table without any.

    Raises:
        Refused: there is no such branch.
    """
    if branch is None:
        return metadata.by_id.get(metadata.current_snapshot_id or 0)
    ref = metadata.refs.get(branch)
    if ref is None:
        raise Refused(f"Cannot rewrite data files for branch {branch}: branch does not exist")
    return metadata.by_id.get(ref.snapshot_id)


def check(metadata: TableMetadata, asked: Asked, *, is_sorted: bool) -> Limits:
    """The limits by the options.

    Args:
        metadata: the table's.
        asked: the arguments.
        is_sorted: whether the table has a sort order.

    Raises:
        Refused: the call would be.
    """
    strategy = (asked.strategy or "binpack").lower()
    if strategy not in ("binpack", "sort"):
        raise Refused(f"unsupported strategy: {asked.strategy}. Only binpack or sort is supported")
    if asked.sort_order is not None and asked.strategy is not None and strategy == "binpack":
        raise Refused("Cannot set rewrite mode, it has already been set to")
    if asked.sorts and asked.sort_order is None and not is_sorted:
        raise Refused("Cannot sort data without a valid sort order")
    options = asked.options or {}
    known = _OPTIONS | (_SORT_OPTIONS if asked.sorts else frozenset())
    planner.check_options(options, known, "SORT" if asked.sorts else "BIN-PACK")
    return Limits.of(metadata, options)


@dataclass(frozen=True, slots=True)
class Limits:
    """All thresholds of one call.

    Attributes:
        deletes: so many deletes are enough to choose a file; ratio: such a share of masked rows is.
        files: at most so many files are rewritten; None for all.
        commits: at most so many commits, one if the work is not committed piece by piece.
    """

    sizes: Sizes
    deletes: int
    ratio: float
    files: int | None
    commits: int

    @classmethod
    def of(cls, metadata: TableMetadata, options: Mapping[str, str]) -> Limits:
        """By the options.

        Raises:
            Refused: a value that is none.
        """
        target = long_property(metadata, "write.target-file-size-bytes", _TARGET)
        sizes = Sizes.of(options, target)
        spec_id = planner.whole(options, "output-spec-id", metadata.default_spec_id or 0)
        if spec_id not in metadata.specs:
            raise Refused(
                f"Cannot use output spec id {spec_id} because the table does not contain a reference to this spec-id."
            )
        deletes = planner.whole(options, "delete-file-threshold", _INT)
        if deletes < 0:
            raise Refused(f"'delete-file-threshold' is set to {deletes} but must be >= 0")
        ratio = planner.fraction(options, "delete-ratio-threshold", 0.3)
        if ratio <= 0 or ratio > 1:
            sign = "> 0" if ratio <= 0 else "<= 1"
            raise Refused(f"'delete-ratio-threshold' is set to {ratio} but must be {sign}")
        files = planner.whole(options, "max-files-to-rewrite", LARGEST_LONG)
        if files <= 0:
            raise Refused(f"Cannot set max-files-to-rewrite to {files}, the value must be positive integer.")
        partial = planner.is_true(options, "partial-progress.enabled")
        commits = planner.whole(options, "partial-progress.max-commits", 10) if partial else 1
        return cls(sizes, deletes, ratio, files if "max-files-to-rewrite" in options else None, commits)


def long_property(metadata: TableMetadata, name: str, default: int) -> int:
    """A whole number of the table's properties."""
    text = metadata.properties.get(name)
    return default if text is None or not text.strip().isdecimal() else int(text)


def rewrite(metadata: TableMetadata, asked: Asked, limits: Limits, live: Live, at: datetime) -> DryRun:
    """What compacting would choose.

    Args:
        metadata: the table's.
        asked: the arguments.
        limits: what they come to.
        live: files of the snapshot that is compacted.
        at: now.
    """
    sizes = limits.sizes
    why = _reasons(metadata, asked, limits, live)
    places = _places(metadata, live.data)
    chosen = [(place, file) for place, file in places if sizes.every or why(file).chosen]
    together = planner.by_place(chosen)
    groups = [group for files in together for group in sizes.packed(files)]
    rewritten: list[list[StoredEntry]] = []
    effects: list[Effect] = [
        Effect.of_file("kept", file, sizes.left_alone) for _, file in places if not (sizes.every or why(file).chosen)
    ]
    for group in groups:
        weights = [file.file_size_in_bytes for file in group]
        if sizes.every or sizes.worthwhile(weights) or any(why(file).by_deletes for file in group):
            rewritten.append(group)
        else:
            effects += [Effect.of_file("kept", file, sizes.too_little(weights)) for file in group]
    rewritten, cut = _cut(rewritten, limits.files)
    effects += [Effect.of_file("kept", file, f"beyond max-files-to-rewrite {limits.files:,}") for file in cut]
    gone = {file.file_path for group in rewritten for file in group}
    effects = [
        *(
            Effect.of_file("rewritten", file, why(file).chosen or "rewrite-all")
            for group in rewritten
            for file in group
        ),
        *(_vector(delete) for delete in live.deletes if delete.kind == "deletion vector" and _names(delete) in gone),
        *effects,
    ]
    if rewritten and _is_tag(metadata, asked.branch):
        return refused(asked.call, at, f"{asked.branch} is a tag, not a branch")
    factor = planner.fraction(asked.options or {}, "compression-factor", 1.0) if asked.sorts else 1.0
    expected = [sizes.output_files(int(sum(f.file_size_in_bytes for f in group) * factor)) for group in rewritten]
    return DryRun(
        asked.call,
        at,
        effects=tuple(effects),
        expected_files=sum(expected) if rewritten else None,
        net_rows=0,
        consequences=tuple(_consequences(metadata, asked, limits, live, rewritten)),
        danger=_DANGER,
        undo=Call.of("rollback_to_snapshot", snapshot_id=metadata.current_snapshot_id)
        if rewritten and asked.branch in (None, "main")
        else None,
        undo_words=_undo(metadata, asked.branch) if rewritten else "",
        notes=tuple(_notes(asked, limits, live, len(groups) > len(together), rewritten)),
    )


def _is_tag(metadata: TableMetadata, name: str | None) -> bool:
    ref = metadata.refs.get(name or "")
    return ref is not None and ref.kind == "tag"


def _undo(metadata: TableMetadata, branch: str | None) -> str:
    of = head(metadata, branch)
    if branch in (None, "main") or of is None:
        return _UNDO
    back = f"ALTER TABLE … CREATE OR REPLACE BRANCH `{branch}` AS OF VERSION {of.snapshot_id}"
    return f"Point the branch back, as long as nothing else was committed to it since: {back}."


def _places(metadata: TableMetadata, data: Sequence[StoredEntry]) -> list[tuple[str | None, StoredEntry]]:
    """Each file with its partition of the current spec; all files of other specs lie in one, that of nulls alone."""
    default = metadata.default_spec_id
    several = any(file.spec_id != default for file in data)

    def place(file: StoredEntry) -> str | None:
        if file.spec_id != default or (several and _is_all_null(file.partition)):
            return None
        return file.partition

    return [(place(file), file) for file in data]


def _is_all_null(partition: str) -> bool:
    return all(value == "null" for _, value in partition_fields(partition))


@dataclass(frozen=True, slots=True)
class _Why:
    """Why a file is chosen, empty if it is not; and whether its deletes alone are enough for its group."""

    chosen: str
    by_deletes: bool


def _reasons(metadata: TableMetadata, asked: Asked, limits: Limits, live: Live) -> Callable[[StoredEntry], _Why]:
    """A function from a file to why it is chosen."""
    manifests = {m.path: m for m in live.listed}
    deletes = [delete_file(metadata, manifests[entry.manifest_path], entry) for entry in live.deletes]
    by_path: dict[str, list[DeleteFile]] = defaultdict(list)
    by_partition: dict[tuple[int, str], list[DeleteFile]] = defaultdict(list)
    everywhere: list[DeleteFile] = []
    for delete in deletes:
        if delete.scope == "one file":
            by_path[delete.data_file or ""].append(delete)
        elif delete.scope == "every file":
            everywhere.append(delete)
        else:
            by_partition[delete.spec_id, delete.partition].append(delete)
    keys = tuple({key.field_id: key for delete in deletes for key in delete.keys}.values())
    known: dict[str, _Why] = {}

    def applying(file: DataFile, some: Sequence[DeleteFile]) -> list[DeleteFile]:
        vectors = [d for d in by_path.get(file.file_path, ()) if d.kind == "deletion vector"]
        return [d for d in some if verdict(d, file, vectors=vectors).applies]

    def why(entry: StoredEntry) -> _Why:
        if entry.file_path not in known:
            file = data_file(manifests[entry.manifest_path], entry, keys)
            own = applying(file, by_path.get(entry.file_path, ()))
            masked = min(sum(d.record_count for d in own), entry.record_count)
            told = ""
            if own and entry.record_count and masked / entry.record_count >= limits.ratio:
                told = f"{masked / entry.record_count:.0%} of its rows are masked"
            elif asked.counts_deletes:
                place = file.spec_id, file.partition
                count = len(own) + len(applying(file, [*by_partition.get(place, ()), *everywhere]))
                told = f"{formats.count(count, 'delete')} on it" if count >= limits.deletes else ""
            odd = limits.sizes.odd_size(entry.file_size_in_bytes)
            known[entry.file_path] = _Why(odd or told, bool(told))
        return known[entry.file_path]

    return why


def _cut(groups: list[list[StoredEntry]], most: int | None) -> tuple[list[list[StoredEntry]], list[StoredEntry]]:
    if most is None:
        return groups, []
    kept: list[list[StoredEntry]] = []
    cut: list[StoredEntry] = []
    left = most
    for group in groups:
        if left:
            kept.append(group[:left])
        cut += group[left:]
        left -= min(left, len(group))
    return kept, cut


def _vector(delete: StoredEntry) -> Effect:
    return Effect.of_file("lost", delete, "its data file is written anew without the rows that it masks")


def _names(delete: StoredEntry) -> str:
    return delete.referenced_data_file or ""


def _consequences(
    metadata: TableMetadata, asked: Asked, limits: Limits, live: Live, rewritten: list[list[StoredEntry]]
) -> Iterator[str]:
    if live.left_out:
        others = formats.count(live.left_out, "further data file")
        yield f"{others} cannot hold a row with {asked.where}, and so are not looked at."
    if not rewritten:
        return
    commits = min(limits.commits, len(rewritten))
    yield f"{formats.count(len(rewritten), 'group')} of files, in {formats.count(commits, 'commit')}; no row changes."
    rate = commits_per_hour(metadata) if asked.branch in (None, "main") else None
    if rate is not None:
        yield (f"Main takes {rate:,.1f} commits an hour: one that deletes from a chosen file meanwhile makes it fail.")
    staying = [d for d in live.deletes if d.kind != "deletion vector"]
    if staying and not planner.is_true(asked.options or {}, "remove-dangling-deletes"):
        yield (
            f"{formats.count(len(staying), 'delete file')} stay live, whether or not they reach a file then:"
            " remove-dangling-deletes takes those away that do not."
        )


def commits_per_hour(metadata: TableMetadata, newest: int = 24) -> float | None:
    """Over the newest commits of main that are listed; None where there are too few."""
    line = [metadata.by_id[i] for i in Forest(metadata).lineage(metadata.current_snapshot_id)][:newest]
    times = [s.committed_at for s in line if s.committed_at is not None]
    if len(times) < 2 or times[0] <= times[-1]:
        return None
    return (len(times) - 1) / ((times[0] - times[-1]) / timedelta(hours=1))


def _notes(
    asked: Asked, limits: Limits, live: Live, several: bool, rewritten: list[list[StoredEntry]]
) -> Iterator[Note]:
    for unreadable in live.unreadable:
        yield Note(
            "unknown", "files of a manifest", f"{unreadable.path}: {unreadable.reason} The procedure would fail."
        )
    if live.doubt:
        yield Note(
            "inferred", "files that may hold such rows", f"All are taken for such, for the condition: {live.doubt}."
        )
    elif asked.where:
        yield Note("exact", "files that may hold such rows", "By partitions and bounds, as a scan plans them.")
    if limits.files is not None:
        yield Note("inferred", "which files come first", "Iceberg takes partitions in no order that one can tell.")
    elif several:
        yield Note("inferred", "how files are grouped", "In the order of manifests; Iceberg reads these side by side.")
    if rewritten:
        yield Note("inferred", "files afterwards", "By the bytes that are read; what is written compresses otherwise.")
