"""What is said while nothing comes: whom it waits for, and no more than is known."""

from __future__ import annotations

import pytest

from explorer.model.silence import PATIENCE, Remote, words

BOTH = Remote(files="127.0.0.1:9000", catalog="rest.example.com")


def test_nothing_is_said_before_fifteen_seconds_or_of_a_table_of_this_machine() -> None:
    assert PATIENCE == 15
    assert words(14.9, BOTH, 0) == ""
    assert words(300, Remote(), 0) == ""


@pytest.mark.parametrize(
    ("remote", "failed", "said"),
    [
        (BOTH, 0, "the files lie at 127.0.0.1:9000, the catalog is at rest.example.com; no try failed so far"),
        (Remote(files="s3://lake"), 1, "the files lie at s3://lake; 1 try failed so far"),
        (Remote(catalog="h:9083"), 12, "the catalog is at h:9083; 12 tries failed so far"),
        (Remote(files="s3://lake"), None, "the files lie at s3://lake; tries are not counted here"),
    ],
)
def test_after_that_it_says_how_long_whom_and_how_many_tries(remote: Remote, failed: int | None, said: str) -> None:
    assert words(17.2, remote, failed) == f"nothing has come for 17 s; {said}"
