"""A real JupyterLab in a real Chromium, for tests that click what a person clicks.

`run_notebook` opens a notebook of the given cells for one test, in a kernel that all such notebooks share, because one
with Spark in it costs ten seconds and half a gigabyte; `module_notebook` opens one, with its own kernel, for all tests
of a module. Every page is watched: a request to another host or an error in the browser's console fails the test in
which it was seen.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import nbformat
import pytest
from jupyter_client import BlockingKernelClient
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, WebSocket, expect, sync_playwright

from explorer.engine import conf_to_env
from tests.chromium import ABSENT, chromium_program
from tests.servers.components import free_port, running

CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # what asks for another host fails, everywhere
]
# Tall, because a plotly figure below the fold gets no mouse events.
VIEWPORT = {"width": 1400, "height": 1600}
DISABLED_EXTENSIONS = [
    "@jupyterlab/apputils-extension:announcements",  # asks another host for news
    "@jupyterlab/extensionmanager-extension:plugin",  # asks another host for extensions
    "@jupyterlab/apputils-extension:splash",  # two theme changes within 200 ms remove it twice: a console error
]
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
CONTEXT = "window.jupyterapp.shell.currentWidget.context"
ERRORS_OF_CELLS = f"""{CONTEXT}.model.toJSON().cells.flatMap(cell => cell.outputs ?? [])
    .filter(output => output.output_type === 'error').map(output => `${{output.ename}}: ${{output.evalue}}`)"""
RunNotebook = Callable[..., Page]

expect.set_options(timeout=30_000)  # what comes true comes late on a busy machine: Playwright looks for 5 s


@dataclass
class PageLog:
    """What the open pages did since it was last emptied."""

    foreign_requests: list[str] = field(default_factory=list)
    console_errors: list[str] = field(default_factory=list)
    received: int = 0
    """Bytes that kernels sent to the pages, since they were opened."""

    def watch(self, page: Page) -> None:
        page.on("request", lambda request: self._requested(request.url))
        page.on("websocket", self._connected)
        page.on("console", self._printed)
        page.on("pageerror", lambda error: self.console_errors.append(f"{error.message}\n{error.stack}"))

    def forgive(self, text: str) -> None:
        """Take off what names this text: the doing of the program around the explorer."""
        for log in self.foreign_requests, self.console_errors:
            log[:] = [line for line in log if text not in line]

    def _connected(self, socket: WebSocket) -> None:
        self._requested(socket.url)
        socket.on("framereceived", self._received)

    def _received(self, frame: str | bytes) -> None:
        self.received += len(frame)

    def _requested(self, url: str) -> None:
        address = urlsplit(url)
        if address.scheme not in ("data", "blob", "about") and address.hostname not in ("127.0.0.1", "localhost"):
            self.foreign_requests.append(url)

    def _printed(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.console_errors.append(f"{message.text} ({message.location.get('url', '')})")


@pytest.fixture(scope="session")
def page_log() -> PageLog:
    return PageLog()


@pytest.fixture(autouse=True)
def clean_pages(page_log: PageLog) -> Iterator[None]:
    """Fail the test in which a page asked another host or printed an error.

    A test that expects one of them takes it off `page_log` itself.
    """
    yield
    foreign_requests, console_errors = page_log.foreign_requests.copy(), page_log.console_errors.copy()
    page_log.foreign_requests.clear()
    page_log.console_errors.clear()
    assert not foreign_requests, "a page asked another host"
    assert not console_errors, "a page printed errors to the browser's console"


@contextmanager
def jupyter(
    program: str, *arguments: str | Path, home: Path, spark_conf: Mapping[str, str], options: Mapping[str, str]
) -> Iterator[str]:
    """The address of a Jupyter program, such as `jupyterlab`, that knows nothing of the person's own settings.

    Its kernels see the sandbox and the catalogs of the session's `spark`, through the same settings.

    Args:
        program: the name of its module.
        arguments: of the program, before the options.
        home: a folder for what it keeps.
        spark_conf: settings of the session's `spark`.
        options: further ones of the program.
    """
    port = free_port()
    env = {name: value for name, value in os.environ.items() if name.startswith("ICEBERG_EXPLORER")} | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_PLATFORM_DIRS": "1",
        "IPYTHONDIR": str(home / "ipython"),
        "ICEBERG_EXPLORER_CONF": conf_to_env(spark_conf),
    }
    flags = [f"--{name}={value}" for name, value in {"port": port, **options}.items()]
    command = [sys.executable, "-m", program, *arguments, "--no-browser", *flags]
    with running(command, home / program, port=port, **env):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def jupyter_app(program: str, home: Path, root: Path, spark_conf: Mapping[str, str]) -> Iterator[str]:
    """The address of JupyterLab, or of a program made of it, that shows the notebooks of a folder."""
    labconfig = home / "config" / "labconfig"
    labconfig.mkdir(parents=True)
    disabled = {"disabledExtensions": dict.fromkeys(DISABLED_EXTENSIONS, True)}
    (labconfig / "page_config.json").write_text(json.dumps(disabled))
    options = {
        "ip": "127.0.0.1",
        "ServerApp.port_retries": "0",
        "IdentityProvider.token": "",
        "ServerApp.disable_check_xsrf": "True",  # so that the tests can end a kernel
        "ServerApp.root_dir": str(root),
        "LabServerApp.extra_labextensions_path": "[]",
        "LabApp.extension_manager": "readonly",
    }
    with jupyter(
        program, "--allow-root", "--expose-app-in-browser", home=home, spark_conf=spark_conf, options=options
    ) as url:
        yield url


@pytest.fixture(scope="session")
def jupyter_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What JupyterLab keeps: settings, and how to reach its kernels."""
    return tmp_path_factory.mktemp("jupyter_home")


@pytest.fixture(scope="session")
def lab(
    jupyter_home: Path, tmp_path_factory: pytest.TempPathFactory, explorer_home: Path, spark_conf: dict[str, str]
) -> Iterator[tuple[str, Path]]:
    """The address of one JupyterLab for the session, up to the name of a notebook, and the folder of its notebooks."""
    root = tmp_path_factory.mktemp("notebooks")
    with jupyter_app("jupyterlab", jupyter_home, root, spark_conf) as url:
        yield f"{url}/lab/tree", root


# anywidget gives up on a widget whose module was not loaded within two seconds, which a busy machine may need.
PATIENCE = "AbortSignal.timeout = (timeout => ms => timeout(30 * ms))(AbortSignal.timeout.bind(AbortSignal))"


@contextmanager
def launched(program: str) -> Iterator[Browser]:
    """A Chromium of our own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = chromium_program()
    if program is None:
        pytest.skip(ABSENT)
    with launched(program) as browser:
        yield browser


def asked(url: str, method: str, body: Mapping[str, object] | None = None) -> Any:
    """What Jupyter's server answers to a request, if anything."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.loads(answer.read() or "null")


@dataclass(frozen=True)
class SharedKernel:
    """A kernel that one notebook uses after the other."""

    id: str
    connection_file: Path

    def close_widgets(self) -> None:
        """Close what a notebook left open: a page that connects to a kernel gets every open widget of it."""
        client = BlockingKernelClient(connection_file=str(self.connection_file))
        client.load_connection_file()
        client.start_channels(iopub=False, stdin=False, hb=False, control=False)  # a thread that beats may end badly
        try:
            client.execute("import ipywidgets; ipywidgets.Widget.close_all()", reply=True, timeout=120)
        finally:
            client.stop_channels()


@pytest.fixture(scope="session")
def shared_kernel(lab: tuple[str, Path], jupyter_home: Path) -> SharedKernel:
    """The kernel of all notebooks of `run_notebook`; it ends with JupyterLab."""
    kernel = asked(urljoin(lab[0], "/api/kernels"), "POST", {"name": "python3"})
    return SharedKernel(kernel["id"], jupyter_home / "runtime" / f"kernel-{kernel['id']}.json")


@contextmanager
def notebooks(
    lab: tuple[str, Path], browser: Browser, page_log: PageLog, name: str, shared: SharedKernel | None = None
) -> Iterator[RunNotebook]:
    """A function that opens a notebook of the given cells, runs them and gives its page; closed at the end.

    A text is a cell of code. In a shared kernel only one notebook is open at a time, since what a kernel says to one
    page reaches all of its pages; and of that kernel only the widgets are closed.
    """
    shown, root = lab
    opened: list[tuple[Page, str]] = []
    numbers = itertools.count(1)

    def close() -> None:
        while opened:
            page, kernel = opened.pop()
            page.context.close()  # before its kernel, whose end JupyterLab would report as an error
            if shared:
                shared.close_widgets()
            else:
                asked(urljoin(shown, f"/api/kernels/{kernel}"), "DELETE")

    def run(*cells: str | nbformat.NotebookNode, may_fail: bool = False) -> Page:
        if shared:
            close()
        file = root / f"{name}_{next(numbers)}.ipynb"
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells],
            metadata={"kernelspec": kernel},
        )
        nbformat.write(notebook, file)
        if shared:  # JupyterLab looks for a session of the notebook before it starts one
            session = {"path": file.name, "name": file.name, "type": "notebook", "kernel": {"id": shared.id}}
            asked(urljoin(shown, "/api/sessions"), "POST", session)
        context = browser.new_context(viewport=VIEWPORT, permissions=["clipboard-read", "clipboard-write"])
        context.set_default_timeout(120_000)
        context.add_init_script(PATIENCE)
        page = context.new_page()
        page_log.watch(page)
        page.goto(f"{shown}/{file.name}?reset")
        page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.context?.isReady")
        page.evaluate(f"{CONTEXT}.sessionContext.ready")
        opened.append((page, page.evaluate(f"{CONTEXT}.sessionContext.session.kernel.id")))
        change_theme(page, "light")  # JupyterLab keeps the theme that an earlier test chose
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => null)")
        errors = page.evaluate(ERRORS_OF_CELLS)
        if errors and not may_fail:
            pytest.fail(f"a cell failed: {errors[0]}")
        return page

    try:
        yield run
    finally:
        close()


@pytest.fixture
def run_notebook(
    lab: tuple[str, Path],
    browser: Browser,
    page_log: PageLog,
    shared_kernel: SharedKernel,
    request: pytest.FixtureRequest,
) -> Iterator[RunNotebook]:
    """`run_notebook(*cells, may_fail=False)`: the page of a new notebook whose cells have run; for one test."""
    with notebooks(lab, browser, page_log, request.function.__name__, shared_kernel) as run:
        yield run


@pytest.fixture(scope="module")
def module_notebook(
    lab: tuple[str, Path], browser: Browser, page_log: PageLog, request: pytest.FixtureRequest
) -> Iterator[RunNotebook]:
    """The same for a whole module: let a module's own fixture open the page that its tests share."""
    with notebooks(lab, browser, page_log, request.module.__name__.rpartition(".")[2]) as run:
        yield run


def change_theme(page: Page, theme: str) -> None:
    """Change the theme of a live JupyterLab to `light` or `dark`, and wait until it is shown."""
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", THEMES[theme])
    page.wait_for_function("light => document.body.dataset.jpThemeLight === light", arg=str(theme == "light").lower())


@pytest.fixture(scope="session")
def set_theme() -> Callable[[Page, str], None]:
    """`set_theme(page, "dark")`, or "light"."""
    return change_theme


@pytest.fixture(scope="session")
def set_width() -> Callable[[Page, int], None]:
    """`set_width(page, 900)`: the width of the browser's window in pixels, JupyterLab's side bar included."""
    return lambda page, width: page.set_viewport_size({"width": width, "height": VIEWPORT["height"]})


@pytest.fixture(scope="session")
def screenshot(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Page | Locator, str], Path]:
    """`screenshot(page or locator, "name")` writes name.png into $EXPLORER_SCREENSHOTS, else a temporary folder."""
    folder = Path(os.environ.get("EXPLORER_SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)

    def take(seen: Page | Locator, name: str) -> Path:
        file = folder / f"{name}.png"
        seen.screenshot(path=file)
        return file

    return take
