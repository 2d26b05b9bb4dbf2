"""Which manifests this process opens, told to a test of what a question reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.queries.files import storage


def opened_files(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """From now on the manifests that this process opens, one named again each time that it is opened."""
    opened, contents = list[str](), storage.contents

    def noted(spark: SparkSession, paths: list[str], options: Any) -> Any:
        opened.extend(paths)
        return contents(spark, paths, options)

    monkeypatch.setattr(storage, "contents", noted)
    return lambda: [path for path in opened if re.search(r"-m\d+\.avro", path)]
