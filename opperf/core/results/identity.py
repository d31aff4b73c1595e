"""What identifies a record: the version of its format, of the method, and hashes of JSON values.

The measuring child imports this module, so that it needs the standard library only.
"""

from __future__ import annotations

import json
from hashlib import sha256

SCHEMA = "opperf.result/5"
OPERATOR = "operator"
CALL = "call"
NETWORK = "network"
TASK = "task"
METHOD = "method"
SPEC = "spec"
"""The kinds of subject: a declared operator, a framework's own on arguments of a network, a
network's whole step, a script, a method of a benchmark class, and a test of a specification."""
WHOLE_NETWORKS = (NETWORK, SPEC)
"""Those that hold many operators at once, and are no part of a mean over operators."""
METHOD_VERSION = "2"
"""Raised when the way of measuring changes so that older numbers cannot be compared with newer."""
LATER_METHOD_VERSION = "3"
"""That of in-place operators, which have since had as many copies on each framework, and of several
threads, which have since waited for each other as the framework has it."""


def digest(value: object) -> str:
    """Return 16 hexadecimal digits that stand for a JSON value."""
    text = json.dumps(value, sort_keys=True, default=str, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:16]
