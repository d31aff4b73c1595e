"""What declarations cover of networks' calls, by share."""

from __future__ import annotations

import pytest

from opperf.calls.ranking.coverage import coverage, shares, time_shares
from opperf.calls.reading.logs import parse_log
from opperf.core.errors import UsageError
from tests.reporting.networks import Timed, network

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


def test_of_what_is_missing_the_dearest_comes_first_where_times_are_known() -> None:
    """A run may have times of some networks only; their shares are of the times that there are."""
    calls = [
        Timed("aten.has_this.default", 9, 1e-6),
        Timed("aten.nobody_has.default", 2, 1e-3),
        Timed("aten.mm.default", 4, 2e-3, status="noisy"),
        Timed("aten.never_timed.default", 20, None, status="failed"),
    ]
    measured = network(calls)
    found = coverage([measured.record, parse_log(LOG, "other")], [measured.ranking])
    assert [(one.operator, one.timed) for one in found[:5]] == [
        ("aten.nobody_has.default", 2),
        ("aten.has_this.default", 9),
        ("aten.never_timed.default", 0),
        ("aten.mm.default", 4),
        ("aten.t.default", 0),
    ]
    assert found[0].seconds == pytest.approx(2e-3)
    assert found[0].time_share == pytest.approx(2e-3 / (2e-3 + 9e-6 + 8e-3))
    assert (found[2].seconds, found[2].time_share) == (None, None)
    assert time_shares(found) == pytest.approx(
        {"missing": 2009 / 10009, "declared": 8 / 10.009, "view": 0, "bookkeeping": 0}
    )
    assert all(one.time_share is None for one in coverage([measured.record]))


def test_a_framework_that_is_unknown_is_named() -> None:
    """A calls file may name any."""
    from msgspec.structs import replace

    with pytest.raises(UsageError, match="unknown framework 'theano'"):
        coverage([replace(parse_log(LOG, "toy"), framework="theano")])
