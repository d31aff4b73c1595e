"""The table of several arms: a column each, 80 characters, and what there is no room for."""

from __future__ import annotations

import pytest

from opperf.comparing.row import ComparedRow
from opperf.comparing.total import Total
from opperf.reporting.arms_table import arms_table

RATIOS = {"slower": 1.143, "faster": 0.9, "equivalent": 1.001, "undecided": 1.027}


def row(operator: str, arm: str, verdict: str, **changes: object) -> ComparedRow:
    """Return a row of an arm against "ref"."""
    ratio = RATIOS.get(verdict)
    fields: dict[str, object] = {
        "operator": operator, "framework": "pytorch", "direction": "forward", "size": "small",
        "fused": None, "inputs": {"data": (64, 1024), "weight": (1024, 64)}, "a_seconds": 31e-6,
        "b_seconds": ratio and 31e-6 * ratio, "ratio": ratio,
        "interval": ratio and (ratio - 0.01, ratio + 0.01), "reliable": bool(ratio),
        "sessions": 12, "disturbed": 0, "pairs": 96, "verdict": verdict,
        "confirmed": True if verdict == "slower" else None,
        "reason": None if ratio else "SIGSEGV", "control": False, "arm": arm, "reference": "ref",
        "job": operator,
    }  # fmt: skip
    return ComparedRow(**{**fields, **changes})  # type: ignore[arg-type]


def table(count: int, width: int, **named: bool) -> str:
    """Return the table of so many arms beside the reference."""
    names = [f"version-2.{number}" for number in range(count)]
    verdicts = ("slower", "equivalent", "newly_fails", "faster", "undecided")
    rows = [
        row(operator, name, verdicts[(number + at) % len(verdicts)])
        for at, operator in enumerate(("Convolution2DTransposed", "Softmax"))
        for number, name in enumerate(names)
    ]
    rows += [row("Same", name, "equivalent") for name in names]
    return arms_table(Total(rows), ["ref", *names], 0.02, width, **named)


@pytest.mark.parametrize("count", range(1, 8))
@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_wider_and_what_is_hidden_is_named(count: int, width: int) -> None:
    """Each arm has a column, or is named among what is left out."""
    lines = table(count, width).splitlines()
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    columns = lines[1].count("1.143") + lines[1].count("1.001")
    assert columns or "arm version" in text
    hidden = [name for name in range(count) if f"arm version-2.{name}" in text]
    left_out = text.partition("columns: ")[2]
    assert all(f"arm version-2.{name}" in left_out for name in hidden)
    heads = lines[0].split()
    assert len([head for head in heads if head.startswith("ver")]) == count - len(hidden)
    assert "Same" not in lines[2:4]


def test_seven_arms_fit_into_80_columns_by_marks() -> None:
    """Their verdicts are marks, which a line explains; names may be cut."""
    text = table(7, 80)
    assert "+ slower" in text
    assert "= equivalent" in text
    assert "not shown at 80 columns: intervals, inputs" in " ".join(text.split())


def test_a_wide_table_has_words_and_intervals() -> None:
    """As the table of two arms has them."""
    text = table(2, 200)
    assert "1.143 [1.133, 1.153] SLOWER (confirmed)" in text
    assert "ref: time of a call; version-2.0, version-2.1: the median of paired" in text
    assert "not shown" not in text
    assert "version-2.0: = 2 of 3 equivalent within 2 %" in text


def test_chance_is_said_of_all_verdicts() -> None:
    """Operators times arms: each is one that chance has a part in."""
    text = " ".join(table(4, 200).split())
    assert "wrong on average: 12 verdicts, of 4 arms against one reference" in text


def test_what_is_equivalent_in_all_arms_is_counted_unless_all_is() -> None:
    """One operator of which nothing changed says that."""
    rows = [row("Same", name, "equivalent") for name in ("a", "b")]
    text = arms_table(Total(rows), ["ref", "a", "b"], 0.02, 120, ascii_only=True)
    assert text.splitlines()[1].split()[0] == "Same"
    assert text.isascii()


def test_names_and_reasons_of_strangers_are_texts() -> None:
    """Of a stored comparison that somebody else has written."""
    rows = [row("Bad\x1b[31m", "a", "newly_fails", reason="line\nbreak\x07")]
    text = arms_table(Total(rows), ["ref", "a"], 0.02, 80)
    assert "\x1b" not in text
    assert "\x07" not in text
