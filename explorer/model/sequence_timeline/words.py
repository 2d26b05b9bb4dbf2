"""What a sequence timeline says, in words: the finding, its circumstances, and of each file what decides.

Used by the picture, the panel and the terminal alike, so that they tell the same story. Of every pair of a delete and
a data file the verdict is that of `delete_scope`; the timeline knows no column statistics, so that they rule out
nothing here, and that is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

from .. import formats
from ..iceberg.delete_scope import DeleteKey
from ..iceberg.inheritance import ContentKind
from ..words import enumerated, partition_name
from .facts import Band, FileLifetime, Timeline, Window
from .scopes import Scopes, State, number

Names = Mapping[DeleteKey, str]
"""Short names of files, by path and content offset."""

JUDGED = 60
"""Files of which every pair is judged one by one; of more, the sums of the bands tell."""

MAY_BE_LOST = "a manifest of data files could not be read, and may hold what it reaches"

DELETES: Mapping[ContentKind, str] = {
    "equality deletes": "equality delete",
    "position deletes": "position delete",
    "deletion vector": "deletion vector",
}


def find(timeline: Timeline, key: DeleteKey | None) -> FileLifetime | None:
    """The file of a key, among those at hand; of several lifetimes of it the one that is live, else the last."""
    lifetimes = [file for file in timeline.files if file.key == key]
    return next((file for file in lifetimes if file.is_live), lifetimes[-1] if lifetimes else None)


def is_bands(timeline: Timeline, most: int) -> bool:
    """Whether files are told in sums: so many have no room one by one, or of several partitions no words."""
    several = timeline.window.partition is None and len(timeline.bands) > 1
    return timeline.file_count > (JUDGED if several else most) or not timeline.is_complete


# --- the finding -----------------------------------------------------------------------------------------------------


def title(scopes: Scopes, names: Names, selected: FileLifetime | None = None) -> str:
    """The finding: of the selected file, or of everything that is live."""
    if selected is not None:
        return (_of_data if selected.kind == "data" else _of_delete)(scopes, names, selected)
    if not scopes.timeline.total_files:
        return _nothing(scopes.timeline)
    if scopes.timeline.unreadable and scopes.timeline.as_of is not None:
        return f"What is live at {scopes.short_ids[scopes.timeline.as_of.snapshot_id]} is not known"
    lost = _lost(scopes.timeline)
    bands = scopes.timeline.in_window
    is_one = len(bands) == 1 < len(scopes.timeline.bands)
    told = _of_partition(scopes.timeline, bands[0]) if is_one else _of_all(scopes)
    return told + (f"; some {lost} could not be read" if lost else "")


def _lost(timeline: Timeline) -> str:
    """Of what there is more, in manifests that could not be read: `data files and deletes`; empty if all could."""
    lacks = ((timeline.lacks_data_files, "data files"), (timeline.lacks_deletes, "deletes"))
    return enumerated([name for is_lacking, name in lacks if is_lacking])


def _of_all(scopes: Scopes) -> str:
    data, deletes = live_data_files(scopes.timeline), live_delete_files(scopes.timeline)
    dangling, unknown = _idle(scopes)
    files = formats.count(data, "live data file")
    if dangling and unknown:
        return f"At least {dangling:,} of {deletes:,} live deletes reach nothing; of {unknown:,} it is unknown"
    if dangling:
        return _dangling(dangling, deletes)
    if unknown:
        return f"What {unknown:,} of {formats.count(deletes, 'live delete')} reach is unknown"
    if deletes:
        every = "The one live delete reaches" if deletes == 1 else f"Every one of {deletes:,} live deletes reaches"
        return f"{every} live data; {files}"
    older = [file for file in scopes.timeline.files if file.is_live and file.kind == "data" and counts_as_older(file)]
    if older:
        verb = "counts" if len(older) == 1 else "count"
        return f"{len(older):,} of {files} {verb} as older than the commit that wrote it"
    if not scopes.timeline.numbered:
        return f"{files}, all with the sequence number 0: every commit was made as version 1"
    return f"{files} and no live delete"


def _of_partition(timeline: Timeline, band: Band) -> str:
    """What is live of the one partition that is told, and which of its deletes reach nothing."""
    files = formats.count(band.live_data_files, "live data file")
    told = f"{timeline.naming.names(band)[0]} holds {files}"
    if not band.live_delete_files:
        return f"{told} and no live delete"
    if band.dangling:
        return f"{told}; {_dangling(band.dangling, band.live_delete_files)}"
    unknown = f", of which {band.unknown:,} may reach nothing" if band.unknown else ""
    return f"{told} and {formats.count(band.live_delete_files, 'live delete')}{unknown}"


def _nothing(timeline: Timeline) -> str:
    if not timeline.commits:
        return "No snapshot yet, so no file"
    return "No file is known, but not all could be read" if lacks_parts(timeline) else "No file in any snapshot"


def why_empty(timeline: Timeline) -> str:
    """A sentence in place of files, where none is to be told."""
    if not timeline.commits:
        return "The table has no snapshot yet. The first commit that adds a file begins the timeline."
    if timeline.total_files:
        return "No file of the history lies in this part of it."
    commits = formats.count(len(timeline.commits), "commit")
    if lacks_parts(timeline):
        return f"{commits}, and no file in what could be read of them: the notes say what is missing."
    return f"{commits} and no file: nothing was ever added."


def lacks_parts(timeline: Timeline) -> bool:
    """Whether a part of the history could not be read, or is expired."""
    return any(note.certainty == "unknown" for note in timeline.notes)


def _idle(scopes: Scopes) -> tuple[int, int]:
    """Live deletes that reach nothing, and those of which that is unknown: by each pair, or by scope and number."""
    timeline = scopes.timeline
    if not is_judged(timeline):
        fronts = [front for band in timeline.bands for front in band.fronts]
        return sum(front.dangling for front in fronts), sum(front.unknown for front in fronts)
    live = [file for file in timeline.files if file.is_live]
    data = [file for file in live if file.kind == "data"]
    verdicts = [[scopes.verdict(file, one).applies for one in data] for file in live if file.kind != "data"]
    idle = [found for found in verdicts if True not in found]
    if timeline.lacks_data_files:
        return 0, len(idle)  # a manifest that could not be read may hold what they reach
    return sum(None not in found for found in idle), sum(None in found for found in idle)


def is_judged(timeline: Timeline) -> bool:
    """Whether every pair of the whole table is judged, so that vectors that supersede position deletes count."""
    return timeline.is_complete and timeline.file_count == timeline.total_files <= JUDGED


def _dangling(dangling: int, deletes: int) -> str:
    if dangling == deletes:
        reaches = "The one live delete reaches" if deletes == 1 else f"All {deletes:,} live deletes reach"
        return f"{reaches} nothing: dangling"
    verb = "reaches nothing: it is" if dangling == 1 else "reach nothing: they are"
    return f"{dangling:,} of {deletes:,} live deletes {verb} dangling"


def _of_delete(scopes: Scopes, names: Names, delete: FileLifetime) -> str:
    who = f"{DELETES[delete.kind].capitalize()} {names[delete.key]}"
    now = scopes.state(delete)
    live = [file for file in scopes.timeline.files if file.kind == "data" and file.is_live]
    if now != "live":
        once = [f for f in scopes.timeline.files if f.kind == "data" and scopes.reached_once(delete, f)]
        reached = formats.count(len(once), "data file")
        return f"{who} {_where(scopes, delete, now)}" + (f"; it reached {reached}" if now == "removed" else "")
    reached_now = [file for file in live if scopes.verdict(delete, file).applies]
    unknown = sum(scopes.verdict(delete, file).applies is None for file in live)
    if not reached_now and unknown:
        return f"What {who[0].lower()}{who[1:]} reaches is unknown: {formats.count(unknown, 'file')} cannot be judged"
    if not reached_now and scopes.timeline.lacks_data_files:
        return f"What {who[0].lower()}{who[1:]} reaches is unknown: {MAY_BE_LOST}"
    if not reached_now:
        return f"{who} reaches nothing: {why_nothing(scopes, delete)}"
    of = f"{len(reached_now):,} of {formats.count(len(live), 'live data file')}"
    drawn = " in this window" if is_partial(scopes, delete) else ""
    alone = f": {names[reached_now[0].key]}" if len(reached_now) == 1 else ""
    unsure = f"; of {unknown:,} it is unknown" if unknown else ""
    return f"{who} reaches {of}{drawn}{alone}{unsure}"


def _of_data(scopes: Scopes, names: Names, data: FileLifetime) -> str:
    who, now = f"Data file {names[data.key]}", scopes.state(data)
    if now != "live":
        once = [f for f in scopes.timeline.files if f.kind != "data" and scopes.reached_once(f, data)]
        reached = formats.count(len(once), "delete")
        return f"{who} {_where(scopes, data, now)}" + (f"; {reached} reached it" if now == "removed" and once else "")
    live = [file for file in scopes.timeline.files if file.kind != "data" and file.is_live]
    verdicts = [(file, scopes.verdict(file, data)) for file in live]
    reaching = [file for file, found in verdicts if found.applies]
    if not reaching:
        return f"No delete reaches data file {names[data.key]}" + (f", of {len(live):,} live ones" if live else "")
    alone = f": {names[reaching[0].key]}" if len(reaching) == 1 else ""
    return f"{who} is reached by {len(reaching):,} of {formats.count(len(live), 'live delete')}{alone}"


def _where(scopes: Scopes, file: FileLifetime, now: State) -> str:
    """What became of a file that is not live."""
    if now == "removed":
        return f"was removed {scopes.at(file.removed_sequence_number, file.removed_snapshot_id)}"
    if now == "later":
        return f"came later, {scopes.at(file.added_sequence_number, file.added_snapshot_id)}"
    if now == "elsewhere":
        return f"is not on {scopes.timeline.line_name or 'this line'}: {where_else(file)}"
    return "may be live or not: that is unknown"


def circumstances(scopes: Scopes, name: str, names: Names, selected: FileLifetime | None) -> list[str]:
    """The second line in parts: table, snapshot, what is drawn, what makes the finding, and how sure it is."""
    parts = [name]
    if scopes.timeline.as_of is not None:
        of = scopes.timeline.as_of
        numbered = f" (sequence number {of.sequence_number:,})" if of.sequence_number else ""
        line = f" on {scopes.timeline.line_name}" if scopes.timeline.line_name else ""
        parts.append(f"as of snapshot {scopes.short_ids[of.snapshot_id]}{numbered}{line}")
    if scopes.timeline.total_files:
        if not scopes.timeline.unreadable:
            parts.append(live_words(scopes.timeline))
        parts += [f"{formats.count(scopes.timeline.total_files, 'file')} in its history", *_window(scopes.timeline)]
    if selected is not None and counts_as_older(selected):
        parts.append(f"{names[selected.key]} {counting(selected)}")
    elif selected is not None and selected.kind != "data":
        parts += _older_reached(scopes, names, selected)
    return [*parts, evidence(scopes.timeline)[1]]


def _older_reached(scopes: Scopes, names: Names, delete: FileLifetime) -> list[str]:
    """The files that are reached only because they count as older than they are."""
    found = [
        (file, scopes.verdict(delete, file))
        for file in scopes.timeline.files
        if file.kind == "data" and file.is_live and counts_as_older(file)
    ]
    reached = [(file, verdict) for file, verdict in found if verdict.applies]
    if len(reached) != 1:
        return [f"{len(reached):,} of them count as older than they are"] if reached else []
    file, verdict = reached[0]
    sequence = verdict.clause("sequence")
    return [f"{names[file.key]} {counting(file)}" + (f", and {sequence.words}" if sequence else "")]


def _window(timeline: Timeline) -> Iterator[str]:
    """Which part of the history is drawn, if not all of it."""
    window = timeline.window
    if window == Window():
        return
    files = f"here {formats.count(timeline.file_count, 'file')}"
    if window.partition is not None:
        files += f" of {partition_name(window.spec_id or 0, window.partition)}"
    yield files
    if window.first is not None or window.last is not None:
        first = "the first" if window.first is None else f"{window.first:,}"
        last = "the last" if window.last is None else f"{window.last:,}"
        yield f"numbers {first} to {last}" + ("" if window.through else ", which came, went or count there")


def evidence(timeline: Timeline) -> tuple[Literal["exact", "inferred", "unknown"], str]:
    """How sure the picture is, as a word and as a phrase that begins with that word."""
    if timeline.unreadable:
        return "unknown", "unknown: what is live here"
    unknown = sum(map(_is_unknown, timeline.files))
    deletes = sum(band.unknown for band in timeline.bands)
    unreadable_files = sum(bool(commit.unreadable) for commit in timeline.commits)
    counts = ((unknown, "file"), (0 if unknown else deletes, "delete"), (unreadable_files, "commit"))
    parts, lost = enumerated([formats.count(n, unit) for n, unit in counts if n]), _lost(timeline)
    found = [*([f"parts of {parts}"] if parts else []), *([f"{lost} that could not be read"] if lost else [])]
    if found:
        return "unknown", f"unknown: {', and '.join(found)}"
    absent = sum(any(removal.evidence == "absence" for removal in file.removals) for file in timeline.files)
    if absent:
        return "inferred", f"inferred: the removal of {formats.count(absent, 'file')}"
    if live_delete_files(timeline):
        return "exact", f"exact: reached by {COUNTED_BY}; column statistics not compared (Deletes does)"
    return "exact", "exact"


def _is_unknown(file: FileLifetime) -> bool:
    """Whether something is not known of a file: where it lives, who removed it, or its number."""
    is_unknown = file.removal is not None and file.removal.evidence == "unknown"
    inferred = {removal.reason for removal in file.removals if removal.evidence == "absence"}
    unsure = not inferred.issuperset(file.notes)
    return file.is_live is None or is_unknown or unsure or file.data_sequence_number.value is None


def closing(timeline: Timeline, drawn: Collection[FileLifetime]) -> list[str]:
    """How to read what is drawn; only of what occurs."""
    sentences = []
    kinds = {file.kind for file in drawn}
    if "equality deletes" in kinds:
        sentences.append(
            "An equality delete reaches strictly older data: its front stands on the left edge of its column."
        )
    if kinds & {"position deletes", "deletion vector"}:
        sentences.append(
            "Position deletes and deletion vectors reach data of their own commit too: their front stands on the right "
            "edge."
        )
    if any(counts_as_older(file) for file in drawn if file.kind == "data"):
        sentences.append("The data sequence number decides what is reached, never the file sequence number.")
    if drawn and not timeline.numbered:
        sentences.append(
            "Format version 1 has no sequence numbers: every file reads as 0, and columns are in commit order."
        )
    return [" ".join(sentences)] if sentences else []


# --- a file ----------------------------------------------------------------------------------------------------------


def counts_as_older(file: FileLifetime) -> bool:
    """Whether its data sequence number is below its file sequence number, as of a compacted file."""
    data, own = file.data_sequence_number.value, file.file_sequence_number.value
    return data is not None and own is not None and data < own


def counting(file: FileLifetime) -> str:
    """`was written at 8 but counts as 6`."""
    return f"was written at {number(file.file_sequence_number)} but counts as {number(file.data_sequence_number)}"


def where_else(file: FileLifetime) -> str:
    """Where a file lives that is not on the line."""
    return f"only on {', '.join(file.live_on[:3])}" if file.live_on else "on no branch or tag any more"


def outcome(scopes: Scopes, file: FileLifetime) -> str:
    """What became of a file, in a few words: `live`, `removed at 8`, `only on audit`."""
    now = scopes.state(file)
    if now == "removed":
        return f"removed {scopes.at(file.removed_sequence_number, file.removed_snapshot_id)}"
    if now == "later":
        return f"added later, {scopes.at(file.added_sequence_number, file.added_snapshot_id)}"
    if now == "elsewhere":
        return where_else(file)
    if now == "unknown":
        return "unknown whether it is live"
    others = [n for r in file.removals if r != file.removal and (n := r.sequence_number) is not None]
    return f"live; removed on another branch at {formats.ranges(others)}" if others else "live"


def is_partial(scopes: Scopes, delete: FileLifetime) -> bool:
    """Whether a delete may reach files that are not at hand."""
    window = scopes.timeline.window
    if not scopes.timeline.is_complete or window.first is not None or window.last is not None:
        return True
    return window.partition is not None and delete.scope == "every file"


def why_nothing(scopes: Scopes, delete: FileLifetime) -> str:
    """Why a live delete reaches no live data file at hand."""
    if delete.referenced_data_file is not None:
        lifetimes = [file for file in scopes.timeline.files if file.file_path == delete.referenced_data_file]
        if not lifetimes:
            return "the file it names is not among these"
        if not any(file.is_live for file in lifetimes):
            return f"the file it names {_where(scopes, lifetimes[-1], scopes.state(lifetimes[-1]))}"
    in_scope = [
        file for file in scopes.timeline.files if file.kind == "data" and file.is_live and scopes.places(delete, file)
    ]
    if not in_scope:
        return "no live data file lies in its partition"
    if any(scopes.verdict(delete, file).decided_by == "deletion vector" for file in in_scope):
        return "a deletion vector takes its place"
    known = [n for f in in_scope if (n := f.data_sequence_number.value) is not None]
    if not known:
        return "the numbers of the files in its scope are unknown"
    sign = "<" if delete.kind == "equality deletes" else "≤"
    return f"oldest live number there is {min(known):,}, not {sign} {number(delete.data_sequence_number)}"


COUNTED_BY = "live, spec, partition or path, sequence, vector"
"""The clauses by which a delete counts as reaching: those of Deletes, but for statistics."""

# --- bands -----------------------------------------------------------------------------------------------------------


def live_data_files(timeline: Timeline) -> int:
    """On the line, at the timeline's snapshot."""
    return sum(band.live_data_files for band in timeline.bands)


def live_delete_files(timeline: Timeline) -> int:
    """Delete files and deletion vectors, likewise."""
    return sum(band.live_delete_files for band in timeline.bands)


def live_words(timeline: Timeline) -> str:
    """`214 live data files, ≈ 44 live deletes`."""
    data = formats.count(live_data_files(timeline), "live data file")
    deletes = formats.count(live_delete_files(timeline), "live delete")
    return f"{'≈ ' * timeline.lacks_data_files}{data}, {'≈ ' * timeline.lacks_deletes}{deletes}"


def summary(scopes: Scopes, files: Sequence[FileLifetime]) -> str:
    """`12 live, 30 removed` of some files."""
    counts: dict[str, int] = {}
    words = {"live": "live", "removed": "removed", "later": "later", "elsewhere": "elsewhere", "unknown": "unknown"}
    for file in files:
        word = words[scopes.state(file)]
        counts[word] = counts.get(word, 0) + 1
    return ", ".join(f"{n:,} {word}" for word, n in counts.items())
