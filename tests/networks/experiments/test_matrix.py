"""From an experiment file to the matrix of its runs, and to a run's command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import UsageError
from opperf.networks.experiments.command import experiment_of
from opperf.networks.experiments.extension import MOST_RUNS
from opperf.networks.experiments.file import read_document
from opperf.networks.experiments.matrix import Matrix, expand_plan
from opperf.networks.experiments.plan import ExperimentPlan

if TYPE_CHECKING:
    from pathlib import Path

TOML = """
[parameters]
exp.phase = "inference"
exp.num_batches = 5
pytorch.num_loader_threads = 2
exp.num_warmup_batches = 2

[variables]
exp.model = ["alexnet", "deep_mnist"]
"exp.replica_batch" = [8, 16]
"""
YAML = """
parameters:
  exp.phase: inference
  exp.num_batches: 5
  pytorch.num_loader_threads: 2
  exp: {num_warmup_batches: 2}
variables:
  exp.model: [alexnet, deep_mnist]
  exp.replica_batch: [8, 16]
"""
JSON = json.dumps({
    "parameters": {
        "exp.phase": "inference", "exp.num_batches": 5, "pytorch.num_loader_threads": 2,
        "exp.num_warmup_batches": 2,
    },
    "variables": {"exp.model": ["alexnet", "deep_mnist"], "exp.replica_batch": [8, 16]},
})  # fmt: skip


def matrix_of(**sections: Any) -> Matrix:
    """Return the matrix of a document with these sections."""
    plan = ExperimentPlan()
    plan.add(sections)
    return expand_plan(plan, {})


def values_of(matrix: Matrix, *names: str) -> list[tuple[object, ...]]:
    """Return the values of some parameters in each run."""
    return [tuple(run.value(name) for name in names) for run in matrix.runs]


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.toml", TOML), ("a.yaml", YAML), ("a.YML", YAML), ("a.json", JSON)],
    ids=["toml", "yaml", "yml", "json"],
)
def test_each_form_says_the_same(name: str, text: str, tmp_path: Path) -> None:
    """Every combination, in the order of the file, the last variable first."""
    path = tmp_path / name
    path.write_text(text)
    plan = ExperimentPlan()
    plan.add(read_document(path))
    matrix = expand_plan(plan, {})
    assert values_of(matrix, "exp.model", "exp.replica_batch") == [
        ("alexnet", 8), ("alexnet", 16), ("deep_mnist", 8), ("deep_mnist", 16),
    ]  # fmt: skip
    assert [*experiment_of(matrix.runs[0]).arguments][:5] == [
        "--model=alexnet", "--forward_only=true", "--batch_size=8", "--num_batches=5",
        "--num_warmup_batches=2",
    ]  # fmt: skip
    assert matrix.runs[0].names == ("exp.model", "exp.replica_batch")


def test_without_variables_there_is_one_run() -> None:
    """With the parameters that are given."""
    assert values_of(matrix_of(parameters={"exp.model": "vgg16"}), "exp.model") == [("vgg16",)]
    assert len(matrix_of().runs) == 1


def test_extensions_give_and_take() -> None:
    """As in the older suite: disabled but for some batches; a pattern's group; cases."""
    matrix = matrix_of(
        parameters={"exp.status": "disabled"},
        variables={"exp.model": ["alexnet", "resnet50", "resnet152"], "exp.replica_batch": [8, 64]},
        extensions=[
            {"condition": {"exp.model": "alex"}, "parameters": {"exp.status": ""}},
            {
                "condition": {"exp.model": r"resnet(\d+)", "exp.replica_batch": [8]},
                "parameters": {
                    "exp.status": "ok",
                    "exp.proj": "${__condition.exp.model_0}/${__condition.exp.model_1}",
                },
                "cases": [{"exp.phase": "training"}, {"exp.phase": "inference"}],
            },
        ],
    )
    assert values_of(matrix, "exp.model", "exp.replica_batch", "exp.phase", "exp.proj") == [
        ("alexnet", 8, "training", ""),
        ("alexnet", 64, "training", ""),
        ("resnet50", 8, "training", "resnet50/50"),
        ("resnet50", 8, "inference", "resnet50/50"),
        ("resnet152", 8, "training", "resnet152/152"),
        ("resnet152", 8, "inference", "resnet152/152"),
    ]
    assert matrix.disabled == 2
    assert matrix.runs[0].names == ("exp.model", "exp.replica_batch", "exp.phase")


def test_an_empty_text_is_met_by_an_empty_text_only() -> None:
    """Though as a pattern it would be found at the beginning of every text."""
    matrix = matrix_of(
        variables={"exp.proj": ["", "a"]},
        extensions=[{"condition": {"exp.proj": ""}, "parameters": {"exp.id": "none"}}],
    )
    assert values_of(matrix, "exp.id") == [("none",), ("",)]


def test_constraints_keep_what_meets_them() -> None:
    """Each of them an expression over the parameters."""
    matrix = matrix_of(
        variables={"exp.model": ["alexnet", "vgg16"], "exp.replica_batch": [8, 64]},
        constraints=["'${exp.model}' == 'alexnet' or ${exp.replica_batch} < 64", "1 < 2"],
    )
    assert len(matrix.runs) == 3
    assert matrix.against == 1


def test_a_file_may_declare_parameters_of_its_own() -> None:
    """By value, type and description, as in the older suite."""
    matrix = matrix_of(
        parameters={
            "my.scale": {"val": 2, "type": "int", "desc": ["How", "much"], "val_domain": [2, 4]},
            "my.name": {"val": "${exp.model}_x", "val_regex": "[a-z0-9_]+"},
            "exp.replica_batch": "$(8 * ${my.scale})$",
        },
        variables={"my.scale": [2, 4], "exp.model": "vgg16"},
    )
    assert values_of(matrix, "exp.replica_batch", "my.name") == [(16, "vgg16_x"), (32, "vgg16_x")]


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"parameter": {}}, "unknown section 'parameter'; did you mean 'parameters'?"),
        ({"parameters": 3}, "parameters: must be a table of names and values, not 3"),
        ({"parameters": {"exp.modle": "x"}},
         "unknown parameter 'exp.modle'; did you mean 'exp.model'?"),
        ({"parameters": {"exp model": "x"}}, "'exp model' is no name of a parameter"),
        ({"parameters": {"exp": {"model": "x"}, "exp.model": "y"}}, "exp.model stands twice"),
        ({"parameters": {"a": {"a": {"a": {"a": {"a": {"a": {"a": 1}}}}}}}}, "is no name of a"),
        ({"parameters": {"exp.num_batches": "many"}},
         "exp.num_batches: must be a whole number, not 'many'"),
        ({"parameters": {"exp.num_batches": 2.5}}, "exp.num_batches: must be a whole number"),
        ({"parameters": {"exp.num_batches": True}}, "exp.num_batches: must be a whole number"),
        ({"parameters": {"exp.num_batches": 0}}, "exp.num_batches: 0: must be 1 or more"),
        ({"parameters": {"exp.model": 16}}, "exp.model: must be a text, not 16"),
        ({"parameters": {"exp.docker": "maybe"}}, "exp.docker: must be true or false"),
        ({"parameters": {"exp.phase": "trainign"}},
         "exp.phase: unknown value 'trainign'; did you mean 'training'?"),
        ({"parameters": {"exp.gpus": "0;1"}}, "exp.gpus: '0;1': must match"),
        ({"parameters": {"exp.model": ["a", 1]}}, "exp.model: must be at most 1000 texts"),
        ({"parameters": {"exp.model": None}}, "exp.model: must be a text, not None"),
        ({"parameters": {"exp.model": {"val": "x"}}}, "exp.model: is declared already"),
        ({"parameters": {"my.x": {"val": 1, "typ": "int"}}},
         "my.x: unknown key 'typ'; did you mean 'type'?"),
        ({"parameters": {"my.x": {"val": 1, "type": "integer"}}},
         "my.x: unknown type 'integer'; did you mean 'int'?"),
        ({"parameters": {"my.x": {"val": "a", "type": "int"}}}, "my.x: must be a whole number"),
        ({"parameters": {"my.x": {"val": "a", "val_regex": "("}}}, "my.x: pattern '('"),
        ({"variables": {"exp.model": []}}, "variables: exp.model: must have 1 to 1000 values"),
        ({"variables": {"exp.phase": ["training", "x"]}}, "variables: exp.phase: unknown value"),
        ({"variables": {"exp.num_batches": [*range(1, 60)], "exp.replica_batch": [*range(1, 60)]}},
         f"variables: more than {MOST_RUNS} combinations"),
        ({"extensions": {}, "constraints": "x"}, "constraints: must be a list"),
        ({"extensions": ["x"]}, "extensions: number 1: must be a table"),
        ({"extensions": [{"conditions": {}}]}, "did you mean 'condition'?"),
        ({"extensions": [{"condition": {"exp.x": 1}}]}, "extensions: number 1: unknown parameter"),
        ({"extensions": [{"condition": {"exp.model": "("}}]},
         "extensions: number 1: condition: exp.model: pattern '('"),
        ({"extensions": [{"condition": {"exp.replica_batch": "x"}}]},
         "condition: exp.replica_batch: must be a whole number"),
        ({"extensions": [{"condition": {"exp.framework": ["mxnett"]}}]}, "did you mean 'mxnet'?"),
        ({"extensions": [{"condition": {"exp.device_type": "gpu"}}]}, "which is worked out later"),
        ({"parameters": {"exp.model": "a" * 9000 + "bc"},
          "extensions": [{"condition": {"exp.model": "(?:a|aa)+c"}}]}, "takes more than 1 s"),
        ({"extensions": [{"cases": [{"exp.phase": "training"}] * 50}] * 3},
         f"extensions: more than {MOST_RUNS} combinations"),
        ({"constraints": [1]}, "constraints: 1 is no expression"),
        ({"constraints": ["${exp.num_batches}"]}, "is 100, not True or False"),
        ({"constraints": ["${exp.nam} > 1"]}, "constraints: unknown ${exp.nam}; did you mean"),
        ({"constraints": ["True)$ $(True"]}, "not True or False"),
        ({"parameters": {"exp.num_batches": "${exp.model}"}},
         "exp.num_batches: must be a whole number, not ''"),
        ({"parameters": {"exp.id": "${exp.id}"}}, "a cycle of references: exp.id -> exp.id"),
        ({"parameters": {"exp.num_nodes": 2}}, "exp.num_nodes: unknown value 2; allowed: 1"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(sections: dict[str, Any], said: str) -> None:
    """With the place, what is allowed, and the nearest match."""
    with pytest.raises(UsageError) as caught:
        matrix_of(**sections)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


def test_extensions_are_bounded_on_the_way() -> None:
    """Cases of cases are refused before they fill the memory."""
    rows = [{"cases": [{"exp.phase": "training"}] * 100}] * 20
    with pytest.raises(UsageError, match="more than 2000 combinations"):
        matrix_of(extensions=rows)


def test_what_a_run_needs_is_in_its_command() -> None:
    """Its GPUs, its environment, its tag; later releases write a flag and its value in one."""
    parameters = {
        "exp.model": "vgg16", "exp.gpus": "2,3", "exp.proj": "night",
        "pytorch.env": "OMP_NUM_THREADS=1 MKL_DYNAMIC=",
        "pytorch.args": ["--model ${exp.model}", "", "--data_dir=/a b"],
        "exp.status": "simulate",
    }  # fmt: skip
    command = experiment_of(matrix_of(parameters=parameters).runs[0])
    assert command.arguments == ("--model", "vgg16", "--data_dir=/a b")
    assert command.variables == {
        "OMP_NUM_THREADS": "1", "MKL_DYNAMIC": "", "CUDA_VISIBLE_DEVICES": "2,3"
    }  # fmt: skip
    assert command.tags == ("night",)
    assert command.simulate


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({}, "exp.model: is empty; name a network"),
        ({"exp.model": "a", "exp.docker": True}, "exp.docker: opperf starts no containers"),
        ({"exp.model": "a", "pytorch.env": "x"}, "pytorch.env: 'x' must be NAME=value"),
        ({"exp.model": "a", "pytorch.env": "LD_PRELOAD=x.so"}, "paths are set where opperf is"),
        ({"exp.model": "a", "pytorch.env": "MXNET_LIBRARY_PATH=/x.so"}, "paths are set where"),
    ],
)
def test_what_opperf_cannot_run_is_refused(parameters: dict[str, Any], said: str) -> None:
    """Rather than run otherwise than was asked for."""
    with pytest.raises(UsageError, match=said):
        experiment_of(matrix_of(parameters=parameters).runs[0])
