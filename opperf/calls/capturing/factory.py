"""Calling the function of a user's own that makes a network."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, error_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.calls.capturing.source import Source


def call_factory(source: Source, factory: Callable[..., Any]) -> Any:
    """Return what a factory returns for the batch that is asked for.

    Raises:
        UsageError: it takes no batch, or raises.
    """
    arguments = {} if source.batch is None else {"batch": source.batch}
    if arguments and not takes_batch(factory):
        raise UsageError(f"{source.text} takes no batch; leave --batch out")
    try:
        return factory(**arguments)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever somebody's code raises
        raise UsageError(f"{source.text} raised {error_text(error)}") from None


def find(source: Source) -> Callable[..., Any]:
    """Return the function that the name stands for, of a module that may lie in this folder."""
    module, colon, name = source.name.partition(":")
    if not (module and colon and name):
        raise UsageError(f"{source.text}: must be PKG.MODULE:FACTORY, such as mine.networks:small")
    # Last, so that a file of that folder hides no module of a library.
    sys.path.append(os.getcwd())  # noqa: PTH109 - a text is what stands there
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - as below
        raise UsageError(f"{source.text} cannot be imported: {error_text(error)}") from None
    if not callable(found):
        raise UsageError(f"{source.text} is {type(found).__name__}; must be a function")
    factory: Callable[..., Any] = found
    return factory


def batch_of(source: Source, factory: Callable[..., Any]) -> int | None:
    """Return the batch that is asked for, else the factory's own, None where nobody knows."""
    if source.batch is not None or not takes_batch(factory):
        return source.batch
    try:
        usual = signature(factory).parameters["batch"].default
    except (KeyError, TypeError, ValueError):
        return None
    return usual if type(usual) is int and usual > 0 else None


def takes_batch(factory: Callable[..., Any]) -> bool:
    """Return whether a function has a parameter `batch`."""
    try:
        parameters = signature(factory).parameters.values()
    except (TypeError, ValueError):  # of one written in C nobody can tell
        return True
    return any(each.name == "batch" or each.kind is Parameter.VAR_KEYWORD for each in parameters)
