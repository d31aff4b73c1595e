"""A wheel that needs nothing from anywhere."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WHEEL = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"


def wheel(folder: Path, version: str = "1.0", needs: str = "") -> Path:
    """Write a wheel of one module."""
    folder.mkdir(exist_ok=True)
    path = folder / f"tiny-{version}-py3-none-any.whl"
    about = f"Metadata-Version: 2.1\nName: tiny\nVersion: {version}\n{needs}"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("tiny.py", f"VERSION = {version!r}\n")
        file.writestr(f"tiny-{version}.dist-info/METADATA", about)
        file.writestr(
            f"tiny-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"
        )
        file.writestr(f"tiny-{version}.dist-info/RECORD", "")
    return path
