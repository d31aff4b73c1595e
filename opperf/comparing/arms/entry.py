"""One of several arms: `NAME=SPEC`, where SPEC is a list of words between commas.

The grammar, in which a word is quoted as a shell quotes it where it has a comma or a space:

    ARM      = NAME "=" SPEC
    SPEC     = WORD *("," WORD)
    WORD     = "."                              ; this python
             | PATH                             ; of a python, a source tree or a wheel
             | "python=" PATH                   ; the same of a python
             | REQUIREMENT                      ; torch==2.13.0, torch>=2.1,<2.3
             | "git+file://" PATH
             | "env." VARIABLE "=" VALUE        ; a variable of the environment
             | "threads=" NUMBER
             | "dtype=" DTYPE
             | "compile=" ("true" | "false")    ; torch.compile of each operator

A NAME begins with a letter or a digit and has letters, digits, ".", "_" and "-", 24 at most.
"""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.comparing.arms.arm import (
    HERE,
    ArmSpec,
    is_python,
    one_python,
    requirement_of,
    without_secret_settings,
)
from opperf.core.errors import UsageError, unknown
from opperf.core.tensors.tensor import DTYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

FEWEST_ARMS, MOST_ARMS = 2, 8
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,23}")
SETTING = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)=(?!=)(.*)", re.DOTALL)
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ENVIRONMENT = "env."
CONTINUED = ("<", ">", "=", "!", "~")
"""How a word begins that goes on with the requirement before it: torch>=2.1,<2.3."""
SPECS = (
    ". for this python, python=PATH, a pip requirement (torch==2.13.0), the path of a python, a "
    "source tree or a wheel, git+file://PATH, env.NAME=value, threads=N, dtype=NAME, compile=true"
)
TRUTHS = {"true": True, "false": False}
MOST_THREADS = 4096


@dataclass(frozen=True, kw_only=True)
class ArmEntry(ArmSpec):
    """One of several arms: its name, and how its operators are measured where that is its own.

    `threads` and `dtype` are None where they are those of the comparison. `failure` says why its
    environment could not be made.
    """

    name: str
    threads: int | None = None
    dtype: str | None = None
    compile: bool = False
    failure: str | None = None

    @property
    def subject(self) -> str:
        """What an error of it begins with."""
        return f"arm {self.name}"


@dataclass
class Words:
    """What the words of an arm come to."""

    subject: str
    pythons: list[str] = field(default_factory=list)
    requirements: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    options: dict[str, int | str | bool] = field(default_factory=dict)

    def add(self, word: str) -> None:
        """Take a word.

        Raises:
            UsageError: it is nothing that an arm is made of.
        """
        if setting := SETTING.fullmatch(word):
            self.set(setting[1], setting[2])
        elif word.startswith(ENVIRONMENT):  # no package is to be installed for a slip of the pen
            raise UsageError(f"{self.subject}: {word!r} has no value; give {word}=value")
        elif word == HERE:
            self.pythons.append(sys.executable)
        elif is_python(word):
            self.pythons.append(str(Path(word).absolute()))
        else:
            self.requirements.append(requirement_of(word, self.subject, SPECS))

    def set(self, name: str, value: str) -> None:
        """Take a setting, once."""
        variable = name.removeprefix(ENVIRONMENT)
        if name != variable:
            if not VARIABLE.fullmatch(variable):
                raise UsageError(f"{self.subject}: {variable!r} is no name of a variable")
            self.variables[variable] = value
        elif name == "python":
            if not is_python(value):
                raise UsageError(
                    f"{self.subject}: python={value} cannot be executed; give the path of a python"
                )
            self.pythons.append(str(Path(value).absolute()))
        elif name in OPTIONS:
            if name in self.options:
                raise UsageError(f"{self.subject}: {name} is given twice")
            self.options[name] = OPTIONS[name](self.subject, value)
        else:
            known = ["python", *OPTIONS]
            said = unknown("setting", name, known, f" of {self.subject}")
            raise UsageError(f"{said}; a variable is {ENVIRONMENT}{name}={value}")


def threads_from(subject: str, text: str) -> int:
    """Return a number of threads."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= MOST_THREADS):
        raise UsageError(
            f"{subject}: threads={text}: must be a whole number from 1 to {MOST_THREADS}"
        )
    return int(text)


def dtype_from(subject: str, text: str) -> str:
    """Return an element type."""
    if text not in DTYPES:
        raise UsageError(unknown("dtype", text, DTYPES, f" of {subject}"))
    return text


def truth_from(subject: str, text: str) -> bool:
    """Return whether operators are compiled."""
    if text not in TRUTHS:
        raise UsageError(unknown("compile", text, [*TRUTHS], f" of {subject}"))
    return TRUTHS[text]


OPTIONS: Mapping[str, Callable[[str, str], int | str | bool]] = {
    "threads": threads_from, "dtype": dtype_from, "compile": truth_from,
}  # fmt: skip
"""How operators of an arm are measured, and what reads it."""


def parse_entry(text: str) -> ArmEntry:
    """Return the arm that NAME=SPEC stands for.

    Raises:
        UsageError: it is none; says which word, and what is allowed.
    """
    name, equals, spec = text.partition("=")
    if not equals or spec.startswith("=") or not NAME.fullmatch(name):
        raise UsageError(
            f"--arm {text!r}: must be NAME=SPEC, such as new=torch==2.13.0; a name has letters, "
            f"digits, '.', '_' and '-', 24 at most"
        )
    words = Words(f"arm {name}")
    every = [*split(spec, words.subject)]
    if not every:
        raise UsageError(f"{words.subject} is empty; give {SPECS}")
    for word in every:
        words.add(word)
    return ArmEntry(
        name=name,
        text=spec,
        python=one_python(words.pythons, words.subject),
        requirements=tuple(words.requirements),
        variables=without_secret_settings(words.variables),
        **words.options,  # type: ignore[arg-type] # each as its own function returned it
    )


def split(spec: str, subject: str) -> Iterator[str]:
    """Yield the words of a spec; what goes on with a requirement is joined to it again.

    Raises:
        UsageError: a quote is not closed.
    """
    lexer = shlex.shlex(spec, posix=True)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = ",", True, ""
    try:
        words = [word.strip() for word in lexer]
    except ValueError as error:
        raise UsageError(f"{subject}: {error}; quote it as a shell does") from None
    at = 0
    while at < len(words):
        end = at + 1
        while end < len(words) and words[end].startswith(CONTINUED):
            end += 1
        if word := ",".join(words[at:end]):
            yield word
        at = end


def parse_entries(texts: Sequence[str], reference: str | None) -> dict[str, ArmEntry]:
    """Return all arms by their names, the reference first.

    Args:
        texts: NAME=SPEC of each.
        reference: the name of the reference, None for the first one.

    Raises:
        UsageError: one is none, two have the same name, or there are too few or too many.
    """
    entries = [parse_entry(text) for text in texts]
    names = [entry.name for entry in entries]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"--arm {name}: is given twice; each arm has a name of its own")
    if not FEWEST_ARMS <= len(entries) <= MOST_ARMS:
        raise UsageError(
            f"--arm: {len(entries)} given; a comparison has {FEWEST_ARMS} to {MOST_ARMS} arms"
        )
    first = names[0] if reference is None else reference
    if first not in names:
        raise UsageError(unknown("--reference", first, names))
    by_name = {entry.name: entry for entry in entries}
    return {first: by_name[first], **by_name}
