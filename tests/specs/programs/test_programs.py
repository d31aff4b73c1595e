"""Specifications run by a program on an Android device, whose adb writes down how it is called."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import told
from tests.specs.platforms.fake_adb import FakeAdb

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LINE = "--net {files.predict} --warmup {warmup} --iter {iter}"


def write(folder: Path, **test: Any) -> None:
    """Write a specification of a program, as FAI-PEP's are, and its files."""
    given = {"identifier": "{ID}", "metric": "delay", "iter": 3, "warmup": 1, "arguments": LINE}
    document = {
        "model": {"name": "net", "format": "caffe2", "files": {"predict": "net.pb"}},
        "tests": [{**given, "platform_args": {"taskset": "f0"}, **test}],
    }
    (folder / "net.json").write_text(json.dumps(document))
    for name in ("net.pb", "caffe2_benchmark", "libx.so"):
        (folder / name).write_text(name)


@pytest.fixture
def spec(opperf: Any) -> Callable[..., Any]:
    """Return what runs the specification on one of two devices."""
    fake = FakeAdb(opperf.directory)

    def run(*words: str, **test: Any) -> Any:
        write(opperf.directory, **test)
        return opperf.run(
            "spec", "net.json", "--framework", "caffe2", "--platform", "android/interactive",
            "--devices", "emulator-5554", "--program", "caffe2_benchmark", "--shared_libs",
            "libx.so", "--android_dir", "/data/x", "--model_cache", "cache", *words,
            OPPERF_ADB=str(fake.log.with_name("adb")),
        )  # fmt: skip

    return run


def test_a_program_runs_a_specification(spec: Callable[..., Any], opperf: Any) -> None:
    """Its lines become a record: times of the model and of its operators, and where they ran."""
    done = spec("--trust-model", "--local_reporter", "out")
    assert done.returncode == 0, done.stderr
    (record,) = opperf.records()
    assert record["status"] in {"ok", "noisy"}
    assert record["samples"]["seconds"] == pytest.approx([12.5e-6, 13e-6, 12.75e-6])
    assert record["operator"]["framework"] == "caffe2"
    assert record["operator"]["device"] == "emulator-5554"
    metrics = {each["name"]: each["value"] for each in record["metrics"]}
    assert metrics["operator/Conv"] == pytest.approx(4e-6)
    assert record["meta"]["platform"] == "android/interactive"
    assert record["environment"]["machine_key"] == record["meta"]["device_hash"]
    assert [*opperf.directory.glob("out/*/caffe2/net/delay/0/**/meta.json")]
    calls = [json.loads(line) for line in (opperf.directory / "calls").read_text().splitlines()]
    (line,) = [words[-1] for words in calls if "--net" in words[-1]]
    assert line == (
        "cd /data/x/opperf && LD_LIBRARY_PATH=/data/x/opperf taskset f0 "
        "/data/x/opperf/caffe2_benchmark --net /data/x/opperf/0_net.pb --warmup 1 --iter 3"
    )
    shown = opperf.run("show", "last")
    assert shown.returncode == 0, shown.stderr
    assert "net" in shown.stdout


def test_a_program_that_fails_is_a_record(spec: Callable[..., Any], opperf: Any) -> None:
    """With what adb said; so is one that prints no time."""
    done = spec("--trust-model", arguments=LINE + " fail")
    assert done.returncode == 11, done.stderr
    (record,) = opperf.records()
    assert record["status"] == "failed"
    assert "Segmentation fault" in record["reason"]
    assert spec("--trust-model", "--sessions", "2", arguments="--version").returncode == 11
    assert [record["session"] for record in opperf.records()] == [0, 1]
    assert "printed no line such as" in opperf.records()[-1]["reason"]


@pytest.mark.parametrize(
    ("words", "test", "said"),
    [
        ((), {}, "the specification's command lines run in the device's shell; --trust-model"),
        (("--trust-model", "--program", "no"), {}, "--program no: no such file"),
        (("--trust-model",), {"arguments": "{files.init}"}, ("$.tests[0].commands: the placeholder "
         "{files.init} has no value; allowed: program, files.predict")),
        (("--trust-model",), {"metric": "memory"}, "programs tell delay and throughput only"),
        (("--trust-model", "--check-only"), {}, "--check-only: has no effect on --platform"),
        (("--trust-model", "--env", "A=1"), {}, "--env: has no effect on --platform"),
    ],
)  # fmt: skip
def test_what_no_program_can_do_is_refused(
    words: tuple[str, ...], test: dict[str, Any], said: str, spec: Callable[..., Any], opperf: Any
) -> None:
    """In one line, and nothing is copied to a device."""
    done = spec(*words, **test)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert len(told(done.stderr)) == 1
    assert "push" not in (opperf.directory / "calls").read_text()
