from __future__ import annotations

import pytest

from explorer.queries.files import local_files


@pytest.fixture(params=["by this process", "by a Spark job"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Who reads small files: whatever is asked must be answered alike, since on remote storage only Spark can."""
    if request.param == "by a Spark job":
        monkeypatch.setattr(local_files, "finder", lambda _: lambda _: None)
    return str(request.param)
