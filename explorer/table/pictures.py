"""Which pictures there are. Adding one is adding it here: tab, command, and its place in tests and README follow.

The floors above attach to it by the name: `widgets/explorer.py` the views, `terminal/show.py` the commands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .answers.biography import BiographyPicture
from .answers.changelog import ChangelogPicture
from .answers.commit import BoundaryPicture, CommitPicture
from .answers.compare import ComparePicture
from .answers.deletes import DeletesPicture
from .answers.entries import EntriesPicture
from .answers.partitions import PartitionsPicture
from .answers.retries import RetriesPicture
from .answers.sequence_timeline import SequenceTimelinePicture
from .answers.snapshot_graph import SnapshotGraphPicture
from .answers.why import WhyPicture
from .picture import Picture


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of picture.

    Attributes:
        picture: how it is read and drawn.
        tab: the title of the explorer's tab that shows it; two kinds may share one.
        aliases: what else its command is called.
    """

    picture: type[Picture[Any]]
    tab: str
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
    Kind(SnapshotGraphPicture, "History", ("graph",)),
    Kind(CommitPicture, "Commit"),
    Kind(BoundaryPicture, "Commit"),
    Kind(ComparePicture, "Compare"),
    Kind(ChangelogPicture, "Changelog"),
    Kind(BiographyPicture, "Row"),
    Kind(SequenceTimelinePicture, "Sequence", ("timeline",)),
    Kind(DeletesPicture, "Deletes"),
    Kind(WhyPicture, "Deletes"),
    Kind(EntriesPicture, "Manifests"),
    Kind(RetriesPicture, "Manifests"),
    Kind(PartitionsPicture, "Partitions"),
)
"""All of them, in the order of the tabs."""
