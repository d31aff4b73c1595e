"""What may become of a stored document: each place of it, in every wrong way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

Path = tuple[Any, ...]

ABSENT = "absent"
HERE = '"HERE"'
HOSTILE = "x\x1b]0;owned\x07\x1b[31m\u202e\x00\r\n=cmd|' /C calc'!A0<script>alert(1)</script>`|"
TEXTS = (
    ABSENT, "null", "true", "false", "0", "-1", "1", "1.5", "-0.0", "1e300", "-1e300", "1e301",
    "1e308", "1e-320", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
    "1" + "0" * 299, "9" * 400, "NaN", "Infinity", "-Infinity", "1e999", '""', '"x"', '"2026"',
    '"\\ud800"', '"\\u0000"', json.dumps(HOSTILE), '"' + "x" * 10_000 + '"', "[]", "{}", "[[]]",
    "[{}]", '["x"]', "[1,2]", "[null]", "[1e308,1e308,1e308]", '{"x":[]}', '{"":{"":{}}}',
    '"0001-01-01T00:00:00+23:59"', '"9999-12-31T23:59:00-14:00"', '"ok"', '"all"', '"opperf"',
    "[" * 49 + "]" * 49, "[" * 60 + "]" * 60, '{"a":' * 60 + "1" + "}" * 60, "[" * 100_000,
    "1.", "01", "}",
)  # fmt: skip
"""JSON, and what is none, in the place of a value."""
CELLS: tuple[tuple[str, Any], ...] = (
    *(("?", value) for value in (
        None, -1, 0, 1, 2**63 - 1, -(2**63), 10**12, 1.5, -1.5, 1e300, 1e-320, float("inf"),
        float("-inf"), "", "x", "ok", "superseded", "1", HOSTILE, "x" * 10_000, "[" * 100_000,
        '["x"]', "{}", '"x"', "9999-12-31", b"", b"\0", b"\xff" * 16, b"x" * 10_000,
    )),
    ("CAST(? AS TEXT)", b"\xff\xfe"),
    ("CAST(? AS TEXT)", b"a\0b"),
)  # fmt: skip
"""SQL, and its parameter, in the place of a cell's value."""


def places(document: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the way to each value within a document, the whole of it first."""
    yield path
    if not isinstance(document, (dict, list)):
        return
    for name, value in document.items() if isinstance(document, dict) else enumerate(document):
        yield from places(value, (*path, name))


def mutated(document: Any, path: Path, text: str) -> bytes:
    """Return a document's JSON with a text in the place of one of its values."""
    copy = json.loads(json.dumps(document))
    if not path:
        return b"" if text == ABSENT else text.encode(errors="surrogatepass")
    place = copy
    for name in path[:-1]:
        place = place[name]
    if text == ABSENT:
        del place[path[-1]]
        return json.dumps(copy).encode()
    place[path[-1]] = "HERE"
    return json.dumps(copy).replace(HERE, text, 1).encode(errors="surrogatepass")


def spoiled(lines: Sequence[str], path: Path, text: str, random: Random) -> bytes:
    """Return a file of lines with a text in the place of a part of one of them, or of all."""
    if not path:
        return text.encode(errors="surrogatepass")
    copy = [*lines]
    begin, end = sorted(random.choices(range(len(copy[path[0]]) + 1), k=2))
    copy[path[0]] = f"{copy[path[0]][:begin]}{text}{copy[path[0]][end:]}"
    return "\n".join(copy).encode(errors="surrogatepass")
