"""Rules of older inputs: each puts one, checked, into the inputs in today's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias, cast

from numpy import array_equal

from opperf.core.errors import UsageError, quote
from opperf.core.tensors.inputs import as_number, as_shape

Inputs: TypeAlias = dict[str, Any]

EXACT = 2**53
"""Up to where every whole number has a float64 of its own."""


@dataclass(frozen=True)
class Older:
    """An input as the older package called it: its operator, name and value.

    `usual` are the operator's inputs where none is given.
    """

    operator: str
    name: str
    value: Any
    usual: Mapping[str, Any]

    @property
    def label(self) -> str:
        """What opens an error."""
        return f"{self.operator}: {self.name}={quote(self.value)}"

    def refused(self, rule: str) -> UsageError:
        """Return the error that says what to do in its place."""
        return UsageError(f"{self.label}: {rule}")

    def put(self, inputs: Inputs, name: str, value: Any) -> None:
        """Put a value into the inputs, unless it contradicts what is given in today's word."""
        if name != self.name and not array_equal(inputs.setdefault(name, value), value):
            raise self.refused(f"{name}={quote(inputs[name])} is given as well; give one of them")
        inputs[name] = value

    def shape(self, rank: int) -> tuple[int, ...]:
        """Return the value as a shape; one number stands for as many equal ones."""
        found = as_shape(self.label, self.value)
        return found if isinstance(self.value, (tuple, list)) else found * rank


Rule: TypeAlias = Callable[[Older, Inputs], None]


def renamed(*names: str) -> Rule:
    """Return the rule of an input that has another name today, or several."""

    def rule(older: Older, inputs: Inputs) -> None:
        for name in names:
            older.put(inputs, name, older.value)

    return rule


def always(*values: Any, instead: str = "leave it out") -> Rule:
    """Return the rule of an input that has one value today, in any of these spellings."""

    def rule(older: Older, inputs: Inputs) -> None:
        del inputs
        if not any(array_equal(older.value, value) for value in values):
            raise older.refused(f"must be {quote(values[0])} for {older.operator}; {instead}")

    return rule


def same_along_axes(name: str) -> Rule:
    """Return the rule of a number an axis, of which there is one for all axes today."""

    def rule(older: Older, inputs: Inputs) -> None:
        value = older.value
        if value is None and "kernel" in older.usual:  # as far apart as the windows are wide
            value = inputs.get("kernel", older.usual["kernel"])
        numbers = [*value] if isinstance(value, (tuple, list)) else [value]
        if not numbers or not all(array_equal(number, numbers[0]) for number in numbers):
            raise older.refused(f"must be the same along all axes; give {name}, one number")
        older.put(inputs, name, numbers[0])

    return rule


def units(name: str, gates: int = 1) -> Rule:
    """Return the rule of a number of units: `name` has one element, or several gates, for each."""

    def rule(older: Older, inputs: Inputs) -> None:
        number = cast("int", as_number(older.label, older.value, int))
        older.put(inputs, name, as_shape(older.label, gates * number))

    return rule


def window(older: Older, inputs: Inputs) -> None:
    """Make the size of a pooling's window its kernel."""
    older.put(inputs, "kernel", older.shape(len(older.usual["kernel"])))


def filters(*, transposed: bool) -> Rule:
    """Return the rule of the size of a convolution's filters; `channels` come before it."""

    def rule(older: Older, inputs: Inputs) -> None:
        data, made = (
            as_shape(f"{older.operator}: {name}={quote(value)}", value)
            for name, value in {**older.usual, **inputs}.items()
            if name in {"data", "bias"}
        )
        channels = (*data[1:2], *made) if transposed else (*made, *data[1:2])
        older.put(inputs, "weight", (*channels, *older.shape(len(older.usual["data"]) - 2)))

    return rule


def flattened(older: Older, inputs: Inputs) -> None:
    """Make what follows the first dimension one, as a dense layer did before its product."""
    if not isinstance(older.value, bool):
        raise older.refused("must be True or False")
    if older.value and "data" in inputs:
        data = as_shape(f"{older.operator}: data={quote(inputs['data'])}", inputs["data"])
        inputs["data"] = (*data[:1], prod(data[1:]))


def whole(older: Older, inputs: Inputs) -> None:
    """Make a whole number of what is one, such as 1.0."""
    is_whole = isinstance(older.value, float) and older.value.is_integer()
    is_whole = is_whole and abs(older.value) <= EXACT
    inputs[older.name] = int(older.value) if is_whole else older.value


def filling(older: Older, inputs: Inputs) -> None:
    """Let the initializer of one tensor be that of all."""
    value = initializer(older.value)
    if not array_equal(inputs.setdefault("initializer", value), value):
        raise older.refused("one initializer fills all tensors; give initializer")


FRAMEWORKS = ("mxnet", "ndarray", "torch")
"""The packages whose functions are not called; what MXNet generates says "ndarray"."""

DISTRIBUTIONS = {
    "normal": "normal", "random_normal": "normal", "randn": "normal",
    "uniform": "uniform", "random_uniform": "uniform", "rand": "uniform",
}  # fmt: skip
"""What a framework calls the distributions that are here by name."""


def initializer(value: Any) -> Any:
    """Return the name of the distribution that a framework's function draws from.

    Any other value is handed back, for it is checked with all others.

    Raises:
        UsageError: a framework's function draws from another distribution.
    """
    module = str(getattr(value, "__module__", None) or "")
    if not callable(value) or module.partition(".")[0] not in FRAMEWORKS:
        return value
    name = str(getattr(value, "__name__", type(value).__name__)).strip("_")
    if name not in DISTRIBUTIONS:
        raise UsageError(
            f"initializer: {module}.{name} is not known here; give 'normal', 'uniform', or a "
            "function of a NumPy generator, a shape and the least and the largest value"
        )
    return DISTRIBUTIONS[name]
