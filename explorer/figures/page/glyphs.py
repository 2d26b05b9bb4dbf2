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

_OPERATIONS = (_APPEND, _OVERWRITE, _DELETE, _REPLACE)
_ROWS = (_INSERTED, _UPDATED, _MASKED, _CARRIED)
_CERTAINTY = (_EXACT, _INFERRED, _UNKNOWN)

GLYPHS: Mapping[str, tuple[Glyph, ...]] = MappingProxyType(
    {
        "snapshot_graph": (*_OPERATIONS, _STAGED, _FADED, _SELECTED, *_CERTAINTY),
        "commit": (_KEPT, *_ROWS, *_CERTAINTY),
        "compare": (_KEPT, _INSERTED, _MASKED, *_CERTAINTY),
        "changelog": (*_ROWS, _SELECTED),
        "biography": (_INSERTED, _UPDATED, _MASKED, _CARRIED, *_CERTAINTY),
        "sequence_timeline": (_FILE_LIFE, _STORED, _INHERITED, _MASKED, *_CERTAINTY),
        "deletes": (_MASKED, _KEPT, *_CERTAINTY),
        "entries": (_STORED, _INHERITED, *_CERTAINTY),
        "partitions": (_HEAT, _SELECTED),
    }
)
"""The marks that a picture may have, by its name."""
