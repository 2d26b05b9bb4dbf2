"""What a run of these tests prints when it is done: the matrix of tables and pictures."""

from __future__ import annotations

import pytest

MATRIX = pytest.StashKey[list[str]]()
"""Lines of the matrix, once it was made."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if lines := config.stash.get(MATRIX, []):
        terminalreporter.section("every table, every picture")
        for line in lines:
            terminalreporter.write_line(line)
