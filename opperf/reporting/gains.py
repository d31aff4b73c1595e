"""What fusing gains: a fused operator beside its parts, in a row and each measured alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.fusion import LAUNCH, Split, kernels_of, not_fused, split
from opperf.core.result import input_key
from opperf.core.units import MISSING, format_seconds
from opperf.reporting.layout import Column, fits, render
from opperf.reporting.pairing import IN_NOISE, ratio
from opperf.reporting.text import clean
from opperf.reporting.wording import direction_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.result import Result

    Place = tuple[str, ...]

TITLE = "what fusing gains"
UNFUSED = "not fused"
LEGEND = (
    "gain: time of the parts in a row / time of the fused operator; above 1, it pays",
    "sum: of the parts, each measured alone; kernels: fused / in a row",
)
SPLIT = (
    f"launches: an estimate of the time saved by them: kernels saved, each a {LAUNCH}",
    "traffic: likewise, what the parts write and read again, at the measured bandwidth",
    "rest: of the time saved, what neither explains",
)
NO_BANDWIDTH = "what fusing saves is not split: run `opperf doctor --peaks`; measure again"
NO_LAUNCH = f"what fusing saves is not split: measure {LAUNCH} in the same run"


@dataclass(frozen=True, kw_only=True)
class Gain:
    """A fused operator, its parts in a row, what they take one by one, and the time saved."""

    fused: Result
    parts: Result
    total: float | None
    launch: Result | None

    @property
    def split(self) -> Split | None:
        """What the time saved is made of."""
        return split(self.fused, self.parts, self.launch)

    @property
    def is_fused(self) -> bool:
        """Whether kernels were saved, as far as they were counted."""
        return not [*not_fused(kernels_of(self.fused), kernels_of(self.parts))]


def gains(results: Sequence[Result], width: int, *, ascii_only: bool = False) -> list[str]:
    """Return a table with a row for each fused result whose parts have a time; none without."""
    found = [*pairs(results)]
    if not found:
        return []
    whole = [*times(found), *splits(found)]
    columns = whole if fits(whole, width) else times(found)
    explained = (*LEGEND, *SPLIT) if columns is whole and has_split(found) else LEGEND
    return [TITLE, *render(columns, width, ascii_only=ascii_only), *explained, *missing(found)]


def pairs(results: Sequence[Result]) -> Iterator[Gain]:
    """Yield each fused result with what it is judged by, of the same run and framework."""
    unfused = {key(result): result for result in results if result.operator["fused"] is False}
    alone = {(result.series_key, *run(result)): result.seconds for result in results}
    launches = {place(result): result for result in results if result.operator["name"] == LAUNCH}
    for result in results:
        parts = unfused.get(key(result)) if result.operator["fused"] else None
        if parts is None or ratio(result, parts) is None:
            continue
        series = (result.fusion or {}).get("parts") or ()
        seconds = [alone.get((each, *run(result))) for each in series]
        known = [each for each in seconds if each is not None]
        total = sum(known) if known and len(known) == len(seconds) else None
        launch = launches.get(place(result))
        yield Gain(fused=result, parts=parts, total=total, launch=launch)


def times(found: Sequence[Gain]) -> Iterator[Column]:
    """Yield what was run, the three times, the gain and the kernels."""
    operators = [clean(gain.fused.operator["name"]) for gain in found]
    directions = [direction_text(gain.fused.operator["direction"]) for gain in found]
    frameworks = [clean(gain.fused.operator["framework"]) for gain in found]
    yield Column(header="operator", cells=operators, least=8)
    yield Column(header="direction", cells=directions)
    yield Column(header="framework", cells=frameworks)
    yield seconds_column("fused", [gain.fused.seconds for gain in found])
    yield seconds_column("in a row", [gain.parts.seconds for gain in found])
    yield seconds_column("sum", [gain.total for gain in found])
    yield Column(header="gain", cells=[gain_text(gain) for gain in found], align="right")
    yield Column(header="kernels", cells=[kernels_text(gain) for gain in found], align="right")


def splits(found: Sequence[Gain]) -> Iterator[Column]:
    """Yield what the time saved is made of."""
    if has_split(found):
        parts = [gain.split for gain in found]
        yield seconds_column("launches", [part and part.launches for part in parts])
        yield seconds_column("traffic", [part and part.traffic for part in parts])
        yield seconds_column("rest", [part and part.rest for part in parts])


def has_split(found: Sequence[Gain]) -> bool:
    """Return whether the time saved can be split anywhere."""
    return any(gain.split for gain in found)


def missing(found: Sequence[Gain]) -> Iterator[str]:
    """Yield what to run where the split of an operator that was fused lacks a figure."""
    asked = [gain for gain in found if gain.is_fused and (gain.fused.fusion or {}).get("saved_bytes")]
    if any(not (gain.fused.fusion or {}).get("bandwidth") for gain in asked):
        yield NO_BANDWIDTH
    if any(gain.launch is None or gain.launch.seconds is None for gain in asked):
        yield NO_LAUNCH


def seconds_column(header: str, seconds: Sequence[float | None]) -> Column:
    """Return a column of times."""
    cells = [MISSING if value is None else format_seconds(value) for value in seconds]
    return Column(header=header, cells=cells, align="right")


def gain_text(gain: Gain) -> str:
    """Return "1.12", "1.01 ~" inside the noise, or that nothing was fused."""
    found = ratio(gain.fused, gain.parts)
    if found is None or not gain.is_fused:
        return UNFUSED
    return f"{found.value:.2f}" + (" ~" if found.judgement == IN_NOISE else "")


def kernels_text(gain: Gain) -> str:
    """Return "1 / 2", or nothing where they were not counted."""
    counted = [kernels_of(gain.fused), kernels_of(gain.parts)]
    return " / ".join(MISSING if each is None else str(len(each)) for each in counted)


def key(result: Result) -> Place:
    """Return what a fused result and that of its parts share."""
    what = (str(result.operator["name"]), str(result.operator["direction"]))
    return (*what, *place(result), input_key(result))


def place(result: Result) -> Place:
    """Return where a result was measured, and in which run."""
    names = ("framework", "device", "threads", "cache")
    return (*(str(result.operator.get(name)) for name in names), *run(result))


def run(result: Result) -> Place:
    """Return in which run a result was measured, and how its inputs were kept."""
    return str(result.run_id), str(result.session)
