"""The fixture `opperf`: measure a call or an operator within a test."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.results.status import TROUBLE
from opperf.measuring.callables import measure_callable
from opperf.pytest_plugin.stash import SLOWER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.results.collection import Results
    from opperf.core.results.result import Result
    from opperf.pytest_plugin.session import MeasuringSession
    from opperf.running.operator import Operator

ONE_AT_A_TIME = "opperf measures one thing at a time: run pytest without -n"


class OpperfFixture:
    """Measures in the name of one test."""

    def __init__(self, session: MeasuringSession, item: pytest.Item) -> None:
        self.session = session
        self.item = item

    def __call__(
        self, function: Callable[..., object], *arguments: object, name: str = "", **settings: Any
    ) -> Result:
        """Call a function once, then measure calls with the same arguments; return the result.

        What it raises is the test's. Several measurements of one test need names of their own.

        Args:
            function: what is called.
            arguments: its positional arguments.
            name: what tells it from other measurements of this test.
            settings: precision, budget, runs, warmup.
        """
        if not self.session.alone:
            pytest.skip(ONE_AT_A_TIME)
        function(*arguments)
        label = f"{self.item.nodeid}:{name}" if name else self.item.nodeid
        chosen = {**self.session.settings, **settings}
        result = measure_callable(function, *arguments, name=label, **chosen)
        self.add([result])
        return result

    def with_keywords(
        self, function: Callable[..., Any], arguments: Sequence[Any], keywords: dict[str, Any]
    ) -> Result:
        """Measure a call that has keyword arguments."""
        return self(partial(function, **keywords) if keywords else function, *arguments)

    def operator(self, operator: type[Operator], **options: Any) -> Results:
        """Check and measure an operator in all its directions.

        Args:
            operator: the class, such as `opperf.nd.Add`.
            options: what its constructor takes: inputs, framework, device, size, budget, ...

        Raises:
            UsageError: the framework or the device is not here, or the tensors do not fit.
        """
        if not self.session.alone:
            pytest.skip(ONE_AT_A_TIME)
        results = operator(**{**self.session.settings, **options}).run_benchmark()
        self.add(results)
        return results

    def add(self, results: Sequence[Result]) -> None:
        """Store results; what failed fails the test, and so will what is slower than before."""
        slower = self.session.add(results)
        self.item.stash.setdefault(SLOWER, []).extend(slower)
        failed = [result for result in results if result.status in TROUBLE]
        if failed:
            pytest.fail("\n".join(map(repr, failed)), pytrace=False)
