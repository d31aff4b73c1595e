"""What a job asks of its host, and which of it a host does not have."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FIELDS = ("host", "kind", "cpu", "gpu", "isa", "framework", "python", "tag")
"""What `--on` may ask for; each is a text of a host's facts, or several of them."""


@dataclass(frozen=True)
class HostRequirement:
    """Patterns that a host's facts must match, and the frameworks that it must have."""

    on: tuple[tuple[str, str], ...] = ()
    frameworks: tuple[str, ...] = ()
    kind: str | None = None
    hosts: tuple[str, ...] = field(default=())
    """The hosts that it may be measured on, where it is not all that fit."""

    def to_mapping(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return asdict(self)

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> HostRequirement:
        """Return what `to_mapping` wrote."""
        return cls(
            on=tuple((name, pattern) for name, pattern in mapping["on"]),
            frameworks=tuple(mapping["frameworks"]),
            kind=mapping["kind"],
            hosts=tuple(mapping["hosts"]),
        )

    def lacks(self, facts: Mapping[str, Any]) -> list[str]:
        """Return what a host does not have, in the words of an error; nothing where it fits."""
        missing = [
            f"{name}={pattern} (it has {', '.join(texts(facts, name)) or 'none'})"
            for name, pattern in self.on
            if not any(fnmatchcase(text.lower(), pattern.lower()) for text in texts(facts, name))
        ]
        missing += [
            f"framework {name} (not installed)"
            for name in self.frameworks
            if name not in facts["frameworks"]
        ]
        if self.kind is not None and facts["kind"] != self.kind:
            missing.append(f"kind={self.kind} (it has {facts['kind']})")
        if self.hosts and facts["host"] not in self.hosts:
            missing.append(f"host={' or '.join(self.hosts)}")
        return missing


def texts(facts: Mapping[str, Any], name: str) -> list[str]:
    """Return a fact as texts to match; frameworks by name and by name=version."""
    if name == "framework":
        found = facts["frameworks"]
        return [*found, *(f"{one}={version}" for one, version in found.items())]
    value = facts.get(name)
    if value is None:
        return []
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def parse_on(words: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the patterns that `--on` asks for, each as cpu=EPYC*.

    Raises:
        UsageError: One is no name and pattern, or of no fact that hosts have.
    """
    found = []
    for word in words:
        name, equals, pattern = word.partition("=")
        if not equals or not pattern:
            raise UsageError(f"--on {quote(word)}: must be FACT=PATTERN, as cpu=*EPYC*")
        if name not in FIELDS:
            raise UsageError(f"--on {quote(word)}: {unknown('fact', name, FIELDS)}")
        found.append((name, pattern))
    return tuple(found)
