"""The columns of a comparison of frameworks, for the terminal and for Markdown alike."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from opperf.core.results.metrics import probed
from opperf.core.units import MISSING, format_bytes, format_quantity
from opperf.reporting.layout import Column
from opperf.reporting.one_unit import in_one_unit, with_unit
from opperf.reporting.pairing import (
    IN_NOISE,
    NOT_COMPARABLE,
    frameworks,
    pair,
    without_companions,
)
from opperf.reporting.ratios import ratio_text
from opperf.reporting.text import clean, shorten
from opperf.reporting.wording import (
    device_notes,
    direction_text,
    flag,
    given_text,
    memory_text,
    number,
    operator_text,
    rate_text,
    time_parts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.pairing import ReportRow

RATIO = "ratio"
MEMORY = "memory"
LONGEST_DIRECTION = 16
LONGEST_NAME = 24
"""Characters that an operator or its inputs keep, whatever else has to go."""
LONGEST_STATUS = 24
LEAST_TIME = 10
"""Characters that a time without its interval, such as "! 999.9", keeps with its head."""
MARKS = {IN_NOISE: "~", NOT_COMPARABLE: "x"}


class Sheet:
    """Results side by side: each method makes one or more columns with a cell a row.

    Companions are left out.
    """

    def __init__(self, results: Sequence[Result], *, ascii_only: bool = False) -> None:
        shown = without_companions(results)
        self.rows: list[ReportRow] = pair(shown)
        self.frameworks = frameworks(shown)
        self.ascii_only = ascii_only

    @property
    def results(self) -> list[Result]:
        """The results that are shown, row by row."""
        return [result for row in self.rows for result in row.results.values()]

    def once(self, header: str, text: Callable[[Result], str], least: int) -> Column:
        """Return a column of what is the same for all directions, shown in the first row only."""
        cells = [text(row.subject) if row.leads else "" for row in self.rows]
        return Column(header=header, cells=cells, least=least)

    def operator(self) -> Column:
        """Return the names of the operators."""
        return self.once("operator", operator_text, 32)

    def inputs(self) -> Column:
        """Return what the operators were given."""
        return self.once("inputs", given_text, 20)

    def output(self) -> Column:
        """Return the size of the outputs."""
        return self.once("output", output_text, 8)

    def operator_and_inputs(self) -> Column:
        """Return both in one column: below each other where there are two rows to hold them."""
        cells = [self.stack(index) for index in range(len(self.rows))]
        kept = [operator_text(row.subject) for row in self.rows]
        kept += [cell for row, cell in zip(self.rows, cells, strict=True) if not row.leads]
        least = min(max(map(len, kept)), LONGEST_NAME)
        return Column(header="operator, inputs", cells=cells, least=least)

    def stack(self, index: int) -> str:
        """Return the name in a job's first row and what it was given in the next."""
        row = self.rows[index]
        name, given = operator_text(row.subject), given_text(row.subject)
        if not row.leads:
            return given if self.rows[index - 1].leads else ""
        alone = index + 1 == len(self.rows) or self.rows[index + 1].leads
        return f"{name} {given}" if alone else name

    def direction(self) -> Column:
        """Return the directions."""
        short = [direction_text(row.direction) for row in self.rows]
        cells = [shorten(text, LONGEST_DIRECTION, ascii_only=self.ascii_only) for text in short]
        return Column(header="direction", cells=cells)

    def times(self) -> list[Column]:
        """Return a column of times a framework."""
        return [
            Column(header=heading(name), cells=self.time_cells(name), align="right", unit=self.unit)
            for name in self.frameworks
        ]

    def bare_times(self) -> list[Column]:
        """Return the same without intervals, where there is no room for them."""
        return [
            Column(
                header=heading(name),
                cells=[
                    flag(row.results.get(name)) + time
                    for row, (time, _) in zip(self.rows, self.parts[name], strict=True)
                ],
                align="right",
                least=LEAST_TIME,
                unit=self.unit,
            )
            for name in self.frameworks
        ]

    def time_cells(self, framework: str) -> list[str]:
        """Return times whose units and precisions stand below each other."""
        parts = self.parts[framework]
        timed = [part for part in parts if part[1]]
        left, right = (max((len(part[i]) for part in timed), default=0) for i in (0, 1))
        return [
            f"{flag(row.results.get(framework))}{time:>{left}} {spread:>{right}}"
            if spread
            else time
            for row, (time, spread) in zip(self.rows, parts, strict=True)
        ]

    @property
    def parts(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """The two halves of each framework's cells."""
        return self.read[0]

    @property
    def unit(self) -> str:
        """The unit of all times, so that they can be compared across as well as down."""
        return self.read[1]

    @cached_property
    def read(self) -> tuple[Mapping[str, Sequence[tuple[str, str]]], str]:
        """The two halves of each framework's cells, all times in one unit, and the unit."""
        parts = [
            self.halves(row.results.get(name)) for name in self.frameworks for row in self.rows
        ]
        times, unit = in_one_unit([time for time, _ in parts])
        cells = iter(zip(times, (spread for _, spread in parts), strict=True))
        return {name: [next(cells) for _ in self.rows] for name in self.frameworks}, unit

    def halves(self, result: Result | None) -> tuple[str, str]:
        """Return the two halves of a cell; a result that is missing is not one that failed."""
        if result is None:
            return MISSING, ""
        time, spread = time_parts(result, ascii_only=self.ascii_only)
        return shorten(time, LONGEST_STATUS, ascii_only=self.ascii_only), spread

    def ratio(self) -> list[Column]:
        """Return the ratios and, where there are any, the marks of those that say little."""
        if len(self.frameworks) < 2:  # noqa: PLR2004 - it takes two
            return []
        marks = [MARKS.get(row.ratio.judgement, "") if row.ratio else "" for row in self.rows]
        cells = [ratio_text(row.ratio) for row in self.rows]
        column = Column(header=RATIO, cells=cells, align="right")
        return [column, Column(header="", cells=marks)] if any(marks) else [column]

    def rates(self) -> list[Column]:
        """Return a column of rates a framework; two frameworks do the same work at two rates."""
        columns = []
        for name in self.frameworks:
            found = [row.results.get(name) for row in self.rows]
            cells = [(rate_text(result) if result else None) or MISSING for result in found]
            if any(cell != MISSING for cell in cells):
                columns.append(Column(header=f"{heading(name)} rate", cells=cells, align="right"))
        return columns

    def memories(self) -> list[Column]:
        """Return a column of memory a framework, where any was found."""
        columns = []
        for name in self.frameworks:
            found = [row.results.get(name) for row in self.rows]
            cells = [(memory_text(result) if result else None) or MISSING for result in found]
            if any(cell != MISSING for cell in cells):
                header = f"{heading(name)} {MEMORY}"
                columns.append(Column(header=header, cells=cells, align="right"))
        return columns

    def others(self) -> list[Column]:
        """Return a column a framework and metric that probes have found, where there is any."""
        names = dict.fromkeys(metric.name for one in self.results for metric in probed(one))
        return [
            with_unit(
                Column(
                    header=f"{heading(framework)} {heading(name)}",
                    cells=[metric_text(row.results.get(framework), name) for row in self.rows],
                    align="right",
                )
            )
            for name in names
            for framework in self.frameworks
        ]

    def notes(self) -> list[Column]:
        """Return a GPU's further figures, unless there are none."""
        cells = [self.note(row) for row in self.rows]
        return [Column(header="notes", cells=cells, least=16)] if any(cells) else []

    def note(self, row: ReportRow) -> str:
        """Return a row's notes, prefixed by their framework unless all share them."""
        present = [name for name in self.frameworks if name in row.results]
        found = {name: ", ".join(device_notes(row.results[name])) for name in present}
        if len(self.frameworks) == 1 or (len(found) > 1 and len(set(found.values())) == 1):
            return next(iter(found.values()))
        return "; ".join(f"{heading(name)}: {text}" for name, text in found.items() if text)


def heading(framework: str) -> str:
    """Return a framework's name as a header."""
    return shorten(clean(framework), 16, ascii_only=True)


def metric_text(result: Result | None, name: str) -> str:
    """Return a metric that a probe has found, in its unit."""
    metrics = probed(result) if result else []
    found = next((metric for metric in metrics if metric.name == name), None)
    return MISSING if found is None else format_quantity(found.value, clean(found.unit))


def output_text(result: Result) -> str:
    """Return the size of the outputs."""
    size = number(result.memory.outputs)
    return MISSING if size is None else format_bytes(int(size))
