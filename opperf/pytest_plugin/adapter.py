"""The fixture `benchmark` as tests for pytest-benchmark use it, measured by opperf's core.

Source: pytest-benchmark's documentation of its fixture, pytest-benchmark.readthedocs.io.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.pytest_plugin.fixture import OpperfFixture
from opperf.pytest_plugin.stash import session_of
from opperf.reporting.foreign.pytest_benchmark import stats

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FRESH = "opperf calls with the same arguments each time; pedantic(setup=...) asks for fresh ones"


class BenchmarkFixture:
    """Calls a function, measures it, and returns what it returned.

    `stats` holds pytest-benchmark's statistics once something was measured; `extra_info`, `group`
    and `name` may be set and change nothing.
    """

    enabled = True
    disabled = False

    def __init__(self, opperf: OpperfFixture) -> None:
        self.opperf = opperf
        self.extra_info: dict[str, Any] = {}
        self.group: str | None = None
        self.name = opperf.item.name
        self.stats: dict[str, Any] | None = None

    def __call__(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Measure a call; where several processes run tests, call once and measure nothing."""
        value = function(*arguments, **keywords)
        if self.opperf.session.alone:
            self.stats = stats(self.opperf.with_keywords(function, arguments, keywords))
        return value

    def pedantic(
        self,
        target: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        setup: Callable[[], Any] | None = None,
        **rounds: int,
    ) -> Any:
        """Measure a call; opperf finds out how many rounds and iterations it takes."""
        del rounds
        if setup is not None:
            pytest.skip(FRESH)
        return self(target, *args, **(kwargs or {}))


@pytest.fixture
def benchmark(request: pytest.FixtureRequest) -> BenchmarkFixture:
    """Stand for pytest-benchmark's fixture."""
    return BenchmarkFixture(OpperfFixture(session_of(request.config), request.node))
