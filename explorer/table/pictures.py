"""Which pictures there are. Adding one is adding it here: tab, command, and its place in tests and README follow.

The floors above attach to it by the name: `widgets/explorer.py` the views, `terminal/show.py` the commands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .answers.biography import BiographyPicture
from .answers.bisect import BisectPicture
from .answers.changelog import ChangelogPicture
from .answers.commit import BoundaryPicture, CommitPicture
from .answers.compare import ComparePicture
from .answers.deletes import DeletesPicture
from .answers.dry_run import DryRunPicture
from .answers.entries import EntriesPicture
from .answers.partitions import PartitionsPicture
from .answers.retries import RetriesPicture
from .answers.sequence_timeline import SequenceTimelinePicture
from .answers.snapshot_graph import SnapshotGraphPicture
from .answers.triage import TriagePicture
from .answers.why import WhyPicture
from .picture import Picture


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of picture.

    Attributes:
        picture: how it is read and drawn.
        tab: the title of the explorer's tab that shows it; two kinds may share one.
        answers: which question it answers, a sentence.
        aliases: what else its command is called.
    """

    picture: type[Picture[Any]]
    tab: str
    answers: str
    aliases: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Of the method of `Table` that asks for it."""
        return self.picture.name

    @property
    def command(self) -> str:
        """Name of the command of `iceberg-explorer show`."""
        return self.name.replace("_", "-")


PICTURES = (
    Kind(
        SnapshotGraphPicture,
        "History",
        "Which snapshots there are, which line holds them, and what each commit added and removed.",
        ("graph",),
    ),
    Kind(
        CommitPicture,
        "Commit",
        "What one commit did: which files it rewrote, and which unchanged rows it carried along.",
    ),
    Kind(BoundaryPicture, "Commit", "The same between two snapshots, net."),
    Kind(
        ComparePicture,
        "Compare",
        "In what two points differ, of one table or of two: relation, schema, properties, files, rows.",
    ),
    Kind(ChangelogPicture, "Changes", "Which rows the commits of a range changed, told in five ways."),
    Kind(
        BiographyPicture,
        "Row",
        "What became of the rows that meet a condition, from birth to now, and which commit did it.",
    ),
    Kind(
        SequenceTimelinePicture,
        "Files",
        "When each file was born and removed, its sequence numbers, and which deletes reach it.",
    ),
    Kind(DeletesPicture, "Deletes", "Which delete reaches which data file, and by which clause of the rule."),
    Kind(WhyPicture, "Deletes", "Why a row is deleted, or is not, at one snapshot."),
    Kind(EntriesPicture, "Manifests", "What manifests store, and what a reader makes of every null."),
    Kind(RetriesPicture, "Manifests", "How often commits were tried, and to whom they lost."),
    Kind(PartitionsPicture, "Partitions", "What every partition held after every commit; who emptied or filled it."),
    Kind(
        TriagePicture,
        "Health",
        "What is wrong with the table, since which commit, and what to do about it.",
        ("health",),
    ),
    Kind(
        BisectPicture,
        "Bisect",
        "Which commit changed the answer of a statement, by halving the line of commits.",
    ),
    Kind(
        DryRunPicture,
        "Dry run",
        "What a procedure of Iceberg would lose, remove, rewrite and keep, run on nothing.",
    ),
)
"""All of them, in the order of the tabs."""
