"""What every test gets: no settings from outside, and the command line as a user has it."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import HealthCheck, settings

from opperf.__main__ import MEASURING
from opperf.core.results.result import Result
from tests.records import result_of

MakeResult = Callable[..., Result]

ROOT = Path(__file__).parents[1]
PLUGIN = ROOT / "tests" / "plugin"
"""A folder that counts as an installed package where it is on PYTHONPATH."""
MARK = "MXNET_MARK_OF_A_TEST"
"""A variable that every process of a command inherits, grandchildren included."""
NO_RETRY = {"OPPERF_RETRY": "no"}
"""How many records a run writes must not depend on how quiet the machine is."""
settings.register_profile(
    "opperf", settings.default, deadline=None, suppress_health_check=(HealthCheck.too_slow,)
)
settings.load_profile("opperf")  # how fast examples are drawn and tried is the machine's affair
PATIENCE = 300.0
"""Seconds that a command, and whatever is waited for, may take on a machine that is busy."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests marked ``gpu`` on a machine without an NVIDIA GPU."""
    if Path("/dev/nvidiactl").exists():
        return
    skip = pytest.mark.skip(reason="no NVIDIA GPU on this machine")
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(skip)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Let a test, its fixtures and what they start be interrupted, as in a terminal.

    A shell's job in the background ignores SIGINT, and who imports dask_jobqueue exits by it.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _no_settings_from_outside(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Hide the user's OPPERF_* variables and cache: they would change what a test sees.

    What `opperf doctor --peaks` has measured here would stand in tables. Installers keep their own
    cache, so that nothing is downloaded twice.
    """
    for name in [name for name in os.environ if name.startswith("OPPERF_")]:
        monkeypatch.delenv(name)
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for installer in ("pip", "uv"):
        variable = f"{installer.upper()}_CACHE_DIR"
        monkeypatch.setenv(variable, os.environ.get(variable) or str(usual / installer))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "state"))


@pytest.fixture(autouse=True, scope="session")
def _own_lock() -> Iterator[None]:
    """Let each process of pytest have the machine's lock, in TMPDIR, to itself.

    Several compare at once here; one test after the other takes it in a process.
    """
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory(prefix="opperf-", ignore_cleanup_errors=True) as folder,
    ):
        Path(folder).chmod(0o755)  # servers and tests with users of their own look into it
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", None)
        yield


@pytest.fixture(scope="session")
def make_result() -> MakeResult:
    """Return a function that makes a valid result, with the given fields."""
    numbers = count(1)

    def make(**changes: Any) -> Result:
        fields: dict[str, Any] = {
            "result_id": f"{next(numbers):032x}",
            "run_id": "20261121T031502-7f3a9c",
            "started_at": "2026-11-21T03:15:02.123+00:00",
            "opperf_version": "0.1.0",
            "status": "ok",
            "operator": {
                "name": "Add",
                "category": "arithmetic",
                "framework": "numpy",
                "direction": "forward",
                "device": "cpu",
                "size": "small",
                "fused": None,
                "implementation": "numpy.add",
            },
            "inputs": ({"name": "lhs", "shape": [2, 3], "dtype": "float32", "nbytes": 24},),
            "series_key": "0" * 16,
            "definition_key": "1" * 16,
            "samples": {
                "seconds": [1.5e-6, 1.25e-6, 1.75e-6],
                "iterations": 100,
                "first_call": 2e-6,
                "null": 0.0,
            },
            "summary": {
                "n": 3,
                "median": 1.5e-6,
                "interval": None,
                "precision": None,
                "warnings": [],
            },
        }
        return result_of(**(fields | changes))

    return make


def told(stderr: str) -> list[str]:
    """Return the lines of stderr behind the one with which a verb that measures begins."""
    begun = tuple(f"opperf: {verb}: loading" for verb in MEASURING)
    return [line for line in stderr.splitlines() if line not in begun]


@dataclass
class CommandLine:
    """``opperf`` typed in a directory of its own, where a plug-in may be installed."""

    directory: Path
    plugin: str = ""

    def environment(self, **variables: str) -> dict[str, str]:
        """Return the environment that commands get."""
        hidden = ("OPPERF_", "PYTHONUNBUFFERED")  # what is not buffered is not lost at the end
        kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        path = os.pathsep.join(filter(None, (str(ROOT), self.plugin)))
        own = {"PYTHONPATH": path, MARK: str(self.directory), "COLUMNS": "160", **NO_RETRY}
        return kept | own | variables

    def command(self, *arguments: str) -> list[str]:
        """Return the arguments of a process that carries the command out."""
        return [sys.executable, "-m", "opperf", *arguments]

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        """Start a command; its output is captured unless `options` of Popen say otherwise."""
        chosen: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.directory,
            env=self.environment(),
            text=True,
            **chosen,
        )

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Carry a command out, with further environment variables."""
        return self.execute(self.command(*arguments), **variables)

    def execute(self, command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
        """Run any program as `run` does."""
        return subprocess.run(
            command,
            cwd=self.directory,
            env=self.environment(**variables),
            capture_output=True,
            check=False,
            text=True,
            timeout=PATIENCE,
        )

    def runs(self) -> list[Path]:
        """Return the folders of all runs, oldest first."""
        return sorted(self.directory.glob("runs/*"))

    def records(self) -> list[dict[str, Any]]:
        """Return the records in the newest run's journal; a torn line is an error."""
        return [json.loads(line) for line in self.journal().splitlines()]

    def stored(self) -> int:
        """Return how many records there are while they are being written."""
        return self.journal().count(b"\n")

    def journal(self) -> bytes:
        """Return the newest run's journal as it is now; empty before there is one."""
        paths = sorted(self.directory.glob("runs/*/results.jsonl"))
        return paths[-1].read_bytes() if paths else b""

    def rows(self) -> list[tuple[str, ...]]:
        """Return which operator, size and direction each record is of."""
        names = ("name", "size", "direction")
        return [tuple(str(r["operator"][name]) for name in names) for r in self.records()]

    def survivors(self) -> list[psutil.Process]:
        """Return the processes that come from any command here and still run."""
        return [process for process in psutil.process_iter() if self.is_marked(process)]

    def running(self, words: str) -> list[psutil.Process]:
        """Return those whose command line has these words."""
        found = []
        for process in self.survivors():
            with suppress(psutil.NoSuchProcess):  # it may end meanwhile
                if words in " ".join(process.cmdline()):
                    found.append(process)
        return found

    def is_marked(self, process: psutil.Process) -> bool:
        """Return whether a process inherited the mark; that of a dead one is gone."""
        try:
            return process.environ().get(MARK) == str(self.directory)
        except psutil.Error:
            return False

    def wait_for(self, happened: Any) -> None:
        """Wait until a function returns something true."""
        deadline = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < deadline, f"{happened} did not come true"
            time.sleep(0.02)


@pytest.fixture(scope="session")
def command_line() -> type[CommandLine]:
    """Return what makes a command line in a directory of one's choice."""
    return CommandLine


@pytest.fixture(scope="session")
def plugin() -> str:
    """Return what PYTHONPATH must hold for the plug-in to be installed."""
    return str(PLUGIN)


@pytest.fixture
def opperf(tmp_path: Path) -> CommandLine:
    """Return the command line as it is without a plug-in."""
    return CommandLine(tmp_path)


@pytest.fixture
def toy(tmp_path: Path) -> CommandLine:
    """Return the command line with the framework `toy` and the faulty operators installed."""
    return CommandLine(tmp_path, str(PLUGIN))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Return the browser, started once."""
    pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    module = load_browser()
    if lacking := module.missing():
        pytest.skip(f"{' and '.join(lacking)} not found: apt-get install chromium chromium-driver")
    with module.started() as found:
        yield found


def load_browser() -> Any:
    """Return docs/browser.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("browser", ROOT / "docs" / "browser.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
