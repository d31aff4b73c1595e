"""The software: operating system, interpreter and packages."""

from __future__ import annotations

import os
import platform
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from opperf.core.environment.files import encodable, read_fields

if TYPE_CHECKING:
    from pathlib import Path

PACKAGES = ("numpy", "mxnet", "torch", "opperf")


def software_facts(root: Path) -> dict[str, object]:
    """Return the facts of the software; importing this imports no package it names."""
    return {
        "os": operating_system(root),
        "kernel": platform.release() or None,
        "libc": libc(),
        "python": python_facts(),
        "packages": {name: package_version(name) for name in PACKAGES},
    }


def operating_system(root: Path) -> str | None:
    """Return the distribution's own name for itself, else the system's."""
    files = (root / "etc/os-release", root / "usr/lib/os-release")
    names = (read_fields(file, separator="=").get("PRETTY_NAME", "") for file in files)
    named = next((name.strip("\"'") for name in names if name), None)
    return named or platform.system() or None


def libc() -> str | None:
    """Return the C library and its version, such as `glibc 2.36`, where it tells."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or None
    except (AttributeError, OSError, ValueError):
        return None


def python_facts() -> dict[str, object]:
    """Return the facts of this interpreter."""
    return {
        "version": platform.python_version(),
        "implementation": platform.python_implementation(),
        "compiler": platform.python_compiler(),
        "executable": encodable(sys.executable) or None,
    }


@cache
def package_version(name: str) -> str | None:
    """Return the version of an installed package without importing it.

    It is looked up once: what a process has loaded stays, whatever is installed meanwhile.
    """
    try:
        return version(name)
    except (PackageNotFoundError, KeyError, TypeError, OSError):
        return None  # all but the first: a damaged one, OSError where importlib_metadata is loaded
