"""The operator: a declaration that can be benchmarked, from inputs to results."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.core.configuration.settings import PLAIN, Settings
from opperf.core.errors import UsageError, quote
from opperf.core.frameworks.registry import default_framework, find_framework, require_installed
from opperf.core.memory.available import require_memory
from opperf.core.results.collection import Results
from opperf.core.results.line import unreliability
from opperf.core.tensors.inputs import expand
from opperf.core.tensors.tensor import INITIALIZERS
from opperf.declaring.declaration import Declaration
from opperf.declaring.description import plain_inputs
from opperf.legacy.spellings import arguments, device_name, older_figure
from opperf.measuring.attempt import Attempt
from opperf.planning.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.results.result import Result

NO_RESULTS = "No benchmark results found. Run run_benchmark() first."


class Operator(Declaration, abstract=True):
    """An operator that a user can benchmark: ``Add().run_benchmark()``.

    Args:
        positional: `inputs`; or ctx, warmup, runs and inputs, as the older package had them.
        inputs: any subset of the operator's inputs; see `Declaration`.
        framework: mxnet, pytorch or a plugged-in one; by default OPPERF_FRAMEWORK, else the first
            installed of mxnet and pytorch.
        device: "cpu", "cuda:0", ...; `ctx` is its older spelling, and may be a framework's object.
        size: small, typical, large or skewed.
        warmup: calls before sampling; by default until the times stand still.
        runs: samples to take; by default until the median is known to `precision`.
        precision: half-width of the median's 95 % interval to reach, as a fraction.
        budget: seconds of sampling per direction at the most, unless six samples take longer.
    """

    framework_name: str | None = None
    """The framework that a bound namespace fixes."""

    def __init__(  # noqa: PLR0913 - the face that users know
        self,
        *positional: object,
        inputs: Mapping[str, object] | None = None,
        framework: str | None = None,
        device: object = None,
        ctx: object = None,
        size: str = "typical",
        warmup: int | None = None,
        runs: int | None = None,
        precision: float = Settings.precision,
        budget: float = Settings.budget,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        older = {"ctx": ctx, "warmup": warmup, "runs": runs, "inputs": inputs}
        ctx, warmup, runs, inputs = arguments(positional, older).values()
        first, *rest = expand({} if inputs is None else inputs)
        super().__init__(first, size=size)
        self.framework = framework or self.framework_name
        self.device = device_name(device if device is not None else ctx)
        self.settings = Settings(
            warmup=warmup, runs=runs, precision=precision, budget=budget, threads=threads, seed=seed
        )
        self.results = Results()
        self.others = [
            type(self)(
                point, framework=framework, device=self.device, size=size, warmup=warmup,
                runs=runs, precision=precision, budget=budget, threads=threads, seed=seed,
            )
            for point in rest
        ]  # fmt: skip

    def run_benchmark(self, *, isolate: bool = False) -> Results:
        """Check and measure every direction, in this process or in a child of its own.

        Where inputs are lists of shapes, that is done for each; `results` holds all.

        Raises:
            UsageError: the framework or the device is not here, or the tensors do not fit.
        """
        framework = self.chosen_framework()
        require_installed(framework)
        found = self.measure_in_child(framework) if isolate else self.measure_here(framework)
        self.results = Results(found)
        for other in self.others:
            self.results += other.run_benchmark(isolate=isolate)
        return self.results

    def measure_here(self, framework: Framework) -> Iterator[Result]:
        """Measure in this process."""
        settings = replace(self.settings, process=PLAIN)  # for nobody has set this process up
        return Attempt(self, framework, self.device, settings).results()

    def measure_in_child(self, framework: Framework) -> Iterator[Result]:
        """Measure in a child, which cannot take this process down with it."""
        from opperf.measuring.campaign import Campaign  # which no child needs

        if self.inputs.get("initializer") not in (None, *INITIALIZERS.values()):
            raise UsageError(f"{self.name()}: a child knows initializers by name only; give a name")
        task = Task(
            operator=self.name(),
            framework=framework.name,
            device=self.device,
            inputs=plain_inputs(self),
            rows=self.rows(),
            settings=self.settings,
        )
        require_memory(task.operator, self.memory_needed())
        campaign = Campaign([task])
        with campaign.children():
            yield from campaign.measure(task)

    def chosen_framework(self) -> Framework:
        """Return the framework to measure on."""
        return find_framework(self.framework) if self.framework else default_framework(os.environ)

    def get_benchmark_results(self) -> dict[str, float]:
        """Return the older package's figure by its name, in seconds; empty before a run.

        Of several shapes, each name but the first ends in its shapes.
        """
        figures = self.older_figures()
        return {name: found.seconds for name, found in figures if found.seconds is not None}

    def older_figures(self) -> list[tuple[str, Result]]:
        """Return the older package's figures, with or without a time."""
        own = older_figure(self.own_results(), self.name())
        figures = [own] if own else []
        for other in self.others:
            shapes = ",".join(str(shape) for shape in other.shapes.values())
            figures += [(f"{name}{shapes}", found) for name, found in other.older_figures()]
        return figures

    def own_results(self) -> Sequence[Result]:
        """Return the results on this object's own inputs, which come first."""
        return self.results[: len(self.results) - sum(len(o.results) for o in self.others)]

    def print_benchmark_results(self) -> None:
        """Print the older package's line: name and seconds, or why there is no time.

        A second line says why a time is not to be relied on.
        """
        if not self.results:
            print(NO_RESULTS)
        for name, found in self.older_figures():
            if found.seconds is None:
                print(f"{name} - {found.status}: {found.reason}")
            else:
                print(f"{name} - {found.seconds:.6f} seconds")
                if not found.reliable:
                    print(f"{name} - unreliable: {unreliability(found)}")

    def __repr__(self) -> str:
        return f"{self.name()}(inputs={self.inputs!r}, framework={quote(self.framework)})"
