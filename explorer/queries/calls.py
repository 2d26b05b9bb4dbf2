"""Tell the errors of Spark and Iceberg apart. They come as a dozen classes; their words are what they share."""

from __future__ import annotations

import re

from ..engine.conf import without_secrets

NOT_FOUND = re.compile(
    r"TABLE_OR_VIEW_NOT_FOUND|NoSuchTableException|NoSuchNamespaceException|SCHEMA_NOT_FOUND|PATH_NOT_FOUND"
    r"|REQUIRES_SINGLE_PART_NAMESPACE|Nested databases are not supported|CATALOG_NOT_FOUND"
)
DENIED = re.compile(
    r"AccessDenied|Access denied|Access Denied|Permission denied|PermissionDenied|AccessControlException"
    r"|ForbiddenException|NotAuthorizedException|Not authorized|INSUFFICIENT_PERMISSIONS"
)
NO_FILE_SYSTEM = re.compile(r"No FileSystem for scheme|UnsupportedFileSystemException|Failed to get file system")


def reason(error: Exception) -> str:
    """The innermost cause, in one line, without the stack, the class name of Java, and any credential in it."""
    text = str(error)
    causes = re.findall(r"^(?:Caused by: |: )?((?:[a-z]\w*\.)+[A-Z]\w*): (.+)$", text, flags=re.MULTILINE)
    line = causes[-1][1] if causes else next((part for part in text.splitlines() if part.strip()), type(error).__name__)
    return without_secrets(line.strip().rstrip(".")) + "."
