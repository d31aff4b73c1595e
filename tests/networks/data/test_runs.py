"""Networks on real data, from the request or the command to the record."""

from __future__ import annotations

import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from opperf.networks.data.request import DataRequest
from tests.conftest import told
from tests.networks.conftest import MORE
from tests.networks.data import datasets

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.core.results.result import Result
    from tests.conftest import CommandLine

SMALL = (
    "model", "small", "--model-dir", str(MORE), "--framework", "pytorch", "--batch_size", "2",
    "--num_batches", "6", "--num_loader_threads", "1",
)  # fmt: skip
HIDE = "import sys\nsys.modules['lmdb'] = None\n"


def write(place: Path, backend: str) -> Path:
    """Write eight examples of three classes in a layout."""
    if backend == "image_folder":
        return datasets.flat_folder(place)
    if backend == "caffe_lmdb":
        values = [datasets.raw_datum(number, number % 3) for number in range(8)]
        return datasets.caffe_lmdb(place, values)
    return datasets.raw_arrays(place, labels=[0, 1, 2, 0, 1, 2])


@pytest.mark.parametrize("backend", ["image_folder", "caffe_lmdb", "raw"])
def test_networks_train_on_real_data(
    tmp_path: Path, measure: Callable[..., Result], backend: str
) -> None:
    """Its phases have their own times, and the record says what it was."""
    folder = write(tmp_path, backend)
    request = DataRequest(data_dir=str(folder), backend=backend, threads=1, shuffle=True)
    result = measure("small", data=request)
    assert result.status in {"ok", "noisy"}, result.reason
    metrics = {metric.name: metric.value for metric in result.metrics}
    assert metrics["data"] > 0
    assert metrics["host_to_device"] > 0
    attributes = result.attributes
    assert (attributes["data"], attributes["data_dir"]) == (backend, str(folder))
    assert attributes["data_shuffle"] is True


def test_eight_images_run_by_the_command(tmp_path: Path, command_line: Any) -> None:
    """With what is to be known of them: seven of eight can be read, for batches of sixteen."""
    folder = datasets.flat_folder(tmp_path / "images")
    (folder / "3.png").write_bytes(b"no image")
    opperf: CommandLine = command_line(tmp_path)
    given = (*SMALL, "--data_dir", "images", "--data_backend", "image_folder")
    run = opperf.run(*given, "--batch_size", "16")
    assert run.returncode == 0, run.stderr
    for said in (
        "1 of 8 examples cannot be read and were left out",
        f"{folder}/3.png: neither JPEG nor PNG",
        "a batch of 16 has some of the 8 examples more than once",
    ):
        assert said in run.stdout + run.stderr
    (record,) = opperf.records()
    codes = {warning["code"] for warning in record["summary"]["warnings"]}
    assert {"data_left_out", "data_repeated"} <= codes
    strict = opperf.run(*given, "--strict-data")
    assert strict.returncode == 11  # that of failed rows
    assert f"{folder}/3.png: neither JPEG nor PNG" in strict.stdout + strict.stderr
    opperf.wait_for(lambda: not opperf.survivors())


def test_a_command_that_is_killed_leaves_no_loader(tmp_path: Path, command_line: Any) -> None:
    """Neither its measuring child nor the processes that load for this."""
    datasets.flat_folder(tmp_path / "images")
    opperf: CommandLine = command_line(tmp_path)
    given = (*SMALL, "--data_dir", "images", "--data_backend", "image_folder")
    process = opperf.start(
        *given, "--num_batches", "100000", "--num_loader_threads", "2",
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    until(lambda: len(loaders(opperf)) == 2)
    process.kill()
    process.wait()
    until(lambda: opperf.survivors() == [])


def loaders(opperf: CommandLine) -> list[psutil.Process]:
    """Return the processes of a command that another Python process of it was forked from."""
    found = []
    for process in opperf.survivors():
        with suppress(psutil.Error):
            parent = process.parent()
            if parent is not None and process.cmdline() == parent.cmdline():
                found.append(process)
    return found


def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, for two minutes at most."""
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_command_refuses_data_that_are_not_there(tmp_path: Path, command_line: Any) -> None:
    """In one line, before a process is started; a missing extra is named."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(HIDE)
    (tmp_path / "here" / "empty").mkdir(parents=True)
    write(tmp_path / "here" / "lmdb", "caffe_lmdb")
    opperf: CommandLine = command_line(tmp_path / "here", str(site))
    wrong = {
        ("empty", "--data_backend", "image_folder"): "/empty has no images; image_folder reads",
        ("none",): "/none does not exist",
        ("empty",): "/empty has no data.mdb, which caffe_lmdb reads",
        ("lmdb",): "needs lmdb, which is not installed; pip install 'opperf[lmdb]'",
        ("empty", "--data_backend", "image_foldr"): "image_folder",
    }
    for words, said in wrong.items():
        run = opperf.run(*SMALL, "--data_dir", *words)
        assert run.returncode == 2, run.stderr
        assert said in run.stderr
        assert len(told(run.stderr)) == 1
    assert opperf.runs() == []
