"""Binding a network's call to MXNet: its operator, its arguments, and what its values must be."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from opperf.mxnet_benchmarks.calling.arguments import read_arguments
from opperf.mxnet_benchmarks.calling.bound import BoundOperator
from opperf.mxnet_benchmarks.calling.differentiated import STATEFUL, requests_of
from opperf.mxnet_benchmarks.calling.drawn import draws
from opperf.mxnet_benchmarks.calling.registry import find_operator
from opperf.mxnet_benchmarks.calling.written import changed_by, states_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opperf.calls.format.values import Call
    from opperf.core.frameworks.framework import Framework

RANDOM = "the result is random; shape, element type and distribution were checked"
INVOKE, BACKWARD_CALL = "MXImperativeInvokeEx", "mxnet.autograd.backward"
"""What calls an operator."""
ROWS_READ: Mapping[str, int] = {"Embedding": 1, "take": 0, "gather_nd": 0, "pick": 0}
"""The position of what is looked up in: as many of its elements are read as are returned."""


def bind_call(framework: Framework, mxnet: Any, call: Call) -> BoundOperator:
    """Return the call on MXNet.

    Raises:
        UnsupportedError: this version has no such operator, or makes no such array.
        UsageError: the operator does not take the arguments.
    """
    operator = find_operator(mxnet, call.operator)
    read = read_arguments(call, operator)
    given = replace(read, requests=requests_of(operator.name, read))
    asked = dict(zip(given.outputs, given.requests, strict=True))
    wanted = {name: each for name, each in given.outputs.items() if asked[name] != "null"}
    recorded = bool(wanted) and (
        operator.name in STATEFUL or any(request != "write" for request in given.requests)
    )
    return BoundOperator(
        implementation=f"{BACKWARD_CALL if recorded else INVOKE} {operator.name}",
        tensors={**given.arrays, **wanted},
        changed=[
            *changed_by(operator.name, given),
            *(name for name in wanted if asked[name] == "add"),
        ],
        states=states_of(operator.name, given),
        overwritten=[name for name in wanted if asked[name] == "write"],
        unchecked=RANDOM if draws(operator.name, given) else None,
        part_read=part_read(operator.name, [*given.arrays]),
        context=partial(mxnet.autograd.pause, train_mode=True) if given.training else None,
        mxnet=mxnet,
        framework=framework,
        operator=operator,
        given=given,
        recorded=recorded,
    )


def part_read(operator: str, names: list[str]) -> tuple[str, ...]:
    """Return the names of those arrays of which a part is read."""
    position = ROWS_READ.get(operator)
    return () if position is None or position >= len(names) else (names[position],)
