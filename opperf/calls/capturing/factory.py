"""Calling the function of a user's own that makes a network."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, error_text
from opperf.core.frameworks.factory import find_function

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
    return find_function(source.name, source.text)


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
