"""What is checked of a call around its timing: its results against float64, and its tensors."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.checking.correctness import Comparison, Outputs, compare, root_mean_square
from opperf.core.errors import UnsupportedError
from opperf.core.results.outcome import Outcome
from opperf.core.statistics.warning import MeasurementWarning
from opperf.core.tensors.tensor import FLOATS
from opperf.core.timing.sample_warnings import value_drift
from opperf.measuring.probes import probe
from opperf.measuring.step import RIGHT, Checks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.calls.measuring.description import Counts
    from opperf.calls.measuring.prepared import PreparedCall
    from opperf.calls.measuring.second_reference import SecondReference
    from opperf.core.checking.tolerance import Bound
    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.observation import Observation
    from opperf.core.frameworks.workload import Work
    from opperf.core.statistics.summary import Summary
    from opperf.core.tensors.tensor import Array
    from opperf.core.timing.measure import Samples
    from opperf.core.timing.metric import Metric

REFERENCE = "{framework} float64"
VIEW = MeasurementWarning("call_is_view", "it returns a view: no kernel runs, and no byte is moved")
LARGEST = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float32": 3.4028234663852886e38}
"""The largest value of an element type; what is larger in float64 is infinite there."""
SENSITIVITY = 16
"""How many times as far as a change of the inputs' last digits moves it a result may be off."""
CHANGE = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24, "float64": 2.0**-53}
"""Half a last digit, as a share."""


@dataclass(kw_only=True)
class CallChecks(Checks):
    """A prepared call against the same in float64 on the host.

    `said` is what has to be said beside, `second` the reference of the declaration that it is;
    `counts` are FLOP and bytes, once it was called.
    """

    prepared: PreparedCall
    settings: Settings
    said: Sequence[str] = ()
    second: SecondReference | None = None
    counts: Counts = (None, None)
    reference: str = ""
    right: str = ""
    expected: list[Array] | None = field(default=None)

    def compare(self, work: Work) -> Outcome:
        """Compare what a call returns and writes with the reference."""
        results, outputs = self.call()
        self.right = digest_of(outputs)
        comparison = self.judge(results, outputs)
        self.counts = self.count(results)
        if outputs.are_views:
            self.warnings = [*self.warnings, VIEW]
        said = ["checked, not timed", *self.said, *([VIEW.message] if outputs.are_views else [])]
        return Outcome(
            status="wrong_result" if comparison.fault else RIGHT,
            reason=comparison.fault or "; ".join(said),
            comparison=comparison,
            reference=self.reference,
            method=work.method,
            is_view=outputs.are_views,
        )

    def call(self) -> tuple[Any, Outputs]:
        """Call once; return the results, and as arrays with what was written."""
        results, written = self.prepared.results()
        return results, self.prepared.outputs(results, written)

    def count(self, results: Any) -> Counts:
        """Return the FLOP and the bytes of the call."""
        bound = self.prepared.bound
        return bound.flop_count(results), None if bound.unchecked else self.prepared.byte_count(
            results
        )

    def judge(self, results: Any, outputs: Outputs) -> Comparison:
        """Compare with the reference, or look at what can be told without one."""
        bound = self.prepared.bound
        if bound.unchecked:
            self.reference = f"none: {bound.unchecked}"
            return Comparison(fault=bound.fault(results))
        if self.expected is None:
            try:
                self.expected = self.prepared.reference()
            except Exception as error:  # noqa: BLE001 - whatever a framework raises that has no such form
                return self.judged_twice(outputs, error)
        self.reference = REFERENCE.format(framework=self.prepared.framework.name)
        found = self.compared(outputs, self.expected)
        return found if found.fault or self.second is None else self.judge_also(outputs, found)

    def judge_also(self, outputs: Outputs, found: Comparison) -> Comparison:
        """Compare with the declaration's own reference as well, which need not know all results."""
        second: Any = self.second
        try:
            expected = second.outputs_like(outputs)
        except UnsupportedError as error:
            self.reference += f"; {second.name} left out: {error}"
            return found
        few = Outputs(
            outputs[: len(expected)], outputs.dtypes[: len(expected)], are_views=outputs.are_views
        )
        other = self.compared(few, expected, self.expected)
        if other.fault and (outside := second.outside()):
            self.reference += f"; {second.name} left out: {outside}"
            return found
        self.reference += f", {second.name}"
        if other.fault:
            return replace(other, fault=f"beside {second.name}: {other.fault}")
        return found.worst(other)

    def judged_twice(self, outputs: Outputs, error: Exception) -> Comparison:
        """Compare with a second call where the framework has no float64 form."""
        self.reference = (
            f"none: no form in float64 on the host ({telling_line(str(error))}); "
            "two calls were compared"
        )
        if digest_of(self.call()[1]) == digest_of(outputs):
            return Comparison()
        return Comparison(fault="two calls on the same values return different results")

    def compared(
        self, outputs: Outputs, expected: Sequence[Array], own: Sequence[Array] | None = None
    ) -> Comparison:
        """Compare each output with the reference's; `own` is the framework's one."""
        if len(outputs) != len(expected):
            return Comparison(
                fault=f"{len(outputs)} results where the reference has {len(expected)}"
            )
        found = Comparison()
        for position, (actual, exact) in enumerate(zip(outputs, expected, strict=True)):
            dtype = self.weakest(outputs.dtypes[position])
            one, other = real(actual), real(exact)
            if one.dtype.kind == "f" and not np.isfinite(one).all():
                other = beyond_range(other, dtype)
            bound = self.prepared.bound.bound(dtype)
            comparison = compare(f"output {position}", one, other, bound)
            if comparison.fault and dtype in CHANGE and one.shape == other.shape:
                right = other if own is None else real(own[position])
                wider = self.widened(bound, position, right, dtype)
                comparison = compare(f"output {position}", one, other, wider)
            found = found.worst(comparison)
        return found

    def weakest(self, dtype: str) -> str:
        """Return the least precise floating-point type of the tensors and an output."""
        tensors = self.prepared.bound.tensors.values()
        known = [name for name in (dtype, *(tensor.dtype for tensor in tensors)) if name in FLOATS]
        return max(known, key=CHANGE.__getitem__, default=dtype)

    def widened(self, bound: Bound, position: int, right: Array, dtype: str) -> Bound:
        """Return the bound where a result depends on the inputs' last digits, as sums that cancel.

        How much is found by changing them.
        """
        near = self.prepared.reference(CHANGE[dtype])[position]
        size, moved = root_mean_square(right), root_mean_square(real(near) - right)
        share = SENSITIVITY * moved / size if size else 0.0
        return replace(bound, atol=max(bound.atol, share)) if np.isfinite(share) else bound

    def tune(self, work: Work) -> Work:
        """Re-tune a warmed work for its device."""
        return self.prepared.framework.tune(work)

    def drift(self) -> Iterator[MeasurementWarning]:
        """Yield a warning where tensors that are only read are not what they were."""
        yield from value_drift(self.prepared.changed_share())

    def compare_again(self) -> str | None:
        """Return what is wrong after the samples."""
        results, outputs = self.call()
        return None if digest_of(outputs) == self.right else self.judge(results, outputs).fault

    def observe(self, work: Work, summary: Summary) -> Observation:
        """Return what the framework's device tells of the work."""
        return self.prepared.framework.observe(work, summary.median)

    def probe(self, work: Work, samples: Samples) -> Sequence[Metric]:
        """Return what probes find of a call."""
        return probe(work, samples, self.settings)


def telling_line(text: str) -> str:
    """Return the first line of an error's text, the last one where a traceback leads it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["no message"]
    return lines[-1 if lines[0].startswith("Traceback") else 0]


def real(array: Array) -> Array:
    """Return complex numbers as pairs of real ones."""
    return array.view(array.real.dtype) if np.iscomplexobj(array) and array.ndim else array


def beyond_range(expected: Array, dtype: str) -> Array:
    """Return the reference with infinity where an element type holds nothing as large."""
    if dtype not in LARGEST or expected.dtype.kind != "f":
        return expected
    too_large = np.abs(expected) > LARGEST[dtype]
    return np.where(too_large, np.copysign(np.inf, expected), expected)


def digest_of(outputs: Outputs) -> str:
    """Return what stands for the values and shapes of outputs."""
    made = blake2b(digest_size=16)
    for array in outputs:
        made.update(f"{array.dtype} {array.shape} ".encode())
        made.update(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    return made.hexdigest()
