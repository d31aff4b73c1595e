"""Android devices, by an adb that writes down how it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError, WorkerError
from opperf.specs.platforms.adb import AdbPlatform
from opperf.specs.platforms.program import ProgramRun
from tests.specs.platforms.fake_adb import FakeAdb

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def fake(tmp_path: Path) -> FakeAdb:
    """Return an adb with two devices that are ready."""
    return FakeAdb(tmp_path)


def program_run(folder: Path, line: str = "", timeout: float = 30) -> ProgramRun:
    """Return a program with a file and a library."""
    for name in ("bin", "net.pb", "libx.so"):
        (folder / name).write_text(name)
    return ProgramRun(
        program=folder / "bin",
        lines=("{program} --net {files.predict} --iter 3" + line,),
        files={"files.predict": folder / "net.pb"},
        libraries=(folder / "libx.so",),
        options={"taskset": "f0"},
        timeout=timeout,
    )


def test_devices_are_those_that_are_ready(fake: FakeAdb) -> None:
    """By serial number and hash, none that is offline or waits for consent."""
    first, second = fake.platform.devices()
    assert (first.identifier, first.title) == ("R58M123", "SM_G973F")
    assert second.identifier == "emulator-5554"
    assert first.hash != second.hash
    assert fake.platform.devices()[0].hash == first.hash
    assert fake.calls() == [["devices", "-l"]] * 2


def test_a_program_is_copied_called_and_removed(fake: FakeAdb, tmp_path: Path) -> None:
    """With the exact arguments: paths of the device in place of those here."""
    device = fake.platform.devices()[0]
    said = fake.platform.run(device, program_run(tmp_path))
    assert '"value": 12.5' in said
    there, at = "/data/local/tmp/o p", ["-s", "R58M123"]
    line = (
        f"cd '{there}' && LD_LIBRARY_PATH='{there}' taskset f0 "
        f"'{there}/bin' --net '{there}/0_net.pb' --iter 3"
    )
    assert fake.calls()[1:] == [
        [*at, "shell", f"mkdir -p '{there}'"],
        [*at, "push", f"{tmp_path}/bin", f"{there}/bin"],
        [*at, "push", f"{tmp_path}/net.pb", f"{there}/0_net.pb"],
        [*at, "push", f"{tmp_path}/libx.so", f"{there}/libx.so"],
        [*at, "shell", f"chmod 755 '{there}/bin'"],
        [*at, "shell", line],
        [*at, "shell", f"rm -rf '{there}'"],
    ]


@pytest.mark.parametrize(
    ("line", "timeout", "words"),
    [(" fail", 30, "Segmentation fault"), (" hang", 1, "took more than 1 s")],
)
def test_a_program_that_fails_leaves_nothing(
    line: str, timeout: float, words: str, fake: FakeAdb, tmp_path: Path
) -> None:
    """Its files are removed, it no longer runs, and the error is one line with what was called."""
    device = fake.platform.devices()[0]
    with pytest.raises(WorkerError, match=words) as failed:
        fake.platform.run(device, program_run(tmp_path, line, timeout))
    assert len(str(failed.value).splitlines()) == 1
    assert [words[-1] for words in fake.calls()[-2:]] == [
        "pkill -9 -f '[/]data/local/tmp/o p/'", "rm -rf '/data/local/tmp/o p'",
    ]  # fmt: skip


def test_no_adb_is_said_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable names another one."""
    monkeypatch.setenv("OPPERF_ADB", str(tmp_path / "none"))
    with pytest.raises(UsageError, match=r"no program '.*/none'; install .* or set OPPERF_ADB"):
        AdbPlatform().devices()
