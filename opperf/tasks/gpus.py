"""The number of GPUs in a task's command: where it stands, and another in its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

PLACE = "{num_gpus}"
FLAG = re.compile(r"(--?(?:n|num|number)?[-_]?(?:of)?[-_]?gpus?)(?:=(.*))?", re.DOTALL)
IN_TEXT = re.compile(r"(?<!\S)(--?(?:n|num|number)?[-_]?(?:of)?[-_]?gpus?[= ]\s*)([0-9]+)(?!\S)")


def with_gpus(words: Sequence[str], named: int, requested: int) -> list[str]:
    """Return an argument list with the number of GPUs that is requested.

    It stands where `{num_gpus}` does, or as the value of an option such as --gpus, and there only
    where it is the number that the section names: `--gpus 16` of a section with num_gpus = 1 is
    something else, and stays.

    Raises:
        UsageError: another number is requested and the command has no place for it.
    """
    found = [word.replace(PLACE, str(requested)) for word in words]
    places = sum(PLACE in word for word in words)
    for at, word in enumerate(words):
        flag = FLAG.fullmatch(word)
        if flag is None:
            continue
        if flag[2] is not None and flag[2] == str(named):
            found[at] = f"{flag[1]}={requested}"
            places += 1
        elif flag[2] is None and words[at + 1 : at + 2] == [str(named)]:
            found[at + 1] = str(requested)
            places += 1
    require_place(places, named, requested, " ".join(words))
    return found


def with_gpus_in_text(text: str, named: int, requested: int) -> str:
    """Return a shell's text with the number of GPUs that is requested, by the same rule."""
    places = text.count(PLACE)
    found = text.replace(PLACE, str(requested))

    def replaced(match: re.Match[str]) -> str:
        """Return the option with the number, if it is the section's."""
        nonlocal places
        if match[2] != str(named):
            return match[0]
        places += 1
        return f"{match[1]}{requested}"

    found = IN_TEXT.sub(replaced, found)
    require_place(places, named, requested, text)
    return found


def require_place(places: int, named: int, requested: int, command: str) -> None:
    """Refuse a number that the command would never get."""
    if not places and requested != named:
        raise UsageError(
            f"--num-gpus {requested}: the command {quote(command)} has no --gpus {named} to set; "
            f"write {PLACE} where the number belongs"
        )
