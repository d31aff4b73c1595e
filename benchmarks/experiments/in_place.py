"""E9, in place: operators that change their input, on pristine copies and on their own output."""

from __future__ import annotations

from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from experiments.finding import Figure, Finding, Table, microseconds, percent
from experiments.timing import calling, forward, pytorch, seconds
from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.implementation import native
from opperf.core.memory.heap import holes_filled
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Binary, Unary
from opperf.measuring.attempt import Attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework
    from opperf.declaring.declaration import Declaration

SHAPES = ((64, 64), (256, 256), (1024, 1024))
ERROR = 0.03

METHOD = """\
`mul_(0.5)`, `sqrt_()` and `add_(other)` through the package: a ring of pristine copies, each used
once a sample. The truth is the same kernel on values that it leaves as they are (times 1, the root
of 1, plus 0), again and again on one tensor: nothing can drift there. Each round has tensors of its
own, for where they lie makes a difference (method.md, "Between processes"), and an error is the
median over the rounds. The same out of place and
stored into a ready tensor is shown beside it, but is no truth: it moves twice the memory, and
PyTorch takes some 0.5 us more for `out=`. Naive means calling it on its own output. The naive
version is then declared to the package as if it did not change its input; every one of these must
be found out, as a wrong result or by the warning `value_drift`."""


class Doomed(Unary):
    """What the in-place operators of one tensor share."""

    category = "arithmetic"
    differentiable = False
    tensors: ClassVar[dict[str, Tensor]] = {"data": Tensor(low=0.5, high=2, mutated=True)}


class Halve(Doomed):
    """Half of a tensor, stored in it."""

    reference = staticmethod(partial(np.multiply, 0.5))


class Root(Doomed):
    """The square root of a tensor, stored in it."""

    reference = staticmethod(np.sqrt)


class Increase(Binary):
    """The sum of two tensors, stored in the left one."""

    category = "arithmetic"
    differentiable = False
    tensors: ClassVar[dict[str, Tensor]] = {
        "lhs": Tensor(low=0.5, high=2, mutated=True),
        "rhs": Tensor(low=0.5, high=2),
    }
    reference = staticmethod(np.add)


class NaiveHalve(Halve):
    """The same, declared as if it did not change its input."""

    tensors: ClassVar[dict[str, Tensor]] = {"data": Tensor(low=0.5, high=2)}


class NaiveRoot(Root):
    """The same, declared as if it did not change its input."""

    tensors: ClassVar[dict[str, Tensor]] = {"data": Tensor(low=0.5, high=2)}


class NaiveIncrease(Increase):
    """The same, declared as if it did not change its input."""

    tensors: ClassVar[dict[str, Tensor]] = {
        "lhs": Tensor(low=0.5, high=2),
        "rhs": Tensor(low=0.5, high=2),
    }


IMPLEMENTATIONS = {
    Halve: native("torch.Tensor.mul_", other=0.5),
    NaiveHalve: native("torch.Tensor.mul_", other=0.5),
    Root: native("torch.Tensor.sqrt_"),
    NaiveRoot: native("torch.Tensor.sqrt_"),
    Increase: native("torch.Tensor.add_"),
    NaiveIncrease: native("torch.Tensor.add_"),
}
PAIRS = ((Halve, NaiveHalve), (Root, NaiveRoot), (Increase, NaiveIncrease))


def still(torch: Any, operator: type[Declaration], shape: tuple[int, int]) -> Step:
    """Return the in-place call on values that it leaves as they are."""
    calls: Mapping[type[Declaration], Callable[[], Step]] = {
        Halve: lambda: partial(torch.Tensor.mul_, torch.rand(shape) + 0.5, other=1.0),
        Root: lambda: partial(torch.Tensor.sqrt_, torch.ones(shape)),
        Increase: lambda: partial(torch.Tensor.add_, torch.rand(shape) + 0.5, torch.zeros(shape)),
    }
    return calls[operator]()


def stored(torch: Any, operator: type[Declaration], shape: tuple[int, int]) -> Step:
    """Return the out-of-place call that stores into a ready tensor."""
    data, other, out = torch.rand(shape) + 0.5, torch.rand(shape) + 0.5, torch.empty(shape)
    calls: Mapping[type[Declaration], Step] = {
        Halve: partial(torch.mul, data, 0.5, out=out),
        Root: partial(torch.sqrt, data, out=out),
        Increase: partial(torch.add, data, other, out=out),
    }
    return calls[operator]


def naive(torch: Any, operator: type[Declaration], shape: tuple[int, int]) -> Step:
    """Return the in-place call that works on its own output."""
    data, other = torch.rand(shape) + 0.5, torch.rand(shape) + 0.5
    calls: Mapping[type[Declaration], Step] = {
        Halve: partial(torch.Tensor.mul_, data, other=0.5),
        Root: partial(torch.Tensor.sqrt_, data),
        Increase: partial(torch.Tensor.add_, data, other),
    }
    return calls[operator]


def flag(operator: Declaration, framework: Framework, settings: Settings) -> str:
    """Return how the package finds out that an input does not stay as it was, or nothing."""
    outcome = Attempt(operator, framework, "cpu", settings).outcome("only", "forward")
    if outcome.status == "wrong_result":
        return outcome.status
    return next((c.code for c in outcome.warnings if c.code == "value_drift"), "")


def inputs(operator: type[Declaration], shape: tuple[int, int]) -> dict[str, object]:
    """Return the operator's inputs, all of this shape."""
    return dict.fromkeys(operator.tensors, shape)


def row(
    framework: Framework,
    pair: tuple[type[Declaration], type[Declaration]],
    shape: tuple[int, int],
    rounds: int,
    settings: Settings,
) -> tuple[float, list[str]]:
    """Measure one operator at one shape in turns; return the ring's error and the table's line."""
    torch: Any = framework.torch  # type: ignore[attr-defined] # PyTorch's own module
    own, undeclared = pair
    found: list[dict[str, float]] = []
    kept = []  # so that each round's tensors lie in memory of their own
    with torch.no_grad():
        for _ in range(rounds):
            works = {
                "still": calling(still(torch, own, shape)),
                "ring": forward(own(inputs(own, shape)), framework, settings),
                "stored": calling(stored(torch, own, shape)),
                "naive": calling(naive(torch, own, shape)),
            }
            kept.append(works)
            with holes_filled():
                found.append({name: seconds(work, settings) for name, work in works.items()})
    truth = median(times["still"] for times in found)
    errors = {
        name: median(times[name] / times["still"] for times in found) - 1
        for name in ("ring", "stored", "naive")
    }
    flagged = flag(undeclared(inputs(own, shape)), framework, settings)
    line = [own.__name__, f"{shape[0]}x{shape[1]}", microseconds(truth)]
    return errors["ring"], [*line, *(percent(e, 1) for e in errors.values()), flagged or "no"]


def run(quick: bool) -> Finding:
    """Measure all three at all shapes."""
    framework = pytorch()
    framework.extend(IMPLEMENTATIONS)
    settings = Settings(budget=0.1, precision=0.002)
    cases = [(pair, shape) for pair in PAIRS for shape in SHAPES]
    found = [row(framework, *case, 3 if quick else 15, settings) for case in cases]
    worst = max((error for error, _ in found), key=abs)
    flagged = sum(line[-1] != "no" for _, line in found) / len(found)
    headers = ("operator", "shape", "truth", "ring", "out of place + store", "naive", "naive found")
    return Finding(
        name="E9",
        title="In place",
        method=METHOD,
        figures=[
            Figure(
                what="largest error of the ring",
                figure=percent(worst, 1),
                target=f"<= {percent(ERROR, 0)}",
                met=abs(worst) <= ERROR,
            ),
            Figure(
                what="undeclared mutations found",
                figure=percent(flagged, 0),
                target="100 %",
                met=flagged == 1,
            ),
        ],
        tables=[
            Table(caption="Errors against the truth", headers=headers, rows=[r for _, r in found])
        ],
    )
