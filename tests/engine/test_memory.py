"""What is kept in memory: bounded in bytes, and the same for however many threads ask."""

from __future__ import annotations

import itertools
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from explorer.engine.memory import RecentlyUsed, bytes_of, read_once
from explorer.queries.files import avro_schema
from explorer.queries.files import manifests as stored_manifests
from explorer.queries.rows import changed_entries
from tests.model.made import an_entry


def entries(count: int) -> list[dict[str, object]]:
    return [
        {
            "file_path": f"s3://lake/orders/data/{i:05}.parquet",
            "record_count": i * 1_000,
            "bounds": {1: bytes(64), 2: b""},
        }
        for i in range(count)
    ]


@pytest.mark.parametrize("count", [1_000, 1_019, 5_000])
def test_rows_are_weighed_as_what_python_takes_for_them(count: int) -> None:
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    rows = entries(count)
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert 0.8 < bytes_of(rows) / taken < 1.25
    assert bytes_of([]) == 0


def kept(most_bytes: int) -> RecentlyUsed[str, list[str]]:
    return RecentlyUsed(most_bytes, lambda value: [value])


def test_the_least_recently_used_go_where_all_take_too_many_bytes() -> None:
    values = kept(350_000)
    for name in "abc":
        values.put(name, [name * 100_000])
    assert values.get("a")
    values.put("d", ["d" * 100_000])
    assert [name for name in "abcd" if values.get(name)] == ["a", "c", "d"]


def test_the_newest_stays_whatever_it_takes_and_one_that_has_grown_is_weighed_anew() -> None:
    values = kept(350_000)
    small = values.put("small", ["s" * 100_000])
    values.put("large", ["l" * 1_000_000])
    assert (values.get("small"), bool(values.get("large"))) == (None, True)
    values.put("small", small)
    values.put("other", ["o" * 100_000])
    small.append("s" * 200_000)
    values.put("small", small)
    assert (values.get("small"), values.get("other")) == (small, None)


@pytest.fixture
def quickly_switching() -> Iterator[None]:
    """Threads that take turns as often as Python lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(*tasks: Callable[[], object]) -> list[BaseException]:
    """What the tasks raise, each on a thread of its own."""
    raised: list[BaseException] = []

    def run(task: Callable[[], object]) -> None:
        try:
            task()
        except Exception as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return raised


def test_threads_that_ask_at_once_break_nothing(quickly_switching: None) -> None:
    values = kept(2_000)

    def use() -> None:
        for i in range(3_000):
            name = str(i % 7)
            assert (values.get(name) or values.put(name, [name * 300])) == [name * 300]

    assert at_once(use, use, use) == []


def test_a_schema_is_understood_though_another_thread_forgets_all_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avro_schema, "_MOST_SCHEMAS", 1)
    understood = avro_schema.once_a_schema(str.upper)

    others = itertools.count()

    class Interrupted(str):
        """A text of which a dictionary cannot look for a place without another thread taking a turn."""

        __slots__ = ()

        def __hash__(self) -> int:
            at_once(lambda: understood(f"other {next(others)}"))
            return 0

    assert [understood(Interrupted("schema")) for _ in range(2)] == ["SCHEMA", "SCHEMA"]


def test_what_is_decoded_of_a_manifest_is_seen_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [an_entry("f", manifest_path=path, position=n) for path in ("a", "b") for n in range(3)]

    class Seen(dict[str, list[Any]]):
        def update(self, *args: Any, **kwargs: Any) -> None:
            super().update(*args, **kwargs)
            assert {path: len(found) for path, found in self.items()} == {"a": 3, "b": 3}

    monkeypatch.setattr(
        stored_manifests, "entries_here", lambda *_, **__: SimpleNamespace(entries=entries, unreadable_files=())
    )
    monkeypatch.setattr(stored_manifests, "size_together", lambda _: 0)
    manifests: Any = changed_entries.Manifests(None, Seen(), small_in_bytes=1, most=1)  # type: ignore[arg-type]
    assert manifests._readable([SimpleNamespace(path="a"), SimpleNamespace(path="b")], "") == entries


class Asked:
    def __init__(self) -> None:
        self.begun, self.goes_on, self.times = threading.Event(), threading.Event(), 0

    @read_once
    def answer(self) -> int:
        """What is read."""
        self.times += 1
        self.begun.set()
        if not self.goes_on.wait(20):
            raise TimeoutError
        return 42


def test_a_thread_that_reads_keeps_no_other_from_reading_something_else() -> None:
    slow, quick = Asked(), Asked()
    quick.goes_on.set()

    def meanwhile() -> None:
        assert slow.begun.wait(20)
        assert quick.answer == 42
        slow.goes_on.set()

    assert at_once(lambda: slow.answer, lambda: slow.answer, meanwhile) == []
    assert (slow.answer, slow.times, quick.times) == (42, 1, 1)


def test_what_could_not_be_read_is_read_when_it_is_asked_again() -> None:
    class Failing:
        times = 0

        @read_once
        def answer(self) -> int:
            self.times += 1
            if self.times == 1:
                raise OSError
            return self.times

    failing = Failing()
    with pytest.raises(OSError):  # noqa: PT011 - whatever the reading raises
        _ = failing.answer
    assert (failing.answer, failing.answer) == (2, 2)
