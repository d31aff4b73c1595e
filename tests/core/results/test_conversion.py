"""What is refused of JSON, and how it is said: the place, what is there and what may be."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec import Struct

from opperf.core.errors import UsageError
from opperf.core.results.conversion import record_part
from opperf.core.results.environment import EnvironmentRecord
from opperf.core.results.parts import (
    MemoryRecord,
    Number,
    Positive,
    WarningRecord,
    Whole,
)


class Sample(Struct, forbid_unknown_fields=True):
    """One of each kind of field."""

    name: str
    count: Positive
    times: tuple[Number, Number]
    within: WarningRecord | None = None
    open: dict[str, str] | None = None
    sizes: tuple[Whole, ...] = ()


SOUND: dict[str, Any] = {"name": "a", "count": 1, "times": [1, 2.5]}
WARNING = {"code": "noisy", "message": "wide"}


def test_what_readers_look_at_of_an_environment_may_be_missing() -> None:
    """No version's environments are refused for what they lack, or have besides."""
    assert record_part({"kernel": "6.1"}, EnvironmentRecord, "environment.") == EnvironmentRecord()


@pytest.mark.parametrize(
    "more",
    [{}, {"within": None}, {"within": WARNING}, {"open": {"x": "y"}}, {"times": [1e300, 0]}],
)
def test_what_is_of_the_type_is_taken(more: dict[str, Any]) -> None:
    """Whatever may be missing, missing or not."""
    assert record_part(SOUND | more, Sample).name == "a"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": 3}, "field 'x.name' must be str, not 3"),
        ({"name": None}, "field 'x.name' must be str, not null"),
        ({"count": True}, "field 'x.count' must be int, not true"),
        ({"count": 0}, "field 'x.count' must be int >= 1, not 0"),
        ({"count": 10**301}, "field 'x.count' must be int <= 9223372036854775807, not 1000000"),
        ({"times": [1.0]}, "field 'x.times' must be array of length 2, not [1.0]"),
        ({"times": [1.0, float("nan")]}, "field 'x.times[1]' must be float >= -1e+300, not nan"),
        ({"times": [1.0, float("-inf")]}, "field 'x.times[1]' must be float >= -1e+300, not -inf"),
        ({"times": [1.0, 1e301]}, "field 'x.times[1]' must be float <= 1e+300, not 1e+301"),
        ({"times": [1.0, "x"]}, "field 'x.times[1]' must be float, not 'x'"),
        ({"times": [1.0, True]}, "field 'x.times[1]' must be float, not true"),
        ({"within": []}, "field 'x.within' must be object or null, not []"),
        ({"within": {}}, "field 'x.within.code' is missing"),
        ({"within": {**WARNING, "code": [[]]}}, "field 'x.within.code' must be str, not [[]]"),
        ({"open": {"y": 5}}, "field 'x.open[...]' must be str, not {'y': 5}"),
        ({"more": 5}, "field 'x.more' is unknown"),
        ({"sizes": [1, 2, 3.5]}, "field 'x.sizes[2]' must be int, not 3.5"),
        (
            {"name": ["y" * 99]},
            "field 'x.name' must be str, not ['yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...",
        ),
    ],
)
def test_what_is_not_is_refused(changes: dict[str, Any], said: str) -> None:
    """The line names the place, what is there and what may be."""
    with pytest.raises(UsageError, match=rf"^{re.escape(said)}"):
        record_part(SOUND | changes, Sample, "x.")


def test_a_whole_that_is_wrong_itself_is_named() -> None:
    """As what a child says of the memory."""
    with pytest.raises(UsageError, match=r"^field 'memory' must be object, not \[\]$"):
        record_part([], MemoryRecord, "memory.")
