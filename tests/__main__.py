"""The test command, `python -m tests`: sets up what the tests need beside this environment, then runs all of them.

Groups of tests run side by side, in as many workers as there are cores; `tests/conftest.py` says what a group is.
Arguments are pytest's own and win: `python -m tests -n 1`, `python -m tests tests/ui -k theme`.
"""

from __future__ import annotations

import os
import sys

import pytest

from tests.chromium import have_chromium

AT_LEAST, AT_MOST = 2, 4  # workers: one waits for a browser while another computes; each has a Spark of its own


def main() -> int:
    """Set up, run, and give pytest's exit code."""
    have_chromium()
    workers = min(max(os.cpu_count() or 1, AT_LEAST), AT_MOST)
    return int(
        pytest.main(
            ["-n", str(workers), "--dist", "loadscope", "--no-loadscope-reorder", "--durations=10", *sys.argv[1:]]
        )
    )


if __name__ == "__main__":
    sys.exit(main())
