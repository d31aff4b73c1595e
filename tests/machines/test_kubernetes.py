"""The manifest of a Job: what the API takes, with limits that are requests, and literal words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from opperf.cli import main
from opperf.machines.kubernetes import manifest
from opperf.machines.machine import MachineSpec

if TYPE_CHECKING:
    from tests.machines.conftest import FakeEngines

SCHEMA = json.loads(Path(__file__).with_name("job.schema.json").read_text(encoding="utf-8"))
WHOLE = MachineSpec(
    name="night",
    image="registry.example:5000/team/opperf:1.0",
    gpus="2",
    cpus=16,
    memory=2**36,
    lifetime=90.5,
    labels=("nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB",),
    command=("sh", "-c", "echo $(HOME) $$ \"'\n", "-k name=Add"),
)


def expanded(word: str) -> str:
    """Return what Kubernetes makes of a word of a command where no variable is set.

    https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/ (command).
    """
    said, letters = "", iter(word)
    for letter in letters:
        following = next(letters, "") if letter == "$" else ""
        assert following != "(", "a variable"
        said += "$" if following == "$" else letter + following
    return said


@pytest.mark.parametrize("spec", [WHOLE, MachineSpec(name="a", image="a:1")])
def test_the_api_takes_the_manifest(spec: MachineSpec) -> None:
    """Every field is one of batch/v1, of its type; none is left empty."""
    Draft202012Validator.check_schema(SCHEMA)
    assert [*Draft202012Validator(SCHEMA).iter_errors(manifest(spec))] == []


def test_the_schema_refuses_what_the_api_refuses() -> None:
    """A check that takes everything is none."""
    for path, value in (
        (("kind",), "Pod"),
        (("metadata", "name"), "Night_1"),
        (("spec", "backofLimit"), 0),
        (("spec", "template", "spec", "restartPolicy"), "Always"),
        (("spec", "template", "spec", "containers"), []),
        (("spec", "template", "spec", "nodeSelector"), {"a b": "c"}),
    ):
        job: Any = json.loads(json.dumps(manifest(WHOLE)))
        place = job
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        assert not Draft202012Validator(SCHEMA).is_valid(job), path


def test_the_pod_has_what_is_asked_for() -> None:
    """Once, without privileges, and all that it requests for itself alone."""
    spec = manifest(WHOLE)["spec"]
    assert (spec["backoffLimit"], spec["activeDeadlineSeconds"]) == (0, 91)
    pod = spec["template"]["spec"]
    assert pod["nodeSelector"] == {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"}
    (container,) = pod["containers"]
    amounts = {"cpu": "16", "memory": str(2**36), "nvidia.com/gpu": "2"}
    assert container["resources"] == {"limits": amounts, "requests": amounts}
    assert container["image"] == WHOLE.image
    assert tuple(map(expanded, container["command"])) == WHOLE.command


def test_kubectl_reads_the_manifest_as_it_is_printed(
    engines: FakeEngines, capsys: pytest.CaptureFixture[str]
) -> None:
    """From its standard input, in both ways."""
    words = ["machine", "create", "--engine", "kubernetes", "--name", "night", "--image", "a:1"]
    assert main(words) == 0
    read = json.loads(engines.read())
    assert read == manifest(MachineSpec(name="night", image="a:1"))
    capsys.readouterr()
    assert main([*words, "--print-command"]) == 0
    first, *lines, last = capsys.readouterr().out.splitlines()
    assert first == f"kubectl create --filename - <<'{last}'"
    assert json.loads("\n".join(lines)) == read
