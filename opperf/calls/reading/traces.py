"""Traces of PyTorch's profiler, recorded with shapes, as the calls that it dispatched.

An operator of ATen runs others in turn. Counted is what PyTorch's dispatcher hands on beneath
autograd: the outermost operator that is not composite, of those that run beneath each other.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import Raw, Struct
from msgspec.structs import replace

from opperf.calls.format.content import check_count
from opperf.calls.format.file import decode_json, identity
from opperf.calls.format.model import CallRecord, CallsRecord, Phase, PlaceRecord
from opperf.calls.reading.inputs import TENSOR_TYPES, Inputs, arguments_of, fitting
from opperf.core.errors import UsageError, quote
from opperf.core.results.parts import LARGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.core.frameworks.calling import Overload

    Ask = Callable[[Sequence[str]], Mapping[str, Sequence[Overload]]]
    Overloads = Mapping[str, Sequence[Overload]]

PREFIX = "aten::"
BACKWARD = "autograd::engine::evaluate_function"
OF_PYTORCH = (PREFIX, "autograd::", "torch::", "profiler::")
STEP = "ProfilerStep#"
USUAL = "float32"
"""The element type of tensors in lists, of which a trace tells none, where it has no others."""
MOST_SAID = 10


class TraceEvent(Struct, frozen=True, gc=False):
    """An event of a trace: a complete one (`ph` X) lasts `dur` microseconds from `ts` on."""

    ph: Any = None
    cat: Any = None
    name: Any = None
    pid: Any = None
    tid: Any = None
    ts: Any = None
    dur: Any = None
    args: Raw = Raw(b"{}")


class ProfilerTrace(Struct):
    """What is read of a trace."""

    traceEvents: list[TraceEvent]  # noqa: N815 - as the profiler writes it


@dataclass
class Frame:
    """An operator that runs while others begin: until when, and what that means for those."""

    end: float
    backward: bool = False
    covers: bool = False


@dataclass(frozen=True)
class Dispatched:
    """An operator that was dispatched."""

    overload: Overload
    inputs: Inputs
    phase: Phase


def parse_trace(data: bytes, network: str, ask: Ask, tell: Callable[[str], None]) -> CallsRecord:
    """Return the calls of a trace's last step, of all of it where it marks none.

    Args:
        data: the trace.
        network: what its network is called.
        ask: returns the overloads of operators as the PyTorch here has them.
        tell: gets a line about each operator that was left out, or taken in part as its default.

    Raises:
        UsageError: It is no trace, was recorded without shapes, or holds no call.
    """
    events: list[TraceEvent] = decode_json(data, ProfilerTrace).traceEvents
    operators = [*operators_of(events)]
    names = sorted({event.name.removeprefix(PREFIX) for event in operators if is_aten(event)})
    if not names:
        raise UsageError("it has no operators of ATen on the CPU's side")
    if not any(b"Input Dims" in bytes(event.args) for event in operators):
        raise UsageError("it was recorded without shapes; record it with record_shapes=True")
    left_out: Counter[str] = Counter()
    found = [*dispatched(operators, ask(names), left_out)]
    calls = count_calls(found, left_out)
    reasons = [f"{count} of {reason}" for reason, count in left_out.most_common()]
    if not calls:
        raise UsageError(f"none of its operators could be taken for a call; {reasons[0]}")
    for reason in reasons[:MOST_SAID]:
        tell(reason)
    if len(reasons) > MOST_SAID:
        tell(f"{len(reasons) - MOST_SAID} further reasons")
    phases = {place.phase for call in calls for place in call.places}
    return CallsRecord(
        network=network,
        framework="pytorch",
        mode="training" if "backward" in phases else None,
        source="a trace of PyTorch's profiler",
        device="cuda" if any(event.cat == "kernel" for event in events) else "cpu",
        calls=calls,
    )


def is_aten(event: TraceEvent) -> bool:
    """Return whether an event is an operator of ATen."""
    return bool(event.name.startswith(PREFIX))


def is_foreign(event: TraceEvent) -> bool:
    """Return whether an event is an operator of another library, such as torchvision::nms."""
    return "::" in event.name and not event.name.startswith(OF_PYTORCH)


def operators_of(events: Sequence[TraceEvent]) -> Iterator[TraceEvent]:
    """Yield the operators of the last step thread by thread, those that run others before them."""
    named = [(number, event) for number, event in enumerate(events, 1) if is_complete(event)]
    for number, event in named:
        check_time(number, event)
    steps = [e for _, e in named if e.cat == "user_annotation" and e.name.startswith(STEP)]
    last = max(steps, key=lambda step: step.ts, default=None)
    operators = [
        event
        for _, event in named
        if event.cat == "cpu_op" and (last is None or last.ts <= event.ts < last.ts + last.dur)
    ]
    yield from sorted(operators, key=lambda e: (str(e.pid), str(e.tid), e.ts, -e.dur))


def is_complete(event: TraceEvent) -> bool:
    """Return whether an event is an operator, or marks a step."""
    wanted = event.cat in {"cpu_op", "user_annotation"} if isinstance(event.cat, str) else False
    return event.ph == "X" and wanted and isinstance(event.name, str)


def check_time(number: int, event: TraceEvent) -> None:
    """Refuse an event of which nobody knows when it was."""
    for name, value in (("ts", event.ts), ("dur", event.dur)):
        if type(value) not in {int, float} or not 0 <= value <= LARGEST:
            of = f"event {number} ({quote(event.name)[1:-1]})"
            raise UsageError(f"{of}: {name!r} must be microseconds, not {quote(value)}")


def dispatched(
    operators: Sequence[TraceEvent], overloads: Overloads, left_out: Counter[str]
) -> Iterator[Dispatched]:
    """Yield the operators that no other one runs but composite ones."""
    stack: list[Frame] = []
    thread = None
    for event in operators:
        if thread != (event.pid, event.tid):
            stack, thread = [], (event.pid, event.tid)
        while stack and stack[-1].end <= event.ts:
            stack.pop()
        above = stack[-1] if stack else Frame(0)
        backward = above.backward or event.name.startswith(BACKWARD)
        frame = Frame(event.ts + event.dur, backward, above.covers)
        stack.append(frame)
        if above.covers or not (is_aten(event) or is_foreign(event)):
            continue
        found = resolved(event, overloads) if is_aten(event) else "it is no operator of ATen"
        if isinstance(found, str):
            left_out[f"{event.name} left out: {found}"] += 1
        frame.covers = found is not None
        if isinstance(found, tuple):
            yield Dispatched(*found, "backward" if backward else "forward")


def resolved(event: TraceEvent, overloads: Overloads) -> tuple[Overload, Inputs] | str | None:
    """Return what was called with which inputs, why nobody knows, or None for a composite one."""
    choice = overloads.get(event.name.removeprefix(PREFIX), ())
    if choice and all(overload.composite for overload in choice):
        return None
    try:
        inputs: Inputs = decode_json(bytes(event.args), Inputs)
        if not inputs.is_complete():
            return "its inputs were not recorded"
        overload = fitting(choice, inputs)
    except UsageError as error:
        return str(error)
    if overload is None:
        return "no overload of this PyTorch takes its inputs"
    return None if overload.composite else (overload, inputs)


def count_calls(found: Sequence[Dispatched], left_out: Counter[str]) -> tuple[CallRecord, ...]:
    """Return the distinct calls with their counts by phase; say what had to be left out."""
    element = usual_element(found)
    calls: dict[bytes, CallRecord] = {}
    phases: dict[bytes, Counter[Phase]] = {}
    for one in found:
        try:
            arguments, assumed = arguments_of(one.overload, one.inputs, element)
        except UsageError as error:
            left_out[f"{one.overload.name} left out: {error}"] += 1
            continue
        for each in assumed:
            left_out[f"{one.overload.name} taken with {each}, which the trace does not say"] += 1
        call = CallRecord(operator=one.overload.name, arguments=arguments, count=1)
        key = identity(call)
        calls.setdefault(key, call)
        phases.setdefault(key, Counter())[one.phase] += 1
        check_count(len(calls))
    return tuple(with_count(call, phases[key]) for key, call in calls.items())


def usual_element(found: Sequence[Dispatched]) -> str:
    """Return the most frequent element type of floating point."""
    kinds = (TENSOR_TYPES.get(kind, "") for one in found for kind in one.inputs.types)
    floats = Counter(kind for kind in kinds if "float" in kind)
    return floats.most_common(1)[0][0] if floats else USUAL


def with_count(call: CallRecord, phases: Counter[Phase]) -> CallRecord:
    """Return a call with how often it is made in each phase."""
    places = tuple(
        PlaceRecord(module="", phase=phase, count=count) for phase, count in phases.items()
    )
    return replace(call, count=phases.total(), places=places)
