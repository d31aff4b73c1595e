"""`opperf model` as its users type it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli.common.options import configuration_of
from opperf.cli.networks.flags import model_request
from opperf.cli.parser import make_parser
from opperf.networks.registry import find_entry
from tests.conftest import told
from tests.networks.conftest import MORE

if TYPE_CHECKING:
    from opperf.networks.request import ModelRequest
    from tests.conftest import CommandLine

ROOT = Path(__file__).parents[2]
SMALL = ("--model-dir", str(MORE), "--framework", "pytorch", "--batch_size", "2")


def asked(*words: str) -> ModelRequest:
    """Return what is asked for by words behind the verb."""
    arguments = make_parser("model").parse_args(["model", *words])
    name = (arguments.models or arguments.model)[0]
    return model_request(arguments, configuration_of(arguments), name, "pytorch")


def test_the_flags_have_the_defaults_of_the_document() -> None:
    """All fourteen."""
    found = asked("--model=deep_mnist")
    assert found.model == "deep_mnist"
    assert found.forward_only is False
    assert (found.batch_size, found.num_batches, found.num_warmup_batches) == (16, 100, 1)
    assert (found.num_gpus, found.device, found.dtype) == (1, "cpu", "float32")
    assert (found.cudnn_benchmark, found.cudnn_fastest) == (True, False)
    data = found.data
    assert (data.data_dir, data.backend, data.shuffle, data.threads) == ("", "caffe_lmdb", False, 4)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["--forward_only"], True),
        (["--forward-only"], True),
        (["--forward_only=true"], True),
        (["--forward_only", "True"], True),
        (["--forward_only=false"], False),
        (["--forward-only=0"], False),
        (["--phase", "inference"], True),
        (["--phase", "training"], False),
    ],
)
def test_a_flag_is_true_alone_or_has_a_value(words: list[str], value: bool) -> None:
    """In both spellings."""
    assert asked("deep_mnist", *words).forward_only is value


def test_every_flag_of_the_document_is_taken() -> None:
    """As dlbs's launcher writes them; so many batches are exactly so many."""
    found = asked(
        "--model=deep_mnist", "--forward_only=true", "--batch_size=3", "--num_batches=7",
        "--num_warmup_batches=2", "--num_gpus=1", "--device=gpu", "--data_dir=/data",
        "--data_backend=image_folder", "--data_shuffle=true", "--num_loader_threads=2",
        "--dtype=float16", "--cudnn_benchmark=false", "--cudnn_fastest=true",
    )  # fmt: skip
    assert (found.batch_size, found.num_batches, found.exact) == (3, 7, True)
    assert (found.device, found.dtype, found.num_warmup_batches) == ("cuda:0", "float16", 2)
    assert (found.cudnn_benchmark, found.cudnn_fastest) == (False, True)
    data = found.data
    assert (data.data_dir, data.backend, data.shuffle) == ("/data", "image_folder", True)
    assert data.threads == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["resnet81"], "unknown model of pytorch 'resnet81'; did you mean 'resnet18'?"),
        ([], "name a model: opperf model resnet50"),
        (["resnet18", "--batchsize", "2"], "did you mean --batch_size?"),
        (["resnet18", "--batch_size", "0"], "'0': must be a whole number of at least 1"),
        (["resnet18", "--num_batches=x"], "'x': must be a whole number"),
        (["resnet18", "--phase", "train"], "unknown value 'train'; did you mean 'training'?"),
        (["resnet18", "--dtype", "float61"], "unknown dtype 'float61'; did you mean 'float16'?"),
        (["--forward_only", "resnet18"], "'resnet18' is not true or false; a model's name stands"),
        (["resnet18", "--device", "cpu,cuda:0"], "a network has one"),
        (["resnet18", "--sessions", "0"], "--sessions 0: must be from 1 to"),
        (["resnet18", "--phase", "training", "--forward_only"], "--forward_only is inference"),
        (["resnet18", "--model-dir", "nowhere"], "nowhere: is no folder"),
        (["resnet18", "--framework", "numpy"], "networks are of mxnet, pytorch"),
    ],
)
def test_a_wrong_request_is_one_line(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """With exit code 2, before anything is started."""
    from opperf.cli.command import command

    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    framework = [] if "--framework" in words else ["--framework", "pytorch"]
    try:
        code = command(["model", *words, *framework], None)
    except SystemExit as ending:
        code = int(str(ending.code))
    error = capsys.readouterr().err
    assert code == 2
    assert said in error
    assert len(told(error)) == 1
    assert not [*tmp_path.iterdir()]


def test_a_list_imports_no_framework(opperf: CommandLine) -> None:
    """Nor msgspec's heavier company: it reads the text of files."""
    program = (
        "import sys; from opperf.cli.command import command; "
        "command(['model', '--list', '--format', 'json'], None); "
        "sys.stderr.write(' '.join(sorted({'torch', 'mxnet', 'psutil'} & set(sys.modules))))"
    )
    done = opperf.execute([sys.executable, "-c", program])
    assert done.stderr == ""
    rows = {row["model"]: row for row in json.loads(done.stdout)}
    assert rows["deep_mnist"]["title"] == "DeepMNIST"
    assert rows["deep_mnist"]["parameters"] == find_entry("deep_mnist", "mxnet").parameters
    assert rows["deep_mnist"]["pytorch"] == rows["deep_mnist"]["mxnet"] == "yes"


def test_a_run_is_kept_and_shown_again(opperf: CommandLine) -> None:
    """Two sessions, each of a process of its own; other verbs know its records."""
    pytest.importorskip("torch")
    words = ("small", *SMALL, "--num_batches", "6", "--sessions", "2", "--tag", "a")
    done = opperf.run("model", *words)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^small +pytorch +training +2 +0 ", done.stdout, re.MULTILINE)
    assert "the phases were timed in other batches" in done.stderr
    records = opperf.records()
    assert [record["session"] for record in records] == [0, 1]
    assert len({record["series_key"] for record in records}) == 1
    assert records[0]["subject"] == {"kind": "network", "name": "small"}
    estimate = opperf.run("model", *words, "--dry-run")
    assert f"(1 by run {opperf.runs()[0].name})" in estimate.stderr
    assert opperf.run("show").stdout == done.stdout
    shown = opperf.run("show", "--metrics", "throughput,forward", "--format", "json")
    assert {row["throughput"] for row in json.loads(shown.stdout)} == {
        metric["value"]
        for record in records
        for metric in record["metrics"]
        if metric["name"] == "throughput"
    }
    resumed = opperf.run("resume", "last")
    assert (resumed.returncode, resumed.stdout) == (0, done.stdout)
    run = str(opperf.runs()[0])
    compared = opperf.run("compare", run, run)
    assert compared.returncode in {0, 13}, compared.stderr
    assert "small" in compared.stdout


def test_what_is_missing_is_measured_by_resume(opperf: CommandLine) -> None:
    """A session whose record is lost."""
    pytest.importorskip("torch")
    opperf.run("model", "small", *SMALL, "--num_batches", "6", "--sessions", "2")
    (run,) = opperf.runs()
    path = run / "results.jsonl"
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first)
    assert opperf.run("resume", run.name).returncode == 0
    kept, fresh = opperf.records()
    assert (kept["result_id"], fresh["session"]) == (json.loads(first)["result_id"], 1)
    assert fresh["result_id"] != json.loads(second)["result_id"]


def test_a_network_that_dies_is_a_row(opperf: CommandLine) -> None:
    """With its last words; the next network is measured, and nothing is left running."""
    pytest.importorskip("torch")
    done = opperf.run("model", "dying", "nothing", "small", *SMALL, "--num_batches", "6")
    assert done.returncode == 11
    dead, wrong, fine = opperf.records()
    assert dead["status"] == "crashed"
    assert "last words" in dead["stderr"]
    assert wrong["status"] == "wrong_result"
    assert fine["status"] in ("ok", "noisy")
    assert "nothing on pytorch: wrong_result: the loss is not finite" in done.stderr
    opperf.wait_for(lambda: not opperf.survivors())


def test_a_step_is_ended_after_its_time_and_many_are_not(opperf: CommandLine) -> None:
    """Steps of a quarter of a second outlast a time-out of one, as long as they come to an end."""
    pytest.importorskip("torch")
    for timeout, batches in ((1, 6), (10, 48)):  # until a step takes no longer on this machine
        words = ("hanging", "slow", *SMALL, "--num_batches", str(batches), "--forward_only")
        assert opperf.run("model", *words, "--timeout", str(timeout)).returncode == 11
        hanging, slow = opperf.records()
        assert (hanging["status"], hanging["reason"]) == (
            "timeout", f"no answer within {timeout} s",
        )  # fmt: skip
        if slow["status"] != "timeout":
            break
    assert slow["status"] in ("ok", "noisy")
    assert sum(slow["samples"]["seconds"]) > timeout
    opperf.wait_for(lambda: not opperf.survivors())


def test_the_module_of_a_framework_is_the_verb(opperf: CommandLine) -> None:
    """`python -m opperf.pytorch_benchmarks.models`."""
    pytest.importorskip("torch")
    words = (
        "--model=deep_mnist",
        "--size=8",
        "--forward_only",
        "--batch_size=2",
        "--num_batches=6",
    )
    done = opperf.execute([sys.executable, "-m", "opperf.pytorch_benchmarks.models", *words])
    assert done.returncode == 0, done.stderr
    (record,) = opperf.records()
    assert record["operator"]["framework"] == "pytorch"
    assert record["attributes"]["of"] == "inference step"


def block(language: str, words: str) -> str:
    """Return the one block of docs/networks.md that holds some words."""
    text = (ROOT / "docs/networks.md").read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    (chosen,) = [each for each in found if words in each]
    return str(chosen)


def test_one_file_makes_a_model(opperf: CommandLine) -> None:
    """The class of docs/networks.md, by the command beside it."""
    pytest.importorskip("torch")
    folder = opperf.directory / "models" / "pytorch"
    folder.mkdir(parents=True)
    (folder / "my_net.py").write_text(block("python", "class MyNet"))
    words = block("bash", "--model-dir").split()
    done = opperf.run(*words[1:], "--num_batches", "6")
    assert done.returncode == 0, done.stderr
    listed = opperf.run("model", "--list", "--model-dir", "models", "--format", "json")
    (row,) = [row for row in json.loads(listed.stdout) if row["model"] == "my_net"]
    assert row["parameters"] == 1930 - 120


def test_an_entry_point_brings_models(opperf: CommandLine) -> None:
    """As docs/networks.md has it; in a module that is not imported for a list."""
    site = opperf.directory / "site"
    facts = site / "mine-1.0.dist-info"
    facts.mkdir(parents=True)
    (site / "my_models.py").write_text(block("python", "class MyNet"))
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    group, line = block("toml", "opperf.networks").splitlines()
    assert (group, line) == (
        '[project.entry-points."opperf.networks"]', 'pytorch = "my_models"'
    )  # fmt: skip
    (facts / "entry_points.txt").write_text("[opperf.networks]\npytorch = my_models\n")
    listed = opperf.run("model", "--list", PYTHONPATH=f"{ROOT}:{site}")
    assert re.search(r"^my_net +My network", listed.stdout, re.MULTILINE), listed.stderr
