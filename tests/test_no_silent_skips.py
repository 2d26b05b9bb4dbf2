"""Under CI=true nothing is skipped in silence: neither a test, nor a module, nor what a fixture lacks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
SKIPS = {
    "a test": "import pytest\ndef test_it(): pytest.skip('no moon')",
    "a mark": "import pytest\n@pytest.mark.skip(reason='no moon')\ndef test_it(): pass",
    "a fixture": "import pytest\n@pytest.fixture\ndef moon(): pytest.skip('no moon')\ndef test_it(moon): pass",
    "a module": "import pytest\npytest.skip('no moon', allow_module_level=True)",
}


def run_of(file: Path, ci: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "tests.conftest", str(file), *arguments]
    return subprocess.run(command, cwd=REPOSITORY, env=os.environ | {"CI": ci}, capture_output=True, text=True)


@pytest.mark.parametrize("workers", ["0", "2"])
@pytest.mark.parametrize("who", SKIPS)
def test_a_skip_fails_under_ci_and_names_what_was_absent(tmp_path, who, workers):
    file = tmp_path / "test_it.py"
    file.write_text(SKIPS[who])
    done = run_of(file, "true", "-n", workers, "--dist", "loadscope")
    assert done.returncode != 0
    assert "no moon" in done.stdout
    assert "under CI=true nothing may be skipped" in done.stdout


def test_a_skip_is_a_skip_elsewhere_and_an_expected_failure_is_one_everywhere(tmp_path):
    file = tmp_path / "test_it.py"
    file.write_text(SKIPS["a test"])
    assert "1 skipped" in run_of(file, ci="").stdout
    file.write_text("import pytest\n@pytest.mark.xfail\ndef test_it(): assert 0")
    assert "1 xfailed" in run_of(file, ci="true").stdout
