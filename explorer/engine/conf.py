"""The Spark settings a person chose, from every place they may have written them."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ExplorerError
from .folders import config_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

CONF_VARIABLE = "ICEBERG_EXPLORER_CONF"
PRESENT_VARIABLE = "ICEBERG_EXPLORER_PRESENT"
"""Set where a class looks on: pictures then take the width of the page."""
_SECRET = re.compile(r"secret|passw|token|credential|key", re.IGNORECASE)
MASK = "********"


def conf_to_env(conf: Mapping[str, str]) -> str:
    """The settings as the value of `ICEBERG_EXPLORER_CONF`: one `key=value` per line.

    Raises:
        ExplorerError: a key or value that such a line cannot hold.
    """
    for key, value in conf.items():
        if not key or "=" in key or "\n" in key or "\n" in value:
            raise ExplorerError(
                f"The setting {key!r} cannot be handed on to the notebooks.",
                found="A setting is one line, key=value, with no line break in it.",
            )
    return "\n".join(f"{key}={value}" for key, value in conf.items())


def conf_from_env() -> dict[str, str]:
    """The settings that `ICEBERG_EXPLORER_CONF` carries; empty when it is not set.

    Raises:
        ExplorerError: a line that is not `key=value`.
    """
    lines = os.environ.get(CONF_VARIABLE, "").splitlines()
    return dict(_pair(line, f"the environment variable {CONF_VARIABLE}") for line in lines if line.strip())


def spark_defaults_file() -> Path | None:
    """The first `spark-defaults.conf` that exists: Spark's own, else the one in the explorer's config folder."""
    spark_home = os.environ.get("SPARK_HOME")
    spark_conf = os.environ.get("SPARK_CONF_DIR") or (spark_home and f"{spark_home}/conf")
    folders = [Path(spark_conf)] if spark_conf else []
    files = (folder / "spark-defaults.conf" for folder in [*folders, config_folder()])
    return next((file for file in files if file.is_file()), None)


def chosen_conf(conf: Mapping[str, str] | None = None) -> dict[str, str]:
    """What the person chose, later places winning over earlier ones.

    In this order: `spark-defaults.conf`, `PYSPARK_SUBMIT_ARGS`, `ICEBERG_EXPLORER_CONF` (the command line's
    `--conf`), the argument.

    Raises:
        ExplorerError: a line or option that is not `key=value`.
    """
    file = spark_defaults_file()
    defaults = _properties(file.read_text("utf-8")) if file else {}
    return {**defaults, **submit_arguments()[0], **conf_from_env(), **(conf or {})}


def submit_arguments() -> tuple[dict[str, str], str]:
    """`PYSPARK_SUBMIT_ARGS` as settings, and what is left of it.

    spark-submit lets `--packages` win over `spark.jars.packages`, so the runtime could not be added beside it.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--conf", "-c", action="append", default=[])
    options = {
        "--master": "spark.master",
        "--packages": "spark.jars.packages",
        "--jars": "spark.jars",
        "--repositories": "spark.jars.repositories",
        "--driver-memory": "spark.driver.memory",
    }
    for option, key in options.items():
        parser.add_argument(option, dest=key)
    words = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", "pyspark-shell"))
    named, rest = parser.parse_known_args(words)
    conf = dict(_pair(pair, "PYSPARK_SUBMIT_ARGS") for pair in named.conf)
    conf |= {key: value for key in options.values() if (value := getattr(named, key)) is not None}
    return conf, shlex.join(rest)


def is_secret(key: str) -> bool:
    """Whether the value of this setting must not be shown."""
    # A catalog's own name may be any word.
    return bool(_SECRET.search(re.sub(r"^spark\.sql\.catalog\.[^.]+", "", key)))


def without_secrets(text: str) -> str:
    """The text with every credential in it hidden: the person's own, and what looks like one in an address."""
    try:
        secrets = {value for key, value in chosen_conf().items() if is_secret(key) and len(value) > 2}
    except (ExplorerError, OSError):
        secrets = set()
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    text = re.sub(r"(?<=://)[^/\s@]+(?=@)", MASK, text)
    return re.sub(rf"((?:\w*(?:{_SECRET.pattern}))\w*=)[^\s&;,]+", rf"\1{MASK}", text, flags=re.IGNORECASE)


def _pair(text: str, place: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (equals and key.strip()):
        raise ExplorerError(
            f"A setting in {place} cannot be read.",
            found=f"It begins with {key.split()[0] if key.split() else text!r} and has no key=value.",
            next_step="Write it as key=value, for example spark.sql.catalog.mine.type=rest.",
        )
    return key.strip(), value.strip()


def _properties(text: str) -> dict[str, str]:
    """A Java properties file, which is what `spark-defaults.conf` is."""
    conf = {}
    for line in re.sub(r"\\\n[ \t]*", "", text).splitlines():
        stripped = line.strip()
        if stripped and stripped[0] not in "#!":
            key, _, value = re.sub(r"\s*[=:\s]\s*", "\n", stripped, count=1).partition("\n")
            conf[key] = value
    return conf
