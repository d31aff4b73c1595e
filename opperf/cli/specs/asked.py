"""What is asked of specifications: their files read, their tasks made."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.options import (
    command_line,
    refuse_cores,
    refuse_too_many,
    settings_of,
    threads_of,
)
from opperf.cli.specs.flags import words_of
from opperf.cli.specs.frameworks import frameworks_for
from opperf.cli.specs.tasks import SpecRequest, SpecSurroundings, TaskMaker
from opperf.core.configuration.settings import PLAIN
from opperf.core.errors import UsageError
from opperf.specs.format.reading import read_specifications
from opperf.specs.platforms.registry import find_platform
from opperf.specs.platforms.selection import choose_devices
from opperf.storing.manifest_parts import MOST_SESSIONS

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from opperf.cli.specs.flags import SpecWords
    from opperf.core.configuration.options import Configuration
    from opperf.core.configuration.settings import Settings
    from opperf.specs.cache.model_cache import ModelCache
    from opperf.specs.format.expanded import Specification
    from opperf.specs.measuring.task import SpecTask
    from opperf.specs.reporters.meta import Meta

BUDGET = 10.0
"""Seconds of samples of a test, where nobody says."""


@dataclass(frozen=True, kw_only=True)
class SpecAsked:
    """The specifications of a file, and what flags say in JSON."""

    specs: tuple[Specification, ...]
    words: SpecWords


def read_asked(arguments: Namespace) -> SpecAsked:
    """Return the specifications that are asked for.

    Raises:
        UsageError: none is named, or one is wrong.
    """
    words = words_of(arguments)
    named = [name for name in (arguments.file, arguments.benchmark_file) if name is not None]
    if len(named) != 1:
        raise UsageError("name one specification: opperf spec FILE")
    found = read_specifications(Path(named[0]), variables=words.variables, meta=words.meta)
    return SpecAsked(specs=found, words=words)


def tasks_of(arguments: Namespace, configuration: Configuration) -> list[tuple[SpecTask, Meta]]:
    """Return the tasks of the file that is named, each with what is reported of it.

    Raises:
        UsageError: something is wrong with the file, the flags, or a file of a model.
    """
    return tasks_for(arguments, configuration, read_asked(arguments))


def tasks_for(
    arguments: Namespace, configuration: Configuration, request: SpecAsked
) -> list[tuple[SpecTask, Meta]]:
    """Return the tasks of specifications, their files fetched, each with what is reported of it."""
    platform = find_platform(arguments.platform)
    if not platform.host:
        raise UsageError(f"--platform {arguments.platform}: no framework loads models there")
    devices = choose_devices(
        platform.devices(), arguments.devices, arguments.excluded_devices, arguments.platform
    )
    named = frameworks_named(configuration)
    pairs = [(spec, frameworks_for(spec.model, named)) for spec in request.specs]
    maker = TaskMaker(
        cache=model_cache(arguments), surroundings=surroundings_of(arguments, request.words),
        platform=platform, devices=devices, settings=settings_for(arguments, configuration),
        trust=arguments.trust_model, check_only=arguments.check_only,
        saving=arguments.save_outputs is not None,
    )  # fmt: skip
    return maker.tasks([SpecRequest(spec=spec, frameworks=names) for spec, names in pairs])


def frameworks_named(configuration: Configuration) -> tuple[str, ...] | None:
    """Return the frameworks that are asked for; None where none is."""
    named: tuple[str, ...] | None = configuration["framework"].value
    return named or None


def settings_for(arguments: Namespace, configuration: Configuration) -> list[Settings]:
    """Return how tests are timed, for each number of threads: in a process such as a user's own."""
    refuse_sessions(arguments.sessions)
    threads = threads_of(configuration)
    if not arguments.oversubscribe:
        refuse_too_many(threads)
    refuse_cores(configuration["cores"].value, threads, oversubscribe=arguments.oversubscribe)
    usual = settings_of(configuration)
    if configuration["budget"].origin == "default":
        usual = replace(usual, budget=BUDGET)
    if configuration["process"].origin == "default":
        usual = replace(usual, process=PLAIN)
    return [replace(usual, cache="hot", threads=count) for count in threads]


def refuse_sessions(sessions: int) -> None:
    """Refuse no sessions, and more than a run holds."""
    if not 1 <= sessions <= MOST_SESSIONS:
        raise UsageError(f"--sessions {sessions}: must be from 1 to {MOST_SESSIONS}")


def model_cache(arguments: Namespace) -> ModelCache:
    """Return the cache that models' files are placed in."""
    from opperf.specs.cache.model_cache import ModelCache

    folder = Path(arguments.model_cache) if arguments.model_cache else None
    root = Path(arguments.root_model_dir) if arguments.root_model_dir else None
    return ModelCache(folder=folder, root=root, tell=say)


def surroundings_of(arguments: Namespace, words: SpecWords) -> SpecSurroundings:
    """Return what all tests of this run have in common."""
    return SpecSurroundings(
        platform=arguments.platform,
        backend=arguments.backend or "",
        run_type=arguments.run_type,
        command=command_line("spec", arguments.given),
        time=time.time(),
        words=words,
    )


def library_path(libraries: Sequence[Path]) -> list[str]:
    """Return the variable by which the children find shared libraries."""
    if not libraries:
        return []
    folders = [str(path.absolute().parent) for path in libraries]
    before = [os.environ["LD_LIBRARY_PATH"]] if os.environ.get("LD_LIBRARY_PATH") else []
    return [f"LD_LIBRARY_PATH={':'.join(dict.fromkeys([*folders, *before]))}"]


def libraries_of(arguments: Namespace) -> list[Path]:
    """Return the libraries of the comma-separated list.

    Raises:
        UsageError: one is not there.
    """
    given = arguments.shared_libs
    paths = [Path(word.strip()) for word in given.split(",")] if given else []
    for path in paths:
        if not path.is_file():
            raise UsageError(f"--shared_libs {path}: no such file")
    return paths
