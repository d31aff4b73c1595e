"""JSON from files that may have been cut off, edited or made up, parsed with suspicion."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, NoReturn

from opperf.core.errors import UsageError

LONGEST = 8 * 2**20
"""Bytes of a line, or of a manifest."""
DEEPEST = 50
"""Levels; more would end in a RecursionError, in whoever walks through the document."""
DIGITS = 300
"""Of an integer: as many as still fit into a float, whose largest is 1.8e308."""
SURROGATE = rb"\ud"
"""The beginning of an escaped surrogate; two of them in a row stand for one character."""
SHOWN = 40
"""How many characters of a number an error shows."""
FLAT = bytes.maketrans(b"123456789E]}", b"000000000e,,")
SPACE = b"+ \t\r\n"
SUSPICIOUS = (b"0" * (DIGITS + 1), b"e000,", b"e0000,", b"e00000,", b"e000000")
"""What a number that is too long or too large leaves, once each digit is a zero and each end a
comma."""


class NotJsonError(UsageError):
    """The text is not JSON at all, as when its end or its middle was never written."""


def parse(data: bytes) -> object:
    """Return what the JSON says, every number of it finite.

    Raises:
        NotJsonError: It is not JSON in UTF-8.
        UsageError: It is, but goes beyond the limits above, or holds NaN or an infinity.
    """
    flat = data.translate(FLAT, SPACE)
    suspicious = any(map(flat.__contains__, SUSPICIOUS))
    try:
        document = (parse_suspicious if suspicious else parse_harmless)(data.decode())
    except UnicodeDecodeError as error:
        raise NotJsonError(f"not UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise NotJsonError(f"not JSON: {error.msg} at character {error.pos}") from error
    except RecursionError as error:
        raise UsageError(f"nested deeper than {DEEPEST} levels") from error
    if data.count(b"[") + data.count(b"{") > DEEPEST:
        check_depth(document)
    check_encodable(document, data)
    return document


def parse_harmless(text: str) -> object:
    """Return what the JSON says, where no number can be too large."""
    return json.loads(text, parse_constant=refuse_constant)


def parse_suspicious(text: str) -> object:
    """Return what the JSON says, with a look at each number, which takes twice as long."""
    return json.loads(
        text, parse_constant=refuse_constant, parse_float=parse_float, parse_int=parse_int
    )


def make_encodable(text: str) -> str:
    """Return the JSON with a question mark for every lone surrogate, which is half a character.

    Python puts them into what it decodes from bytes that are not UTF-8, such as a file's name.
    """
    if SURROGATE not in text.encode():
        return text
    mended = json.dumps(json.loads(text), ensure_ascii=False).encode(errors="replace")
    return json.dumps(json.loads(mended), separators=(",", ":"))


def refuse_constant(text: str) -> NoReturn:
    """Refuse what Python's parser knows beyond JSON: NaN, Infinity and -Infinity."""
    raise UsageError(f"{text} is not a number; write null where nothing was measured")


def parse_float(text: str) -> float:
    """Return the number, unless it is too large for a float."""
    value = float(text)
    if not isfinite(value):
        raise UsageError(f"the number {text[:SHOWN]} is too large; at most 1.8e308 is allowed")
    return value


def parse_int(text: str) -> int:
    """Return the number, unless it has so many digits that reading it takes long."""
    if len(text) > DIGITS:
        raise UsageError(f"an integer of {len(text)} digits; at most {DIGITS} are allowed")
    return int(text)


def check_depth(document: object) -> None:
    """Refuse a document that is nested too deeply, level by level, so without recursion."""
    level = containers([document])
    for _ in range(DEEPEST):
        level = [part for item in level for part in containers(item)]
        if not level:
            return
    raise UsageError(f"nested deeper than {DEEPEST} levels")


def check_encodable(document: object, data: bytes) -> None:
    """Refuse a lone surrogate: no terminal, file or database takes one."""
    if rb"\u" not in data or SURROGATE not in data.lower():
        return
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise UsageError("a text holds half a character (a lone surrogate)") from error


def containers(item: list[Any] | dict[str, Any]) -> list[list[Any] | dict[str, Any]]:
    """Return the lists and objects directly inside this one."""
    parts = item.values() if isinstance(item, dict) else item
    return [part for part in parts if isinstance(part, (dict, list))]
