"""Starting JupyterLab: with the kernel of this environment, and with the person's own settings left alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from ..engine import conf_to_env
from ..engine.conf import PRESENT_VARIABLE

# Read-only settings that JupyterLab finds before the person's own files, which stay untouched: no question about
# news, and a kernel `python3` that is this environment whatever other of that name is installed.
_OURS = Path(__file__).parent


AS_ROOT = (
    "You are root, as whom JupyterLab starts only with --allow-root, so that is added:"
    " what a notebook runs may do all that root may."
)
"""To be said where `lab_command` adds that."""


def is_root() -> bool:
    """Whether this process is the superuser's; there is none on Windows."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def lab_command(
    folder: Path,
    notebook: Path,
    *,
    port: int | None = None,
    browser: bool = True,
    arguments: Sequence[str] = (),
    present: bool = False,
) -> list[str]:
    """The command that starts JupyterLab in a folder, showing a notebook in it. Its token is JupyterLab's own.

    Args:
        folder: what JupyterLab shows as its top folder.
        notebook: below the folder.
        port: None: 8888, or the next free one.
        browser: whether to open the browser.
        arguments: further ones of JupyterLab; they win.
        present: whether the notebook alone fills the window.
    """
    shown = quote(notebook.relative_to(folder).as_posix())
    how = "doc" if present else "lab"
    command = [sys.executable, "-m", "jupyterlab", "--log-level=WARN"]
    command += [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url=/{how}/tree/{shown}"]
    if port is not None:
        command.append(f"--ServerApp.port={port}")
    if not browser:
        command.append("--no-browser")
    if is_root():
        command.append("--allow-root")
    return [*command, *arguments]


def lab_environment(conf: Mapping[str, str], *, present: bool = False) -> dict[str, str]:
    """The environment of JupyterLab and so of its kernels, with Spark settings for these.

    Args:
        conf: the Spark settings.
        present: whether text and pictures are as large as a class can read.

    Raises:
        ExplorerError: a setting that cannot be handed on.
    """
    return {
        **os.environ,
        **({PRESENT_VARIABLE: "1"} if present else {}),
        "ICEBERG_EXPLORER_CONF": conf_to_env(conf),
        "JUPYTER_CONFIG_PATH": _first(_OURS / ("config_present" if present else "config"), "JUPYTER_CONFIG_PATH"),
        "JUPYTER_PATH": _first(_OURS / "data", "JUPYTER_PATH"),
    }


def become_lab(command: list[str], environment: Mapping[str, str]) -> None:
    """End this program by becoming JupyterLab, so that its questions and Ctrl-C reach it and nothing stands between."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(command[0], command, environment)  # noqa: S606 - the program is this Python itself


def _first(folder: Path, variable: str) -> str:
    others = os.environ.get(variable)
    return os.pathsep.join([str(folder), *([others] if others else [])])
