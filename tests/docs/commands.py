"""The commands that README, CONTRIBUTING and docs show, as their readers would type them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")
SHELLS = ("bash", "sh", "shell", "console")
OTHERS = ("text", "python", "json", "toml", "yaml", "cron", "ini")
"""The languages of blocks that hold no commands, or are seen to by tests of their own."""
BEFORE = re.compile(r"(?:[A-Z_]+=\S+ |taskset -c \S+ |\.venv/bin/)*")
"""What may stand before the name of a program."""
PROGRAM = re.compile(rf"{BEFORE.pattern}(?:opperf|make|python|pytest|pip|pre-commit) ")
"""How inline code begins that is a command; a program's name alone is none."""
NAME = re.compile(r"opperf (VERB|[a-z]+( [a-z]+)?)|python benchmark_driver\.py")
"""What is no command in a sentence, but what one is called; VERB stands for any."""
COMMENTED = re.compile(r"""((?:[^'"#]|'[^']*'|"[^"]*")*?)(?:(?:^|\s)#(.*))?""")
IN_COMMENT = re.compile(r": ((?:opperf|make|python) .+)$")
"""What a comment recommends: `# or measure with: opperf run`."""


@dataclass(frozen=True)
class Command:
    """What is typed, without the comment behind it; in a sentence it may be just a name."""

    text: str
    is_name: bool = False

    @property
    def bare(self) -> str:
        """The command from the program's name on."""
        return BEFORE.sub("", self.text, count=1)


def documents(root: Path) -> list[Path]:
    """Return the files whose commands are typed."""
    others = root.joinpath("docs").rglob("*.md")
    own = sorted(path for path in others if path.parent.name != "site")
    return [root / "README.md", root / "CONTRIBUTING.md", *own]


def commands(root: Path) -> list[Command]:
    """Return every command of every document, each once, in the order of their appearance."""
    texts = [path.read_text(encoding="utf-8") for path in documents(root)]
    typed = dict.fromkeys(line for text in texts for line in typed_in(text))
    spoken = dict.fromkeys(line for text in texts for line in spoken_in(text))
    others = [text for text in spoken if text not in typed]
    return [*map(Command, typed), *(Command(t, NAME.fullmatch(t) is not None) for t in others)]


def hidden_in(text: str) -> Iterator[str]:
    """Yield the blocks of unknown languages, and the lines of plain ones that are commands."""
    for language, block in BLOCK.findall(text):
        if language not in {*SHELLS, *OTHERS}:
            yield f"```{language}"
        if language == "text":
            yield from filter(
                re.compile(rf"\s*(?:\$ )?{PROGRAM.pattern}").match, block.splitlines()
            )


def blocks_in(text: str, languages: tuple[str, ...]) -> list[str]:
    """Return the fenced blocks of some languages."""
    return [block for language, block in BLOCK.findall(text) if language in languages]


def typed_in(text: str) -> Iterator[str]:
    """Yield the lines of the shell blocks, and what their comments recommend."""
    for block in blocks_in(text, SHELLS):
        for line in block.replace("\\\n", " ").splitlines():
            match = COMMENTED.fullmatch(line)
            command, comment = match.groups() if match else (line, None)
            if command.strip():
                yield " ".join(command.split())
            if comment and (other := IN_COMMENT.search(comment)):
                yield other[1].strip()


def named_options(text: str) -> set[str]:
    """Return the options within sentences, with or without a command."""
    spans = SPAN.findall(BLOCK.sub("", text))
    return {option for span in spans for option in re.findall(r"(?<![\w-])--[a-z][a-z_-]*", span)}


def spoken_in(text: str) -> Iterator[str]:
    """Yield the commands within sentences."""
    for span in SPAN.findall(BLOCK.sub("", text)):
        line = " ".join(span.split())
        if PROGRAM.match(line):
            yield line
