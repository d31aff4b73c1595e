"""Bytes from strangers are a Datum or an error."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from opperf.networks.data.datum import read_datum
from opperf.networks.data.source import UnreadableError
from tests.networks.data import datasets

WHOLE = datasets.raw_datum(0, 3, 3, 2) + datasets.float_field(6, 1.5) * 3


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_read_or_refused(value: bytes) -> None:
    """And nothing else is raised."""
    with suppress(UnreadableError):
        read_datum(memoryview(value))


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_changed_datum_is_read_or_refused(data: st.DataObject) -> None:
    """One byte changed, or some cut off."""
    place = data.draw(st.integers(0, len(WHOLE) - 1))
    byte = data.draw(st.integers(0, 255))
    for value in (WHOLE[:place] + bytes([byte]) + WHOLE[place + 1 :], WHOLE[:place]):
        with suppress(UnreadableError):
            read_datum(memoryview(value))


@given(st.integers(-(2**31), 2**31 - 1), st.lists(st.floats(width=32, allow_nan=False), max_size=9))
@settings(deadline=None)
def test_numbers_are_those_that_were_written(label: int, floats: list[float]) -> None:
    """Negative ones too, which take ten bytes."""
    separate = b"".join(datasets.float_field(6, value) for value in floats)
    datum = read_datum(memoryview(datasets.number_field(5, label) + separate))
    assert datum.label == label
    assert datum.floats.tolist() == floats
