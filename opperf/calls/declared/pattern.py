"""What a declaration's call looks like: an argument after the other, in terms of its inputs.

`Conv2D(data, weight, bias, [stride, stride], [padding, padding], [1, 1], False, [0, 0], 1)` has the
form of a call in Python, is parsed as one, and is never executed. Its words:

* a tensor's or an attribute's name stands for itself; `weight[1, 0]` for the tensor with its axes
  in this order, `weight.shape[1]` for a size of it, `weight.shape` for all of them
* `dtype` for the element type, `_` for a tensor that is none of the inputs (a gradient, or what a
  forward has kept), `...` for what says nothing of the work, as a device
* `mask != 0` for the truth values that a framework makes of an input beforehand
* `not adjoint`, `1 - momentum` for what a framework counts the other way round
* behind the arguments, an input that is none of them: `weight=[num_weights, grad_output.shape[1]]`
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

ANY_TENSOR = "_"


@dataclass(frozen=True)
class Pattern:
    """A declaration's call of an operator, in a direction: its arguments in the operator's order.

    `shapes` say what inputs are that no argument is, in terms of the arguments.
    """

    declaration: str
    direction: str
    arguments: tuple[ast.expr, ...]
    shapes: Mapping[str, ast.expr]


@dataclass(frozen=True)
class Signature:
    """The names of an operator's arguments, the first of which may stand by position.

    `rest` is the list of those that stand by position behind them, where there may be any.
    """

    names: tuple[str, ...]
    positions: int
    rest: str | None
    defaults: Mapping[str, Any]


@cache
def parse_pattern(text: str, direction: str) -> Pattern:
    """Return what stands for a declaration's call."""
    call: Any = ast.parse(text, mode="eval").body
    shapes = {str(each.arg): each.value for each in call.keywords}
    return Pattern(call.func.id, direction, tuple(call.args), shapes)


@cache
def parse_signature(text: str) -> Signature:
    """Return what "self, other, *, alpha=1" says."""
    function: Any = ast.parse(f"lambda {text}: 0", mode="eval").body
    given = function.args
    positional, named = [each.arg for each in given.args], [each.arg for each in given.kwonlyargs]
    behind = positional[len(positional) - len(given.defaults) :]
    pairs = [*zip(behind, given.defaults, strict=True)]
    pairs += [pair for pair in zip(named, given.kw_defaults, strict=True) if pair[1] is not None]
    defaults = {name: ast.literal_eval(value) for name, value in pairs}
    rest = given.vararg and given.vararg.arg
    names = (*positional, *([rest] if rest else []), *named)
    return Signature(names, len(positional), rest, defaults)
