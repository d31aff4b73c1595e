"""The environment variables of a commit's own programs: its build, its package, its measuring."""

from __future__ import annotations

import os

from opperf.core.environment.variables import without_secrets

INTERPRETER = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
INSTALLER = ("PIP_PREFIX", "PIP_PYTHON", "PIP_ROOT", "PIP_TARGET", "PIP_USER")
LEFT_OUT = frozenset({*INTERPRETER, *INSTALLER})
"""What would have Python import another commit, or pip install anywhere but in the environment."""


def commit_variables() -> dict[str, str]:
    """Return the variables of this process that a commit's programs may see: no secrets."""
    return {
        name: text for name, text in without_secrets(os.environ).items() if name not in LEFT_OUT
    }
