"""`opperf list --coverage`: what is declared of all that the frameworks offer."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING

from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.messages import say
from opperf.core.errors import NotInstalledError, UsageError
from opperf.core.frameworks.registry import MEASURED
from opperf.coverage.count import coverage
from opperf.reporting.printing import print_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opperf.coverage.count import Coverage


def print_coverage(form: str) -> int:
    """Print the coverage of each framework that is installed; say which one is not."""
    counted: list[Coverage] = []
    for name in MEASURED:
        try:
            counted += coverage(name, say)
        except (NotInstalledError, UsageError) as error:  # noqa: PERF203 - two turns
            say(str(error))
    if form == "json":
        json.dump([record(one) for one in counted], sys.stdout, indent=1)
        print()
    elif form == "csv":
        print_rows(names(counted), form, sys.stdout)
    else:
        print_rows(numbers(counted), form, sys.stdout)
        print("\nNot covered, and why:\n")
        print_rows(causes(counted), form, sys.stdout)
    return 0 if counted else EMPTY


def record(one: Coverage) -> dict[str, Any]:
    """Return a registry's coverage by names."""
    return {
        "framework": one.framework,
        "registry": one.registry,
        "covered": [*one.covered],
        "uncovered": [{"name": name, "reason": why} for name, why in one.uncovered.items()],
    }


def names(coverages: Sequence[Coverage]) -> Sequence[dict[str, object]]:
    """Return a row a name."""
    return [
        {"framework": one.framework, "registry": one.registry, "name": name, "uncovered": why}
        for one in coverages
        for name, why in [*((name, None) for name in one.covered), *one.uncovered.items()]
    ]


def numbers(coverages: Sequence[Coverage]) -> Sequence[dict[str, object]]:
    """Return a row a registry."""
    return [
        {
            "framework": one.framework,
            "registry": one.registry,
            "operators": len(one.covered) + len(one.uncovered),
            "covered": len(one.covered),
            "not covered": len(one.uncovered),
        }
        for one in coverages
    ]


def causes(coverages: Sequence[Coverage]) -> Sequence[dict[str, object]]:
    """Return a row a reason, the most frequent first; OpInfo repeats names and is left out."""
    found = Counter(
        (one.framework, why)
        for one in coverages
        if one.registry != "OpInfo"
        for why in one.uncovered.values()
    )
    return [
        {"framework": framework, "operators": count, "reason": why}
        for (framework, why), count in sorted(
            found.items(), key=lambda item: (item[0][0], -item[1])
        )
    ]
