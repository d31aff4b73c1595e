"""Known gaps of the frameworks are attempted, so that one that no longer holds is noticed."""

from __future__ import annotations

import signal
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.limitation import Limitation, SizeThreshold
from opperf.core.frameworks.limits import known_limitations, refuse_limitation
from opperf.core.frameworks.registry import BUILT_IN, find_framework
from opperf.core.frameworks.workload import DIRECTIONS
from opperf.operators.arithmetic.arithmetic import Add
from opperf.operators.sorting.sorting import ArgMax
from tests.contracts.attempts import Attempts

if TYPE_CHECKING:
    from opperf.core.results.outcome import Outcome

FAILED = {"failed", "wrong_result", "unsupported", "out_of_memory", "crashed"}
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")


def test_each_limitation_still_holds(limitation: Any, attempts: Attempts) -> None:
    """Every attempt fails, in the words that the limitation quotes; if not, strike it.

    It is made at the smallest declared size that the limitation reaches, in another process, for
    what only fails on one processor kills on another; one that may kill in a process of its own.
    Where two gaps hold at once an attempt may fail in the words of the other, but not always.
    """
    _, gap, rows = limitation
    if missing := rows[0][0].missing():
        pytest.skip(missing)
    quoted = []
    for contract, direction in rows:
        outcome = attempt(contract, direction, attempts, alone=gap.deadly)
        assert outcome.status in FAILED, f"{contract} {direction} ends as {outcome.status}"
        if contract.shortage():
            continue
        known = [other.words for other in contract.known(direction)]
        assert any(words in str(outcome.reason) for words in known), outcome.reason
        quoted.append(gap.words in str(outcome.reason))
    assert any(quoted) or not quoted


def attempt(contract: Any, direction: str, attempts: Attempts, *, alone: bool) -> Outcome:
    """Return how a row ends, in a process that it shares with others or in one of its own."""
    if not alone:
        return attempts.fair_outcome(contract, direction)
    own = Attempts()
    try:
        return own.outcome(contract, direction)
    finally:
        own.close()


def test_a_limited_row_says_so(limitation: Any) -> None:
    """Without the attempt the row is unsupported, with the reason that is documented."""
    _, _, rows = limitation
    assert rows
    for contract, direction in rows:
        with pytest.raises(UnsupportedError) as caught:
            refuse_limitation(
                contract.operator, contract.framework, direction, variant=contract.variant
            )
        name, known = contract.framework_name, contract.known(direction)
        assert str(caught.value) in {f"{name}: {gap.reason}" for gap in known}


def test_limitations_name_what_exists(kind: Any) -> None:
    """Dtypes and directions are spelled right, and the words are not empty."""
    for gap in chain.from_iterable(find_framework(name).limitations(kind) for name in BUILT_IN):
        assert set(gap.directions) <= set(DIRECTIONS)
        assert set(gap.dtypes) <= set(kind.dtypes)
        assert gap.variant is None or kind.fusable
        assert gap.words.strip() == gap.words != ""
        assert all(gap.smallest_size(kind, dtype) for dtype in gap.dtypes or kind.dtypes)


def test_an_attempt_in_a_child_tells_how_it_ends(works: Any, attempts: Attempts) -> None:
    """One that succeeds is told from one that fails, so that a gap that is mended is seen."""
    ends = {"forward": "checked, not timed", "backward": "numpy measures forward only"}
    found = {direction: attempts.outcome(works, direction) for direction in ends}
    assert {direction: outcome.reason for direction, outcome in found.items()} == ends
    assert [outcome.status for outcome in found.values()] == ["skipped", "unsupported"]


def test_an_attempt_that_kills_ends_its_own_process(works: Any) -> None:
    """It is told by its signal, and the next attempt finds a new process."""
    own = Attempts()
    try:
        process = own.process = own.start()
        process.send_signal(signal.SIGSEGV)
        killed = own.outcome(works, "forward")
        assert (killed.status, killed.reason) == ("crashed", "killed by SIGSEGV")
        assert own.outcome(works, "forward").status == "skipped"
    finally:
        own.close()


def test_a_size_that_a_user_gives_decides() -> None:
    """A gap that holds beyond a size only is told where the inputs are larger, and not before."""
    mxnet, pytorch = find_framework("mxnet"), find_framework("pytorch")
    for length, known in ((2048, 0), (2049, 1)):
        operator = ArgMax(inputs={"data": (2, length, 3), "axis": -2, "dtype": "float16"})
        assert len(known_limitations(operator, mxnet, "forward", variant="only")) == known
        assert known_limitations(operator, pytorch, "forward", variant="only") == []
    with pytest.raises(UnsupportedError, match=r"\(beyond 2048 elements along the axis\)$"):
        refuse_limitation(operator, mxnet, "forward", variant="only")


def test_the_smallest_size_is_that_of_the_least_memory() -> None:
    """Not the first that is declared, and none where no declared size is large enough."""
    rows = SizeThreshold(100, "rows", lambda operator: operator.inputs["lhs"][0])
    gap = Limitation(words="no", beyond=rows)
    assert gap.smallest_size(Add, "float32") == "skewed"
    assert gap.smallest_size(Add, "float16") == "skewed"
    assert replace(gap, beyond=None).smallest_size(Add, "float32") == "small"
    assert replace(gap, beyond=replace(rows, limit=10**6)).smallest_size(Add, "float32") is None
