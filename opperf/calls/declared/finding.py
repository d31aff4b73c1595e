"""The declaration that a captured call is, on the call's own shapes, type and attributes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from opperf.calls.declared.pattern import parse_pattern, parse_signature
from opperf.calls.declared.solution import Solution
from opperf.core.errors import UnsupportedError, UsageError
from opperf.core.frameworks.calling import DECLARED, DIRECTIONS
from opperf.declaring.registry import find_operator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opperf.calls.declared.pattern import Pattern, Signature
    from opperf.calls.format.values import Call
    from opperf.core.frameworks.calling import Calling
    from opperf.declaring.declaration import Declaration

GRADIENTS = ("backward",)


@dataclass(frozen=True, kw_only=True)
class DeclaredCall:
    """A call as a declaration's, in a direction: `inputs` are those of the declaration.

    Args:
        declaration: its name.
        direction: forward, forward_recorded (as in training) or backward.
        inputs: the shapes by tensor name, the attributes and the element type.
        places: the call's argument that each tensor is, and the order of its axes there.
        dense: the arguments that lie in memory otherwise than the declaration's tensors.

    """

    declaration: str
    direction: str
    inputs: Mapping[str, Any]
    places: Mapping[str, tuple[str, tuple[int, ...]]]
    dense: tuple[str, ...] = ()

    @cached_property
    def operator(self) -> Declaration:
        """The declaration on these inputs."""
        return find_operator(self.declaration)(self.inputs)


def declared_call(
    call: Call, calling: Calling, fits: Callable[[DeclaredCall], bool] = lambda _: True
) -> DeclaredCall:
    """Return the declaration that a call is; rather one whose tensors lie as the call's do.

    Args:
        call: the call.
        calling: what is known of the operators of its framework.
        fits: whether a declaration will do; where none does, it is the plainest one.

    Raises:
        UnsupportedError: none says just this call; says what the nearest one cannot say.
    """
    row = calling.patterns(call.operator)
    if not row:
        raise UnsupportedError(reason_without_patterns(call, calling))
    given = arguments_of(call, parse_signature(row["takes"]))
    found: list[DeclaredCall] = []
    refused: list[tuple[int, str]] = []
    for pattern in patterns_of(row):
        kind = find_operator(pattern.declaration)
        solution = Solution(kind.tensors, given)
        try:
            found.append(solve(pattern, solution))
        except (UnsupportedError, UsageError) as error:
            reason = str(error).removeprefix(f"{pattern.declaration}: ")
            refused.append((-solution.matched, f"{pattern.declaration}: {reason}"))
    if found:
        return min(found, key=lambda one: (not fits(one), bool(one.dense)))
    others = f" (nor {len(refused) - 1} other declarations)" if len(refused) > 1 else ""
    raise UnsupportedError(f"{min(refused)[1]}{others}")


def reason_without_patterns(call: Call, calling: Calling) -> str:
    """Return why nothing says which declaration's call this is."""
    meaning = calling.meaning(call.operator)
    if meaning.kind == DECLARED:
        names = ", ".join(meaning.declarations[:3])
        return f"{names}: which inputs its arguments are is not known"
    return meaning.why or "not declared"


def patterns_of(row: Mapping[str, Any]) -> Iterator[Pattern]:
    """Yield the declarations' calls of an operator, the plainest first."""
    for direction in DIRECTIONS:
        for text in row.get(direction, ()):
            yield parse_pattern(text, direction)


def arguments_of(call: Call, signature: Signature) -> dict[str, Any]:
    """Return all arguments by name in the operator's order, those left out as they are by default.

    Raises:
        UnsupportedError: the operator had other arguments where its declarations were observed.
    """
    given: dict[str, Any] = {}
    for position, argument in enumerate(call.arguments):
        name = argument.name
        if name is None and position < signature.positions:
            name = signature.names[position]
        if name is None and signature.rest:
            given.setdefault(signature.rest, []).append(argument.value)
            continue
        if name is None or name not in signature.names or name in given:
            raise UnsupportedError(f"its argument {name or position} is none that we know")
        given[name] = argument.value
    for name in signature.names:
        if name not in given and name not in signature.defaults:
            raise UnsupportedError(f"it lacks the argument {name}")
    return {
        name: given[name] if name in given else signature.defaults[name] for name in signature.names
    }


def solve(pattern: Pattern, solution: Solution) -> DeclaredCall:
    """Return a call as that of one declaration, whose `solution` holds what the call is given.

    Raises:
        UnsupportedError: the declaration cannot say an argument.
        UsageError: it refuses the inputs.
    """
    kind = find_operator(pattern.declaration)
    solution.solve(pattern)
    usual = kind.defaults("small")
    left_out = [name for name in kind.tensors if name not in solution.found]
    if left_out:
        raise UnsupportedError(f"the call does not say the shape of {', '.join(left_out)}")
    inputs = {
        name: solution.found.get(name, value)
        for name, value in usual.items()
        if name not in ("initializer", "run_backward")
    }
    if kind.differentiable:
        inputs["run_backward"] = pattern.direction in GRADIENTS
    found = DeclaredCall(
        declaration=kind.name(),
        direction=pattern.direction,
        inputs=inputs,
        places=solution.places,
        dense=tuple(solution.dense),
    )
    require_as_given(found)
    return found


def require_as_given(found: DeclaredCall) -> None:
    """Refuse inputs that the declaration understands otherwise than they were given."""
    for name, value in found.inputs.items():
        if found.operator.inputs[name] != value:
            raise UnsupportedError(f"{name} is {value}, taken for {found.operator.inputs[name]}")
