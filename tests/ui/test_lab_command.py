"""`iceberg-explorer lab`, started as a person starts it, and looked at with the address that it prints."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.servers.components import free_port
from tests.ui.conftest import PATIENCE

CONTEXT = "window.jupyterapp.shell.currentWidget.context"
MAYBE_CONTEXT = "window.jupyterapp?.shell?.currentWidget?.context"
ADDRESS = re.compile(
    r"http://127\.0\.0\.1:\d+/\S+\?token=\w+"
)  # the tests' browser resolves no name, not even localhost


@pytest.fixture(scope="module")
def lab_command(sandbox, explorer_home, spark_conf, tmp_path_factory):
    """A function that starts the command in an empty home and gives its address and its folder; ended with Ctrl-C."""
    home = tmp_path_factory.mktemp("home")
    env = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    env |= {"HOME": str(home), "JUPYTER_PLATFORM_DIRS": "1", "IPYTHONDIR": str(home / "ipython")}
    env |= {"SPARK_LOCAL_IP": "127.0.0.1"}
    running = []

    def start(*arguments: str) -> tuple[str, Path]:
        command = [sys.executable, "-m", "explorer.cli", "lab", "--no-browser", "--port", str(free_port())]
        for key, value in spark_conf.items():
            command += ["--conf", f"{key}={value}"]
        command += [*arguments, "--", "--LabApp.expose_app_in_browser=True"]
        log = home / f"lab-{len(running)}.log"
        with log.open("w") as output:
            lab = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        running.append(lab)
        for _ in range(1500):
            if address := ADDRESS.search(log.read_text()):
                return address[0], home / "iceberg-explorer"
            if lab.poll() is not None:
                break
            time.sleep(0.2)
        pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")

    yield start
    for lab in running:
        lab.send_signal(signal.SIGTERM)
        lab.wait(120)


@pytest.fixture
def opened(browser, page_log):
    pages = []

    def open_page(address: str):
        page = browser.new_page(viewport={"width": 1400, "height": 1600})
        page.add_init_script(PATIENCE)
        pages.append(page)
        page_log.watch(page)
        page.goto(address)
        shown = address.partition("/lab/tree/")[2].partition("?")[0]  # not a notebook of the last time, reopened
        page.wait_for_function(f"{MAYBE_CONTEXT}?.path === '{shown}' && {MAYBE_CONTEXT}.isReady", timeout=60_000)
        page.evaluate(f"{CONTEXT}.sessionContext.ready")
        return page

    yield open_page
    for page in pages:
        page.close()


def test_the_start_notebook_opens_with_a_token_runs_and_draws(lab_command, opened, screenshot):
    address, folder = lab_command()
    assert "/lab/tree/00_start.ipynb?" in address
    page = opened(address)
    assert (folder / "00_start.ipynb").is_file()
    assert page.request.get(address.split("/lab")[0] + "/api/contents", headers={"Cookie": ""}).status == 403

    code = "import sys, explorer; (sys.executable, explorer.__file__)"
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => null)")
    errors = page.evaluate(
        f"{CONTEXT}.model.toJSON().cells.flatMap(c => c.outputs ?? []).filter(o => o.output_type === 'error')"
    )
    assert errors == []
    explorer = page.locator(".iceberg-explorer").first
    expect(explorer.locator(".js-plotly-plot .scatterlayer .point").first).to_be_attached(timeout=30_000)
    explorer.scroll_into_view_if_needed()
    screenshot(page, "lab_start")
    assert kernel_says(page, code) == (sys.executable, str(Path(sys.modules["explorer"].__file__)))
    expect(page.locator(".Toastify__toast")).to_have_count(0)  # no question about news


def kernel_says(page, code):
    run = f"""async code => {{
        const kernel = {CONTEXT}.sessionContext.session.kernel;
        const future = kernel.requestExecute({{code, store_history: false}});
        let text = null;
        future.onIOPub = message => {{ text = message.content.data?.['text/plain'] ?? text; }};
        await future.done;
        return text;
    }}"""
    return eval(page.evaluate(run, code))


def test_a_table_named_on_the_command_line_is_opened(lab_command, opened, screenshot):
    address, folder = lab_command("sandbox.lessons.rollback")
    [notebook] = (folder / "tables").glob("*.ipynb")
    assert f"/lab/tree/tables/{notebook.name}?" in address
    page = opened(address)
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => null)")
    expect(page.locator(".iceberg-explorer").first).to_contain_text("sandbox.lessons.rollback", timeout=60_000)
    screenshot(page, "lab_table")
