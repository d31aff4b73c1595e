"""A wheel that needs nothing from anywhere."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

WHEEL = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"


def wheel(
    folder: Path,
    version: str = "1.0",
    needs: str = "",
    name: str = "tiny",
    files: Mapping[str, str] | None = None,
) -> Path:
    """Write a wheel of one module, or of these files by their names."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}"
    texts = {f"{name}.py": f"VERSION = {version!r}\n"} if files is None else files
    with zipfile.ZipFile(path, "w") as file:
        for each, text in texts.items():
            file.writestr(each, text)
        file.writestr(f"{name}-{version}.dist-info/METADATA", about)
        file.writestr(f"{name}-{version}.dist-info/WHEEL", WHEEL)
        file.writestr(f"{name}-{version}.dist-info/RECORD", "")
    return path
