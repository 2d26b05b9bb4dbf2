"""What is known of a selected entry, or commit, among the manifests, as HTML. Everything from the table is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...model import formats
from ...model.entries import overview
from ...model.entries import words as entries_words
from ...model.entries.facts import Entries, ManifestEntries, ReadEntry
from ...model.iceberg.inheritance import Status, Value
from ...model.retries import words as retries_words
from ...model.retries.facts import Attempt, Retries
from ..actions import follow_file, open_commit
from ..files import file_key, identity, ids_and_paths, paths
from ..markup import actions, table, text


def entries_panel(entries: Entries, selected: str, opened: str = "") -> str:
    """Of the selected file each entry, stored beside read; of an opened manifest its row of the list; else of all.

    Args:
        entries: of the snapshot.
        selected: the shared state's file; empty if none.
        opened: location of the manifest that is opened, empty if none; a selected file in another one is not told of.
    """
    manifest = next((m for m in entries.manifests if m.manifest.path == opened), None)
    found = [
        read
        for m in (entries.manifests if manifest is None else [manifest])
        for read in m.entries
        if file_key(read.entry.file_path, read.entry.content_offset) == selected
    ]
    if found:
        return "".join(map(_entry, found))
    return _all(entries) if manifest is None else _manifest(manifest)


def _all(entries: Entries) -> str:
    wrong = "".join(f"<p><b>Contradiction</b>: {text(sentence)}</p>" for sentence in entries.contradictions)
    sentences = "".join(f"<p>{text(sentence)}</p>" for sentence in entries_words.closing(entries))
    counted = {"manifests": len(entries.manifests), "entries": entries.entry_count}
    counts = [(name, formats.count(None if entries.unreadable else count)) for name, count in counted.items()]
    ids = ids_and_paths(("manifest list", entries.snapshot.manifest_list))
    rules = _rules(entries.manifests) if entries.entry_count else ""
    return (
        f"<h3>{text(_heading(entries))}</h3>{sentences}{wrong}{table(counts)}{rules}{ids}"
        "<p>Click an entry, or a manifest to open it.</p>"
    )


def _rules(manifests: Sequence[ManifestEntries]) -> str:
    """How a reader comes to the data number, by what is stored, and how many entries there are of each."""
    lines = "".join(
        f"<tr><th>{line.status.name}, {'<i>null</i>' if line.is_null else 'stored'}</th><td>{line.read_as}</td>"
        f"<td>{line.count:,}{' ✓' if line.is_error and not line.count else ''}</td></tr>"
        for line in overview.rule_lines(manifests)
    )
    head = "<tr><th>in the entry</th><td>read as</td><td>entries</td></tr>"
    return f'<h4>The rule for the data number</h4><table class="iceberg-counts">{head}{lines}</table>'


def _manifest(of: ManifestEntries) -> str:
    m = of.manifest
    counts = " · ".join(
        f"{'?' if count is None else f'{count:,}'} {word}"
        for count, word in (
            (m.added_files_count, "added"),
            (m.existing_files_count, "existing"),
            (m.deleted_files_count, "deleted"),
        )
    )
    rows = [
        ("holds", text(entries_words.manifest_words(of))),
        ("number in the list", _listed(m.sequence_number)),
        ("smallest live", _listed(m.min_sequence_number)),
        ("entries, by the list", counts),
        ("first row id", _listed(m.first_row_id)),
        ("length", formats.size(m.length)),
        ("spec", formats.count(m.partition_spec_id)),
    ]
    found = overview.origins([of])
    said = ", ".join(f"{found[name]:,} {entries_words.ORIGIN_WORDS[name]}" for name in overview.ORIGINS if found[name])
    finding = f"Its data numbers: {said}." if said else of.unreadable or "It has no entry."
    wrong = "".join(f"<p><b>Contradiction</b>: {text(sentence)}</p>" for sentence in of.contradictions)
    heading = f"{'Manifest' if not m.sequence_number else f'Manifest of {m.sequence_number:,}'}: " + (
        "cannot be read" if of.unreadable else formats.count(of.entry_count, "entry")
    )
    steps = actions(open_commit(m.added_snapshot_id)) if m.added_snapshot_id is not None else ""
    rules = "" if of.unreadable else _rules([of])
    ids = ids_and_paths(("manifest", m.path), ("written by", m.added_snapshot_id))
    return f"<h3>{heading}</h3><p>{text(finding)}</p>{wrong}{steps}{table(rows)}{rules}{ids}"


def _listed(number: int | None) -> str:
    return "not stored" if number is None else f"{number:,}"


def _heading(entries: Entries) -> str:
    if entries.contradictions:
        return formats.count(len(entries.contradictions), "contradiction") + " in what the manifests store"
    if entries.unreadable:
        return "What the manifests store is known in part"
    return f"{formats.count(entries.entry_count, 'entry')}, no contradiction"


def _entry(read: ReadEntry) -> str:
    entry, resolved = read.entry, read.resolved
    stored = [
        ("snapshot id", entry.stored_snapshot_id, resolved.snapshot_id),
        ("data sequence number", entry.stored_sequence_number, resolved.data_sequence_number),
        ("file sequence number", entry.stored_file_sequence_number, resolved.file_sequence_number),
        ("first row id", entry.stored_first_row_id, resolved.first_row_id),
    ]
    numbers = "".join(_number(name, was, value) for name, was, value in stored)
    known = [was for _, was, value in stored if value.value is not None]
    nulls = known.count(None)
    finding = f"{nulls} of {len(known)} numbers not stored" if nulls else f"all {len(known)} numbers stored"
    return (
        f"<h3>{text(f'{Status(entry.status).name} {entry.kind}: {finding}')}</h3>"
        f"<table><tr><th></th><th>stored</th><th>read as</th></tr>{numbers}</table>"
        + actions(*_next_steps(read))
        + table(row for row in identity(entry, resolved) if "number" not in row[0] and row[0] != "first row id")
        + paths(entry)
    )


def _next_steps(read: ReadEntry) -> Iterable[str]:
    yield follow_file(file_key(read.entry.file_path, read.entry.content_offset))
    if (snapshot_id := read.resolved.snapshot_id.value) is not None:
        yield open_commit(snapshot_id)


def _number(name: str, stored: int | None, value: Value) -> str:
    style = "d" if name == "snapshot id" else ","  # an id has no thousands
    was = "<i>null</i>" if stored is None else format(stored, style)
    read = "unknown" if value.value is None else format(value.value, style)
    return f"<tr><th>{name}</th><td>{was}</td><td>{read}<br><i>{text(value.rule)}</i></td></tr>"


def retries_panel(retries: Retries, selected: str) -> str:
    """Of the selected commit how often it was tried and to whom it lost; without one how many lost.

    Args:
        retries: of the table.
        selected: the shared state's snapshot; empty if none.
    """
    attempt = next((a for a in retries.attempts if str(a.snapshot.snapshot_id) == selected), None)
    if attempt is None:
        rows = [
            ("commits", formats.count(len(retries.attempts))),
            ("tried more than once", formats.count(len(retries.retried))),
        ]
        return f"<h3>No commit selected</h3>{table(rows)}<p>Click a commit to see its attempts.</p>"
    return _attempt(attempt, retries)


def _attempt(attempt: Attempt, retries: Retries) -> str:
    ids = retries_words.short_ids(retries)
    s = attempt.snapshot
    tried = "not recorded" if attempt.attempt is None else f'{attempt.attempt} <b class="iceberg-inferred">inferred</b>'
    rows = [
        ("sequence number", f"{s.sequence_number:,}"),
        ("committed", text(formats.instant(s.committed_at))),
        ("attempt", tried),
        *(("lost to", text(retries_words.named(rival, ids))) for rival in attempt.rivals),
        *(("lost list", f"<code>{text(name)}</code>") for name in attempt.lost_lists),
    ]
    origins = "".join(
        f"<p><code>{text(origin.manifest.path.rsplit('/', 1)[-1])}</code>: {text(origin.reason)}</p>"
        for origin in attempt.origins or ()
    )
    own = ids_and_paths(("snapshot", str(s.snapshot_id)))
    heading = text(retries_words.named(s, ids))
    return f"<h3>{heading}</h3>{actions(open_commit(s.snapshot_id))}{table(rows)}{origins}{own}"
