"""What surrounds a method, by the command: repositories, data, results elsewhere, and no secret."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli.command import command
from tests.conftest import told
from tests.fetching.conftest import git
from tests.fetching.test_data import packed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.fetching.conftest import Origin, Script

CLASS = """
import os

from tool import VALUE


class Reading:
    def __init__(self, output_dir, root_data_dir):
        self.output_dir, self.root_data_dir = output_dir, root_data_dir

    def report_benchmark(self, **report):
        pass

    def benchmark(self):
        with open(os.path.join(self.root_data_dir, "set", "batch", "one.csv")) as file:
            read = file.read().strip()
        with open(os.path.join(self.output_dir, "model"), "w") as file:
            file.write(read)
        self.report_benchmark(iters=1, wall_time=1.0, metrics=[{"name": "value", "value": VALUE}])
"""
METHOD = "reading.Reading.benchmark"


@pytest.fixture
def method(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, Any, str]]:
    """Return what runs the method: exit code, its summary, and stderr."""
    place = tmp_path / "place"
    place.mkdir()
    (place / "reading.py").write_text(CLASS)
    monkeypatch.chdir(place)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)

    def run(*flags: str) -> tuple[int, Any, str]:
        flags = (*flags, f"--root-data-dir={tmp_path / 'data'}")
        code = command(["method", METHOD, "--summary", *flags], None)
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out.strip() else None, said.err

    return run


@pytest.fixture
def data(server: Script) -> str:
    """Return the flag of a data set."""
    server.files["/set.tar.gz"] = packed(b"7\n")
    value = hashlib.sha256(server.files["/set.tar.gz"]).hexdigest()
    return f"--data_downloads={server.url('/set.tar.gz')};;{value}"


def test_a_method_with_a_repository_and_data(
    method: Any, origin: Origin, data: str, tmp_path: Path
) -> None:
    """PerfZero's flags: a pinned repository, its modules, a data set, and where all of it goes."""
    there = tmp_path / "there"
    code, summary, err = method(
        f"--git_repos={origin.url};trunk;{origin.commits[1]}", "--python-path=models/lib", data,
        "--workspace=mine", f"--output_url={there.as_uri()}", "--gcloud_key_file_url=",
    )  # fmt: skip
    assert code == 0, err
    assert summary["benchmark_result"]["metrics"] == [{"name": "value", "value": 2}]
    info = summary["benchmark_info"]
    assert info["site_package_info"]["models"] == {
        "url": origin.url, "branch": "trunk", "hash": origin.commits[1],
    }  # fmt: skip
    (folder,) = there.glob("[!.]*")
    assert info["output_url"] == f"{there.as_uri()}/{folder.name}/"
    assert (folder / "model").read_text() == "7"
    assert json.loads((folder / "summary.json").read_text()) == summary
    assert (tmp_path / "place/mine/output" / folder.name / "model").exists()
    assert (tmp_path / "place/mine/site-packages/models/lib/tool.py").exists()


def test_local_edits_are_run(method: Any, origin: Origin, data: str, tmp_path: Path) -> None:
    """With the flag for it, without asking a server; otherwise nothing runs."""
    flags = [f"--git_repos={origin.url};trunk;{origin.commits[1]}", "--python-path=models/lib"]
    assert method(*flags, data)[0] == 0
    tool = tmp_path / "place/workspace/site-packages/models/lib/tool.py"
    tool.write_text("VALUE = 50\n")
    code, summary, err = method(*flags, data)
    assert (code, summary) == (2, None)
    assert "has local edits" in err
    origin.path.rename(origin.path.with_name("gone"))
    code, summary, err = method(*flags, data, "--use_cached_site_packages")
    assert code == 0, err
    assert summary["benchmark_result"]["metrics"][0]["value"] == 50
    assert "with local edits" in err
    assert summary["benchmark_info"]["site_package_info"]["models"] == {
        "url": origin.url, "branch": "trunk", "hash": origin.commits[1], "local_edits": True,
    }  # fmt: skip


def test_an_upload_that_fails(method: Any, origin: Origin, data: str, tmp_path: Path) -> None:
    """What was measured is kept, one line says so, and the exit code is 1."""
    (tmp_path / "file").touch()
    code, summary, err = method(
        f"--git_repos={origin.url}", "--python-path=models/lib", data,
        f"--output_url={(tmp_path / 'file').as_uri()}",
    )  # fmt: skip
    assert code == 1
    assert summary["benchmark_result"]["succeeded"] is True
    assert [line for line in told(err) if "cannot upload to" in line]


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("--git_repos=https://host/a;-x", "'-x' is no name of a branch"),
        ("--data_downloads=https://host/a;../b", "is no path within the data folder"),
        ("--output_url=ftp://host", "unknown scheme 'ftp'"),
        ("--python-path=none", "--python-path none: there is no such directory"),
        ("--gcloud_key_file_url=https://host/key", "a key is not fetched from a URL"),
        ("--gcloud_key_file_url=none", "there is no file none"),
    ],
)
def test_a_wrong_flag(method: Any, flag: str, message: str, tmp_path: Path) -> None:
    """One line, exit code 2, before anything is fetched or run."""
    code, summary, err = method(flag)
    assert (code, summary) == (2, None)
    assert message in err
    assert len(told(err)) == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["place", "reading.py"]


SECRETS = ("s3cr3t-of-netrc", "s3cr3t-of-url", "s3cr3t-of-key")


def test_no_secret_is_written(
    method: Any, origin: Origin, server: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither into a record nor a log, a cache, a checkout, a copy or on the screen."""
    safe = tmp_path / "secrets"
    safe.mkdir()
    (safe / "netrc").write_text(f"machine 127.0.0.1 login me password {SECRETS[0]}\n")
    (safe / "key.json").write_text(json.dumps({"private_key": SECRETS[2]}))
    monkeypatch.setenv("NETRC", str(safe / "netrc"))
    server.files["/set.tar.gz"] = packed(b"7\n")
    monkeypatch.setenv("DATA_URL", f"{server.url('/set.tar.gz')}?sig={SECRETS[1]}")
    server.faults = ["cut 40", "status 503"]
    said = []
    for more in ([], ["--use_cached_site_packages"], ["--data_downloads=$DATA_URL;2"]):
        code, summary, err = method(
            f"--git_repos={origin.url}", "--python-path=models/lib", "--data_downloads=$DATA_URL",
            f"--gcloud_key_file_url={safe / 'key.json'}", "--workspace=mine",
            f"--output_url={(tmp_path / 'there').as_uri()}", *more,
        )  # fmt: skip
        assert code == 0, err
        said += [json.dumps(summary), err]
    server.faults = ["status 500"] * 9
    code, _, err = method("--data_downloads=$DATA_URL;3")
    assert code == 2
    assert "cannot fetch $DATA_URL: the server says 500" in err
    asked = server.requests[0]
    assert asked["path"].endswith(SECRETS[1])
    assert asked["Authorization"].startswith("Basic ")
    assert os.environ.pop("GOOGLE_APPLICATION_CREDENTIALS") == str(safe / "key.json")
    files = [path for path in tmp_path.rglob("*") if path.is_file() and safe not in path.parents]
    texts = {"stdout and stderr": "".join([*said, err]).encode()}
    texts |= {str(path): path.read_bytes() for path in files}
    assert len(files) > 30
    code_of_login = asked["Authorization"].partition(" ")[2]
    for secret in (*SECRETS, code_of_login):
        assert [name for name, text in texts.items() if secret.encode() in text] == []


def test_git_of_the_flags_leaves_the_working_folder_alone(
    method: Any, origin: Origin, data: str, tmp_path: Path
) -> None:
    """A checkout within another one is its own."""
    git(tmp_path / "place", "init", "--quiet")
    code, summary, err = method(f"--git_repos={origin.url}", "--python-path=models/lib", data)
    assert code == 0, err
    assert summary["benchmark_info"]["site_package_info"]["models"]["hash"] == origin.commits[2]
