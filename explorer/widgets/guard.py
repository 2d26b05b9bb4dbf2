"""No callback fails in silence: JupyterLab shows nothing of an exception in one."""

from __future__ import annotations

import functools
import logging
import threading
import traceback
from collections.abc import Callable
from typing import Any, Protocol

from ..engine.conf import without_secrets
from ..errors import Cancelled

_log = logging.getLogger(__name__)

# Callbacks may arrive on the kernel's main thread, on a subshell's, or on the worker's: one at a time writes.
_one_at_a_time = threading.RLock()


class ErrorSink(Protocol):
    """Whatever can show an error to the person."""

    def show(self, error: BaseException) -> None:
        """Show it."""


def guarded(sink: ErrorSink, callback: Callable[..., Any]) -> Callable[..., None]:
    """The callback, with its errors shown in `sink` and logged; two guarded callbacks never run at the same time."""

    @functools.wraps(callback)
    def run(*args: Any, **kwargs: Any) -> None:
        with _one_at_a_time:
            try:
                callback(*args, **kwargs)
            except Cancelled as error:
                sink.show(error)
            except Exception as error:
                trace = "".join(traceback.format_exception(error))
                _log.error("A callback of the explorer failed:\n%s", without_secrets(trace))
                sink.show(error)

    return run
