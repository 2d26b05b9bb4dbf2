"""What a learner answered, by the names of the fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...errors import ExplorerError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Field:
    """A part of the answer.

    Args:
        name: by which `check` takes it.
        label: the question in a few words.
        kind: `lines` has several; `choice` is one of the `choices`.
    """

    name: str
    label: str
    kind: Literal["lines", "number", "text", "choice"]
    choices: tuple[str, ...] = ()


class Refused(Exception):
    """An answer that cannot be carried out; the words say why."""


class Answer:
    """The fields that were filled in."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = {name: text for name, value in given.items() if (text := value.strip())}

    @classmethod
    def of(cls, fields: Sequence[Field], answer: object, named: Mapping[str, object]) -> Answer:
        """What `check(answer, **named)` was given.

        Raises:
            ExplorerError: a field that the exercise has not, or one value for several fields.
        """
        names = [field.name for field in fields]
        given = dict(named)
        if answer is not None:
            if len(names) > 1:
                raise ExplorerError(
                    "This exercise asks for more than one thing.",
                    next_step=f"Name them: check({', '.join(f'{name}=…' for name in names)}).",
                )
            given[names[0]] = answer
        if unknown := sorted(given.keys() - set(names)):
            raise ExplorerError(
                f"This exercise has no field {unknown[0]}.",
                next_step=f"Its fields: {', '.join(names)}.",
            )
        return cls({name: str(value) for name, value in given.items() if value is not None})

    def __bool__(self) -> bool:
        return bool(self._given)

    def text(self, name: str) -> str:
        """What was filled in; empty if nothing was."""
        return self._given.get(name, "")

    def number(self, name: str) -> int:
        """A number that `require` has seen."""
        return int(self._given[name])

    def require(self, fields: Sequence[Field]) -> None:
        """See that every field is filled in, and with what it can hold.

        Raises:
            Refused: one is not.
        """
        for field in fields:
            text = self.text(field.name)
            if not text:
                raise Refused(f"no answer to “{field.label}” yet")
            if field.kind == "number" and not text.isdecimal():
                raise Refused(f"“{text}” is no whole number: {field.label}")
            if field.kind == "choice" and text not in field.choices:
                raise Refused(f"“{text}” is none of {', '.join(field.choices)}: {field.label}")
