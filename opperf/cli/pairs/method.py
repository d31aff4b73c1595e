"""What a comparison of benchmark methods runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.methods.surroundings import PACKAGES, WORKSPACE, find_folders
from opperf.cli.tasks.watched import time_limit
from opperf.comparing.pairs.method_job import MethodJob, in_arm
from opperf.core.errors import UsageError
from opperf.methods.choice import find_methods, split_names
from opperf.methods.process import Surroundings

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from opperf.comparing.arms.arm import ArmSpec


def prepare_methods(
    arguments: Namespace, arms: Mapping[str, ArmSpec]
) -> tuple[list[MethodJob], dict[str, Any]]:
    """Return what is compared, found in both arms, and what the manifest says of it.

    Raises:
        UsageError: a method is not in both arms; names the arm.
    """
    names = split_names(arguments.method)
    packages = Path(WORKSPACE).absolute() / PACKAGES
    folders = find_folders(arguments.python_path, packages)
    surroundings = Surroundings(python_paths=folders, timeout=time_limit(arguments))
    found = {name: find_in(name, arm, names, surroundings) for name, arm in arms.items()}
    for arm, other in ("ab", "ba"):
        if lacking := [name for name in found[other] if name not in found[arm]]:
            raise UsageError(f"arm {arm} has no {lacking[0]}, which arm {other} has")
    about = {
        "methods": found["a"],
        "data_dir": arguments.data_dir,
        "python_paths": [*surroundings.python_paths],
        "time_limit": surroundings.timeout,
    }
    return methods_compared(about), about


def find_in(name: str, arm: ArmSpec, names: list[str], surroundings: Surroundings) -> list[str]:
    """Return the methods that names stand for in an arm."""
    try:
        return find_methods(names, in_arm(surroundings, arm))
    except UsageError as error:
        raise UsageError(f"arm {name}: {error}") from error


def methods_compared(manifest: Mapping[str, Any]) -> list[MethodJob]:
    """Return what the comparison of a manifest runs."""
    surroundings = Surroundings(
        python_paths=manifest["python_paths"], timeout=manifest["time_limit"]
    )
    return [
        MethodJob(name=name, data_dir=manifest["data_dir"], surroundings=surroundings)
        for name in manifest["methods"]
    ]
