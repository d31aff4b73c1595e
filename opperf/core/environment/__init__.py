"""The environment: facts about the machine and the process that measures.

Collected inside the measuring child, so with the standard library alone. A fact that this
machine does not offer is None, never an exception and never zero.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from opperf.core.environment.files import ROOT
from opperf.core.environment.identity import host_name, machine_key

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["collect", "machine_key"]


def collect(
    framework: Mapping[str, object] | None = None,
    environ: Mapping[str, str] = os.environ,
    root: Path = ROOT,
) -> dict[str, object]:
    """Return every fact of the record's `environment`, ready for JSON.

    Args:
        framework: what the loaded framework says of itself, by the keys `name`, `version`,
            `build`, `threads`, `settings` and `instruction_sets` (which each of its libraries may
            use); copied as given, so it must be ready for JSON.
        environ: the process's variables; only an allow-list of them is recorded.
        root: where /proc, /sys and /etc are looked for.

    """
    from opperf.core.environment.container import container_facts
    from opperf.core.environment.counters import counter_facts
    from opperf.core.environment.gpu import gpu_facts
    from opperf.core.environment.memory import memory_facts
    from opperf.core.environment.process import process_facts
    from opperf.core.environment.processor import processor_facts
    from opperf.core.environment.revision import checked_out_commit
    from opperf.core.environment.software import software_facts

    facts = (
        {"host": host_name(environ)}
        | processor_facts(root)
        | memory_facts(root)
        | gpu_facts(root)
        | software_facts(root)
        | process_facts(environ, root)
        | framework_facts(framework or {})
    )
    return {
        "machine_key": machine_key(facts),
        **facts,
        "container": container_facts(root),
        **counter_facts(),
        "opperf_revision": checked_out_commit(),
    }


def framework_facts(framework: Mapping[str, object]) -> dict[str, object]:
    """Return what the framework says of itself, None where it says nothing."""
    return {
        "framework": framework.get("name"),
        "framework_version": framework.get("version"),
        "build": framework.get("build"),
        "threads": framework.get("threads"),
        "settings": framework.get("settings"),
        "instruction_sets_allowed": framework.get("instruction_sets"),
    }
