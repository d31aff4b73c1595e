"""`opperf ab --model`: a network's step in two arms, in turns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli.command import command
from tests.conftest import told
from tests.networks.conftest import MORE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import CommandLine

MODELS = ("--model-dir", str(MORE), "--framework", "pytorch", "--batch_size", "2")
ARMS = ("--a", ".", "--b", "OMP_NUM_THREADS=2")


def test_steps_are_compared_in_turns(opperf: CommandLine) -> None:
    """One that is wrong in both arms has no time; the comparison is kept, shown and resumed."""
    pytest.importorskip("torch")
    words = ("ab", *ARMS, "--model", "small", "--model", "nothing", *MODELS)
    done = opperf.run(*words, "--sessions", "1", "--most-sessions", "1", "--format", "json")
    assert done.returncode == 11, done.stderr
    rows = {row["operator"]: row for row in json.loads(done.stdout)}
    assert rows["small"]["a_seconds"] > 0
    assert rows["nothing"]["verdict"] == "wrong_result"
    shown, resumed = (opperf.run(verb, "last", "--format", "json") for verb in ("show", "resume"))
    assert json.loads(shown.stdout) == json.loads(resumed.stdout) == json.loads(done.stdout)
    opperf.wait_for(lambda: not opperf.survivors())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-k", "name=Add"], "-k: is of operators; leave it out beside --model"),
        (["--metric", "instructions"], "--metric instructions does not go with --model"),
        (["--model", "smal"], "unknown model of pytorch 'smal'; did you mean 'small'?"),
    ],
)
def test_what_does_not_go_with_a_network_is_one_line(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Before anything is started."""
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    assert command(["ab", *ARMS, "--model", "small", *MODELS, *words], None) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(told(error)) == 1
    assert not [*tmp_path.iterdir()]
