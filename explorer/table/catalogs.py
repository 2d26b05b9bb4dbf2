"""The tables of a session before one of them is opened."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark.sql import SparkSession

from ..model.namespaces import Namespace
from ..model.silence import Remote
from ..queries.files import listing, remote
from . import Table


class Catalogs:
    """The catalogs that a session has settings of, whether or not it has used them yet.

    Attributes:
        spark: the session.
    """

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark

    def names(self) -> list[str]:
        """Their names, sorted. Cost: a query about settings, no request to a catalog."""
        return listing.catalogs(self.spark)

    def namespaces(self, catalog: str) -> Iterator[Namespace]:
        """Every namespace of one with its tables; cost and errors as of `queries.files.listing`."""
        return listing.namespaces(self.spark, catalog)

    def remote(self, name: str) -> Remote:
        """Where a table of that name is, as far as settings tell. Cost: a query about settings."""
        return remote.of_name(self.spark, name)

    def open(self, name: str) -> Table:
        """Open a table that one lists, or any other; errors as of `Table.open`."""
        return Table.open(name, self.spark)
