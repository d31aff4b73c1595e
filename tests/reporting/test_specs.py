"""Rows of specifications' tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.reporting.specs import spec_rows

if TYPE_CHECKING:
    from tests.conftest import MakeResult


@pytest.mark.parametrize(("status", "marked"), [("ok", False), ("noisy", True)])
def test_a_delay_that_is_not_to_be_relied_on_is_marked(
    make_result: MakeResult, status: str, marked: bool
) -> None:
    """As every time is."""
    subject = {"kind": "spec", "phase": "inference", "batch": 2}
    result = make_result(status=status, subject=subject, attributes={"identifier": "net_0"})
    (row,) = spec_rows([result])
    assert str(row["delay"]).startswith("! ") == marked
