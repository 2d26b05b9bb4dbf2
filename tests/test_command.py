"""The test command: what it installs where there is no Chromium, and which tests stay together in a worker."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests import chromium
from tests.conftest import group


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """A machine without Chromium; the commands that are run on it."""
    commands: list[list[str]] = []
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr(chromium.subprocess, "run", lambda command, **_: commands.append(command))
    return commands


@pytest.mark.parametrize(
    ("system", "user", "installer"),
    [("debian", 0, "apt-get"), ("debian", 1000, "playwright"), ("ubuntu", 0, "playwright"), (None, 0, "playwright")],
)
def test_chromium_is_installed_by_who_may(
    bare: list[list[str]], monkeypatch: pytest.MonkeyPatch, system: str | None, user: int, installer: str
) -> None:
    def release() -> dict[str, str]:
        if system is None:
            raise OSError
        return {"ID": system}

    monkeypatch.setattr(chromium.platform, "freedesktop_os_release", release)
    monkeypatch.setattr(chromium.os, "geteuid", lambda: user)
    with ThreadPoolExecutor(1) as beside:  # a browser of other tests may run in this thread, and there may be but one
        beside.submit(chromium.have_chromium).result()
    assert installer in bare[-1]
    assert "install" in bare[-1]
    assert "chromium" in bare[-1]


@pytest.mark.parametrize("name", ["chromium", "chromium-browser"])
def test_a_chromium_on_the_path_is_the_one(bare: list[list[str]], tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch(mode=0o755)
    assert chromium.chromium_program() == str(tmp_path / name)
    chromium.have_chromium()
    assert bare == []


def test_a_chromium_of_ones_own_comes_first(
    bare: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "chromium").touch(mode=0o755)
    monkeypatch.setenv("CHROMIUM", "/opt/chrome")
    assert chromium.chromium_program() == "/opt/chrome"


def test_what_shares_a_server_or_a_browser_stays_together_and_every_other_file_stands_alone() -> None:
    assert group("tests/ui/test_html.py::test_a[x/y::z]") == group("tests/ui/test_voila.py::test_b")
    assert group("tests/servers/test_rest.py::test_a") != group("tests/ui/test_html.py::test_a")
    assert group("tests/queries/test_commit.py::test_a") == group("tests/queries/test_commit.py::test_b[1]")
    assert group("tests/queries/test_commit.py::test_a") != group("tests/queries/test_changelog.py::test_a")
