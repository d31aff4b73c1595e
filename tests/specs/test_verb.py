"""opperf spec: a framework and a platform of another package run a specification."""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.cli import main
from opperf.core.environment import collect
from opperf.core.frameworks.registry import find_framework

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WEIGHTS = np.arange(12, dtype=np.float32).reshape(3, 4)
DATA = np.array([[1, 0, -1], [2, 2, 2]], dtype=np.float32)


def specification(folder: Path) -> dict[str, Any]:
    """Return a matrix's delay at two sizes, and its error; its files lie in `models`."""
    models = folder / "models"
    models.mkdir()
    np.save(models / "weights.npy", WEIGHTS)
    np.save(models / "data.npy", DATA)
    np.save(models / "gold.npy", DATA @ WEIGHTS)
    digest = hashlib.md5((models / "weights.npy").read_bytes(), usedforsecurity=False).hexdigest()
    location = {"filename": "weights.npy", "location": "//weights.npy", "md5": digest}
    inputs = {"data": {"shapes": [[2, 3], [4, 3]], "type": "float"}}
    return {
        "model": {"name": "matrix", "format": "matrix", "files": {"weights": location}},
        "tests": [
            {"identifier": "m_{ID}", "metric": "delay", "inputs": inputs, "iter": 5, "warmup": 0},
            {
                "identifier": "m_{ID}",
                "metric": "error",
                "inputs": {"data": {"shapes": [[2, 3]]}},
                "input_files": {"data": "models/data.npy"},
                "output_files": {"out": "models/gold.npy"},
            },
        ],
    }


HARNESS = (
    "--benchmark_file", "list.json", "--framework", "toy", "--platform", "boards/a",
    "--model_cache", "cache", "--root_model_dir", "models", "--devices", "board-1,board-2",
    "--excluded_devices", "board-2", "--run_type", "verify", "--local_reporter", "out",
    "--screen_reporter", "--timeout", "50",
    "--regressed_types", '["NET"]',
    "--info", ('{"treatment": {"commit": "abc", "commit_time": 1700000000}, '
    '"control": {"commit": "def"}, "meta": {"who": "ci"}}'),
)  # fmt: skip


def write(folder: Path, document: dict[str, Any]) -> None:
    """Write a specification and a list with it."""
    (folder / "net.json").write_text(json.dumps(document))
    meta = {"group": "toys", "commands": {"toy": {"scale": 1}}}
    listed = {"meta": meta, "benchmarks": ["net.json"]}
    (folder / "list.json").write_text(json.dumps(listed))


def test_a_dummy_framework_runs_a_specification(toy: Any) -> None:
    """Row 37, with the options and the spellings of harness.py."""
    write(toy.directory, specification(toy.directory))
    done = toy.run("spec", *HARNESS)
    assert done.returncode == 0, done.stderr
    records = toy.records()
    assert [record["attributes"]["identifier"] for record in records] == ["m_0", "m_1", "m_2"]
    assert [record["attributes"]["metric"] for record in records] == ["delay", "delay", "error"]
    assert {record["status"] for record in records[:2]} <= {"ok", "noisy"}
    assert records[2]["correctness"]["reference"] == "golden outputs"
    assert {record["subject"]["kind"] for record in records} == {"spec"}
    errors = {each["name"]: each["value"] for each in records[2]["metrics"]}
    assert errors["error"] == 0
    meta = records[0]["meta"]
    assert (meta["group"], meta["who"], meta["run_type"]) == ("toys", "ci", "verify")
    assert (meta["device"], meta["platform"]) == ("board-1", "boards/a")
    assert (meta["commit"], meta["control_commit"]) == ("abc", "def")
    leaves = {path.parent.name for path in toy.directory.glob("out/**/meta.json")}
    assert leaves == {"0"}
    assert len([*toy.directory.glob("out/**/abc/0/meta.json")]) == 3
    assert "m_1" in done.stdout
    toy.wait_for(lambda: not toy.survivors())


OPTIONS = (
    "android_dir", "backend", "benchmark_file", "devices", "excluded_devices", "framework", "info",
    "local_reporter", "model_cache", "platform", "program", "regressed_types", "remote_reporter",
    "remote_access_token", "root_model_dir", "run_type", "screen_reporter", "shared_libs",
    "timeout",
)  # fmt: skip
"""Those of harness.py, as the platform's document lists them."""


def test_every_option_of_harness_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    """In its own spelling and in that of opperf."""
    with pytest.raises(SystemExit):
        main(["spec", "--help"])
    flags = {*re.findall(r"--[\w-]+", capsys.readouterr().out)}
    assert {f"--{name}" for name in OPTIONS} <= flags
    assert {f"--{name.replace('_', '-')}" for name in OPTIONS} <= flags


def test_a_perturbed_golden_output_fails(toy: Any) -> None:
    """The test's status says so, and the others are measured all the same."""
    write(toy.directory, specification(toy.directory))
    wrong = DATA @ WEIGHTS
    wrong[0, 0] += 1
    np.save(toy.directory / "models" / "gold.npy", wrong)
    done = toy.run("spec", *HARNESS[:-2])
    assert done.returncode == 11, done.stderr
    assert [record["status"] for record in toy.records()][2] == "wrong_result"


WRONG = [
    (("--devices", "board-9"), "--devices 'board-9': platform 'boards/a' has no such device"),
    (("--platform", "bords"), "unknown platform 'bords'; did you mean 'boards'?"),
    (("--framework", "caffe2"), "unknown framework 'caffe2'"),
    (("--framework", "numpy"), "$.model.format: unknown format 'matrix' of framework 'numpy'"),
    (("--info", "[]"), "--info: $: must be an object"),
    (("--info", '{"treatment": {"commit_time": "x"}}'),
     "--info: $.treatment.commit_time: must be a number"),
    (("--info", '{"meta": {"iter": "x"}}'), "--info: $.meta.iter: must be a whole number"),
    (("--regressed_types", "{}"), "--regressed_types '{}': must be a JSON list of texts"),
    (("--string_map", '{"a": []}'), "--string_map"),
    (("--run_type", "x"), "--run-type/--run_type: unknown value 'x'; allowed: benchmark, regress"),
    (("--shared_libs", "none.so"), "--shared_libs none.so: no such file"),
    (("--root_model_dir", "no"), "//weights.npy"),
    (("--remote_access_token", "s3cr3t"), "--remote_access_token: "),
    (("--remote_access_token", "s3cr3t", "--remote_reporter", "x.org/y|z"), "is no secret"),
    (("--platform", "adb", "--devices", "x"), "platform 'adb': no program"),
    (("--sessions", "0"), "--sessions 0: must be from 1 to"),
    (("net.json",), "name one specification: opperf spec FILE"),
]  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, plugin: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder with a specification, in which this process has the toy framework."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(plugin)
    write(tmp_path, specification(tmp_path))
    yield tmp_path
    find_framework.cache_clear()


@pytest.mark.parametrize(("words", "said"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_request_is_one_line(
    words: tuple[str, ...], said: str, here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Before anything is measured."""
    with suppress(SystemExit):
        assert main(["spec", *HARNESS, *words]) == 2
    line = capfd.readouterr().err
    assert said in line
    assert len(line.splitlines()) == 1
    assert not [*here.glob("runs/*")]
    assert "s3cr3t" not in line


def test_what_a_loader_does_not_know_fails_its_tests(toy: Any) -> None:
    """As any error of a model: the framework says which option it is."""
    write(toy.directory, specification(toy.directory))
    done = toy.run("spec", *HARNESS, "--backend", "mkl")
    assert done.returncode in {2, 11}
    assert "unknown option 'backend'" in done.stderr + done.stdout


def test_the_tests_are_listed(opperf: Any) -> None:
    """With their shapes, and nothing is fetched or measured."""
    write(opperf.directory, specification(opperf.directory))
    done = opperf.run("spec", "net.json", "--list", "--format", "json")
    rows = json.loads(done.stdout)
    assert [row["inputs"] for row in rows] == ["data 2x3", "data 4x3", "data 2x3"]


def test_the_usual_platform_is_this_processor(toy: Any) -> None:
    """Whose hash is the machine's key; what it does not obey is said."""
    document = specification(toy.directory)
    document["tests"][0]["platform_args"] = {"taskset": "f0"}
    write(toy.directory, document)
    key = str(collect()["machine_key"])
    done = toy.run(
        "spec", "net.json", "--root-model-dir", "models", "--model-cache", "cache",
        "--devices", key, "--check-only",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = "$.tests[0]: platform_args are not carried out on this platform"
    assert done.stderr.count(said) == 1
    meta = toy.records()[0]["meta"]
    assert (meta["platform"], meta["device"], meta["device_hash"]) == ("cpu", "cpu", key)
