"""The table of verdicts: worst first, equal ones as a count, and what warns of a wrong one."""

from __future__ import annotations

from typing import Any

import pytest

from opperf.comparing.row import ComparedMetric, ComparedRow
from opperf.comparing.total import Total
from opperf.reporting.verdict_rows import flat
from opperf.reporting.verdict_table import interval_text, verdicts
from opperf.reporting.verdicts import verdict_of, verdicts_from


def row(operator: str, verdict: str, ratio: float | None = 1.0, **changes: Any) -> ComparedRow:
    """Return a row."""
    fields: dict[str, Any] = {
        "operator": operator, "framework": "pytorch", "direction": "forward", "size": "small",
        "fused": None, "inputs": {"lhs": (64, 64), "rhs": (64, 64)}, "a_seconds": 1e-6,
        "b_seconds": 1e-6 * ratio if ratio else None, "ratio": ratio,
        "interval": (ratio * 0.99, ratio * 1.01) if ratio else None, "sessions": 6, "disturbed": 0,
        "reliable": ratio is not None, "pairs": 72, "verdict": verdict, "confirmed": None,
        "reason": None, "control": False,
    }  # fmt: skip
    return ComparedRow(**{**fields, **changes})


ROWS = [
    row("Exp", "equivalent"),
    row("Log", "undecided", 1.02, reason="about 9 more sessions"),
    row("Add", "slower", 1.143, confirmed=True),
    row("Sum", "newly_fails", None, reason="arm b: killed by SIGSEGV"),
    row("Dot", "faster", 0.9),
    row("Max", "equivalent", 1.001, control=True),
]


TABLE = """\
   operator  inputs    directi…  a [us]  b [us]  ratio  95 %            verdict
!  Sum       (64,64)…  forward    1.00        -      -  -               NEWLY FAILS
+  Add       (64,64)…  forward    1.00    1.14   1.143  [1.132, 1.154]  SLOWER (confirmed)
-  Dot       (64,64)…  forward    1.00    0.900  0.900  [0.891, 0.909]  FASTER
~  Log       (64,64)…  forward    1.00    1.02   1.020  [1.010, 1.030]  undecided
not shown at 90 columns: sessions
ratio: b / a, the median of paired ratios, not the quotient of the two times
= 1 of 5 equivalent within 2 %; geometric mean over 4 reliable pairs 1.012; A/A control
  (1) 1.001
by chance alone at most 0.1 of the 2 calls of slower or faster are wrong on average
NEWLY FAILS (Sum forward): arm b: killed by SIGSEGV
undecided (Log forward): about 9 more sessions"""


def test_the_table_as_it_is_seen() -> None:
    """At 90 columns."""
    assert verdicts(Total(ROWS), 0.02, 90) == TABLE


@pytest.mark.parametrize("width", [60, 80, 160])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """Nor are those below the table, which are wrapped."""
    lines = verdicts(Total(ROWS), 0.02, width, ascii_only=True).splitlines()
    assert len([line for line in lines if line[:3] in {"   ", "!  ", "+  ", "-  ", "~  "}]) == 5
    assert max(map(len, lines)) <= width
    assert all(map(str.isascii, lines))


def test_what_rows_have_in_common_is_said_once() -> None:
    """With the first of them and how many more there are."""
    rows = [row(f"Op{n}", "undecided", 1.02, reason="no interval yet") for n in range(3)]
    assert "undecided (Op0 forward and 2 more): no interval yet" in verdicts(Total(rows), 0.02, 80)


def test_a_control_that_differs_is_shouted() -> None:
    """It is in the table as well."""
    text = verdicts(Total([row("Exp", "slower", 1.1, control=True)]), 0.02, 160)
    assert "Exp A against A" in text
    assert "A AGAINST A DIFFERS (Exp): do not believe this comparison" in text


def test_one_sided_changes_are_called_suspicious() -> None:
    """Seventeen slower, none faster."""
    text = verdicts(Total([row(f"Op{n}", "slower", 1.1) for n in range(17)]), 0.02, 160)
    assert "17 slower, 0 faster" in text


def test_neighbors_are_said_once() -> None:
    """As a share of all sessions."""
    text = verdicts(Total([row("Exp", "equivalent", disturbed=3)]), 0.02, 160)
    assert "beside a busy neighbor: 50% of what was measured" in text


def test_hostile_names_are_harmless() -> None:
    """A plug-in's operator may be called anything."""
    text = verdicts(Total([row("\x1b[2J\nEvil", "slower", 1.1, reason="\x1b]0;x\x07")]), 0.02, 160)
    assert "\x1b" not in text
    assert "\n[2J" not in text


WIDE = (4.2e-7, 4294455284439897.0)


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("name", ["Add", "ScaledDotProductAttention" * 4])
@pytest.mark.parametrize("interval", [WIDE, (1.131, 1.155), (0.0, 1e300), (0.5, float("inf"))])
def test_a_verdict_is_never_dropped(width: int, name: str, interval: Any) -> None:
    """Whatever else there is: an absurd interval, long names, several frameworks, a reason."""
    shapes = {"inputs": {"data": (64, 3, 224, 224), "weight": (64, 3, 7, 7), "axis": "x" * 40}}
    rows = [
        row(name, "slower", 1.143, interval=interval, reason="because " * 20, **shapes),
        row(name, "newly_fails", None, framework="mxnet", direction="forward_recorded"),
    ]
    lines = verdicts(Total(rows), 0.02, width).splitlines()
    assert lines[0].endswith("verdict")
    assert "NEWLY FAILS" in lines[1]
    assert "SLOWER (unconfirmed)" in lines[2]
    assert max(map(len, lines)) <= width


def test_an_absurd_interval_is_not_spelled_out() -> None:
    """Ends further apart than a factor of ten say that nothing is known."""
    assert interval_text(WIDE) == "> 10x"
    assert interval_text((0.1, 1.0)) == "[0.100, 1.000]"
    assert interval_text((0.1, 1.001)) == "> 10x"
    assert interval_text((14.5, 15.5)) == "[14.500, 15.500]"
    text = verdicts(Total([row("Add", "noisy", 1.0, interval=WIDE, reliable=False)]), 0.02, 100)
    assert "4294455284439897" not in text
    assert "> 10x: the ends of the interval are further apart" in text


def test_times_are_shown_where_all_is_equivalent() -> None:
    """A user who compares one operator sees what it takes; else equal ones are a count."""
    lines = verdicts(Total([row("Exp", "equivalent")]), 0.02, 80).splitlines()
    assert lines[0].split()[-8:] == ["a", "[us]", "b", "[us]", "ratio", "95", "%", "verdict"]
    assert lines[1].split()[3:6] == ["1.00", "1.00", "1.000"]


def test_the_table_says_what_its_ratio_is() -> None:
    """By `ab` of pairs, by `compare` of the two times beside it."""
    paired = " ".join(verdicts(Total([row("Exp", "equivalent")]), 0.02, 200).split())
    assert "the median of paired ratios" in paired
    stored = verdicts(Total([row("Exp", "equivalent")]), 0.02, 200, paired=False)
    assert "the quotient of the two times" in stored
    assert "paired" not in stored


def test_means_leave_out_what_is_not_reliable() -> None:
    """And say how many."""
    rows = [row("Exp", "equivalent"), row("Log", "noisy", 100.0, reliable=False)]
    text = verdicts(Total(rows), 0.02, 160)
    assert "geometric mean over 1 reliable pair 1.000; 1 left out" in text


def test_json_rows_are_flat_objects() -> None:
    """An interval is a list of two, or null."""
    assert flat(ROWS[2])["interval"] == [pytest.approx(1.13157), pytest.approx(1.15443)]
    assert flat(ROWS[3])["interval"] is None


def test_nothing_compared_says_so() -> None:
    """No table, and no mean of nothing."""
    assert verdicts(Total([]), 0.02, 80) == "= 0 of 0 equivalent within 2 %"


def value_row(
    operator: str, verdict: str, a: float | None, b: float | None, **changes: Any
) -> ComparedRow:
    """Return a row of bytes that never varied."""
    by_difference = a == 0
    values = ComparedMetric(
        metric="workspace", unit="B", a=a, b=b, difference=None if b is None else b - (a or 0),
        bounds=None, by_difference=by_difference, exact=a is not None,
    )  # fmt: skip
    ratio = b / a if a and b else None
    own = {"values": values, "a_seconds": None, "b_seconds": None, "interval": None}
    return row(operator, verdict, ratio, **{**own, **changes})


VALUES = """\
   operator  inputs     direction        a        b  difference  ratio  95 %   verdict
+  Exp       (64,64)x2  forward    4.10 kB  8.19 kB           -  2.000  exact  WORSE (confirmed)
+  Log       (64,64)x2  forward        0 B  4.10 kB    +4.10 kB      -  exact  WORSE (unconfirmed)
?  Sin       (64,64)x2  forward          -        -           -      -  -      no value
not shown at 100 columns: sessions
workspace of a call: medians over sessions of both in turns; ratio: b / a
exact: all sessions said the same; that is no interval, and no promise
difference: b - a, judged where a value is 0, as a share of the larger one
= 0 of 3 equivalent within 2 %; geometric mean over 1 reliable pair 2.000
no value (Sin forward): no meter"""


def test_another_metric_has_its_unit_and_says_how_it_was_judged() -> None:
    """By the difference where there is no ratio; exact ones have no interval."""
    rows = [
        value_row("Exp", "worse", 4096, 8192, confirmed=True),
        value_row("Log", "worse", 0, 4096),
        value_row("Sin", "no_value", None, None, reason="no meter"),
    ]
    text = verdicts(Total(rows), 0.02, 100)
    assert text == VALUES


def test_rows_of_another_metric_have_fields_of_their_own() -> None:
    """Those of a time have none of them, and both are read back."""
    found = flat(value_row("Log", "worse", 0, 4096))
    own = {"metric": "workspace", "unit": "B", "a_value": 0, "b_value": 4096, "difference": 4096,
           "difference_interval": None, "judged_by": "difference", "exact": True}  # fmt: skip
    assert {name: found[name] for name in own} == own
    time = flat(row("Add", "slower"))
    assert not {*own, "values"} & {*time}
    (again,) = verdicts_from([found])
    made = verdict_of(value_row("Log", "worse", 0, 4096))
    assert (again.metric, again.b_value, again.exact) == (made.metric, made.b_value, made.exact)
    assert not made.holds_back


def test_exact_values_leave_nothing_to_chance() -> None:
    """That all of them are worse is no sign of a machine that lies."""
    rows = [value_row(f"Op{n}", "worse", 1, 2, confirmed=True) for n in range(17)]
    text = verdicts(Total(rows), 0.02, 160)
    assert "by chance" not in text
    assert "one-sided" not in text
    assert Total(rows).regressions() == rows
