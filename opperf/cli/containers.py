"""`--print-command`: the docker commands and the Dockerfile for what is asked, and nothing run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.output import leaving_early
from opperf.core.errors import UsageError, quote
from opperf.machines.container import Container, folder_of, run_words
from opperf.machines.image import BASE, ImageSpec, build_text, image_name, this_opperf

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Sequence

GPUS = re.compile(r"all|[0-9]{1,3}")
OPTIONS = {"--print-command": 0, "--pip-spec": 1, "--apt-package": 1, "--base-image": 1,
           "--container-gpus": 1}  # fmt: skip
"""Options that are of the container and not of the command in it, and how many words each takes."""


def add_image(parser: ArgumentParser) -> None:
    """Add what an image is made of."""
    parser.add_argument(
        "--print-command", action="store_true",
        help="print a Dockerfile and the docker commands that do it, and run nothing",
    )  # fmt: skip
    parser.add_argument(
        "--apt-package", action="append", default=[], metavar="NAME=VERSION",
        help="with --print-command: a package of Debian in the image",
    )  # fmt: skip
    parser.add_argument(
        "--base-image", metavar="NAME:TAG",
        help="with --print-command: what the image begins with (default: this Python on Debian)",
    )  # fmt: skip


def add_container(parser: ArgumentParser) -> None:
    """Add what makes a container of a verb."""
    add_image(parser)
    parser.add_argument(
        "--pip-spec", action="append", default=[], metavar="NAME==VERSION",
        help="with --print-command: a package in the image beside opperf, as torch==2.2.0",
    )  # fmt: skip
    parser.add_argument(
        "--container-gpus", metavar="N",
        help="with --print-command: how many GPUs the container has, or all (default: none)",
    )  # fmt: skip


def wants_container(arguments: Namespace) -> bool:
    """Return whether the commands are to be printed.

    Raises:
        UsageError: they are not, and something is said of them.
    """
    if arguments.print_command:
        return True
    for flag in OPTIONS:
        if getattr(arguments, flag[2:].replace("-", "_"), None):
            raise UsageError(f"{flag} is of a container: give --print-command as well")
    return False


def image_of(arguments: Namespace, packages: Iterable[str]) -> ImageSpec:
    """Return the image that is asked for.

    Raises:
        UsageError: Something in it has no version, or is no name.
    """
    checkout, revision = this_opperf()
    spec = ImageSpec(
        base=arguments.base_image or BASE,
        packages=tuple(packages),
        system=tuple(arguments.apt_package),
        checkout=checkout,
        revision=revision,
    )
    spec.check()
    return spec


def print_image(arguments: Namespace, packages: Iterable[str]) -> int:
    """Print the command that builds an image."""
    text = build_text(image_of(arguments, packages))
    with leaving_early():
        print(text)
    return 0


def print_container(
    verb: str, arguments: Namespace, paths: Iterable[str | None], gpus: int | None = None
) -> int:
    """Print the commands that build an image and do in it what this command line asks for.

    Args:
        verb: what is to be done.
        arguments: of the command line.
        paths: what it reads and writes, which the container must see.
        gpus: how many GPUs it needs, unless that is said.

    """
    asked = arguments.container_gpus or (str(gpus) if gpus else None)
    if asked is not None and not GPUS.fullmatch(asked):
        raise UsageError(f"--container-gpus {quote(asked)}: must be a number, or all")
    spec = image_of(arguments, arguments.pip_spec)
    folders = [folder for path in paths if path and (folder := folder_of(path))]
    container = Container(
        image=image_name(spec), directory=Path.cwd(), folders=tuple(folders), gpus=asked
    )
    words = run_words(container, ["opperf", *inner(verb, arguments.given)])
    text = build_text(spec, words)
    with leaving_early():
        print(text)
    return 0


def inner(verb: str, given: Sequence[str]) -> list[str]:
    """Return the command without what is said of its container."""
    words = iter(given)
    kept: list[str] = []
    for word in words:
        if word == "--":
            return [*named(verb, kept), word, *words]
        flag, sign, _ = word.partition("=")
        if flag not in OPTIONS:
            kept.append(word)
        elif not sign:
            for _ in range(OPTIONS[flag]):
                next(words, None)
    return named(verb, kept)


def named(verb: str, words: Sequence[str]) -> list[str]:
    """Return the words with the verb in front, which goes without saying for a script."""
    return [*words] if [*words[:1]] == [verb] else [verb, *words]
