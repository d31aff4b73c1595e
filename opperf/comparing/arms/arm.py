"""An arm: what is compared with the other one, from the text that names it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from opperf.core.environment.variables import without_secrets
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SETTING = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(?!=)(.*)", re.DOTALL)
REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)(\[[A-Za-z0-9,._ -]*\])?"
    r"(\s*(==|>=|<=|~=|!=|<|>|===)[A-Za-z0-9.*+!_-]+(,(==|>=|<=|~=|!=|<|>)[A-Za-z0-9.*+!_-]+)*)?"
)
HERE = "."
OLDEST = (3, 10)
"""The Python that opperf's own code needs in an arm."""
VERSION = "import sys; print(*sys.version_info[:3])"
FORMS = (
    "a pip requirement (mxnet==1.9.1), the path of a python, the path of a source tree or wheel, "
    "git+file://PATH, NAME=value, or . for this python"
)
PACKAGES = (
    "a pip requirement (mxnet==1.9.1), the path of a source tree or wheel, or git+file://PATH"
)
"""What an environment is made to hold."""


@dataclass(frozen=True, kw_only=True)
class ArmSpec:
    """What was asked for as one arm: an interpreter, what is installed for it, and its settings.

    Where something is to be installed, that is done in a virtual environment of `python`; where
    there is a `lock`, its wheels and nothing else.
    """

    text: str
    python: str = sys.executable
    requirements: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    lock: str | None = None
    lock_sha256: str | None = None
    kind: ClassVar[str] = "arm"

    @property
    def subject(self) -> str:
        """What an error of it begins with."""
        return f"{self.kind} {self.text!r}"


class EnvironmentSpec(ArmSpec):
    """What was asked for as an environment by itself."""

    kind = "environment"


def parse_arm(text: str) -> ArmSpec:
    """Return the arm that a text names.

    Raises:
        UsageError: a word of it is nothing that an arm is made of; says which, and what is allowed.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"arm {text!r}: {error}; quote it as a shell does") from None
    if not words:
        raise UsageError(f"arm {text!r} is empty; give {FORMS}")
    variables: dict[str, str] = {}
    requirements: list[str] = []
    pythons: list[str] = []
    for word in words:
        if setting := SETTING.fullmatch(word):
            variables[setting[1]] = setting[2]
        elif word == HERE:
            pythons.append(sys.executable)
        elif is_python(word):
            pythons.append(str(Path(word).absolute()))
        else:
            requirements.append(requirement_of(word, f"arm {text!r}", FORMS))
    return ArmSpec(
        text=text,
        python=one_python(pythons, f"arm {text!r}"),
        requirements=tuple(requirements),
        variables=without_secret_settings(variables),
    )


def without_secret_settings(variables: Mapping[str, str]) -> Mapping[str, str]:
    """Return the settings of an arm.

    Raises:
        UsageError: one looks like a secret.
    """
    if secrets := sorted(set(variables) - set(without_secrets(variables))):
        raise UsageError(
            f"arm setting {secrets[0]} looks like a secret; a command line is no place for it"
        )
    return variables


def one_python(pythons: Sequence[str], subject: str) -> str:
    """Return the interpreter of an arm, this one where it names none.

    Raises:
        UsageError: it names several, or the interpreter is too old or none.
    """
    if len(pythons) > 1:
        raise UsageError(f"{subject} names {len(pythons)} interpreters; give one")
    for python in pythons:
        refuse_too_old(python)
    return pythons[0] if pythons else sys.executable


def is_python(word: str) -> bool:
    """Return whether a word is the path of something that can be executed."""
    return os.sep in word and Path(word).is_file() and os.access(word, os.X_OK)


def environment_of(words: Sequence[str], python: str | None) -> EnvironmentSpec:
    """Return the environment that is asked for: what it holds, and of which python.

    Raises:
        UsageError: a word is nothing that can be installed, or the interpreter is none.
    """
    text = shlex.join(words)
    if python is not None and not is_python(python):
        raise UsageError(f"--python {python!r} cannot be executed; give the path of a python")
    if python is not None:
        refuse_too_old(python)
    return EnvironmentSpec(
        text=text,
        python=str(Path(python).absolute()) if python else sys.executable,
        requirements=tuple(requirement_of(one, f"environment {text!r}", PACKAGES) for one in words),
    )


def requirement_of(word: str, subject: str, forms: str) -> str:
    """Return what the installer is told for a word."""
    if word.startswith("git+file://"):
        return word
    if (os.sep in word or word.endswith(".whl")) and not word.startswith("-"):
        return str(source_of(Path(word), subject, forms))
    if REQUIREMENT.fullmatch(word):
        return word
    raise UsageError(f"{subject}: {word!r} is none of: {forms}")


def source_of(path: Path, subject: str, forms: str) -> Path:
    """Return the absolute path of a source tree or a wheel."""
    if path.is_file() and path.suffix == ".whl":
        return path.absolute()
    if path.is_dir() and any((path / name).is_file() for name in ("pyproject.toml", "setup.py")):
        return path.absolute()
    if path.is_dir():
        raise UsageError(f"{subject}: {path} holds no pyproject.toml and no setup.py")
    if path.exists():
        raise UsageError(f"{subject}: {path} is neither a wheel nor can it be executed")
    raise UsageError(f"{subject}: there is no {path}; give {forms}")


def refuse_too_old(python: str) -> None:
    """Refuse an interpreter that opperf's code does not run in, or that is none."""
    said = ""
    try:
        run = subprocess.run(  # noqa: S603 - an interpreter the user named, arguments as a list
            [python, "-I", "-c", VERSION], capture_output=True, text=True, timeout=60, check=False
        )
        said = run.stdout.strip()
        version = tuple(int(part) for part in said.split())
    except (OSError, ValueError, subprocess.TimeoutExpired):
        version = ()
    if len(version) != 3:  # noqa: PLR2004 - major, minor, micro
        raise UsageError(
            f"{python} does not work as a python: asked for its version it said {said!r}"
        )
    if version[:2] < OLDEST:
        found, needed = ".".join(map(str, version)), ".".join(map(str, OLDEST))
        raise UsageError(f"{python} is Python {found}; opperf needs {needed} or newer")


def project_of(requirement: str) -> str | None:
    """Return the name of the project that a requirement asks for; None for a path."""
    found = REQUIREMENT.fullmatch(requirement)
    return found["name"].lower().replace("_", "-") if found else None
