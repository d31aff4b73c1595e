"""docs/specs.md as its readers follow it: its files written, its commands typed in their order."""

from __future__ import annotations

import re
import shlex
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.frameworks.registry import find_framework
from tests.docs.commands import typed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import CommandLine

DOCUMENT = (Path(__file__).parents[2] / "docs" / "specs.md").read_text(encoding="utf-8")
FILE = re.compile(r"^<!-- test: (\S+) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NEEDED = {
    "opperf spec script.json --model_cache models": "save.py",
}
"""The program that is to be run before a command."""
EXAMPLES = " examples/"


@pytest.fixture
def followed(opperf: CommandLine) -> CommandLine:
    """Return a folder with the files that the document shows."""
    if not all(find_framework(name).is_installed() for name in ("pytorch", "mxnet")):
        pytest.skip("both frameworks are shown")
    for name, text in FILE.findall(DOCUMENT):
        (opperf.directory / name).write_text(text, encoding="utf-8")
    return opperf


def metrics_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a record's metrics by name."""
    return {metric["name"]: metric["value"] for metric in record["metrics"]}


def test_the_document_can_be_followed(followed: CommandLine) -> None:
    """From the first command to the last, each of which ends with 0 and does what is said of it."""
    done: dict[str, Any] = {}
    for command in typed_in(DOCUMENT):
        if EXAMPLES in command:  # tests/specs/test_example.py types them
            continue
        if program := NEEDED.get(command):
            saved = followed.execute([sys.executable, program])
            assert saved.returncode == 0, saved.stderr
        verb, *words = shlex.split(command)[1:]
        done[command] = found = followed.run(verb, *words)
        assert found.returncode == 0, f"{command}: {found.stdout}{found.stderr}"
        check = CHECKS.get(command)
        if check is not None:
            check(followed, found.stdout)
    assert CHECKS.keys() <= done.keys()
    followed.wait_for(lambda: not followed.survivors())


def four_delays(opperf: CommandLine, stdout: str) -> None:
    """Two shapes on two frameworks, each with its operators."""
    records = opperf.records()
    found = {(one["operator"]["framework"], one["attributes"]["identifier"]) for one in records}
    assert found == {*product(("mxnet", "pytorch"), ("digits_0", "digits_1"))}
    assert len(records) == 4
    for record in records:
        assert record["status"] in ("ok", "noisy")
        assert record["subject"] == {"kind": "spec", "name": "digits"}
        assert record["summary"]["n"] == 20
        assert metrics_of(record)["throughput"] > 0
        assert any(name.startswith("operator/") for name in metrics_of(record))
        assert record["memory"]["outputs"] == record["inputs"][0]["shape"][0] * 10 * 4
    assert "slowest operator" in stdout


def golden_files(opperf: CommandLine, stdout: str) -> None:
    """A file a test."""
    shapes = [np.load(opperf.directory / f"golden/digits_{n}/0.npy").shape for n in (0, 1)]
    assert shapes == [(1, 10), (16, 10)]
    assert stdout.count("right") == 2


def right_on_both(opperf: CommandLine, stdout: str) -> None:
    """MXNet's outputs are PyTorch's but for rounding; other golden ones are found."""
    assert stdout.count("right") == 4
    assert all(metrics_of(one)["error"] < 1e-5 for one in opperf.records())
    path = opperf.directory / "golden/digits_0/0.npy"
    golden = np.load(path)
    np.save(path, golden + np.float32(0.01))
    done = opperf.run("spec", "checked.json", "--trust-model", "--framework", "mxnet")
    np.save(path, golden)
    assert done.returncode == 11
    wrong, right = opperf.records()
    assert (wrong["status"], right["status"]) == ("wrong_result", "skipped")
    assert metrics_of(wrong)["error"] == pytest.approx(0.01, rel=0.01)
    assert "10 of 10 values are too far" in done.stderr


def one_of_the_file(opperf: CommandLine, stdout: str) -> None:
    """Loaded without trust from the model cache, and timed."""
    del stdout
    (record,) = opperf.records()
    assert record["operator"]["implementation"] == "torchscript"
    assert record["status"] in ("ok", "noisy")
    assert [*(opperf.directory / "models").rglob("digits.pt")]


def three_of_the_list(opperf: CommandLine, stdout: str) -> None:
    """The tests of both files."""
    del opperf
    assert len(stdout.splitlines()) == 1 + 3


def reported(opperf: CommandLine, stdout: str) -> None:
    """A leaf of the tree a test, and what was given about the run in each record."""
    leaves = sorted((opperf.directory / "reports").rglob("meta.json"))
    assert [leaf.parts[-8:-6] for leaf in leaves] == [("delay", "digits_0"), ("delay", "digits_1")]
    assert {leaf.parts[-3:-1] for leaf in leaves} == {("0123abc", "0")}
    for record in opperf.records():
        meta = record["meta"]
        assert (meta["run_type"], meta["commit"]) == ("verify", "0123abc")
    assert "verify of commit 0123abc" in stdout


def texts(commands: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what belongs to each command that begins so."""
    for command in typed_in(DOCUMENT):
        for begin, check in commands.items():
            if command.startswith(begin):
                yield command, check


CHECKS = dict(texts({
    "opperf spec digits.json --trust-model --framework": golden_files,
    "opperf spec checked.json": right_on_both,
    "opperf spec script.json": one_of_the_file,
    "opperf spec all.json": three_of_the_list,
    "opperf spec --benchmark_file": reported,
}))  # fmt: skip
CHECKS["opperf spec digits.json --trust-model"] = four_delays
