"""Benchmark classes of a user's, in a folder of modules, and the command that runs them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli.command import command
from opperf.storing import read

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWN = """
import logging
import os
import signal
import sys
import time

from opperf.methods.benchmark import Benchmark


class Fine(Benchmark):
    def benchmark_report(self):
        self.report_benchmark(iters=4, wall_time=2.0, metrics=[{"name": "loss", "value": 0.25}])

    def benchmark_folders(self):
        path = os.path.join(self.output_dir, "made")
        open(path, "w").close()
        print("data:", self.root_data_dir)
        self.report_benchmark(iters=1, wall_time=1.0)

    def benchmark_silent(self):
        pass

    def benchmark_untimed(self):
        self.report_benchmark(iters=1, metrics=[{"name": "loss", "value": 1}])

    def benchmark_holds(self):
        held = bytearray(os.urandom(1) * 100_000_000)
        samples = os.path.join(self.output_dir, "process_info.log")
        while os.path.getsize(samples) < 300:  # a sample has some 80 bytes
            time.sleep(0.01)
        self.report_benchmark(iters=1, wall_time=len(held))

    def helper(self):
        pass


class Bad(Benchmark):
    def example(self):
        self.report_benchmark(
            iters=1,
            wall_time=1.0,
            metrics=[
                {"name": "accuracy_top_5", "value": 80, "min_value": 90, "max_value": 99},
                {"name": "accuracy_top_1", "value": 99.5},
            ],
        )

    def nan(self):
        self.report_benchmark(
            iters=1, wall_time=1.0, metrics=[{"name": "loss", "value": float("nan")}]
        )

    def raises(self):
        self.report_benchmark(iters=1, wall_time=1.0)
        raise ValueError("no such thing")

    def exits(self):
        os._exit(9)

    def leaves(self):
        os._exit(0)

    def crashes(self):
        self.report_benchmark(iters=1, wall_time=1.0)
        os.kill(os.getpid(), signal.SIGSEGV)

    def logs(self):
        logging.debug("a detail")
        logging.getLogger("own").info("a step")
        print("\\033[31mred")
        self.report_benchmark(iters=1, wall_time=1.0)

    def ends_itself(self):
        sys.exit(3)

    def hangs(self):
        time.sleep(600)

    def wrong_report(self):
        self.report_benchmark(iters=1, wall_time="1 s")
"""
FOREIGN = '''
class Tools:
    """As tf.test.Benchmark: another order of arguments, and tools of its own."""

    def report_benchmark(self, iters=None, cpu_time=None, wall_time=None, throughput=None,
                         extras=None, name=None, metrics=None):
        raise RuntimeError("it would write somewhere else")

    def run_op_benchmark(self):
        raise RuntimeError("a tool")


class Plain(Tools):
    def benchmark_by_position(self):
        failed = '{"value": 1, "succeeded": false}'
        self.report_benchmark(-1, 0.5, 2.0, extras={"speed": 3.5, "test": failed})


class Middle(Tools):
    def __init__(self, output_dir, data_dir, **kwargs):
        self.said = [output_dir, data_dir, sorted(kwargs)]

    def report_benchmark(self, **arguments):
        arguments["metrics"] = [*arguments.get("metrics", ()), {"name": "added", "value": 1}]
        super().report_benchmark(**arguments)


class Older(Middle):
    def benchmark_added(self):
        print("said:", self.said)
        self.report_benchmark(iters=1, wall_time=1.0, metrics=[{"name": "own", "value": 2}])


class Forwarding(Middle):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    benchmark_added = Older.benchmark_added


class Named:
    def __init__(self, root_data_dir, output_dir=None):
        print("named:", root_data_dir, bool(output_dir))

    def benchmark(self):
        pass


class Reporting(Named, Tools):
    def benchmark(self):
        self.report_benchmark(wall_time=1.0)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of modules that is the current one, too."""
    (tmp_path / "own.py").write_text(OWN)
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "foreign.py").write_text(FOREIGN)
    (tmp_path / "broken.py").write_text("import no_such_library\n")
    (tmp_path / "ending.py").write_text("import os\nos._exit(5)\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def method(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Return what runs the verb: exit code, summaries by method, stderr, and records."""

    def run(*arguments: str) -> tuple[int, dict[str, Any], str, list[Any]]:
        code = command(["method", *arguments, "--summary", "--data-dir", "/d"], None)
        captured = capsys.readouterr()
        found = [json.loads(line) for line in captured.out.splitlines()]
        journals = sorted(folder.glob("runs/*/results.jsonl"))
        results = [*read(journals[-1]).results] if journals else []
        named = {each["benchmark_result"]["name"]: each for each in found}
        return code, named, captured.err, results

    return run
