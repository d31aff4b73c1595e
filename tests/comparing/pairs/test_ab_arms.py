"""`opperf ab --arm` with real processes: arms that differ, fail or cannot be made, in one go."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli.command import command
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import CompletedProcess

    from tests.comparing.pairs.conftest import Patch
    from tests.conftest import CommandLine

SHORT = ("--framework", "numpy", "--size", "small", "--quiet")
FORMS = ("html", "csv", "md", "junit")


def compare(
    opperf: CommandLine, arms: dict[str, str], selection: str, *more: str
) -> CompletedProcess[str]:
    """Compare some of NumPy's functions in arms, the first one the reference."""
    named = (word for name, spec in arms.items() for word in ("--arm", f"{name}={spec}"))
    words = ("ab", *named, "-k", f"name in ({selection}) and direction=forward", *SHORT, *more)
    return opperf.run(*words, PIP_NO_INDEX="1")


def rows_of(done: CompletedProcess[str]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the rows of each arm against the reference, by operator and arm."""
    rows = json.loads(done.stdout)
    return {(row["operator"], row["arm"]): row for row in rows if not row["control"]}


def test_each_arm_gets_the_verdict_it_has_earned(opperf: CommandLine, patched: Patch) -> None:
    """One is slower, one wrong, one crashes, one does not import, one cannot be installed."""
    slow, bad = (patched(name, **changes) for name, changes in (
        ("slow", {"exp": "slower"}), ("bad", {"exp": "wrong", "sqrt": "crash"}),
    ))  # fmt: skip
    package = opperf.directory / "broken" / "numpy"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('built for another CPU')")
    arms = {
        "base": ".", "same": "env.PYTHONHASHSEED=7", "slow": f"env.{slow}", "bad": f"env.{bad}",
        "broken": f"env.PYTHONPATH={package.parent}", "absent": "opperf-has-no-such-package==9.9",
    }  # fmt: skip
    more = ("--most-sessions", "6", "--format", "json")
    done = compare(opperf, arms, "Exp, Sqrt", *more)
    assert done.returncode == 10, done.stderr
    assert "arm absent:" in done.stderr
    rows = rows_of(done)
    assert rows["Exp", "slow"]["verdict"] == "slower"
    assert rows["Exp", "slow"]["confirmed"] is True
    assert rows["Exp", "slow"]["interval"][0] > 1.02
    assert rows["Exp", "bad"]["verdict"] == "wrong_result"
    assert rows["Sqrt", "bad"]["verdict"] == "newly_fails"
    assert "arm bad" in rows["Sqrt", "bad"]["reason"]
    assert "SIGABRT" in rows["Sqrt", "bad"]["reason"]
    for name in ("Exp", "Sqrt"):
        assert rows[name, "same"]["ratio"] is not None
        assert rows[name, "same"]["confirmed"] is not True
        assert rows[name, "broken"]["verdict"] == rows[name, "absent"]["verdict"] == "newly_fails"
        assert "built for another CPU" in rows[name, "broken"]["reason"]
        assert "opperf-has-no-such-package" in rows[name, "absent"]["reason"]
        assert rows[name, "absent"]["sessions"] == 2
    assert {row["reference"] for row in rows.values()} == {"base"}
    assert len({row["job"] for row in rows.values()}) == 2
    check_what_is_kept(opperf, done)
    opperf.wait_for(lambda: not opperf.survivors())


def check_what_is_kept(opperf: CommandLine, done: CompletedProcess[str]) -> None:
    """See that it is shown, resumed, chosen from and reported as it was."""
    shown, resumed = (opperf.run(verb, "last", "--format", "json") for verb in ("show", "resume"))
    assert json.loads(shown.stdout) == json.loads(resumed.stdout) == json.loads(done.stdout)
    assert shown.returncode == resumed.returncode == 10
    chosen = opperf.run("show", "last", "-k", "name=Sqrt", "--format", "csv")
    assert "Exp" not in chosen.stdout
    words = [word for form in FORMS for word in (f"--{form}", f"out.{form}")]
    assert opperf.run("report", "last", *words).returncode == 0
    again = opperf.directory / "verdicts.json"
    again.write_text(done.stdout)
    assert opperf.run("report", "--ab", str(again), "--html", "again.html").returncode == 0
    for name in ("out.html", "again.html"):
        assert (
            '"arms":["base","same","slow","bad","broken","absent"]'
            in (opperf.directory / name).read_text()
        )
    assert "--arm" in (opperf.directory / "out.html").read_text()
    assert "| arm |" in (opperf.directory / "out.md").read_text()
    assert "arm,reference,job" in (opperf.directory / "out.csv").read_text().splitlines()[0]


def test_records_name_the_arm_and_all_arms_are_in_each_session(opperf: CommandLine) -> None:
    """Their own threads, element types and tensors; arms that are settled leave the others."""
    arms = {"one": ".", "two": "threads=2", "double": "dtype=float64", "odd": "dtype=int8"}
    few = ("--most-sessions", "2", "--sessions", "2", "--oversubscribe")
    done = compare(opperf, arms, "Exp", *few, "--format", "md")
    assert done.returncode == 0, done.stderr
    (run,) = (opperf.directory / "runs").iterdir()
    lines = (run / "results.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    compared = [record for record in records if record["purpose"] == "comparison"]
    assert {record["schema"] for record in records} == {"opperf.pair/4"}
    assert [record["arm"] for record in compared if record["session"] == 1] == [*arms][1:]
    assert {record["arm"] for record in records if record["purpose"] == "control"} == {"one"}
    by_arm = {record["arm"]: record for record in compared if record["session"] == 1}
    assert by_arm["odd"]["b_status"] == "unsupported"
    assert by_arm["double"]["outputs_difference"] > 0
    assert by_arm["two"]["outputs_difference"] == 0
    assert by_arm["two"]["a_blocks"] == by_arm["double"]["a_blocks"]
    manifest = json.loads((run / "run.json").read_text())
    assert (manifest["reference"], [*manifest["arms"]]) == ("one", [*arms])
    kept = json.loads((run / "arms.json").read_text())
    assert set(kept) == {*arms}
    assert len(lines) == len(compared) + 2


def test_a_comparison_that_was_cut_goes_on(opperf: CommandLine) -> None:
    """From whichever record; what the arms were found to be right with is not checked anew."""
    arms = {"one": ".", "two": "env.X=1", "three": "env.X=2"}
    compare(opperf, arms, "Exp", "--most-sessions", "2", "--sessions", "2")
    (run,) = (opperf.directory / "runs").iterdir()
    path = run / "results.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0])
    done = opperf.run("resume", "last", "--format", "json")
    assert done.returncode == 0, done.stderr
    sessions = {row["arm"]: row["sessions"] for row in rows_of(done).values()}
    assert sessions == {"two": 2, "three": 2}


def test_another_metric_than_the_time(opperf: CommandLine) -> None:
    """Each arm yields its value twice, in turns; the table says what it is of."""
    arms = {"one": ".", "two": "env.X=1", "double": "dtype=float64"}
    more = ("--metric", "peak_memory", "--most-sessions", "2", "--sessions", "2")
    done = compare(opperf, arms, "Exp", *more, "--format", "json")
    assert done.returncode in {0, 10}, done.stderr
    rows = rows_of(done)
    assert rows["Exp", "double"]["ratio"] == pytest.approx(2, rel=0.2)
    assert rows["Exp", "two"]["exact"] is True
    assert rows["Exp", "two"]["verdict"] == "equivalent"
    shown = opperf.run("show", "last")
    assert "one: peak memory" in shown.stdout.replace("_", " ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--arm", "a=."], "--arm: 1 given; a comparison has 2 to 8 arms"),
        (["--arm", "a=.", "--arm", "b=thread=1"], "unknown setting 'thread' of arm b"),
        (["--arm", "a=.", "--arm", "b=.", "--a", "."], "--a: does not go with --arm"),
        (["--arm", "a=.", "--arm", "b=.", "--reference", "c"], "unknown --reference 'c'"),
        (["--arm", "a=.", "--arm", "b=.", "--task", "t"], "--task: does not go with --arm"),
        (["--arm", "a=mxnet==1.9.1", "--arm", "b=torch==2.13.0"], "the same framework"),
        (["--arm", "a=.", "--arm", "b=threads=4000"], "--threads 4000"),
        (["--a", ".", "--b", ".", "--reference", "a"], "--reference: is one of several arms"),
        (["--a", "."], "--b is missing; give --a ARM and --b ARM, or --arm NAME=SPEC"),
        (
            ["--arm", "a=.", "--arm", "b=compile=true", "--model", "resnet18"],
            "arm b: compile does not go with --model",
        ),
    ],
)
def test_bad_input_is_one_line_and_2(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Before anything is started."""
    monkeypatch.chdir(tmp_path)
    assert command(["ab", *words], None) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(told(error)) == 1
    assert not [*tmp_path.iterdir()]
