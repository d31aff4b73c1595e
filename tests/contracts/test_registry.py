"""What every declaration states, and what every framework's table names."""

from __future__ import annotations

from collections import Counter
from inspect import getdoc, signature
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.checking.expectation import Expectation
from opperf.core.frameworks.implementation import BoundCall, Fusable, resolve
from opperf.core.frameworks.registry import find_framework
from opperf.core.tensors.tensor import DTYPES, FLOATS, Tensor
from opperf.declaring.declaration import SIZES
from opperf.declaring.description import plain_inputs
from opperf.declaring.registry import operators

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.implementation import Implementation
    from opperf.declaring.declaration import Declaration

CATEGORIES = (
    "arithmetic comparison logical exponential power trigonometric rounding special activation "
    "softmax reduction scan normalization gemm linalg convolution pooling resize detection "
    "recurrent attention embedding loss optimizer indexing shape join_split expand sorting random "
    "creation cast fft sparse quantization sequence image graph probe fused collective"
)


def test_every_operator_is_described(kind: type[Declaration]) -> None:
    """A docstring of its own says what it computes, and its category is one of the known ones."""
    assert kind.__doc__ is not None
    assert kind.__doc__.strip().splitlines()[0].endswith(".")
    assert kind.category in CATEGORIES.split()
    assert kind.name().isidentifier()
    assert getdoc(kind) != getdoc(kind.__mro__[1])


def test_every_operator_has_every_size(kind: type[Declaration]) -> None:
    """All four sizes can be declared without anything being allocated, and differ."""
    shown = []
    for size in SIZES:
        operator = kind(size=size)
        assert operator.size == size
        assert all(min(shape, default=1) >= 1 for shape in operator.outputs())
        shown.append(str(plain_inputs(operator)))
    assert set(kind.sizes) == set(SIZES)
    assert len(set(shown)) == len(SIZES)


@pytest.mark.parametrize("size", SIZES)
def test_counts_are_whole_and_grow_with_the_dtype(kind: type[Declaration], size: str) -> None:
    """FLOP and bytes are whole numbers of Python's; only what returns a view moves no bytes."""
    operator = kind(size=size)
    flop_count, byte_count = operator.flop_count(), operator.byte_count()
    assert type(flop_count) is type(byte_count) is int
    assert flop_count >= 0
    assert byte_count > 0 or kind.category == "shape"
    assert operator.memory_needed() > 0
    for counted in operator.counts().values():
        assert all(count is None or type(count) is int for count in counted)
    wider = kind(inputs={"dtype": "float64"}, size=size)
    assert wider.flop_count() == flop_count
    assert wider.byte_count() >= byte_count


def test_tensors_attributes_and_dtypes_are_well_formed(kind: type[Declaration]) -> None:
    """Ranges are not empty, names do not collide, and what is in place has no gradient."""
    reserved = {"initializer", "run_backward", "dtype"}
    assert not reserved & {*kind.tensors, *kind.attributes}
    assert not set(kind.tensors) & set(kind.attributes)
    assert kind.dtypes
    assert set(kind.dtypes) <= set(DTYPES)
    for tensor in kind(size="small").domains().values():
        assert isinstance(tensor, Tensor)
        assert tensor.low < tensor.high
    mutated = [name for name, tensor in kind.tensors.items() if tensor.mutated]
    assert not (mutated and kind.differentiable)


def test_a_differentiable_operator_has_something_to_differentiate(kind: type[Declaration]) -> None:
    """By at least one input, of at least one output, in at least one floating-point dtype."""
    if not kind.differentiable:
        assert kind.gradient is None
        return
    assert any(tensor.differentiable for tensor in kind.tensors.values())
    assert max(kind.differentiable_outputs) < len(kind(size="small").outputs())
    assert set(kind.dtypes) & set(FLOATS)


def test_references_take_what_is_declared(kind: type[Declaration]) -> None:
    """Each tensor by position, each attribute by name."""
    operator = kind(size="small")
    for function in filter(None, (kind.reference, kind.training_reference)):
        if has_signature(function):
            signature(function).bind(*operator.tensors, **operator.keywords)
        else:
            outputs = operator.evaluate(Expectation(operator, seed=0).exact)
            assert len(outputs) == len(operator.outputs())


def has_signature(function: Callable[..., Any]) -> bool:
    """Return whether Python knows the parameters: of what NumPy has in C it does not."""
    try:
        return bool(signature(function))
    except ValueError:
        return False


def entries(framework: Framework) -> Iterator[tuple[type[Declaration], Implementation]]:
    """Yield every operator of a framework's table with each of its implementations."""
    for kind, entry in framework.table.items():
        for part in entry.implementations():
            yield kind, part


def test_every_entry_resolves_to_a_callable(measured: Framework) -> None:
    """Every dotted name exists in the installed version; the last part can be called."""
    for kind, entry in entries(measured):
        for name in entry.name.split(" + "):
            found = resolve(name)
            assert callable(found) or entry.build is not None, (kind, name)


def test_no_two_operators_are_the_same_call(measured: Framework) -> None:
    """The same callable with the same attributes would be one operator under two names."""
    seen: Counter[Any] = Counter()
    for kind, entry in entries(measured):
        calls = tuple(id(resolve(name)) for name in entry.name.split(" + "))
        operator = kind(size="small")
        attributes = sorted(map(str, operator.keywords.items()))
        fixed = tuple(sorted(map(str, entry.fixed.items())))
        layouts = [tensor.layout for tensor in operator.tensors.values()]
        inputs = (operator.shapes, attributes, layouts)
        seen[calls, entry.build, fixed, str(inputs)] += 1
    assert [key for key, count in seen.items() if count > 1] == []


def test_tables_and_operators_know_each_other(measured: Framework) -> None:
    """Every entry is for a declared operator, and its kind of entry is the declared one."""
    declared = set(operators().values())
    for kind, entry in measured.table.items():
        assert kind in declared
        assert isinstance(entry, Fusable) == kind.fusable, kind


def test_every_operator_is_somewhere(kind: type[Declaration]) -> None:
    """Each framework computes it or has a limitation without conditions; one of them does."""
    found = []
    for name in ("mxnet", "pytorch"):
        implemented = find_framework(name).implementation(kind, variant="only") is not None
        gaps = find_framework(name).limitations(kind)
        whole = [gap for gap in gaps if not (gap.dtypes or gap.variant or gap.beyond)]
        assert implemented or whole, f"{name} neither has {kind.name()} nor says why not"
        found.append(implemented)
    assert any(found)


def test_steps_are_callables_of_their_own(measured: Framework) -> None:
    """Binding gives a step without arguments: nothing is converted while it is timed."""
    native = [entry for _, entry in entries(measured) if entry.build is None]
    assert native
    for entry in native:
        bound = entry.bind((), {})
        assert isinstance(bound, BoundCall)
        assert callable(bound.step)
