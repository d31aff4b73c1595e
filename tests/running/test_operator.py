"""The face that users of the older package know, on the real frameworks."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import NotInstalledError, UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.legacy.spellings import device_name, older_figure
from opperf.nd import Add, BatchNorm, Dot, IMul
from tests.records import changed

if TYPE_CHECKING:
    from opperf.running.operator import Operator

QUICK: dict[str, Any] = {"size": "small", "warmup": 0, "runs": 6}
NO_RESULTS = "No benchmark results found"


def require(framework: str) -> str:
    """Return the framework's name, or skip the test where it is not installed."""
    if not find_framework(framework).is_installed():
        pytest.skip(f"{framework} is not installed")
    return framework


@pytest.fixture(params=["mxnet", "pytorch"])
def framework(request: pytest.FixtureRequest) -> str:
    """Return the name of each measured framework that is installed."""
    return require(request.param)


def printed(operator: Operator, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines that the operator prints about its results, of reliable times or not."""
    capsys.readouterr()
    operator.print_benchmark_results()
    lines = capsys.readouterr().out.splitlines()
    return [line for line in lines if " - unreliable: " not in line]


def test_a_run_prints_the_older_line(framework: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line: the framework's prefix, the operator, the direction and its seconds."""
    add = Add(framework=framework, **QUICK)
    add.run_benchmark()
    (line,) = printed(add, capsys)
    prefix = {"mxnet": "MX", "pytorch": "PT"}[framework]
    assert re.fullmatch(rf"{prefix}_Add_Forward_Backward_Time - \d+\.\d{{6}} seconds", line)


def test_an_in_place_operator_prints_its_older_name(
    framework: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Inplace_Multiply has a forward only."""
    imul = IMul(framework=framework, **QUICK)
    imul.run_benchmark()
    (line,) = printed(imul, capsys)
    assert re.fullmatch(r"(MX|PT)_Inplace_Multiply_Forward_Time - \d+\.\d{6} seconds", line)


@pytest.mark.parametrize("status", ["ok", "noisy"])
def test_an_unreliable_time_has_a_second_line(
    capsys: pytest.CaptureFixture[str], status: str
) -> None:
    """The first is as ever, so that what reads it goes on; a reliable time has no other."""
    add = Add(inputs={"run_backward": False}, framework="numpy", **QUICK)
    (found,) = add.run_benchmark()
    wide = {"code": "noisy", "message": "the median is known to 34.0% only; quiet the machine"}
    sound = {"interval": [1e-6, 2e-6], "median": 1.5e-6, "warnings": [wide]}
    summary = {**sound}
    add.results[:] = [changed(found, status=status, summary=summary)]
    capsys.readouterr()
    add.print_benchmark_results()
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == "NP_Add_Forward_Time - 0.000002 seconds"
    second = f"NP_Add_Forward_Time - unreliable: {wide['message']}"
    assert rest == ([second] if status == "noisy" else [])


def test_the_figure_is_the_median_in_seconds(framework: str) -> None:
    """The dictionary holds what the record of both directions says."""
    add = Add(framework=framework, **QUICK)
    results = add.run_benchmark()
    assert results == add.results
    ((name, seconds),) = add.get_benchmark_results().items()
    assert name.endswith("_Add_Forward_Backward_Time")
    both = next(r for r in results if r.operator.direction == "forward_backward")
    assert seconds == both.seconds


def test_without_a_backward_the_forward_is_printed(
    framework: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """run_backward=False leaves one direction, which is told by its name."""
    dot = Dot(inputs={"run_backward": False}, framework=framework, **QUICK)
    assert len(dot.run_benchmark()) == 1
    (line,) = printed(dot, capsys)
    assert "_Dot_Forward_Time - " in line


def test_before_a_run_there_are_no_results(capsys: pytest.CaptureFixture[str]) -> None:
    """The older package's words, and an empty dictionary."""
    add = Add()
    assert add.get_benchmark_results() == {}
    (line,) = printed(add, capsys)
    assert line.startswith(NO_RESULTS)


def test_what_has_no_time_is_not_silent(capsys: pytest.CaptureFixture[str]) -> None:
    """A run whose figure is missing says something: here, that NumPy has no backward."""
    add = Add(framework="numpy", **QUICK)
    results = add.run_benchmark()
    assert [result.status for result in results[1:]] == ["unsupported"] * 3
    assert printed(add, capsys)


def test_the_older_spellings_are_translated() -> None:
    """Ctx is the device, warmup and runs are settings."""
    add = Add(ctx="cpu", warmup=3, runs=7)
    assert (add.device, add.settings.warmup, add.settings.runs) == ("cpu", 3, 7)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (None, "cpu"),
        ("cpu", "cpu"),
        ("cpu(0)", "cpu"),
        ("cpu:0", "cpu"),
        ("cuda", "cuda:0"),
        ("cuda:1", "cuda:1"),
        ("gpu(3)", "cuda:3"),
    ],
)
def test_devices_in_every_spelling(given: object, name: str) -> None:
    """MXNet's, PyTorch's and our own names, as text or as what prints so."""
    assert device_name(given) == name


@pytest.mark.parametrize(
    "given", ["tpu", "", "cuda:-1", "cpu,gpu", 0, "CPU", pytest.param(10**5000, id="digits")]
)
def test_an_unknown_device_is_refused(given: object) -> None:
    """The error says which there are."""
    with pytest.raises(UsageError, match=r"unknown device .*; allowed: cpu, cuda:N"):
        device_name(given)


def test_a_framework_s_own_device_object_is_a_device() -> None:
    """What mxnet.cpu() returns is accepted as ctx."""
    require("mxnet")
    mxnet = find_framework("mxnet")
    mxnet.load(1)
    assert Add(ctx=sys.modules["mxnet"].cpu()).device == "cpu"


def test_a_gpu_that_is_not_there_is_an_error(framework: str) -> None:
    """There is no fallback to the CPU."""
    with pytest.raises(UsageError, match="cuda:99"):
        Add(framework=framework, device="cuda:99", **QUICK).run_benchmark()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("runs", 0),
        ("runs", 2.5),
        ("runs", "3"),
        ("warmup", -1),
        ("warmup", 1.5),
        ("precision", 0),
        ("precision", "high"),
        ("precision", float("nan")),
        ("budget", 0),
        ("budget", float("inf")),
        ("threads", 0),
        ("seed", -1),
        ("seed", 0.5),
    ],
)
def test_settings_that_cannot_be_are_refused(name: str, value: Any) -> None:
    """Before anything runs, and naming the setting with its value."""
    with pytest.raises(UsageError) as caught:
        Add(**{name: value})
    assert name in str(caught.value)
    assert repr(value) in str(caught.value)


def test_the_environment_chooses_the_framework(monkeypatch: pytest.MonkeyPatch) -> None:
    """OPPERF_FRAMEWORK stands in for the argument, which goes before it."""
    monkeypatch.setenv("OPPERF_FRAMEWORK", "numpy")
    assert Add().chosen_framework().name == "numpy"
    assert Add(framework="pytorch").chosen_framework().name == "pytorch"


@pytest.mark.parametrize("name", ["mxnet", "pytorch"])
def test_a_framework_that_is_not_installed_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """With the command that installs it."""
    monkeypatch.setitem(sys.modules, find_framework(name).module, None)
    with pytest.raises(NotInstalledError, match=rf"opperf\[{name}\]"):
        Add(framework=name, **QUICK).run_benchmark()


def test_nothing_installed_names_both_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy does not step in."""
    for module in ("mxnet", "torch"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(NotInstalledError, match=r"opperf\[mxnet\].*opperf\[pytorch\]"):
        Add(**QUICK).run_benchmark()


def test_a_fused_operator_s_figure_is_its_fused_one() -> None:
    """The parts beside it are in the results, not in the older dictionary."""
    (result,) = BatchNorm(
        framework="numpy", inputs={"run_backward": False}, **QUICK
    ).run_benchmark()
    parts = changed(result, operator={"fused": False})
    fused = changed(result, operator={"fused": True})
    assert older_figure([parts], "Op") is None
    assert older_figure([fused, parts], "Op") == ("NP_Op_Forward_Time", fused)


def test_the_operator_shows_what_it_was_made_of() -> None:
    """Its repr names inputs and framework."""
    text = repr(Add(inputs={"lhs": (2, 3), "rhs": (3,)}, framework="pytorch"))
    assert text.startswith("Add(inputs={'lhs': (2, 3), 'rhs': (3,)")
    assert "framework='pytorch'" in text
