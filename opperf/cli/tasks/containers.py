"""`--print-command`: the docker commands and the Dockerfile for what is asked, and nothing run."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import leaving_early
from opperf.cli.common.options import configuration_of
from opperf.core.errors import UsageError, quote
from opperf.machines.container import Container, folder_of, is_there, run_words
from opperf.machines.image import BASE, ImageSpec, build_text, image_name, this_opperf

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator, Sequence

GPUS = re.compile(r"all|[0-9]{1,3}")
OPTIONS = {"--print-command": False, "--pip-spec": True, "--apt-package": True,
           "--base-image": True, "--container-gpus": True}  # fmt: skip
"""Options that are of the container and not of the command in it, and whether each has a value."""
OWN = "OPPERF_"
"""What opperf's variables begin with; docker is told their names only, for one may hold a login."""
READ = ("config", "data_dir", "python_path", "git_repos", "data_downloads", "gcloud_key_file_url")
WRITTEN = ("output_dir", "output_file", "workspace", "output_url")
"""Arguments that are paths or have such, of whichever verb has them."""


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


def print_container(verb: str, arguments: Namespace, gpus: int | None = None) -> int:
    """Print the commands that build an image and do in it what this command line asks for.

    Args:
        verb: what is to be done.
        arguments: of the command line.
        gpus: how many GPUs it needs, unless that is said.

    """
    asked = arguments.container_gpus or (str(gpus) if gpus else None)
    if asked is not None and not GPUS.fullmatch(asked):
        raise UsageError(f"--container-gpus {quote(asked)}: must be a number, or all")
    spec = image_of(arguments, arguments.pip_spec)
    container = Container(
        image=image_name(spec),
        directory=Path.cwd(),
        folders=tuple(folders_of(arguments)),
        gpus=asked,
        variables=tuple(sorted(name for name in os.environ if name.startswith(OWN))),
    )
    text = build_text(spec, run_words(container, ["opperf", *inner(verb, arguments.given)]))
    with leaving_early():
        print(text)
    return 0


def folders_of(arguments: Namespace) -> Iterator[Path]:
    """Yield the folders that the container must see: what is read where it is, and what is written.

    The folders of runs and stores may also be named by a file of settings or a variable.
    """
    configuration = configuration_of(arguments)
    written = [*paths_in(arguments, WRITTEN)]
    if getattr(arguments, "data_downloads", None):
        written.append(arguments.data_dir)
    named = (configuration["runs_dir"].value, configuration["store"].value)
    read = [path for path in paths_in(arguments, READ) if is_there(path)]
    for path in [*written, *(str(one) for one in named if one), *read]:
        if folder := folder_of(path):
            yield folder


def paths_in(arguments: Namespace, names: Iterable[str]) -> Iterator[str]:
    """Yield the paths that arguments name: in lists between commas, and up to a semicolon."""
    for name in names:
        value = getattr(arguments, name, None) or []
        for text in [value] if isinstance(value, str) else value:
            for part in [text] if is_there(text) else text.split(","):
                yield part.partition(";")[0].removeprefix("file://")


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
        elif OPTIONS[flag] and not sign:
            next(words, None)
    return named(verb, kept)


def named(verb: str, words: Sequence[str]) -> list[str]:
    """Return the words with the verb in front, which goes without saying for a script."""
    return [*words] if [*words[:1]] == [verb] else [verb, *words]
