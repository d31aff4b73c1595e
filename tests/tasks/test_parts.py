"""The parts of a task: lists, methods, and the number of GPUs in a command."""

from __future__ import annotations

import pytest

from opperf.core.errors import UsageError
from opperf.tasks.calculation import METHODS
from opperf.tasks.gpus import with_gpus, with_gpus_in_text
from opperf.tasks.literals import parse_list


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("[]", ()),
        (r"['a\d', r'b', \"c\"]".replace('\\"', '"'), (r"a\d", "b", "c")),
        (r"['it\'s', ',]']", (r"it\'s", ",]")),
        ("['a',]", ("a",)),
    ],
)
def test_lists(text: str, items: tuple[str, ...]) -> None:
    """Quoted texts in which a backslash stands for itself."""
    assert parse_list(text) == items


@pytest.mark.parametrize("text", ["", "a", "['a' 'b']", "[a]", "['a', b]", "['a'", "[['a']]"])
def test_no_lists(text: str) -> None:
    """Whatever else it is."""
    with pytest.raises(UsageError, match="must be a list"):
        parse_list(text)


@pytest.mark.parametrize(
    ("method", "value"),
    [
        ("average", 2.5), ("first", 1.0), ("last", 3.0), ("max", 4.0), ("min", 1.0), ("p50", 2.5),
        ("p90", 3.7), ("p99", 3.97), ("slope", 0.8), ("stdev", 1.2909944487358056), ("total", 10.0),
    ],
)  # fmt: skip
def test_methods(method: str, value: float) -> None:
    """Each by numbers worked out by hand; there is no other."""
    assert METHODS[method]([1.0, 2.0, 4.0, 3.0]) == pytest.approx(value)
    assert len(METHODS) == 11


@pytest.mark.parametrize(
    ("command", "named", "wanted", "made"),
    [
        ("a --gpus 8 --epochs 8", 8, 4, "a --gpus 4 --epochs 8"),
        ("a --gpus=1 --gpus-per-node 1", 1, 2, "a --gpus=2 --gpus-per-node 1"),
        ("a --gpus 16 --num-gpus 1", 1, 8, "a --gpus 16 --num-gpus 8"),
        ("a --gpus 16", 1, 1, "a --gpus 16"),
        ("a --gpus 16", 16, 1, "a --gpus 1"),
        ("a -n {num_gpus} {num_gpus}x", 1, 3, "a -n 3 3x"),
        ("a --gpu 0", 0, 1, "a --gpu 1"),
    ],
)
def test_the_number_of_gpus(command: str, named: int, wanted: int, made: str) -> None:
    """Only where it is the section's own, and the value of such an option."""
    assert with_gpus(command.split(), named, wanted) == made.split()
    assert with_gpus_in_text(command, named, wanted) == made


def test_a_number_that_has_no_place_is_refused() -> None:
    """The command would run on other GPUs than its name says."""
    with pytest.raises(UsageError, match="has no --gpus 1 to set"):
        with_gpus(["a", "--gpus", "16"], 1, 2)
    with pytest.raises(UsageError, match="where the number belongs"):
        with_gpus_in_text("a && b", 1, 2)
