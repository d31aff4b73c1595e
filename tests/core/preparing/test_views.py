"""What is returned without being moved has no bytes to count, and no rate."""

from __future__ import annotations

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.declaring.registry import find_operator
from opperf.measuring.attempt import Attempt

VIEWS = ("DSplit", "HSplit", "ArraySplit", "BroadcastLike", "MeshGrid", "Reshape", "Squeeze")
"""What is a view in PyTorch."""
COPIES = ("Add", "Sum", "SliceAxis", "IAdd", "Zero")


def counted(name: str, framework: str, direction: str = "forward") -> tuple[object, object]:
    """Return the bytes and their rate of a record."""
    found = find_framework(framework)
    if not found.is_installed():
        pytest.skip(f"{framework} is not installed")
    operator = find_operator(name)(size="small")
    attempt = Attempt(operator, found, "cpu", Settings(runs=6, warmup=0))
    (result,) = attempt.results([("only", direction)])
    assert result.summary is not None
    return result.byte_count, result.byte_rate


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_has_no_rate(name: str) -> None:
    """In inference and in training alike."""
    assert counted(name, "pytorch") == (None, None)
    assert counted(name, "pytorch", "forward_recorded") == (None, None)


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_has_one(name: str) -> None:
    """So has what changes its input in place, whose output is that input."""
    count, rate = counted(name, "pytorch")
    assert count == find_operator(name)(size="small").byte_count()
    assert rate is None or isinstance(rate, float)


@pytest.mark.parametrize("name", ["Squeeze", "BroadcastLike"])
def test_what_one_framework_copies_is_counted_there(name: str) -> None:
    """MXNet's operator of the same name moves every element."""
    count, _ = counted(name, "mxnet")
    assert count == find_operator(name)(size="small").byte_count()


def test_mxnet_has_views_too() -> None:
    """Its reshape is one."""
    assert counted("Reshape", "mxnet") == (None, None)
