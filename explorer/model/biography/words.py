"""A biography in words."""

from __future__ import annotations

from .facts import Biography


def title(biography: Biography) -> str:
    """The finding."""
    return biography.condition
