"""Kubernetes: a container on a node of a cluster, as a Job, by its program kubectl.

Stopped, a Job is suspended: its pod is deleted, and started, it gets a new one, so that nothing
is kept but what lies on volumes. kubectl reads JSON as well as YAML. Fields as of batch/v1,
https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1/.
"""

from __future__ import annotations

import json
from math import ceil
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.machines.engine import Engine, EngineCall
from opperf.machines.shell import line

if TYPE_CHECKING:
    from opperf.machines.machine import MachineSpec

WAITING = ("sleep", "infinity")
INSTANCE = "app.kubernetes.io/instance"
GPU = "nvidia.com/gpu"


class Kubernetes(Engine):
    """A Job of one pod with one container, which is not tried again."""

    name = "kubernetes"
    flags = frozenset({"--image", "--lifetime", "--node-label"})
    everywhere = frozenset({"--namespace", "--context"})
    source = "https://kubernetes.io/docs/tasks/tools/"

    def create(self, spec: MachineSpec) -> EngineCall:
        """Return `kubectl create` with the manifest, which fails where there is such a Job."""
        if spec.image is None:
            raise UsageError("--image: kubernetes runs containers; name an image, as NAME:TAG")
        if spec.gpu_model is not None:
            raise UsageError(
                f"--gpus {spec.gpus}: kubernetes knows GPUs by their number; choose the model by "
                f"a label of its nodes: --node-label nvidia.com/gpu.product={spec.gpu_model}"
            )
        words = (*kubectl(spec, "create"), *spec.options, "--filename", "-")
        return EngineCall(words=words, text=json.dumps(manifest(spec), indent=2))

    def status(self, spec: MachineSpec) -> EngineCall:
        """Return `kubectl get` of the Job and its pod, with the node's name."""
        selector = ("--selector", f"{INSTANCE}={spec.name}", "--output", "wide")
        return EngineCall(words=(*kubectl(spec, "get"), "jobs,pods", *selector))

    def start(self, spec: MachineSpec) -> EngineCall:
        """Return what ends the suspension."""
        return EngineCall(words=suspension(spec, suspend=False))

    def stop(self, spec: MachineSpec) -> EngineCall:
        """Return what suspends the Job."""
        return EngineCall(words=suspension(spec, suspend=True))

    def delete(self, spec: MachineSpec) -> EngineCall:
        """Return `kubectl delete`, which waits until the pod is gone as well."""
        words = (*kubectl(spec, "delete"), f"job/{spec.name}", "--cascade=foreground")
        return EngineCall(words=words)

    def entry(self, spec: MachineSpec) -> str:
        """Return a shell in the container."""
        words = kubectl(spec, "exec")
        return line([*words, "--stdin", "--tty", f"job/{spec.name}", "--", "bash"])


def kubectl(spec: MachineSpec, verb: str) -> tuple[str, ...]:
    """Return the program, with the cluster and the namespace that are asked for."""
    context = ("--context", spec.context) if spec.context else ()
    namespace = ("--namespace", spec.namespace) if spec.namespace else ()
    return ("kubectl", *context, *namespace, verb)


def suspension(spec: MachineSpec, *, suspend: bool) -> tuple[str, ...]:
    """Return what suspends a Job or has it go on."""
    patch = json.dumps({"spec": {"suspend": suspend}})
    words = kubectl(spec, "patch")
    return (*words, f"job/{spec.name}", "--type", "merge", "--patch", patch)


def manifest(spec: MachineSpec) -> dict[str, Any]:
    """Return the Job.

    What it requests is its limit: so its pod is of the class Guaranteed, and a node whose CPU
    manager is static gives it processors of its own.
    """
    labels = {"app.kubernetes.io/name": "opperf", INSTANCE: spec.name}
    amounts = {"cpu": spec.cpus, "memory": spec.memory, GPU: spec.gpu_count or None}
    resources = {name: str(amount) for name, amount in amounts.items() if amount}
    container: dict[str, Any] = {
        "name": "opperf",
        "image": spec.image,
        "command": [literal(word) for word in spec.command or WAITING],
        "resources": {"limits": resources, "requests": resources},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        },
    }
    pod: dict[str, Any] = {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [container],
    }
    if spec.labels:
        pod["nodeSelector"] = dict(label.split("=", 1) for label in spec.labels)
    job: dict[str, Any] = {
        "backoffLimit": 0,
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    if spec.lifetime:
        job["activeDeadlineSeconds"] = ceil(spec.lifetime)
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": spec.name, "labels": labels},
        "spec": job,
    }


def literal(word: str) -> str:
    """Return what Kubernetes takes for a word: to it $(NAME) is a variable, and $$ a dollar."""
    return word.replace("$", "$$")
