"""A Spark session with Iceberg in it, and one thread that puts questions to it."""

from .deferred import is_not_started
from .doctor import Finding, examine
from .folders import config_folder, explorer_home, write_at_once
from .machine import free_memory
from .progress import Progress, SparkWork, reported
from .recovery import answering
from .session import (
    SANDBOX_CATALOG,
    conf_from_env,
    conf_to_env,
    has_sandbox,
    is_connect,
    is_embedded,
    is_running,
    sandbox_warehouse,
    session,
    session_again,
    session_when_asked,
)
from .worker import Task, Worker

__all__ = [
    "SANDBOX_CATALOG",
    "Finding",
    "Progress",
    "SparkWork",
    "Task",
    "Worker",
    "answering",
    "conf_from_env",
    "conf_to_env",
    "config_folder",
    "examine",
    "explorer_home",
    "free_memory",
    "has_sandbox",
    "is_connect",
    "is_embedded",
    "is_not_started",
    "is_running",
    "reported",
    "sandbox_warehouse",
    "session",
    "session_again",
    "session_when_asked",
    "write_at_once",
]
