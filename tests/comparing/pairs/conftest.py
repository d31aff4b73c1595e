"""Arms that differ: a package on PYTHONPATH that changes what NumPy's functions do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """\
import os, sys, time
import numpy

def burn(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass

def patch(name, change):
    real = getattr(numpy, name)
    def changed(*given, **named):
        caller = sys._getframe(1).f_code.co_filename
        # What the reference calls is left as it is.
        if not caller.endswith(("frameworks/device.py", "preparing/preparation.py")):
            return real(*given, **named)
        return change(real, given, named)
    setattr(numpy, name, changed)

def slower(real, given, named):
    burn(100e-6)
    return real(*given, **named)

def wrong(real, given, named):
    return real(*given, **named) + 0.5

def crash(*_):
    os.abort()

def hang(*_):
    time.sleep(1000)

calls = [0]

def wrong_later(real, given, named):
    calls[0] += 1
    return real(*given, **named) + (0.5 if calls[0] > 60 else 0.0)

def close_all(real, given, named):
    os.closerange(3, 4096)
    return real(*given, **named)

def fail(*_):
    raise RuntimeError("no kernel")

"""


class Patch(Protocol):
    """How `patched` is called."""

    def __call__(self, folder: str, **changes: str) -> str:
        """Return the setting of an arm in which NumPy's functions are changed."""


@pytest.fixture
def patched(tmp_path: Path) -> Patch:
    """Return what makes an arm in which functions of NumPy are slower, wrong, or crash."""

    def make(folder: str, **changes: str) -> str:
        place = tmp_path / folder
        place.mkdir()
        lines = [f"patch({name!r}, {change})\n" for name, change in changes.items()]
        (place / "sitecustomize.py").write_text(HEAD + "".join(lines))
        return f"PYTHONPATH={place}"

    return make
