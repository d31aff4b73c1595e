"""The script for ssh, by a real ssh and a real sshd with keys of their own, on loopback."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from opperf.cli import main
from tests.fleet.deployment.stand_in import (
    PATIENCE,
    closed_port,
    ending,
    free_ports,
    wait_until,
    write_stand_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SSHD, SSH, KEYGEN = (
    shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    for name in ("sshd", "ssh", "ssh-keygen")
)
SERVER = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
PidFile none
AuthorizedKeysFile {folder}/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
"""
CLIENT = """\
Host node1 nowhere
  HostName 127.0.0.1
  IdentityFile {folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known
  StrictHostKeyChecking accept-new
Host node1
  Port {port}
Host nowhere
  Port {closed}
"""
DYING = "#!/bin/sh\necho 'opperf: the certificate has expired' >&2\nexit 2\n"


@contextmanager
def running_sshd(folder: Path, closed: int = 9) -> Iterator[None]:
    """Run a server of ssh whose sessions begin in the folder; `bin/ssh` reaches it as node1."""
    if not (SSHD and SSH and KEYGEN):
        pytest.skip("ssh is not installed: apt-get install openssh-server openssh-client")
    for name in ("host", "user"):
        subprocess.run(
            [KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True
        )
    enter = f'command="cd {folder} && exec sh -c \\"$SSH_ORIGINAL_COMMAND\\"" '
    (folder / "authorized").write_text(enter + (folder / "user.pub").read_text())
    (port,) = free_ports(1)
    (folder / "sshd").write_text(SERVER.format(folder=folder, port=port))
    (folder / "client").write_text(CLIENT.format(folder=folder, port=port, closed=closed))
    (folder / "bin").mkdir()
    wrapper = folder / "bin" / "ssh"
    wrapper.write_text(f'#!/bin/sh\nexec {SSH} -F {folder}/client "$@"\n')
    wrapper.chmod(0o755)
    words = [SSHD, "-f", str(folder / "sshd")]
    tried = subprocess.run([*words, "-t"], check=False, capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"sshd cannot run here: {tried.stderr.strip()} (.ci/run makes what it needs)")
    log = folder / "sshd.log"
    with log.open("w") as file, subprocess.Popen([*words, "-D", "-e"], stderr=file) as server:
        try:
            wait_until(lambda: "listening" in log.read_text(), "sshd does not listen")
            yield
        finally:
            server.terminate()


def start(folder: Path, capsys: pytest.CaptureFixture[str], python: Path, *hosts: str) -> str:
    """Carry the script out, and return what it says, its exit code first."""
    worker = ("--scheduler", "tls://head:8786", "--certs", "/etc/opperf/certs", "--tag", "rack 7")
    assert main(["fleet", "recipe", "ssh", *worker, "--python", str(python), *hosts]) == 0
    done = subprocess.run(
        ["/bin/sh"], input=capsys.readouterr().out, text=True, check=False, capture_output=True,
        env={"PATH": f"{folder / 'bin'}:/usr/bin:/bin"}, timeout=PATIENCE,
    )  # fmt: skip
    return f"{done.returncode}\n{done.stdout}{done.stderr}"


def test_a_worker_outlives_the_session_that_started_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the words that were asked for; a host that is down keeps no other from its worker."""
    python = write_stand_in(tmp_path)
    with ending(tmp_path):
        with closed_port() as closed, running_sshd(tmp_path, closed):
            said = start(tmp_path, capsys, python, "nowhere", "node1")
        assert said.startswith("1\n")
        assert "nowhere: no worker" in said
        assert "node1: no worker" not in said
        wait_until((tmp_path / "words").exists, said)
        assert (tmp_path / "words").read_text().splitlines() == [
            "-m", "opperf", "fleet", "worker", "--scheduler", "tls://head:8786", "--certs",
            "/etc/opperf/certs", "--tag", "rack 7",
        ]  # fmt: skip
        pid = (tmp_path / "pid").read_text().strip()
        assert f"worker {pid}\n" in said
        os.kill(int(pid), 0)
    wait_until((tmp_path / "ended").exists, "the worker did not end by SIGTERM")


def test_why_a_worker_ended_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In its own words, with the host's name."""
    python = write_stand_in(tmp_path, DYING)
    with running_sshd(tmp_path):
        said = start(tmp_path, capsys, python, "node1")
    assert said.splitlines()[0] == "1"
    assert "the certificate has expired" in said
    assert "node1: no worker" in said
