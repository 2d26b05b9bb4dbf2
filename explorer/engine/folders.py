"""Where the explorer keeps its own files, and nothing else's."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from platformdirs import user_cache_path, user_config_path, user_data_path

APP = "iceberg-explorer"


def explorer_home() -> Path:
    """The folder for what the explorer builds: `ICEBERG_EXPLORER_HOME`, else the user's data folder."""
    named = os.environ.get("ICEBERG_EXPLORER_HOME")
    return Path(named).absolute() if named else user_data_path(APP, appauthor=False)


def sandbox_warehouse() -> Path:
    """The warehouse folder of the sandbox catalog. It need not exist yet."""
    return explorer_home() / "sandbox"


def config_folder() -> Path:
    """The folder of the person's settings: `ICEBERG_EXPLORER_CONFIG_DIR`, else the user's config folder.

    A `spark-defaults.conf` in it configures the catalogs of a session that the explorer starts.
    """
    named = os.environ.get("ICEBERG_EXPLORER_CONFIG_DIR")
    return Path(named).absolute() if named else user_config_path(APP, appauthor=False)


def cache_folder() -> Path:
    """The folder for what can be made again at any time: `ICEBERG_EXPLORER_HOME`/cache, else the user's."""
    named = os.environ.get("ICEBERG_EXPLORER_HOME")
    return Path(named).absolute() / "cache" if named else user_cache_path(APP, appauthor=False)


def write_at_once(file: Path, text: str) -> None:
    """Write a file of the explorer's own, with its folder; who reads it meanwhile, in another kernel, finds it whole.

    Raises:
        OSError: it cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, prefix=file.name, delete=False) as new:
        new.write(text)
    Path(new.name).replace(file)
