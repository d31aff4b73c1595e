"""The script for Slurm, by a real slurmctld, slurmd and munged: a cluster of this machine alone."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from opperf.cli import main
from tests.fleet.deployment.stand_in import (
    PATIENCE,
    ending,
    free_ports,
    wait_until,
    write_stand_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
FOUND = {
    name: shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin") for name in PROGRAMS
}
CONFIGURATION = """\
ClusterName=opperf
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge
CredType=cred/munge
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=bench Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


@contextmanager
def running_slurm(folder: Path) -> Iterator[Path]:
    """Run a cluster with one node, this machine; yields its configuration's path."""
    missing = [name for name, path in FOUND.items() if path is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not found: apt-get install slurm-wlm munge")
    if os.getuid() != 0:
        pytest.skip("slurmd starts jobs of others, and needs to be the superuser's")
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key = folder / "key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o600)
    ports = dict(zip(("controller", "daemon"), free_ports(2), strict=True))
    configuration = folder / "slurm.conf"
    processors = len(os.sched_getaffinity(0))
    host = socket.gethostname().partition(".")[0]
    configuration.write_text(
        CONFIGURATION.format(folder=folder, host=host, processors=processors, **ports)
    )
    own = [f"--{what}={folder}/{what}" for what in ("pid-file", "log-file", "seed-file")]
    with ExitStack() as stack:
        run(stack, folder, "munged", "--force", "--foreground", f"--key-file={key}",
            f"--socket={folder}/munge", *own)  # fmt: skip
        wait_until((folder / "munge").exists, "munged does not listen")
        run(stack, folder, "slurmctld", "-D", "-c", "-f", str(configuration))
        run(stack, folder, "slurmd", "-D", "-f", str(configuration))
        yield configuration


def run(stack: ExitStack, folder: Path, name: str, *words: str) -> None:
    """Run a daemon until the stack is unwound."""
    file = stack.enter_context((folder / f"{name}.log").open("w"))
    process = subprocess.Popen([str(FOUND[name]), *words], stdout=file, stderr=file)
    stack.callback(process.wait, PATIENCE)
    stack.callback(process.terminate)


def ask(configuration: Path, name: str, *words: str, text: str = "") -> str:
    """Return what a program of Slurm says."""
    done = subprocess.run(
        [str(FOUND[name]), *words], input=text, check=False, capture_output=True, text=True,
        env={"SLURM_CONF": str(configuration), "PATH": "/usr/bin:/bin"}, timeout=PATIENCE,
        cwd=configuration.parent,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_slurm_runs_a_worker_on_a_node_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One job a node and no other beside it; canceled, the worker itself is told to end."""
    pytest.importorskip("dask_jobqueue", reason="not installed: pip install 'opperf[fleet-slurm]'")
    python = write_stand_in(tmp_path)
    worker = ("--scheduler", "tls://head:8786", "--certs", "/etc/opperf/certs", "--tag", "rack 7")
    assert main(["fleet", "recipe", "slurm", *worker, "--python", str(python)]) == 0
    script = capsys.readouterr().out
    with running_slurm(tmp_path) as configuration, ending(tmp_path):
        logs = tmp_path / "slurmctld.log"
        wait_until(
            lambda: "idle" in ask(configuration, "sinfo", "--noheader", "--format=%t"),
            logs.read_text(),
        )
        said = ask(configuration, "sbatch", "--array=1-2", text=script)
        assert "Submitted batch job" in said
        wait_until((tmp_path / "words").exists, said)
        states = ask(configuration, "squeue", "--noheader", "--array", "--format=%t").split()
        assert sorted(states) == ["PD", "R"]
        assert (tmp_path / "words").read_text().splitlines() == [
            "-m", "opperf", "fleet", "worker", "--scheduler", "tls://head:8786", "--certs",
            "/etc/opperf/certs", "--tag", "rack 7",
        ]  # fmt: skip
        ask(configuration, "scancel", "--state=PENDING", "--user=root")
        ask(configuration, "scancel", "--full", "--user=root")
        wait_until((tmp_path / "ended").exists, "the worker was not told to end")
        wait_until(
            lambda: not ask(configuration, "squeue", "--noheader").strip(), "jobs do not end"
        )
