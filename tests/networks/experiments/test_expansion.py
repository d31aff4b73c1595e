"""An experiment file with what a command line gives besides: runs, notes, a table and commands."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from opperf.cli.networks.experiment_log import check_log, write_log
from opperf.cli.networks.experiments import matrix_of, print_dry_run, runs_of
from opperf.cli.parser import make_parser
from opperf.core.errors import UsageError
from opperf.networks.experiments.expansion import expand, parameter_rows, parse_given
from opperf.networks.log_lines import lines_of, read_log
from tests.networks.test_log_lines import network_of

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

TEXT = """
[parameters]
exp.phase = "inference"
exp.num_batches = 5
[variables]
exp.model = ["alexnet", "deep_mnist"]
exp.replica_batch = [8, 16]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return an experiment file."""
    found = tmp_path / "mine.toml"
    found.write_text(TEXT)
    return found


def test_what_is_given_takes_the_place_of_what_the_file_says(path: Path) -> None:
    """A list makes a variable, a value ends one; a text needs no quotes."""
    given = parse_given([
        "exp.model=vgg16", 'exp.phase=["inference","training"]', "exp.num_batches=2", "exp.proj=7",
        'pytorch.args=["--model=x","--batch_size=${exp.replica_batch}"]',
    ])  # fmt: skip
    runs = expand(path, given).experiments
    assert [run.name for run in runs] == [
        "8 inference", "8 training", "16 inference", "16 training",
    ]  # fmt: skip
    assert runs[2].arguments == ("--model=x", "--batch_size=16")
    assert runs[0].parameters == {"exp.replica_batch": 8, "exp.phase": "inference"}
    assert runs[0].tags == ("7",)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("exp.model", "-P 'exp.model': must be NAME=VALUE"),
        ("=1", "-P '=1': must be NAME=VALUE"),
        ("exp.modle=a", "did you mean 'exp.model'?"),
        ("exp.model={}", "exp.model: '{}' must be a value, or a list of values"),
        ("exp.model=[]", "variables: exp.model: must have 1 to 1000 values"),
        ("exp.num_batches=many", "exp.num_batches: must be a whole number, not 'many'"),
        ("exp.num_batches=$(9**9**9)$", "exp.num_batches: $(9**9**9)$: a result too large"),
        ("exp.model=", "exp.model: is empty; name a network"),
        ("exp.status=disabled", "no run is left; 4 combinations left out: their exp.status is dis"),
        ("exp.proj=$(__import__('os'))$", "unknown function '__import__'"),
    ],
)
def test_what_is_wrong_names_the_file(path: Path, given: str, said: str) -> None:
    """In one line."""
    with pytest.raises(UsageError) as caught:
        expand(path, parse_given([given]))
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


def test_what_is_of_no_effect_is_told(tmp_path: Path) -> None:
    """But not where something else refers to it."""
    path = tmp_path / "a.toml"
    path.write_text("""
constraints = ["${exp.replica_batch} < 32"]
[parameters]
exp.model = "alexnet"
exp.docker_image = "mine"
exp.effective_batch = 64
exp.replica_batch = "$(${exp.effective_batch} // ${exp.num_replicas})$"
[variables]
exp.effective_batch = [16, 32]
monitor.frequency = [0, 1]
[[extensions]]
condition = {monitor.frequency = 1.0}
parameters = {exp.status = "inactive", exp.node_id = "here"}
""")
    matrix = expand(path)
    assert len(matrix.experiments) == 1
    assert [note.partition(":")[0] for note in matrix.notes] == [
        "2 combinations left out", "1 combinations left out",
        "exp.docker_image is of no effect here", "exp.node_id is of no effect here",
        "monitor.frequency is of no effect here",
    ]  # fmt: skip


def test_the_environment_is_that_of_all_runs(path: Path) -> None:
    """The first GPUs are there anyway; others are chosen, for a run directory once."""
    assert expand(path, {"exp.gpus": '["0", "0,1"]'}).variables == {}
    assert expand(path, {"exp.gpus": "1,3"}).variables == {"CUDA_VISIBLE_DEVICES": "1,3"}
    matrix = expand(path, {"exp.gpus": '["0", "2"]'})
    with pytest.raises(UsageError, match="the runs have different environments"):
        _ = matrix.variables


def parse(*words: str) -> Namespace:
    """Return what the flags of a command line say."""
    return make_parser("model").parse_args(["model", *words])


def test_a_dry_run_is_a_table_and_commands(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each of them measures its run alone; as JSON they stand in the rows."""
    words = ["--experiments", str(path), "--dry-run", "-P", "exp.gpus=2", "-P", "exp.proj=a b"]
    arguments = parse(*words)
    matrix = matrix_of(arguments)
    assert matrix is not None
    assert print_dry_run(matrix, arguments) == 0
    table, _, commands = capsys.readouterr().out.partition("\n\n")
    assert [line.split() for line in table.splitlines()] == [
        ["run", "exp.model", "exp.replica_batch"],
        ["1", "alexnet", "8"], ["2", "alexnet", "16"],
        ["3", "deep_mnist", "8"], ["4", "deep_mnist", "16"],
    ]  # fmt: skip
    assert len(commands.splitlines()) == 4
    begin = "CUDA_VISIBLE_DEVICES=2 opperf model --framework=pytorch --model=alexnet --forward_only"
    assert commands.startswith(begin)
    assert commands.splitlines()[0].endswith("'--tag=a b'")
    print_dry_run(matrix, parse(*words, "--format", "json"))
    rows = json.loads(capsys.readouterr().out)
    assert [row["command"] for row in rows] == commands.splitlines()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-P", "exp.model=x"], "-P: is for a file of --experiments"),
        (["alexnet", "--experiments", "FILE"], "--models: the file of --experiments says it"),
        (["--batch_size", "4", "--experiments", "FILE"], "--batch_size: the file of"),
        (["--device", "cuda", "--experiments", "FILE"], "--device: the file of"),
        (["--experiments", "none.toml"], "cannot read experiment file none.toml"),
    ],
)
def test_flags_beside_a_file_are_refused(path: Path, words: list[str], said: str) -> None:
    """What would be passed over, and what needs one."""
    with pytest.raises(UsageError, match=said):
        matrix_of(parse(*[str(path) if word == "FILE" else word for word in words]))
    assert matrix_of(parse()) is None


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ('["--batchsize=4"]', "pytorch.args: unrecognized arguments: --batchsize=4; did you mean"),
        ('["--store=sqlite:///x.db"]', "pytorch.args: unrecognized arguments: --store"),
        ('["--batch_size=0"]', "pytorch.args: argument --batch_size"),
        ('["--help"]', "pytorch.args: unrecognized arguments: --help"),
        ('["--model=alexnot"]', "unknown model of pytorch 'alexnot'; did you mean 'alexnet'?"),
        ('["--framework=mxnet"]', "pytorch.args: --framework 'mxnet': set exp.framework"),
    ],
)
def test_arguments_of_a_run_are_flags_of_networks_only(path: Path, args: str, said: str) -> None:
    """A file names no store and no other option; what is wrong is found before anything runs."""
    arguments = parse("--experiments", str(path), "-P", f"pytorch.args={args}", "--quiet")
    matrix = matrix_of(arguments)
    assert matrix is not None
    with pytest.raises(UsageError) as caught:
        print_dry_run(matrix, arguments)
    assert said in str(caught.value)


def test_flags_of_our_own_are_for_all_runs(path: Path) -> None:
    """Unless a run's arguments say otherwise."""
    arguments = parse("--experiments", str(path), "--size", "64", "--quiet", "-P",
                      'pytorch.args=["--model=${exp.model}", "--size=32"]')  # fmt: skip
    matrix = matrix_of(arguments)
    assert matrix is not None
    assert {own.input_size for own, _ in runs_of(matrix, arguments)} == {32}
    arguments.given_parameters = []
    matrix = matrix_of(arguments)
    assert matrix is not None
    found = [(own.input_size, own.model, own.batch_size) for own, _ in runs_of(matrix, arguments)]
    assert found[0] == (64, ["alexnet"], 8)
    assert {own.framework for own, _ in runs_of(matrix, arguments)} == {"pytorch"}


def test_a_simulated_run_is_told_and_not_measured(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its command."""
    arguments = parse("--experiments", str(path), "-P", "exp.status=simulate")
    matrix = matrix_of(arguments)
    assert matrix is not None
    assert [*runs_of(matrix, arguments)] == []
    assert capsys.readouterr().err.count("exp.status is simulate: opperf model --fram") == 4


def test_two_runs_do_not_share_a_log(path: Path) -> None:
    """All but the last would be lost."""
    with pytest.raises(UsageError, match=r"exp\.log_file: 'a\.log' is that of 4 runs"):
        expand(path, {"exp.log_file": "a.log"})


def test_a_log_file_replaces_logs_only(tmp_path: Path) -> None:
    """An experiment file of somebody else names no file that is lost."""
    log = tmp_path / "logs" / "alexnet.log"
    for _ in range(2):
        write_log(log, lines_of(network_of()))
    found = read_log(log.read_text().splitlines())
    assert found.values["exp.model"] == "alexnet"
    assert found.status == "ok"
    check_log("")
    log.write_text("precious")
    for name, said in (
        (log, "is there already, and is no log of an experiment"),
        (tmp_path / ".bashrc", r"must end with \.log"),
        (log / "x.log", r"(Not a directory|File exists)"),
    ):
        with pytest.raises(UsageError, match=rf"exp\.log_file {re.escape(str(name))}: .*{said}"):
            write_log(name, ["__a__=1"])
    assert log.read_text() == "precious"


def test_the_table_of_parameters_has_both_frameworks() -> None:
    """A row each, of texts."""
    rows = {row["parameter"]: row for row in parameter_rows()}
    assert rows["mxnet.cudnn_fastest"]["default"] == "False"
    assert rows["pytorch.args"]["type"] == "list"
    assert rows["exp.phase"]["allowed"] == "inference, training"
    assert all(isinstance(value, str) for row in rows.values() for value in row.values())
