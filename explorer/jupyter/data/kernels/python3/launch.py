"""Starts the explorer's own kernel, as ipykernel_launcher starts others, and Spark in it while a person still reads."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from typing import Any


def start_spark() -> None:
    """Start it, so that the first cell that needs a session finds one, or waits only for the rest of its start."""
    from explorer.engine import session

    with suppress(Exception):  # the first cell tries again, and says what is wrong where a person sees it
        session()


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file; IPython puts the notebook's there

    from ipykernel.kernelapp import IPKernelApp

    kernel: Any = IPKernelApp.instance()
    kernel.initialize()  # first: it answers JupyterLab from now on, however busy the start of Spark keeps Python
    threading.Thread(target=start_spark, name="iceberg-explorer-start", daemon=True).start()
    kernel.start()
