"""The Chromium of the browser tests: the one that is on the machine, else one that is installed for them."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ABSENT = "Chromium is absent: `python -m tests` installs it; or install the package chromium, or name it in CHROMIUM"


def chromium_program() -> str | None:
    """Where Chromium is, if it is anywhere: the one `CHROMIUM` names, the machine's, or Playwright's."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or _playwrights()


def have_chromium() -> None:
    """Install Chromium if there is none.

    Raises:
        subprocess.CalledProcessError: it could not be installed; what the installer said stands above.
    """
    if chromium_program() is None:
        print("Installing Chromium for the browser tests", flush=True)
        for command in installing(debian_root=_is_debian() and os.geteuid() == 0):
            subprocess.run(command, check=True, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})


def installing(*, debian_root: bool) -> list[list[str]]:
    """The commands that install Chromium: Debian's with all that it needs, for who may; else Playwright's own.

    Ubuntu's package is no Chromium, it asks snap for one.
    """
    if debian_root:
        packages = ["chromium", "fonts-dejavu-core"]
        return [["apt-get", "update", "-qq"], ["apt-get", "install", "-qq", "--no-install-recommends", *packages]]
    return [[sys.executable, "-m", "playwright", "install", "chromium"]]


def _is_debian() -> bool:
    try:
        return platform.freedesktop_os_release()["ID"] == "debian"
    except OSError:  # no Linux, or one that does not say
        return False


def _playwrights() -> str | None:
    with sync_playwright() as playwright:
        program = playwright.chromium.executable_path
    return program if Path(program).is_file() else None
