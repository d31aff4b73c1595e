"""Android devices by adb: files are copied to a folder of the device, programs run in it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.errors import OpperfError, UsageError, WorkerError
from opperf.specs.format.placeholders import fill
from opperf.specs.platforms.platform import Platform, PlatformDevice, device_hash

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from opperf.specs.platforms.program import ProgramRun

FOLDER = "/data/local/tmp/opperf"
"""On the device, where a shell may write and run."""
LISTED = re.compile(r"(?P<serial>\S+)\s+device\b(?P<facts>.*)")
MODEL = re.compile(r"\bmodel:(\S+)")
SHORT, LONG = 60.0, 600.0
"""Seconds of a question, and of a copy."""


@dataclass(frozen=True)
class AdbPlatform(Platform):
    """Android devices that adb reaches.

    Args:
        program: adb, by its path or by its name on PATH; empty for OPPERF_ADB's.
        folder: on the device.

    """

    name = "adb"
    host = False
    program: str = ""
    folder: str = FOLDER

    def devices(self) -> tuple[PlatformDevice, ...]:
        """Return the devices that are ready, none that is offline or not authorized."""
        lines = self.call(["devices", "-l"], SHORT).splitlines()[1:]
        found = (LISTED.match(line) for line in lines)
        return tuple(
            PlatformDevice(
                identifier=each["serial"],
                hash=device_hash("adb", each["serial"]),
                title=title[1] if (title := MODEL.search(each["facts"])) else "",
            )
            for each in found
            if each
        )

    def run(self, device: PlatformDevice, run: ProgramRun) -> str:
        """Copy a program and its files, run its lines, and remove them again."""
        serial = ["-s", device.identifier]
        self.call([*serial, "shell", f"mkdir -p {shlex.quote(self.folder)}"], SHORT)
        try:
            places = {"program": self.push(serial, run.program, run.program.name)}
            for number, (role, path) in enumerate(run.files.items()):
                places[role] = self.push(serial, path, f"{number}_{path.name}")
            for library in run.libraries:
                self.push(serial, library, library.name)
            self.call([*serial, "shell", f"chmod 755 {places['program']}"], SHORT)
            said = [
                self.call([*serial, "shell", self.line(fill(line, places), run)], run.timeout)
                for line in run.lines
            ]
        except BaseException:
            self.end(serial)
            raise
        finally:
            with suppress(OpperfError):
                self.call([*serial, "shell", f"rm -rf {shlex.quote(self.folder)}"], SHORT)
        return "\n".join(said)

    def end(self, serial: Sequence[str]) -> None:
        """Kill what still runs from the folder: adb's end is not that of the device's program.

        The pattern does not match the shell that it is an argument of.
        """
        pattern = f"[/]{self.folder.removeprefix('/')}/"
        with suppress(OpperfError):
            self.call([*serial, "shell", f"pkill -9 -f {shlex.quote(pattern)}"], SHORT)

    def push(self, serial: Sequence[str], path: Path, name: str) -> str:
        """Copy a file to the device and return its path there, as its shell takes it."""
        place = f"{self.folder}/{name}"
        self.call([*serial, "push", str(path), place], LONG)
        return shlex.quote(place)

    def line(self, line: str, run: ProgramRun) -> str:
        """Return a command line with its libraries' path and the processors it may use."""
        mask = run.options.get("taskset")
        prefix = f"taskset {shlex.quote(str(mask))} " if mask else ""
        path = f"LD_LIBRARY_PATH={shlex.quote(self.folder)} " if run.libraries else ""
        return f"cd {shlex.quote(self.folder)} && {path}{prefix}{line}"

    def call(self, words: Sequence[str], timeout: float) -> str:
        """Call adb and return what it printed.

        Raises:
            UsageError: adb is not there.
            WorkerError: it failed, or took too long.
        """
        said = shlex.join(["adb", *words])[:200]
        program = self.program or os.environ.get("OPPERF_ADB", "adb")
        try:
            done = subprocess.run(  # noqa: S603 - a list of words, no shell of this machine
                [program, *words], capture_output=True, timeout=timeout, check=False,
                stdin=subprocess.DEVNULL, errors="replace", text=True,
            )  # fmt: skip
        except FileNotFoundError:
            remedy = "install Android's platform tools, or set OPPERF_ADB to its path"
            raise UsageError(f"platform 'adb': no program {program!r}; {remedy}") from None
        except OSError as error:
            raise UsageError(f"platform 'adb': {program}: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise WorkerError(f"{said}: took more than {timeout:g} s") from None
        if done.returncode:
            reason = (done.stderr.strip() or done.stdout.strip()).splitlines()
            last = reason[-1] if reason else f"exit code {done.returncode}"
            raise WorkerError(f"{said}: {last[:300]}")
        return done.stdout


ADB = AdbPlatform()
