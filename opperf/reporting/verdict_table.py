"""The verdicts of a comparison for a terminal: what changed in full, what did not as a count."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from opperf.comparing.row import PREDICTION
from opperf.comparing.verdict import BETTER, VERDICTS, WORSE
from opperf.core.results.identity import WHOLE_NETWORKS
from opperf.reporting.compared_metric import (
    bounds_text,
    difference_text,
    metric_legend,
    side_text,
)
from opperf.reporting.layout import GAP, Column, fits, hidden_lines, render, spare
from opperf.reporting.one_unit import in_one_unit
from opperf.reporting.text import clean, to_ascii, wrap
from opperf.reporting.verdict_labels import inputs_label, row_label
from opperf.reporting.wording import direction_text, status_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.comparing.row import ComparedRow
    from opperf.comparing.total import Total

MARKS = {
    "newly_fails": "!", "slower": "+", "worse": "+", "wrong_result": "!", "newly_works": "*",
    "faster": "-", "better": "-", "different": "/", "undecided": "~", "noisy": "~",
    "no_value": "?", "fails": "x", "unsupported": "?", "skipped": "?", "equivalent": "=",
}  # fmt: skip
LOUD = ("newly_fails", *WORSE, "wrong_result", "newly_works", *BETTER)
SPARED = (
    "sessions", "95 %", "count", "inputs", "framework", "b", "a", "difference", "direction", "arm",
    "ratio", "",
)  # fmt: skip
"""The columns that are left out where there is no room, the first first; never the verdict."""
LEAST = {"operator": 12, "inputs": 8, "framework": 7, "direction": 8}
"""Characters to which a column may be cut."""
LEAST_VERDICT = 8
"""Characters to which any is cut that is left, on the narrowest terminals."""
WIDEST = 10
"""The quotient of an interval's ends from which they are not worth reading."""
ABSURD = f"> {WIDEST}x"
PAIRED = "ratio: b / a, the median of paired ratios, not the quotient of the two times"
APART = "ratio: b / a, the quotient of the two times"
GEOMETRIC = "geometric mean over"


def verdicts(
    total: Total, min_effect: float, width: int, *, paired: bool = True, ascii_only: bool = False
) -> str:
    """Return the table and the lines below it, no line wider than `width`.

    Where the table has no room for the reasons of its verdicts, they stand below it. What is
    equivalent is counted, unless all is. `paired` says that both sides were measured in turns.
    """
    shown = [
        row for row in total.compared if row.verdict != "equivalent" or row.kind in WHOLE_NETWORKS
    ]
    shown = [*(shown or total.compared), *total.predictions, *total.failed_controls()]
    shown.sort(key=rank_of)
    lines, below = [], summary(total, min_effect)
    if shown:
        whole = columns_of(shown)
        roomy = sum(column.width + GAP for column in whole) - GAP <= width
        brief = whole if roomy else columns_of(shown, reasons=False)
        table, hidden = spare(brief, width, columns_to_drop(shown))
        if not fits(table, width):
            table = [replace(each, least=LEAST_VERDICT) for each in table]
        lines = [
            *render(table, width, ascii_only=ascii_only), *hidden_lines(hidden, width),
        ]  # fmt: skip
        below = [
            *legend(shown, table, paired=paired),
            *below,
            *([] if roomy else reason_lines(shown)),
        ]
    for line in below:
        lines += wrap(line, width, ascii_only=ascii_only)
    text = "\n".join(lines)
    return to_ascii(text) if ascii_only else text


def rank_of(row: ComparedRow) -> tuple[Any, ...]:
    """Return where a row stands: a network and what is predicted of it below its calls."""
    of_network = row.kind in (*WHOLE_NETWORKS, PREDICTION)
    return row.control, of_network, VERDICTS.index(row.verdict), row.operator, row.kind


def legend(
    rows: Sequence[ComparedRow], columns: Sequence[Column], *, paired: bool
) -> Iterator[str]:
    """Yield what the ratios are, and what stands for an interval that is none."""
    headers = {column.header for column in columns}
    if any(row.values for row in rows):
        yield from metric_legend(rows, paired=paired)
    elif "ratio" in headers and any(row.ratio for row in rows):
        yield PAIRED if paired else APART
    if any(interval_text(row.interval) == ABSURD for row in rows) and "95 %" in headers:
        yield f"{ABSURD}: the ends of the interval are further apart than a factor of {WIDEST}"


def reason_lines(rows: Sequence[ComparedRow]) -> list[str]:
    """Return a line a reason: "undecided (Add forward and 3 more): about 9 more sessions"."""
    met: dict[tuple[str, str], list[ComparedRow]] = {}
    for row in rows:
        if row.reason:
            met.setdefault((verdict_text(row), clean(row.reason)), []).append(row)
    return [
        f"{verdict} ({row_label(found[0])} {direction_text(found[0].direction)}"
        f"{f' and {len(found) - 1} more' if len(found) > 1 else ''}): {reason}"
        for (verdict, reason), found in met.items()
    ]


def columns_of(rows: Sequence[ComparedRow], *, reasons: bool = True) -> list[Column]:
    """Return the table's columns."""
    several = len({row.framework for row in rows}) > 1
    by_difference = any(row.values and row.values.by_difference for row in rows)
    sides, unit = in_one_unit([side_text(row, side) for side in "ab" for row in rows])
    cells = {
        "": [MARKS[row.verdict] for row in rows],
        "operator": [row_label(row) + (" A against A" if row.control else "") for row in rows],
        "inputs": [inputs_label(row) for row in rows],
        "framework": [clean(row.framework) for row in rows] if several else [],
        "arm": [clean(row.arm or "") for row in rows] if any(row.arm for row in rows) else [],
        "direction": [direction_text(row.direction) for row in rows],
        "count": counts_of(rows),
        "a": sides[: len(rows)],
        "b": sides[len(rows) :],
        "difference": [difference_text(row) for row in rows] if by_difference else [],
        "ratio": [thousandths(row.ratio) for row in rows],
        "95 %": [bounds_text(row) or interval_text(row.interval) for row in rows],
        "sessions": [str(row.sessions) for row in rows],
        "verdict": [verdict_text(row) + reason_text(row, with_reason=reasons) for row in rows],
    }
    right = {"count", "a", "b", "difference", "ratio", "sessions"}
    return [
        Column(
            header=header,
            cells=texts,
            align="right" if header in right else "left",
            least=LEAST.get(header),
            unit=unit if header in {"a", "b"} else "",
        )
        for header, texts in cells.items()
        if texts
    ]


def counts_of(rows: Sequence[ComparedRow]) -> list[str]:
    """Return how often a step makes each call; nothing where no row is of a call."""
    if all(row.count is None for row in rows):
        return []
    return ["" if row.count is None else str(row.count) for row in rows]


def columns_to_drop(rows: Sequence[ComparedRow]) -> Sequence[str]:
    """Return what is left out first; inputs that tell no two rows apart before intervals."""
    alone = {(row.operator, row.framework, row.direction, row.fused, row.control) for row in rows}
    return SPARED if len(alone) < len(rows) else ("sessions", "inputs", *SPARED)


def thousandths(ratio: float | None) -> str:
    """Return a ratio to a thousandth."""
    return "-" if ratio is None else f"{ratio:.3f}"


def interval_text(interval: tuple[float, float] | None) -> str:
    """Return an interval to a thousandth, "> 10x" where its ends are further apart than that."""
    if interval is None:
        return "-"
    low, high = interval
    return f"[{low:.3f}, {high:.3f}]" if low > 0 and high <= WIDEST * low else ABSURD


def verdict_text(row: ComparedRow) -> str:
    """Return the verdict, loud where something has changed."""
    words = status_words(row.verdict)
    said = words.upper() if row.verdict in LOUD else words
    if row.verdict in WORSE and not row.control and row.kind != PREDICTION:
        known = {True: "confirmed", False: "not confirmed", None: "unconfirmed"}
        said += f" ({known[row.confirmed]})"
    return said


def reason_text(row: ComparedRow, *, with_reason: bool) -> str:
    """Return what follows the verdict where it is asked for."""
    return f": {clean(row.reason)}" if with_reason and row.reason else ""


def summary(total: Total, min_effect: float) -> list[str]:
    """Return what the rows come to: counts, means, controls, and when not to believe them."""
    return ["; ".join([*sums(total, min_effect), *control_sums(total)]), *doubts(total)]


def sums(total: Total, min_effect: float) -> list[str]:
    """Return how many are equivalent, and the mean of the reliable ratios."""
    counts = total.counts()
    same = f"{counts['equivalent']} of {len(total.compared)}"
    parts = [f"{MARKS['equivalent']} {same} equivalent within {100 * min_effect:.3g} %"]
    if found := total.mean():
        mean, interval, count = found
        pairs = "reliable pair" if count == 1 else "reliable pairs"
        text = f"{GEOMETRIC} {count} {pairs} {thousandths(mean)}"
        parts.append(text + (f" {interval_text(interval)}" if interval else ""))
    if left_out := total.left_out():
        parts.append(f"{left_out} left out")
    return parts


def control_sums(total: Total) -> list[str]:
    """Return the mean of the controls, where there are any."""
    if not (found := total.control_mean()):
        return []
    mean, interval, count = found
    text = f"A/A control ({count}) {thousandths(mean)}"
    return [text + (f" {interval_text(interval)}" if interval else "")]


def doubts(total: Total) -> list[str]:
    """Return what speaks against believing them."""
    lines = []
    if disturbed := sum(row.disturbed for row in total.rows):
        sessions = sum(row.sessions for row in total.rows)
        lines.append(
            f"beside a busy neighbor: {disturbed / sessions:.0%} of what was measured; it falls on "
            "both arms alike and widens the intervals"
        )
    counts = Counter(row.verdict for row in total.varying)
    worse, better = WORSE[bool(total.metric)], BETTER[bool(total.metric)]
    if changed := counts[worse] + counts[better]:
        lines.append(
            f"by chance alone at most {total.false_calls():.1g} of the {changed} calls of {worse} "
            f"or {better} are wrong on average"
        )
    if failed := total.failed_controls():
        names = ", ".join(sorted({clean(row.operator) for row in failed}))
        lines.append(f"A AGAINST A DIFFERS ({names}): do not believe this comparison")
    if total.one_sided():
        lines.append(
            f"{counts[worse]} {worse}, {counts[better]} {better}: so one-sided a change is more "
            "often the machine's than the operators'; see whether the controls agree"
        )
    return lines
