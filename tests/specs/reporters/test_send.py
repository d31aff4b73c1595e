"""`opperf send`, the flags of reporters, and reporters of plug-ins."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli import main
from opperf.cli.specs.reporters import add_reporter_options, report_all, reporters_of
from opperf.core.errors import UsageError
from opperf.specs.reporters.meta import meta_of
from opperf.specs.reporters.remote import RemoteReporter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from opperf.specs.reporters.meta import Meta, Reporter
    from tests.conftest import MakeResult
    from tests.specs.reporters.conftest import Results

    MakeMeta = Callable[..., Meta]


def asked(*words: str) -> list[Reporter]:
    """Return the reporters that a command line asks for."""
    parser = ArgumentParser()
    add_reporter_options(parser)
    return reporters_of(parser.parse_args(words))


class Chat:
    """A plug-in's reporter."""

    def __init__(self, target: str) -> None:
        if target == "nobody":
            raise RuntimeError("nobody is there")
        self.target = target

    def report(self, records: Sequence[Mapping[str, Any]], meta: Meta) -> str:
        """Say it in a room."""
        return f"{self.target}: {len(records)} of {meta.net}, {sum(r['n'] for r in records)}"


@pytest.fixture
def _plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a package add the reporter `chat`."""
    group = "opperf.spec_reporters"
    point = EntryPoint("chat", f"{__name__}:Chat", group)
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Chat.__module__])

    def plug_ins(_group: str, name: str | None = None) -> list[EntryPoint]:
        return [point] if name in {None, "chat"} else []

    monkeypatch.setattr("opperf.specs.reporters.registry.plug_ins", plug_ins)


@pytest.mark.usefixtures("_plug_in")
def test_a_plug_in_reports(
    make_meta: MakeMeta, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Its errors name it, and none of them is the end of the others."""
    reporters = asked("--reporter", "chat=room", "--local_reporter", str(tmp_path / "tree"))
    assert report_all(reporters, [{"n": 1}, {"n": 2}], make_meta()) == 0
    assert "room: 2 of alexnet, 3" in capsys.readouterr().err
    assert report_all(reporters, [{"m": 1}], make_meta()) == 1
    said = capsys.readouterr().err
    assert "plug-in 'chat'" in said
    assert "cannot report: KeyError: 'n'" in said
    assert "written: " in said
    with pytest.raises(UsageError, match="cannot be loaded: RuntimeError: nobody is there"):
        asked("--reporter", "chat=nobody")
    with pytest.raises(UsageError, match="unknown reporter 'chatt'; did you mean 'chat'"):
        asked("--reporter", "chatt")


def test_flags_have_both_spellings(tmp_path: Path) -> None:
    """Those of FAI-PEP's harness.py, and opperf's own."""
    one = asked("--local_reporter", str(tmp_path), "--screen_reporter",
                "--remote_reporter", "host/log|a")  # fmt: skip
    two = asked("--local-reporter", str(tmp_path), "--screen-reporter",
                "--remote-reporter", "host/log|a")  # fmt: skip
    names = ["LocalReporter", "ScreenReporter", "RemoteReporter"]
    assert [type(each).__name__ for each in one] == [type(each).__name__ for each in two] == names
    assert asked() == []
    with pytest.raises(UsageError, match="a folder is needed"):
        asked("--local_reporter", "")


def test_the_screen_has_a_short_table(
    make_meta: MakeMeta, make_result: MakeResult, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """What ran where, and a row a record; nothing that a terminal would obey, nothing too wide."""
    monkeypatch.setenv("COLUMNS", "80")
    error = {"name": "error", "unit": "1", "value": 0.25, "better": "lower", "per": "output"}
    records = [
        make_result().to_mapping(),
        make_result(status="failed", reason="no\x1b[2J memory " * 9, summary=None).to_mapping(),
        make_result().to_mapping() | {"metrics": [error]},
    ]
    meta = make_meta(metric="error", net="a\x1b[2Jnet", control_commit="def456")
    assert report_all(asked("--screen_reporter"), records, meta) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "a[2Jnet, error, small, numpy, linux"
    assert lines[1] == "benchmark of commit abc123, control def456"
    assert lines[2].split() == ["name", "direction", "error", "precision", "status"]
    assert [line.split()[2:4] for line in lines[3:]] == [["1.50", "us"], ["-", "-"], ["0.250", "-"]]
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in "".join(lines)


def test_send_sends_what_waits(
    server: Results, make_meta: MakeMeta, capsys: pytest.CaptureFixture[str]
) -> None:
    """To the only server for which something does."""
    assert main(["send"]) == 0
    assert "nothing waits" in capsys.readouterr().err
    server.faults[:] = ["status 503 999"] * 2
    RemoteReporter(server.target).report([{"name": "a"}, {"name": "b"}], make_meta())
    assert main(["send"]) == 1
    assert "asks us to wait 999 s" in capsys.readouterr().err
    assert main(["send", "--list"]) == 0
    assert capsys.readouterr().out == f"2 waiting, 0 refused: {server.target}\n"
    server.faults[:] = ["status 422"]
    assert main(["send"]) == 1
    assert "sent 1 of 2 records" in capsys.readouterr().err
    assert main(["send", "--refused"]) == 0
    assert server.names() == ["b", "a"]


def test_send_asks_which_server_is_meant(
    server: Results, make_meta: MakeMeta, capsys: pytest.CaptureFixture[str]
) -> None:
    """One server's token is not for another."""
    for category in "xy":
        server.faults[:] = ["status 503 999"]
        target = server.target.replace("operators", category)
        RemoteReporter(target).report([{"name": category}], make_meta())
    assert main(["send"]) == 2
    assert "records wait for 2 servers; say which by --remote_reporter" in capsys.readouterr().err
    assert main(["send", "--remote_reporter", target]) == 0
    assert server.names() == ["y"]


def test_a_stored_run_is_reported(
    server: Results, make_result: MakeResult, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Row 44: N records of a run are N records of a server, however often they are sent."""
    run = tmp_path / "results.jsonl"
    results = [make_result(series_key=f"{n:016x}") for n in range(3)]
    run.write_text("".join(f"{result.to_json()}\n" for result in results))
    flags = ["--remote_reporter", server.target, "--local_reporter", str(tmp_path / "tree")]
    assert main(["send", str(run)]) == 2
    assert "to whom?" in capsys.readouterr().err
    assert main(["send", str(run), "--list", *flags]) == 2
    assert "not of a run" in capsys.readouterr().err
    assert main(["send", *flags]) == 2
    assert "which run?" in capsys.readouterr().err
    for _ in range(2):
        assert main(["send", str(run), *flags]) == 0
    assert [body["record"]["series_key"][-1] for body in server.bodies] == ["0", "1", "2"]
    assert {body["meta"]["net_name"] for body in server.bodies} == {"Add"}
    assert len([*(tmp_path / "tree").rglob("0/data.jsonl")]) == 3
    assert len([*(tmp_path / "tree").rglob("data.jsonl")]) == 3


def test_a_test_of_a_specification_is_reported_by_its_own_names(make_result: MakeResult) -> None:
    """An error is no delay, also where its run is reported later."""
    record = make_result().to_mapping()
    assert meta_of(record).metric == "delay"
    record["subject"] = {"kind": "spec", "name": "squeezenet"}
    record["attributes"] = {"of": "inference", "identifier": "small", "metric": "error"}
    assert (meta_of(record).metric, meta_of(record).identifier) == ("error", "small")
    record["meta"] = {"commit": "0123abc", "commit_time": 1.0, "run_type": "verify", "group": "a"}
    found = meta_of(record)
    assert (found.commit, found.day.year, found.run_type) == ("0123abc", 1970, "verify")
