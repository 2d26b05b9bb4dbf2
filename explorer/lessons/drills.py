"""Drills: the table of a scenario with an incident, drawn by a seed; what a person says of it, and the key.

The key is what the generator did: it is written down when the table is written, and by nobody else.
"""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine import SANDBOX_CATALOG, explorer_home, write_at_once
from ..errors import ExplorerError
from ..model.drill.facts import Case
from .sandbox import build_sandbox, is_built
from .scenarios import INCIDENTS, Scenario, Written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LEVELS = (1, 2, 3)
FIRST_LEVEL = (
    "mass-removal",
    "abandoned-commits",
    "unpublished-stage",
    "file-listed-twice",
    "same-load-twice",
    "applicable-delete-removed",
    "column-reborn",
    "small-files",
)
"""Incidents that one finding tells of, in words that are those of the symptom."""
_SEEDS = 2_000  # among so many every incident is drawn


@dataclass(frozen=True)
class Drilled:
    """A drill whose table is there: the table's name, catalog first, and what there is to find out."""

    table: str
    case: Case


def drill(spark: SparkSession, seed: int, level: int = 1) -> Drilled:
    """The drill of a seed, for everybody the same; its table is written if it is not there.

    Args:
        spark: a classic session with the sandbox catalog.
        seed: of everything that is left to chance.
        level: 1, what goes wrong is plain to see; 2, anything does; 3, for longer, with something odd beside it.

    Raises:
        ExplorerError: no such level; as of `build_sandbox`.
    """
    scenario = drawn(seed, level)
    record = explorer_home() / "drills" / f"{scenario.name.rpartition('.')[2]}.json"

    def tell(written: Written) -> None:
        _record(record, scenario, level, written)

    lesson = scenario.lesson(tell)
    build_sandbox(spark, lessons=[lesson], anew=is_built(lesson) and not record.exists())
    recorded = json.loads(record.read_text(encoding="utf-8"))
    return Drilled(recorded.pop("table"), Case(**recorded))


def drawn(seed: int, level: int) -> Scenario:
    """Which story a drill is.

    Raises:
        ExplorerError: no such level.
    """
    if level not in LEVELS:
        raise ExplorerError(f"There is no drill of level {level}.", next_step="Name 1, 2 or 3.")
    causes = FIRST_LEVEL if level == 1 else tuple(INCIDENTS)
    cause = random.Random(f"drill {level} {seed}").choice(causes)  # noqa: S311 - not for secrets
    name = f"drills.level_{level}_seed_{seed}".replace("-", "minus_")
    return Scenario(name, seed, weeks=3 if level == max(LEVELS) else 2, cause=cause, with_oddity=level == max(LEVELS))


def seed_with(cause: str, level: int, first: int = 1) -> int:
    """The first seed from `first` on that draws an incident: so its name need not stand in the learner's notebook.

    Raises:
        ExplorerError: no drill of this level has it.
    """
    found = next((seed for seed in range(first, first + _SEEDS) if drawn(seed, level).cause == cause), None)
    if found is None:
        known = FIRST_LEVEL if level == 1 else INCIDENTS
        raise ExplorerError(
            f"No drill of level {level} has the incident {cause!r}.",
            next_step=f"Name one of: {', '.join(sorted(known))}."
            + (" Level 2 and 3 have more." if level == 1 and cause in INCIDENTS else ""),
        )
    return found


def _record(file: Path, scenario: Scenario, level: int, written: Written) -> None:
    told, incident = written.told, scenario.incident
    if told is None or incident is None or written.snapshot_id is None:
        raise ValueError("a drill without an incident")
    case = Case(
        seed=scenario.seed,
        level=level,
        weeks=scenario.weeks,
        title=told.title,
        words=told.words,
        oddity=written.oddity,
        symptom=incident.symptom,
        probe=told.probe,
        good=told.good,
        number=told.number,
        snapshot_id=written.snapshot_id,
        cause=incident.cause,
    )
    write_at_once(file, json.dumps({"table": f"{SANDBOX_CATALOG}.{scenario.name}"} | asdict(case), indent=1))
