"""The marks of the pictures as small SVG, for a page that explains them; shapes and colours are the pictures' own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .theme import Theme

_SIZE = 22  # pixels, wide and high


@dataclass(frozen=True, slots=True)
class Glyph:
    """One mark.

    Attributes:
        words: what it means.
        shape: SVG with the names of the theme's colours in braces.
    """

    words: str
    shape: str

    def svg(self, theme: Theme) -> str:
        """The mark in the colours of a theme."""
        colours = {
            "added": theme.added.fill,
            "changed": theme.changed.fill,
            "removed": theme.removed.fill,
            "moved": theme.moved.fill,
            "attention": theme.attention.fill,
            "error": theme.error,
            "ink": theme.ink,
            "page": theme.page,
            "halo": theme.halo,
        }
        return (
            f'<svg width="{_SIZE}" height="{_SIZE}" viewBox="0 0 {_SIZE} {_SIZE}" aria-hidden="true">'
            f"{self.shape.format(**colours)}</svg>"
        )


_APPEND = Glyph("append: rows were added", '<circle cx="11" cy="11" r="6" fill="{added}"/>')
_OVERWRITE = Glyph("overwrite: rows were changed", '<rect x="5" y="5" width="12" height="12" fill="{changed}"/>')
_DELETE = Glyph("delete: rows were removed", '<path d="M4 6H18L11 18Z" fill="{removed}"/>')
_REPLACE = Glyph("replace: other files, the same rows", '<path d="M11 3L19 11L11 19L3 11Z" fill="{moved}"/>')
_STAGED = Glyph(
    "staged: no branch ever held it",
    '<circle cx="11" cy="11" r="5.5" fill="{page}" stroke="{added}" stroke-width="2"/>',
)
_FADED = Glyph(
    "rolled back: no branch or tag holds it any more", '<circle cx="11" cy="11" r="6" fill="{added}" opacity="0.38"/>'
)
_SELECTED = Glyph(
    "selected",
    '<circle cx="11" cy="11" r="8.5" fill="{halo}" stroke="{ink}"/><circle cx="11" cy="11" r="5" fill="{added}"/>',
)
_KEPT = Glyph("kept: not touched", '<rect x="3" y="6" width="16" height="10" fill="{page}" stroke="{moved}"/>')
_CARRIED = Glyph(
    "carried over: written again unchanged",
    '<rect x="3" y="6" width="16" height="10" fill="{page}" stroke="{moved}"/>'
    '<path d="M3 12L9 6M6 16L16 6M12 16L19 9" stroke="{moved}" fill="none"/>',
)
_INSERTED = Glyph("inserted", '<rect x="3" y="6" width="16" height="10" fill="{added}"/>')
_UPDATED = Glyph("updated", '<rect x="3" y="6" width="16" height="10" fill="{changed}"/>')
_MASKED = Glyph("deleted, or masked by a delete", '<rect x="3" y="6" width="16" height="10" fill="{removed}"/>')
_EXACT = Glyph("solid: read or computed", '<path d="M2 11H20" stroke="{ink}" stroke-width="2"/>')
_INFERRED = Glyph(
    "dashed: inferred by a named convention",
    '<path d="M2 11H20" stroke="{ink}" stroke-width="2" stroke-dasharray="5 3"/>',
)
_UNKNOWN = Glyph(
    "dotted: unknown, or expired", '<path d="M2 11H20" stroke="{ink}" stroke-width="2" stroke-dasharray="1.5 3"/>'
)
_FILE_LIFE = Glyph(
    "the life of a file: its number where it begins",
    '<path d="M3 6V16M3 11H19" stroke="{ink}" stroke-width="2" fill="none"/>',
)
_STORED = Glyph("number stored in the manifest", '<circle cx="11" cy="11" r="5" fill="{ink}"/>')
_INHERITED = Glyph(
    "null in the manifest, inherited", '<circle cx="11" cy="11" r="5" fill="{page}" stroke="{ink}" stroke-width="2"/>'
)
_HEAT = Glyph(
    "darker: more",
    '<rect x="2" y="7" width="6" height="9" fill="{moved}" opacity="0.3"/>'
    '<rect x="8" y="7" width="6" height="9" fill="{moved}" opacity="0.6"/>'
    '<rect x="14" y="7" width="6" height="9" fill="{moved}"/>',
)

_CAPSULE = Glyph(
    "×19: so many commits folded; the bar tells what they did",
    '<rect x="1.5" y="4" width="19" height="14" rx="7" fill="{page}" stroke="{ink}"/>'
    '<path d="M5 14H13" stroke="{added}" stroke-width="3"/><path d="M13 14H17" stroke="{changed}" stroke-width="3"/>',
)
_CURRENT = Glyph("current: the head of main", '<rect x="1" y="5" width="20" height="12" rx="6" fill="{ink}"/>')
_HEAD = Glyph(
    "the head of another branch",
    '<rect x="1.5" y="5.5" width="19" height="11" rx="5.5" fill="{page}" stroke="{ink}" stroke-width="1.5"/>',
)
_TAG = Glyph(
    "tag", '<path d="M6 20V3" stroke="{ink}" stroke-width="1.5"/><path d="M6 3H18L14 7L18 11H6Z" fill="{ink}"/>'
)
_FINDING = Glyph("a finding: worth a look", '<path d="M11 4L19 18H3Z" fill="{attention}"/>')
_A = Glyph(
    "A: the selected commit; of two the ancestor",
    '<circle cx="11" cy="11" r="8" fill="{ink}"/>'
    '<text x="11" y="15" text-anchor="middle" font-size="11" font-weight="700" fill="{page}">A</text>',
)
_B = Glyph(
    "B: the one compared with it",
    '<circle cx="11" cy="11" r="7.5" fill="{page}" stroke="{ink}" stroke-width="1.5"/>'
    '<text x="11" y="15" text-anchor="middle" font-size="11" font-weight="700" fill="{ink}">B</text>',
)
_GRAVE = Glyph(
    "wrong answers, or nothing can be read",
    '<rect x="3" y="3" width="16" height="16" rx="4" fill="{error}"/><path d="M11 6V12M11 14.5V16" stroke="{page}"'
    ' stroke-width="2"/>',
)
_COSTLY = Glyph("slow, or costly", '<rect x="3" y="3" width="16" height="16" rx="4" fill="{attention}"/>')
_SINCE = Glyph(
    "the commits of the line, and from which one on it is so",
    '<path d="M1 11H10" stroke="{moved}" stroke-width="2"/><path d="M10 11H21" stroke="{error}" stroke-width="4"/>'
    '<path d="M10 4V18" stroke="{error}" stroke-width="3"/>',
)
_CANNOT = Glyph(
    "a commit that cannot have changed the answer",
    '<circle cx="11" cy="11" r="4" fill="{page}" stroke="{moved}" stroke-width="1.5"/>',
)
_ORDER = Glyph(
    "the order in which snapshots were asked",
    '<circle cx="11" cy="11" r="9" fill="{ink}"/>'
    '<text x="11" y="15" text-anchor="middle" font-size="11" font-weight="700" fill="{page}">1</text>',
)
_ASSUMED = Glyph(
    "dotted: assumed, not asked", '<path d="M2 11H20" stroke="{moved}" stroke-width="2" stroke-dasharray="2 4"/>'
)
_REMOVED = Glyph("removed for good", '<rect x="3" y="6" width="16" height="10" fill="{removed}"/>')
_LOST_TO_MAIN = Glyph(
    "lost to main, still stored",
    '<rect x="3" y="6" width="16" height="10" fill="{page}" stroke="{removed}"/>'
    '<path d="M3 12L9 6M6 16L16 6M12 16L19 9" stroke="{removed}" fill="none"/>',
)
_REWRITTEN = Glyph("rewritten", '<rect x="3" y="6" width="16" height="10" fill="{changed}"/>')
_GAINED = Glyph("added to main, or back on it", '<rect x="3" y="6" width="16" height="10" fill="{added}"/>')
_LOST = Glyph("an attempt that lost", '<path d="M6 6L16 16M16 6L6 16" stroke="{error}" stroke-width="2"/>')


def _pill(words: str, letters: str) -> Glyph:
    return Glyph(
        words,
        '<rect x="1" y="5" width="20" height="12" rx="6" fill="{page}" stroke="{removed}" stroke-width="1.5"/>'
        f'<text x="11" y="14" text-anchor="middle" font-size="8.5" font-weight="700" fill="{{ink}}">{letters}</text>',
    )


_EQUALITY = _pill("equality delete: reaches smaller numbers alone (<)", "eq")
_POSITION = _pill("position delete file: reaches its own number too (≤)", "pos")
_VECTOR = _pill("deletion vector: of one data file (≤)", "DV")
_EQUALITY_FRONT = Glyph(
    "front of an equality delete: at the left edge of its number",
    '<path d="M6 5H16V17H6Z" fill="{page}" stroke="{moved}"/><path d="M6 2V20" stroke="{removed}" stroke-width="2.5"/>',
)
_POSITION_FRONT = Glyph(
    "front of position deletes and vectors: at the right edge",
    '<path d="M6 5H16V17H6Z" fill="{page}" stroke="{moved}"/>'
    '<path d="M16 2V20" stroke="{removed}" stroke-width="2.5"/>',
)

_OPERATIONS = (_APPEND, _OVERWRITE, _DELETE, _REPLACE)
_ROWS = (_INSERTED, _UPDATED, _MASKED, _CARRIED)
_DELETES = (_EQUALITY, _POSITION, _VECTOR)
_FRONTS = (_EQUALITY_FRONT, _POSITION_FRONT)
_CERTAINTY = (_EXACT, _INFERRED, _UNKNOWN)

GLYPHS: Mapping[str, tuple[Glyph, ...]] = MappingProxyType(
    {
        "snapshot_graph": (
            *_OPERATIONS,
            _STAGED,
            _FADED,
            _CAPSULE,
            _CURRENT,
            _HEAD,
            _TAG,
            _FINDING,
            _LOST,
            _SELECTED,
            _A,
            _B,
            *_CERTAINTY,
        ),
        "commit": (_KEPT, *_ROWS, *_CERTAINTY),
        "boundary": (_KEPT, _INSERTED, _MASKED, *_CERTAINTY),
        "compare": (_KEPT, _INSERTED, _MASKED, *_CERTAINTY),
        "changelog": (*_ROWS, _SELECTED),
        "biography": (_INSERTED, _UPDATED, _MASKED, _CARRIED, *_CERTAINTY),
        "sequence_timeline": (_FILE_LIFE, _STORED, _INHERITED, _MASKED, *_CERTAINTY),
        "deletes": (*_DELETES, *_FRONTS, _MASKED, _KEPT, *_CERTAINTY),
        "why": (*_DELETES, *_FRONTS, _MASKED, _KEPT, *_CERTAINTY),
        "entries": (_STORED, _INHERITED, *_CERTAINTY),
        "retries": (_LOST, *_OPERATIONS, _INFERRED),
        "partitions": (_HEAT, _SELECTED),
        "triage": (_GRAVE, _COSTLY, _SINCE, *_CERTAINTY),
        "bisect": (*_OPERATIONS, _CANNOT, _ORDER, _EXACT, _ASSUMED),
        "dry_run": (_REMOVED, _LOST_TO_MAIN, _REWRITTEN, _GAINED, _KEPT),
    }
)
"""The marks that a picture may have, by its name."""
