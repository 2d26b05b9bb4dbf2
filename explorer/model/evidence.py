"""How sure an answer is, part by part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

CONTRADICTS = "The metadata contradicts itself"
"""What a note is about that says so."""

Certainty = Literal["exact", "inferred", "unknown"]


@dataclass(frozen=True, slots=True)
class Note:
    """`exact`: read or computed; `inferred`: a named convention or match; `unknown`: not recorded, expired, unreadable.

    `about` names the part of the answer, `reason` says where it comes from or why it is missing.
    """

    certainty: Certainty
    about: str
    reason: str

    def __str__(self) -> str:
        return f"{self.certainty}: {self.about}. {self.reason}"


def weakest(evidence: Iterable[tuple[Certainty, str]]) -> tuple[Certainty, str]:
    """The least certain of several, each a word and the phrase that begins with it; the first of equals."""
    return max(evidence, key=lambda one: get_args(Certainty).index(one[0]))


def decoded_here(found: str, python: str) -> Note:
    """That Spark's workers cannot decode manifests: `found` is a sentence, `python` has what they would need."""
    return Note(
        "exact",
        "Manifests are decoded in this process, not in Spark's tasks",
        f"The Python of Spark's workers cannot do it: {found} The answers are the same, and slower where manifests are"
        " many. For their speed start Spark with PYSPARK_PYTHON (or spark.pyspark.python) naming a Python of this"
        f" version that has pyarrow, numpy, polars, fastavro and PyIceberg, as {python} has.",
    )


def unreadable_list(reason: str) -> str:
    """What to say in place of what a manifest list would have told; `reason` is a sentence."""
    return f"The manifest list cannot be read: {reason}"
