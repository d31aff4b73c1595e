"""Bounds of what a user may give, checked by arithmetic before anything is built.

Everything that is given passes here once, on its way into a declaration: `within_bounds` guards the
declaration's own arithmetic, `require_outputs` what comes out of it.
"""

from __future__ import annotations

from contextlib import contextmanager
from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.tensors.tensor import Shape

MOST_DIMENSIONS = 32
"""What NumPy 1 and MXNet allow; PyTorch allows 64."""
MOST_ELEMENTS = 2**62
"""Elements of one tensor: with 8 bytes each, more than an address has bits for."""
MOST_OUTPUTS = 2**16
"""Outputs of one operator: each is a tensor of its own in every call."""
LARGEST_WHOLE = 2**63 - 1
"""The largest whole number that a framework takes."""
ARITHMETIC = (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
"""What a declaration raises on values that it was not written for."""


def require_shape(label: str, shape: Sequence[int], least: int = 1) -> None:
    """Refuse a shape that no framework can hold; `label` opens the error."""
    if len(shape) > MOST_DIMENSIONS:
        raise UsageError(
            f"{label}: has {len(shape)} dimensions; give {MOST_DIMENSIONS} at the most"
        )
    if any(size < least for size in shape):
        raise UsageError(f"{label}: every dimension must be at least {least}")
    if prod(shape) > MOST_ELEMENTS:
        raise UsageError(f"{label}: has more than 2**62 elements; make it smaller")


def require_outputs(label: str, outputs: Sequence[Shape]) -> None:
    """Refuse inputs from which more would come out than a framework can hold."""
    if len(outputs) > MOST_OUTPUTS:
        raise UsageError(f"{label}: asks for {len(outputs)} outputs; at most {MOST_OUTPUTS}")
    for shape in outputs:
        require_shape(f"{label}: the output of shape {quote(shape)}", shape, least=0)


def require_facts(declaration: Any) -> None:
    """Ask a declaration all that planning and describing ask, so that what fails, fails here."""
    declaration.memory_needed()
    declaration.flop_count()
    declaration.byte_count()
    declaration.domains()
    declaration.parts()


def label_of(operator: str, inputs: Mapping[str, object], defaults: Mapping[str, object]) -> str:
    """Return what opens an error about several inputs: the operator and what it was given."""
    return f"{operator}: {inputs_text(unusual(inputs, defaults))}"


def unusual(inputs: Mapping[str, object], defaults: Mapping[str, object]) -> dict[str, object]:
    """Return what is given and is not the default; a plan gives the dtype in any case."""
    return {
        name: value for name, value in inputs.items() if quote(value) != quote(defaults.get(name))
    }


def inputs_text(inputs: Mapping[str, object]) -> str:
    """Return inputs as text: "lhs=(2, 3), axis=1"."""
    return ", ".join(f"{name}={quote(value)}" for name, value in inputs.items())


@contextmanager
def within_bounds(
    operator: str, inputs: Mapping[str, object], defaults: Mapping[str, object]
) -> Iterator[None]:
    """Make an error of a declaration's arithmetic on given inputs one that names them.

    Nothing was given where the declaration itself is at fault; its error then stays what it is.

    Raises:
        UsageError: the arithmetic overflows, divides by zero, lacks a dimension, ...
    """
    try:
        yield
    except UsageError:
        raise
    except ARITHMETIC as error:
        if not unusual(inputs, defaults):
            raise
        usual = {name: defaults[name] for name in unusual(inputs, defaults) if name in defaults}
        raise UsageError(
            f"{label_of(operator, inputs, defaults)}: nothing can be computed with that "
            f"({type(error).__name__}: {error}); give values nearer to the defaults, "
            f"{inputs_text(usual)}"
        ) from error
