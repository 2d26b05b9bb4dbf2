"""Whether the question that is answered on this thread was given up: then it asks Spark nothing more.

Stopping a job fails it, and who reads around what fails would go on to the next one.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_thread = threading.local()


@contextmanager
def giving_up(refuse: Callable[[], None]) -> Iterator[None]:
    """Within the block `refuse()`, which raises if its question was given up, is called before Spark is asked."""
    before = getattr(_thread, "refuse", None)
    _thread.refuse = refuse
    try:
        yield
    finally:
        _thread.refuse = before


def refuse_if_given_up() -> None:
    """Nothing, if the answer is still wanted.

    Raises:
        Cancelled: it is not.
    """
    refuse = getattr(_thread, "refuse", None)
    if refuse is not None:
        refuse()
