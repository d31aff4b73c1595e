"""`opperf bisect --versions`: real wheels of a package, installed and measured by real sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.comparing.arms.wheels import wheel

if TYPE_CHECKING:
    import pytest

    from tests.conftest import CommandLine

PATIENCE = 900
"""Seconds until a hang is one: a busy machine takes several minutes."""
VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4")
SLOWER, BROKEN = "1.1", "1.2"
"""The version with the change; the one in the middle, which is tried first, does not install."""
ROUNDS = 8
"""How often slower versions do the work: no load of a machine makes that a matter of chance."""
FRAMEWORK = """\
from dataclasses import replace
from functools import partial
from importlib import import_module

from opperf.numpy_benchmarks.framework import NumPy, bind_reference


class Laps(NumPy):
    name = "laps"
    module = "laps"

    def facts(self):
        return {**super().facts(), "name": "laps", "version": import_module("laps").__version__}

    def implementation(self, operator, *, variant):
        found = super().implementation(operator, variant=variant)
        return found and replace(found, build=partial(bind, operator.tensors))


def bind(tensors, reference, *arrays, **others):
    return partial(import_module("laps").run, bind_reference(tensors, reference, *arrays, **others))


FRAMEWORK = Laps()
"""
PACKAGE = """\
__version__ = {version!r}


def run(step):
    for _ in range({rounds}):
        found = step()
    return found
"""


def install_framework(folder: Path) -> None:
    """Write the framework that measures the package, as another distribution that is installed."""
    about = folder / "opperf_laps-1.0.dist-info"
    about.mkdir(parents=True)
    (folder / "opperf_laps.py").write_text(FRAMEWORK)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: opperf-laps\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[opperf.frameworks]\nlaps = opperf_laps:FRAMEWORK\n")


def write_index(folder: Path) -> dict[str, str]:
    """Write the wheels; return the variables by which installers find them, and nothing else.

    NumPy, which every environment needs, is this Python's own: its wheel has the path to it.
    """
    for version in VERSIONS:
        rounds = ROUNDS if version >= SLOWER else 1
        needs = "Requires-Dist: nowhere-at-all\n" if version == BROKEN else ""
        code = PACKAGE.format(version=version, rounds=rounds)
        wheel(folder, version, needs, name="laps", files={"laps.py": code})
    here = {"numpy_here.pth": f"{Path(np.__file__).parents[1]}\n"}
    wheel(folder, np.__version__, name="numpy", files=here)
    found = {"NO_INDEX": "1", "FIND_LINKS": str(folder)}
    return {f"{tool}_{name}": value for tool in ("PIP", "UV") for name, value in found.items()}


def test_the_version_that_made_it_slower_is_named(
    command_line: type[CommandLine], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between versions that are installed from an index; one that is not to be had is left out."""
    install_framework(tmp_path / "plugin")
    variables = {**write_index(tmp_path / "wheels"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    opperf = command_line(tmp_path, str(tmp_path / "plugin"))
    words = ["bisect", VERSIONS[0], VERSIONS[-1], "--versions", "laps", "--framework", "laps"]
    what = ["-k", "name=Exp and direction=forward", "--size", "small", "--wait", "--state", "state"]
    process = opperf.start(*words, *what)
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert f"left out {BROKEN}: " in said
    assert f"the change came with {SLOWER}, probability " in out
    answer: dict[str, Any] = json.loads((tmp_path / "state" / "answer.json").read_text())
    assert (answer["kind"], answer["found"]["candidates"]) == ("named", [SLOWER])
    asked = json.loads((tmp_path / "state" / "bisection.json").read_text())
    assert [one["name"] for one in asked["candidates"]] == [*VERSIONS]
