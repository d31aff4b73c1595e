"""A host that results are of, and the kind of host that it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.core.environment.kind import kind_key, kind_name

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY = 8
"""Characters of a kind's key that tell kinds of one name apart."""


@dataclass(frozen=True, kw_only=True)
class MeasuredHost:
    """A host by its machine's key; `name` is None where nobody gave it one.

    Machines that are alike and have no names are one host: nothing tells them apart.
    """

    machine_key: str
    name: str | None
    kind_key: str
    kind_name: str

    @property
    def label(self) -> str:
        """Its name, or its machine's key."""
        return self.name or self.machine_key

    @property
    def kind(self) -> str:
        """The name of its kind with the beginning of the key."""
        return f"{self.kind_name} ({self.kind_key[:KEY]})"


def host_of(facts: Mapping[str, Any]) -> MeasuredHost:
    """Return the host that an environment is of."""
    name = facts.get("host")
    return MeasuredHost(
        machine_key=str(facts.get("machine_key")),
        name=None if name is None else str(name),
        kind_key=kind_key(facts),
        kind_name=kind_name(facts),
    )
