"""What every query asks: a session, and a table as one metadata file tells it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pyspark.sql import SparkSession

from ..engine.memory import read_once
from ..model.iceberg.document import Specs
from ..model.iceberg.metadata import TableMetadata
from .files import storage
from .files.decoded_manifests import DecodedManifests
from .files.file_cache import FileCache
from .files.locate import Located
from .files.metadata_file import MetadataFile
from .files.spark_files import Folders
from .files.storage import ReadOptions


@dataclass(frozen=True)
class Source:
    """A table as one metadata file tells it, and the session that reads it.

    Attributes:
        spark: the session to ask, classic or Connect.
        located: how the table was found: read by its name, or by its metadata file if it has none.
        file: the metadata file.
        metadata: the same, understood.
        cache: manifest lists and manifests that were read before; None if nothing is kept.
        decoded: what was decoded of small manifests, so that each is opened once. Of questions that ask them several
            times; None of all others.
        folders: that Spark listed for this question; None lists anew each time.
        alone: whether data files are read by themselves, however few others there are: one of those, or a
            manifest, cannot be read.
    """

    spark: SparkSession
    located: Located
    file: MetadataFile
    metadata: TableMetadata
    cache: FileCache | None = None
    decoded: DecodedManifests | None = field(default=None, compare=False, repr=False)
    folders: Folders | None = field(default=None, compare=False, repr=False)
    alone: bool = field(default=False, compare=False, repr=False)

    @property
    def document(self) -> Any:
        """The metadata file, parsed."""
        return self.file.document

    @property
    def specs(self) -> Specs:
        """Partition fields by spec id."""
        return self.metadata.specs

    @read_once
    def options(self) -> ReadOptions:
        """Of `storage.read_options`, with the files that are kept; asked of the session once, when first needed."""
        options = storage.read_options(self.spark, self.located.relation)
        return replace(options, cache=self.cache, bundle=self.located.bundle, folders=self.folders)
