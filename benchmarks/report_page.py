"""How fast the page of a run is: written, first painted, and filtered key by key, as measured here.

    python benchmarks/report_page.py RUN/results.jsonl              # 2,000 and 10,000 results
    python benchmarks/report_page.py RUN/results.jsonl --results 2000 --keys 'conv pytorch back'

The results are those of a real run, repeated under other names until there are so many. A key
counts from the event until the next frame is on its way, with every chart above it drawn; keys are
pressed with the top of the page in view, then with the raw table. Needs Debian's chromium and
chromium-driver, and selenium.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))

from browser import started  # noqa: E402 - docs/ is no package

if TYPE_CHECKING:
    from browser import Chromium

OPENED = 5
PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
DRAWN = "return performance.now()"
WATCH = """
const input = document.getElementById("filter");
window.took = [];
input.oninput = (event) => {
  requestAnimationFrame(() => setTimeout(() => took.push(performance.now() - event.timeStamp)));
};
document.querySelector(arguments[0]).scrollIntoView();
input.focus({ preventScroll: true });
"""
VIEWS = {"top of the page": "#summary", "raw table": "#table"}


def main() -> None:
    """Measure each number of results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("journal", type=Path)
    parser.add_argument("--results", type=int, nargs="+", default=[2000, 10_000])
    parser.add_argument("--keys", default="conv pytorch backward")
    arguments = parser.parse_args()
    records = [json.loads(line) for line in arguments.journal.read_text().splitlines()]
    print("load average:", *(f"{value:.1f}" for value in os.getloadavg()))
    with tempfile.TemporaryDirectory() as folder:
        for count in arguments.results:
            page = write(records, count, Path(folder))
            look(page, arguments.keys)


def write(records: list[dict[str, Any]], count: int, folder: Path) -> Path:
    """Write the page of so many results, and tell how long it took and how large it is."""
    journal, page = folder / "results.jsonl", folder / f"{count}.html"
    journal.write_text("".join(varied(records, number) for number in range(count)))
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "opperf", "report", str(journal), "--html", str(page)]
    subprocess.run(command, check=True, capture_output=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = page.stat().st_size / 1e6
    print(f"{count} results: {wall:.2f} s to write ({processor:.2f} s of processor), {size:.2f} MB")
    return page


def varied(records: list[dict[str, Any]], number: int) -> str:
    """Return a record as a line, under a name of its own where it was taken before."""
    turn, at = divmod(number, len(records))
    record = records[at]
    name = record["operator"]["name"] + (f"Variant{turn}" if turn else "")
    operator = {**record["operator"], "name": name}
    return json.dumps({**record, "result_id": f"{number:032x}", "operator": operator}) + "\n"


def look(page: Path, keys: str) -> None:
    """Open the page a few times, then press keys in its filter."""
    with started() as browser:
        paints, drawn = [], []
        for _ in range(OPENED):
            browser.open(page)
            drawn.append(browser.ask(DRAWN))
            paints.append(browser.ask(PAINT))
        print(f"  first contentful paint: {told(paints)}")
        print(f"  all views drawn: {told(drawn)}")
        for view, place in VIEWS.items():
            print(f"  a filter key, {view} in view: {told(pressed(browser, place, keys))}")


def pressed(browser: Chromium, place: str, keys: str) -> list[float]:
    """Return the milliseconds of each key, typed and then erased, all views drawn in between."""
    browser.ask(WATCH, place)
    for number, key in enumerate([*keys, *"\ue003" * len(keys)], start=1):
        browser.type(key)
        browser.wait("return window.took.length >= arguments[0]", number)
        browser.settle()
    found: list[float] = browser.ask("return window.took")
    return found


def told(milliseconds: list[float]) -> str:
    """Return the least, the median and the most."""
    least, most = min(milliseconds), max(milliseconds)
    return (
        f"{least:.0f} to {most:.0f} ms, median {median(milliseconds):.0f} (n={len(milliseconds)})"
    )


if __name__ == "__main__":
    main()
