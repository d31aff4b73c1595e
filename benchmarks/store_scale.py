"""How a store bears years of results: import, size, history and changes, as measured here.

    python benchmarks/store_scale.py                      # 10,000 series x 365 days, SQLite
    python benchmarks/store_scale.py --series 1000 --days 100
    python benchmarks/store_scale.py --store postgresql://user@host/empty_database

Each day is a run with one result a series, 28 samples each, written as a journal and imported as
`opperf import` does. As in a real run of both frameworks, every fourth result has an environment of
its own. The level is noisy by 1 %; on the last day but one, one series in a hundred steps by 10 %.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.storing.database.connection import create_store
from opperf.storing.database.helper import Helpers
from opperf.storing.database.histories import choose_series, histories
from opperf.storing.database.importing import Importer
from opperf.storing.database.news import find_news

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from opperf.storing.database.connection import Database

SAMPLES, ITERATIONS, NULL = 28, 3, 4.1e-8
PER_ENVIRONMENT = 4
STEP, STEP_DAYS, STEP_SHARE = 1.1, 2, 100
BEGIN = datetime(2026, 1, 1, 2, tzinfo=timezone.utc)
SHAPES = ((64, 64), (1024, 1024), (32, 128, 56, 56), (1, 3, 224, 224))
HISTORIES = 50


class Watch:
    """Wall and processor seconds, added up."""

    def __init__(self) -> None:
        self.wall = self.processor = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Add what happens within."""
        wall, processor = time.perf_counter(), time.process_time()
        yield
        self.wall += time.perf_counter() - wall
        self.processor += time.process_time() - processor


class Year:
    """Journals of one day after another, the same for the same seed."""

    def __init__(self, series: int, days: int) -> None:
        self.chance = np.random.default_rng(7)
        self.levels = np.exp(self.chance.uniform(np.log(5e-6), np.log(2e-2), series))
        self.heads = [head(number) for number in range(series)]
        self.days = days

    def write(self, day: int, path: Path) -> None:
        """Write the journal of a day."""
        levels = self.levels * np.exp(self.chance.normal(0, 0.01, len(self.levels)))
        if day >= self.days - STEP_DAYS:
            levels[::STEP_SHARE] *= STEP
        noise = np.exp(self.chance.normal(0, 0.02, (len(levels), SAMPLES)))
        whole = np.round((levels[:, None] * noise + NULL) * ITERATIONS, 9)
        identities = self.chance.bytes(16 * len(levels)).hex()
        columns = rows(whole), (2 * whole[:, 0]).tolist(), summarize(whole / ITERATIONS - NULL)
        environments = self.environments(len(levels))
        environment, run_id = "", f"{BEGIN + timedelta(days=day):%Y%m%dT%H%M%S}-{day:06x}"
        with path.open("w", encoding="ascii") as file:
            for number, (seconds, first, summary) in enumerate(zip(*columns, strict=True)):
                if number % PER_ENVIRONMENT == 0:
                    environment = next(environments)
                identity = identities[32 * number : 32 * number + 32]
                file.write(
                    f'{{"schema":"opperf.result/5","result_id":"{identity}",'
                    f'"supersedes":null,"run_id":"{run_id}","session":0,'
                    f'"started_at":"{moment(day, number)}",'
                    f'{self.heads[number]}"samples":{{"seconds":{seconds},"iterations":3,'
                    f'"first_call":{first},"null":{NULL},"method":"interval",'
                    f'"stop_reason":"budget","steady":true}},{summary}{TAIL}{environment}}}\n'
                )

    def environments(self, series: int) -> Iterator[str]:
        """Yield the environments of a day's children."""
        numbers = range(0, series, PER_ENVIRONMENT)
        loads = np.round(self.chance.uniform(0, 2, (len(numbers), 3)), 2)
        costs = self.chance.normal(8.4e-8, 1e-9, len(numbers)).tolist()
        for number, load, cost in zip(numbers, rows(loads), costs, strict=True):
            yield (
                f'{FACTS[framework_of(number)]},"load_average":{load},'
                f'"clock":{{"resolution":1e-09,"read_cost":{cost}}}}}'
            )


def head(number: int) -> str:
    """Return the middle of a series' lines: what is measured."""
    shape = SHAPES[number % len(SHAPES)]
    framework = framework_of(number)
    item = {"name": "data", "shape": shape, "dtype": "float32", "layout": "contiguous", "nbytes": 4}
    fields = {
        "opperf_version": "0.1.0", "command": "opperf run --store results.db", "tags": ["nightly"],
        "status": "ok", "reason": None, "signal": None, "stderr": None,
        "subject": {"kind": "operator", "name": f"Operator{number // 24}"},
        "operator": {
            "name": f"Operator{number // 24}", "category": "synthetic", "framework": framework,
            "implementation": f"{framework}.operator{number // 24}", "size": "typical",
            "fused": None, "device": "cpu", "threads": 1, "direction": "forward", "cache": "hot",
            "mode": "inference", "backward_method": None,
        },
        "inputs": [item], "attributes": {"axis": number % 3}, "initializer": "normal", "seed": 0,
        "series_key": f"{number:016x}", "definition_key": f"{number + 2**40:016x}",
    }  # fmt: skip
    return dense(fields)[1:-1] + ","


def framework_of(number: int) -> str:
    """Return the framework of a series, the same for all of a child."""
    return FRAMEWORKS[number // PER_ENVIRONMENT % len(FRAMEWORKS)]


def moment(day: int, number: int) -> str:
    """Return when a result began, to a second of work a hundred series."""
    began = BEGIN + timedelta(days=day, milliseconds=10 * number)
    return began.isoformat(timespec="milliseconds")


def summarize(times: NDArray[Any]) -> Iterator[str]:
    """Yield the summaries of many results, as the package would write them."""
    ranks = (5, 25, 50, 75, 90, 99)
    p5, p25, middle, p75, p90, p99 = np.percentile(times, ranks, axis=1)
    ordered = np.sort(times, axis=1)
    low, high = ordered[:, 8], ordered[:, 19]
    mad = np.median(np.abs(times - middle[:, None]), axis=1)
    columns = (
        ordered[:, 0], middle, times.mean(axis=1), mad, p75 - p25, p5, p90, p99, low, high,
        (high - low) / (2 * middle), FLOP / middle, BYTES / middle,
    )  # fmt: skip
    for values in np.stack(columns, axis=1).tolist():
        yield SUMMARY % tuple(values)


def rows(values: NDArray[Any]) -> list[str]:
    """Return each row of a matrix as JSON."""
    return [f"[{row}]" for row in dense(values.tolist())[2:-2].split("],[")]


def dense(value: object) -> str:
    """Return JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))


FRAMEWORKS = ("mxnet", "pytorch")
BUILD = "built with GCC 13.3, C++ 202002, oneAPI Math Kernel Library 2024.2, oneDNN v3.12.0 " * 5
FLOP, BYTES = 1048576, 12582912
SUMMARY = (
    '"summary":{"n":28,"n_eff":28.0,"minimum":%r,"median":%r,"mean":%r,"mad":%r,"iqr":%r,"p5":%r,'
    '"p90":%r,"p99":%r,"interval":[%r,%r],"precision":%r,"outlier_share":0.0,"bimodal":false,'
    '"drift":0.0,"stop_reason":"budget","warnings":[]},'
    f'"flop_count":{FLOP},"byte_count":{BYTES},"flop_rate":%r,"byte_rate":%r,'
)
TAIL = (
    '"peak_fraction":null,"roof":null,"memory":{"outputs":4194304,"workspace":null,"saved":null},'
    '"device_times":null,"counters":null,"noise":{"marked":0.0,"cpu_share":0.999,'
    '"context_switches":3,"page_faults":12,"steal":0.0,"pressure":0.01},"fusion":null,"metrics":[],'
    '"correctness":{"reference":"numpy float64","max_abs_error":8.58e-08,"max_rel_error":5.7e-08,'
    '"gradients":null},"environment":'
)
ENVIRONMENT = {
    "machine_key": "4a71f3f2aa456dc1", "cpu": "Imaginary Processor @ 2.50GHz", "cores": 2,
    "architecture": "x86_64", "caches": {"L1d": 32768, "L2": 1048576, "L3": 37486592},
    "os": "Debian GNU/Linux 12 (bookworm)", "kernel": "6.18.44", "libc": "glibc 2.36", "gpu": [],
    "packages": {"numpy": "1.26.4", "mxnet": "1.9.1", "torch": "2.13.0+cpu", "opperf": "0.1.0"},
    "python": {"version": "3.11.7", "implementation": "CPython", "compiler": "GCC 12.2.0"},
    "threads": 1, "affinity": [0, 1], "env_vars": {"OMP_NUM_THREADS": "1", "KMP_BLOCKTIME": "0"},
}  # fmt: skip
FACTS = {
    name: dense({**ENVIRONMENT, "framework": name, "build": f"{name} {BUILD}"})[:-1]
    for name in FRAMEWORKS
}
"""What the environments of a framework's children have in common, but for its end."""


def fill(store: Database, year: Year, folder: Path) -> Watch:
    """Import every day, and return how long the imports took."""
    watch, path = Watch(), folder / "results.jsonl"
    count = len(year.heads)
    with store.staying_open(), Helpers() as helpers:
        for day in range(year.days):
            year.write(day, path)
            with watch.running(), store.writing() as connection:
                Importer(connection, helpers).add_file(path)
            if (day + 1) % 20 == 0:
                done = (day + 1) * count
                print(f"  day {day + 1}: {done / watch.wall:,.0f} results/s so far", flush=True)
    return watch


def helped() -> float:
    """Return the processor seconds of helpers, all of which have ended."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ask(store: Database, year: Year) -> None:
    """Print how long the questions take."""
    with store.reading() as connection:
        rows = choose_series(connection, lambda _facts: True, None)
        watches = []
        for row in rows[:: max(len(rows) // HISTORIES, 1)]:
            watches.append(Watch())
            with watches[-1].running():
                histories(connection, [row.id])
        wall, processor = (
            [1000 * seconds for seconds in column]
            for column in zip(*((watch.wall, watch.processor) for watch in watches), strict=True)
        )
        print(f"history of a series: median {median(wall):.1f} ms wall, {median(processor):.1f} ms "
              f"processor; most {max(wall):.1f} ms wall, of {len(watches)}")  # fmt: skip
        since = BEGIN + timedelta(days=year.days - 1)
        watch = Watch()
        with watch.running():
            news = find_news(connection, rows, round(since.timestamp() * 1000))
    print(f"changes of one day: {watch.wall:.1f} s wall, {watch.processor:.1f} s processor; "
          f"{news.series} series, {len(news.changes)} changes")  # fmt: skip


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--series", type=int, default=10_000)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--store", help="an empty database; a SQLite file that is removed if none")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="opperf-scale-") as name:
        folder = Path(name)
        store = create_store(arguments.store or str(folder / "results.db"))
        year = Year(arguments.series, arguments.days)
        watch = fill(store, year, folder)
        results = arguments.series * arguments.days
        print(f"{results:,} results, {SAMPLES} samples each")
        print(f"import: {results / watch.wall:,.0f} results/s wall, "
              f"{results / watch.processor:,.0f} a second of its own processor time, "
              f"{1e6 * helped() / results:.0f} us a result of its helpers'; "
              f"{getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")  # fmt: skip
        if store.is_sqlite:
            size = store.path.stat().st_size
            print(f"file: {size / 1e9:.3f} GB, {size / results:.0f} bytes a result")
        ask(store, year)


if __name__ == "__main__":
    main()
