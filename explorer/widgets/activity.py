"""Questions that take time: asked on the worker, with progress, a cancel button, and only the newest answer used.

Their line stands between tabs and picture, and keeps its height while there is nothing to say. Where nothing comes from
a storage it grows, since whom the person waits for is to be read whole.
"""

from __future__ import annotations

import html
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import ipywidgets as w

from ..engine import Progress, Task, Worker
from ..model import formats, silence
from ..model.silence import Remote
from .error_strip import ErrorStrip
from .guard import guarded

T = TypeVar("T")

_SECONDS_WITHOUT_PROGRESS = 0.3  # a question that is answered sooner shows no progress at all


class Activity(w.HBox):
    """The status line: what is being read, how far, and a button that stops it.

    A newer question of the same `topic` supersedes an older one; a late answer never overwrites a newer one.
    """

    def __init__(self, worker: Worker, errors: ErrorStrip, waits_for: Callable[[], Remote] = Remote) -> None:
        """`waits_for()` tells whom its questions wait for, should nothing come; asked on the thread of the progress."""
        self._worker, self._errors, self._waits_for = worker, errors, waits_for
        self._newest: dict[str, Task[Any]] = {}
        self._after: list[Callable[[], None]] = []
        self._looking: Task[Any] | None = None
        self._lock = threading.RLock()
        self._shown: Task[Any] | None = None
        self._remote: tuple[Task[Any], Remote] | None = None
        self._said = ""
        self._by_itself: tuple[str, Callable[[], None]] | None = None  # topic of what nobody asked for, and how to ask
        self._put_off: dict[str, Callable[[], None]] = {}  # the same of what gave way to a question
        self._left: set[str] = set()  # topics whose tab was left
        self._text = w.HTML()
        self._bar = w.FloatProgress(min=0, max=1, layout=w.Layout(width="160px"))
        self._cancel = w.Button(description="Cancel", tooltip="Stop reading; what is on the screen stays")
        self._cancel.on_click(guarded(errors, lambda _: self.cancel()))
        super().__init__([self._text, self._bar, self._cancel])
        self.add_class("iceberg-activity")
        self._hide()

    def ask(
        self,
        topic: str,
        question: Callable[[], T],
        on_answer: Callable[[T], None],
        *,
        label: str,
        on_failure: Callable[[], None] = lambda: None,
        by_itself: bool = False,
    ) -> Task[T]:
        """Ask on the worker's thread; `on_answer` gets the answer there too, unless a newer question was asked.

        A failure is shown; `on_failure` is told of it besides. What is read `by_itself` gives way to the next question,
        whatever that is of, since nobody waits for it; it is asked again once that one is answered.
        """

        def again() -> None:
            self.ask(topic, question, on_answer, label=label, on_failure=on_failure, by_itself=by_itself)

        asked: Task[T] | None = None

        def show(progress: Progress) -> None:
            with self._lock:  # a question may be answered before it is known here as which task
                told = asked
            if told is not None:
                self._show(told, progress)

        with self._lock:
            left = set() if by_itself else self._left - {topic}
            self._left -= {topic, *left}
            older = [self._give_way(topic), self._newest.get(topic), *(self._newest.pop(each, None) for each in left)]
            asked = task = self._worker.ask(question, label=label, on_progress=show)
            self._newest[topic] = task
            self._by_itself = (topic, again) if by_itself else None
        for superseded in older:  # only now: a question that is still the newest would report its cancellation
            if superseded is not None:
                superseded.cancel()  # without the lock: whoever hears of it waits for callbacks, and one may ask

        done = guarded(self._errors, lambda task: self._done(topic, task, on_answer, on_failure, again))
        task.add_done_callback(done)
        task.add_done_callback(guarded(self._errors, lambda _: self._take_up()))
        return task

    def _give_way(self, topic: str) -> Task[Any] | None:
        """Put off what nobody asked for, for a question of this topic; what has to be cancelled then."""
        self._put_off.pop(topic, None)
        if self._by_itself is None or self._by_itself[0] == topic:
            return None
        its_topic, again = self._by_itself
        task = self._newest.get(its_topic)
        if task is None or task.done:  # its answer is on the way
            return None
        self._put_off[its_topic] = again
        return self._newest.pop(its_topic)

    def _take_up(self) -> None:
        """Ask again what gave way, once nothing else is asked."""
        with self._lock:
            if not self._put_off or any(not task.done for task in self._newest.values()):
                return
            _, again = self._put_off.popitem()
        again()

    def stop_reading_by_itself(self) -> None:
        """Cancel what nobody asked for, without a word, and ask nothing of it again."""
        with self._lock:
            self._put_off.clear()
            topic = self._by_itself[0] if self._by_itself is not None else ""
        self.drop(topic)

    def leave(self, topic: str) -> None:
        """Let what is read of a topic give way, without a word, to the next question that a person asks."""
        with self._lock:
            self._left.add(topic)

    def take_back(self, topic: str) -> bool:
        """Let it be read as before; False if it is not read any more."""
        with self._lock:
            self._left.discard(topic)
            task = self._newest.get(topic)
            return task is not None and not task.done

    def drop(self, topic: str) -> None:
        """Cancel what is read of a topic, without a word: its answer is wanted no more."""
        with self._lock:
            self._put_off.pop(topic, None)
            task = self._newest.pop(topic, None)
            if self._by_itself is not None and self._by_itself[0] == topic:
                self._by_itself = None
        if task is not None:
            task.cancel()

    def say(self, words: str) -> None:
        """Show a sentence, HTML, until something is asked or something else is said."""
        with self._lock:
            self._said = words
            if self._shown is None:
                self._text.value = words

    def look(self, question: Callable[[], T], on_answer: Callable[[T], None], *, label: str) -> None:
        """Ask in the background, once what was asked before is answered; without progress, and a failure says nothing.

        What is asked meanwhile tells that it waits for this `label`. What cannot be looked up now is told by the next
        question that needs it. Once is enough: while one look waits for its turn, another is none.
        """
        if self._looking is not None and not self._looking.done:
            return

        def answered(task: Task[T]) -> None:
            if not task.failed:
                on_answer(task.result(0))

        self._looking = self._worker.ask(question, label=label)
        self._looking.add_done_callback(guarded(self._errors, answered))

    def after_each(self, callback: Callable[[], None]) -> None:
        """Call `callback()` whenever a question was answered, or failed; not for one that was cancelled."""
        self._after.append(callback)

    def cancel(self) -> None:
        """Stop what is being read."""
        with self._lock:
            self._put_off.clear()
            asked = list(self._newest.values())
        for task in asked:
            task.cancel()

    def close(self) -> None:
        """Cancel everything and end the worker's thread."""
        self._put_off.clear()
        self._worker.close()
        super().close()

    def _done(
        self,
        topic: str,
        task: Task[T],
        on_answer: Callable[[T], None],
        on_failure: Callable[[], None],
        again: Callable[[], None],
    ) -> None:
        with self._lock:
            superseded = self._newest.get(topic) is not task
            if self._shown is task:
                self._hide()
        if superseded:
            return
        if not task.cancelled:
            for callback in self._after:
                callback()
        try:
            answer = task.result(0)
        except Exception as error:
            on_failure()
            self._errors.show(error, retry=again, topic=topic)
            return
        self._errors.succeeded(topic)
        on_answer(answer)

    def _show(self, task: Task[Any], progress: Progress) -> None:
        silent = self._silence(task, progress)
        with self._lock:
            if progress.seconds < _SECONDS_WITHOUT_PROGRESS or task not in self._newest.values() or task.done:
                return
            if progress.behind and self._shown not in (None, task):
                return  # the one before it, or another one that waits, is shown
            self._shown = task
            if self._by_itself is None or task is not self._newest.get(self._by_itself[0]):
                self._said = ""  # of a question before; what nobody asked for takes nothing away
            known = bool(progress.tasks_total)
            counts = f": {progress.tasks_done:,} of {progress.tasks_total:,} tasks" if known else ""
            waits = f" waits for “{progress.behind}” to end" if progress.behind else ""
            words = f"{progress.label}{counts}{waits}, {formats.duration(progress.seconds)}"
            self._text.value = html.escape(f"{words}; {silent}" if silent else words, quote=False)
            (self.add_class if silent else self.remove_class)("iceberg-silent")
            self._bar.value = (progress.tasks_done or 0) / (progress.tasks_total or 1)
            self._bar.layout.display = "" if known else "none"
            self._cancel.layout.display = ""
            self.add_class("iceberg-reading")

    def _silence(self, task: Task[Any], progress: Progress) -> str:
        """Whom the question may wait for; without the lock, since the session is asked for its settings."""
        if progress.silent < silence.PATIENCE:
            return ""
        if self._remote is None or self._remote[0] is not task:
            self._remote = task, self._waits_for()
        return silence.words(progress.silent, self._remote[1], progress.failed_tries)

    def _hide(self) -> None:
        self._shown, self._text.value = None, self._said
        for what in ("iceberg-silent", "iceberg-reading"):
            self.remove_class(what)
        for part in (self._bar, self._cancel):
            part.layout.display = "none"
