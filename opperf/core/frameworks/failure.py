"""What an error says of a row: that it failed, or that there is no such row to be had here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opperf.core.errors import OpperfError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.frameworks.framework import Framework

LONGEST_REASON = 1000
OUT_OF_MEMORY = (
    "allocate memory",
    "failed to allocate",
    "unable to allocate",
    "bad_alloc",
    "out of memory",
)


def classify(error: Exception, framework: Framework, dtype: str) -> tuple[str, str]:
    """Return the status and the reason of what a framework raised on tensors of this dtype."""
    said = text_of(error)
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    kind, line = type(error).__name__, telling(lines)
    reason = (line if line.startswith(kind) else f"{kind}: {line}")[:LONGEST_REASON]
    if isinstance(error, UnsupportedError):
        return "unsupported", said
    if isinstance(error, MemoryError) or any(words in said.lower() for words in OUT_OF_MEMORY):
        return "out_of_memory", reason
    if re.search(framework.missing_form, said, re.IGNORECASE):
        return "unsupported", reason
    if lack := missing_instruction_set(said, framework, dtype):
        return "unsupported", f"{reason} ({lack})"
    return "failed", reason


def classify_model(error: Exception, framework: Framework, dtype: str) -> tuple[str, str]:
    """Return the status and the reason of what opening or calling a whole model raised.

    An error of opperf's own, of a request or of a file, is the reason as it stands.
    """
    if isinstance(error, OpperfError) and not isinstance(error, UnsupportedError):
        return "failed", str(error)
    if isinstance(error, NotImplementedError):
        return "unsupported", text_of(error).partition("\n")[0]
    return classify(error, framework, dtype)


def text_of(error: Exception) -> str:
    """Return what an error says; some cannot be told."""
    try:
        return str(error)
    except Exception as second:  # noqa: BLE001 - whatever its own text raises
        return f"its text raises {type(second).__name__}"


def missing_instruction_set(words: str, framework: Framework, dtype: str) -> str | None:
    """Say which instruction set an error comes from that the framework may not use here.

    None where the words are others, and where the instruction set is there: that is a fault.
    """
    for requirement in framework.requirements:
        if requirement.explains(words, dtype) and (
            lack := framework.shortage(requirement.requires)
        ):
            return lack
    return None


def telling(lines: Sequence[str]) -> str:
    """Return the line that says what went wrong: CUDA's own, before its advice, else the last.

    Behind MXNet's own may stand shapes and attributes, a line each.
    """
    own = [line for line in lines if "CUDA error" in line or line.startswith("MXNetError: ")]
    return (own or [*lines[-1:], "no message"])[0]
