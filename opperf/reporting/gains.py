"""What fusing gains: a fused operator beside its parts, in a row and each measured alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from opperf.core.results.fusion import LAUNCH, FusionSavings, kernels_of, not_fused, split
from opperf.core.results.result import input_key
from opperf.core.units import MISSING, format_seconds
from opperf.reporting.layout import GAP, Column, fits, hidden_lines, render, spare
from opperf.reporting.one_unit import with_unit
from opperf.reporting.pairing import APART, IN_NOISE, UNRELIABLE, ratio
from opperf.reporting.ratios import NO_RATIO
from opperf.reporting.text import clean
from opperf.reporting.wording import FLAG, direction_text, flag, given_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.pairing import Ratio

    Place = tuple[str, ...]

TITLE = "what fusing gains"
SPARED = ("kernels", "framework", "direction", "size", "in a row", "fused")
"""The columns that are left out where there is no room, the first first; never the gain."""
LONGEST_NAME, LEAST_NAME = 20, 8
"""Characters that a name keeps beside other columns, and on the narrowest terminals."""
UNFUSED = "not fused"
SUM = "sum"
GAIN = "gain: time of the parts in a row / time of the fused operator; above 1, it pays"
KERNELS = "kernels: fused / in a row"
LEGEND = (GAIN, f"{SUM}: of the parts, each measured alone; {KERNELS}")
NARROW_LEGEND = (GAIN, KERNELS)
SPLIT = (
    f"launches: an estimate of the time saved by them: kernels saved, each a {LAUNCH}",
    "traffic: likewise, what the parts write and read again, at the measured bandwidth",
    "rest: of the time saved, what neither explains",
)
UNSURE = f"{NO_RATIO} one of the two times is not to be relied on"
NOISE = "~ in noise: the two do not differ significantly, so there is nothing to split"
NO_BANDWIDTH = "what fusing saves is not split: run `opperf doctor --peaks`; measure again"
NO_LAUNCH = f"what fusing saves is not split: there is no reliable time of {LAUNCH} in the same run"


@dataclass(frozen=True, kw_only=True)
class Gain:
    """A fused operator, its parts in a row, each of them alone, and what a launch costs.

    `alone` is empty unless all of them have a time.
    """

    fused: Result
    parts: Result
    alone: Sequence[Result]
    launch: Result | None

    @property
    def ratio(self) -> Ratio | None:
        """The gain: what the parts take in a row over what the fused operator takes."""
        return ratio(self.fused, self.parts)

    @property
    def is_fused(self) -> bool:
        """Whether kernels were saved, as far as they were counted."""
        return not [*not_fused(kernels_of(self.fused), kernels_of(self.parts))]

    @property
    def split(self) -> FusionSavings | None:
        """What the time saved is made of; None of a difference that may be noise."""
        return split(self.fused, self.parts, self.launch) if self.is_apart else None

    @property
    def is_apart(self) -> bool:
        """Whether kernels were saved and the two times differ significantly."""
        return self.is_fused and self.ratio is not None and self.ratio.judgement == APART


def gains(results: Sequence[Result], width: int, *, ascii_only: bool = False) -> list[str]:
    """Return a table with a row for each fused result whose parts have a time; none without."""
    found = [*pairs(results)]
    if not found:
        return []
    columns, more = [*times(found)], [*splits(found)]
    explained: Sequence[str] = LEGEND
    if more and fits([*columns, *more], width):
        columns, explained = [*columns, *more], (*LEGEND, *SPLIT)
    elif sum(column.width + GAP for column in columns) - GAP > width:
        columns, explained = [each for each in columns if each.header != SUM], NARROW_LEGEND
    shown, _ = spare(columns, width, SPARED)
    if not fits(shown, width):
        shown = [replace(shown[0], least=LEAST_NAME), *shown[1:]]
    hidden = [each.header for each in [*times(found), *more] if each not in shown]
    table = render(shown, width, ascii_only=ascii_only)
    return [TITLE, *table, *hidden_lines(hidden, width), *explained, *notes(found)]


def gains_table(results: Sequence[Result]) -> dict[str, list[Any]] | None:
    """Return the same as headers, rows of texts and the lines below them; None without any."""
    found = [*pairs(results)]
    if not found:
        return None
    more = [*splits(found)]
    columns = [*times(found), *more]
    return {
        "headers": [column.title for column in columns],
        "numbers": [column.align == "right" for column in columns],
        "rows": [[*row] for row in zip(*(column.cells for column in columns), strict=True)],
        "notes": [*LEGEND, *(SPLIT if more else ()), *notes(found)],
    }


def pairs(results: Sequence[Result]) -> Iterator[Gain]:
    """Yield each fused result with what it is judged by, of the same run and framework."""
    unfused = {key(result): result for result in results if result.operator.fused is False}
    alone = {
        (result.series_key, *run(result)): result
        for result in results
        if result.seconds is not None
    }
    launches = {place(result): result for result in results if is_launch(result)}
    for result in results:
        parts = unfused.get(key(result)) if result.operator.fused else None
        if parts is None or ratio(result, parts) is None:
            continue
        series = result.fusion.parts if result.fusion else ()
        found = [alone.get((each, *run(result))) for each in series]
        known = [each for each in found if each is not None]
        yield Gain(
            fused=result,
            parts=parts,
            alone=known if len(known) == len(found) else (),
            launch=launches.get(place(result)),
        )


def times(rows: Sequence[Gain]) -> Iterator[Column]:
    """Yield what was run, the three times, the gain and the kernels."""
    operators = [clean(gain.fused.operator.name) for gain in rows]
    directions = [direction_text(gain.fused.operator.direction) for gain in rows]
    frameworks = [clean(gain.fused.operator.framework) for gain in rows]
    yield Column(header="operator", cells=operators, least=LONGEST_NAME)
    if len({input_key(gain.fused) for gain in rows}) > len(set(operators)):
        sizes = [clean(gain.fused.operator.size or given_text(gain.fused)) for gain in rows]
        yield Column(header="size", cells=sizes, least=8)
    yield Column(header="direction", cells=directions)
    yield Column(header="framework", cells=frameworks)
    yield times_column("fused", [[gain.fused] for gain in rows])
    yield times_column("in a row", [[gain.parts] for gain in rows])
    yield times_column(SUM, [gain.alone for gain in rows])
    yield Column(header="gain", cells=[gain_text(gain) for gain in rows], align="right")
    yield Column(header="kernels", cells=[kernels_text(gain) for gain in rows], align="right")


def splits(rows: Sequence[Gain]) -> Iterator[Column]:
    """Yield what the time saved is made of, where that can be told of any."""
    splits = [gain.split for gain in rows]
    if any(splits):
        for name in ("launches", "traffic", "rest"):
            yield seconds_column(name, [getattr(each, name, None) for each in splits])


def notes(rows: Sequence[Gain]) -> Iterator[str]:
    """Yield what the mark of noise means, and what to run where a split lacks a figure."""
    told = {gain.ratio.judgement for gain in rows if gain.is_fused and gain.ratio}
    if UNRELIABLE in told:
        yield UNSURE
    if IN_NOISE in told:
        yield NOISE
    asked = [
        gain for gain in rows
        if gain.is_apart and gain.fused.fusion and gain.fused.fusion.traffic_bytes
    ]  # fmt: skip
    if any(not (gain.fused.fusion and gain.fused.fusion.bandwidth) for gain in asked):
        yield NO_BANDWIDTH
    if any(gain.launch is None for gain in asked):
        yield NO_LAUNCH


def times_column(header: str, rows: Sequence[Sequence[Result]]) -> Column:
    """Return a column of sums of times, marked where one is not to be relied on."""
    marks = [FLAG if any(map(flag, results)) else "" for results in rows]
    sums = [sum(each.seconds or 0.0 for each in results) for results in rows]
    cells = [
        mark + (format_seconds(seconds) if results else MISSING)
        for mark, seconds, results in zip(marks, sums, rows, strict=True)
    ]
    return with_unit(Column(header=header, cells=cells, align="right"))


def seconds_column(header: str, seconds: Sequence[float | None]) -> Column:
    """Return a column of times."""
    cells = [MISSING if value is None else format_seconds(value) for value in seconds]
    return with_unit(Column(header=header, cells=cells, align="right"))


def gain_text(gain: Gain) -> str:
    """Return "1.12", "1.01 ~" inside the noise, "?" of unsound times, or that nothing was fused."""
    if gain.ratio is None or not gain.is_fused:
        return UNFUSED
    if gain.ratio.judgement == UNRELIABLE:
        return NO_RATIO
    return f"{gain.ratio.value:.2f}" + (" ~" if gain.ratio.judgement == IN_NOISE else "")


def kernels_text(gain: Gain) -> str:
    """Return "1 / 2", or nothing where they were not counted."""
    counted = [kernels_of(gain.fused), kernels_of(gain.parts)]
    return " / ".join(MISSING if each is None else str(len(each)) for each in counted)


def key(result: Result) -> Place:
    """Return what a fused result and that of its parts share."""
    what = (str(result.operator.name), str(result.operator.direction))
    return (*what, *place(result), input_key(result))


def is_launch(result: Result) -> bool:
    """Return whether its time may be taken for the cost of a launch."""
    return result.operator.name == LAUNCH and result.reliable


def place(result: Result) -> Place:
    """Return where a result was measured, and in which run."""
    names = ("framework", "device", "threads", "cache")
    what = (str(getattr(result.operator, name)) for name in names)
    return (*what, str(result.operator.unusual), *run(result))


def run(result: Result) -> Place:
    """Return in which run a result was measured, and how its inputs were kept."""
    return str(result.run_id), str(result.session)
