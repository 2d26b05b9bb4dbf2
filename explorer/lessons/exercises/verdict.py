"""What a check says: what was found in the learner's table, condition by condition, and the picture that proves it."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...table.picture import Picture

_SIGNS = {True: "✓", False: "!", None: "·"}


@dataclass(frozen=True, slots=True)
class Checked:
    """One condition, in words that say what was found. `holds` is None of what is only told besides."""

    words: str
    holds: bool | None

    @property
    def sign(self) -> str:
        """✓, ! or ·."""
        return _SIGNS[self.holds]


@dataclass(frozen=True)
class Verdict:
    """What was found.

    Attributes:
        finding: one line, with its numbers.
        checked: every condition that was looked at.
        about: which commit it is about, one line; may be empty.
        why: why it is so, and what to look at; may be empty.
        picture: proves it, if there is something to see.
        missed: what is said where it is not passed.
    """

    finding: str
    checked: tuple[Checked, ...]
    about: str = ""
    why: str = ""
    picture: Picture[Any] | None = None
    missed: str = "Not yet"

    @property
    def passed(self) -> bool:
        """Whether no condition failed."""
        return all(line.holds is not False for line in self.checked)

    @property
    def title(self) -> str:
        """`Passed` or what is said if it is not, and the finding."""
        return f"{'Passed' if self.passed else self.missed}: {self.finding}"

    def __repr__(self) -> str:
        lines = [self.title, self.about, *(f"  {line.sign} {line.words}" for line in self.checked), self.why]
        return "\n".join(line for line in lines if line)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        shown = "".join(f"<li>{line.sign} {html.escape(line.words)}</li>" for line in self.checked)
        page = f"<h4>{html.escape(self.title)}</h4><p>{html.escape(self.about)}</p><ul>{shown}</ul>"
        page += f"<p>{html.escape(self.why)}</p>{self.picture.to_static_html() if self.picture else ''}"
        return {"text/plain": repr(self), "text/html": page}


def refused(finding: str, *, why: str = "") -> Verdict:
    """What cannot be checked at all; the finding says what is missing."""
    return Verdict(finding, (Checked("nothing could be checked", holds=False),), why=why)


def found_out(what: str, said: object, *, right: bool) -> Checked:
    """An answer, and whether it is right; what would be right stays to be found."""
    return Checked(f"{what}: {said}" if right else f"{what}: “{said}” is not so", holds=right)


def guessed(what: str, guess: object, found: object) -> Checked:
    """A guess beside what happened."""
    if guess == found:
        return Checked(f"{what}: {found}, as you said", holds=True)
    return Checked(f"{what}: you said {guess}, it is {found}", holds=False)
