"""All lessons, in the order in which a person meets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .own import own_lessons
from .stories import (
    branches_and_tags,
    compaction,
    concurrent_writers,
    empty,
    expired,
    format_v1,
    one_snapshot,
    ownership,
    phantom_deletion,
    replaced,
    rollback,
    shop_orders,
    upgraded,
    write_audit_publish,
)

if TYPE_CHECKING:
    from .lesson import Lesson

LESSONS: tuple[Lesson, ...] = (
    shop_orders.LESSON,
    branches_and_tags.LESSON,
    *ownership.LESSONS,
    phantom_deletion.LESSON,
    compaction.LESSON,
    rollback.LESSON,
    write_audit_publish.LESSON,
    concurrent_writers.LESSON,
    replaced.LESSON,
    expired.LESSON,
    upgraded.LESSON,
    format_v1.LESSON,
    one_snapshot.LESSON,
    empty.LESSON,
)


def lessons() -> tuple[Lesson, ...]:
    """These, then a trainer's own. Raises: as `own_lessons`."""
    return (*LESSONS, *own_lessons())
