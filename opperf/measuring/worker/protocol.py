"""What parent and child say to each other: a token and one JSON object a line.

Requests go down, events come up. Each request carries a token of its own, and so does each event
that answers it. Framework code runs in the child and may write to the pipe, by accident or from a
process that it forked: whatever lacks the token, or is not exactly one of the events below, is no
message (`decode`).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from math import isfinite
from secrets import token_hex
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.planning.task import Task

    Check = Callable[[Any], bool]

MOST_BYTES = 2**63
WORKING = "working"
"""Says within a row that the child lives."""
LONGEST = 86400
"""Seconds beside its time-out that a child may ask for at most."""
SHOWN = 80
"""How many bytes of what is no message an error shows."""


class Request(Protocol):
    """Whatever a child is asked to do."""

    def to_json(self) -> str:
        """Return it as one line."""
        ...


@dataclass(frozen=True)
class Prefetch:
    """A task to come, which a child gets ready for."""

    task: Task

    def to_json(self) -> str:
        """Return it as one line."""
        return json.dumps({"prefetch": asdict(self.task)}, allow_nan=False)


def is_text(value: Any) -> bool:
    """Return whether it is a text."""
    return isinstance(value, str)


def is_flag(value: Any) -> bool:
    """Return whether it is true or false."""
    return isinstance(value, bool)


def is_whole(value: Any) -> bool:
    """Return whether it is a whole number of at least 0, as counts and bytes are."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_BYTES


def is_number(value: Any) -> bool:
    """Return whether it is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_patience(value: Any) -> bool:
    """Return whether it is a number of seconds that may be waited for."""
    return is_number(value) and 0 <= value <= LONGEST


def is_object(value: Any) -> bool:
    """Return whether it is an object, whatever its fields."""
    return isinstance(value, dict)


def or_null(check: Check) -> Check:
    """Return a check that null passes as well."""
    return lambda value: value is None or check(value)


def list_of(check: Check, length: int | None = None) -> Check:
    """Return a check of a list, and of all that is in it."""
    return lambda value: (
        isinstance(value, list) and length in (None, len(value)) and all(map(check, value))
    )


def object_of(checks: Mapping[str, Check]) -> Check:
    """Return a check of an object that has these fields and no others."""
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == checks.keys()
        and all(check(value[name]) for name, check in checks.items())
    )


PLAN = object_of(
    {
        "iterations": is_whole, "short": is_whole, "call": is_number, "loop_overhead": is_number,
        "limit": is_whole,
    }
)  # fmt: skip
METRIC = object_of(
    {
        "name": is_text, "unit": is_text, "value": or_null(is_number), "better": or_null(is_text),
        "per": is_text, "interval": or_null(list_of(is_number, 2)), "reason": or_null(is_text),
        "counted": list_of(is_text), "min_value": or_null(is_number),
        "max_value": or_null(is_number),
    }
)  # fmt: skip
TENSOR = object_of({"elements": is_whole, "dtype": is_text, "values": is_object})
RATE = {"device": is_text, "threads": is_whole, "way": is_text, "rate": is_number}
EVENTS: Mapping[str, Mapping[str, Check]] = {
    # of every child, once its framework is loaded or cannot be
    "loaded": {"environment": is_object},
    "broken": {"reason": is_text},
    "refused": {"reason": is_text},
    # of one that measures or weighs
    "prefetched": {"compiles": is_flag},
    "row": {"row": is_whole, "compiles": is_flag},
    WORKING: {"seconds": is_patience},
    "result": {"row": is_whole, "result": is_object},
    "metrics": {"row": is_whole, "metrics": list_of(METRIC)},
    "done": {"idle": is_whole, "changed": list_of(is_text)},
    # of an arm
    "described": {"tensors": list_of(TENSOR)},
    "opened": {},
    "ready": {"plan": PLAN},
    "block": {
        "seconds": is_number, "probe_times": list_of(is_whole, 2), "switches": or_null(is_whole),
    },
    "metric": {"found": or_null(METRIC)},
    "checked": {},
    "failed": {"status": is_text, "reason": is_text},
    # of one that looks for peaks
    "bandwidth": {"found": object_of({**RATE, "nbytes": is_whole, "kind": is_text})},
    "product": {"found": object_of({**RATE, "dtype": is_text})},
    "rateless": {"way": is_text, "reason": is_text},
    "round": {},
    # of one that captures a network's calls
    "network": {"batch": or_null(is_whole), "parameters": is_whole},
    "stepped": {"seconds": is_number},
    "call": {"call": is_object},
    "timed": {"measured": is_object},
    "batch": {"batch": is_whole},
    "growth": {"growth": is_object},
    "batchless": {"reason": is_text},
}  # fmt: skip
"""What a child may say, and what each field of it has to be."""


def new_token() -> str:
    """Return a token that nobody guesses."""
    return token_hex(8)


def request(token: str, message: str) -> bytes:
    """Return a request, already JSON, as one line."""
    return f"{token} {message}\n".encode()


def request_from(line: bytes) -> tuple[str, dict[str, Any]]:
    """Return the token and the message of a request."""
    token, _, message = line.decode().partition(" ")
    return token, json.loads(message)


def encode(token: str, event: str, **values: object) -> bytes:
    """Return an event as one line."""
    message = json.dumps({"event": event, **values}, allow_nan=False)
    return f"{token} {message}\n".encode()


def decode(line: bytes) -> tuple[str, dict[str, Any]]:
    """Return the token and the message of a line that a child has sent.

    Raises:
        ValueError: it is none of the events, or a field of it is not what it has to be.
    """
    token, _, text = line.decode().partition(" ")
    try:
        message = json.loads(text, parse_constant=refuse, parse_float=finite, parse_int=short)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(message, dict):
        raise ValueError("not an object")  # noqa: TRY004 - the only error of this function
    event = message.get("event")
    checks = EVENTS.get(event) if isinstance(event, str) else None
    if checks is None or not object_of({"event": is_text, **checks})(message):
        raise ValueError("no event that is known")
    return token, message


def refuse(text: str) -> NoReturn:
    """Refuse NaN and the infinities, which are not JSON."""
    raise ValueError(f"{text} is not a number")


def short(text: str) -> int:
    """Return a whole number, unless it is beyond what a float holds."""
    finite(text)
    return int(text)


def finite(text: str) -> float:
    """Return a number, unless it is beyond what a float holds."""
    value = float(text)
    return value if isfinite(value) else refuse(text)
