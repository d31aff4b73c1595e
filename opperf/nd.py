"""Every operator and every suite by name: ``from opperf.nd import Add``."""

from __future__ import annotations

from typing import Any

from opperf.running.namespace import Namespace

NAMES = Namespace()


def __getattr__(name: str) -> Any:
    return NAMES.find(name)


def __dir__() -> list[str]:
    return NAMES.names()
