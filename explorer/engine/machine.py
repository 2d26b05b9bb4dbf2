"""The memory of this machine, or of the container that this process runs in."""

from __future__ import annotations

import os
import re
from pathlib import Path

_CONTAINER = Path("/sys/fs/cgroup")
_MEMORY = Path("/proc/meminfo")


def memory() -> int:
    """All of it, bytes."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(machine, _allowed() or machine)


def free_memory() -> int | None:
    """What this process can still take, bytes; None where the system does not say, as only Linux does."""
    if not _MEMORY.is_file():
        return None
    found = re.search(r"MemAvailable: +(\d+) kB", _MEMORY.read_text("utf-8"))
    if found is None:
        return None
    free, allowed = int(found[1]) * 1024, _allowed()
    if allowed is None:
        return free
    taken = int((_CONTAINER / "memory.current").read_text("utf-8"))
    cached = re.search(r"^inactive_file (\d+)", (_CONTAINER / "memory.stat").read_text("utf-8"), re.MULTILINE)
    return min(free, allowed - taken + (int(cached[1]) if cached else 0))


def _allowed() -> int | None:
    """The limit of the container; None if there is none."""
    limit = _CONTAINER / "memory.max"
    found = limit.read_text("utf-8").strip() if limit.is_file() else ""
    return int(found) if found.isdigit() else None
