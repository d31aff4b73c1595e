"""Several devices: processes that train one network together."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.frameworks.device import Device
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.outcome import Outcome
from opperf.networks.discovery import Entry
from opperf.networks.measuring.child import ModelMeasurer
from opperf.networks.measuring.launching import LaunchedAttempt, found_in
from opperf.networks.measuring.messages import hearing
from opperf.networks.measuring.rank import REPORTED
from opperf.networks.measuring.ranks import RankAttempt, RankStepper
from opperf.networks.measuring.task import model_task
from opperf.networks.registry import find_entry
from opperf.networks.request import ModelRequest, attributes_of
from tests.conftest import told
from tests.networks.conftest import MORE, SETTINGS

if TYPE_CHECKING:
    from tests.conftest import CommandLine

SHARED = (
    "--model-dir", str(MORE), "--framework", "pytorch", "--processes", "2", "--oversubscribe",
    "--batch_size", "2", "--num_batches", "6",
)  # fmt: skip


def request(**given: Any) -> ModelRequest:
    """Return what is asked of a network that nobody has to make."""
    entry = Entry(name="a", framework="pytorch", title="A", parameters=1, path=MORE)
    return ModelRequest(model="a", entry=entry, **given)


def test_processes_are_the_devices_of_a_cpu() -> None:
    """GPUs are counted by a flag of their own."""
    found = attributes_of(request(processes=3, batch_size=8))
    assert (found["devices"], found["effective_batch"]) == (3, 24)
    assert request(processes=3, num_gpus=2, device="cuda:0").devices == 2


def test_two_processes_learn_what_one_does_from_both_halves(opperf: CommandLine) -> None:
    """Gradients of the first step, and parameters after the third; half of it is not the same."""
    pytest.importorskip("torch")
    program = Path(__file__).with_name("sharing.py")
    done = opperf.execute([sys.executable, str(program), str(opperf.directory)])
    assert done.returncode == 0, done.stderr
    first, second, alone, half = (
        dict(np.load(opperf.directory / f"{name}.npz")) for name in ("0", "1", "alone", "half")
    )
    assert first.keys() == alone.keys()
    for name, expected in alone.items():
        np.testing.assert_allclose(first[name], expected, rtol=0, atol=1e-5)
        np.testing.assert_array_equal(first[name], second[name])
    name = "gradient layer.weight"
    assert np.abs(half[name] - alone[name]).max() > 1e-3


def test_a_rank_that_dies_ends_all_of_them(opperf: CommandLine) -> None:
    """The record has its last words; the next network is trained, and its batches are counted."""
    pytest.importorskip("torch")
    done = opperf.run("model", "killed", "small", *SHARED)
    assert done.returncode == 11
    dead, fine = opperf.records()
    assert (dead["status"], dead["signal"]) == ("crashed", "SIGKILL")
    assert dead["reason"] == "rank 1 of 2 was killed by SIGKILL"
    assert "last words" in dead["stderr"]
    opperf.wait_for(lambda: not opperf.survivors())
    assert fine["status"] in ("ok", "noisy"), fine["reason"]
    assert (fine["attributes"]["devices"], fine["attributes"]["effective_batch"]) == (2, 4)
    metrics = {metric["name"]: metric["value"] for metric in fine["metrics"]}
    assert metrics["throughput"] == pytest.approx(4 / fine["summary"]["median"])
    assert metrics["loss"] < metrics["first_loss"]


def test_what_the_first_rank_decides_ends_all_of_them(opperf: CommandLine) -> None:
    """A loss that does not fall, and inference of fresh batches; nobody waits for ever."""
    pytest.importorskip("torch")
    done = opperf.run("model", "deaf", *SHARED)
    assert done.returncode == 11
    (wrong,) = opperf.records()
    assert wrong["status"] == "wrong_result"
    assert wrong["reason"].startswith("the loss of one batch has not fallen in 10 steps")
    opperf.wait_for(lambda: not opperf.survivors())


def test_inference_is_shared_too(opperf: CommandLine) -> None:
    """Each process has batches of its own, drawn anew."""
    pytest.importorskip("torch")
    words = ("--forward_only", "--data-per-batch", "--num_loader_threads", "0")
    done = opperf.run("model", "small", *SHARED, *words)
    assert done.returncode == 0, done.stderr
    (record,) = opperf.records()
    assert record["attributes"]["effective_batch"] == 4
    assert {metric["name"]: metric["value"] for metric in record["metrics"]}["data"] > 0


def test_mxnet_says_that_it_has_one_device() -> None:
    """In one line."""
    if not find_framework("mxnet").is_installed():
        pytest.skip("mxnet is not installed")
    asked = ModelRequest(model="small", entry=find_entry("small", "mxnet", [MORE]), processes=2)
    task = model_task(asked, SETTINGS)
    framework = find_framework("mxnet")
    framework.load(1)
    attempt = ModelMeasurer().attempt(task, framework)
    assert isinstance(attempt, LaunchedAttempt)
    (record,) = attempt.records(task.rows, lambda *_: None)
    assert record["status"] == "unsupported"
    assert record["reason"] == (
        "several devices train networks of pytorch alone; leave out --processes and --num_gpus"
    )


@pytest.fixture
def port() -> Any:
    """Yield a port that is in use."""
    with socket.socket() as used:
        used.bind(("", 0))
        used.listen()
        yield used.getsockname()[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "PORT"], "--port PORT: is in use; give another, or leave it out"),
        (["--port", "65536"], "--port 65536: must be from 1 to 65535"),
        (["--processes", "0"], "'0': must be a whole number of at least 1"),
        (["--processes", "99999"], "--processes 99999 of --threads 1: "),
        (["--process", "laid_out"], "the processes of several devices are plain; leave it out"),
        (["--device", "gpu"], "on GPUs there is one each; give --num_gpus 2"),
    ],
)  # fmt: skip
def test_a_wrong_request_is_one_line(
    words: list[str], said: str, port: int, capsys: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    """With exit code 2, before anything is started."""
    from opperf.cli.command import command

    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    words = [word.replace("PORT", str(port)) for word in words]
    try:
        code = command(
            ["model", "deep_mnist", "--framework", "pytorch", "--processes", "2", *words], None
        )
    except SystemExit as ending:
        code = int(str(ending.code))
    error = capsys.readouterr().err
    assert code == 2
    assert said.replace("PORT", str(port)) in error
    assert len(told(error)) == 1


def test_a_port_that_is_taken_meanwhile_is_said(port: int) -> None:
    """By the launcher, which then launches nothing."""
    pytest.importorskip("torch")
    from opperf.core.errors import UsageError
    from opperf.networks.pytorch.distributed import launch

    with pytest.raises(UsageError, match=f"--port {port}: is in use"):
        launch(["-c", "pass"], 2, port)


def test_who_is_ended_because_of_another_is_no_cause() -> None:
    """The launcher ends all others by SIGTERM; alone it came from elsewhere."""
    pytest.importorskip("torch")
    from opperf.networks.pytorch.distributed import by_themselves

    assert by_themselves({1: -9, 0: -15}) == {1: -9}
    assert by_themselves({1: -15}) == {1: -15}


def test_each_rank_computes_on_its_own_gpu() -> None:
    """From the one that is named on; more than there are, are refused."""
    torch = pytest.importorskip("torch")
    from opperf.core.errors import UsageError
    from opperf.networks.pytorch.distributed import check_devices, device_of_rank

    assert [device_of_rank("cuda:1", rank) for rank in range(2)] == ["cuda:1", "cuda:2"]
    assert device_of_rank("cpu", 1) == "cpu"
    check_devices("cpu", 64)
    more = torch.cuda.device_count() + 1
    with pytest.raises(UsageError, match=rf"--num_gpus {more}: there are {more - 1} from cuda:0"):
        check_devices("cuda:0", more)


def test_a_death_explains_more_than_an_error() -> None:
    """Of two errors the first does; of none the first rank's record is taken."""
    record = {"status": "ok", "reason": None}
    assert found_in({1: {}, 0: record}, {}, 2) == record
    closed = {"status": "failed", "reason": "closed by peer"}
    reports = {1: {"status": "failed", "reason": "no data"}, 0: closed}
    assert found_in(reports, {0: REPORTED, 1: REPORTED}, 2) == Outcome(
        status="failed", reason="rank 1 of 2: no data"
    )
    found = found_in({0: closed}, {0: REPORTED, 1: 7}, 2)
    assert found == Outcome(status="crashed", reason="rank 1 of 2 ended with status 7")
    silent = found_in({}, {}, 2)
    assert silent == Outcome(status="failed", reason="rank 0 of 2 sent no record")


def test_messages_of_several_processes_stay_whole() -> None:
    """However long; one that is cut off by a death is left out."""
    program = (
        "import sys; from opperf.networks.measuring.messages import Sender; "
        "rank = int(sys.argv[1]); sender = Sender(rank); sender.send(0.5); "
        "sender.send({'text': str(rank) * 70_000}); "
        "import os; os.write(sender.pipe, b'%d +unfin' % rank + b'ished\\n')"
    )
    heard: list[tuple[int, Any]] = []
    with hearing(lambda rank, message: heard.append((rank, message))):
        started = [
            subprocess.Popen([sys.executable, "-c", program, str(rank)]) for rank in range(2)
        ]
        assert [each.wait(120) for each in started] == [0, 0]
    for rank in range(2):
        assert [message for sent, message in heard if sent == rank] == [
            0.5, {"text": str(rank) * 70_000},
        ]  # fmt: skip
    assert len(heard) == 4


class Announced:
    """Processes in one: what the first announces is kept for the second."""

    def __init__(self, rank: int, messages: deque[tuple[int, int]]) -> None:
        self.rank, self.ranks, self.messages, self.waits = rank, 2, messages, 0

    def share(self, trainer: Any) -> None:
        """Average nothing."""

    def announce(self, what: int, count: int = 1) -> None:
        """Keep it."""
        if self.rank == 0:
            self.messages.append((what, count))

    def hear(self) -> tuple[int, int]:
        """Return what was kept."""
        return self.messages.popleft()

    def wait(self) -> None:
        """Count."""
        self.waits += 1


@pytest.mark.parametrize("training", [True, False])
def test_all_ranks_make_the_same_steps(training: bool) -> None:
    """As many as the first one has timed, warmed up by and looked at."""
    torch = pytest.importorskip("torch")
    messages: deque[tuple[int, int]] = deque()
    made = []
    entry = find_entry("small", "pytorch", [MORE])
    asked = ModelRequest(
        model="small", entry=entry, batch_size=2, processes=2, exact=True,
        forward_only=not training,
    )  # fmt: skip
    task = model_task(asked, SETTINGS)
    for rank in range(2):
        ranks = Announced(rank, messages)
        framework = find_framework("pytorch")
        framework.load(1)
        attempt = RankAttempt(task, framework, ranks=ranks)
        calls = []
        with torch.nn.modules.module.register_module_forward_hook(
            lambda *_, calls=calls: calls.append(1)
        ):
            (record,) = attempt.records(task.rows, lambda *_: None)
        assert record["status"] in ("ok", "noisy", "skipped"), json.dumps(record)
        made.append((len(calls), ranks.waits))
    assert made[0] == made[1]
    assert made[0][0] > SETTINGS.runs  # type: ignore[operator]
    assert bool(made[0][1]) is not training
    assert not messages


def test_a_step_is_announced_before_its_clock_starts() -> None:
    """So that its time is that of the step."""
    ranks = Announced(0, deque())
    stepper = RankStepper(
        None, None, "there", training=True, ranks=ranks, device=Device()  # type: ignore[arg-type]
    )  # fmt: skip
    steps = stepper.announced(3)
    assert [*ranks.messages] == [(1, 3)]
    assert len(steps) == 3
