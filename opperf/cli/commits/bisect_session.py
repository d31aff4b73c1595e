"""The program of the sessions of `opperf bisect`: a line for each request, and for each answer."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.common.manifest import limits_from, selection_from
from opperf.comparing.arms.arm import ArmSpec
from opperf.comparing.pairs.job import jobs_of
from opperf.comparing.pairs.session import Session
from opperf.core.errors import OpperfError
from opperf.planning.plan import make_plan
from opperf.planning.selection import nothing_matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opperf.core.results.pair import Pair

NAMES = {"a": "low", "b": "high"}
UNLOADED = re.compile(r"arm ([ab]) \(")
"""How an error begins that says that an arm's framework does not load."""


def main() -> int:
    """Measure a session for each request, and say what it found."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what anything prints is no answer
    for line in sys.stdin:
        print(json.dumps(answer_to(line), allow_nan=False), file=answers, flush=True)
    return 0


def answer_to(line: str) -> Mapping[str, Any]:
    """Return what the session found that a request asks for, or why it found nothing."""
    request: dict[str, Any] = json.loads(line)
    try:
        return measure(request)
    except OpperfError as error:
        arm = UNLOADED.match(str(error))
        return {"failures": {NAMES[arm[1]]: str(error)}} if arm else {"error": str(error)}


def measure(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return what one session of the arms found."""
    selection = selection_from(request["selection"])
    jobs = jobs_of(make_plan(selection, here=False))
    if not jobs:
        return {"error": nothing_matches(selection)}
    pythons = zip("ab", request["pythons"], strict=True)
    session = Session(
        number=request["number"],
        purpose="comparison",
        run_id="bisection",
        arms={name: ArmSpec(text=NAMES[name], python=python) for name, python in pythons},
        limits=limits_from(request["limits"]),
        folder=Path(request["folder"]),
        plans=dict(request["plans"]),
    )
    return outcome_of(session.measure(jobs), session)


def outcome_of(pairs: Iterable[Pair], session: Session) -> dict[str, Any]:
    """Return the log ratio of each row, and why an arm has none."""
    rows: dict[str, float] = {}
    failures: dict[str, str] = {}
    reasons: list[str] = []
    for pair in pairs:
        what = f"{pair.operator.name} {pair.operator.size} {pair.operator.direction}"
        if pair.ratio is not None:
            rows[pair.key] = pair.ratio
            continue
        statuses = {"low": pair.a_status, "high": pair.b_status}
        reasons.append(f"{what}: {pair.reason or 'no time'}")
        broken = [name for name, status in statuses.items() if status not in ("ok", "no_time")]
        if len(broken) == 1 or "wrong_result" in statuses.values():
            failures |= {name: f"{what}: {statuses[name]}, {pair.reason}" for name in broken}
    found: dict[str, Any] = {"rows": rows, "plans": session.plans, "failures": failures}
    if not rows and not failures:
        return {"error": f"nothing can be measured: {reasons[0] if reasons else 'no row'}"}
    return found


if __name__ == "__main__":
    sys.exit(main())
