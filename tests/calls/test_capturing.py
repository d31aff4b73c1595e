"""`opperf profile`: a network's calls from a process of its own, whatever happens there."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from opperf.calls.capturing.capturing import CaptureRequest, capture
from opperf.calls.capturing.source import Source
from opperf.calls.format.file import parse_calls
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.measuring.worker.handle import Limits
from tests.conftest import told

if TYPE_CHECKING:
    from opperf.calls.format.model import CallsRecord
    from tests.conftest import CommandLine

pytest.importorskip("torch")
TOYS = "tests.calls.toys"


def captured(
    name: str, *, timed: bool = False, timeout: float = 120.0, batch: int | None = None
) -> CallsRecord:
    """Capture a network of the toys'."""
    wanted = CaptureRequest(
        source=Source(kind="factory", name=f"{TOYS}:{name}", batch=batch),
        framework="pytorch",
        limits=Limits(timeout=timeout),
        settings=Settings(budget=0.05, warmup=1),
        timed=timed,
    )
    return capture(wanted, lambda _line: None)


def test_a_record_says_what_was_captured_and_how_long_a_step_took() -> None:
    """The profiler's times are those of the operators that were called, and what is between."""
    record = captured("toy", timed=True)
    assert (record.network, record.mode, record.batch) == (f"{TOYS}:toy", "training", 5)
    assert sum(call.count for call in record.calls) == 46
    measured = record.measured
    assert measured["seconds"] > 0
    assert measured["samples"] >= 6
    assert measured["threads"] == 1
    assert measured["profiler"]["aten.addmm"] > 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises", "raised ValueError: no weights"),
        ("dies", "the measuring process ended with status 7"),
        ("alters", "changed its process (default dtype); let it undo that"),
        ("misfits", "a step raised RuntimeError"),
        ("detached", "no output has a gradient; --mode inference"),
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
    with pytest.raises(UsageError, match="no answer within 1 s; --timeout allows more"):
        captured("hangs", timeout=1.0)


def test_the_command_writes_a_calls_file_and_says_what_is_in_it(opperf: CommandLine) -> None:
    """An existing one is replaced when that is asked for."""
    asked = ("profile", f"{TOYS}:toy", "--no-time", "-o", "toy.calls.json")
    done = opperf.run(*asked)
    assert done.returncode == 0, done.stderr
    assert "46 calls" in done.stdout
    calls = parse_calls((opperf.directory / "toy.calls.json").read_bytes()).calls
    assert sum(call.count for call in calls) == 46
    assert f"{len(calls)} distinct ones" in done.stdout
    again = opperf.run(*asked)
    assert again.returncode == 2
    assert "--force" in again.stderr


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("--torchvision", "resnet18"), "torchvision"),
        (("--transformers", "no such model"), "transformers"),
        (("--torchvision", "resnet18", "--framework", "mxnet"), "--torchvision is of pytorch"),
        (("--builtin", "resnet18", "--framework", "numpy"), "numpy captures no networks"),
        (("--builtin", "resnet18", "--batch", "0"), "--batch 0: must be"),
        (("--builtin", "resnet18", "--framework", "mxnet,pytorch"), "captured in one"),
    ],
)
def test_what_is_not_there_is_one_line(
    opperf: CommandLine, asked: tuple[str, ...], words: str
) -> None:
    """A library that is missing or of another build, a framework that has no such network."""
    if asked[:2] == ("--torchvision", "resnet18") and len(asked) == 2 and find_spec("torchvision"):
        pytest.skip("torchvision is installed")
    done = opperf.run("profile", *asked, "--no-time")
    assert done.returncode == 2
    assert words in done.stderr
    assert len(told(done.stderr)) == 1
