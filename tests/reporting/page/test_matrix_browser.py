"""The matrix of operators by arms in a real browser: filter, themes, a narrow window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.page.comparison import comparison_page
from opperf.reporting.verdicts import verdicts_from

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Load = Callable[[Mapping[str, Any]], None]

ARMS = {"eager": ".", "compiled": "compile=true", "two": "threads=2", "torch2.12": "torch==2.12.1"}
OVERFLOW = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
LINES = """
return [...document.querySelectorAll("#matrix tbody tr")]
  .map((row) => [...row.cells].map((cell) => cell.innerText.replaceAll("\\n", " ").trim()));
"""


@pytest.fixture
def arms_page() -> dict[str, Any]:
    """Return the data of three operators in three arms beside the reference."""
    row = {"framework": "pytorch", "direction": "forward", "size": "small", "inputs": "(64,64)",
           "a_seconds": 31e-6, "sessions": 12, "pairs": 96, "reference": "eager"}  # fmt: skip
    rows: list[dict[str, Any]] = []
    verdicts = {
        "Add": ("slower", "equivalent", "newly_fails"),
        "Exp": ("faster", "undecided", "equivalent"),
        "Sum": ("equivalent",) * 3,
    }
    ratios = {"slower": 1.5, "equivalent": 1.001, "faster": 0.5, "undecided": 1.01}
    for operator, found in verdicts.items():
        for arm, verdict in zip([*ARMS][1:], found, strict=True):
            ratio = ratios.get(verdict)
            rows.append({
                **row, "operator": operator, "job": operator, "arm": arm, "verdict": verdict,
                "ratio": ratio, "interval": ratio and [ratio - 0.01, ratio + 0.01],
                "b_seconds": ratio and 31e-6 * ratio, "confirmed": verdict == "slower",
                "reason": None if ratio else "SIGSEGV",
            })  # fmt: skip
    rows.append({**rows[-1], "arm": "eager", "control": True})
    return comparison_page(
        ComparisonReport(
            verdicts=verdicts_from(rows), min_effect=0.02, arms=ARMS, interleaved=True,
            environments=[[{"threads": number}] for number in range(len(ARMS))],
        )
    )  # fmt: skip


def test_a_line_an_operator_and_a_cell_an_arm(
    browser: Any, load: Load, arms_page: dict[str, Any]
) -> None:
    """What is equivalent in all arms is there when asked for; the filter looks at all rows."""
    load(arms_page)
    lines = browser.ask(LINES)
    assert [line[0].split()[0] for line in lines] == ["Add", "Exp"]
    assert lines[0][2:] == ["31.0 us", "1.500 slower", "1.001 equivalent", "newly fails"]
    assert lines[1][3:] == ["0.500 faster", "1.010 undecided", "1.001 equivalent"]
    heads = "return [...document.querySelectorAll('#matrix thead th')].map((e) => e.textContent)"
    assert browser.ask(heads) == ["operator", "direction", *ARMS]
    choose = "const s = document.querySelector('#matrix select'); s.value = arguments[0];"
    browser.ask(choose + "s.dispatchEvent(new Event('change'));", "all")
    assert len(browser.ask(LINES)) == 3
    browser.ask("document.getElementById('filter').focus()")
    browser.type("compiled slower")
    browser.settle()
    assert [line[0].split()[0] for line in browser.ask(LINES)] == ["Add"]
    commands = "return [...document.querySelectorAll('#failures code')].map((e) => e.textContent)"
    browser.ask("const f = document.getElementById('filter'); f.value = '';"
                "f.dispatchEvent(new Event('input'));")  # fmt: skip
    browser.settle()
    again = "opperf ab --arm eager=. --arm torch2.12=torch==2.12.1 -k "
    assert browser.ask(commands)[0].startswith(again)
    text = browser.ask("return document.body.innerText")
    assert "compiled, two, torch2.12 against eager" in text
    assert "geometric mean compiled / eager" in text
    assert "Each arm against eager" in text
    assert [dict(entry) for entry in browser.logs("browser")] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1400])
def test_it_is_read_on_any_screen(
    browser: Any, load: Load, arms_page: dict[str, Any], theme: str, width: int
) -> None:
    """axe-core finds nothing, and nothing but the table itself is wider than a narrow window."""
    axe = pytest.importorskip("axe_core_python.selenium").Axe()
    browser.resize(width)
    load(arms_page)
    browser.ask(f"setTheme('{theme}')")
    browser.settle()
    assert browser.ask(OVERFLOW)
    browser.ask(axe.axe_script)
    found = browser.driver.execute_async_script("axe.run().then(arguments[0])")
    assert [violation["id"] for violation in found["violations"]] == []
