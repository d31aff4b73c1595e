"""`opperf profile --framework mxnet`: a network's calls from a process of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from opperf.calls.capturing.capturing import CaptureRequest, capture
from opperf.calls.capturing.source import Source
from opperf.calls.format.file import parse_calls
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.measuring.worker.handle import Limits
from tests.conftest import told

if TYPE_CHECKING:
    from opperf.calls.format.model import CallsRecord
    from tests.conftest import CommandLine

if not find_framework("mxnet").is_installed():
    pytest.skip("mxnet is not installed", allow_module_level=True)

ROOT = Path(__file__).parents[2]
TOYS = "tests.calls.gluon_toys"
SYMBOL = {
    "nodes": [
        {"op": "null", "name": "data", "inputs": []},
        {"op": "null", "name": "f_weight", "inputs": []},
        {"op": "null", "name": "f_bias", "inputs": []},
        {
            "op": "FullyConnected",
            "name": "f",
            "attrs": {"num_hidden": "3"},
            "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]],
        },
    ],
    "arg_nodes": [0, 1, 2],
    "heads": [[3, 0, 0]],
}


def captured(name: str, *, timed: bool = False, timeout: float = 120.0) -> CallsRecord:
    """Capture a network of the toys'."""
    wanted = CaptureRequest(
        source=Source(kind="factory", name=f"{TOYS}:{name}"),
        framework="mxnet",
        limits=Limits(timeout=timeout),
        settings=Settings(budget=0.05, warmup=1),
        timed=timed,
    )
    return capture(wanted, lambda _line: None)


def test_a_record_says_what_was_captured_and_how_long_a_step_took() -> None:
    """The profiler's times are those of the operators that were called."""
    record = captured("toy", timed=True)
    assert (record.framework, record.mode, record.batch) == ("mxnet", "training", 5)
    assert sum(call.count for call in record.calls) == 18
    measured = record.measured
    assert measured["seconds"] > 0
    assert measured["samples"] >= 6
    assert measured["profiler"].keys() == {call.operator for call in record.calls}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises", "raised ValueError: no weights"),
        ("dies", "the measuring process ended with status 7"),
        ("alters", "changed its process (NumPy arrays, NumPy shapes); let it undo that"),
        ("misfits", "a step raised MXNetError: Error in operator"),
        ("looking", "it cannot be traced to a symbol: AttributeError: 'Symbol' object has no"),
        ("loop", "it has _foreach, a graph within its graph"),
        ("target_alone", "its loss cannot be traced to a symbol"),
        ("unprepared", "has not been initialized"),
    ],
)
def test_what_cannot_be_captured_is_one_line(name: str, words: str) -> None:
    """It names the factory."""
    with pytest.raises(UsageError) as error:
        captured(name)
    assert words in str(error.value)
    assert f"{TOYS}:{name}" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_factory_that_hangs_is_stopped() -> None:
    """After the time-out, which the error names."""
    with pytest.raises(UsageError, match="no answer within 3 s; --timeout allows more"):
        captured("hangs", timeout=3.0)


def test_the_command_writes_a_calls_file_which_can_be_listed(opperf: CommandLine) -> None:
    """Each operator, and what our declarations cover of it."""
    asked = ("profile", f"{TOYS}:toy", "--framework", "mxnet", "--no-time", "-o", "toy.calls.json")
    done = opperf.run(*asked)
    assert done.returncode == 0, done.stderr
    assert "18 calls, 18 distinct ones of 14 operators" in done.stdout
    assert len(parse_calls((opperf.directory / "toy.calls.json").read_bytes()).calls) == 18
    listed = opperf.run("list", "--calls", "toy.calls.json", "--format", "json")
    assert listed.returncode == 0, listed.stderr
    assert "_backward_FullyConnected" in listed.stdout


def test_the_function_that_the_documentation_shows_is_captured(opperf: CommandLine) -> None:
    """As it stands there, in this folder."""
    text = (ROOT / "docs" / "calls.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(def small.*?)```", text, re.DOTALL)
    (opperf.directory / "mine.py").write_text(block)
    asked = ("profile", "--framework", "mxnet", "mine:small", "--batch", "2", "--no-time")
    done = opperf.run(*asked, "-o", "small.calls.json")
    assert done.returncode == 0, done.stderr
    assert "training, batch 2" in done.stdout


def test_a_symbol_file_is_captured_with_the_shapes_of_its_inputs(opperf: CommandLine) -> None:
    """The file's name is the network's."""
    (opperf.directory / "net-symbol.json").write_text(json.dumps(SYMBOL))
    asked = ("profile", "--symbol", "net-symbol.json", "--input", "data=2,4", "--no-time")
    done = opperf.run(*asked)
    assert done.returncode == 0, done.stderr
    assert "2 calls, 2 distinct ones of 2 operators" in done.stdout
    assert (opperf.directory / "net-symbol.calls.json").exists()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("--model-zoo", "resnet18_v1", "--framework", "pytorch"), "--model-zoo is of mxnet"),
        (("--model-zoo", "resnet18_v9"), "unknown model of the zoo"),
        (("--builtin", "resnet18", "--input", "data=1"), "only a --symbol takes shapes"),
        (("--symbol", "a.json", "--input", "data"), "must be NAME=SIZES"),
        (("--symbol", "a.json", "--input", "data=1,0"), "must be NAME=SIZES"),
        (("--symbol", "a.json", "--batch", "2"), "a symbol's --input says the batch"),
        (("--symbol", "a.json", "--input", "data=1"), "No such file or directory"),
    ],
)
def test_what_is_not_there_is_one_line(
    opperf: CommandLine, asked: tuple[str, ...], words: str
) -> None:
    """A flag of another kind of network, a shape that is none, a file that is missing."""
    done = opperf.run("profile", *asked, "--no-time")
    assert done.returncode == 2
    assert words in done.stderr
    assert len(told(done.stderr)) == 1
