"""What reads for a table as one metadata file tells it, for every picture that asks the same of it."""

from __future__ import annotations

from ...engine import answering
from ...engine.garbage import paused_gc
from ...engine.memory import read_once
from ...model.iceberg.key_candidates import KeyCandidate
from ...model.overview.facts import Overview, overview
from ...model.snapshot_graph import facts as snapshot_graph_facts
from ...model.snapshot_graph.facts import SnapshotGraph
from ...model.triage import checks
from ...model.triage.facts import Triage
from ...queries.files import metadata_file
from ...queries.source import Source
from . import keys
from .biographies import AskedBiography, Question
from .bisections import Answers, AskedBisection, BisectQuestion
from .changelogs import Changelogs
from .commits import Commits
from .dry_runs import DryRuns
from .live_deletes import LiveDeletes
from .manifests import Manifests
from .proofs import Prover
from .timelines import Timelines
from .triage import Examined, TriageReader


class Readers:
    """What reads for a table as one metadata file tells it; each is made when it is first asked."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @read_once
    def graph(self) -> SnapshotGraph:
        """The graph of the metadata; laid out once."""
        with paused_gc():
            return snapshot_graph_facts.snapshot_graph(self._source.metadata)

    @read_once
    def overview(self) -> Overview:
        """The whole history at a glance; told once."""
        with paused_gc():
            return overview(self.graph)

    @read_once
    def refusal(self) -> str:
        """Iceberg's own words where it refuses the metadata file; it reads the whole file again for that."""
        with answering(self._source.spark):  # a session that is lost is no refusal
            source = self._source
            return metadata_file.refusal(source.spark, source.file.location, source.located.bundle)

    @read_once
    def commits(self) -> Commits:
        """Of commits, and the rows they touched."""
        return Commits(self._source)

    @read_once
    def changelogs(self) -> Changelogs:
        """Of what changed between two snapshots."""
        return Changelogs(self.commits)

    @read_once
    def manifests(self) -> Manifests:
        """Of manifests, and of attempts to commit."""
        return Manifests(self.graph, self.commits)

    @read_once
    def deletes(self) -> LiveDeletes:
        """Of what deletes reach, and why rows are masked."""
        return LiveDeletes(self.commits)

    @read_once
    def timelines(self) -> Timelines:
        """Of files from birth to removal."""
        return Timelines(self._source, self.graph)

    @read_once
    def board(self) -> Triage:
        """What the metadata file alone tells of what is wrong; told once."""
        current = self._source.metadata.by_id.get(self._source.metadata.current_snapshot_id or 0)
        return checks.triage(self.triage.known(Examined(current, "main", None, None, "metadata.json")))

    @read_once
    def triage(self) -> TriageReader:
        """Of what is wrong with the table."""
        return TriageReader(self.commits.source, self.graph, self.timelines)

    @property
    def prover(self) -> Prover:
        """Of rows that prove what a check inferred."""
        return Prover(self.commits.source, self.changelogs)

    @read_once
    def dry_runs(self) -> DryRuns:
        """Of what procedures would do."""
        return DryRuns(self.commits)

    def biography(self, question: Question) -> AskedBiography:
        """Of what became of rows; it keeps nothing of what it reads for the next one but manifests."""
        return AskedBiography(self.commits.source, self.timelines, question, lambda: self.key_candidates)

    @read_once
    def key_candidates(self) -> tuple[KeyCandidate, ...]:
        """Which columns may tell rows apart; looked for once."""
        return keys.candidates(self.commits)

    def bisection(self, question: BisectQuestion) -> AskedBisection:
        """Of where an answer changed; what was answered once is not asked again."""
        return AskedBisection(self.commits.source, self.timelines, question, self._answers)

    @read_once
    def _answers(self) -> Answers:
        return {}
