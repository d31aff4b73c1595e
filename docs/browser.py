"""A headless Chromium without a network: Debian's packages chromium and chromium-driver."""

from __future__ import annotations

import shutil
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

PATIENCE = 60.0
LONGEST_ANSWER_S = 500.0
"""A look for obstacles in a long page is one answer, of minutes on a busy machine."""
HEIGHT = 900
PROGRAMS = ("chromium", "chromedriver")
FLAGS = (
    "--headless=new",
    "--no-sandbox",  # root in a container has no other way
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


class Chromium:
    """What is done with a page of `opperf report`."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path) -> None:
        """Open a page from a file, and wait until all of it is drawn."""
        self.driver.get(path.absolute().as_uri())
        self.settle()

    def settle(self) -> None:
        """Wait until all views show what is chosen."""
        self.wait("return document.documentElement.dataset.drawn === 'all'")

    def wait(self, script: str, *arguments: object) -> None:
        """Wait until a script returns something true."""
        deadline = time.monotonic() + PATIENCE
        while not self.ask(script, *arguments):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{script} did not come true")
            time.sleep(0.02)

    def ask(self, script: str, *arguments: object) -> Any:
        """Return what a script returns."""
        return self.driver.execute_script(script, *arguments)

    def logs(self, kind: str) -> Sequence[Mapping[str, Any]]:
        """Return what the browser logged since the last time."""
        found: Sequence[Mapping[str, Any]] = self.driver.get_log(kind)
        return found

    def type(self, text: str) -> None:
        """Press the keys, in whatever has the focus."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(text).perform()

    def resize(self, width: int) -> None:
        """Have a window of that width."""
        self.driver.set_window_size(width, HEIGHT)


def missing() -> list[str]:
    """Return the programs that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


@contextmanager
def started() -> Iterator[Chromium]:
    """Start the browser, and end it."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    browser, driver = map(shutil.which, PROGRAMS)
    options = webdriver.ChromeOptions()
    options.binary_location = browser or ""
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # Selenium gives an answer two minutes; without connections that are kept, another limit holds.
    session = webdriver.Chrome(options=options, service=Service(driver), keep_alive=False)
    session.command_executor.client_config.timeout = LONGEST_ANSWER_S
    try:
        yield Chromium(session)
    finally:
        session.quit()
