"""Operators that harm their process, each before an innocent one of which nothing may be lost.

`benchmarks/hostile.py` runs all of them; here is one of each class, without those that only hang.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

HOSTILE = str(Path(__file__).parents[1] / "hostile")
ATTACKS = {
    "SaysText": "crashed",
    "SaysDeep": "crashed",
    "SaysEarlyDone": "crashed",
    "SaysOthersResult": "crashed",
    "SaysWithoutEnd": "crashed",
    "SaysLater": None,
    "ForksAndReturns": None,
    "ForksAndSleeps": None,
    "ClosesAll": "crashed",
    "TakesThePipesNumbers": "crashed",
    "PrintsMuch": None,
    "LimitsItsMemory": None,
    "MasksPermissions": None,
    "LeavesLater": None,
    "LeavesADaemon": None,
    "TakesSharedMemory": "out_of_memory",
    "TurnsWrong": "wrong_result",
    "IsWrongInTurns": "wrong_result",
}
"""How the row of an attack has to end, None where it may end with a time."""
QUICK = ("--size", "small", "--runs", "6", "--warmup", "0", "--timeout", "20")


@pytest.fixture(scope="module")
def attacked(command_line: Any, plugin: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a command line, with what came of a run of these attacks."""
    folder = tmp_path_factory.mktemp("hostile")
    opperf = command_line(folder, os.pathsep.join((plugin, HOSTILE)))
    names = ", ".join(f"Hostile{name}, Innocent{name}" for name in ATTACKS)
    limits = ("--memory-limit", "500MB", "--quiet")
    arguments = ("run", "-k", f"name in ({names})", "--framework", "toy", *QUICK, *limits)
    process = opperf.start(*arguments)
    opperf.said = process.communicate(timeout=600)
    opperf.code = process.returncode
    opperf.found = {record["operator"]["name"]: record for record in opperf.records()}
    return opperf


def test_no_innocent_is_lost_or_blamed(attacked: Any) -> None:
    """Each has its one row, with a time, whatever was done before it in its process."""
    assert len(attacked.records()) == len(attacked.found) == 2 * len(ATTACKS)
    innocents = [attacked.found[f"Innocent{name}"] for name in ATTACKS]
    lost = [(one["operator"]["name"], one["reason"]) for one in innocents if not one["summary"]]
    assert lost == []


@pytest.mark.parametrize("name", [name for name, status in ATTACKS.items() if status])
def test_a_fault_is_laid_on_the_one_who_did_it(attacked: Any, name: str) -> None:
    """With a status and a reason of one line."""
    record = attacked.found[f"Hostile{name}"]
    assert record["status"] == ATTACKS[name], record["reason"]
    assert record["reason"]
    assert len(record["reason"]) <= 1000


def test_the_run_ends_in_order(attacked: Any) -> None:
    """With 11, no traceback, and nothing that is still running."""
    assert attacked.code == 11
    assert "Traceback" not in attacked.said[1]
    attacked.wait_for(lambda: not attacked.survivors())


def test_what_is_printed_fills_no_disk(attacked: Any) -> None:
    """A run of operators that print without end takes a few megabytes."""
    size = sum(path.stat().st_size for path in attacked.directory.rglob("*") if path.is_file())
    assert size < 50 * 2**20
    assert all(json.loads(line) for line in attacked.journal().splitlines())
