"""What a run of these tests prints when it is done: the matrix of tables and pictures."""

from __future__ import annotations

import pytest

MATRIX = "every table, every picture"
"""The property of a test that holds the matrix, a text: it goes from the worker that made it to what prints."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    for matrix in (value for report in reports for name, value in report.user_properties if name == MATRIX):
        terminalreporter.section(MATRIX)
        terminalreporter.write_line(str(matrix))
