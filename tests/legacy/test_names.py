"""Results are called as in the older package, and arguments stand where they stood."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from opperf import nd
from opperf.core.errors import UsageError
from opperf.legacy.names import GLUON
from opperf.legacy.spellings import is_device, older_figure
from opperf.nd import Add
from tests.legacy.older import OLDER

if TYPE_CHECKING:
    from tests.conftest import MakeResult


class Context:
    """A device as MXNet shows it."""

    def __repr__(self) -> str:
        return "cpu(0)"


def figure(make_result: MakeResult, name: str, framework: str) -> str:
    """Return what a result of a class is called, with both directions where it has them."""
    operator = make_result().operator.to_mapping()
    kind = getattr(nd, name)
    results = [
        make_result(operator={**operator, "framework": framework, "direction": direction})
        for direction in kind(size="small").directions()
    ]
    found = older_figure(results, kind.name())
    assert found is not None
    return found[0]


@pytest.mark.parametrize("name", OLDER)
def test_every_result_has_its_older_name(name: str, make_result: MakeResult) -> None:
    """On MXNet word by word; on PyTorch, which has no Gluon, without its name."""
    expected = OLDER[name][0]
    assert figure(make_result, name, "mxnet") == f"MX_{expected}_Time"
    assert figure(make_result, name, "pytorch") == f"PT_{expected.removeprefix(GLUON)}_Time"


def test_what_the_older_package_had_not_is_called_as_it_is(make_result: MakeResult) -> None:
    """Softplus is newer."""
    assert figure(make_result, "Softplus", "mxnet") == "MX_Softplus_Forward_Backward_Time"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((Context(), 10, 50), {}),
        ((Context(), 10, 50, None), {}),
        ((Context(),), {"warmup": 10, "runs": 50}),
        (("cpu", 10), {"runs": 50}),
        ((None, 10, 50), {}),
        ((), {"ctx": Context(), "warmup": 10, "runs": 50}),
    ],
)
def test_arguments_stand_where_they_stood(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Context, warm-up, runs, inputs."""
    add = Add(*given, **named)
    assert (add.device, add.settings.warmup, add.settings.runs) == ("cpu", 10, 50)
    assert add.inputs["lhs"] == (1024, 1024)


def test_the_inputs_may_stand_last_or_alone() -> None:
    """As the older package had them, or as opperf has."""
    given = {"lhs": (2, 3)}
    for add in (Add(Context(), 10, 50, given), Add(given), Add(Context(), inputs=given)):
        assert add.inputs["lhs"] == add.inputs["rhs"] == (2, 3)


@pytest.mark.parametrize(
    ("given", "named", "words"),
    [
        ((Context(), 1, 2, None, 3), {}, "5 arguments by position; at most ctx, warmup, runs"),
        ((Context(),), {"ctx": "cpu"}, "ctx is given twice"),
        (({},), {"inputs": {}}, "inputs is given twice"),
        (("tpu", 1), {}, "unknown device 'tpu'"),
        ((Context(), 10, 50, (2, 3)), {}, "inputs=(2, 3): must be a dictionary"),
    ],
)
def test_what_stands_nowhere_is_refused(
    given: tuple[Any, ...], named: dict[str, Any], words: str
) -> None:
    """In one line."""
    with pytest.raises(UsageError, match=re.escape(words)):
        Add(*given, **named)


def test_what_names_no_device_is_none() -> None:
    """Nor is it written out, which Python does for no number of 5000 digits."""
    others: list[object] = [{"lhs": 10**5000}, [1], 3, 10**5000, None, "big", b"cpu"]
    assert [value for value in others if is_device(value)] == []
    assert is_device(Context())


def test_an_older_suite_takes_context_and_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    """By position, and its operators print their older names."""
    inputs = {"data": (8, 8), "dtype": "float64", "run_backward": False}
    results = nd.run_all_powers_operations_benchmarks(
        Context(), inputs, framework="numpy", runs=6, warmup=0
    )
    lines = [line for line in capsys.readouterr().out.splitlines() if "unreliable" not in line]
    assert [line.partition(" - ")[0] for line in lines] == [
        "NP_Sqrt_Forward_Time",
        "NP_Square_Forward_Time",
    ]
    assert {item.dtype for result in results for item in result.inputs} == {"float64"}
