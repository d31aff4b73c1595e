"""What declarations cover of networks' calls, by share."""

from __future__ import annotations

import pytest

from opperf.calls.ranking.coverage import coverage, shares
from opperf.calls.reading.logs import parse_log
from opperf.core.errors import UsageError

LOG = b"""\
Operator: aten.mm.default
cnt: 6, ((T([8, 16], f32), T([16, 4], f32)), {})
cnt: 1, ((T([2, 2], f32), T([2, 2], f32)), {})
Operator: aten.t.default
cnt: 2, ((T([2, 2], f32),), {})
Operator: aten.empty.memory_format
cnt: 1, (([2],), {})
Operator: aten.nobody_has.default
cnt: 3, ((T([2], f32),), {})
Operator: aten.has_this.default
cnt: 7, ((T([2], f32),), {})
"""


def test_what_is_missing_comes_first() -> None:
    """And of that the most called; shares are of all calls of all networks."""
    found = coverage([parse_log(LOG, "toy"), parse_log(LOG, "other")])
    assert [(one.operator, one.meaning.kind, one.calls) for one in found] == [
        ("aten.has_this.default", "missing", 14),
        ("aten.nobody_has.default", "missing", 6),
        ("aten.mm.default", "declared", 14),
        ("aten.t.default", "view", 4),
        ("aten.empty.memory_format", "bookkeeping", 2),
    ]
    product = found[2]
    assert (product.distinct, product.networks, product.share) == (4, 2, 14 / 40)
    assert product.meaning.declarations[0] == "Dot"
    assert shares(found) == pytest.approx(
        {"declared": 14 / 40, "view": 4 / 40, "bookkeeping": 2 / 40, "missing": 20 / 40}
    )


def test_a_framework_that_is_unknown_is_named() -> None:
    """A calls file may name any."""
    from msgspec.structs import replace

    with pytest.raises(UsageError, match="unknown framework 'theano'"):
        coverage([replace(parse_log(LOG, "toy"), framework="theano")])
