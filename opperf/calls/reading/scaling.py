"""The calls of a network as they are with another batch, where the file says what that changes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from opperf.calls.format.file import identity, name_of
from opperf.calls.format.model import (
    LARGEST_INTEGER,
    LEAST_INTEGER,
    MOST_ELEMENTS,
    CallRecord,
    GrowthRecord,
    PlaceRecord,
    TensorRecord,
)
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.calls.format.faults import CallFaults
    from opperf.calls.format.model import ArgumentRecord, CallsRecord

MISFIT = "per_example is not as its arguments are"
REMEDY = "opperf profile finds it out of a network that can be made with another batch"


def with_batch(record: CallsRecord, batch: int, faults: CallFaults) -> CallsRecord:
    """Return the calls as with so many examples; those of which nobody knows that are left out.

    What was measured of the whole network is left out as well, for it was another batch's.

    Raises:
        UsageError: the batch is not known of any call.
    """
    if record.batch == batch:
        return record
    if record.batch is None:
        raise UsageError(f"--batch {batch}: the file does not say its own batch; {REMEDY}")
    if all(call.per_example is None for call in record.calls):
        raise UsageError(f"--batch {batch}: batch axis unknown of each call; {REMEDY}")
    calls = [*scaled_calls(record, batch - record.batch, faults)]
    if not calls:
        faults.refuse_all()
    return replace(record, batch=batch, measured={}, calls=tuple(merged(calls)))


def scaled_calls(record: CallsRecord, more: int, faults: CallFaults) -> Iterator[CallRecord]:
    """Yield each call with so many examples more."""
    for number, call in enumerate(record.calls, 1):
        with faults.noted():
            try:
                yield scaled_call(call, more)
            except ValueError as error:
                raise UsageError(f"{name_of(number, call.operator)}: {error}") from None


def scaled_call(call: CallRecord, more: int) -> CallRecord:
    """Return a call with so many examples more.

    Raises:
        ValueError: nobody knows what that is.
    """
    if call.per_example is None:
        raise ValueError("batch axis unknown; opperf profile with another --batch may find it")
    if not call.per_example:
        return call
    pairs = zip(call.arguments, call.per_example, strict=True)
    return replace(call, arguments=tuple(scaled_argument(*pair, more) for pair in pairs))


def scaled_argument(argument: ArgumentRecord, growth: Any, more: int) -> ArgumentRecord:
    """Return an argument with so many examples more."""
    return replace(argument, value=scaled_value(argument.value, growth, more))


def scaled_value(value: Any, growth: Any, more: int) -> Any:
    """Return a value that grows by so much an example."""
    if growth is None:
        return value
    if isinstance(growth, GrowthRecord) and isinstance(value, TensorRecord):
        return scaled_tensor(value, growth, more)
    if isinstance(growth, tuple) and isinstance(value, tuple) and len(growth) == len(value):
        return tuple(scaled_value(*pair, more) for pair in zip(value, growth, strict=True))
    if type(growth) is int and type(value) is int:
        found = value + growth * more
        if not LEAST_INTEGER <= found <= LARGEST_INTEGER:
            raise ValueError(f"an integer of {found} with this batch")
        return found
    raise ValueError(MISFIT)


def scaled_tensor(tensor: TensorRecord, growth: GrowthRecord, more: int) -> TensorRecord:
    """Return a tensor of other sizes."""
    values = tensor.values
    if values is not None and growth.below:
        (below,) = sizes((values.below or 0,), (growth.below,), more)
        values = replace(values, below=below)
    strides = tensor.strides
    if growth.strides is not None:
        strides = sizes(strides or (), growth.strides, more)
    shape = sizes(tensor.shape, growth.shape, more)
    return replace(tensor, shape=shape, strides=strides, values=values)


def sizes(values: tuple[int, ...], growth: tuple[int, ...], more: int) -> tuple[int, ...]:
    """Return sizes that grow by so much an example."""
    if len(values) != len(growth):
        raise ValueError(MISFIT)
    found = tuple(value + each * more for value, each in zip(values, growth, strict=True))
    if any(not 0 <= each <= MOST_ELEMENTS for each in found):
        raise ValueError(f"a size of {min(found)} with this batch")
    return found


def merged(calls: list[CallRecord]) -> Iterator[CallRecord]:
    """Yield distinct calls: two may be the same with another batch."""
    alike: dict[bytes, list[CallRecord]] = {}
    for call in calls:
        alike.setdefault(identity(call), []).append(call)
    for same in alike.values():
        yield same[0] if len(same) == 1 else added(same)


def added(calls: list[CallRecord]) -> CallRecord:
    """Return the one call that some are, with the sum of their counts."""
    places: Counter[tuple[str, Any]] = Counter()
    for call in calls:
        for place in call.places:
            places[place.module, place.phase] += place.count
    return replace(
        calls[0],
        count=sum(call.count for call in calls),
        places=tuple(
            PlaceRecord(module=module, phase=phase, count=count)
            for (module, phase), count in places.items()
        ),
        per_example=None,
    )
