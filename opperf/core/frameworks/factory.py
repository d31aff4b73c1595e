"""Functions of a user's own, by name."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, error_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.models import ModelFiles

FACTORY, ARGUMENTS = "factory", "arguments"
"""The options of a model that a function makes: which, and with which keywords."""


def find_function(name: str, text: str) -> Callable[..., Any]:
    """Return the function of a name, PKG.MODULE:FUNCTION, of a module that may lie in this folder.

    Args:
        name: of the function.
        text: what an error calls it.

    Raises:
        UsageError: there is none.
    """
    module, colon, path = name.partition(":")
    if not (module and colon and path):
        raise UsageError(f"{text}: must be PKG.MODULE:FACTORY, such as mine.networks:small")
    # Last, so that a file of that folder hides no module of a library.
    sys.path.append(os.getcwd())  # noqa: PTH109 - a text is what stands there
    try:
        found: Any = import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever somebody's code raises
        raise UsageError(f"{text} cannot be imported: {error_text(error)}") from None
    if not callable(found):
        raise UsageError(f"{text} is {type(found).__name__}; must be a function")
    function: Callable[..., Any] = found
    return function


def make_by_factory(model: ModelFiles, kind: type[Any], in_words: str) -> Any:
    """Return the network that a model's factory makes, alone or before its example inputs.

    Args:
        model: its options name the factory and have its keywords.
        kind: what networks are in the framework.
        in_words: the same in words.

    Raises:
        UsageError: it is not trusted, is no function, raises, or returns something else.
    """
    name = model.option(FACTORY, str, "")
    keywords = model.option(ARGUMENTS, dict, {})
    model.check_options(FACTORY, ARGUMENTS)
    if not name:
        raise UsageError(f"{model}: options.{FACTORY} is missing; it must be PKG.MODULE:FACTORY")
    model.require_trust(f"{name} is any code of this machine")
    function = find_function(name, f"{model}: {name}")
    try:
        made = function(**keywords)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - as above
        raise UsageError(f"{model}: {name} raised {error_text(error)}") from None
    network = made[0] if isinstance(made, tuple) and made else made
    if not isinstance(network, kind):
        raise UsageError(f"{model}: {name} returned {type(network).__name__}; must be {in_words}")
    return network
