"""Storage that does not answer is said, with its address and the tries so far; it can be given up, or waited for."""

from __future__ import annotations

import json
import re

import pytest

from tests.servers.components import ran
from tests.servers.s3 import KEY, SECRET


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the status line of an explorer said, by what happened."""
    folder = tmp_path_factory.mktemp("silent")
    printed = ran(["-m", "tests.servers.silent_storage", str(folder)], folder)
    assert not any(secret in printed for secret in (KEY, SECRET))
    return json.loads(printed)


def test_silent_storage_is_named_with_the_tries_so_far(seen: dict[str, str]) -> None:
    address = seen["endpoint"].removeprefix("http://")
    assert seen["silent"].startswith("Reading s3.t.people again, ")
    for what in ("silent", "tried", "behind", "refused"):
        assert f"the files lie at {address}" in seen[what]
    assert re.search(r"; (no try|1 try|\d+ tries) failed so far$", seen["silent"])
    assert re.search(r"; ([2-9]|\d\d) tries failed so far$", seen["tried"])
    assert seen["refused"].endswith("tries failed so far")


def test_it_can_be_given_up_and_who_asks_again_sees_what_has_not_ended(seen: dict[str, str]) -> None:
    assert "“Reading s3.t.people again” was cancelled" in seen["cancelled"]
    assert "nothing has come" not in seen["cancelled"]
    assert "waits for “Reading s3.t.people again” to end" in seen["behind"]


def test_waiting_goes_on_until_it_answers(seen: dict[str, str]) -> None:
    assert seen["answered"] == ""
