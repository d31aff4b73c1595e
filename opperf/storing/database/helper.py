"""Processes that take work off the one that writes a store: reading lines, and compressing them.

A database has one writer, and a second core of the machine would have nothing to do. What a helper
does not answer, because it died or because a line is not as usual, is done without it. It ends with
its input, and so with the process that started it, however that ends; in a session of its own it
hears no Ctrl-C.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from msgspec import msgpack

from opperf.core.environment.variables import child_environment
from opperf.core.errors import UsageError
from opperf.core.machine.affinity import usable_processors
from opperf.storing.database.line import Line, pack, take_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.storing.lines import Lines

ROOT = str(Path(__file__).parents[3])
LENGTH = 8
"""Bytes of the number that stands before a message and says how long it is."""
BLOCK = 1536 * 1024
"""Bytes of a journal that are taken apart together: some 500 lines."""
LARGE = 16 * 2**20
"""Bytes of a journal from which on two processes are worth their start, a tenth of a second."""


@dataclass(frozen=True)
class HelperTask:
    """What a helper does with a question, and the types of question and answer."""

    function: Callable[[Any], Any]
    question: Any
    answer: Any


def take_block_apart(place: tuple[bytes, int, int]) -> tuple[list[Line], int]:
    """Return the parts of a file's lines within so many bytes from one on, and of how many.

    There are none at its end, and where a line is damaged, or longer.
    """
    path, start, most = place
    with Path(os.fsdecode(path)).open("rb") as file:
        file.seek(start)
        block = file.read(most)
    whole = block[: block.rfind(b"\n") + 1]
    try:
        return list(map(take_apart, BytesIO(whole))), len(whole)
    except UsageError:
        return [], 0


def pack_all(pairs: list[tuple[bytes, bytes]]) -> list[bytes]:
    """Return each first of two compressed with the second as its template."""
    return [pack(data, template) for data, template in pairs]


WORKS = {
    "take_apart": HelperTask(take_block_apart, tuple[bytes, int, int], tuple[list[Line], int]),
    "pack": HelperTask(pack_all, list[tuple[bytes, bytes]], list[bytes]),
}


class Helper:
    """A process that does one kind of work, one piece of it after the other."""

    def __init__(self, name: str) -> None:
        environment = child_environment(os.environ, {"PYTHONSAFEPATH": "1"})
        paths = filter(None, (ROOT, environment.get("PYTHONPATH")))
        self.waiting = False
        self.decoder = msgpack.Decoder(WORKS[name].answer)
        self.process = subprocess.Popen(  # noqa: S603 - our own module, arguments as a list
            [sys.executable, "-m", __name__, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**environment, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )

    def ask(self, question: object) -> None:
        """Send a question; the answer to the one before is lost if nobody took it."""
        if self.waiting:
            self.answer()
        self.waiting = True
        with suppress(OSError):  # of a helper that died
            send(cast("BinaryIO", self.process.stdin), msgpack.encode(question))

    def answer(self) -> Any | None:
        """Return the answer to the question, None where the helper died."""
        self.waiting = False
        message = receive(cast("BinaryIO", self.process.stdout))
        return None if message is None else self.decoder.decode(message)

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


def send(file: BinaryIO, message: bytes) -> None:
    """Write a message."""
    file.write(len(message).to_bytes(LENGTH, "big"))
    file.write(message)
    file.flush()


def receive(file: BinaryIO) -> bytes | None:
    """Return the next message, None where there is none to come."""
    head = file.read(LENGTH)
    length = int.from_bytes(head, "big")
    message = file.read(length)
    return message if len(head) == LENGTH and len(message) == length else None


class Helpers(ExitStack):
    """The two helpers of an import, started with the first file that is worth it."""

    def __init__(self) -> None:
        super().__init__()
        self.reader: Helper | None = None
        self.packer: Helper | None = None

    def start(self, path: Path) -> None:
        """Start them if a file is large and there is a core for them."""
        with suppress(OSError):
            large = path.stat().st_size >= LARGE and usable_processors() > 1
            if large and self.reader is None:
                self.packer = self.enter_context(closing(Helper("pack")))
                self.reader = self.enter_context(closing(Helper("take_apart")))


def read_ahead(lines: Lines[Line], reader: Helper) -> Iterator[Line]:
    """Yield the lines that a helper takes apart, up to a block that is not as usual.

    `lines` knows the place, and goes on from there.
    """
    path = os.fsencode(lines.path.absolute())
    reader.ask((path, lines.size, BLOCK))
    while (answer := reader.answer()) and answer[0]:
        found, size = answer
        reader.ask((path, lines.size + size, BLOCK))
        for line in found:
            lines.number += 1
            yield line
        lines.size += size


def main(name: str) -> None:
    """Do the work of this name until there is no more of it."""
    work = WORKS[name]
    decoder = msgpack.Decoder(work.question)
    while (message := receive(sys.stdin.buffer)) is not None:
        send(sys.stdout.buffer, msgpack.encode(work.function(decoder.decode(message))))


if __name__ == "__main__":
    main(sys.argv[1])
