"""What pytest loads: options, fixtures and the summary. Nothing heavy is imported until used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.pytest_plugin.stash import SESSION, SLOWER, session_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from opperf.pytest_plugin.fixture import OpperfFixture


CHECKED = ("opperf_compare", "opperf_min_effect", "opperf_json")
"""The options whose values are refused before any test runs."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("opperf", "measuring by opperf's core")
    group.addoption(
        "--opperf-compare", metavar="RUN",
        help="fail what is slower than in this run: its id, last, or a file of pytest-benchmark",
    )  # fmt: skip
    group.addoption(
        "--opperf-min-effect", metavar="SHARE", type=float,
        help="the smallest change of interest (default: 0.1)",
    )  # fmt: skip
    group.addoption(
        "--opperf-budget", metavar="SECONDS", type=float,
        help="the most time for the samples of one measurement",
    )  # fmt: skip
    group.addoption("--opperf-runs-dir", metavar="DIR", help="where runs are stored")
    group.addoption(
        "--opperf-json", metavar="FILE", help="write the results as pytest-benchmark's JSON"
    )
    group.addoption(
        "--opperf-benchmark", action="store_true",
        help="let the fixture `benchmark` of pytest-benchmark measure by opperf's core",
    )  # fmt: skip
    group.addoption(
        "--opperf-operators", action="store_true",
        help="add a test for each operator that plug-ins and conftest.py declare",
    )  # fmt: skip


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Check the options before anything is collected.

    pytest-benchmark refuses any other fixture of its name, so it is set aside for ours.
    """
    if config.getoption("opperf_benchmark"):
        from opperf.pytest_plugin import adapter

        config.addinivalue_line("markers", "benchmark: what pytest-benchmark is told of a test")
        config.pluginmanager.unregister(name="benchmark")
        config.pluginmanager.register(adapter, "opperf-benchmark")
    if any(config.getoption(name) is not None for name in CHECKED):
        session_of(config)


@pytest.fixture
def opperf(request: pytest.FixtureRequest) -> OpperfFixture:
    """Measure a call: ``opperf(function, *arguments)`` returns its result.

    ``opperf.operator(Add, framework="pytorch", size="small")`` checks and measures an operator.
    """
    from opperf.pytest_plugin.fixture import OpperfFixture

    return OpperfFixture(session_of(request.config), request.node)


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add operators as tests where that is asked for."""
    if config.getoption("opperf_operators"):
        from opperf.pytest_plugin.operator_item import operator_items

        items += operator_items(session, session_of(config))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    """Fail a test that has passed where what it measured is slower than before."""
    outcome = yield
    if outcome.excinfo is None and (lines := item.stash.get(SLOWER, [])):
        outcome.force_exception(pytest.fail.Exception("\n".join(lines), pytrace=False))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the JSON that is asked for; what cannot be written fails the session."""
    measuring = session.config.stash.get(SESSION, None)
    if measuring is not None and measuring.alone and not measuring.write_json():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print what was measured, and the verdicts."""
    session = config.stash.get(SESSION, None)
    if session is None or not session.results:
        return
    terminalreporter.section("opperf")
    for line in session.summary(terminalreporter._tw.fullwidth):  # noqa: SLF001 - it has no other name
        terminalreporter.write_line(line)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let other processes write the run's file."""
    session = config.stash.get(SESSION, None)
    if session is not None:
        session.close()
