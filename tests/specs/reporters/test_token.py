"""The token: from a variable or a private file, and in no argv, meta, log, traceback or file."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import OpperfError, UsageError
from opperf.specs.reporters.local import LocalReporter
from opperf.specs.reporters.remote import RemoteReporter
from opperf.specs.reporters.token import read_token
from tests.specs.reporters.conftest import TOKEN, Results

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.specs.reporters.meta import Meta
    from tests.conftest import CommandLine

    MakeMeta = Callable[..., Meta]


def private(path: Path, text: str, mode: int = 0o600) -> Path:
    """Return a file with a text, and its mode."""
    path.write_text(text)
    path.chmod(mode)
    return path


def test_a_token_comes_from_variables_or_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said goes before what is usual."""
    assert read_token(None) is None
    path = private(tmp_path / "token", "from-file\n")
    monkeypatch.setenv("OPPERF_REMOTE_TOKEN_FILE", str(path))
    assert read_token(None) == "from-file"
    monkeypatch.setenv("OPPERF_REMOTE_TOKEN", "usual")
    assert read_token(None) == "usual"
    monkeypatch.setenv("MINE", "mine")
    assert read_token("$MINE") == "mine"
    (tmp_path / "link").symlink_to(path)
    assert read_token(f"@{tmp_path}/link") == "from-file"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o777, 0o602])
def test_a_file_that_others_can_read_is_refused(mode: int, tmp_path: Path) -> None:
    """As ssh refuses such a key."""
    path = private(tmp_path / "token", TOKEN, mode)
    with pytest.raises(UsageError, match="only its owner can read; chmod 600") as info:
        read_token(f"@{path}")
    assert TOKEN not in str(info.value)


@pytest.mark.parametrize(
    "text", ["", "two lines\nof it", "a b", "a\r\nX-Admin: 1", "ö", "a\0", "x" * 9000]
)
def test_what_cannot_stand_in_a_header_is_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is quoted nowhere."""
    with pytest.raises(UsageError) as info:
        read_token(f"@{private(tmp_path / 'token', text)}")
    assert not text or text not in str(info.value)
    if "\0" not in text:
        monkeypatch.setenv("MINE", text)
        with pytest.raises(UsageError):
            read_token("$MINE")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, a file that is not there, a variable that is not."""
    for given in (f"@{tmp_path}", f"@{tmp_path}/none", "@", "$", "$NOT_THERE", ""):
        with pytest.raises(UsageError, match="remote_access_token"):
            read_token(given)


def test_a_token_on_the_command_line_is_refused_and_not_repeated(opperf: CommandLine) -> None:
    """Others see it in /proc; whoever wrote it has to have a new one made."""
    done = opperf.run("send", "--remote_access_token", TOKEN, "--remote_reporter", "host/log|a")
    assert done.returncode == 2
    assert "have a new one made" in done.stderr
    assert TOKEN not in done.stdout + done.stderr


def test_no_file_line_or_traceback_has_the_token(
    server: Results, make_meta: MakeMeta, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the server does, which knows it and may say it."""
    LocalReporter(str(tmp_path / "tree")).report([{"name": "a"}], make_meta())
    faults = ["", "status 500", "status 401", "status 422", "close", f"say {TOKEN}",
              f"redirect 307 http://{TOKEN}.example.org/", f"redirect 302 /{TOKEN}"]  # fmt: skip
    reporter, said = RemoteReporter(server.target), ""
    for number, fault in enumerate(faults):
        reporter.away_until = 0.0
        server.faults[:] = [fault] * 5
        try:
            said += reporter.report([{"name": f"{number}"}], make_meta())
        except OpperfError as error:
            below = error.__traceback__.tb_next if error.__traceback__ else None
            told = traceback.TracebackException(type(error), error, below, capture_locals=True)
            said += "".join(told.format())
    assert "self = <opperf" in said
    assert all(request["Authorization"] == f"Bearer {TOKEN}" for request in server.requests)
    assert TOKEN not in said + repr(vars(reporter)) + "".join(capsys.readouterr())
    texts = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(texts) > 5
    assert not [text for text in texts if TOKEN.encode() in text]


def test_the_command_line_of_a_sender_has_no_token(
    server: Results, make_meta: MakeMeta, opperf: CommandLine, tmp_path: Path
) -> None:
    """Nor has its output, while it sends or afterwards."""
    reporter = RemoteReporter(server.target)
    server.faults[:] = ["status 503 9999", "status 503 9999"]
    reporter.report([{"name": "a"}], make_meta())
    path = private(tmp_path / "token", f"{TOKEN}\n")
    sender = opperf.start("send", "--remote-access-token", f"@{path}")
    seen = Path(f"/proc/{sender.pid}/cmdline").read_bytes()
    output, errors = sender.communicate(timeout=120)
    assert sender.returncode == 1
    assert TOKEN not in seen.decode() + output + errors
    assert "asks us to wait 9999 s" in errors
    assert server.requests[1]["Authorization"] == f"Bearer {TOKEN}"
