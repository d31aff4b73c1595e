"""The command that measures a result again is one that opperf understands."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from opperf.cli.common.options import parse_inputs
from opperf.cli.parser import make_parser
from opperf.core.filters.language import parse
from opperf.core.results.quantity import SubjectRecord
from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.reproduction import command, command_again
from opperf.reporting.verdicts import Verdict
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]


def test_a_named_size(make: Make) -> None:
    """Operator, direction, framework, size and dtype."""
    assert command(make()) == (
        "opperf run -k 'name=Dot and direction=forward' --framework mxnet --size typical "
        "--dtype float32"
    )


def test_what_is_not_usual_is_said(make: Make) -> None:
    """Device, threads and cold operands."""
    found = make(device="cuda:0")
    found = changed(found, operator={"threads": 2, "cache": "cold"})
    assert command(found).endswith("--device cuda:0 --threads 2 --cache cold")


def test_inputs_of_ones_own(make: Make) -> None:
    """They come back as the flags that they were."""
    found = make(shapes=((3, 4),), attributes={"axis": -1, "mode": "same", "k": (1, 2)})
    found = changed(found, operator={"size": None})
    words = shlex.split(command(found))
    parsed = make_parser().parse_args(words[1:])
    assert parse_inputs(parsed.input) == {
        "lhs": (3, 4), "axis": -1, "mode": "same", "k": (1, 2),
    }  # fmt: skip


def test_a_call_of_a_network(make: Make) -> None:
    """It is measured from the calls beside its run, in the element type that it was cast to."""
    call = {"subject": SubjectRecord(kind="call", name="aten.mm.default"), "run_id": "2026-a"}
    found = make(name="aten.mm.default", framework="pytorch", **call)
    again = "opperf run --calls runs/2026-a/calls.json -k 'name='\"'\"'aten.mm.default'\"'\"''"
    assert command(found) == again
    cast = make(name="aten.mm.default", framework="pytorch", warnings=["cast"], **call)
    assert command(cast) == f"{again} --dtype float32"
    words = shlex.split(command(cast))
    assert make_parser().parse_args(words[1:]).calls == "runs/2026-a/calls.json"
    assert parse(words[words.index("-k") + 1]).values("name") == {"aten.mm.default"}


def test_the_sum_of_a_network(make: Make) -> None:
    """All of its calls are measured again."""
    network = {"subject": SubjectRecord(kind="network", name="toy, sum"), "run_id": "2026-a"}
    found = make(name="toy", framework="pytorch", attributes={"dtype": "float32"}, **network)
    again = "opperf run --calls runs/2026-a/calls.json --dtype float32"
    assert command(found) == again


@pytest.mark.parametrize("name", ["a'b", 'a"b', "$(id)`id`;", "a b", "=x", "in"])
def test_an_odd_name_stays_one_word(make: Make, name: str) -> None:
    """The shell sees one argument, and the filter one name."""
    words = shlex.split(command(make(name=name)))
    chosen = parse(words[words.index("-k") + 1])
    assert chosen.values("name") == {name}
    assert words[0] == "opperf"


def test_a_row_of_another_metric_names_it() -> None:
    """The command compares that again, not the time."""
    row = Verdict(
        operator="Exp", framework="mxnet", direction="forward", size="small", verdict="fails",
        metric="peak_memory",
    )  # fmt: skip
    arms = ComparisonReport(verdicts=[row], min_effect=0.02, names=(".", "X=1"), interleaved=True)
    assert command_again(row, arms).endswith("--size small --metric peak_memory")


def test_the_step_of_a_network(make: Make) -> None:
    """Phase, batch, element type and data."""
    given = {"of": "inference step", "batch": 4, "dtype": "float32", "data": "synthetic"}
    network = {"subject": SubjectRecord(kind="network", name="resnet18"), "name": "resnet18"}
    laid_out = make(attributes={**given, "data_resident": False}, **network)
    found = changed(laid_out, operator={"process": "plain"})
    words = shlex.split(command(found))
    assert words == [
        "opperf", "model", "resnet18", "--framework", "mxnet", "--forward_only",
        "--batch_size", "4", "--dtype", "float32", "--data-per-batch", "--process", "plain",
    ]  # fmt: skip
    make_parser("model").parse_args(words[1:])
    assert command(laid_out).endswith("--data-per-batch --process laid_out")
    folder = make(attributes={**given, "data": "image_folder", "data_dir": "/x y"}, **network)
    assert "--data_backend image_folder --data_dir '/x y'" in command(folder)
