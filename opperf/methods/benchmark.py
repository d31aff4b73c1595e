"""The base class of benchmark classes. It needs the standard library only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.methods.report import make_report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opperf.methods.report import MethodReport


class Benchmark:
    """A class whose methods are benchmarks, each run in a process of its own.

    Args:
        output_dir: where a method puts the files that it makes.
        root_data_dir: where the data sets lie.
        arguments: what later versions may hand over.
    """

    def __init__(
        self,
        output_dir: str | None = None,
        root_data_dir: str | None = None,
        **arguments: Any,
    ) -> None:
        self.output_dir = output_dir
        self.root_data_dir = root_data_dir
        self.arguments = arguments
        self.reports: list[MethodReport] = []

    def report_benchmark(
        self,
        *,
        iters: int | None = None,
        wall_time: float | None = None,
        metrics: Iterable[Mapping[str, Any]] | None = None,
        extras: Mapping[str, Any] | None = None,
        cpu_time: float | None = None,
        throughput: float | None = None,
    ) -> None:
        """Report what a method has found, at its end; of several reports the last one counts.

        Args:
            iters: how many iterations there were.
            wall_time: seconds of all of them together.
            metrics: a `name` and a `value` each, and `min_value` and `max_value` where the method
                fails beyond them.
            extras: further values by their names: numbers, or JSON texts of an object with `value`,
                `succeeded` and `description`.
            cpu_time: processor seconds of all of them together.
            throughput: examples a second.

        Raises:
            ValueError: a value is not what it must be.
        """
        fields = {
            "iters": iters, "wall_time": wall_time, "metrics": metrics, "extras": extras,
            "cpu_time": cpu_time, "throughput": throughput,
        }  # fmt: skip
        self.reports.append(make_report(fields))
