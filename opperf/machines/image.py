"""An image with opperf and given packages: its Dockerfile, and the command that builds it.

It holds the rules of hadolint: everything has a version, nothing is left of package managers, and
what runs is no superuser.
"""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from opperf.core.environment.revision import CHECKOUT, checked_out_commit
from opperf.core.errors import UsageError, quote
from opperf.core.version import VERSION
from opperf.machines.shell import with_input

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BASE = f"python:{'.'.join(map(str, sys.version_info[:3]))}-slim-bookworm"
"""The Python that runs opperf here, on Debian."""
LONGEST = 255
COMPONENT = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
REFERENCE = re.compile(
    rf"(?:[A-Za-z0-9.-]+(?::[0-9]+)?/)?{COMPONENT}(?:/{COMPONENT})*"
    r"(?::(?P<tag>\w[\w.-]{0,127}))?(?P<digest>@sha256:[0-9a-f]{64})?",
    re.ASCII,
)
"""An image's name, as the registry's protocol has it."""
PINNED = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9,._-]+\])?==[A-Za-z0-9][A-Za-z0-9.!+_-]*"
)
DEBIAN = re.compile(r"[a-z0-9][a-z0-9+.-]+=[A-Za-z0-9][A-Za-z0-9.+:~-]*")
SOURCES = (
    "pyproject.toml", "constraints.txt", "README.md", "LICENSE", "NOTICE", "benchmark_driver.py",
    "docs/man", "opperf",
)  # fmt: skip
"""What an image takes of a checkout: all that a wheel is built from."""
SYSTEM = """\
RUN apt-get update \\
    && apt-get install --yes --no-install-recommends {packages} \\
    && rm -rf /var/lib/apt/lists/*
"""
SOURCE = """\
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE benchmark_driver.py ./
COPY docs/man/ docs/man/
COPY opperf/ opperf/
"""
MORE = " \\\n    && python -m pip install --no-cache-dir {packages}"
TEMPLATE = """\
# opperf and what it is to measure, in versions that do not change.
FROM {base}
{system}WORKDIR /opt/opperf
{source}RUN useradd --create-home --uid 1000 opperf \\
    && python -m pip install --no-cache-dir {opperf}{more}
USER 1000:1000
WORKDIR /work
CMD ["opperf", "--help"]
"""


@dataclass(frozen=True, kw_only=True)
class ImageSpec:
    """What an image holds: the packages of pip and of Debian on a base, and opperf."""

    base: str = BASE
    packages: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    checkout: Path | None = None
    """Where opperf's sources are; without, its release is installed."""
    revision: str | None = None

    def check(self) -> None:
        """Refuse what has no version, or is no name.

        Raises:
            UsageError: names the value and what is allowed.
        """
        check_reference(self.base, "--base-image")
        for word in self.packages:
            if not PINNED.fullmatch(word):
                raise UsageError(
                    f"an image cannot hold {quote(word)}: give NAME==VERSION, as in torch==2.2.0"
                )
        for word in self.system:
            if not DEBIAN.fullmatch(word):
                raise UsageError(
                    f"--apt-package {quote(word)}: must be NAME=VERSION, as `apt-cache policy "
                    "NAME` shows it in the base image"
                )


def check_reference(image: str, flag: str) -> None:
    """Refuse a name of an image that is none, or that may mean another one tomorrow.

    Raises:
        UsageError: says what is allowed.
    """
    found = REFERENCE.fullmatch(image) if len(image) <= LONGEST else None
    pinned = found and (found["digest"] or found["tag"] not in {None, "latest"})
    if not pinned:
        raise UsageError(
            f"{flag} {quote(image)}: must be NAME:TAG or NAME@sha256:..., with a tag other than "
            "latest, which changes its meaning"
        )


def this_opperf() -> tuple[Path | None, str | None]:
    """Return the checkout that opperf runs from, if it does, and its commit."""
    there = all((CHECKOUT / name).exists() for name in SOURCES)
    return (CHECKOUT, checked_out_commit()) if there else (None, None)


def dockerfile(spec: ImageSpec) -> str:
    """Return the Dockerfile."""
    here = spec.checkout is not None
    return TEMPLATE.format(
        base=spec.base,
        system=SYSTEM.format(packages=" ".join(spec.system)) if spec.system else "",
        source=SOURCE if here else "",
        opperf="--constraint constraints.txt ." if here else f"opperf=={VERSION}",
        more=MORE.format(packages=shlex.join(spec.packages)) if spec.packages else "",
    )


def image_name(spec: ImageSpec) -> str:
    """Return what the image is called: the same for the same Dockerfile and commit."""
    content = f"{dockerfile(spec)}\0{spec.revision}"
    return f"opperf:{sha256(content.encode()).hexdigest()[:12]}"


def build_words(spec: ImageSpec) -> Sequence[str]:
    """Return the command that builds the image of the Dockerfile that it reads."""
    label = f"org.opencontainers.image.revision={spec.revision}"
    labels = ["--label", label] if spec.revision else []
    context = ["--file", "-", str(spec.checkout)] if spec.checkout is not None else ["-"]
    return ["docker", "build", "--tag", image_name(spec), *labels, *context]


def build_text(spec: ImageSpec, then: Sequence[str] = ()) -> str:
    """Return the same for a shell, with the Dockerfile, and a command for when it is built."""
    return with_input(build_words(spec), dockerfile(spec), then)
