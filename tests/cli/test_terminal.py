"""The tables as they come out of the program: at 80 and 160 columns, in ASCII, and into a pipe."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROWS = (
    ("Add", "forward", "numpy", "ok", 493e-6, 0.007),
    ("Add", "forward", "other", "ok", 431e-6, 0.004),
    ("Add", "backward", "numpy", "noisy", 729e-6, 0.08),
    ("Add", "backward", "other", "ok", 31.6e-6, 0.006),
    ("Sqrt", "forward", "numpy", "crashed", None, None),
    ("Sqrt", "forward", "other", "ok", 5e-6, None),
)
AT_80 = """\
operator  inputs          direction      numpy [us]      other [us]  ratio
Add       (64,3,224,224)  forward      493    ±0.7%    431    ±0.4%   0.87
                          backward   ! 730    ±8.0%     31.6  ±0.6%      ?
Sqrt      (64,3,224,224)  forward           crashed  !   5.00    ±?      -

time: median, ± half its 95 % interval within this one process
±? no interval, or one as wide as the time is long
! do not rely on this time; opperf show --statistics says why
ratio: other / numpy; below 1, other takes less time; geometric mean 0.87 over 1
  reliable pair; 1 left out
? one of the two times is not to be relied on
not shown at 80 columns: output, numpy rate, other rate

4 ok, 1 noisy, 1 crashed
crashed: Sqrt numpy forward: gone
"""
IN_ASCII = """\
operator  inputs          direction       numpy [us]       other [us]  ratio
Add       (64,3,224,224)  forward      493    +-0.7%    431    +-0.4%   0.87
                          backward   ! 730    +-8.0%     31.6  +-0.6%      ?
Sqrt      (64,3,224,224)  forward            crashed  !   5.00    +-?      -
"""
HEAD_AT_160 = """\
operator  inputs          direction      numpy [us]      other [us]  ratio  output   numpy rate  other rate
Add       (64,3,224,224)  forward      493    ±0.7%    431    ±0.4%   0.87  16.4 kB   9.52 GB/s   9.52 GB/s
                          backward   ! 730    ±8.0%     31.6  ±0.6%      ?            9.52 GB/s   9.52 GB/s
Sqrt      (64,3,224,224)  forward           crashed  !   5.00    ±?      -  16.4 kB           -   9.52 GB/s
"""  # noqa: E501 - as wide as the terminal


@pytest.fixture
def journal(call: Callable[..., Any], tmp_path: Path) -> str:
    """Return a journal with these rows, made of a record of a real run."""
    run = ("run", "-k", "name=Exp", "--framework", "numpy", "--size", "small", "--runs", "6")
    assert call(*run, "--quiet").returncode == 0
    (path,) = tmp_path.glob("runs/*/results.jsonl")
    record = json.loads(path.read_text().splitlines()[0])
    lines = [json.dumps(changed(record, number)) + "\n" for number in range(len(ROWS))]
    tmp_path.joinpath("rows.jsonl").write_text("".join(lines))
    return "rows.jsonl"


def changed(record: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the record as that of a row."""
    name, direction, framework, status, seconds, precision = ROWS[number]
    names = {"name": name, "direction": direction, "framework": framework}
    ends = None if precision is None else [seconds * (1 - precision), seconds * (1 + precision)]
    figures = {"median": seconds, "precision": precision, "interval": ends, "warnings": []}
    return {
        **record,
        "result_id": str(number),
        "operator": {**record["operator"], **names},
        "inputs": [{**record["inputs"][0], "shape": [64, 3, 224, 224]}],
        "byte_rate": 9.52e9,
        "memory": {"outputs": 16384, "workspace": None, "saved": None},
        "definition_key": direction,
        "status": status,
        "reason": "gone" if status == "crashed" else None,
        "summary": None if seconds is None else {**record["summary"], **figures},
    }


@pytest.mark.parametrize(
    "variables", [{}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1", "TERM": "xterm"}]
)
def test_80_columns_into_a_pipe(opperf: Any, journal: str, variables: dict[str, str]) -> None:
    """What was looked at, to the letter; there is no color to switch off."""
    found = opperf.run("show", journal, COLUMNS="80", **variables)
    assert found.stdout == AT_80
    assert found.stderr == ""


def test_80_columns_in_ascii(opperf: Any, journal: str) -> None:
    """Under LANG=C with an encoding that has no more."""
    found = opperf.run("show", journal, COLUMNS="80", LANG="C", PYTHONIOENCODING="ascii")
    assert found.stdout.startswith(IN_ASCII)
    assert found.stdout.isascii()


def test_160_columns(opperf: Any, journal: str) -> None:
    """There is room for inputs, outputs and rates; a pipe without COLUMNS has it too."""
    wide = opperf.run("show", journal, COLUMNS="160")
    assert wide.stdout.startswith(HEAD_AT_160)
    assert opperf.run("show", journal, COLUMNS="").stdout == wide.stdout


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (("show",), "operator"),
        (("--help",), "usage: opperf"),
        (("list", "--format", "json"), "["),
        (("completion", "zsh"), "#compdef opperf"),
    ],
)
def test_a_closed_pipe(opperf: Any, journal: str, words: tuple[str, ...], first: str) -> None:
    """Whoever reads the first line only is not told of an error."""
    given = (*words, journal) if words == ("show",) else words
    command = ["sh", "-c", f"{' '.join(opperf.command(*given))} | head -n 1"]
    found = opperf.execute(command)
    assert found.stdout.startswith(first)
    assert found.stderr == ""
