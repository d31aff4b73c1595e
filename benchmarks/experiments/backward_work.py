"""E8, backward: an autograd.Function whose forward and backward do a known amount of one kernel."""

from __future__ import annotations

from functools import cache, partial
from statistics import median
from typing import TYPE_CHECKING, Any, ClassVar

from experiments.finding import Figure, Finding, Table, percent
from experiments.timing import pytorch
from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.implementation import native
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.measuring.attempt import Attempt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.tensors.tensor import Array, Shape

UNITS = ((1, 1), (1, 2), (2, 1), (1, 4), (4, 1), (2, 3))
"""How often forward and backward do the kernel."""
SIDE, TIMES = 128, 512
"""A unit is so many products of square matrices of this side, within the second cache: some 20 ms.

Calling a backward takes PyTorch up to 0.1 ms whatever it does, which belongs to its time."""
ERROR = 0.02
BUDGET = 0.2
"""Seconds of a direction in a round: short, so that a neighbor mostly falls on both alike."""

METHOD = """\
An autograd.Function whose forward does n_f and whose backward does n_b units of one kernel (512
products of 128x128 matrices) is measured through the whole path as an operator of the package,
correctness included. The backward's time over the forward's must be n_b / n_f; both are measured in
turns, and the median of the rounds' ratios counts. Beside it the older
way: `mean().backward(retain_graph=True)`, timed with torch.utils.benchmark, which also reduces the
output, spreads its gradient and adds it to `.grad`."""


class KnownWork(Declaration):
    """The identity, which does so many units of work forward and so many backward."""

    category = "probe"
    tensors: ClassVar[Mapping[str, Tensor]] = {"data": Tensor()}
    attributes: ClassVar[Mapping[str, object]] = {"forward_units": 1, "backward_units": 1}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {"typical": {"data": (1024, 1024)}}

    @staticmethod
    def reference(data: Array, forward_units: int, backward_units: int) -> Array:
        """Return the tensor as it is."""
        del forward_units, backward_units
        return data

    @staticmethod
    def gradient(
        cotangents: Sequence[Array], data: Array, forward_units: int, backward_units: int
    ) -> tuple[Array]:
        """Return the gradient as it comes."""
        del data, forward_units, backward_units
        return (cotangents[0],)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape."""
        return (self.inputs["data"],)

    def flop_count(self) -> int:
        """Return what the units of the forward compute."""
        return int(self.inputs["forward_units"]) * TIMES * 2 * SIDE**3


@cache
def function() -> Any:
    """Return the autograd.Function, made when torch is there."""
    import torch

    lhs, rhs = torch.rand(SIDE, SIDE), torch.rand(SIDE, SIDE)
    multiply = partial(torch.mm, lhs, rhs, out=torch.empty(SIDE, SIDE))

    def work(units: int) -> None:
        with torch.no_grad():
            for _ in range(units * TIMES):
                multiply()

    class Work(torch.autograd.Function):  # type: ignore[misc] # torch passes as Any
        @staticmethod
        def forward(ctx: Any, data: Any, forward_units: int, backward_units: int) -> Any:
            ctx.units = backward_units
            work(forward_units)
            return data.view_as(data)

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            work(ctx.units)
            return gradient, None, None

    return Work


def apply(data: Any, forward_units: int, backward_units: int) -> Any:
    """Call the function as PyTorch's users do."""
    return function().apply(data, forward_units, backward_units)


def known_work(framework: Framework, units: tuple[int, int], settings: Settings) -> Attempt:
    """Return the operator with so many units, on the way through all the checks."""
    forward, backward = units
    operator = KnownWork({"forward_units": forward, "backward_units": backward})
    return Attempt(operator, framework, "cpu", settings)


def measured(attempt: Attempt) -> float:
    """Return the backward's seconds over the forward's, as opperf reports them."""
    outcomes = [attempt.outcome("only", direction) for direction in ("forward", "backward")]
    first, second = (outcome.summary for outcome in outcomes)
    if first is None or second is None:
        raise RuntimeError(f"not measured: {[outcome.reason for outcome in outcomes]}")
    return second.median / first.median


def older_way(units: tuple[int, int], budget: float) -> float:
    """Return the same ratio with the backward called as the older suites do."""
    import torch
    from torch.utils.benchmark import Timer

    data = torch.rand(1024, 1024, requires_grad=True)
    head = apply(data, *units).mean()
    backward = Timer("head.backward(retain_graph=True)", globals={"head": head})
    forward = Timer("apply(data, *units)", globals={"apply": apply, "data": data, "units": units})
    timed = [timer.blocked_autorange(min_run_time=budget).median for timer in (backward, forward)]
    return float(timed[0] / timed[1])


def run(quick: bool) -> Finding:
    """Measure every mix of units."""
    framework = pytorch()
    framework.extend({KnownWork: native(f"{__name__}.apply")})
    settings = Settings(budget=BUDGET, precision=0.002)
    rows, errors = [], []
    for units in UNITS[:3] if quick else UNITS:
        truth = units[1] / units[0]
        attempt = known_work(framework, units, settings)
        rounds = [(measured(attempt), older_way(units, BUDGET)) for _ in range(5 if quick else 15)]
        ours, older = (median(ratios) / truth - 1 for ratios in zip(*rounds, strict=True))
        errors.append(ours)
        rows.append([f"{units[0]} : {units[1]}", f"{truth:.4g}", percent(ours), percent(older)])
    worst = max(errors, key=abs)
    return Finding(
        name="E8",
        title="Backward alone",
        method=METHOD,
        figures=[
            Figure(
                what="largest error of the backward's share",
                figure=percent(worst),
                target=f"<= {percent(ERROR, 0)}",
                met=abs(worst) <= ERROR,
            )
        ],
        tables=[
            Table(
                caption="Backward over forward",
                headers=("units", "truth", "error of opperf", "error of mean().backward()"),
                rows=rows,
            )
        ],
    )
