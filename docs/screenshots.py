"""Makes the pictures of docs/report.md: a PNG a view of a page that `opperf report` wrote.

.venv/bin/python docs/screenshots.py report.html docs/images [WIDTH] [dark]
"""

from __future__ import annotations

import sys
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING

from browser import started

if TYPE_CHECKING:
    from browser import Chromium

WIDTH, TALLEST, FIRST = 1280, 1250, 1500
PLACE = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return { x: box.x, y: box.y + scrollY, width: box.width, height: box.height };
"""


def take(page: Path, folder: Path, width: int, theme: str) -> None:
    """Write the top of the page as page.png, and each section by its id."""
    folder.mkdir(parents=True, exist_ok=True)
    with started() as browser:
        browser.resize(width)
        browser.open(page)
        browser.ask("setTheme(arguments[0])", theme)
        browser.settle()
        screen = {"x": 0, "y": 0, "width": width, "height": FIRST, "scale": 1}
        save(browser, screen, folder / "page.png")
        for name in browser.ask("return [...document.querySelectorAll('section')].map(s => s.id)"):
            place = browser.ask(PLACE, f"#{name}")
            clip = {**place, "height": min(place["height"], TALLEST), "scale": 1}
            save(browser, clip, folder / f"{name}.png")


def save(browser: Chromium, clip: dict[str, float], path: Path) -> None:
    """Write a part of the page as a PNG."""
    options = {"captureBeyondViewport": True, "clip": clip}
    picture = browser.driver.execute_cdp_cmd("Page.captureScreenshot", options)
    path.write_bytes(b64decode(picture["data"]))


if __name__ == "__main__":
    dark = "dark" if "dark" in sys.argv[3:] else "light"
    widths = [int(word) for word in sys.argv[3:] if word.isdecimal()]
    take(Path(sys.argv[1]), Path(sys.argv[2]), widths[0] if widths else WIDTH, dark)
