"""A campaign with everything that can be in one, and a real browser to look at pages of it."""

from __future__ import annotations

import random
import shutil
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from opperf.reporting.page.document import document
from opperf.reporting.page.history import Change, History, Point
from opperf.reporting.verdicts import verdicts_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from opperf.core.result import Result
    from opperf.reporting.verdicts import Verdict

    Make = Callable[..., Result]

SIZES = (64, 256, 1024, 4096)
PATIENCE = 60.0
FLAGS = (
    "--headless=new",
    "--no-sandbox",  # root in a container has no other way
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
ENVIRONMENT = {
    "machine_key": "4a71", "cpu": "Some CPU", "cores": 2, "memory_bytes": 2**34,
    "packages": {"mxnet": "1.9.1", "torch": "2.13.0"}, "load_average": [1.0, 2.0], "governor": None,
}  # fmt: skip


class Browser(Protocol):
    """What the tests do with a browser."""

    def load(self, report: Mapping[str, Any]) -> None:
        """Open a report's page from a file and wait until all of it is drawn."""

    def ask(self, script: str, *arguments: object) -> Any:
        """Return what a script returns."""


@pytest.fixture
def campaign(make: Make) -> list[Result]:
    """Return two frameworks on three operators in four sizes and all statuses, with samples."""
    return [*sweeps(make), *troubles(make)]


def sweeps(make: Make) -> Iterator[Result]:
    """Yield times that grow with the size above a fixed cost."""
    chance = random.Random(1)  # noqa: S311 - no secret
    for name, category in (("Add", "arithmetic"), ("Exp", "exponential"), ("Sum", "reduction")):
        for side in SIZES:
            for framework, fixed in (("mxnet", 2e-5), ("pytorch", 2e-6)):
                for direction in ("forward", "backward"):
                    nbytes = 12 * side * 1024
                    seconds = fixed + nbytes / 1e12
                    found = make(
                        name=name, framework=framework, direction=direction, seconds=seconds,
                        shapes=((side, 1024), (side, 1024)), flop_count=side * 1024,
                        session=0, byte_count=nbytes, byte_rate=nbytes / seconds,
                        series_key=f"{name}{side}{framework}{direction}",
                        peak_fraction=0.4, roof={"bound": "bytes", "rate": 2.5e12},
                        samples=taken(chance, seconds, 60), environment=ENVIRONMENT,
                        noise={"marked": 0.1, "context_switches": 3, "steal": 0.0, "pressure": 0.1},
                    )  # fmt: skip
                    yield replace(found, operator={**found.operator, "category": category})


def taken(chance: random.Random, seconds: float, count: int) -> dict[str, Any]:
    """Return samples around a time, the fourth of which was disturbed."""
    times = [seconds * 10 * (1 + chance.gauss(0, 0.004)) for _ in range(count)]
    times[3] = seconds * 50
    return {"seconds": times, "iterations": 10, "first_call": 0.5, "null": 0.0, "left_out": [3]}


def troubles(make: Make) -> Iterator[Result]:
    """Yield one result of every status that has no sound time."""
    yield make(name="Noisy", status="noisy", precision=0.2, warnings=["noisy"])
    for status in ("failed", "crashed", "timeout", "out_of_memory", "wrong_result", "interrupted"):
        signal = "SIGSEGV" if status == "crashed" else None
        reason = f"it is {status}"
        yield make(
            name=f"Bad{status}", status=status, reason=reason, signal=signal, stderr="last\n"
        )
    for status in ("unsupported", "skipped"):
        yield make(
            name=f"Un{status}", framework="pytorch", status=status, reason="no such operator"
        )


@pytest.fixture
def verdicts() -> list[Verdict]:
    """Return a row of every verdict, one of them not confirmed, and a control."""
    row = {"framework": "mxnet", "direction": "forward", "size": "small", "inputs": "(64,64)x2",
           "a_seconds": 31e-6, "sessions": 12, "pairs": 96}  # fmt: skip
    timed = [
        ("slower", 1.143), ("slower", 1.06), ("faster", 0.9), ("equivalent", 1.001),
        ("different", 1.015), ("undecided", 1.027), ("noisy", 1.1),
    ]  # fmt: skip
    rows: list[dict[str, Any]] = [
        {**row, "operator": f"{verdict}{number}", "b_seconds": 31e-6 * ratio, "ratio": ratio,
         "interval": [ratio - 0.01, ratio + 0.01], "verdict": verdict, "confirmed": number != 1}
        for number, (verdict, ratio) in enumerate(timed)
    ]  # fmt: skip
    rows += [
        {**row, "operator": name, "verdict": name, "reason": "SIGSEGV", "confirmed": True}
        for name in ("newly_fails", "newly_works", "wrong_result")
    ]
    rows.append({**rows[3], "operator": "Control", "control": True})
    return verdicts_from(rows)


@pytest.fixture
def histories() -> list[History]:
    """Return a series with a step and a gap, and one in which nothing happens."""
    days = [f"2026-10-{day:02d}T03:00:00+00:00" for day in range(1, 31)]
    levels = [None if day in (10, 11) else 3e-5 * (1.12 if day > 19 else 1) for day in range(30)]
    points = [
        Point(at=at, median=level, interval=level and (level * 0.99, level * 1.01), label="2.13")
        for at, level in zip(days, levels, strict=True)
    ]
    still = [Point(at=at, median=2e-5) for at in days]
    what = {"framework": "pytorch", "direction": "forward", "inputs": "(64,64)"}
    change = Change(at=days[20], ratio=1.12, cause="torch 2.12 to 2.13")
    return [
        History(operator="Still", points=still, **what),
        History(operator="Stepped", points=points, changes=[change], **what),
    ]


class Chromium:
    """A headless Chromium that has no network."""

    def __init__(self, driver: Any, folder: Path) -> None:
        self.driver = driver
        self.folder = folder

    def load(self, report: Mapping[str, Any]) -> None:
        """Open a report's page from a file and wait until all of it is drawn."""
        path = self.folder / "report.html"
        path.write_text(document(report), encoding="utf-8")
        self.logs("browser"), self.logs("performance")
        self.driver.get(path.as_uri())
        self.settle()

    def settle(self) -> None:
        """Wait until all views show what is chosen."""
        self.wait("return document.documentElement.dataset.drawn === 'all'")

    def wait(self, script: str, *arguments: object) -> None:
        """Wait until a script returns something true."""
        deadline = time.monotonic() + PATIENCE
        while not self.ask(script, *arguments):
            assert time.monotonic() < deadline, f"{script} did not come true"
            time.sleep(0.02)

    def ask(self, script: str, *arguments: object) -> Any:
        """Return what a script returns."""
        return self.driver.execute_script(script, *arguments)

    def logs(self, kind: str) -> Sequence[Mapping[str, Any]]:
        """Return what the browser logged since the last time."""
        found: Sequence[Mapping[str, Any]] = self.driver.get_log(kind)
        return found

    def type(self, text: str) -> None:
        """Press the keys, in whatever has the focus."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(text).perform()

    def resize(self, width: int) -> None:
        """Have a window of that width."""
        self.driver.set_window_size(width, 900)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """Return the browser of Debian's packages chromium and chromium-driver."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.webdriver.chrome.service import Service

    paths = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    if missing := [name for name, path in paths.items() if path is None]:
        pytest.skip(f"{' and '.join(missing)} not found: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = paths["chromium"]
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = Service(paths["chromedriver"])
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield Chromium(driver, tmp_path_factory.mktemp("pages"))
    finally:
        driver.quit()


@pytest.fixture
def browser(chromium: Chromium) -> Chromium:
    """Return the browser with a window of 1280 pixels and nothing logged yet."""
    chromium.resize(1280)
    return chromium
