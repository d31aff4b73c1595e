"""The document's own parameters: their defaults, and the command line that comes of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opperf.core.errors import UsageError
from opperf.networks.experiments.resolution import Resolver
from opperf.networks.experiments.table import standard_parameters

ENVIRONMENT = {"DLBS_ROOT": "/opt/dlbs", "HOME": "/home/someone"}
DOCUMENT = [
    "--model=${exp.model}",
    "--forward_only=$('true' if '${exp.phase}'=='inference' else 'false')$",
    "--batch_size=${exp.replica_batch}",
    "--num_batches=${exp.num_batches}",
    "--num_warmup_batches=${exp.num_warmup_batches}",
    "--num_gpus=${exp.num_local_gpus}",
    "--device=${exp.device_type}",
    (
        "$('' if not '${pytorch.data_dir}' else '--data_dir=${pytorch.data_dir}' "
        "if ${exp.docker} is False else '--data_dir=/workspace/data')$"
    ),
    "--data_backend=${pytorch.data_backend}",
    "--data_shuffle=$('true' if ${pytorch.data_shuffle} else 'false')$",
    "--num_loader_threads=${pytorch.num_loader_threads}",
    "--dtype=${exp.dtype}",
    "--cudnn_benchmark=$('true' if ${pytorch.cudnn_benchmark} else 'false')$",
    "--cudnn_fastest=$('true' if ${pytorch.cudnn_fastest} else 'false')$",
]
"""`pytorch.args` as the document states its default."""


def values(framework: str = "pytorch", **given: object) -> Resolver:
    """Return the parameters with these values, their dots written as two underscores."""
    dotted = {name.replace("__", "."): value for name, value in given.items()}
    return Resolver(
        standard_parameters(),
        {"exp.framework": framework, "exp.model": "resnet50", **dotted},  # type: ignore[arg-type]
        ENVIRONMENT,
    )


def test_the_default_stands_as_the_document_has_it() -> None:
    """Word by word."""
    assert standard_parameters()["pytorch.args"].default == DOCUMENT


@pytest.mark.parametrize("framework", ["pytorch", "mxnet"])
def test_training(framework: str) -> None:
    """On drawn data, on the CPU."""
    assert values(framework, exp__phase="training").value(f"{framework}.args") == [
        "--model=resnet50", "--forward_only=false", "--batch_size=16", "--num_batches=100",
        "--num_warmup_batches=1", "--num_gpus=0", "--device=cpu", "--data_backend=caffe_lmdb",
        "--data_shuffle=false", "--num_loader_threads=4", "--dtype=float32",
        "--cudnn_benchmark=true", "--cudnn_fastest=false",
    ]  # fmt: skip


def test_inference_on_gpus_and_real_data() -> None:
    """With every value another than the default; the folder's name has a quote and a space."""
    resolver = values(
        exp__phase="inference", exp__replica_batch=32, exp__num_batches=7, exp__dtype="float16",
        exp__num_warmup_batches=0, exp__gpus="0,1:2", pytorch__data_dir="/data/it's mine",
        pytorch__data_backend="image_folder", pytorch__data_shuffle=True,
        pytorch__num_loader_threads=2, pytorch__cudnn_benchmark=False, pytorch__cudnn_fastest=True,
    )  # fmt: skip
    assert resolver.value("pytorch.args") == [
        "--model=resnet50", "--forward_only=true", "--batch_size=32", "--num_batches=7",
        "--num_warmup_batches=0", "--num_gpus=3", "--device=gpu", "--data_dir=/data/it's mine",
        "--data_backend=image_folder", "--data_shuffle=true", "--num_loader_threads=2",
        "--dtype=float16", "--cudnn_benchmark=false", "--cudnn_fastest=true",
    ]  # fmt: skip
    assert resolver.value("exp.effective_batch") == 96
    assert resolver.value("exp.data") == "real"


def test_a_container_has_its_own_folder() -> None:
    """The other branch of the document's expression."""
    args = values(exp__docker=True, pytorch__data_dir="/data").value("pytorch.args")
    assert isinstance(args, list)
    assert "--data_dir=/workspace/data" in args


def test_the_other_defaults_are_those_of_the_document() -> None:
    """Of every parameter that the document lists."""
    resolver = values(exp__docker=True, runtime__cuda_cache="/cache", pytorch__data_dir="/data")
    expected = {
        "pytorch.bench_path": "/workspace",
        "pytorch.cudnn_benchmark": True,
        "pytorch.cudnn_fastest": False,
        "pytorch.data_backend": "caffe_lmdb",
        "pytorch.data_shuffle": False,
        "pytorch.docker_image": "hpe/pytorch:cuda9-cudnn7",
        "pytorch.docker_args": [
            "-i", "--security-opt seccomp=unconfined", "--pid=host", "--ipc=host",
            "--volume=/opt/dlbs/python/pytorch_benchmarks:/workspace/pytorch_benchmarks",
            "--volume=/cache:/workspace/cuda_cache", "--volume=/data:/workspace/data",
            "hpe/pytorch:cuda9-cudnn7",
        ],
        "pytorch.env": "",
        "pytorch.host_libpath": "",
        "pytorch.host_python_path": "/home/someone/projects/pytorch/python",
        "pytorch.launcher": "/opt/dlbs/scripts/launchers/pytorch.sh",
        "pytorch.num_loader_threads": 4,
    }  # fmt: skip
    assert {name: resolver.value(name) for name in expected} == expected
    assert values().value("pytorch.bench_path") == "/opt/dlbs/python"
    assert values().value("pytorch.data_dir") == ""


def test_every_standard_parameter_has_a_value_and_a_description() -> None:
    """Of the type and the domain that the table states."""
    resolver = values()
    for name, parameter in standard_parameters().items():
        assert parameter.description, name
        assert parameter.convert(resolver.value(name)) == resolver.value(name)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.sampled_from([
            "${", "$(", ")$", "}", "$", "{", ")", "exp.model", "exp.phase", "'", "1", "+", "x", "é",
            "${exp.model}", "$('${exp.phase}')$", "HOME", "\\", " ",
        ]),
        max_size=12,
    ).map("".join)
)  # fmt: skip
def test_any_text_is_filled_in_or_refused(text: str) -> None:
    """What has no sign of a reference or an expression stays as it is."""
    try:
        found = values().fill(text)
    except UsageError as error:
        assert str(error).isprintable()  # noqa: PT017 - any of many errors
        return
    assert isinstance(found, (str, int, float))
    if "${" not in text and "$(" not in text:
        assert found == text


def test_a_cycle_is_named() -> None:
    """With the parameters that it leads through, and not those that lead to it."""
    given = {
        "exp.model": "${exp.proj}",
        "exp.proj": "$(len('${exp.id}'))$",
        "exp.id": "${${exp.node_id}}",
        "exp.node_id": "${exp.proj}",
    }
    with pytest.raises(UsageError) as caught:
        Resolver(standard_parameters(), given, {}).value("exp.model")
    cycle = "a cycle of references: exp.proj -> exp.id -> exp.node_id -> exp.proj"
    assert str(caught.value) == cycle


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("${exp.modle}", "exp.id: unknown ${exp.modle}; did you mean ${exp.model}?"),
        ("${PATH}", "exp.id: unknown ${PATH}"),
        ("${BENCH_ROOT}/x", "exp.id: ${BENCH_ROOT}: this environment variable is not set"),
        ("$(__import__('os'))$", "exp.id: $(__import__('os'))$: unknown function '__import__'"),
        ("$('${exp.model}'.x)$", "exp.id: $('${exp.model}'.x)$: Attribute is not allowed"),
        ("${exp.model", "exp.id: '${exp.model': ${ without its }"),
        ("$(1 + 2", "exp.id: '$(1 + 2': $( without its )$"),
        ("${}", "exp.id: ${} names no parameter"),
        ("${" * 9 + "}" * 9, "exp.id: references nested deeper than 5 levels"),
        ("x" * 10_001, "exp.id: a text of more than 10000 characters"),
        ("\x1b[2J", "exp.id: '\\x1b[2J' has unprintable characters"),
        ("$('\\n')$", "exp.id: '\\n' has unprintable characters"),
    ],
)
def test_a_wrong_text_names_its_parameter(value: str, said: str) -> None:
    """In one line, with what stands there."""
    with pytest.raises(UsageError) as caught:
        values(exp__id=value).value("exp.id")
    assert str(caught.value).startswith(said)
    assert str(caught.value).isprintable()


def test_texts_that_double_in_each_reference_are_refused() -> None:
    """Fifty references to one another twice would be a text longer than any memory."""
    base = standard_parameters()["exp.id"]
    table = {f"x.a{at}": replace(base, name=f"x.a{at}", default=f"${{x.a{at + 1}}}" * 2)
             for at in range(40)}  # fmt: skip
    table["x.a40"] = replace(base, name="x.a40", default="abcdefgh")
    with pytest.raises(UsageError, match="becomes longer than 10000 characters"):
        Resolver(table, {}, {}).value("x.a0")


def test_a_long_row_of_references_is_refused() -> None:
    """Before Python's own stack ends."""
    base = standard_parameters()["exp.id"]
    table = {f"x.a{at}": replace(base, name=f"x.a{at}", default=f"${{x.a{at + 1}}}")
             for at in range(60)}  # fmt: skip
    with pytest.raises(UsageError, match=r"x\.a0: more than 50 references in a row"):
        Resolver(table, {}, {}).value("x.a0")
