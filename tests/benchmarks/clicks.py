"""How long it takes from a click to the last change of all views that follow it, in JupyterLab, in Chromium.

    python -m tests.benchmarks.clicks [--clicks 25]

Everything that is clicked was read before. A click counts from the pressed button to the last change of the explorer's
part of the page, whatever changed there but the label under the pointer; beside it, how long the page painted nothing
at all: a blocked page.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from playwright.sync_api import Page, expect
from rich.console import Console
from rich.table import Table

from tests.benchmarks import deletes
from tests.benchmarks.generate import Shape, generate
from tests.benchmarks.run import conf_of, started, verdict
from tests.benchmarks.sequence_timeline import grown
from tests.chromium import chromium_program
from tests.ui.conftest import PageLog, RunNotebook, jupyter_app, launched, notebooks

AIM_IN_MS = 100
SETTLED_IN_MS = 1_500  # nothing follows a click later

TARGETS = """() => [...document.querySelectorAll('.iceberg-explorer .js-plotly-plot')].flatMap(plot => {
    const area = plot.getBoundingClientRect();
    const answering = plot._fullData.filter(trace => ['cells', 'targets'].includes(trace.name));
    return answering.flatMap(trace => {
        const x = plot._fullLayout[trace.xaxis.replace('x', 'xaxis')];
        const y = plot._fullLayout[trace.yaxis.replace('y', 'yaxis')];
        const middle = i => trace.type === 'bar' ? trace.base[i] + trace.y[i] / 2 : trace.y[i];
        return [...trace.x.keys()]
            .map(i => [area.x + x._offset + x.d2p(trace.x[i]), area.y + y._offset + y.d2p(middle(i))])
            .filter(place => plot.contains(document.elementFromPoint(...place)));
    });
})"""
WATCH = """() => {
    const seen = window.seenByBenchmark = {pressed: 0, changed: 0, unpainted: 0};
    let painted = 0;
    const paint = now => {
        if (seen.pressed && painted) seen.unpainted = Math.max(seen.unpainted, now - painted);
        painted = now;
        requestAnimationFrame(paint);
    };
    requestAnimationFrame(paint);
    document.addEventListener('pointerdown', () => seen.pressed = performance.now(), {capture: true});
    const isLabel = change => change.target.closest?.('.hoverlayer');  // under the pointer: no view that follows
    const look = changes => changes.every(isLabel) || (seen.changed = performance.now());
    new MutationObserver(look).observe(
        document.querySelector('.iceberg-explorer'),
        {subtree: true, childList: true, attributes: true, characterData: true},
    );
}"""
SELECTION = """() => [...document.querySelectorAll('.iceberg-panel, .iceberg-chips')]
    .filter(seen => seen.offsetParent !== null).map(seen => seen.innerText).join()"""


@dataclass(frozen=True)
class Scene:
    """A tab of a table, opened and read."""

    what: str
    table: str
    tab: str


SCENES = (
    Scene("50 snapshots", "bench.t.grown", "History"),
    Scene("10,000 snapshots", "bench.t.big", "History"),
    Scene("200 files", "bench.t.grown", "Files"),
    Scene("20 data files, 30 deletes", "bench.t.masked", "Deletes"),
)


def build(warehouse: Path) -> None:
    """The tables of all scenes."""
    generate(warehouse / "t" / "big", Shape(snapshots=10_000))
    spark = started(warehouse)
    grown(spark, warehouse / "t" / "grown", "bench.t.grown", snapshots=50, files=4)
    deletes.build(spark, warehouse / "t" / "masked", 20, 30)  # of more, a click asks for the pairs of a partition
    spark.stop()


@contextmanager
def notebook_runner(home: Path, warehouse: Path) -> Iterator[Callable[[], AbstractContextManager[RunNotebook]]]:
    """What opens notebooks in a JupyterLab of our own."""
    root = home / "notebooks"
    root.mkdir()
    lab = jupyter_app("jupyterlab", home, root, conf_of(warehouse))
    with lab as url, launched(chromium_program() or "chromium") as browser:
        yield lambda: notebooks((f"{url}/lab/tree", root), browser, PageLog(), "clicks")


def shown(page: Page, scene: Scene) -> None:
    """Open the scene's tab, and wait until everything is read."""
    page.locator(".iceberg-explorer .js-plotly-plot .main-svg").first.wait_for(timeout=120_000)
    page.locator(".iceberg-tabs .jupyter-button", has_text=scene.tab).first.click()
    page.wait_for_timeout(2_000)
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden(timeout=120_000)
    page.wait_for_timeout(3_000)


def measured(page: Page, clicks: int) -> list[tuple[float, float]]:
    """Of each click that selects something: milliseconds until the last change, and of the longest time unpainted."""
    page.evaluate(WATCH)
    found = []
    for turn in range(clicks):
        targets = page.evaluate(TARGETS)  # anew, for the first selection moves the page
        x, y = targets[len(targets) * turn // clicks]
        page.mouse.move(x - 3, y - 3)
        page.mouse.move(x, y)
        page.wait_for_timeout(300)  # plotly clicks what it hovers
        before = page.evaluate(SELECTION)
        page.evaluate("() => Object.assign(window.seenByBenchmark, {pressed: 0, changed: 0, unpainted: 0})")
        page.mouse.click(x, y)
        page.wait_for_timeout(SETTLED_IN_MS)
        if page.evaluate(SELECTION) != before:
            seen = page.evaluate("() => window.seenByBenchmark")
            found.append((seen["changed"] - seen["pressed"], seen["unpainted"]))
    return found


@click.command()
@click.option("--clicks", default=25, show_default=True)
def main(clicks: int) -> None:
    """Time clicks in each scene."""
    results = Table(
        "clicked", "clicks", "median ms", "slowest", "page blocked ms", "aim", title="from a click to all views"
    )
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as home:
        warehouse = Path(home) / "warehouse"
        build(warehouse)
        with notebook_runner(Path(home), warehouse) as runner:
            for scene in SCENES:
                with runner() as run:
                    page = run(f"import explorer\nexplorer.open({scene.table!r})")
                    shown(page, scene)
                    found = measured(page, clicks)
                    if shots := os.environ.get("EXPLORER_SCREENSHOTS"):
                        page.screenshot(path=Path(shots) / f"clicks_{scene.tab}.png")
                last, unpainted = zip(*found, strict=True)
                median = statistics.median(last)
                times = (f"{median:.0f}", f"{max(last):.0f}", f"{max(unpainted):.0f}")
                results.add_row(f"{scene.tab}: {scene.what}", str(len(found)), *times, verdict(median, AIM_IN_MS))
    Console(width=110).print(results)


if __name__ == "__main__":
    main()
