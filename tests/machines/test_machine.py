"""`opperf machine` calls the engine's own program, with exactly these words, within a time."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from opperf.cli import main
from opperf.machines import program
from opperf.machines.machine import NAME, own_name
from tests.conftest import told

if TYPE_CHECKING:
    from tests.machines.conftest import FakeEngines

ROOT = Path(__file__).parents[2]
PATCH = ["kubectl", "patch", "job/night", "--type", "merge", "--patch"]
LIST = ["squeue", "--me", "--name=night", "--noheader", "--format=%A"]
SBATCH = ["sbatch", "--parsable", "--requeue", "--exclusive", "--nodes=1", "--ntasks=1",
          "--job-name=night"]  # fmt: skip
SKY = ["sky", "launch", "--yes", "--detach-run", "--cluster", "night"]
SHOWN = "--format=%.12i %.20j %.10T %.12M %.12l %R"
CALLS = {
    "skypilot create": [SKY],
    "skypilot create --gpus A100:8 --cpus 16 --memory 64GiB --infra aws/us-east-1 --idle-stop 90s "
    "--image repo/opperf:1": [
        [*SKY, "--infra", "aws/us-east-1", "--gpus", "A100:8", "--cpus", "16+", "--memory", "64+",
         "--image-id", "docker:repo/opperf:1", "--idle-minutes-to-autostop", "2"]
    ],
    "skypilot create --engine-option=--use-spot -- opperf run": [
        [*SKY, "--use-spot", "--", "opperf run"]
    ],
    "skypilot status": [["sky", "status", "--refresh", "night"]],
    "skypilot start": [["sky", "start", "--yes", "night"]],
    "skypilot stop": [["sky", "stop", "--yes", "night"]],
    "skypilot delete --yes": [["sky", "down", "--yes", "night"]],
    "slurm create": [LIST, [*SBATCH, "--wrap=sleep infinity"]],
    "slurm create --gpus a100:8 --cpus 16 --memory 64GiB --partition gpu --lifetime 8h "
    "--engine-option=--account=us -- opperf run --quiet": [
        LIST,
        [*SBATCH, "--partition=gpu", "--gpus-per-node=a100:8", "--cpus-per-task=16",
         "--mem=65536M", "--time=480", "--account=us", "--wrap=opperf run --quiet"],
    ],
    "slurm status": [["squeue", "--me", "--name=night", "--states=all", SHOWN]],
    "slurm start": [LIST, ["scontrol", "release", "41,42"]],
    "slurm stop": [LIST, ["scontrol", "requeuehold", "Incomplete", "41,42"]],
    "slurm delete --yes": [["scancel", "--me", "--name=night"]],
    "kubernetes create --image repo/opperf:1": [["kubectl", "create", "--filename", "-"]],
    "kubernetes create --image repo/opperf:1 --context east --namespace perf": [
        ["kubectl", "--context", "east", "--namespace", "perf", "create", "--filename", "-"]
    ],
    "kubernetes status": [
        ["kubectl", "get", "jobs,pods", "--selector", "app.kubernetes.io/instance=night",
         "--output", "wide"]
    ],
    "kubernetes status --namespace perf": [
        ["kubectl", "--namespace", "perf", "get", "jobs,pods", "--selector",
         "app.kubernetes.io/instance=night", "--output", "wide"]
    ],
    "kubernetes start": [[*PATCH, '{"spec": {"suspend": false}}']],
    "kubernetes stop": [[*PATCH, '{"spec": {"suspend": true}}']],
    "kubernetes delete --yes": [["kubectl", "delete", "job/night", "--cascade=foreground"]],
}  # fmt: skip
"""What an engine's programs are told, by engine, verb and flags."""


def words_of(text: str) -> list[str]:
    """Return the words of the command that a key of `CALLS` stands for."""
    engine, verb, *flags = text.split()
    return ["machine", verb, "--engine", engine, "--name", "night", *flags]


def jobs_of(text: str) -> str:
    """Return what squeue is to print for a command."""
    return "" if " create" in text else "41\n42\n"


@pytest.mark.parametrize("text", CALLS)
def test_an_engine_is_told_exactly_this(
    text: str, engines: FakeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the five verbs, of each engine."""
    monkeypatch.setenv("FAKE_JOBS", jobs_of(text))
    assert main(words_of(text)) == 0
    assert engines.calls() == CALLS[text]


@pytest.mark.parametrize("text", CALLS)
def test_the_recipe_that_is_printed_does_the_same(
    text: str,
    engines: FakeEngines,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Printing calls nothing; a shell that is given what was printed makes the same calls."""
    monkeypatch.setenv("FAKE_JOBS", jobs_of(text))
    words = words_of(text)
    at = words.index("--") if "--" in words else len(words)
    assert main([*words[:at], "--print-command", *words[at:]]) == 0
    assert engines.calls() == []
    subprocess.run(["sh", "-c", capsys.readouterr().out], check=True)  # noqa: S607 - any shell
    assert engines.calls() == CALLS[text]


HOSTILE = ["printf", "%s\\0", "two words", "it's", 'a"b', "$(id)", "`id`", "a;id", "&&", "*", "-x",
           "\n", "~", "", "ü", "<<'END-OF-INPUT'", "END-OF-INPUT", "${HOME}", "\\"]  # fmt: skip


@pytest.mark.parametrize("engine", ["skypilot", "slurm"])
def test_no_word_of_a_command_is_more_than_a_word(
    engine: str,
    engines: FakeEngines,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The engine's machine gives the text to a shell, which finds the words in it again."""
    words = ["machine", "create", "--engine", engine]
    assert main([*words, "--", *HOSTILE]) == 0
    capsys.readouterr()
    assert main([*words, "--print-command", "--", *HOSTILE]) == 0
    monkeypatch.chdir("/")
    subprocess.run(["sh", "-c", capsys.readouterr().out], check=True)  # noqa: S607 - any shell
    first, second = (call[-1] for call in engines.calls() if call[0] in {"sky", "sbatch"})
    assert first == second
    script = first.removeprefix("--wrap=")
    ran = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)  # noqa: S607
    assert ran.stdout.split("\0")[:-1] == HOSTILE[2:]


def test_deleting_needs_yes(engines: FakeEngines, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is called without; printing the command needs none."""
    for engine in ("skypilot", "slurm", "kubernetes"):
        assert main(["machine", "delete", "--engine", engine, "--name", "night"]) == 2
        assert "this deletes night and what is on it; give --yes" in capsys.readouterr().err
    assert engines.calls() == []


def test_a_machine_that_waits_says_how_it_is_entered(
    engines: FakeEngines, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that has a command does not."""
    words = ["machine", "create", "--engine", "kubernetes", "--name", "night", "--image", "a:1"]
    assert main(words) == 0
    said = capsys.readouterr().err
    assert said.endswith("enter it by: kubectl exec --stdin --tty job/night -- bash\n")
    assert main([*words, "--", "opperf", "run"]) == 0
    assert capsys.readouterr().err == ""
    assert len(engines.calls()) == 2


@pytest.mark.parametrize("engine", ["skypilot", "slurm", "kubernetes"])
def test_a_missing_program_is_named(
    engine: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, with where it comes from."""
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["machine", "status", "--engine", engine]) == 2
    (line,) = told(capsys.readouterr().err)
    first = {"skypilot": "sky", "slurm": "squeue", "kubernetes": "kubectl"}[engine]
    assert line.startswith(f"opperf: there is no program {first} on PATH: ")


def test_a_failure_is_passed_on(
    engines: FakeEngines, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The program's own words first, then which command failed, and how."""
    monkeypatch.setenv("FAKE_BAD", "sbatch")
    monkeypatch.setenv("FAKE_HOW", "fail")
    assert main(["machine", "create", "--engine", "slurm", "--name", "night"]) == 11
    first, second = capfd.readouterr().err.splitlines()
    assert first == "no such partition"
    assert second == (
        "opperf: `sbatch --parsable ...` failed: exit status 3; what it said stands above"
    )
    assert len(engines.calls()) == 2


@pytest.mark.parametrize("how", ["hang", "ignore"])
@pytest.mark.parametrize(("bad", "verb"), [("scancel", "delete"), ("squeue", "start")])
def test_a_program_that_never_ends_is_ended(
    how: str,
    bad: str,
    verb: str,
    engines: FakeEngines,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """After the time that it has; nothing of it is left running."""
    monkeypatch.setattr(program, "GRACE", 0.2)
    monkeypatch.setenv("FAKE_BAD", bad)
    monkeypatch.setenv("FAKE_HOW", how)
    yes = ["--yes"] if verb == "delete" else []
    for limit in ("1s", "4s", "16s"):  # until it has begun in its time
        assert main(["machine", verb, "--engine", "slurm", *yes, "--time-limit", limit]) == 11
        said = capfd.readouterr().err
        assert "did not end in time and was ended" in said
        if engines.process() is not None:
            break
    assert f"opperf: {bad} did not end" in said
    assert not psutil.pid_exists(engines.process() or 0)


def test_a_flood_is_passed_on_and_not_kept(
    engines: FakeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever stops reading it ends it, and all is well."""
    monkeypatch.setenv("FAKE_BAD", "sky")
    monkeypatch.setenv("FAKE_HOW", "flood")
    with begin("status", "--engine", "skypilot") as opperf:
        assert opperf.stdout is not None
        assert opperf.stdout.read(4_000_000) == b"y\n" * 2_000_000
        opperf.stdout.close()
        assert opperf.wait(120) == 0
    assert len(engines.calls()) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_program_ends(
    number: int, engines: FakeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What opperf alone gets is the end of both: Ctrl-C, or a terminal that is gone."""
    monkeypatch.setenv("FAKE_BAD", "sky")
    monkeypatch.setenv("FAKE_HOW", "hang")
    with begin("status", "--engine", "skypilot") as opperf:
        deadline = time.monotonic() + 120
        while engines.process() is None:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        opperf.send_signal(number)
        assert opperf.wait(120) == 130
    assert not psutil.pid_exists(engines.process() or 0)


@pytest.mark.parametrize(
    ("bad", "words"), [("sky", ["--engine", "skypilot"]), ("squeue", ["--engine", "slurm"])]
)
def test_a_program_that_was_just_started_ends_too(
    bad: str, words: list[str], engines: FakeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C comes when it runs, and before anybody knows that it does."""
    monkeypatch.setenv("FAKE_BAD", bad)
    monkeypatch.setenv("FAKE_HOW", "hang")

    class Interrupted(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            deadline = time.monotonic() + 120
            while engines.process() is None:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(program.subprocess, "Popen", Interrupted)
    assert main(["machine", "status" if bad == "sky" else "stop", *words]) == 130
    assert not psutil.pid_exists(engines.process() or 0)


def begin(*words: str) -> subprocess.Popen[bytes]:
    """Start a process of opperf, which no signal passes by, as under nohup."""
    command = ["env", "--default-signal=HUP,INT,TERM", sys.executable, "-m", "opperf", "machine"]
    command += words
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def test_a_list_of_jobs_that_never_ends_is_refused(
    engines: FakeEngines, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is read up to a limit."""
    monkeypatch.setenv("FAKE_BAD", "squeue")
    monkeypatch.setenv("FAKE_HOW", "flood")
    assert main(["machine", "stop", "--engine", "slurm", "--name", "night"]) == 11
    said = capfd.readouterr().err
    assert "opperf: squeue printed more than a list of jobs; it was ended" in said
    assert engines.calls() == [LIST]


def test_what_a_program_leaves_behind_holds_nothing_up(
    engines: FakeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SkyPilot starts a server that stays, with the output open that it was given."""
    monkeypatch.setenv("FAKE_BAD", "sky")
    monkeypatch.setenv("FAKE_HOW", "daemon")
    assert main(["machine", "status", "--engine", "skypilot", "--time-limit", "60"]) == 0
    server = psutil.Process(engines.process())
    assert server.status() != psutil.STATUS_ZOMBIE
    server.kill()


@pytest.mark.parametrize(
    ("jobs", "verb", "ending"),
    [
        ("7\n", "create", (2, "there is one of that name: job 7; delete it first")),
        ("", "stop", (2, "there is no job of that name that waits or runs")),
        ("7;rm\n", "stop", (11, "squeue printed '7;rm' where a job's number was expected")),
        ("\\0377\n", "start", (11, "where a job's number was expected")),
    ],
)
def test_jobs_are_numbers(
    jobs: str,
    verb: str,
    ending: tuple[int, str],
    engines: FakeEngines,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is no number goes into no command; two machines never share a name."""
    monkeypatch.setenv("FAKE_JOBS", jobs)
    code, reason = ending
    assert main(["machine", verb, "--engine", "slurm", "--name", "night"]) == code
    (line,) = told(capsys.readouterr().err)
    assert reason in line
    assert engines.calls() == [LIST]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("status --engine slrum", "unknown engine 'slrum'; did you mean 'slurm'?"),
        ("status --engine slurm --name -x", "--name"),
        ("status --engine=slurm --name=a;b", "--name 'a;b': must be lower-case letters"),
        ("status --engine=slurm --name=Night", "must be lower-case letters"),
        ("status --engine slurm --namespace a", "--namespace: `machine status --engine slurm` "),
        ("create --engine slurm --idle-stop 1h", "takes no such thing; it takes --cpus, "),
        ("create --engine skypilot --lifetime 1h", "--lifetime: `machine create"),
        ("create --engine skypilot --gpus 8", "skypilot needs a model, as in A100:8"),
        ("create --engine kubernetes", "--image: kubernetes runs containers"),
        ("create --engine kubernetes --image a", "--image 'a': must be NAME:TAG"),
        ("create --engine kubernetes --image a:latest", "a tag other than latest"),
        ("create --engine kubernetes --image a:1 --gpus A100:2", "nvidia.com/gpu.product=A100"),
        ("create --engine kubernetes --image a:1 --node-label x", "must be KEY=VALUE"),
        ("create --engine slurm --gpus 0", "--gpus '0': must be N or MODEL:N"),
        ("create --engine slurm --cpus 0", "--cpus 0: must be from 1 to 10000"),
        ("create --engine slurm --memory 0", "a size above 0"),
        ("create --engine slurm --lifetime never", "a time above 0"),
        ("create --engine slurm --partition=--wrap=x", "must be a name, and no option"),
        ("status --engine slurm --time-limit soon", "a time above 0"),
        ("create --engine slurm -- \udc80", "is not UTF-8"),
        ("create --engine slurm --engine-option=--export=TOKEN=x", "looks like a secret"),
        ("create --engine slurm -- opperf run --store postgresql://me:x@h/d", "like a secret"),
    ],
)
def test_a_wrong_request_is_one_line_and_calls_nothing(
    text: str, reason: str, engines: FakeEngines, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names the value and what is allowed."""
    try:
        code = main(["machine", *text.split()])
    except SystemExit as ending:  # the parser's
        code = ending.code
    assert code == 2
    (line,) = told(capsys.readouterr().err)
    assert reason in line
    assert engines.calls() == []


@pytest.mark.parametrize("user", ["Jo Doe", "root", "..", "x" * 99, "émile", "-9-"])
def test_a_name_of_ones_own_is_a_name(user: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the user is called."""
    monkeypatch.setenv("LOGNAME", user)
    assert NAME.fullmatch(own_name())
