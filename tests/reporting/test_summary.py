"""The step summary: worst first, within GitHub's limit, and harmless."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.summary import MOST_BYTES, comparison_summary, run_summary
from opperf.reporting.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

ROW: dict[str, Any] = {"operator": "Add", "framework": "mxnet", "direction": "forward"}


def test_failures_come_first_then_the_furthest_ratio(make: Make) -> None:
    """Each failure has the command that reproduces it."""
    pairs = [
        make(name=name, framework=framework, seconds=seconds)
        for name, other in (("Near", 0.03), ("Far", 0.001))
        for framework, seconds in (("mxnet", 0.0312), ("pytorch", other))
    ]
    failed = make(name="Bad", status="crashed", signal="SIGSEGV", reason="gone")
    text = run_summary([*pairs, failed], "a run")
    assert text.startswith("## opperf: run a run\n\n4 ok, 1 crashed; geometric mean of the ratio ")
    assert "opperf run -k 'name=Bad and direction=forward' --framework mxnet" in text
    assert text.index("Failures") < text.index("Far") < text.index("Near")


def test_ratios_and_their_mean_are_of_reliable_pairs(make: Make) -> None:
    """The others are counted, and their times are named below without the codes of warnings."""
    times = {"Sound": {}, "Odd": {"status": "noisy", "precision": 0.3, "warnings": ["noisy"]}}
    results = [
        make(name=name, framework=framework, seconds=seconds, **(changes if last else {}))
        for name, changes in times.items()
        for framework, seconds, last in (("mxnet", 0.03, False), ("pytorch", 0.06, True))
    ]
    relu = make(operator={**make(name="ReLU").operator.to_mapping(), "companion": True})
    part = {**relu.operator.to_mapping(), "name": "Part"}
    failed = make(operator=part, status="failed", reason="gone")
    text = run_summary([*results, relu, failed], "a run")
    assert "3 ok, 1 noisy; geometric mean of the ratio pytorch / mxnet 2.00 over 1" in text
    assert "reliable pair; 1 left out" in text
    ratios = text[text.index("### Ratios") : text.index("### Not to be relied on")]
    assert "Sound" in ratios
    assert "Odd" not in ratios
    assert "| Odd | (1024,1024)x2 | forward | pytorch | 60 ms ±30% |" in text
    assert "ReLU" not in text
    assert "| Part |" in text


def test_a_ratio_is_named_by_the_frameworks_it_is_of(make: Make) -> None:
    """Also where rows stand in another order than their results, as directions may."""
    backward, forward = ("backward", "forward")
    results = [
        make(direction=backward, seconds=0.03),
        make(direction=forward, framework="pytorch", seconds=0.06),
        make(direction=backward, framework="pytorch", seconds=0.06),
    ]
    assert "mean of the ratio pytorch / mxnet 2.00 over 1" in run_summary(results, "a run")
    third = make(name="Other", framework="another", direction=forward)
    fourth = make(name="Dot", framework="last", direction=backward, seconds=0.09)
    assert "last / mxnet 3.00 over 1" in run_summary([*results, third, fourth], "a run")


def test_it_stays_below_a_mebibyte(make: Make) -> None:
    """What is left out is counted, and the failures are what is kept."""
    failed = [make(name=f"Bad{n}", status="failed", reason="é" * 400) for n in range(3000)]
    sound = [
        make(name=f"Good{n}", framework=name) for n in range(900) for name in ("mxnet", "pytorch")
    ]
    text = run_summary([*sound, *failed], "a run")
    assert MOST_BYTES - 2000 < len(text.encode()) <= MOST_BYTES
    assert "Bad0" in text
    assert "Good0" not in text
    kept = text.count("| Bad")
    assert f"{3000 - kept + 900} rows are left out" in text


def test_a_spent_room_leaves_the_head(make: Make) -> None:
    """Where earlier commands used the limit up, no table is begun."""
    text = run_summary([make(status="failed")], "a run", room=300)
    assert "|" not in text
    assert "1 rows are left out" in text


def test_names_are_escaped(make: Make, hostile: str) -> None:
    """No new column, no markup and no control character, the command included."""
    text = run_summary([make(name=hostile, status="failed", reason=hostile)], hostile)
    assert "<img" not in text
    assert "\x1b" not in text
    (row,) = [line for line in text.splitlines() if "failed" in line and line.startswith("|")]
    assert row.replace("\\|", "").count("|") == 8


def test_verdicts_come_worst_first() -> None:
    """Controls stand last and count for nothing."""
    rows = [
        Verdict(**ROW, verdict="equivalent", ratio=1.0, interval=(0.99, 1.01)),
        Verdict(**ROW, verdict="slower", ratio=1.1, interval=(1.08, 1.12), confirmed=True),
        Verdict(**ROW, verdict="newly_fails", reason="SIGSEGV"),
        Verdict(**ROW, verdict="slower", ratio=2.0, control=True),
    ]
    text = comparison_summary(ComparisonReport(verdicts=rows, min_effect=0.02, notes=["mind this"]))
    assert "1 newly fails, 1 slower, 1 equivalent; geometric mean B / A 1.049 over 2 " in text
    assert "mind this" in text
    places = [text.index(word) for word in ("SIGSEGV", "1.100", "1.000", "| control")]
    assert places == sorted(places)
