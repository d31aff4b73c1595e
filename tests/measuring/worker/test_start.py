"""Children that do not start."""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions
from subprocess import run
from typing import Any

import pytest

from opperf.core.errors import UsageError
from opperf.measuring.worker import handle
from opperf.measuring.worker.handle import Limits


def test_a_device_that_is_not_there_is_refused(make: Any) -> None:
    """By the framework's own words, and the child is gone."""
    worker = make(device="cuda:0")
    with pytest.raises(UsageError, match="unknown device 'cuda:0' for numpy"):
        worker.ensure()
    assert worker.process is None


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("exit 3", "ended with status 3; it said: nothing"),
        ("echo one; echo $'\\e[31mtwo\\e[0m' >&2; kill -SEGV $$", "status -11; it said: .*two"),
        ("echo '{' >&$replies; sleep 60", "the measuring process said b'{'"),
    ],
)
def test_a_child_that_does_not_start_is_one_line(
    make: Any, python: Any, script: str, message: str
) -> None:
    """With what it said last, as harmless text."""
    worker = make(python=python(script))
    with pytest.raises(UsageError, match=rf"framework 'numpy' did not load: .*{message}") as caught:
        worker.ensure()
    assert str(caught.value).isprintable()
    assert worker.process is None


def test_a_child_that_never_answers_is_not_waited_for(
    make: Any, python: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading has a time of its own, which a short one for operators does not shorten."""
    monkeypatch.setattr(handle, "LOADING", 0.2)
    worker = make(Limits(timeout=0.1), python=python("sleep 60"))
    with pytest.raises(UsageError, match=r"did not load: no answer within 0\.2 s"):
        worker.ensure()


def test_a_measuring_child_needs_no_more_than_numpy_and_its_framework() -> None:
    """What only the parent needs would lie in the memory of what is timed, and in every arm."""
    modules = ("timing", "memory", "arm", "fresh_arm")
    names = ", ".join(f"opperf.measuring.children.{name}" for name in modules)
    known = "from opperf.declaring.registry import operators; operators()"
    roots = "{name.partition('.')[0] for name in sys.modules}"
    program = f"import sys; import {names}; {known}; print(*sorted({roots}))"
    found = run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    installed = {*packages_distributions()}
    assert set(found.stdout.split()) & installed <= {"numpy", "opperf", "_distutils_hack"}
