"""What stands on the sheet of an exercise, as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..figures.page import svg
from ..figures.page.theme import Theme
from ..lessons.exercises import NOTEBOOKS, Attempt, Exercise, Seen, Verdict, exercises, progress
from ..model import formats
from .markup import code, copyable, statement, text

_KINDS = {"predict": "Predict, then see", "do": "Do", "find": "Find"}


def of_place(exercise: Exercise) -> str:
    """Where in the course it stands, and how far the person has come."""
    known, course = progress.passed(), exercises()
    notebook = NOTEBOOKS.get(exercise.notebook, exercise.notebook)
    done = sum(one.name in known for one in course)
    chips = "".join(
        f"<li{' class=iceberg-now' if one is exercise else ''}>{'<b>✓</b>' if one.name in known else '○'} "
        f"{text(one.title)}</li>"
        for one in course
        if one.notebook == exercise.notebook
    )
    return (
        f'<div class="iceberg-way"><span>Course</span> <b>{text(notebook)}</b>'
        f"<span>{done} of {formats.count(len(course), 'exercise')} passed</span></div><ol>{chips}</ol>"
    )


def of_task(attempt: Attempt) -> str:
    """The task, and the statement that it is about."""
    exercise = attempt.exercise
    paragraphs = "".join(f"<p>{marked(paragraph)}</p>" for paragraph in attempt.task.split("\n\n"))
    about = f"<pre>{text(attempt.statement)}</pre>" if attempt.statement else ""
    return f"<h2>{text(exercise.title)} <i>{_KINDS[exercise.kind]}</i></h2>{paragraphs}{about}"


def of_table(seen: Seen, about: str) -> str:
    """What a query of the learner's table gave, and a sentence about it."""
    if not seen.rows:
        return "<h3>Your table now</h3><p>No row.</p>"
    head = "".join(f"<th>{text(name)}</th>" for name in seen.columns)
    body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in seen.rows)
    return (
        f'<h3>Your table now</h3><p>{marked(about)}</p><div class="iceberg-now-in-it">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def of_verdict(verdict: Verdict) -> str:
    """The finding, and what it is about."""
    said, _, finding = verdict.title.partition(": ")
    sign = "✓ " if verdict.passed else ""
    return (
        f'<div role="status"><h3 class="iceberg-finding"><b>{sign}{text(said)}:</b> {text(finding)}</h3>'
        f"<p>{text(verdict.about)}</p></div>"
    )


def picture_of(verdict: Verdict, theme: Theme, width: int) -> str:
    """The picture that proves it; empty if there is none."""
    if verdict.picture is None:
        return ""
    scene = verdict.picture.still(theme, width)
    return f'<img role="img" alt="{text(scene.in_words)}" src="{svg.to_data_uri(scene)}">'


def of_hints(attempt: Attempt, hints: Sequence[str], verdict: Verdict | None) -> str:
    """What was checked and why it is so, the hints that were given, and where to go on."""
    parts = []
    if verdict is not None:
        lines = "".join(
            f'<li class="iceberg-{_STATES[line.holds]}">{line.sign} {marked(line.words)}</li>'
            for line in verdict.checked
        )
        parts.append(f"<h4>What was checked</h4><ul>{lines}</ul>")
        if verdict.why:
            parts.append(f"<h4>Why</h4><p>{marked(verdict.why)}</p>")
    if verdict is not None and verdict.passed:
        return "".join([*parts, _next(attempt.exercise), _look(attempt, passed=True)])
    for number, hint in enumerate(hints, 1):
        if number <= len(attempt.exercise.hints):
            parts.append(f"<h4>Hint {number} of {len(attempt.exercise.hints)}</h4><p>{marked(hint)}</p>")
        else:
            parts.append(f"<h4>A solution</h4>{statement(hint)}")
    return "".join([*parts, _look(attempt, passed=False)])


def _look(attempt: Attempt, *, passed: bool) -> str:
    """How to see the table with other eyes."""
    look = f"<h4>Look at the table</h4><p>{copyable(f'explorer.open({attempt.table!r})')}</p>"
    if passed:
        return look
    question = f'explorer.table({attempt.table!r}).spark.sql("SELECT …").show(truncate=False)'
    own = " You may change it there, too: then leave the field empty, and check." if attempt.exercise.own_sql else ""
    return f"{look}<p>Or ask it by SQL, in a cell of your own.{own} {copyable(question)}</p>"


_STATES = {True: "holds", False: "fails", None: "told"}


def marked(words: str) -> str:
    """Plain words as HTML: `code` in backquotes, **what matters** between two stars."""
    plain = re.split(r"`([^`]+)`", words)  # what stood in backquotes is every second part
    escaped = "".join(code(part) if n % 2 else text(part) for n, part in enumerate(plain))
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escaped, flags=re.DOTALL)


def _next(exercise: Exercise) -> str:
    course = exercises()
    after = course[course.index(exercise) + 1 :]
    if not after:
        return "<h4>Next</h4><p>That was the last exercise.</p>"
    where = "" if after[0].notebook == exercise.notebook else f"<code>{text(after[0].notebook)}.ipynb</code>: "
    return f"<h4>Next</h4><p>{where}{text(after[0].title)}</p>"


def _cell(value: object) -> str:
    return "" if value is None else text(str(value))
