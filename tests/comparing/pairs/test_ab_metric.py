"""`opperf ab --metric` with real processes: arms that take more, count more, or cannot tell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.environment.perf_event import AVAILABLE, availability
from opperf.core.frameworks.registry import find_framework
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import CompletedProcess

    from tests.conftest import CommandLine

HEAD = """\
import sys
import numpy

# What the reference calls is left as it is.
TIMED = ("/core/frameworks/", "/core/preparing/")

def patch(change):
    real = numpy.exp
    def changed(*given, **named):
        caller = sys._getframe(1).f_code.co_filename
        ours = any(room in caller for room in TIMED)
        return change(real, given, named) if ours else real(*given, **named)
    numpy.exp = changed

"""
KEEPS = """\
kept = []

def keeps(real, given, named):
    kept[:] = [numpy.ones(1 << 20)]
    return real(*given, **named)

patch(keeps)
"""
TWICE = """\
def twice(real, given, named):
    real(*given, **named)
    return real(*given, **named)

patch(twice)
"""
COUNTED = """\
from opperf.core.environment import perf_event

class Counting:
    total = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def read(self):
        return Counting.total

def counted(real, given, named):
    Counting.total += {instructions}
    return real(*given, **named)

perf_event.Counters, perf_event.availability = Counting, lambda: perf_event.AVAILABLE
patch(counted)
"""
"""A processor that counts, as far as opperf can tell."""
TORCH = """\
import sys
from importlib.abc import MetaPathFinder
from importlib.util import find_spec

class Patching(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        found = find_spec(name)
        execute = found.loader.exec_module

        def exec_module(module):
            execute(module)
            real = module.exp

            def exp(data, *given, **named):
                # Twice as many tensors as it returns.
                beside = [real(data), real(data)]
                return real(data, *given, **named)

            module.exp = exp

        found.loader.exec_module = exec_module
        return found

sys.meta_path.insert(0, Patching())
"""
FEW = ("--size", "small", "--most-sessions", "6", "--quiet", "--format", "json")
TWO = ("--sessions", "2", "--most-sessions", "2")


@pytest.fixture
def arm(tmp_path: Path) -> Any:
    """Return what makes an arm whose processes run some Python first."""

    def make(folder: str, program: str) -> str:
        place = tmp_path / folder
        place.mkdir()
        (place / "sitecustomize.py").write_text(program)
        return f"PYTHONPATH={place}"

    return make


def compare(
    opperf: CommandLine, metric: str, *more: str, a: str = ".", b: str = "."
) -> CompletedProcess[str]:
    """Compare what NumPy's exp takes."""
    own = ("ab", "--a", a, "--b", b, "-k", "name=Exp", "--framework", "numpy", "--metric", metric)
    return opperf.run(*own, *FEW, *more)


def row_of(done: CompletedProcess[str]) -> dict[str, Any]:
    """Return the row of B against A."""
    found: dict[str, Any]
    (found,) = (row for row in json.loads(done.stdout) if not row["control"])
    return found


def test_an_arm_that_takes_more_memory_is_worse(opperf: CommandLine, arm: Any) -> None:
    """8 MiB beside the result, in fresh processes; the control finds nothing; it is confirmed.

    Where A takes nothing there is no ratio: then the difference decides, and the table says so.
    """
    done = compare(opperf, "workspace", b=arm("b", HEAD + KEEPS))
    assert done.returncode == 10, done.stderr
    row = row_of(done)
    assert (row["verdict"], row["confirmed"], row["metric"], row["unit"]) == (
        "worse", True, "workspace", "B",
    )  # fmt: skip
    assert row["difference"] >= 8 * 2**20
    assert row["a_seconds"] is row["b_seconds"] is None
    assert (row["ratio"] is None) == (row["judged_by"] == "difference")
    text = opperf.run("show", "last", COLUMNS="160").stdout
    assert ("by the difference" in text) == (row["ratio"] is None)
    (control,) = (row for row in json.loads(done.stdout) if row["control"])
    assert control["verdict"] in {"equivalent", "noisy", "undecided", "different"}


def test_what_takes_as_much_is_equivalent_and_exact(opperf: CommandLine) -> None:
    """Outputs are declared by their shapes; the table says that it is no interval."""
    done = compare(opperf, "outputs", *TWO)
    assert done.returncode == 0, done.stderr
    row = row_of(done)
    assert (row["verdict"], row["exact"], row["interval"]) == ("equivalent", True, None)
    assert row["a_value"] == row["b_value"] == 4 * 64 * 64
    shown = opperf.run("show", "last", COLUMNS="140")
    assert "exact: the same in all 2 sessions" in shown.stdout
    assert "no interval, and no promise" in shown.stdout
    assert opperf.run("resume", "last").returncode == 0


def test_twice_the_instructions_are_worse(opperf: CommandLine, arm: Any) -> None:
    """By counters that move when a call says so."""
    a, b = (
        arm(name, HEAD + COUNTED.format(instructions=n)) for name, n in (("a", 500), ("b", 1000))
    )
    done = compare(opperf, "instructions", *TWO, a=a, b=b)
    assert done.returncode == 10, done.stderr
    row = row_of(done)
    assert (row["verdict"], row["confirmed"], row["exact"]) == ("worse", True, True)
    assert (row["a_value"], row["b_value"], row["ratio"]) == (500, 1000, 2)


@pytest.mark.skipif(availability() != AVAILABLE, reason=availability())
def test_twice_the_work_is_twice_the_instructions(opperf: CommandLine, arm: Any) -> None:
    """By the processor's own counters, where there are some."""
    done = compare(opperf, "instructions", a=arm("a", HEAD), b=arm("b", HEAD + TWICE))
    row = row_of(done)
    assert row["verdict"] == "worse", done.stderr
    assert 1.5 < row["ratio"] < 2.5


@pytest.mark.parametrize("metric", ["kernels", "energy", "instructions"])
def test_what_cannot_be_found_ends_with_its_reason(
    opperf: CommandLine, arm: Any, metric: str
) -> None:
    """NumPy has no profiler; of the rest no meter is readable in an arm that has none."""
    none = (
        "from pathlib import Path\n"
        "from opperf.core.environment import perf_event\n"
        "perf_event.availability = lambda: 'no counters here'\n"
        "from opperf.measuring.probes import energy\n"
        "energy.POWERCAP = Path('/nowhere')\n"
    )
    without = arm("none", none)
    done = compare(opperf, metric, a=without, b=without)
    assert done.returncode == 12, done.stderr
    row = row_of(done)
    assert row["verdict"] == "no_value"
    assert row["reason"].startswith("arm a: ")
    assert row["ratio"] is row["a_value"] is row["difference"] is None
    assert row["sessions"] == 2


def test_an_arm_that_computes_something_else_is_wrong(opperf: CommandLine, arm: Any) -> None:
    """Whatever it takes for it."""
    wrong = "patch(lambda real, given, named: real(*given, **named) + 1)\n"
    done = compare(opperf, "peak_memory", b=arm("b", HEAD + wrong))
    assert done.returncode == 11, done.stderr
    assert row_of(done)["verdict"] == "wrong_result"


def test_an_interrupted_comparison_keeps_its_metric(opperf: CommandLine) -> None:
    """Going on with it asks for the same; the records say what they are of."""
    done = compare(opperf, "outputs", *TWO)
    assert done.returncode == 0, done.stderr
    (directory,) = opperf.runs()
    lines = (directory / "results.jsonl").read_text().splitlines()
    kept = [json.loads(line) for line in lines]
    assert {pair["schema"] for pair in kept} == {"opperf.pair/2"}
    (directory / "results.jsonl").write_text(lines[0] + "\n")
    again = opperf.run("resume", "last", "--format", "json")
    assert again.returncode == 0, again.stderr
    assert row_of(again)["metric"] == "outputs"
    assert row_of(again)["sessions"] == 2


def test_pytorch_that_allocates_more_takes_more(opperf: CommandLine, arm: Any) -> None:
    """A real framework, whose exp keeps two more tensors while it computes: three for one."""
    if not find_framework("pytorch").is_installed():
        pytest.skip("pytorch is not installed")
    own = ("ab", "--a", ".", "--b", arm("b", TORCH), "--framework", "pytorch", "--quiet")
    asked = ("-k", "name=Exp and direction=forward", "--metric", "peak_memory", "--format", "json")
    done = opperf.run(*own, *asked, "--size", "typical", *TWO)
    row = row_of(done)
    assert row["ratio"] == pytest.approx(3, rel=0.1), done.stderr
    assert row["a_value"] == pytest.approx(4 * 2**20, rel=0.1)


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("flop_rate", "it follows from the time"),
        ("intructions", "did you mean 'instructions'"),
        ("", "unknown metric"),
    ],
)
def test_what_arms_do_not_yield_is_refused(opperf: CommandLine, metric: str, said: str) -> None:
    """In one line, before anything is measured."""
    done = compare(opperf, metric)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(told(done.stderr)) == 1
