"""A tasks file is data from strangers: whatever is in it, it is a task or one line of error."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.tasks.file import find_task, read_sections

if TYPE_CHECKING:
    from pathlib import Path

PIECES = (
    b"(", b"(?P<value>", b"{9,99}", b"\\", b"'", b"[", b"]", b"\n", b"=", b"%(x)s", b"${y}", b"\0",
    b"\xff", b"*+", b"(?<=", b"\\1", b"999999999999", b" = ", b"[t]\n", b"#", b";",
)  # fmt: skip
SECTION = rb"""[t]
patterns = ['Speed: (\d+\.\d+|\d+) samples/sec', 'loss=(?P<value>\S+)']
metrics = ['speed', 'loss']
compute_method = ['average', 'p90']
command_to_execute = python script.py --gpus 8 "a b"
num_gpus = 8
timeout = 10m
shell = no
environment = ['A=1', 'B=']
min = ['speed=1']
launcher = ['taskset', '-c', '0']
"""


@pytest.mark.parametrize("start", range(4))
def test_a_damaged_file_is_a_task_or_an_error(start: int, tmp_path: Path) -> None:
    """Bytes changed, taken out, doubled and put in, by a seed each."""
    path = tmp_path / "tasks.cfg"
    sound, errors = 0, []
    for seed in range(100 * start, 100 * start + 100):
        path.write_bytes(damaged(SECTION, Random(seed)))  # noqa: S311 - no secret
        try:
            for name in read_sections(path):
                find_task(path, name).watch_command(8)
                sound += 1
        except UsageError as error:
            errors.append(str(error))
    assert sound
    assert [error for error in errors if "\n" in error] == []


def damaged(text: bytes, random: Random) -> bytes:
    """Return the text with up to three faults."""
    data = bytearray(text)
    for _ in range(random.randint(1, 3)):
        at, kind = random.randrange(len(data)), random.randrange(4)
        if kind == 0:
            data[at] = random.randrange(256)
        elif kind == 1:
            del data[at : at + random.randint(1, 30)]
        elif kind == 2:
            other = random.randrange(len(data))
            data[at:at] = data[other : other + random.randint(1, 40)]
        else:
            data[at:at] = random.choice(PIECES)
    return bytes(data)
