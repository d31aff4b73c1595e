"""Trying one input at a time, bounded in time, and counting what came of each."""

from __future__ import annotations

import signal
import sys
import traceback
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

LONGEST = 10.0
"""Seconds of the processor after which an input counts as a hang."""
LONGEST_WAIT = 120.0
"""Seconds by the clock, for what sleeps; a busy machine takes its time for all others."""
ACCEPTED, REFUSED = "accepted", "refused in one line"
TRACEBACK, HANG, UNCLEAR = "tracebacks", "hangs above 10 s", "refused otherwise than in one line"
FAULTS = (TRACEBACK, HANG, UNCLEAR)
WIDEST = 4000
"""Characters of a line that refuses; the command line shortens it further."""


class HangError(BaseException):
    """An input took too long. No Exception, so that nobody takes it for one of his own."""


class StartedError(BaseException):
    """A command was about to start a process, or to reach for the network: it was accepted."""


@dataclass
class Tally:
    """What came of all inputs: counts by part and outcome, and each fault's place."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def attempt(self, part: str, example: object, action: Callable[[], str]) -> None:
        """Carry an action out, which returns its outcome or raises, and count it."""
        try:
            with bounded():
                outcome, place = action(), ""
        except UsageError as error:
            outcome, place = refusal(str(error)), str(error)
        except StartedError:
            outcome, place = ACCEPTED, ""
        except (Exception, HangError) as error:  # noqa: BLE001 - whatever is raised is the finding
            outcome = HANG if isinstance(error, HangError) else TRACEBACK
            place = place_of(error)
        self.count(part, outcome, place, example)

    def count(self, part: str, outcome: str, place: str, example: object) -> None:
        """Count an outcome; of a fault, keep its place and examples, and tell the first at once."""
        self.counts[part, outcome] += 1
        if outcome in FAULTS:
            found = self.faults.setdefault((outcome, place), [])
            found.append(shown(example))
            if len(found) == 1:
                print(f"{outcome} at {place}: {found[0]}", file=sys.stderr, flush=True)

    def total(self, outcome: str) -> int:
        """Return how many inputs ended like this."""
        return sum(count for (_, found), count in self.counts.items() if found == outcome)

    def report(self) -> str:
        """Return the counts, a line a part, then each fault."""
        lines = []
        for part in dict.fromkeys(part for part, _ in self.counts):
            of_part = {out: n for (where, out), n in self.counts.items() if where == part}
            told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(of_part.items()))
            lines.append(f"{part}: {sum(of_part.values())} inputs: {told}")
        for (outcome, place), examples in self.faults.items():
            lines.append(f"{outcome} at {place}: {len(examples)}, such as")
            lines += [f"    {example}" for example in examples[:3]]
        lines.append(", ".join(f"{self.total(outcome)} {outcome}" for outcome in FAULTS))
        return "\n".join(lines)


def refusal(line: str) -> str:
    """Return whether what was said is one line that can be printed."""
    fine = line and line.isprintable() and len(line) <= WIDEST
    return REFUSED if fine else UNCLEAR


def place_of(error: BaseException) -> str:
    """Return the innermost line of opperf that an error came through, and what it says."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/opperf/" in frame.filename] or frames
    where = ours[-1]
    name = where.filename.rpartition("/opperf/")[2]
    return f"{name}:{where.lineno} {type(error).__name__} {str(error)[:100]!r}"


def shown(example: object) -> str:
    """Return an example as a line."""
    try:
        return repr(example)[:400]
    except (ValueError, RecursionError):
        return f"<{type(example).__name__}>"


@contextmanager
def bounded() -> Iterator[None]:
    """Raise a HangError in what takes too long."""

    def end(_signal: int, _frame: FrameType | None) -> Any:
        raise HangError

    clocks = {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL}
    before = {number: signal.signal(number, end) for number in clocks}
    for number, seconds in ((signal.SIGPROF, LONGEST), (signal.SIGALRM, LONGEST_WAIT)):
        signal.setitimer(clocks[number], seconds)
    try:
        yield
    finally:
        for clock in clocks.values():
            signal.setitimer(clock, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
