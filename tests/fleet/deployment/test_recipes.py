"""The recipes are what the programs that read them take."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli import main
from opperf.fleet.deployment.recipes import FILES, recipe_text
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

SECCOMP = {
    "LockPersonality", "MemoryDenyWriteExecute", "PrivateDevices", "ProtectClock",
    "ProtectHostname", "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables",
    "RestrictAddressFamilies", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID",
    "SystemCallArchitectures", "SystemCallErrorNumber", "SystemCallFilter", "SystemCallLog",
}  # fmt: skip
"""Options by which systemd.exec(5) says that seccomp filters are installed."""
THROTTLING = {"CPUQuota", "CPUWeight", "MemoryHigh", "MemoryMax", "IOWeight", "TasksMax"}
WORKER = ("--scheduler", "tls://head:8786", "--certs", "/etc/opperf/certs", "--python",
          "/opt/opperf/bin/python")  # fmt: skip
SLURM = """\
#!/bin/bash

#SBATCH -J opperf-worker
#SBATCH -p bench
#SBATCH -n 1
#SBATCH -t 1-00:00:00
#SBATCH -N 1
#SBATCH --exclusive
#SBATCH --mem=0
#SBATCH --requeue
#SBATCH --signal=B:TERM@120
#SBATCH --constraint=epyc
set -eu
exec /opt/opperf/bin/python -m opperf fleet worker --scheduler tls://head:8786 \
--certs /etc/opperf/certs --tag 'rack 7'
"""


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what a recipe prints."""
    assert main(["fleet", "recipe", *words]) == 0
    return capsys.readouterr().out


def unit(name: str) -> configparser.RawConfigParser:
    """Return a unit's options; those that are repeated once."""
    found = configparser.RawConfigParser(strict=False, comment_prefixes=("#",), delimiters=("=",))
    found.optionxform = str  # type: ignore[assignment, method-assign]
    found.read_string(recipe_text(FILES[name]))
    return found


def verified(folder: Path, name: str, text: str) -> str:
    """Return what systemd says of a unit; its program is one that is here."""
    program = shutil.which("systemd-analyze")
    if not program:
        pytest.skip("systemd-analyze is not installed")
    path = folder / FILES[name]
    path.write_text(text.replace("/opt/opperf/bin/opperf", sys.executable))
    done = subprocess.run(
        [program, "verify", "--man=no", str(path)], check=False, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    if "Failed to" in done.stderr and "manager" in done.stderr:
        pytest.skip(f"systemd-analyze cannot look at units here: {done.stderr.strip()}")
    return "\n".join(line for line in told(done.stderr) if str(path.name) in line)


@pytest.mark.parametrize("name", ["systemd-scheduler", "systemd-slice", "systemd-worker"])
def test_systemd_takes_the_units(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has nothing to say of what is printed, and has of an option that is misspelled."""
    text = printed(capsys, name)
    assert verified(tmp_path, name, text) == ""
    section = re.search(r"^\[(Service|Slice)\]$", text, re.MULTILINE)
    assert section
    worse = text.replace(section[0], f"{section[0]}\nProtectHouse=yes")
    assert "ProtectHouse" in verified(tmp_path, name, worse)


def test_what_measures_is_neither_filtered_nor_throttled() -> None:
    """No option of the worker's unit costs a sample time; the scheduler's may."""
    worker = {*unit("systemd-worker")["Service"]}
    assert not worker & (SECCOMP | THROTTLING | {"PrivateTmp"})
    assert unit("systemd-worker")["Service"]["OOMPolicy"] == "continue"
    assert {*unit("systemd-scheduler")["Service"]} & SECCOMP
    assert not {*unit("systemd-slice")["Slice"]} & THROTTLING


def manifests() -> dict[str, dict[str, Any]]:
    """Return the manifests of Kubernetes by kind and name."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    found = [*yaml.safe_load_all(recipe_text(FILES["kubernetes"]))]
    return {f"{one['kind']}/{one['metadata']['name']}": one for one in found}


def test_kubernetes_takes_the_manifests() -> None:
    """Each has only fields of its kind, of their types; a field that is misspelled is found."""
    schemas = pytest.importorskip("kubernetes_validate", reason="not installed: make venv")
    for one in manifests().values():
        schemas.validate(one, schemas.latest_version(), strict=True)
    daemon = manifests()["DaemonSet/opperf-worker"]
    daemon["spec"]["template"]["spec"]["nodeSelectors"] = {}
    with pytest.raises(schemas.ValidationError):
        schemas.validate(daemon, schemas.latest_version(), strict=True)


def test_a_worker_has_processors_of_its_own() -> None:
    """Whole ones, requests that are limits, one pod a node; nothing is privileged."""
    found = manifests()
    (worker,) = found["DaemonSet/opperf-worker"]["spec"]["template"]["spec"]["containers"]
    resources = worker["resources"]
    assert resources["requests"] == resources["limits"]
    assert resources["limits"]["cpu"].isdigit()
    assert {"cpu", "memory"} <= {*resources["limits"]}
    for name in ("DaemonSet/opperf-worker", "Deployment/opperf-scheduler"):
        pod = found[name]["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert not {"hostNetwork", "hostPID", "hostIPC"} & {*pod}
        assert not [volume for volume in pod["volumes"] if "hostPath" in volume]
        for container in pod["containers"]:
            context = container["securityContext"]
            assert context["capabilities"] == {"drop": ["ALL"]}
            assert context["allowPrivilegeEscalation"] is False
            assert "privileged" not in context


def test_pods_find_each_other() -> None:
    """Selectors select the pods, ports are named alike, and the worker asks for the service."""
    found = manifests()
    service = found["Service/opperf-scheduler"]
    scheduler = found["Deployment/opperf-scheduler"]["spec"]
    daemon = found["DaemonSet/opperf-worker"]["spec"]
    for spec in (scheduler, daemon):
        assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
    assert service["spec"]["selector"] == scheduler["template"]["metadata"]["labels"]
    (port,) = service["spec"]["ports"]
    (container,) = scheduler["template"]["spec"]["containers"]
    assert port["targetPort"] in [one["name"] for one in container["ports"]]
    (worker,) = daemon["template"]["spec"]["containers"]
    address = f"tls://{service['metadata']['name']}:{port['port']}"
    assert f"--scheduler={address}" in worker["command"]
    assert {one["metadata"].get("namespace", "opperf") for one in found.values()} == {"opperf"}


def test_the_script_of_slurm_is_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    """dask-jobqueue's, with a node to itself, and a worker of opperf's as its command."""
    pytest.importorskip("dask_jobqueue", reason="not installed: pip install 'opperf[fleet-slurm]'")
    words = ("--partition", "bench", "--sbatch-option=--constraint=epyc", "--tag", "rack 7")
    assert printed(capsys, "slurm", *WORKER, *words) == SLURM


def test_the_script_of_ssh_is_one_of_a_shell(capsys: pytest.CaptureFixture[str]) -> None:
    """Whose words are quoted."""
    script = printed(capsys, "ssh", *WORKER, "--tag", "it's; $HOME", "node1", "me@node_2")
    assert subprocess.run(["/bin/sh", "-n"], input=script, text=True, check=False).returncode == 0
    assert "for host in node1 me@node_2; do" in script
    assert "--tag 'it'\"'\"'s; $HOME' >opperf-worker.log" in script


@pytest.mark.parametrize(("words", "said"), [
    (("--scheduler", "tcp://head:8786"), "other hosts need tls://HOST:PORT"),
    (("--scheduler", "tls://head"), "other hosts need tls://HOST:PORT"),
    (("--scheduler", "tls://127.0.0.1:8786"), "look for it on themselves"),
    (("--certs", "certs"), "'certs': give an absolute path"),
    (("--certs", "/a\nb"), "give an absolute path"),
    (("--python", "python3"), "'python3': give an absolute path"),
    (("--tag", "a\nb"), "give a word without control characters"),
    (("--tag", ""), "give a word without control characters"),
    (("-oProxyCommand=x",), "unrecognized arguments"),
    (("--", "-oProxyCommand=x"), "is no host for ssh"),
    (("a b",), "is no host for ssh"),
    (("$(x)",), "is no host for ssh"),
])  # fmt: skip
def test_what_would_start_no_worker_is_refused(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a line, and nothing is printed."""
    try:
        code = main(["fleet", "recipe", "ssh", *WORKER, "node1", *words])
    except SystemExit as ending:
        code = int(str(ending.code))
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert said in err
    assert len(told(err)) == 1


def test_no_word_is_a_line_of_slurms(capsys: pytest.CaptureFixture[str]) -> None:
    """A newline would make a command of it."""
    pytest.importorskip("dask_jobqueue", reason="not installed: pip install 'opperf[fleet-slurm]'")
    for option in ("--partition", "--walltime", "--sbatch-option"):
        assert main(["fleet", "recipe", "slurm", *WORKER, f"{option}=a\nrm -rf /"]) == 2
        assert option in capsys.readouterr().err
