"""Tell the errors of Spark and Iceberg apart. They come as a dozen classes; their words are what they share."""

from __future__ import annotations

import re

from ...engine.conf import without_secrets
from ...errors import AccessDenied, ExplorerError, Unreachable, UnreadableMetadata

NOT_FOUND = re.compile(
    r"TABLE_OR_VIEW_NOT_FOUND|NoSuchTableException|NoSuchNamespaceException|SCHEMA_NOT_FOUND|PATH_NOT_FOUND"
    r"|REQUIRES_SINGLE_PART_NAMESPACE|Nested databases are not supported|CATALOG_NOT_FOUND"
)
DENIED = re.compile(
    r"AccessDenied|Access denied|Access Denied|Permission denied|PermissionDenied|AccessControlException"
    r"|ForbiddenException|NotAuthorizedException|Not authorized|INSUFFICIENT_PERMISSIONS"
)
GONE = re.compile(r"FileNotFound|NoSuchKey|\bNotFoundException|PATH_NOT_FOUND|FILE_NOT_EXIST")
NO_FILE = re.compile(rf"{NOT_FOUND.pattern}|{GONE.pattern}")
NO_FILE_SYSTEM = re.compile(r"No FileSystem for scheme|UnsupportedFileSystemException|Failed to get file system")

_UNFIT_PYTHON = re.compile(
    r"\w*(?:ModuleNotFound|Import)Error: .+|\[PYTHON_VERSION_MISMATCH\] .+|Cannot run program .+"
    r"|Error from python worker:(?s:.+?)(?=\nPYTHONPATH was)"
)
_NO_COLUMN = re.compile(
    r"\[UNRESOLVED_COLUMN[^\]]*\].*? with name (`.+?`) cannot be resolved"
    r"(?:\. Did you mean one of the following\? \[(.+?)\])?"
)
_OF_FILE = re.compile(r"Exception: Failed to \w+ (?:input stream for )?file: (\S+)")
_SPARK = ("pyspark", "py4j", "grpc")  # packages whose errors are those of Spark
_SHORT_OF_MEMORY = re.compile(
    r"OutOfMemoryError|ExecutorLostFailure|Python worker exited unexpectedly|Container killed|Cannot allocate memory"
)
_TOO_MUCH_SENT = re.compile(r"maxResultSize")
_NOT_FETCHED = re.compile("CANNOT_OPEN_SOCKET")
UNREACHABLE = re.compile(
    r"ConnectException|Connection refused|Connection reset|UnknownHostException|NoRouteToHost|SocketTimeoutException"
    r"|[Cc]onnect(?:ion)? timed out|HttpHostConnectException|Name or service not known|CommunicationsException"
)


def refused(what: str, error: Exception) -> AccessDenied | Unreachable | None:
    """The error in words if the catalog or the storage said no, or nothing at all; else None.

    Args:
        what: what was asked for, as the subject of a sentence: `lake.shop.orders`, `The metadata file …`.
        error: of Spark or Iceberg.
    """
    if DENIED.search(str(error)):
        return AccessDenied(
            f"{what} may not be read.",
            found=reason(error),
            next_step="Check the credentials of the catalog and of its storage, then ask again.",
        )
    if _NOT_FETCHED.search(str(error)):  # its words are those of a storage that does not answer
        return Unreachable(
            f"{what} could not be fetched.",
            found=f"Spark does not answer on the socket that it opened for them: {reason(error)}",
            next_step="Ask again.",
        )
    if UNREACHABLE.search(str(error)):
        return Unreachable(
            f"{what} could not be reached.",
            found=f"The catalog or the storage does not answer: {reason(error)}",
            next_step="Check its address and that it runs, then ask again; `iceberg-explorer doctor` lists catalogs.",
        )
    return None


def unknown_scheme(what: str, error: Exception) -> UnreadableMetadata | None:
    """The error in words if Spark has no file system for the scheme of a location, with the ways out; else None.

    Args:
        what: of `refused`.
        error: of Spark.
    """
    if not NO_FILE_SYSTEM.search(str(error)):
        return None
    return UnreadableMetadata(
        f"{what} could not be read.",
        found="Spark has no file system for this scheme: " + reason(error),
        next_step="Open the table by its name in a catalog, whose own FileIO can read it; or give Spark the file system"
        " of this storage (for s3:// map fs.s3.impl to S3A).",
    )


def is_of_spark(error: Exception) -> bool:
    """Whether Spark failed, or Iceberg in it, and not this package."""
    return type(error).__module__.split(".")[0] in _SPARK


def failed(what: str, error: Exception, next_step: str) -> ExplorerError:
    """An error of Spark in words.

    Args:
        what: one sentence: what was asked and cannot be answered.
        error: of Spark or Iceberg.
        next_step: what the person can do, unless the error itself tells.
    """
    if (explained := refused(what, error)) is not None:
        return type(explained)(what, found=explained.found, next_step=explained.next_step)
    if _TOO_MUCH_SENT.search(str(error)):
        next_step = "Start Spark with a larger spark.driver.maxResultSize, and the memory for it: spark.driver.memory."
    elif _SHORT_OF_MEMORY.search(str(error)):
        next_step = (
            "A process of Spark ended, most often because it had too little memory: give its executors more,"
            " spark.executor.memory and spark.executor.memoryOverhead, or spark.driver.memory where it runs here alone."
        )
    return ExplorerError(what, found=reason(error), next_step=next_step)


def unfit_python(error: Exception) -> str:
    """What is wrong with the Python of Spark's workers, a sentence; empty if something else failed.

    It lacks a library, is of another version than this one, does not start, or is not there.
    """
    match = _UNFIT_PYTHON.search(str(error))
    # Of a worker that did not start there is a whole traceback, which ends with what is wrong.
    return without_secrets(match[0].splitlines()[-1].strip().rstrip(".")) + "." if match else ""


def reason(error: Exception) -> str:
    """What was found, of a refusal; else the innermost cause: in one line, without stack, class name, or credential."""
    if isinstance(error, ExplorerError) and error.found:
        return without_secrets(error.found)
    text = str(error)
    if (unknown := _NO_COLUMN.search(text)) is not None:
        names = [name for name in (unknown[2] or "").split(", ") if name]
        # Beside a table's own columns stand those of Iceberg, as near to any word as they: rarely one of them is meant.
        near = names if unknown[1].startswith("`_") else [name for name in names if not name.startswith("`_")]
        nearest = f"; the nearest are {', '.join(near)}" if near else ""
        return f"There is no column {unknown[1]}{nearest}."
    causes = re.findall(r"^(?:Caused by: |: )?((?:[a-z]\w*\.)+[A-Z]\w*): (.+)$", text, flags=re.MULTILINE)
    line = causes[-1][1] if causes else next((part for part in text.splitlines() if part.strip()), type(error).__name__)
    of = _OF_FILE.search(text)
    told = line if of is None or of[1].rsplit("/", 1)[-1] in line else f"{of[1]}: {line}"  # the cause may name no file
    return without_secrets(told.strip().rstrip(".")) + "."
