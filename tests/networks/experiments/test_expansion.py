"""An experiment file with what a command line gives besides: runs, notes, a table and commands."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

import pytest

from opperf.cli.experiments import add_experiments, matrix_of, print_dry_run, write_log
from opperf.core.errors import UsageError
from opperf.networks.experiments.expansion import expand, parameter_rows, parse_given
from opperf.networks.log_lines import read_log
from tests.networks.test_log_lines import network_of

if TYPE_CHECKING:
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


def parse(*words: str) -> ArgumentParser:
    """Return what the flags of a command line say."""
    parser = ArgumentParser()
    add_experiments(parser)
    return parser.parse_args(words)  # type: ignore[return-value]


def test_a_dry_run_is_a_table_and_commands(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each of them measures its run alone."""
    words = ["--experiments", str(path), "--dry-run", "-P", "exp.gpus=2", "-P", "exp.proj=a b"]
    matrix = matrix_of(parse(*words))
    assert matrix is not None
    print_dry_run(matrix)
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


@pytest.mark.parametrize("words", [("--dry-run",), ("-P", "exp.model=x")])
def test_flags_of_experiments_need_a_file(words: tuple[str, ...]) -> None:
    """And none is none."""
    with pytest.raises(UsageError, match="is for a file of --experiments"):
        matrix_of(parse(*words))
    assert matrix_of(parse()) is None


def test_a_log_file_replaces_logs_only(tmp_path: Path) -> None:
    """An experiment file of somebody else names no file that is lost."""
    log = tmp_path / "logs" / "alexnet_8.log"
    path = tmp_path / "a.toml"
    path.write_text(f"""
[parameters]
exp.model = "alexnet"
exp.replica_batch = 8
exp.log_file = "{log.parent}/${{exp.model}}_${{exp.effective_batch}}.log"
""")
    [experiment] = expand(path).experiments
    for _ in range(2):
        write_log(experiment, network_of())
    found = read_log(log.read_text().splitlines())
    assert found.values["exp.log_file"] == str(log)
    assert found.status == "ok"
    log.write_text("precious")
    with pytest.raises(UsageError, match="is no log of an experiment"):
        write_log(experiment, network_of())
    assert log.read_text() == "precious"
    [experiment] = expand(path, {"exp.log_file": f"{tmp_path}/.bashrc"}).experiments
    with pytest.raises(UsageError, match=r"must end with \.log"):
        write_log(experiment, network_of())
    [experiment] = expand(path, {"exp.log_file": f"{path}/x.log"}).experiments
    with pytest.raises(UsageError, match=r"exp\.log_file .*x\.log"):
        write_log(experiment, network_of())


def test_the_table_of_parameters_has_both_frameworks() -> None:
    """A row each, of texts."""
    rows = {row["parameter"]: row for row in parameter_rows()}
    assert rows["mxnet.cudnn_fastest"]["default"] == "False"
    assert rows["pytorch.args"]["type"] == "list"
    assert rows["exp.phase"]["allowed"] == "inference, training"
    assert all(isinstance(value, str) for row in rows.values() for value in row.values())
