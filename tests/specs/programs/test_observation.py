"""What programs print, as FAI-PEP's programs do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.specs.programs.observation import observe
from opperf.specs.programs.record import outcome_of

PRINTED = """\
loading...
Caffe2Observer {"type": "NET", "metric": "latency", "unit": "us", "value": "1234.5"}
PyTorchObserver {"type": "NET", "metric": "delay", "unit": "ms", "value": 2}
{"type": "NET", "unit": "s", "values": [1, "2"]}
I/art: {"type": "ID_0_Conv", "metric": "latency", "unit": "us", "value": 7} done
{"type": "NET", "metric": "power", "unit": "us", "value": 9}
{"type": "NET", "metric": "latency", "unit": "parsec", "value": 9}
{"type": "NET", "metric": "latency", "unit": "us", "value": "NaN"}
{"type": "NET", "metric": "latency", "unit": "us", "value": -1}
{"type": "NET", "metric": "latency", "unit": "us", "value": {"p50": 3}}
{"type": ["NET"], "unit": "us", "value": 3} {broken
"""


def test_times_are_found_among_all_else() -> None:
    """In their units; what is no time, no number or no object is passed over."""
    found = observe(PRINTED)
    assert found.net == pytest.approx([0.0012345, 0.002, 1, 2])
    assert found.operators == {"ID_0_Conv": [pytest.approx(7e-6)]}


def test_no_time_is_no_result() -> None:
    """A clock that is too coarse says 0."""
    found = outcome_of('{"type": "NET", "unit": "ms", "values": [1, 0]}', 1)
    assert (found.status, found.summary) == ("failed", None)
    assert found.reason == "the program printed that a run took no time"


@given(st.text() | st.text(alphabet='{}[]":,NETvalueunits0123456789.e-\n ').map('{"type"'.__add__))
def test_any_text_is_read(text: str) -> None:
    """Without an error."""
    observe(text)
