"""site.json: what a site is made of, so that the next call writes only what changed."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

from msgspec import MsgspecError, Struct, field
from msgspec.json import Decoder, encode
from msgspec.json import format as indent

from opperf.core.version import VERSION
from opperf.reporting.site.assets import all_assets

FILE = "site.json"
SCHEMA: Literal["opperf.site/1"] = "opperf.site/1"


class RunEntry(Struct, kw_only=True, omit_defaults=True):
    """A run or a comparison as the index lists it; sizes are bytes of what was written.

    One that could not be read has `left_out` and no page.
    """

    stamp: str
    kind: str
    page: str = ""
    size: int = 0
    points: str = ""
    points_size: int = 0
    heading: str = ""
    began: str = ""
    command: str = ""
    machine: str = ""
    frameworks: list[str] = []
    level: str = ""
    text: str = ""
    results: int = 0
    warning: str = ""
    left_out: str = ""


class OperatorEntry(Struct, kw_only=True, omit_defaults=True):
    """An operator as the index lists it; `source` stands for all that its page was made of."""

    source: str
    page: str
    size: int
    category: str = ""
    frameworks: list[str] = []
    series: int = 0
    runs: int = 0
    newest: str = ""
    slower: int = 0
    faster: int = 0
    last_change: str = ""
    last_ratio: float | None = None


class Ledger(Struct, kw_only=True):
    """What a site is made of. `renderer` stands for the program and its settings."""

    schema: Literal["opperf.site/1"] = SCHEMA
    renderer: str = ""
    runs: dict[str, RunEntry] = field(default_factory=dict)
    operators: dict[str, OperatorEntry] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """Return the file, the same for the same site."""
        return indent(encode(self, order="deterministic"), indent=1) + b"\n"


DECODER = Decoder(Ledger)


def ledger_of(data: bytes) -> Ledger | None:
    """Return what a file says, None where it is no such file."""
    try:
        return DECODER.decode(data)
    except MsgspecError:
        return None


def renderer_of(*settings: str) -> str:
    """Return what changes whenever pages have to be written anew: this program, or its settings."""
    parts = [VERSION, *(asset.path for asset in all_assets()), *settings]
    return sha256("\0".join(parts).encode()).hexdigest()[:16]
