"""Locks: resolved once by real pip, installed from the same bytes or not at all."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from opperf.cli import main
from opperf.comparing.arms.arm import ArmSpec
from opperf.comparing.arms.lock import (
    locked_versions,
    python_of,
    python_tag,
    resolve_lock,
    same_version,
    with_lock,
)
from opperf.comparing.arms.venv import keys_in, provide
from opperf.core.errors import UsageError
from tests.comparing.arms.index import digest, running_index
from tests.comparing.arms.wheels import wheel
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

NOWHERE = "http://127.0.0.1:9/simple"
"""An index that nobody serves: what asks it fails."""
ARM = ArmSpec(text="tiny==1.0", requirements=("tiny==1.0",))
SHA = "0" * 64
LINE = f"tiny==1.0 --hash=sha256:{SHA}"


@pytest.fixture(autouse=True)
def _nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep environments here, and let pip reach no index or wheels of the machine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_INDEX_URL", NOWHERE)
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """Return a folder with a package and what it needs."""
    wheel(tmp_path / "wheels", "2.0")
    wheel(tmp_path / "wheels", name="other")
    return wheel(tmp_path / "wheels", needs="Requires-Dist: other\n").parent


def quiet(_line: str) -> None:
    """Say nothing."""


def test_an_environment_is_made_from_a_lock_wherever_its_wheels_are(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By another index, which gives no hashes; once for each text, and of nothing else."""
    with running_index(wheels) as url:
        text = resolve_lock(ARM, url)
        monkeypatch.setenv("PIP_INDEX_URL", url)
        own = resolve_lock(ARM)
    assert f"--index-url {url}\n" in text
    assert locked_versions(text, "lock") == {"tiny": "1.0", "other": "1.0"}
    assert f"other==1.0 --hash=sha256:{digest(wheels / 'other-1.0-py3-none-any.whl')}\n" in text
    assert python_of(own) == python_tag()
    assert "index-url" not in own
    arm, said = with_lock(ARM, own), list[str]()
    with running_index(wheels, hashed=False) as url:
        monkeypatch.setenv("PIP_INDEX_URL", url)
        python = provide(arm, tmp_path / "venvs", said.append)
    assert provide(arm, tmp_path / "venvs", said.append) == python
    assert said == [f"installing tiny==1.0, as locked by {arm.lock_sha256}"]
    listed = [python, "-m", "pip", "list", "--format", "freeze", "--disable-pip-version-check"]
    found = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    assert {one for one in found if not one.startswith(("pip", "setuptools"))} == {
        "other==1.0", "tiny==1.0"
    }  # fmt: skip
    monkeypatch.setenv("PIP_INDEX_URL", NOWHERE)
    with pytest.raises(UsageError, match=r"arm 'tiny==1\.0': .*No matching distribution"):
        provide(with_lock(ARM, f"{own}# another text\n"), tmp_path / "venvs", quiet)


@pytest.mark.parametrize("hashed", [True, False])
def test_a_wheel_of_other_bytes_is_refused_in_one_line(
    wheels: Path, tmp_path: Path, *, hashed: bool
) -> None:
    """Whether or not the index owns up to them; nothing of the environment stays."""
    with running_index(wheels) as url:
        text = resolve_lock(ARM, url).replace(url, "{url}")
    good = digest(wheels / "tiny-1.0-py3-none-any.whl")
    other = wheel(tmp_path / "others", needs="Requires-Dist: other\n\nSomething else\n")
    shutil.copy(wheels / "other-1.0-py3-none-any.whl", other.parent)
    with running_index(other.parent, hashed=hashed) as url:
        arm = with_lock(ARM, text.format(url=url))
        with pytest.raises(UsageError) as refused:
            provide(arm, tmp_path / "venvs", quiet)
    said = str(refused.value)
    assert "\n" not in said
    assert said.startswith("arm 'tiny==1.0': `python -I -m pip ...` failed: tiny==1.0 of http://")
    assert said.endswith(f"has sha256 {digest(other)}, and its lock says {good}")
    assert keys_in(tmp_path / "venvs") == []


def test_a_wheel_that_is_missing_is_named(wheels: Path, tmp_path: Path) -> None:
    """As pip says it."""
    with running_index(wheels) as url:
        arm = with_lock(ARM, resolve_lock(ARM, url))
        (wheels / "simple" / "other" / "index.html").write_text("")
        with pytest.raises(UsageError, match=r"No matching distribution found for other==1\.0"):
            provide(arm, tmp_path / "venvs", quiet)
        (wheels / "simple" / "other" / "index.html").unlink()
        with pytest.raises(UsageError, match=r"tiny==1\.0' cannot be locked, by wheels alone: .*o"):
            resolve_lock(ARM, url)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tiny==1.0\n", "lock: 'tiny==1.0' must be NAME==VERSION --hash=sha256:..."),
        (f"tiny>=1.0 --hash=sha256:{SHA}", "must be NAME==VERSION"),
        ("tiny==1.0 --hash=sha256:00", "must be NAME==VERSION"),
        (f"{LINE}\n-r other.txt", "'-r other.txt' must be NAME==VERSION"),
        (f"{LINE}\n--find-links /tmp", "'--find-links /tmp' must be"),
        (f"{LINE}\n--index-url http://a --no-index", "must be NAME==VERSION"),
        (f"tiny @ file:///tiny.whl --hash=sha256:{SHA}", "must be NAME==VERSION"),
        ("# nothing\n", "names no wheel; `opperf venv lock PACKAGE` prints a lock"),
        ("#" * 2**21, "has 2097152 characters, at most 1048576 are allowed"),
    ],
)
def test_what_is_no_lock_is_refused(text: str, said: str) -> None:
    """A line that would bring in something without a hash above all."""
    with pytest.raises(UsageError) as refused:
        locked_versions(text, "lock")
    assert said in str(refused.value)


def test_locks_of_other_tools_are_read() -> None:
    """With several hashes, markers, extras and lines that go on."""
    text = f'Tiny_Thing[x,y]==1.0 ; python_version < "4" \\\n  --hash=sha256:{SHA} \\\n'
    text += f"  --hash=sha256:{SHA}\n    # via opperf\n--extra-index-url=http://a\n"
    assert locked_versions(text, "lock") == {"tiny-thing": "1.0"}


@pytest.mark.parametrize(
    ("requirements", "said"),
    [
        (("tiny==1.1",), "its lock has tiny==1.0; give tiny==1.1 its own"),
        (("tiny", "more"), "its lock has no more; give more its own"),
        ((), "installs nothing; leave its --lock out"),
        (("/a/tiny.whl",), "a lock has packages of an index, not /a/tiny.whl"),
    ],
)
def test_a_lock_of_something_else_is_refused(requirements: tuple[str, ...], said: str) -> None:
    """What is measured would not be what its name says."""
    with pytest.raises(UsageError) as refused:
        with_lock(ArmSpec(text="x", requirements=requirements), LINE)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("asked", "locked", "same"),
    [
        ("2.13", "2.13.0", True),
        ("2.13.0", "2.13.0+cpu", True),
        ("2.13.0+cpu", "2.13.0", False),
        ("2.1", "2.13.0", False),
        ("2.10", "2.1", False),
    ],
)
def test_versions_are_the_same(asked: str, locked: str, *, same: bool) -> None:
    """As pip takes them."""
    assert same_version(asked, locked) == same


def test_a_lock_is_printed_for_files(wheels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With NumPy, which an arm needs beside its packages; nothing is installed."""
    wheel(wheels, "9.0", name="numpy")
    with running_index(wheels) as url:
        assert main(["venv", "lock", "tiny==2.0", "--index-url", url]) == 0
    text = capsys.readouterr().out
    assert locked_versions(text, "lock") == {"tiny": "2.0", "numpy": "9.0"}
    assert main(["venv", "list"]) == 0
    assert "no environments" in capsys.readouterr().err


AB = ("ab", "--a", ".", "--b", "tiny==1.0", "-k", "name=Exp", "--framework", "numpy")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*AB, "--lock", "b"), "--lock 'b': must be ARM=FILE, as a=old.lock"),
        ((*AB, "--lock", "c=x"), "--lock 'c=x': unknown arm 'c'; allowed: a, b"),
        ((*AB, "--lock", "b=x", "--lock", "b=y"), "--lock b: is given twice"),
        ((*AB, "--lock", "b=missing"), "lock missing: No such file or directory"),
        ((*AB, "--lock", "a=lock"), "arm '.' installs nothing; leave its --lock out"),
        ((*AB, "--lock", "b=other"), "--lock b: is for cpython-2.7-plan9-vax, and this is cpy"),
        ((*AB, "--index-url", NOWHERE), "--index-url: is for hosts of a fleet; give --fleet URL"),
        ((*AB[:5], "--task", "x", "--lock", "b=lock"), "--lock: is of operators; leave it out"),
        (("venv", "lock", "tiny", "--index-url", "x"), "--index-url 'x': must be an http://"),
        (
            ("venv", "lock", "tiny", "--index-url", "https://me:secret@x/y"),
            "https://...@'x': a lock is no place for a password",
        ),
        (("venv", "lock", "./tiny"), "there is no tiny; give a pip requirement"),
    ],
)
def test_bad_input_is_one_line(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With what is allowed, before anything is asked or made."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lock").write_text(LINE)
    (tmp_path / "other").write_text(f"# python: cpython-2.7-plan9-vax\n{LINE}\n")
    assert main([*words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "secret" not in error
    assert len(told(error)) == 1
