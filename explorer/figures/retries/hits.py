"""What the pointer is told about attempts, and the marks of the selected commit: a ring and a halo around its line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...model import formats
from ...model.iceberg.metadata import Snapshot
from ...model.retries import words as retries_words
from ...model.retries.facts import Attempt, Origin, Retries
from ...model.retries.words import Try
from ..page.fold import Part
from ..page.hits import elsewhere, halo, opening, ring
from ..page.scene import Box, Scene, Selection
from ..page.text import cut, escape, shorten
from .lines import ONE_BY_ONE


def commit(attempt: Attempt, ids: Mapping[int, str]) -> str:
    """The commit, its time, its attempts, and whom it lost to."""
    s = attempt.snapshot
    rivals = ", ".join(retries_words.named(r, ids) for r in attempt.rivals)
    lines = [
        f"<b>snapshot</b> {s.snapshot_id}",
        _number(s),
        retries_words.outcome(attempt, ids)[-1] + (" (inferred from its list's name)" if attempt.attempt else ""),
        f"lost to {cut(rivals)}" if rivals else "",
        _unknown(attempt),
        "click: its attempts",
    ]
    return "<br>".join(escape(line) if i > 1 else line for i, line in enumerate(lines) if line)


def _unknown(attempt: Attempt) -> str:
    note = next((note for note in attempt.notes if note.certainty == "unknown"), None)
    return cut(str(note)) if note else ""


def _number(s: Snapshot) -> str:
    number = f"sequence number {s.sequence_number:,} · " if s.sequence_number else ""
    return f"{number}{s.operation or 'operation not recorded'} · {formats.instant(s.committed_at)}"


def commits(attempts: Sequence[Attempt]) -> str:
    """Several commits in a row."""
    first, last = attempts[0].snapshot, attempts[-1].snapshot
    retried = sum(a.was_retried for a in attempts)
    return "<br>".join(
        [
            f"<b>{formats.count(len(attempts), 'commit')}</b>",
            f"from {formats.instant(first.committed_at)}",
            f"to {formats.instant(last.committed_at)}",
            f"{retried:,} tried more than once",
            "click: one by one",
        ]
    )


def tried(attempt: Try) -> str:
    """One attempt."""
    lines = [
        f"<b>attempt {attempt.number:,}</b> (inferred)",
        *([escape(cut(attempt.manifest_list))] if attempt.manifest_list else []),
    ]
    if attempt.rival is not None:
        lines.append(f"lost to snapshot {attempt.rival.snapshot_id}")
        lines.append(_number(attempt.rival))
    return "<br>".join(lines)


def rival(of: Snapshot) -> str:
    """A commit that was faster."""
    return "<br>".join([f"<b>snapshot</b> {of.snapshot_id}", _number(of), "click: its attempts"])


def origin(of: Origin, attempt: Attempt) -> str:
    """A manifest and which attempt wrote it."""
    at = f"written {formats.instant(of.written_at)}, says the storage" if of.written_at else ""
    lines = [
        f"<b>manifest</b> · {retries_words.origin_words(of, attempt)[0]}",
        escape(cut(of.manifest.path)),
        escape(cut(of.reason)),
        at,
        formats.size(of.manifest.length),
    ]
    return "<br>".join(line for line in lines if line)


def selection(scene: Scene, retries: Retries, *, selected: str | None = None) -> Selection:
    """The marks in a drawing of these attempts; cheap, since every place is read from it.

    A commit that is told together with others is named, and the words lead to its line.
    """
    meta, theme = scene.meta, scene.theme
    boxes = [Box(*box) for box in meta["places"].get(selected, ())] if selected else []
    words = opens = ""
    if selected and not boxes:
        at = next((i for i, a in enumerate(retries.attempts) if str(a.snapshot.snapshot_id) == selected), None)
        where = "not listed in this table" if at is None else "not in view ▸"
        words = f"selected {formats.end_of_id(selected)}: {where}"
        opens = "" if at is None else str(Part(at, ONE_BY_ONE))
    x, y, room = meta["elsewhere"]
    hover = "click: go there" if opens else "only commits that the metadata lists are drawn"
    shown = shorten(words, 11.5, room, bold=True)
    layers = ring(boxes, theme), elsewhere(x, y, shown, opening(opens), hover, theme, side="left")
    return Selection(halo(boxes[0] if boxes else None, theme), layers)
