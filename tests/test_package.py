"""What a person gets who installs the wheel: everything of the package, nothing else, and a command that starts.

The wheel is installed alone into an environment of its own, which borrows the dependencies from the one of the tests:
a folder named in a `.pth` file gives its modules, but not the package that is installed there for development.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest
from jupyter_client import BlockingKernelClient

from tests.servers.components import free_port

REPOSITORY = Path(__file__).resolve().parents[1]


def run(*command: str | Path, cwd: Path) -> str:
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_of_the_repository(folder: str) -> list[str]:
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", folder, cwd=REPOSITORY)
    return [name for name in listed.splitlines() if (REPOSITORY / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, REPOSITORY, cwd=folder)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of an environment that has the wheel."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, symlinks=True)
    [site_packages] = home.glob("lib/python*/site-packages")
    (site_packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    python = home / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=home)
    return home / "bin"


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    package = files_of_the_repository("explorer")
    notebooks = files_of_the_repository("notebooks")
    own = {name for name in names if ".dist-info/" not in name}
    assert "explorer/py.typed" in own
    assert any(name.endswith(".ipynb") for name in notebooks)
    assert own == {*package, *(f"explorer/{name}" for name in notebooks)}
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_installed_package_comes_from_the_wheel(installed, tmp_path):
    code = "import explorer, importlib.resources as r; print(explorer.__file__, r.files(explorer) / 'notebooks')"
    module, notebooks = run(installed / "python", "-c", code, cwd=tmp_path).split()
    assert Path(module).is_relative_to(installed.parent)
    assert list(Path(notebooks).glob("*.ipynb"))


def test_the_installed_command_tells_what_it_can_do(installed, tmp_path):
    printed = run(installed / "iceberg-explorer", "--help", cwd=tmp_path)
    for command in ("lab", "show", "sandbox", "doctor"):
        assert re.search(rf"^ *{command}\b", printed, re.MULTILINE), command


def test_the_installed_version_is_the_packages_own(installed, tmp_path):
    code = "import explorer, importlib.metadata as m; print(explorer.__version__, m.version('iceberg-table-explorer'))"
    own, recorded = run(installed / "python", "-c", code, cwd=tmp_path).split()
    assert own == recorded


def test_lab_starts_from_the_wheel_with_the_wheels_own_notebooks_and_kernel(installed, tmp_path):
    """No Spark: a table of one's own needs no sandbox, and nobody runs the notebook."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "JUPYTER"))}
    env |= {"HOME": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"), "IPYTHONDIR": str(tmp_path)}
    env["SPARK_REMOTE"] = "sc://127.0.0.1:9"  # nobody serves there: its kernel, which would start a Spark, starts none
    env["JUPYTERLAB_DIR"] = f"{sys.prefix}/share/jupyter/lab"  # a borrowed package brings no data files
    command = [installed / "iceberg-explorer", "lab", "lake.db.t", "--no-browser", "--port", str(free_port())]
    log = tmp_path / "lab.log"
    with log.open("w") as output:
        lab = subprocess.Popen(command, cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        page, token = address(lab, log)
        server = page.partition("/lab")[0]
        assert "tables/lake.db.t" in page
        listed = json.loads(ask(f"{server}/api/contents?token={token}"))["content"]
        assert "00_start.ipynb" in {file["name"] for file in listed}
        with pytest.raises(urllib.error.HTTPError):
            ask(f"{server}/api/contents")
        assert b"jupyter-config-data" in ask(f"{page}?token={token}")

        kernel = json.loads(ask(f"{server}/api/kernels?token={token}", b"{}"))["id"]
        client = BlockingKernelClient(connection_file=str(tmp_path / "runtime" / f"kernel-{kernel}.json"))
        client.load_connection_file()
        client.hb_channel.time_to_dead = 60.0  # seconds, not one: a busy machine starts a kernel slowly
        client.start_channels()
        client.wait_for_ready(timeout=300)
        printed = []
        show = lambda message: printed.append(message["content"].get("text", ""))  # noqa: E731
        client.execute_interactive(
            "import sys, explorer; print(sys.executable, explorer.__file__)", timeout=300, output_hook=show
        )
        client.stop_channels()
        python, module = "".join(printed).split()
        assert Path(python).parent == installed
        assert Path(module).is_relative_to(installed.parent)
    finally:
        lab.terminate()
        lab.wait(120)


def address(lab: subprocess.Popen[bytes], log: Path) -> tuple[str, str]:
    for _ in range(1500):
        if found := re.search(r"(http://127\S+)\?token=(\w+)", log.read_text()):
            return found[1], found[2]
        if lab.poll() is not None:
            break
        time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


def ask(url: str, content: bytes | None = None) -> bytes:
    with urllib.request.urlopen(url, content, timeout=30) as answer:
        return answer.read()
