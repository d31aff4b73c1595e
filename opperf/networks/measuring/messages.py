"""What launched processes say to the one that launched them: through its standard input.

That is all that a launcher lets them inherit, and no folder is left where one is killed. A pipe
takes short writes whole, so that each message goes in pieces, a line each.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PIECE = 400
"""Characters of a piece: POSIX has 512 bytes go whole."""
END = "."


class Sender:
    """The pipe of a launched process, taken off its standard input."""

    def __init__(self, rank: int) -> None:
        self.rank, self.pipe = rank, os.dup(0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)

    def send(self, message: Any) -> None:
        """Send a message, which is JSON."""
        text = json.dumps(message, allow_nan=False)
        pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
        for kind, piece in (*(("+", piece) for piece in pieces), (END, "")):
            os.write(self.pipe, f"{self.rank} {kind}{piece}\n".encode())


@contextmanager
def hearing(hear: Callable[[int, Any], None]) -> Iterator[None]:
    """Have processes that are launched meanwhile be heard, each message with the rank of one."""
    end, pipe = os.pipe()
    kept = os.dup(0)
    os.dup2(pipe, 0)
    listener = Thread(target=listen, args=(end, hear), daemon=True)
    listener.start()
    try:
        yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.write(pipe, b"\n")  # the pipe may outlive us in a process that one of them has started
        listener.join()
        os.close(pipe)


def listen(end: int, hear: Callable[[int, Any], None]) -> None:
    """Pass messages on as they are complete, up to an empty line."""
    texts: dict[int, str] = {}
    with os.fdopen(end, encoding="ascii") as lines:
        for line in lines:
            if line == "\n":
                return
            name, _, piece = line.rstrip("\n").partition(" ")
            rank = int(name)
            if piece == END:
                hear(rank, json.loads(texts.pop(rank)))
            else:
                texts[rank] = texts.get(rank, "") + piece[1:]
