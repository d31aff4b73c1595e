"""Known gaps of the frameworks are attempted, so that one that no longer holds is noticed."""

from __future__ import annotations

from typing import Any

import pytest

from opperf.core.errors import UnsupportedError
from opperf.core.frameworks import BUILT_IN
from opperf.core.workload import DIRECTIONS

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")


def test_each_limitation_still_holds(limitation: Any) -> None:
    """Every attempt fails, in the words that the limitation quotes; if not, strike it.

    Where two gaps hold at once an attempt may fail in the words of the other, but not always.
    """
    kind, gap, rows = limitation
    if missing := rows[0][0].missing():
        pytest.skip(missing)
    quoted = []
    for contract, direction in rows:
        outcome = contract.outcome(direction)
        failed = outcome.status in {"failed", "wrong_result", "unsupported", "out_of_memory"}
        assert failed, f"{contract} {direction} ends as {outcome.status}"
        where = (gap.framework, contract.dtype, direction)
        others = [known for known in kind.limitations if known.holds(*where, fused=contract.fused)]
        assert any(known.words in str(outcome.reason) for known in others), outcome.reason
        quoted.append(gap.words in str(outcome.reason))
    assert any(quoted)


def test_a_limited_row_says_so(limitation: Any) -> None:
    """Without the attempt the row is unsupported, with the reason that is documented."""
    kind, gap, rows = limitation
    assert rows
    for contract, direction in rows:
        with pytest.raises(UnsupportedError) as caught:
            contract.operator.refuse_limitation(gap.framework, direction, fused=contract.fused)
        assert str(caught.value) in {known.reason for known in kind.limitations}


def test_limitations_name_what_exists(kind: Any) -> None:
    """Frameworks, dtypes and directions are spelled right, and the words are not empty."""
    for gap in kind.limitations:
        assert gap.framework in BUILT_IN
        assert set(gap.directions) <= set(DIRECTIONS)
        assert set(gap.dtypes) <= set(kind.dtypes)
        assert gap.fused is None or kind.fusable
        assert gap.words.strip() == gap.words != ""
