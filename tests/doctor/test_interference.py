"""The loop that is slow when something else ran instead."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.doctor.interference import (
    Disturbance,
    busy_seconds,
    lateness,
    others,
    watch,
    watch_findings,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

QUIET = Disturbance(seconds=5.0, lost_share=0.001, longest=1e-5, switches=3, steal=0.0, others=0.01)


def test_only_what_is_late_is_lost() -> None:
    """Two loops of 100 in which something ran for 900 and 100 ns, beside the usual jitter."""
    lost, longest = lateness([100] * 97 + [105, 1000, 200])
    assert lost == pytest.approx((900 + 100) / (9700 + 105 + 1200))
    assert longest == pytest.approx(900e-9)
    assert lateness([100] * 50) == (0.0, 0.0)


def test_a_neighbor_who_is_there_most_of_the_time_is_no_less_late() -> None:
    """What is usual is told by the shortest, not by the most."""
    assert lateness([100] * 30 + [200] * 70)[0] == pytest.approx(7000 / 17000)


def test_the_loop_ends_when_its_time_is_over(tmp_path: Path) -> None:
    """By the clock it is given; a machine that counts nothing is no error."""
    now = 0

    def clock() -> int:
        nonlocal now
        now += 1_000_000
        return now

    seen = watch(0.1, clock, tmp_path)
    assert seen.seconds == pytest.approx(0.034, abs=0.004)
    assert (seen.lost_share, seen.steal, seen.others) == (0.0, None, None)


def test_what_others_use_is_all_that_is_busy_less_our_own(machine: Callable[..., Path]) -> None:
    """Waiting for the disk, idling and stolen time are not others' work."""
    root = machine({"stat": "cpu 100 20 30 9999 9999 4 6 9999 0 0"})
    ticks = busy_seconds(root)
    assert ticks is not None
    assert ticks * 100 == pytest.approx(160, rel=0.2)  # where a tick is 10 ms
    assert others(1.0, 5.0, 2_000_000_000, 1_000_000_000) == pytest.approx(1.5)
    assert others(1.0, 1.0, 2_000_000_000, 1_000_000_000) == 0.0
    assert others(None, 1.0, 1, 1) is None


@pytest.mark.parametrize(
    ("check", "changes", "level"),
    [
        ("preemption", {}, "ok"),
        ("preemption", {"lost_share": 0.02}, "note"),
        ("preemption", {"lost_share": 0.3}, "warning"),
        ("steal", {}, "ok"),
        ("steal", {"steal": 0.02}, "warning"),
        ("neighbors", {}, "ok"),
        ("neighbors", {"others": 0.9}, "warning"),
    ],
)
def test_findings_name_what_disturbs(check: str, changes: dict[str, Any], level: str) -> None:
    """With advice where it does."""
    findings = {f.check: f for f in watch_findings(replace(QUIET, **changes))}
    assert findings[check].level == level
    assert bool(findings[check].advice) == (level != "ok")


def test_what_is_not_counted_is_not_reported() -> None:
    """Outside Linux only the loop itself tells."""
    seen = replace(QUIET, steal=None, others=None)
    assert [finding.check for finding in watch_findings(seen)] == ["preemption"]
