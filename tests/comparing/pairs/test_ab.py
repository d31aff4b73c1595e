"""`opperf ab` with real processes: every verdict and exit code, by arms that really differ."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import CompletedProcess

    from tests.comparing.pairs.conftest import Patch
    from tests.conftest import CommandLine

LATER_IS_SLOWER = """\
import os, sys, time
import numpy

if "opperf.measuring.children.arm" in sys.orig_argv:
    began = open("/proc/self/stat").read().rpartition(")")[2].split()[19]
    mine, real = (int(began), os.getpid()), numpy.exp  # numbers of processes begin anew
    open(os.path.join({place!r}, "%d.%d" % mine), "w").close()

    def exp(*given, **named):
        started = [entry for entry in os.scandir({place!r}) if entry.name[0].isdecimal()]
        both = sorted(started, key=lambda entry: entry.stat().st_mtime_ns)[-2:]
        last = max(tuple(map(int, entry.name.split("."))) for entry in both)
        end = time.perf_counter() + (60e-6 if mine == last else 0)
        while time.perf_counter() < end:
            pass
        return real(*given, **named)

    numpy.exp = exp
"""
"""Of the two processes of a session the one that was started last is the slower one."""
SHORT = ("--framework", "numpy", "--size", "small", "--most-sessions", "6", "--quiet")


def compare(
    opperf: CommandLine, selection: str, *more: str, a: str = ".", b: str = "."
) -> CompletedProcess[str]:
    """Compare some of NumPy's functions, whatever else is measured on this machine."""
    own = ("ab", "--a", a, "--b", b, "-k", f"name in ({selection})")
    return opperf.run(*own, *SHORT, *more)


def rows_of(done: CompletedProcess[str]) -> dict[str, dict[str, Any]]:
    """Return the rows of B against A, by operator."""
    return {row["operator"]: row for row in json.loads(done.stdout) if not row["control"]}


def test_each_operator_gets_the_verdict_it_has_earned(opperf: CommandLine, patched: Patch) -> None:
    """One arm B in which functions are slower, wrong, crash or fail, one A in which one fails."""
    b = patched("b", exp="slower", sqrt="crash", square="wrong", log="fail")
    a = patched("a", tanh="fail")
    names = "Exp, Sqrt, Square, Log, Tanh, Negative"
    done = compare(opperf, names, "--format", "json", a=a, b=b)
    assert done.returncode == 10, done.stderr
    rows = rows_of(done)
    assert {name: row["verdict"] for name, row in rows.items() if name != "Negative"} == {
        "Exp": "slower",
        "Sqrt": "newly_fails",
        "Square": "wrong_result",
        "Log": "newly_fails",
        "Tanh": "newly_works",
    }
    assert rows["Exp"]["confirmed"] is True
    assert rows["Exp"]["interval"][0] > 1.02
    assert "SIGABRT" in rows["Sqrt"]["reason"]
    assert "no kernel" in rows["Log"]["reason"]
    assert rows["Negative"]["verdict"] not in {"slower", "newly_fails", "fails"}
    assert set(rows["Exp"]) >= {
        "operator", "framework", "direction", "size", "inputs", "a_seconds", "b_seconds", "ratio",
        "interval", "sessions", "pairs", "verdict", "confirmed", "reason", "control",
    }  # fmt: skip
    for row in rows.values():
        if row["verdict"] in {"newly_fails", "newly_works", "wrong_result"}:
            assert row["ratio"] is row["interval"] is None


def test_faster_is_no_regression(opperf: CommandLine, patched: Patch) -> None:
    """The slower function is in arm A."""
    done = compare(opperf, "Exp", "--format", "json", a=patched("a", exp="slower"))
    assert done.returncode == 0, done.stderr
    assert rows_of(done)["Exp"]["verdict"] == "faster"


def test_a_hang_in_one_arm_is_timed_out_and_the_rest_goes_on(
    opperf: CommandLine, patched: Patch
) -> None:
    """Twice, in fresh processes; none of them is left."""
    b = patched("b", exp="hang")
    done = compare(opperf, "Exp, Negative", "--timeout", "6s", "--format", "json", b=b)
    assert done.returncode == 10, done.stderr
    rows = rows_of(done)
    assert rows["Exp"]["verdict"] == "newly_fails"
    assert "no answer" in rows["Exp"]["reason"]
    assert rows["Negative"]["ratio"] is not None
    opperf.wait_for(lambda: not opperf.survivors())


def test_a_wrong_result_alone_ends_with_11(opperf: CommandLine, patched: Patch) -> None:
    """It has no time, and the table says so in words."""
    done = compare(opperf, "Exp", b=patched("b", exp="wrong"))
    assert done.returncode == 11, done.stderr
    assert "WRONG RESULT" in done.stdout


def test_what_fails_in_both_arms_ends_with_11(opperf: CommandLine, patched: Patch) -> None:
    """Nothing can be said of it."""
    done = compare(opperf, "Exp", a=patched("a", exp="fail"), b=patched("b", exp="fail"))
    assert done.returncode == 11, done.stderr
    assert "fails: arm a: RuntimeError: no kernel" in done.stdout


def test_what_depends_on_which_process_starts_first_is_not_confirmed(
    opperf: CommandLine, tmp_path: Path
) -> None:
    """The control finds a difference where there is none: 13, and nobody is blamed."""
    place = tmp_path / "both"
    place.mkdir()
    (place / "sitecustomize.py").write_text(LATER_IS_SLOWER.format(place=str(place)))
    arm = f"PYTHONPATH={place}"
    done = compare(opperf, "Exp", "--format", "json", a=arm, b=arm)
    rows = json.loads(done.stdout)
    assert {(row["control"], row["verdict"]) for row in rows} == {
        (False, "slower"),
        (True, "slower"),
    }
    assert [row["confirmed"] for row in rows if not row["control"]] == [False]
    assert done.returncode == 13, done.stderr


def test_too_few_sessions_are_undecided_and_strict_says_13(opperf: CommandLine) -> None:
    """Two sessions have no interval; that is no reason to fail unless asked for."""
    done = compare(opperf, "Exp", "--sessions", "2", "--most-sessions", "2", "--strict")
    assert done.returncode == 13, done.stderr
    assert "fewer than 6 sessions" in done.stdout


def test_the_only_session_counts_where_there_is_no_other(
    opperf: CommandLine, patched: Patch
) -> None:
    """An arm that crashed in it is no comparison that went well."""
    b = patched("b", exp="crash")
    done = compare(opperf, "Exp", "--sessions", "1", "--most-sessions", "1", b=b)
    assert done.returncode == 10, done.stderr
    assert "SIGABRT" in done.stdout


def test_what_turns_wrong_in_its_blocks_has_no_time(opperf: CommandLine, patched: Patch) -> None:
    """It was right when it was checked; it is compared once more when its blocks are taken."""
    done = compare(opperf, "Exp, Negative", "--format", "json", b=patched("b", exp="wrong_later"))
    assert done.returncode == 11, done.stderr
    rows = rows_of(done)
    assert rows["Exp"]["verdict"] == "wrong_result"
    assert "right at first, wrong after its blocks" in rows["Exp"]["reason"]
    assert rows["Negative"]["ratio"] is not None


def test_who_ruins_the_process_is_blamed_alone(opperf: CommandLine, patched: Patch) -> None:
    """What comes after it in the same process is tried once more in a fresh one."""
    b = patched("b", exp="close_all")
    done = compare(opperf, "Exp, Negative, Square, Log, Sqrt", "--format", "json", b=b)
    rows = rows_of(done)
    assert rows["Exp"]["verdict"] == "newly_fails", done.stderr
    assert all(row["ratio"] is not None for name, row in rows.items() if name != "Exp")


def test_modules_of_the_folder_are_not_run(opperf: CommandLine) -> None:
    """A comparison is begun in any folder, whatever lies there."""
    for name in ("platform", "venv", "json", "numpy", "runpy", "importlib", "pip"):
        opperf.directory.joinpath(f"{name}.py").write_text("open('ran', 'w').close()\n")
    program = (
        "import sys; sys.path[:] = filter(None, sys.path); "
        "from opperf.cli import main; sys.exit(main())"
    )
    script = [sys.executable, "-c", program, "ab", "--a", ".", "--b", "."]
    more = ("-k", "name=Exp", *SHORT, "--sessions", "1", "--most-sessions", "1")
    done = opperf.execute([*script, *more])
    assert done.returncode == 0, done.stderr
    assert not opperf.directory.joinpath("ran").exists()


def test_folders_of_a_killed_comparison_are_removed_by_the_next(opperf: CommandLine) -> None:
    """They hold the tensors, and nobody else would."""
    left = opperf.directory / "opperf-ab-left"
    left.mkdir()
    left.joinpath("tensors.npz").write_bytes(b"x")
    outside = opperf.directory / "outside"
    outside.mkdir()
    opperf.directory.joinpath("opperf-ab-link").symlink_to(outside)
    few = (*SHORT, "--sessions", "1", "--most-sessions", "1")
    done = opperf.run("ab", "--a", ".", "--b", ".", "-k", "name=Exp", *few, TMPDIR=str(left.parent))
    assert done.returncode == 0, done.stderr
    assert not left.exists()
    assert outside.exists(), "a link is not followed"


def test_nothing_selected_is_12(opperf: CommandLine) -> None:
    """A valid selection that is empty."""
    done = compare(opperf, "Exp", "--dtype", "int32")
    assert done.returncode in {11, 12}


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--a", "nosuch/python", "--b", "."), "there is no nosuch/python"),
        (("--a", "", "--b", "."), "is empty"),
        (("--a", "'", "--b", "."), "quote it as a shell does"),
        (("--a", "--index-url=http://x", "--b", "."), "expected one argument"),
        (("--a", "torch==1 --evil", "--b", "."), "'--evil' is none of"),
        (("--a", "API_TOKEN=x", "--b", "."), "looks like a secret"),
        (("--a", ".", "--b", ".", "--min-effect", "0"), "must be above 0"),
        (("--a", ".", "--b", ".", "--min-effect", "lots"), "must be above 0"),
        (("--a", ".", "--b", ".", "--sessions", "0"), "--sessions 0"),
        (("--a", ".", "--b", ".", "--most-sessions", "0"), "--most-sessions 0"),
        (("--a", ".", "--b", ".", "--threads", "100000"), "--threads 100000"),
        (("--a", ".", "--b", ".", "-k", "name=Multipl"), "did you mean 'Multiply'"),
        (("--a", "mxnet==1.9.1", "--b", "torch==2.13.0"), "the same framework"),
    ],
)
def test_bad_input_is_one_line_and_2(
    opperf: CommandLine, flags: tuple[str, ...], said: str
) -> None:
    """It names the value and what is allowed."""
    done = opperf.run("ab", *flags)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(told(done.stderr)) == 1
    assert "Traceback" not in done.stderr


def test_an_arm_whose_framework_does_not_load_is_named(opperf: CommandLine, tmp_path: Path) -> None:
    """With what it said."""
    package = tmp_path / "arm" / "numpy"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('built for another CPU')")
    done = compare(opperf, "Exp", b=f"PYTHONPATH={package.parent}")
    assert done.returncode == 2
    assert "arm b" in done.stderr
    assert "built for another CPU" in done.stderr


def test_an_interpreter_that_is_none_is_refused(opperf: CommandLine, tmp_path: Path) -> None:
    """It is asked for its version first."""
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\necho hello\n")
    fake.chmod(0o755)
    done = compare(opperf, "Exp", b=str(fake))
    assert done.returncode == 2
    assert "does not work as a python" in done.stderr


def test_an_old_interpreter_is_refused(opperf: CommandLine, tmp_path: Path) -> None:
    """With the version that it has and the one that is needed."""
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\necho 3 8 10\n")
    fake.chmod(0o755)
    done = compare(opperf, "Exp", b=str(fake))
    assert done.returncode == 2
    assert "is Python 3.8.10; opperf needs 3.10 or newer" in done.stderr
