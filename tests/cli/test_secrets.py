"""Secrets in the environment and on command lines: nothing of them is kept or shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.registry import forms_of
from opperf.reporting.subjects import Run

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "hunter2"  # noqa: S105 - it opens nothing
PREFIXES = (
    "OPPERF",
    "TORCH",
    "MXNET",
    "CUDA",
    "NVIDIA",
    "MKL",
    "OMP",
    "KMP",
    "OPENBLAS",
    "PYTORCH",
)
WORDS = ("AUTH", "PAT", "BEARER", "PWD", "TOKEN", "APIKEY", "COOKIE")
VARIABLES = {f"{prefix}_{word}": SECRET for prefix in PREFIXES for word in WORDS}
FORMS = [*forms_of(Run)]
STORE = f"postgresql://bob:a {SECRET}/?#@127.0.0.1:1/db?connect_timeout=1"
ADDRESSES = [
    f"postgresql://bob:{SECRET}@127.0.0.1:1/db",
    f"postgresql://bob:{SECRET}/2@127.0.0.1:1/db",
    f"postgresql://bob:{SECRET}?x@127.0.0.1:1/db",
    f"postgresql://bob:{SECRET}#x@127.0.0.1:1/db",
    f"postgresql://bob:a@{SECRET}@127.0.0.1:1/db",
    f"postgresql://bob:a {SECRET}@127.0.0.1:1/db",
    f"postgresql://:{SECRET}@127.0.0.1:1/db",
    f"postgresql://127.0.0.1:1/db?password={SECRET}",
    f"postgresql://127.0.0.1:1/db?p%61ssword={SECRET}",
    f"postgresql://127.0.0.1:1/db?user=bob&PASSWORD={SECRET}",
    f"postgresql+psycopg://127.0.0.1:1/db?sslpassword={SECRET}",
]
ONCE = ("--sessions", "1", "--most-sessions", "1")
RUN = ("run", "-k", "name=Add and direction=forward", "--framework", "numpy", "--runs", "6")


def kept(folder: Path) -> list[str]:
    """Return the files below a folder that hold the secret."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if SECRET.encode() in path.read_bytes()]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_password_in_an_address_is_refused(call: Any, tmp_path: Path, address: str) -> None:
    """By the parser that is used, before anything is measured; the message does not repeat it."""
    for words in ((*RUN, "--store"), ("db", "verify", "--store"), ("changes", "--store")):
        found = call(*words, address)
        assert found.returncode == 2
        assert "a command line is no place for a password" in found.stderr
        assert SECRET not in found.stdout + found.stderr
    assert kept(tmp_path) == []


def test_no_secret_of_the_environment_is_kept_or_shown(
    opperf: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is called: in no file of a run, its page and exports, and in no message."""
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    said = ""
    for words in (
        RUN, ("show", "last", "--format", "json"), ("env", "--framework", "numpy"), ("config",),
        ("report", "last", *(word for form in FORMS for word in (f"--{form}", f"out.{form}"))),
        ("export", "last", "--output-file", "last.json"),
        ("db", "init", "--store", "results.db"), ("import", "last", "--store", "results.db"),
        ("ab", "--a", ".", "--b", ".", "--wait", *ONCE, *RUN[1:5]),
    ):  # fmt: skip
        found = opperf.run(*words)
        assert found.returncode in {0, 13}, found.stderr
        said += found.stdout + found.stderr
    assert SECRET not in said
    assert kept(opperf.directory) == []


def test_the_store_of_the_environment_stays_there(opperf: Any) -> None:
    """It may hold a login with any characters; config hides it, and no process inherits it."""
    said = ""
    for words in (("config",), RUN, ("changes",)):
        found = opperf.run(*words, OPPERF_STORE=STORE)
        said += found.stdout + found.stderr
    assert SECRET not in said
    assert "***" in said
    assert kept(opperf.directory) == []


@pytest.mark.parametrize("name", ["MY_AUTH", "GITHUB_PAT", "DB_PWD", "X_BEARER", "JWT"])
def test_what_looks_like_a_secret_is_no_setting(call: Any, name: str) -> None:
    """Neither of a run nor of an arm."""
    given = f"{name}={SECRET}"
    for words in ((*RUN, "--env", given), ("ab", "--a", ".", "--b", given)):
        found = call(*words)
        assert found.returncode == 2
        assert "looks like a secret" in found.stderr
        assert SECRET not in found.stderr
