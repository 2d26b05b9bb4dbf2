"""Where files lie: paths compared without their scheme."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import Longs


def plain_path(path: str) -> str:
    """A path without scheme, as it is compared: `s3a://b/t` and `s3://b/t` are one."""
    rest = path.split("://", 1)[-1] if "://" in path else path.removeprefix("file:")
    return rest if "://" in path and not path.startswith("file") else "/" + rest.lstrip("/")


def outside(paths: pa.Array | pa.ChunkedArray, folders: Sequence[str]) -> Longs:
    """Which of some files lie in none of these folders."""
    inside = np.zeros(len(paths), dtype=bool)
    for folder in folders:
        inside |= np.asarray(pc.starts_with(paths, f"{folder.rstrip('/')}/"))
    left = np.flatnonzero(~inside)
    own = tuple(f"{plain_path(folder).rstrip('/')}/" for folder in folders)
    plain = (plain_path(path) for path in paths.take(pa.array(left)).to_pylist())
    return left[[not path.startswith(own) for path in plain]] if len(left) else left
