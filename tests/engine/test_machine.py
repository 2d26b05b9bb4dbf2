"""The memory of the machine, and of a container that has less."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.engine import machine


@pytest.fixture
def container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a container tells its limits; it tells none yet."""
    monkeypatch.setattr(machine, "_CONTAINER", tmp_path)
    return tmp_path


def test_without_a_container_it_is_that_of_the_machine(container: Path) -> None:
    free = machine.free_memory()
    assert free is not None
    assert 0 < free < machine.memory()


@pytest.mark.parametrize(
    ("cached", "free"),
    [("anon 1\ninactive_file 200\nactive_file 5\n", 900), ("anon 1\n", 700)],  # what a file keeps is given back
)
def test_a_container_has_what_it_may_still_take(container: Path, cached: str, free: int) -> None:
    for name, text in {"memory.max": "1000\n", "memory.current": "300\n", "memory.stat": cached}.items():
        (container / name).write_text(text, "utf-8")
    assert machine.memory() == 1000
    assert machine.free_memory() == free


def test_a_container_without_a_limit_is_the_machine(container: Path) -> None:
    before = machine.memory()
    (container / "memory.max").write_text("max\n", "utf-8")
    assert machine.memory() == before
    assert (machine.free_memory() or 0) > 1000


def test_where_the_system_does_not_say_what_is_free_nothing_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_MEMORY", tmp_path / "meminfo")
    assert machine.free_memory() is None
    (tmp_path / "meminfo").write_text("MemTotal: 1 kB\n", "utf-8")
    assert machine.free_memory() is None
