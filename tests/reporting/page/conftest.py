"""A campaign with everything that can be in one, and a real browser to look at pages of it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.charts import ChartChange, ChartPoint, HistoryChart
from opperf.reporting.page.document import document
from opperf.reporting.verdicts import verdicts_from
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opperf.core.results.result import Result
    from opperf.reporting.verdicts import Verdict

    Make = Callable[..., Result]

SIZES = (64, 256, 1024, 4096)
ROOT = Path(__file__).parents[3]
ENVIRONMENT = {
    "machine_key": "4a71", "cpu": "Some CPU", "cores": 2, "memory_bytes": 2**34,
    "packages": {"mxnet": "1.9.1", "torch": "2.13.0"}, "load_average": [1.0, 2.0], "governor": None,
}  # fmt: skip


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
                    yield changed(found, operator={"category": category})


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
        for name in ("newly_fails", "newly_works", "wrong_result", "fails")
    ]
    rows.append({**rows[3], "operator": "Control", "control": True})
    return verdicts_from(rows)


@pytest.fixture
def histories() -> list[HistoryChart]:
    """Return a series with a step and a gap, and one in which nothing happens."""
    days = [f"2026-10-{day:02d}T03:00:00+00:00" for day in range(1, 31)]
    levels = [None if day in (10, 11) else 3e-5 * (1.12 if day > 19 else 1) for day in range(30)]
    points = [
        ChartPoint(
            at=at, median=level, interval=level and (level * 0.99, level * 1.01), label="2.13"
        )
        for at, level in zip(days, levels, strict=True)
    ]
    still = [ChartPoint(at=at, median=2e-5) for at in days]
    what = {"framework": "pytorch", "direction": "forward", "inputs": "(64,64)"}
    change = ChartChange(at=days[20], ratio=1.12, cause="torch 2.12 to 2.13")
    return [
        HistoryChart(operator="Still", points=still, **what),
        HistoryChart(
            operator="Stepped", points=points, changes=[change], gaps=[(days[4], days[5])], **what
        ),
    ]


@pytest.fixture
def browser(chromium: Any) -> Any:
    """Return the browser with a window of 1280 pixels and nothing logged yet."""
    chromium.resize(1280)
    for kind in ("browser", "performance"):
        chromium.logs(kind)
    return chromium


@pytest.fixture
def load(browser: Any, tmp_path: Path) -> Callable[[Mapping[str, Any]], None]:
    """Return a function that opens the page of a report."""

    def open_page(report: Mapping[str, Any]) -> None:
        path = tmp_path / "report.html"
        path.write_text(document(report), encoding="utf-8")
        browser.open(path)

    return open_page
