"""What `opperf ab` is told of each commit: read as it will read it, and its frameworks checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.options import configuration_of
from opperf.cli.parser import parse
from opperf.commits.building.frameworks import not_here, refuse_unknown_frameworks
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from opperf.commits.following.driver import FollowedPlatform
    from opperf.commits.following.queue import Queue


def arguments_of(words: Sequence[str]) -> Namespace:
    """Return what `opperf ab` makes of the words."""
    return parse(["ab", "--a", ".", "--b", ".", *words])


def refuse_frameworks(
    words: Sequence[str], queue: Queue, platforms: Sequence[FollowedPlatform]
) -> None:
    """Refuse a framework that neither this installation has nor the newest commit brings.

    Raises:
        UsageError: it is unknown. What else is wrong, as with a remote, the queue says itself.
    """
    names = not_here(configuration_of(arguments_of(words))["framework"].value or ())
    if not names:
        return
    try:
        newest = queue.last()
    except UsageError:
        return
    scripts = [platform.builder.recipe.script for platform in platforms]
    refuse_unknown_frameworks(names, queue.repository, [newest.hash], [*filter(None, scripts)])
