"""The environment variables that a measuring child inherits, and those a record may show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

TUNING_PREFIXES = (
    "CUDA_",
    "KMP_",
    "MKL_",
    "MXNET_",
    "NVIDIA_",
    "OMP_",
    "OPENBLAS_",
    "TORCH",
)
"""What sets how a framework computes: inherited by the child.

OPPERF_ is not: what it sets has come to the child by then, and OPPERF_STORE may hold a login.
"""
HOST = "OPPERF_HOST"
"""The name that this host goes by in results: a child collects the facts, so it inherits it."""

INSTRUCTION_SET_NAMES = frozenset(
    {
        "ATEN_CPU_CAPABILITY",
        "DNNL_CPU_ISA_HINTS",
        "DNNL_MAX_CPU_ISA",
        "MKL_CBWR",
        "MKL_ENABLE_INSTRUCTIONS",
        "NPY_DISABLE_CPU_FEATURES",
        "NPY_ENABLE_CPU_FEATURES",
        "ONEDNN_CPU_ISA_HINTS",
        "ONEDNN_MAX_CPU_ISA",
        "OPENBLAS_CORETYPE",
    }
)
"""What sets which of the processor's instruction sets a library may use."""

TUNING_NAMES = INSTRUCTION_SET_NAMES | {
    "DNNL_DEFAULT_FPMATH_MODE",
    "GLIBC_TUNABLES",
    "ONEDNN_DEFAULT_FPMATH_MODE",
}
"""Beside what a prefix names."""

PLACE_NAMES = frozenset(
    {
        "CC",
        "CXX",
        "HOME",
        "LANG",
        "LC_ALL",
        "LD_LIBRARY_PATH",
        "PATH",
        "PYTHONPATH",
        "TMPDIR",
        "XDG_CACHE_HOME",
    }
)
"""Where the child finds programs, modules and room to write: inherited, never recorded."""

SENSITIVE = r"(token|secret|passwd|password|passphrase|key|credential|bearer|cookie)"
SECRET_NAME = re.compile(
    rf"{SENSITIVE}|(^|_)(auth|cert|cred|creds|jwt|login|pass|pat|pem|pin|pw|pwd|sas|sig)(_|$)",
    re.IGNORECASE,
)
SECRET_VALUE = re.compile(rf"://\S*@|{SENSITIVE}s?\s*=", re.IGNORECASE)
"""A URL that carries a login (OPPERF_STORE=postgresql://me:mine@host/db), or a named secret."""


def child_environment(environ: Mapping[str, str], extra: Mapping[str, str]) -> dict[str, str]:
    """Return what a measuring child inherits from `environ`, with `extra` on top.

    Args:
        environ: the parent's variables; only the allow-list passes, and no secret.
        extra: what the user or an arm sets for the child, passed on as it stands.

    """
    inherited = {name: value for name, value in environ.items() if is_inherited(name)}
    return without_secrets(inherited) | dict(extra)


def is_inherited(name: str) -> bool:
    """Say whether the name is on the child's allow-list."""
    return is_tuning(name) or name in PLACE_NAMES or name == HOST


def is_tuning(name: str) -> bool:
    """Say whether the variable of this name sets how a framework computes."""
    return name in TUNING_NAMES or name.startswith(TUNING_PREFIXES)


def without_secrets(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables whose name and value do not look like a secret."""
    return {
        name: value
        for name, value in variables.items()
        if not SECRET_NAME.search(name) and not SECRET_VALUE.search(value)
    }
