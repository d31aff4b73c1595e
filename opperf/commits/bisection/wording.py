"""An answer as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.commits.bisection.answer import NAMED, RANGE, SAME
from opperf.commits.bisection.environments import COMMITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.commits.bisection.answer import Conclusion
    from opperf.commits.bisection.search import Search
    from opperf.commits.bisection.state import BisectionRequest
    from opperf.commits.bisection.step import Step

DOUBTFUL = 0.5
"""The probability of several steps above which the answer says so."""


def answer_lines(answer: Conclusion, search: Search, request: BisectionRequest) -> list[str]:
    """Return what is printed of an answer."""
    return [*said_lines(answer, request), f"  {effort(search, request)}"]


def said_lines(answer: Conclusion, request: BisectionRequest) -> Iterator[str]:
    """Yield what was found."""
    if answer.span is None or answer.kind == SAME:
        yield from absence_lines(answer, request)
        return
    low, high = answer.span
    yield from span_lines(answer, request, low, high)
    if answer.step and answer.step.sessions:
        yield f"  {change(answer.step)}, against {request.candidates[low].name[:12]} before it"
    yield f"  {change(answer.whole)}, in all {between(request)}"
    if answer.kind == RANGE:
        yield f"  {answer.reason}: go on with --resume, a larger --most-sessions or --budget"
    if answer.is_rest:
        yield "  the rest of the change came with others: bisect before and after it as well"
    elif answer.several > DOUBTFUL:
        yield f"  several changes explain the sessions better, probability {answer.several:.2f}"


def absence_lines(answer: Conclusion, request: BisectionRequest) -> Iterator[str]:
    """Yield that no change is there to be found, or that nobody knows yet."""
    direction = request.quest["direction"]
    sought = {"slower": "slow-down", "faster": "speed-up"}.get(direction, "difference")
    doubt = "no" if answer.kind == SAME else "undecided whether there is a"
    yield f"{doubt} {sought} {between(request)}: {change(answer.whole)}"
    if answer.reason:
        yield f"  {answer.reason}"


def span_lines(answer: Conclusion, request: BisectionRequest, low: int, high: int) -> Iterator[str]:
    """Yield which candidates the change came with."""
    first, last, size = request.candidates[low + 1], request.candidates[high], high - low
    sure = f"probability {probable(answer.probability or 0.0)}"
    if size == 1:
        verb = "came" if answer.kind == NAMED else "may have come"
        yield f"the change {verb} with {last}, {sure}"
    elif answer.kind == NAMED:
        yield f"the change came with one of these {size} {request.kind}, {sure}:"
        for one in request.candidates[low + 1 : high]:
            yield f"  {one}, which cannot be measured"
        yield f"  {last}"
    else:
        among = f"one of {size} {request.kind}, {first} to {last}"
        yield f"if it was a single change, it came with {among}, {sure}"


def between(request: BisectionRequest) -> str:
    """Return what was compared."""
    return f"between {request.candidates[0].name[:12]} and {request.candidates[-1].name[:12]}"


def change(step: Step) -> str:
    """Return a change with its interval, as "+5.1 % (4.2 to 6.0), 8 sessions"."""
    if step.ratio is None:
        return "nothing was measured"
    count = f"{step.sessions} session{'s' if step.sessions != 1 else ''}"
    text = f"{100 * (step.ratio - 1):+.1f} %"
    if step.interval is None:
        return f"{text}, {count}"
    low, high = (100 * (end - 1) for end in step.interval)
    return f"{text} (95 %: {low:+.1f} to {high:+.1f}), {count}"


def probable(probability: float) -> str:
    """Return a probability, never as the certainty that it is not."""
    return f"{probability:.3f}" if probability < 0.999 else "above 0.999"  # noqa: PLR2004 - digits


def effort(search: Search, request: BisectionRequest) -> str:
    """Return what it took."""
    touched = {at for span in search.contrasts for at in span}
    made = "built" if request.kind == COMMITS else "installed"
    text = f"{search.sessions} sessions, {len(touched)} of {search.count + 1} {request.kind} {made}"
    return f"{text}, {len(search.left_out)} left out" if search.left_out else text


def answer_fields(answer: Conclusion, search: Search, request: BisectionRequest) -> dict[str, Any]:
    """Return an answer as JSON has it."""
    names = [one.name for one in request.candidates]
    span = answer.span and {
        "after": names[answer.span[0]],
        "candidates": names[answer.span[0] + 1 : answer.span[1] + 1],
    }
    return {
        "kind": answer.kind, "good": names[0], "bad": names[-1], "found": span,
        "probability": answer.probability, "step": step_fields(answer.step),
        "whole": step_fields(answer.whole), "several": answer.several, "reason": answer.reason,
        "sessions": search.sessions, "left_out": [names[at] for at in sorted(search.left_out)],
    }  # fmt: skip


def step_fields(step: Step | None) -> dict[str, Any] | None:
    """Return a step as JSON has it."""
    if step is None:
        return None
    return {"ratio": step.ratio, "interval": step.interval, "sessions": step.sessions}
