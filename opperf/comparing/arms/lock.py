"""A lock: the wheels of an arm's environment, each by its version and its sha256.

It is a file of requirements as pip reads it, so that `pip install --require-hashes --no-deps -r`
makes the same environment from the same bytes wherever it runs, from whichever index.
"""

from __future__ import annotations

import json
import platform
import re
import sys
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from opperf.comparing.arms.arm import ArmSpec, project_of
from opperf.comparing.arms.installer import ISOLATED, QUIETLY, run
from opperf.core.errors import UsageError, quote, quote_path

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Spec = TypeVar("Spec", bound=ArmSpec)
PYTHON = "# python: "
"""What stands before the Python and the platform that a lock's wheels are for."""
WHEEL = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)(\[[A-Za-z0-9,._ -]*\])?\s*==\s*"
    r"(?P<version>[A-Za-z0-9.+!_-]+)(\s*;[^#]*?)?(\s+--hash=sha256:[0-9a-f]{64})+"
)
INDEX_LINE = re.compile(r"--(extra-)?index-url[ =]\S+")
EXACT = re.compile(r"[^=<>!~,;]+==\s*(?P<version>[A-Za-z0-9.+!_-]+)")
LONGEST = 2**20
"""Characters of a lock: one of a thousand wheels has a fifth of it."""


def python_tag(facts: Mapping[str, str] | None = None) -> str:
    """Return the Python and the platform that wheels are chosen for, as cpython-3.11-linux-x86_64.

    Args:
        facts: of another interpreter, as pip reports them; None for this one's.
    """
    found = facts or {
        "implementation_name": sys.implementation.name,
        "python_version": ".".join(platform.python_version_tuple()[:2]),
        "sys_platform": sys.platform,
        "platform_machine": platform.machine(),
    }
    names = ("implementation_name", "python_version", "sys_platform", "platform_machine")
    return "-".join(found[name] for name in names)


def resolve_lock(arm: ArmSpec, index: str | None = None) -> str:
    """Return the lock of what an arm requires, resolved by a dry run of pip; nothing is installed.

    Args:
        arm: what is required, and of which python.
        index: the URL of an index, for whoever installs from the lock as well; None for the one
            that pip is configured for, wherever it runs.

    Raises:
        UsageError: something has no wheel, or the index is away or gives no sha256.
    """
    pip = [arm.python, *ISOLATED, "pip", *QUIETLY, "install", "--quiet", "--only-binary", ":all:"]
    dry = ["--dry-run", "--ignore-installed", "--report", "-"]
    chosen = ["--index-url", checked_index(index)] if index else []
    try:
        report = json.loads(run([*pip, *dry, *chosen, "--", *arm.requirements]))
    except UsageError as error:
        raise UsageError(f"{arm.subject} cannot be locked, by wheels alone: {error}") from None
    lines = [
        f"# {' '.join(arm.requirements)}",
        f"{PYTHON}{python_tag(report['environment'])}",
        *([f"--index-url {index}"] if index else []),
    ]
    named = {one["metadata"]["name"].lower(): one for one in report["install"]}
    for _, one in sorted(named.items()):
        lines += wheel_lines(one, arm.subject)
    return "".join(f"{line}\n" for line in lines)


def wheel_lines(found: Mapping[str, Any], subject: str) -> list[str]:
    """Return what a lock says of a package of pip's report: whence it came, and what it is."""
    name, version = found["metadata"]["name"], found["metadata"]["version"]
    source = found["download_info"]
    digest = source.get("archive_info", {}).get("hashes", {}).get("sha256")
    if digest is None:
        raise UsageError(f"{subject}: the index gives no sha256 of {name} {version}")
    return [f"# {source['url']}", f"{name}=={version} --hash=sha256:{digest}"]


def checked_index(url: str) -> str:
    """Return the URL of an index that may stand in a lock.

    Raises:
        UsageError: it is none, or has a password.
    """
    try:
        parts = urlsplit(url)
        secret = parts.username or parts.password
    except ValueError:
        parts, secret = urlsplit(""), None
    if parts.scheme not in {"http", "https", "file"} or re.search(r"\s", url):
        raise UsageError(f"--index-url {quote(url)}: must be an http://, https:// or file:// URL")
    if secret:
        raise UsageError(
            f"--index-url {parts.scheme}://...@{quote(parts.hostname)}: a lock is no place for a "
            "password; set PIP_INDEX_URL or ~/.netrc here and on each host"
        )
    return url


def read_lock(path: Path) -> str:
    """Return the text of a lock's file.

    Raises:
        UsageError: it cannot be read, or is no lock; names the line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "is not UTF-8"
        raise UsageError(f"lock {quote_path(path)}: {said}") from None
    locked_versions(text, f"lock {quote_path(path)}")
    return text


def locked_versions(text: str, subject: str) -> dict[str, str]:
    """Return the version of each package of a lock by its name.

    Raises:
        UsageError: a line is neither a wheel with its sha256 nor an index.
    """
    if len(text) > LONGEST:
        raise UsageError(f"{subject}: has {len(text)} characters, at most {LONGEST} are allowed")
    found = {}
    for line in re.sub(r"\\\r?\n", " ", text).splitlines():
        said = re.sub(r"(^|\s)#.*", "", line).strip()
        if wheel := WHEEL.fullmatch(said):
            found[canonical(wheel["name"])] = wheel["version"]
        elif said and not INDEX_LINE.fullmatch(said):
            raise UsageError(f"{subject}: {quote(said)} must be NAME==VERSION --hash=sha256:...")
    if not found:
        raise UsageError(f"{subject}: names no wheel; `opperf venv lock PACKAGE` prints a lock")
    return found


def python_of(text: str) -> str | None:
    """Return the Python and the platform that a lock is for; None where it says none."""
    lines = [line for line in text.splitlines() if line.startswith(PYTHON)]
    return lines[0].removeprefix(PYTHON).strip() if lines else None


def with_lock(arm: Spec, text: str) -> Spec:
    """Return the arm with the lock that its environment is made from.

    Raises:
        UsageError: the lock does not have what the arm asks for.
    """
    versions = locked_versions(text, f"the lock of {arm.subject}")
    if not arm.requirements:
        raise UsageError(f"{arm.subject} installs nothing; leave its --lock out")
    for requirement in arm.requirements:
        name = project_of(requirement)
        if name is None:
            raise UsageError(f"{arm.subject}: a lock has packages of an index, not {requirement}")
        locked = versions.get(canonical(name))
        exact = EXACT.fullmatch(requirement)
        if locked is None or (exact and not same_version(exact["version"], locked)):
            there = f"{name}=={locked}" if locked else f"no {name}"
            raise UsageError(f"{arm.subject}: its lock has {there}; give {requirement} its own")
    return replace(arm, lock=text, lock_sha256=sha256(text.encode()).hexdigest())


def same_version(request: str, version: str) -> bool:
    """Return whether a version is the one that is asked for: 2.13 is 2.13.0 and 2.13.0+cpu."""
    public = version if "+" in request else version.partition("+")[0]
    return all_but_zeros(request) == all_but_zeros(public)


def all_but_zeros(version: str) -> str:
    """Return a version without the zeros at its end."""
    return re.sub(r"(\.0)+$", "", version.lower())


def canonical(name: str) -> str:
    """Return the one spelling of a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def describe_lock(name: str, arm: ArmSpec) -> str:
    """Return what people are told of an arm's lock."""
    text = arm.lock or ""
    number = len(locked_versions(text, arm.subject))
    place = f" for {tag}" if (tag := python_of(text)) else ""
    wheels = "1 wheel" if number == 1 else f"{number} wheels"
    return f"arm {name} is locked{place}: {wheels}, sha256 {arm.lock_sha256}"
