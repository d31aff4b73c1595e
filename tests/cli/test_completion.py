"""The shells' own completion, in the real shells; each takes the script that opperf prints."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from opperf.cli.verbs.completion import SHELLS

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60.0
HOSTILE = "b$(touch owned);touch owned;`touch owned`.json"
"""The name of a file, and what a shell does that takes it for more."""
PRINTING = "opperf() {{ printf '<%s>\\n' \"$@\"; echo over; }}"
RUN = "20261121T031502-7f3a9c"
STARTS = {
    "bash": (["--norc", "-i"], f"source {{script}}; {PRINTING}"),
    "zsh": (
        ["-f", "-i"],
        f"fpath=({{folder}} $fpath); autoload -U compinit; compinit -u -D; {PRINTING}",
    ),
    "fish": (
        ["--no-config", "-i"],
        "source {script}; function opperf; printf '<%s>\\n' $argv; echo over; end",
    ),
}
"""The options of each shell, and what it is told first: to complete, and to print the words."""


def script_of(shell: str, folder: Path) -> Path:
    """Save what opperf prints for a shell."""
    done = subprocess.run(
        [sys.executable, "-m", "opperf", "completion", shell], capture_output=True, check=True
    )
    path = folder / f"opperf.{shell}"
    path.write_bytes(done.stdout)
    return path


def need(shell: str) -> str:
    """Return the path of a shell, or skip the test."""
    return shutil.which(shell) or pytest.skip(f"{shell} is not installed here")


def typed(words: list[str], keys: list[bytes], until: bytes) -> bytes:
    """Start a shell in a terminal, press keys line by line, and return all until a text is seen."""
    shell, terminal = pty.fork()
    if shell == 0:
        os.environ.update(TERM="dumb", PS1="$ ", COLUMNS="200")
        os.execvp(words[0], words)  # noqa: S606 - a shell is what is tested
    seen, deadline = b"", time.monotonic() + PATIENCE
    try:
        for key in keys:
            os.write(terminal, key)
        while until not in seen and time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.2)[0]:
                seen += os.read(terminal, 65536)
    finally:
        os.kill(shell, 9)
        os.waitpid(shell, 0)
        os.close(terminal)
    return seen


def test_bash_completes_in_a_terminal(tmp_path: Path) -> None:
    """A verb, by one key."""
    bash = need("bash")
    keys = [f"source {script_of('bash', tmp_path)}\n".encode(), b"opperf basel\t"]
    assert b"opperf baseline" in typed([bash, "--norc", "-i"], keys, b"opperf baseline")


def test_zsh_completes_in_a_terminal(tmp_path: Path) -> None:
    """Likewise; what help says in backquotes is not carried out."""
    zsh = need("zsh")
    script_of("zsh", tmp_path).rename(tmp_path / "_opperf")
    start = f"fpath=({tmp_path} $fpath); autoload -U compinit; compinit -u -D\n".encode()
    found = typed([zsh, "-f", "-i"], [start, b"opperf basel\t"], b"opperf baseline")
    assert b"opperf baseline" in found
    found = typed([zsh, "-f", "-i"], [start, b"opperf run LayerNormR\t"], b"LayerNormResidual")
    assert b"LayerNormResidual" in found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("opperf basel", "baseline"),
        ("opperf run --prec", "--precision"),
        ("opperf run LayerNormR", "LayerNormResidual"),
        ("opperf db ver", "verify"),
        ("opperf run --size sm", "small"),
        ("opperf history LayerNormR", "LayerNormResidual"),
        ("opperf show --only unre", "unreliable"),
    ],
)
def test_fish_completes(line: str, expected: str, tmp_path: Path) -> None:
    """As fish itself says."""
    fish = need("fish")
    script = f"source {script_of('fish', tmp_path)}; complete -C '{line}'"
    done = subprocess.run(
        [fish, "--no-config", "-c", script], capture_output=True, text=True, check=True
    )
    assert expected in [offered.partition("\t")[0] for offered in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["basel"], "baseline"),
        (["run", "--prec"], "--precision"),
        (["run", "LayerNormR"], "LayerNormResidual"),
        (["run", "gem"], "gemm"),
        (["run", "--size", "sm"], "small"),
        (["run", "cor"], "core"),
        (["run", "--framework", "onnx"], "onnxruntime"),
        (["ab", "LayerNormR"], "LayerNormResidual"),
        (["model", "resnet5"], "resnet50"),
        (["history", "Dot", "--metric", "inst"], "instructions"),
    ],
)
def test_bash_completes(words: list[str], expected: str, tmp_path: Path) -> None:
    """Verbs, flags, their values, operators, tags, networks."""
    bash = need("bash")
    script = (
        f"source {script_of('bash', tmp_path)}; COMP_WORDS=(opperf {' '.join(words)}); "
        f'COMP_CWORD={len(words)}; _shtab_opperf; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(
        [bash, "--norc", "-c", script], capture_output=True, text=True, check=True
    )
    assert expected in done.stdout.split()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_name_of_a_file_is_one_word(shell: str, tmp_path: Path) -> None:
    """Completed by a key and carried out by the next, it reaches opperf as it is."""
    program = need(shell)
    options, told = STARTS[shell]
    script, work = script_of(shell, tmp_path), tmp_path / "work"
    if shell == "zsh":
        script.rename(tmp_path / "_opperf")
    work.mkdir()
    work.joinpath(HOSTILE).touch()
    start = f"{told.format(script=script, folder=tmp_path)}; cd {work}\n".encode()
    seen = typed([program, *options], [start, b"opperf show b\t", b"\n"], b"over\r")
    assert f"<{HOSTILE}>".encode() in seen
    assert [path.name for path in work.iterdir()] == [HOSTILE]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_run_is_the_last_or_one_of_those_here(shell: str, tmp_path: Path) -> None:
    """Each by a key; of the folder only what is a run's id, so that no name there does anything."""
    program = need(shell)
    options, told = STARTS[shell]
    script, work = script_of(shell, tmp_path), tmp_path / "work"
    if shell == "zsh":
        script.rename(tmp_path / "_opperf")
    for name in (RUN, f"{RUN};touch owned", "20261121T$(touch owned)-7f3a9c", "20261121`touch x`"):
        work.joinpath("runs", name).mkdir(parents=True)
        work.joinpath("runs", name, "run.json").touch()
    work.joinpath("runs", "20261121T031502-7f3a9d").mkdir()
    start = f"{told.format(script=script, folder=tmp_path)}; cd {work}\n".encode()
    keys = [start, b"opperf show l\t", b"\n", b"opperf run --again 2026\t", b"\n"]
    seen = typed([program, *options], keys, f"<{RUN}>".encode())
    assert b"<last>" in seen
    assert f"<{RUN}>".encode() in seen
    assert [path.name for path in work.iterdir()] == ["runs"]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_sound(shell: str, tmp_path: Path) -> None:
    """The shell itself reads it without a word, and nothing in it is carried out."""
    program = need(shell)
    done = subprocess.run(
        [program, "-n", str(script_of(shell, tmp_path))], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
