"""A folder with a tasks file and a script that prints the log of the driver's document."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LOG = """\
INFO:root:Epoch[0] Batch [49]	Speed: 829.012392 samples/sec	accuracy=0.172578
INFO:root:Epoch[0] Batch [99]	Speed: 844.157227 samples/sec	accuracy=0.206563
INFO:root:Epoch[0] Batch [149]	Speed: 835.582445 samples/sec	accuracy=0.230781
INFO:root:[Epoch 0] training: accuracy=0.248027
INFO:root:[Epoch 0] time cost: 69.030488
INFO:root:[Epoch 0] validation: accuracy=0.296484
INFO:root:Epoch[1] Batch [49]	Speed: 797.687061 samples/sec	accuracy=0.322344
INFO:root:Epoch[1] Batch [99]	Speed: 821.444257 samples/sec	accuracy=0.329883
INFO:root:Epoch[1] Batch [149]	Speed: 810.339386 samples/sec	accuracy=0.342969
INFO:root:[Epoch 1] training: accuracy=0.351983
INFO:root:[Epoch 1] time cost: 61.266612
INFO:root:[Epoch 1] validation: accuracy=0.393930
"""
SCRIPT = f"""\
import pathlib, sys
pathlib.Path("argv").write_text(" ".join(sys.argv[1:]))
sys.stderr.write({LOG!r})
"""
DOCUMENT = r"""
 [resnet50_cifar10_imperative]
 patterns = ['Speed: (\d+\.\d+|\d+) samples/sec', 'training: accuracy=(\d+\.\d+|\d+)', 'validation: accuracy=(\d+\.\d+|\d+)', 'time cost: (\d+\.\d+|\d+)']
 metrics = ['speed', 'training_acc', 'validation_acc', 'total_training_time']
 compute_method = ['average', 'last', 'last', 'total']
 command_to_execute = python image_classification/image_classification.py --model resnet50_v1 --dataset cifar10 --gpus 8 --epochs 20 --log-interval 50
 num_gpus = 8
"""  # noqa: E501 - as the document has it
Driver = Callable[..., Any]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that holds the document's section and its script, and go there."""
    (tmp_path / "image_classification").mkdir()
    (tmp_path / "image_classification/image_classification.py").write_text(SCRIPT)
    (tmp_path / "task_config_template.cfg").write_text(DOCUMENT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def driver(place: Path, opperf: Any) -> Driver:
    """Return a function that runs the driver there."""
    assert opperf.directory == place

    def run(*arguments: str, **options: Any) -> Any:
        words = [sys.executable, str(ROOT / "benchmark_driver.py"), *arguments]
        return opperf.execute(words, **options)

    return run


@pytest.fixture
def section(place: Path) -> Callable[..., None]:
    """Return a function that writes a tasks file with the one task `t`."""

    def write(command: str, **keys: str) -> None:
        lines = {
            "patterns": "['v=(\\S+)']", "metrics": "['v']", "compute_method": "['last']",
            "command_to_execute": command, "num_gpus": "1",
        } | keys  # fmt: skip
        text = "".join(f"{key} = {value}\n" for key, value in lines.items())
        (place / "task_config_template.cfg").write_text(f"[t]\n{text}")

    return write
