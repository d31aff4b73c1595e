"""The parts of a record, each stated once: its fields, their types and their bounds.

Validator, JSON Schema and the store's decoder are derived from these classes. What a type or a
bound says is held against every record that is read; `written(...)` is a promise about what this
version writes, for the schema only. A field with a default may be missing in a record, as those
that came later are in older ones.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from opperf.core.results.circumstances import unusual
from opperf.core.results.status import STATUSES

LARGEST = 1e300
"""Of a number: sums and ratios of some of them are still finite."""


def written(description: str | None = None, **schema: Any) -> Meta:
    """Return schema metadata of a field beside its type."""
    return Meta(description=description, extra_json_schema=schema or None)


Number = Annotated[float, Meta(ge=-LARGEST, le=LARGEST)]
MOST = 2**63 - 1
Whole = Annotated[int, Meta(ge=-MOST, le=MOST)]
Positive = Annotated[int, Meta(ge=1, le=MOST)]
"""A count of at least one."""
Bytes = Annotated[int, Meta(le=MOST), written(minimum=0)]
Count = Annotated[int, written(minimum=0)]
"""Of a calculation that may be too large for any machine."""
Share = Annotated[Number, written(minimum=0, maximum=1)]
Spread = Annotated[Number, written(minimum=0)]
Key = Annotated[str, written(pattern="^[0-9a-f]{16}$")]
Status = Annotated[str, written(enum=[*STATUSES])]
StopReason = Annotated[str, written(enum=["precision", "budget", "runs"])]


def plain(value: object) -> object:
    """Return the value of a field as JSON has it; what is no part stays as it is."""
    if isinstance(value, tuple):
        return [plain(item) for item in value] if value and isinstance(value[0], Part) else [*value]
    return value.to_mapping() if isinstance(value, Part) else value


class Part(Struct, frozen=True, kw_only=True, gc=False):
    """A part of a record; it refers to nothing that could refer back to it."""

    def keys(self) -> list[str]:
        """Return the names of the fields: parts were mappings, and scripts of users read keys."""
        return [name for name in self.__struct_fields__ if getattr(self, name) is not UNSET]

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def to_mapping(self) -> dict[str, Any]:
        """Return it as a JSON object; a field that is not set is left out."""
        return {name: plain(getattr(self, name)) for name in self.keys()}


class OperatorRecord(Part, frozen=True, kw_only=True):
    """What was run: the operator, on which framework, in which direction, and how."""

    name: str
    category: str
    framework: str
    implementation: Annotated[
        str | None,
        written("the framework's callable by its dotted name; null where there is none"),
    ] = None
    direction: Annotated[
        str, written(enum=["forward", "forward_recorded", "backward", "forward_backward"])
    ]
    size: Annotated[str | None, written("null where the inputs are none of the declared sizes")]
    fused: bool | None
    device: str
    threads: Annotated[Whole | None, written(type="integer", minimum=1)] = None
    cache: Annotated[
        str | None, written("null of what is no call of an operator", enum=["hot", "cold", None])
    ] = None
    process: Annotated[
        str | None,
        written("how the measuring process was set up", enum=["laid_out", "plain", None]),
    ] = None
    cores: Annotated[
        Whole | None, written("the cores that the process was kept to by request, else null")
    ] = None
    mode: Annotated[str | None, written(enum=["inference", "training"])] = None
    backward_method: Annotated[
        str | None, written("how the backward was reached; null for a forward")
    ] = None
    companion: Annotated[
        bool | UnsetType | None,
        written("present where it was measured for a fused operator's sake, unasked"),
    ] = UNSET
    declaration: Annotated[
        str | UnsetType | None,
        written("present where a network's call is just what this declared operator is"),
    ] = UNSET

    @property
    def unusual(self) -> dict[str, Any]:
        """Those of the circumstances that are not as usual."""
        return unusual({"process": self.process, "cores": self.cores})


class InputRecord(Part, frozen=True, kw_only=True):
    """A tensor that the operator was given."""

    name: str
    shape: tuple[Whole, ...]
    dtype: str
    layout: str | None = None
    nbytes: Bytes | None = None


class WarningRecord(Part, frozen=True, kw_only=True):
    """Why a time may not be what it seems."""

    code: str
    message: str


class SamplesRecord(Part, frozen=True, kw_only=True):
    """Raw, in time order: seconds of whole samples, each of so many iterations."""

    seconds: tuple[Number, ...]
    iterations: Positive
    first_call: Number
    null: Annotated[
        Number, written("the loop overhead in seconds per iteration, taken off in the summary")
    ]
    method: Annotated[str | None, written(enum=["interval", "slope"])] = None
    stop_reason: StopReason | None = None
    steady: bool | None = None
    left_out: Annotated[
        tuple[Whole, ...] | None,
        written("positions of those that something else disturbed, not in the summary"),
    ] = None


class SummaryRecord(Part, frozen=True, kw_only=True):
    """Seconds per iteration, net of the loop overhead, within this process."""

    n: Positive
    n_eff: Number | None = None
    minimum: Number | None = None
    median: Number
    mean: Number | None = None
    mad: Spread | None = None
    iqr: Spread | None = None
    p5: Number | None = None
    p90: Number | None = None
    p99: Number | None = None
    interval: Annotated[
        tuple[Number, Number] | None,
        written("of the median, at 95 %; null where there are too few samples"),
    ]
    precision: Annotated[Number | None, written("half the interval over the median, as a fraction")]
    outlier_share: Share | None = None
    bimodal: bool | None = None
    drift: Number | None = None
    stop_reason: StopReason | None = None
    warnings: tuple[WarningRecord, ...]


class RoofRecord(Part, frozen=True, kw_only=True):
    """What bounds the operator on this machine, as measured."""

    bound: Annotated[str, written(enum=["flop", "bytes"])]
    rate: Annotated[Number, written("FLOP/s or B/s", exclusiveMinimum=0)]


class MemoryRecord(Part, frozen=True, kw_only=True):
    """Bytes of one call; null where they are not known."""

    outputs: Annotated[
        Bytes | None, written("where its results lie; as declared where no call was looked at")
    ] = None
    workspace: Annotated[Bytes | None, written("taken beside inputs and outputs")] = None
    saved: Annotated[
        Bytes | None,
        written("kept by a recorded forward for its backward, inputs and outputs included"),
    ] = None


class DeviceTimesRecord(Part, frozen=True, kw_only=True):
    """Seconds per iteration on a GPU."""

    submit: Annotated[Number | None, written("the host's part")] = None
    device: Annotated[Number | None, written("the device's part")] = None
    latency: Annotated[Number | None, written("awaited call by call")] = None
    graph: Annotated[bool | None, written("whether a captured graph was timed")] = None


class CountersRecord(Part, frozen=True, kw_only=True):
    """Hardware counts per iteration."""

    instructions: Annotated[Number | None, written("user instructions")] = None


class NoiseRecord(Part, frozen=True, kw_only=True):
    """What disturbed the samples."""

    marked: Annotated[
        Share | None, written("share of samples beside a slow interference probe")
    ] = None
    cpu_share: Annotated[Number | None, written("CPU time over wall time")] = None
    context_switches: Annotated[Whole | None, written("involuntary")] = None
    page_faults: Annotated[Whole | None, written("minor and major")] = None
    steal: Annotated[Number | None, written("share of time taken by the host")] = None
    pressure: Annotated[Number | None, written("share of time that tasks waited")] = None


class FusionRecord(Part, frozen=True, kw_only=True):
    """What fusing is judged by, of an operator with a fused and an unfused form."""

    kernels: Annotated[
        tuple[str, ...] | None,
        written("what one call runs, by the framework's profiler; null where it is not known"),
    ]
    parts: Annotated[
        tuple[Key, ...], written("the series keys of its parts, each measured as an operator")
    ]
    traffic_bytes: Annotated[
        Bytes | None, written("what the parts hand on, written and read; null in training")
    ]
    bandwidth: Annotated[
        Number | None,
        written("B/s over as many bytes; null where `opperf doctor --peaks` was not run here"),
    ]


class CorrectnessRecord(Part, frozen=True, kw_only=True):
    """How far the outputs were from the reference."""

    reference: str | None = None
    max_abs_error: Spread | None = None
    max_rel_error: Annotated[
        Spread | None,
        written("of |expected| and, where the operator declares it, a share of rms(expected)"),
    ] = None
    gradients: Annotated[
        str | None,
        written("how those were found that gradients were compared with; null of a forward"),
    ] = None
